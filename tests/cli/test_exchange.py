"""hippo export and hippo import."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from hippo.cli.brain import DaemonBrain, FolderBrain, Source
from hippo.cli.pace import Pace
from hippo.cli.program import run
from hippo.errors import (
    BodyTooLarge,
    DaemonUnreachable,
    ExportTooNew,
    InTheWay,
    MemoryDamaged,
    RowsFailed,
    StoreMissing,
    StoreUnwritable,
    UnknownFormat,
)
from hippo.interfaces.imports.results import Tally
from hippo.model.imported import ImportResult
from hippo.model.knowledge_verb import Export
from hippo.settings import Settings
from tests.cli.commands import Ran, daemon, hippo
from tests.cli.scripted import answering


def imported(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    outcomes = {"stored": 0, "skipped": 0, "failed": 0}
    for row in rows:
        outcomes[row["outcome"]] += 1
    return {"format": "markdown", "dry_run": False, "rows": len(rows), "outcomes": outcomes, "kinds": {"memories": len(rows), "messages": 0},
            "results": list(rows), "failures": [row for row in rows if row["outcome"] == "failed"], "stopped": None, **more}


# -- export -------------------------------------------------------------------------------------------------------------


def test_an_export_is_a_file_here_and_says_where(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    brain = answering(monkeypatch, export=["hippo-a.md", b"x" * 1200, b"y"])
    assert run(["export", "--agent", "a"]) == 0
    assert capsys.readouterr() == (f"{tmp_path}/hippo-a.md  1.2 kB\n", "")
    assert brain.asked == [("export", Export(format="markdown", agent_id="a"))]
    assert run(["export", "--format", "json", "--json", "--output", "mine.json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"format": "json", "file": f"{tmp_path}/mine.json", "bytes": 1201}
    assert brain.asked[-1] == ("export", Export(format="json"))


def test_what_is_in_the_way_is_said_before_anything_is_asked(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine.md").write_text("old")
    brain = answering(monkeypatch, export=["x.md", b"new"])
    assert run(["export", "--output", str(tmp_path / "mine.md")]) == InTheWay.exit_code
    assert brain.asked == []
    assert capsys.readouterr().out == ""
    assert run(["export", "--output", str(tmp_path / "mine.md"), "--force"]) == 0
    assert (tmp_path / "mine.md").read_text() == "new"


def test_an_export_that_fails_leaves_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    answering(monkeypatch, export=["x.md", b"new", MemoryDamaged(id="00000001", why="x")])
    for words in ((), ("--output", "mine.md"), ("--format", "obsidian", "--output", "vault")):
        assert run(["export", *words]) == MemoryDamaged.exit_code
    assert list(tmp_path.iterdir()) == []


def test_stdout_is_the_export_and_nothing_else(monkeypatch, capfdbinary):
    answering(monkeypatch, export=["x.md", "größe ☕\n".encode()])
    assert run(["export", "--output", "-"]) == 0
    assert capfdbinary.readouterr() == ("größe ☕\n".encode(), b"")
    assert run(["export", "--output", "-", "--json"]) == 64


def test_without_a_store_there_is_nothing_to_export(tmp_path):
    ran = hippo("export", "--output", str(tmp_path / "mine.md"), folder=tmp_path / "none")
    assert ran.code == StoreMissing.exit_code
    assert list(tmp_path.iterdir()) == []


# -- import -------------------------------------------------------------------------------------------------------------


def test_an_import_counts_and_every_option_arrives(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.md").write_text("x")
    brain = answering(monkeypatch, import_=imported({"where": "a", "outcome": "stored"}, {"where": "b", "outcome": "skipped"}))
    assert run(["import", str(tmp_path / "a.md"), "--format", "markdown", "--dry-run", "--agent", "me"]) == 0
    assert capsys.readouterr() == ("markdown: 1 stored, 1 skipped of 2 memories\n", "")
    assert brain.asked == [("import", Source(tmp_path / "a.md", "markdown", True, "me"))]


def test_rows_that_failed_are_shown_and_are_the_exit_code(tmp_path, monkeypatch, capsys):
    failures = [{"where": f"line {number} \x1b[2J", "outcome": "failed", "why": "It is no\nJSON ☕."} for number in range(30)]
    answering(monkeypatch, import_=imported({"where": "line 99", "outcome": "stored"}, *failures))
    assert run(["import", str(tmp_path)]) == RowsFailed.exit_code == 65
    out, err = capsys.readouterr()
    assert out == "markdown: 1 stored, 30 failed of 31 memories\n"
    assert err.splitlines()[0] == "failed: line 0 \\x1b[2J: It is no\\nJSON ☕."
    assert err.splitlines()[20] == "… and 10 more; --json shows them."
    assert err.splitlines()[21].startswith("30 of 31 rows could not be imported. The others are there.")
    assert run(["import", str(tmp_path), "--json"]) == 65
    assert len(json.loads(capsys.readouterr().out)["failures"]) == 30


def test_what_ended_an_import_early_is_said_and_is_the_exit_code(tmp_path, monkeypatch, capsys):
    full = StoreUnwritable(folder="/x", why="No space left on device")
    answering(monkeypatch, import_=imported({"where": "a", "outcome": "stored"}, stopped=full.as_dict()["error"]))
    assert run(["import", str(tmp_path)]) == StoreUnwritable.exit_code
    assert capsys.readouterr() == ("markdown: 1 stored of 1 memories\n", f"{full.message} {full.advice}\n")


def test_an_import_of_nothing_is_no_error(tmp_path, monkeypatch, capsys):
    answering(monkeypatch, import_=imported())
    assert run(["import", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "markdown: nothing\n"


def test_what_is_not_there_makes_no_store(tmp_path):
    ran = hippo("import", str(tmp_path / "no\x1b[2J.md"), folder=tmp_path / "none")
    assert (ran.code, ran.out) == (66, "")
    assert ran.err.startswith("error: ")
    assert "\x1b" not in ran.err
    assert hippo("import", str(tmp_path), "--format", "yaml", folder=tmp_path / "none").code == 64
    assert not (tmp_path / "none").exists()


# -- in this process ----------------------------------------------------------------------------------------------------


class Service:
    """The two verbs, as the service has them."""

    def __init__(self) -> None:
        self.imported: list[Any] = []

    async def export_file(self, format: str, agent_id: str | None) -> tuple[str, str, AsyncIterator[bytes]]:
        async def pieces() -> AsyncIterator[bytes]:
            yield f"{format} of ".encode()
            yield str(agent_id).encode()

        return f"hippo-{agent_id}.md", "text/markdown", pieces()

    async def import_path(self, path: Path, format: str | None, dry_run: bool, agent_id: str | None,
                          progress: Any) -> ImportResult:
        self.imported.append((path, format, dry_run, agent_id))
        progress(2)
        progress(3)
        return Tally().result("markdown", dry_run=dry_run, stopped=None)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    """What every store that is opened has."""
    service = Service()

    @asynccontextmanager
    async def awake(*given: object) -> AsyncIterator[Service]:
        yield service

    monkeypatch.setattr("hippo.daemon.awake", awake)
    return service


def test_a_folder_s_brain_asks_its_service(service, tmp_path):
    brain, taken = FolderBrain(Settings(dir=tmp_path)), bytearray()
    assert brain.export(Export(format="wire", agent_id="a"), taken.extend) == "hippo-a.md"
    assert taken == b"wire of a"
    pace = Pace()
    answer = brain.import_from(Source(tmp_path, None, True, "a"), pace)
    assert (answer["rows"], answer["outcomes"]["failed"], answer["dry_run"]) == (0, 0, True)
    assert service.imported == [(tmp_path, None, True, "a")]
    assert pace.line() == "importing, 5 rows, 0 s"


# -- through a daemon ---------------------------------------------------------------------------------------------------


class Daemon(ThreadingHTTPServer):
    """Answers the two routes, and keeps what it was sent."""

    daemon_threads = True
    refuses: BodyTooLarge | None = None
    breaks_off = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Page)
        self.got: list[tuple[str, dict[str, list[str]], str, bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Daemon

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.got.append((parts.path, parse_qs(parts.query), "", b""))
        if self.server.refuses is not None:
            self._answer(self.server.refuses.http_status, self.server.refuses.as_dict())
            return
        self.send_response(200)
        self.send_header("Content-Disposition", "attachment; filename=\"gr__e.md\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.md")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (b"one ", b"two", *(() if self.server.breaks_off else (b"",))):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.close_connection = self.server.breaks_off

    def do_POST(self) -> None:
        parts = urlsplit(self.path)
        if self.server.refuses is not None:  # before it has read any of it, as a daemon may
            self._answer(self.server.refuses.http_status, self.server.refuses.as_dict())
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((parts.path, parse_qs(parts.query), self.headers["Content-Disposition"], body))
        self._answer(200, imported())

    def _answer(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def routes() -> Iterator[Daemon]:
    """A daemon that has nothing but the two routes."""
    with Daemon() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_daemon_s_export_is_streamed_and_named_by_it(routes):
    taken = bytearray()
    assert DaemonBrain(routes.url).export(Export(format="json", agent_id="ä"), taken.extend) == "größe.md"
    assert taken == b"one two"
    assert routes.got == [("/api/export", {"format": ["json"], "agent_id": ["ä"]}, "", b"")]


def test_a_daemon_s_error_is_the_same_error_here(routes, tmp_path):
    routes.refuses = BodyTooLarge(limit=7)
    with pytest.raises(BodyTooLarge, match="larger than 7 bytes"):
        DaemonBrain(routes.url).export(Export(), bytearray().extend)
    path = tmp_path / "large.json"
    path.write_bytes(b" " * 30_000_000)
    with pytest.raises(BodyTooLarge, match="larger than 7 bytes"):
        DaemonBrain(routes.url).import_from(Source(path, None, False, None), Pace())


def test_an_export_that_breaks_off_is_an_error_and_leaves_no_file(routes, tmp_path):
    routes.breaks_off = True
    with pytest.raises(DaemonUnreachable, match="broke off"):
        DaemonBrain(routes.url).export(Export(), bytearray().extend)
    assert run(["export", "--url", routes.url, "--dir", str(tmp_path), "--output", str(tmp_path / "x.md")]) == 69
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_sent_with_its_name_and_a_folder_as_an_archive(routes, tmp_path, monkeypatch):
    (tmp_path / "größe.md").write_text("☕" * 50_000)
    pace = Pace()
    answer = DaemonBrain(routes.url).import_from(Source(tmp_path / "größe.md", "markdown", True, "me"), pace)
    assert answer["outcomes"]["failed"] == 0
    path, query, _, body = routes.got[-1]
    assert (path, query) == ("/api/import", {"format": ["markdown"], "dry_run": ["true"], "agent_id": ["me"], "name": ["größe.md"]})
    assert body == ("☕" * 50_000).encode()
    assert pace.line() == "importing, 0 s"
    DaemonBrain(routes.url).import_from(Source(tmp_path, None, False, None), pace)
    path, query, _, body = routes.got[-1]
    assert (query, body[:4]) == ({"dry_run": ["false"], "name": [f"{tmp_path.name}.zip"]}, b"PK\x03\x04")


def test_links_in_a_folder_are_said_to_stay(routes, tmp_path, capsys):
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "b.md").symlink_to("a.md")
    assert run(["import", str(tmp_path), "--url", routes.url, "--dir", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().err == "1 symbolic link is not followed.\n"


# -- with a daemon and without one, as people run it -----------------------------------------------------------------------

FIXTURES = Path(__file__).parents[1] / "interfaces" / "imports" / "fixtures"
SOURCES = {"basic-memory": "basic-memory", "chatgpt": "chatgpt", "claude": "claude", "mcp-memory.jsonl": "mcp-memory",
           "sqlite_vec.db": "mcp-memory-service", "notes": "markdown"}
Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What is imported, by its name."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "sqlite_vec.db").write_bytes(gzip.decompress((FIXTURES / "mcp-memory-service.db.gz").read_bytes()))
    (folder / "notes" / "below").mkdir(parents=True)
    (folder / "notes" / "Größe ☕.md").write_text("# Measures\n\nThe boat is nine metres long.\n\n- It is red.\n")
    (folder / "notes" / "below" / "README.md").write_text("It lies in Split, see [[Größe ☕]].\n")
    return {name: folder / name if (folder / name).exists() else FIXTURES / name for name in SOURCES}


@pytest.fixture(scope="module", params=["alone", "beside a daemon"])
def run_at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs commands on a store of their own, which no daemon owns, or one does."""
    folder = tmp_path_factory.mktemp("store") / "store"

    def run_here(*words: str, **more: Any) -> Ran:
        ran = hippo(*words, folder=folder, **more)
        assert "Traceback" not in ran.err
        return ran

    if request.param == "alone":
        yield run_here
    else:
        with daemon(folder):
            yield run_here


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What was answered for each source the first time, wherever that was."""
    return {}


@pytest.mark.parametrize("name", SOURCES)
def test_each_format_is_taken_over_once(run_at, sources, told, name):
    words = ("import", str(sources[name]), "--agent", name)
    dry = run_at(*words, "--dry-run", "--json").json
    assert (dry["dry_run"], dry["format"], dry["outcomes"]["stored"]) == (True, SOURCES[name], 0)
    assert dry["outcomes"]["planned"] > 0
    assert run_at("memories", "--agent", name, "--json").json.get("memories", []) == []  # nor is there a store
    first = run_at(*words, "--json")
    assert first.code == (RowsFailed.exit_code if first.json["outcomes"]["failed"] else 0), first.err
    assert {row["where"] for row in first.json["results"] if row["outcome"] in ("stored", "strengthened", "superseded")} \
        <= {row["where"] for row in dry["results"]}
    # Row by row the same with a daemon and without one, but for the ids.
    plain = {**first.json, "results": [{**row, "id": None} for row in first.json["results"]]}
    assert told.setdefault(name, plain) == plain
    again = run_at(*words, "--json").json
    assert again["outcomes"]["stored"] == again["outcomes"]["superseded"] == 0
    said = run_at(*words)
    assert said.out.startswith(f"{SOURCES[name]}: ")
    assert said.code == first.code


def test_what_was_taken_over_is_recalled(run_at, sources):
    run_at("import", str(sources["notes"]), "--agent", "notes")
    found = run_at("recall", "how long is the boat?", "--agent", "notes", "--json").json["results"]
    assert found[0]["text"] == "The boat is nine metres long."
    assert found[0]["entity"] == "Größe ☕"


def test_rows_that_cannot_be_read_keep_no_other_back_and_are_the_exit_code(run_at, tmp_path):
    (tmp_path / "memory.jsonl").write_text(
        '{"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Keeps bees."]}\n{"type": "ent\n')
    ran = run_at("import", str(tmp_path / "memory.jsonl"), "--agent", "broken")
    assert (ran.code, ran.out) == (RowsFailed.exit_code, "mcp-memory: 1 stored, 1 failed of 1 memories\n")
    assert ran.err.startswith("failed: line 2: ")
    assert run_at("import", str(tmp_path / "memory.jsonl"), "--format", "claude", "--agent", "broken").code != 0


def test_what_is_no_source_at_all_is_an_error_with_its_exit_code(run_at, tmp_path):
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    unknown = run_at("import", str(tmp_path / "image.png"), "--json")
    assert (unknown.code, unknown.json["error"]["code"]) == (UnknownFormat.exit_code, "unknown_format")
    (tmp_path / "folder").mkdir()
    assert run_at("import", str(tmp_path / "folder")).code == UnknownFormat.exit_code
    (tmp_path / "old.json").write_text('{"format": "hippo", "version": 99}')
    assert run_at("import", str(tmp_path / "old.json")).code == ExportTooNew.exit_code


@pytest.mark.parametrize("form", ["claude-md", "markdown", "json", "wire", "obsidian"])
def test_every_format_is_written(run_at, sources, tmp_path, form):
    run_at("import", str(sources["mcp-memory.jsonl"]), "--agent", "exported")
    ran = run_at("export", "--format", form, "--agent", "exported", "--output", str(tmp_path), "--json")
    assert ran.code == 0, ran.err
    place = Path(ran.json["file"])
    assert place.parent == tmp_path or place == tmp_path
    assert ran.json["bytes"] > 0


def test_an_export_wiped_and_imported_is_the_same_export(run_at, sources, tmp_path):
    run_at("import", str(sources["chatgpt"]), "--agent", "kept")
    run_at("import", str(sources["mcp-memory.jsonl"]), "--agent", "kept")
    run_at("block", "persona", "--append", "calm", "--agent", "kept")
    for name in ("one", "other"):
        words = ("export", "--format", "json", "--agent", "kept", "--output", str(tmp_path / f"{name}.json"))
        if name == "one":
            assert run_at(*words).code == 0
            continue
        folder = tmp_path / "new"
        assert hippo("import", str(tmp_path / "one.json"), folder=folder).code == 0
        assert hippo(*words, folder=folder).code == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()
