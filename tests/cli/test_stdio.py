"""hippo stdio: joining the daemon that owns the store, and starting one where none runs."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from hippo.cli.daemon_link import listening_at, owner_of
from hippo.errors import BadSetting, DaemonNotStarted
from tests.cli.commands import daemon, environment, hippo

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}


def remember(id: int, text: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "remember", "arguments": {"text": text}}}


def lines(*messages: dict[str, object]) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


@pytest.fixture
def home(tmp_path):
    """A store's folder; a daemon that was started for it is ended with the test."""
    yield tmp_path
    owner = owner_of(tmp_path)
    if owner is not None:
        os.kill(owner.pid, signal.SIGTERM)


def client(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "hippo", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment(HIPPO_DIR=str(folder)))


def ask(speaker: subprocess.Popen[str], message: dict[str, object]) -> dict:
    """The answer to one message."""
    speaker.stdin.write(lines(message))
    speaker.stdin.flush()
    return json.loads(speaker.stdout.readline())


def test_it_joins_the_daemon_that_runs(served):
    folder, _ = served
    ran = hippo("stdio", folder=folder, stdin=lines(INITIALIZE))
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["result"]["serverInfo"]["name"] == "hippo"


def test_where_none_runs_one_is_started_and_outlives_its_client(home):
    ran = hippo("stdio", folder=home, stdin=lines(INITIALIZE, remember(2, "said over stdio")))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert sorted(answer["id"] for answer in answers) == [1, 2]
    assert all("result" in answer for answer in answers), answers
    assert listening_at(home) is not None
    assert hippo("search", "said over stdio", "--json", folder=home).json["memories"]


def test_clients_that_start_at_once_share_one_daemon(home):
    with ExitStack() as stack:
        clients = [stack.enter_context(client(home)) for _ in range(4)]
        for number, one in enumerate(clients):
            assert one.stdin is not None
            one.stdin.write(lines(INITIALIZE, remember(2, f"client {number} was here")))
            one.stdin.flush()
        for one in clients:
            assert one.stdout is not None
            assert sorted(json.loads(one.stdout.readline())["id"] for _ in range(2)) == [1, 2]
        assert hippo("stats", "--json", folder=home).json["memories"] == 4
        for one in clients:
            assert one.stdin is not None
            one.stdin.close()
            assert one.wait(30) == 0


def test_a_client_goes_on_when_the_daemon_is_started_again_at_another_address(tmp_path):
    with ExitStack() as stack:
        with daemon(tmp_path) as first:
            speaker = stack.enter_context(client(tmp_path))
            assert ask(speaker, INITIALIZE)["result"]
        with socket.socket() as other:  # whatever listens where the first daemon was is not spoken to
            host, _, port = first.removeprefix("http://").partition(":")
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind((host, int(port)))
            other.listen()
            with daemon(tmp_path) as second:
                assert second != first
                assert ask(speaker, remember(2, "said after the restart"))["result"]["structuredContent"]["id"]
                assert ask(speaker, remember(3, "and once more"))["result"]["structuredContent"]["id"]
                assert hippo("stats", "--json", folder=tmp_path).json["memories"] == 2
                speaker.stdin.close()
                assert speaker.wait(30) == 0


def test_a_client_whose_daemon_was_killed_gets_another_one(home):
    with client(home) as speaker:
        assert ask(speaker, remember(1, "before"))["result"]
        killed = owner_of(home)
        end = os.pidfd_open(killed.pid)
        os.kill(killed.pid, signal.SIGKILL)
        assert select.select([end], [], [], 30)[0]
        os.close(end)
        assert ask(speaker, remember(2, "after"))["result"]
        assert owner_of(home).pid != killed.pid
        assert hippo("stats", "--json", folder=home).json["memories"] == 2
        speaker.stdin.close()
        assert speaker.wait(30) == 0


def test_another_package_of_that_name_in_the_working_folder_is_not_run(home, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "hippo").mkdir()
    (elsewhere / "hippo" / "__init__.py").write_text("raise SystemExit('not this one')")
    code = "import sys; sys.path.remove(''); from hippo.cli.program import run; sys.exit(run(['stdio']))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=elsewhere, input=lines(INITIALIZE), text=True, timeout=60,
                         capture_output=True, env=environment(HIPPO_DIR=str(home)), check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["id"] == 1


def test_a_transport_of_stdio_does_not_make_the_daemon_start_daemons(home):
    ran = hippo("serve", folder=home, stdin=lines(INITIALIZE), HIPPO_TRANSPORT="stdio")
    assert ran.code == 0, ran.err
    assert ran.json["id"] == 1
    assert owner_of(home) is not None


def test_why_the_daemon_did_not_start_is_one_line_on_stderr_and_nothing_on_stdout(filled):
    ran = hippo("stdio", folder=filled, stdin=lines(INITIALIZE), HIPPO_EMBEDDER="term-frequency")
    assert (ran.code, ran.out) == (DaemonNotStarted.exit_code, "")
    assert ran.err.startswith("error: The daemon did not start: The store was built with the embedder wordllama")
    assert ran.err.count("\n") == 2


def test_a_setting_that_cannot_be_is_refused_before_anything_starts(tmp_path):
    ran = hippo("stdio", folder=tmp_path, stdin=lines(INITIALIZE), HIPPO_PORT="x")
    assert (ran.code, ran.out) == (BadSetting.exit_code, "")
    assert list(tmp_path.iterdir()) == []


def test_warnings_do_not_reach_stdout(served):
    ran = hippo("stdio", folder=served[0], stdin=lines(INITIALIZE), HIPPO_PROT="1")
    assert len(ran.out.splitlines()) == 1
    assert "Did you mean HIPPO_PORT?" in ran.err


def test_it_leaves_nothing_in_the_folder_that_is_not_the_store_s(home):
    hippo("stdio", folder=home, stdin=lines(INITIALIZE))
    assert hippo("check", folder=home).code == 0
    known = ("journal-", "pack-", "index", "cache", "lock", "compaction.log", "lost+found")
    assert [path.name for path in home.iterdir() if not path.name.startswith(known)] == []
