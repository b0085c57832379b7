"""The way to a running daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hippo.cli.brain import ROUTES, DaemonBrain, FolderBrain, has_store, open_brain
from hippo.cli.daemon_link import Link, Owner, as_error, listening_at, owner_of, path_of
from hippo.errors import DaemonUnreachable, HippoError, InvalidArgument, MemoryNotFound, StoreInUse, StoreMissing
from hippo.settings import Settings
from tests.cli.commands import hippo


def claim(folder, **facts: object) -> None:
    (folder / "lock").write_text(json.dumps(facts))


@pytest.fixture
def dead() -> int:
    """The pid of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.fixture
def stranger() -> Iterator[str]:
    """The address of a web server that is not ours; it remembers nothing and answers in HTML or with JSON."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"status": "fine"}' if self.path == "/health" else b"<p>hello"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("content", ["", "no json", "[]", "{}", '{"pid": null}', "17", '{"pid": "x"}'])
def test_a_lock_that_says_nothing_names_no_owner(tmp_path, content):
    (tmp_path / "lock").write_text(content)
    assert owner_of(tmp_path) is None


def test_no_folder_has_no_owner(tmp_path):
    assert owner_of(tmp_path / "none") is None


def test_an_owner_counts_while_its_process_lives(tmp_path, dead):
    claim(tmp_path, pid=os.getpid(), url="http://127.0.0.1:1")
    assert owner_of(tmp_path) == Owner(os.getpid(), "http://127.0.0.1:1")
    claim(tmp_path, pid=dead, url="http://127.0.0.1:1")
    assert owner_of(tmp_path) is None


def test_what_listens_must_be_hippo(tmp_path, stranger):
    claim(tmp_path, pid=os.getpid(), url=stranger)
    assert listening_at(tmp_path) is None
    with pytest.raises(DaemonUnreachable, match="another program"), Link(stranger) as link:
        link.health()
    with pytest.raises(DaemonUnreachable, match="JSON"), Link(stranger) as link:
        link.get("/api/stats", {})


def test_a_running_daemon_is_found_by_its_folder(served):
    folder, url = served
    assert listening_at(folder) == url
    assert isinstance(open_brain(Settings(dir=folder), None), DaemonBrain)


@pytest.mark.parametrize("url", ["127.0.0.1:3000", "ftp://x", "http://", "http://x:port", "http://x:99999", ""])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InvalidArgument):
        Link(url)


def test_nobody_at_the_address_is_one_line(tmp_path):
    ran = hippo("stats", "--url", "http://127.0.0.1:9", folder=tmp_path)
    assert (ran.code, ran.out) == (DaemonUnreachable.exit_code, "")
    assert ran.err.startswith("error: No daemon answers at http://127.0.0.1:9: ")


def test_url_wins_over_the_folder_and_reaches_the_daemon(served, tmp_path):
    assert hippo("stats", "--url", served[1] + "/", "--json", folder=tmp_path).code == 0
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_daemon_is_the_same_error_here():
    error = as_error(MemoryNotFound(id="{X}", agent_id="a").as_dict(), "")
    assert isinstance(error, MemoryNotFound)
    assert (error.message, error.exit_code, error.code) == ("There is no memory {X} of agent a.", 66, "not_found")
    assert error.advice == MemoryNotFound.hint


@pytest.mark.parametrize("answer", [None, [], "text", {}, {"error": "text"}, {"error": {"code": "from_the_future"}}])
def test_an_answer_that_is_no_known_error_is_one_all_the_same(answer):
    error = as_error(answer, "HTTP 500 at /api/stats")
    assert type(error).__mro__[1] is HippoError
    assert error.message == "HTTP 500 at /api/stats"


@pytest.mark.parametrize(("route", "given", "path", "left"), [
    ("/api/memories", {"id": "X"}, "/api/memories", {"id": "X"}),
    ("/api/memories/{id}", {"id": "0A/1", "k": 1}, "/api/memories/0A%2F1", {"k": 1}),
    ("/api/memories/{id}/restore", {"id": "X"}, "/api/memories/X/restore", {}),
    ("/api/blocks/{key}", {"k": 1}, "/api/blocks", {"k": 1}),
    ("/api/blocks/{key}", {"key": "größe ?#%"}, "/api/blocks/gr%C3%B6%C3%9Fe%20%3F%23%25", {}),
    ("/api/blocks/{key}", {"key": "\udce9"}, "/api/blocks/%EF%BF%BD", {}),
])
def test_a_route_s_name_is_filled_in_from_what_is_given(route, given, path, left):
    assert path_of(route, given) == path
    assert given == left


def test_every_verb_of_a_daemon_is_one_of_the_service_and_answers_at_a_route():
    from hippo.interfaces.rest import ROUTES as TABLE
    from hippo.interfaces.service import Service

    there = {(route.method, route.path) for route in TABLE}
    for verb, route in ROUTES.items():
        assert callable(getattr(Service, verb)), verb
        assert (route.method, route.path) in there, verb


def test_bytes_that_are_no_text_are_asked_for_as_such(served):
    with Link(served[1]) as link:
        assert link.get("/api/memories", {"entity": "caf\udce9", "tags": ["\udce9", "b"], "scope": None})["memories"] == []


def test_what_only_reads_makes_no_store_and_what_writes_may(tmp_path):
    settings = Settings(dir=tmp_path / "none")
    with pytest.raises(StoreMissing):
        open_brain(settings, None)
    assert isinstance(open_brain(settings, None, writes=True), FolderBrain)


def test_settings_and_a_lock_alone_are_no_store(tmp_path):
    (tmp_path / "hippo.toml").touch()
    (tmp_path / "lock").touch()
    assert not has_store(tmp_path)
    (tmp_path / "journal-00000001").touch()
    assert has_store(tmp_path)


def test_a_store_that_another_command_holds_is_waited_for(tmp_path, monkeypatch):
    from hippo.cli import brain as module
    from hippo.store.disk import FolderDisk

    monkeypatch.setattr(module, "_seconds_to_join", 0.3)
    holder = FolderDisk(tmp_path)
    holder.lock()
    try:
        with pytest.raises(StoreInUse, match=str(os.getpid())):
            module.ask(FolderBrain(Settings(dir=tmp_path)), "agents")
    finally:
        holder.unlock()
    assert module.ask(FolderBrain(Settings(dir=tmp_path)), "agents") == {"agents": []}
