"""Every command, with a daemon beside the store and without one: the same answers, the same errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest

from hippo.cli.daemon_link import owner_of
from hippo.cli.program import COMMANDS
from hippo.errors import EmptyText, InvalidArgument, MemoryNotFound, NotAnInstant, RowsFailed, StoreInUse, UnknownFormat
from tests.cli.commands import Ran, daemon, environment, hippo

_seconds_max = 120
_seconds_to_be_gone = 20  # well before a client is given up, see there
_clients = 4
_texts_each = 5


class Seat(NamedTuple):
    """A store of three memories, a block and a message, and who answers for it."""

    folder: Path
    served: bool
    id: str

    def run(self, *arguments: str, **more: Any) -> Ran:
        """One command on it that is neither a bug nor steers the terminal."""
        ran = hippo(*arguments, folder=self.folder, HIPPO_PORT="0", **more)
        assert "Traceback" not in ran.err
        assert not set(ran.out + ran.err) & set("\x00\x07\x1b\u202e")
        return ran


@pytest.fixture(scope="module", params=["alone", "beside a daemon"])
def seat(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    """The same store, once opened by each command itself and once owned by a daemon."""
    folder = tmp_path_factory.mktemp("seat") / "store"
    id = hippo("remember", "The ferry to Hvar leaves at seven.", "--tag", "travel", folder=folder).out.split()[0]
    assert hippo("remember", folder=folder, stdin="ring \x07 the \x1b[31mbell\x1b[0m \u202e\x00").code == 0
    assert hippo("remember", "Hvar has a fortress.", "--entity", "Hvar", folder=folder).code == 0
    assert hippo("block", "persona", "--append", "-", folder=folder, stdin="calm \x1b[2J").code == 0
    assert hippo("log", "-", folder=folder, stdin="ahoy \x1b[2J").code == 0
    if request.param == "alone":
        yield Seat(folder, False, id)
    else:
        with daemon(folder):
            yield Seat(folder, True, id)


@pytest.mark.parametrize(("command", "keys"), [
    (("recall", "ferry", "--peek"), {"results", "weak", "degraded", "note", "alert"}),
    (("search", "Hvar"), {"memories", "next", "alert"}),
    (("memories",), {"memories", "next", "alert"}),
    (("agents",), {"agents"}),
    (("restore", "{id}"), {"id", "action"}),
    (("update", "{id}", "--tag", "travel"), {"id", "action", "text", "kind", "entity", "version_hash"}),
    (("facts", "Split is a town.", "--agent", "facts"), {"facts", "texts", "by"}),
    (("relate", "Hvar", "near", "Split"), {"action", "source", "relation", "target"}),
    (("merge-entities", "Hvar", "--into", "Hvar"), {"entity", "moved", "memories", "version_hash"}),
    (("consolidate",), {"mode", "looked_at", "proposals", "left_out"}),
    (("forget", "{id}", "--dry-run"), {"dry_run", "memories", "restored", "quoted_in"}),
    (("purge", "--dry-run"), {"dry_run", "memories", "restored", "quoted_in"}),
    (("blocks",), {"blocks"}),
    (("block", "persona"), {"blocks"}),
    (("block", "persona", "--replace", "calm", "calm"), {"key", "text", "characters", "limit", "action"}),
    (("log", "ahoy", "--agent", "sailor"), {"logged", "known"}),
    (("conversation", "ahoy"), {"messages"}),
    (("inspect", "{id}"), {"id", "text", "tier", "tags", "salience", "created_at", "associations", "retention_now"}),
    (("stats",), {"memories", "agents", "tiers", "total_bytes", "embedder", "unrecoverable", "version"}),
    (("stats", "--verify"), {"memories", "verified_at", "unrecoverable"}),
    (("preview",), {"cause", "depth", "at", "memories", "tiers", "before", "after", "dry"}),
    (("sleep", "--depth", "light"), {"cause", "depth", "at", "memories", "tiers", "edges_pruned", "dry"}),
    (("check",), {"findings"}),
    (("doctor",), {"findings"}),
])
def test_json_is_one_object_of_the_promised_shape(seat, command, keys):
    ran = seat.run(*(word.format(id=seat.id) for word in command), "--json")
    assert ran.code == 0, ran.err
    assert keys <= ran.json.keys()


@pytest.mark.parametrize("command", [
    ("recall", "ring", "--peek"), ("search", "ring"), ("inspect", "{id}"), ("restore", "{id}"), ("memories",), ("agents",), ("stats",),
    ("update", "{id}", "--tag", "travel"), ("facts", "Brač is an island."), ("relate", "Hvar", "near", "Brač"),
    ("merge-entities", "Hvar", "--into", "Hvar"), ("forget", "{id}", "--dry-run"), ("blocks",), ("block", "persona"),
    ("block", "persona", "--append", "kind \x1b[2J"), ("log", "ship ahoy"), ("conversation", "ahoy"), ("preview",), ("sleep",), ("check",), ("doctor",)])
def test_people_get_words_and_a_code_of_zero(seat, command):
    ran = seat.run(*(word.format(id=seat.id) for word in command))
    assert ran.code == 0, ran.err
    assert ran.out.strip()


def test_the_report_of_a_pass_is_that_pass_or_nothing(seat):
    ran = seat.run("sleep", "--depth", "light", "--json")
    report = seat.run("report", "--json").json
    assert report == ran.json or (not seat.served and report is None)
    said = seat.run("report")
    assert said.code == 0
    assert (said.out + said.err).strip()


def test_no_command_is_left_out_here():
    source = Path(__file__).read_text("utf-8")
    assert not [name for name in COMMANDS if f'"{name}"' not in source and name != "demo"]  # it has a file of its own


def test_what_json_says_is_what_was_remembered(seat):
    texts = [row["text"] for row in seat.run("memories", "--json").json["memories"]]
    assert "ring \x07 the \x1b[31mbell\x1b[0m \u202e\x00" in texts


@pytest.mark.parametrize(("command", "stdin", "error"), [
    (("inspect", "00000000"), b"", MemoryNotFound),
    (("restore", "00000000"), b"", MemoryNotFound),
    (("update", "00000000", "x"), b"", MemoryNotFound),
    (("forget", "00000000", "--yes"), b"", MemoryNotFound),
    (("merge", "00000000", "00000001", "--text", "x"), b"", MemoryNotFound),
    (("forget", "--about", " ", "--yes"), b"", EmptyText),
    (("purge", "--before", "the day before", "--yes"), b"", NotAnInstant),
    (("forget", "--entity", "", "--yes"), b"", InvalidArgument),
    (("log", "x", "--created-at", "2026-02-30"), b"", InvalidArgument),
    (("conversation", "--since", "2026-02-30"), b"", NotAnInstant),
    (("block", "persona", "--replace", "not there", "x"), b"", InvalidArgument),
    (("memories", "--before", "00000000"), b"", MemoryNotFound),
    (("remember", ""), b"", EmptyText),
    (("remember", "  \n"), b"", EmptyText),
    (("remember",), b"", EmptyText),
    (("recall", "x", "--since", "the day before"), b"", NotAnInstant),
    (("memories", "--until", "25:00"), b"", NotAnInstant),
    (("remember", "x", "--created-at", "2026-02-30"), b"", NotAnInstant),
])
def test_an_error_has_the_same_code_and_words_whoever_answers(seat, command, stdin, error):
    ran = seat.run(*command, "--json", stdin=stdin)
    assert (ran.code, ran.json["error"]["code"]) == (error.exit_code, error.code)
    assert ran.err.startswith("error: ")


def test_lines_are_remembered_in_order_and_a_refused_one_is_named(seat):
    ran = seat.run("remember", "--lines", "--agent", "lines", "--json", stdin="one\n\ntwo \x1b[2J\nthree")
    assert ran.code == 0, ran.err
    ids = [row["id"] for row in ran.json["results"]]
    listed = seat.run("memories", "--agent", "lines", "--json").json["memories"]
    assert [row["id"] for row in listed] == ids[::-1]
    assert [row["text"] for row in listed] == ["three", "two \x1b[2J", "one"]


def test_no_lines_at_all_are_no_error(seat):
    ran = seat.run("remember", "--lines", "--json", stdin="\n\n")
    assert (ran.code, ran.json) == (0, {"results": []})


def test_what_is_forgotten_merged_and_purged_is_gone_and_the_rest_is_there(seat):
    def remembered(text: str) -> str:
        return seat.run("remember", text, "--agent", "erased").out.split()[0]

    one, two, three = map(remembered, ("Anna keeps bees.", "The boat is red.", "Ben sings on Sundays."))
    assert seat.run("forget", one, "--agent", "erased", "--yes").out == "1 memory forgotten\n"
    merged = seat.run("merge", two, three, "--text", "The boat is red and Ben sings.", "--agent", "erased").out.split()[0]
    assert seat.run("purge", "--agent", "erased", "--yes").out == "2 memories forgotten\n"
    left = seat.run("memories", "--agent", "erased", "--include-superseded", "--json").json["memories"]
    assert [row["id"] for row in left] == [merged]


@pytest.mark.parametrize("form", ["claude-md", "markdown", "json", "wire"])
def test_an_export_goes_to_a_file_or_to_stdout(seat, tmp_path, form):
    where = tmp_path / "export"
    assert seat.run("export", "--format", form, "--output", str(where)).code == 0
    piped = hippo("export", "--format", form, "--output", "-", "--agent", "default", folder=seat.folder)  # as it is, for programs
    assert piped.out.encode() == where.read_bytes()
    assert "Hvar" in piped.out


def test_a_vault_is_a_folder_or_an_archive(seat, tmp_path):
    assert seat.run("export", "--format", "obsidian", "--output", str(tmp_path / "vault")).code == 0
    assert seat.run("export", "--format", "obsidian", "--output", str(tmp_path / "vault.zip")).code == 0
    with ZipFile(tmp_path / "vault.zip") as archive:
        for name in archive.namelist():
            assert (tmp_path / "vault" / name).read_bytes() == archive.read(name)
    assert (tmp_path / "vault" / "Index.md").exists()


def test_an_export_is_imported_by_another_store_and_twice_changes_nothing(seat, tmp_path):
    export = str(tmp_path / "all.json")
    assert seat.run("export", "--format", "json", "--output", export).code == 0
    there = seat._replace(folder=tmp_path / "there")
    dry = there.run("import", export, "--dry-run", "--json", "--agent", "default")
    assert dry.code != 0 or dry.json["dry_run"]
    assert there.run("import", export).code == 0
    texts = [sorted(row["text"] for row in where.run("memories", "--json").json["memories"]) for where in (seat, there)]
    assert texts[0] == texts[1]
    assert there.run("import", export, "--json").code == 0
    assert sorted(row["text"] for row in there.run("memories", "--json").json["memories"]) == texts[0]
    assert there.run("block", "persona").out == seat.run("block", "persona").out


def test_notes_are_imported_and_what_cannot_be_read_is_the_exit_code(seat, tmp_path):
    notes = tmp_path / "notes"
    (notes / "below").mkdir(parents=True)
    (notes / "Anna.md").write_text("Anna keeps bees ☕.\n\nShe lives in Linz.\n")
    (notes / "below" / "Boat.md").write_text("The boat is red.\n")
    told = seat.run("import", str(notes), "--agent", "notes", "--json")
    assert told.code == 0, told.err
    listed = seat.run("memories", "--agent", "notes", "--json").json["memories"]
    assert {(row["text"], row["entity"]) for row in listed} == {
        ("Anna keeps bees ☕.", "Anna"), ("She lives in Linz.", "Anna"), ("The boat is red.", "Boat")}
    (notes / "Broken.md").write_bytes(b"caf\xe9")
    broken = seat.run("import", str(notes), "--agent", "notes")
    assert broken.code == RowsFailed.exit_code
    assert "failed: Broken.md: " in broken.err
    one = seat.run("import", str(notes / "below" / "Boat.md"), "--agent", "one", "--json")
    assert one.code == 0, one.err
    assert [row["entity"] for row in seat.run("memories", "--agent", "one", "--json").json["memories"]] == ["Boat"]
    empty = tmp_path / "empty.json"
    empty.touch()
    assert seat.run("import", str(empty)).code == UnknownFormat.exit_code


def test_an_unknown_variable_is_a_warning_with_the_nearest_and_the_answer_is_unharmed(seat):
    ran = seat.run("stats", "--json", HIPPO_SLEEP_HUOR="4")
    assert ran.code == 0
    assert ran.json["memories"] >= 2
    assert "HIPPO_SLEEP_HUOR" in ran.err
    assert "Did you mean HIPPO_SLEEP_HOUR?" in ran.err


def test_a_second_daemon_names_the_process_and_the_folder(tmp_path):
    with daemon(tmp_path):
        owner = owner_of(tmp_path)
        ran = hippo("serve", "--port", "0", "--dir", str(tmp_path), folder=tmp_path)
    assert owner is not None
    assert ran.code == StoreInUse.exit_code == 75
    assert str(owner.pid) in ran.err
    assert str(tmp_path) in ran.err
    assert "Traceback" not in ran.err


# -- several clients over stdio ---------------------------------------------------------------------------------------


class _Client:
    """A client of `hippo stdio`: what it is told, and each line it reads, within a bound."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.child = subprocess.Popen(
            [sys.executable, "-m", "hippo", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment(HIPPO_DIR=str(folder)))
        self._overdue = threading.Timer(_seconds_max, self.child.kill)
        self._overdue.start()

    @property
    def texts(self) -> set[str]:
        """What it remembers."""
        return {f"{self.name} says sentence {number}" for number in range(_texts_each)}

    def speak(self) -> None:
        """Greet, then remember every text, without waiting for an answer."""
        greeting = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": self.name, "version": "1"}}}
        told = [{"jsonrpc": "2.0", "id": text, "method": "tools/call",
                 "params": {"name": "remember", "arguments": {"text": text}}} for text in sorted(self.texts)]
        assert self.child.stdin is not None
        self.child.stdin.write("".join(json.dumps(message) + "\n" for message in (greeting, *told)))
        self.child.stdin.flush()

    def answers(self) -> dict[str, Any]:
        """The result of each request, by its id; every line has to be a message."""
        assert self.child.stdout is not None
        messages = [json.loads(self.child.stdout.readline()) for _ in range(_texts_each + 1)]
        assert all(message["jsonrpc"] == "2.0" for message in messages)
        return {message["id"]: message["result"] for message in messages}

    def leave(self) -> tuple[int, str, str]:
        """Close its end. How the relay ended, and what it said after the answers."""
        out, err = self.child.communicate(timeout=_seconds_max)
        self._overdue.cancel()
        return self.child.returncode, out, err

    def end(self) -> None:
        """Whatever became of the test, nothing stays behind."""
        self._overdue.cancel()
        self.child.kill()
        self.child.communicate()


def _all_at_once(folder: Path) -> None:
    clients = []
    try:
        for number in range(_clients):
            clients.append(_Client(folder, f"client {number}"))
        for client in clients:
            client.speak()
        for client in clients:
            answers = client.answers()
            assert answers.keys() == {"hello", *client.texts}
            assert not any(answer.get("isError") for answer in answers.values())
        kept = {row["text"] for row in hippo("memories", "--limit", "100", "--json", folder=folder).json["memories"]}
        assert kept == set().union(*(client.texts for client in clients))
        assert [client.leave() for client in clients] == [(0, "", "")] * _clients
    finally:
        for client in clients:
            client.end()


def test_clients_on_a_fresh_folder_start_one_daemon_between_them_and_lose_nothing(tmp_path):
    folder = tmp_path / "fresh"
    try:
        _all_at_once(folder)
        owner = owner_of(folder)
        assert owner is not None
        assert owner.url is not None
    finally:
        owner = owner_of(folder)
        if owner is not None:
            os.kill(owner.pid, signal.SIGTERM)


def test_a_daemon_that_dies_before_the_client_that_started_it_owns_nothing_any_more(tmp_path):
    client = _Client(tmp_path, "the first")
    try:
        client.speak()
        assert len(client.answers()) == _texts_each + 1
        owner = owner_of(tmp_path)
        assert owner is not None
        os.kill(owner.pid, signal.SIGKILL)
        until = time.monotonic() + _seconds_to_be_gone
        while owner_of(tmp_path) is not None:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert client.child.poll() is None  # else it would be the client's end that has cleared it away
        assert hippo("check", "--repair", folder=tmp_path).code == 0
        assert hippo("stats", "--json", folder=tmp_path).json["memories"] == _texts_each
    finally:
        client.end()


def test_clients_beside_a_running_daemon_share_it_and_lose_nothing(tmp_path):
    with daemon(tmp_path):
        before = owner_of(tmp_path)
        _all_at_once(tmp_path)
        assert owner_of(tmp_path) == before
