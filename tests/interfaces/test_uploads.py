"""POST /api/import: a body of any size becomes a file, and goes again, whatever happens."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import trio

from hippo import limits
from hippo.errors import NoRoom, SourceUnreadable
from hippo.interfaces.imports.results import Tally
from hippo.interfaces.uploads import plain_name, unfolded
from hippo.model.imported import ImportResult
from tests.interfaces.serving import client, hippo_at, served

FIXTURES = Path(__file__).parent / "imports" / "fixtures"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files lie; nothing is left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


class Taking:
    """A service that notes what it is given to import."""

    def __init__(self) -> None:
        self.got: list[tuple[str, bytes, str | None, bool, str | None]] = []
        self.begun, self.go = trio.Event(), trio.Event()
        self.go.set()
        self.ended = ""

    async def import_path(self, path: Path, format: str | None, dry_run: bool, agent_id: str | None) -> ImportResult:
        self.got.append((path.name, path.read_bytes(), format, dry_run, agent_id))
        self.begun.set()
        try:
            await self.go.wait()
        except trio.Cancelled:
            self.ended = "cancelled"
            raise
        self.ended = "done"
        return Tally().result("markdown", dry_run=dry_run, stopped=None)


@asynccontextmanager
async def taking() -> AsyncIterator[tuple[Taking, httpx.AsyncClient]]:
    service = Taking()
    async with served(service) as url, client(url) as http:
        yield service, http


async def pieces(count: int, size: int = 65_536) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield bytes(size)


async def test_a_body_arrives_as_a_file_with_its_arguments() -> None:
    async with taking() as (service, http):
        reply = await http.post("/api/import", content="é".encode(), params={
            "format": "markdown", "dryRun": "yes", "agent_id": "a", "name": "Über uns.md"})
        assert reply.status_code == 200
        assert reply.json() == {
            "format": "markdown", "dry_run": True, "rows": 0, "outcomes": dict.fromkeys((
                "stored", "strengthened", "superseded", "skipped", "failed", "planned"), 0),
            "kinds": {"memories": 0, "messages": 0, "relations": 0, "blocks": 0}, "results": [], "failures": [],
            "stopped": None, "alert": None}
        assert service.got == [("Über uns.md", "é".encode(), "markdown", True, "a")]


@pytest.mark.parametrize("chunked", [True, False])
async def test_a_body_may_be_larger_than_that_of_any_other_route(chunked: bool) -> None:
    async with taking() as (service, http):
        reply = await http.post("/api/import", content=pieces(48) if chunked else bytes(48 * 65_536))
        assert reply.status_code == 200
        assert [len(got[1]) for got in service.got] == [48 * 65_536]


@pytest.mark.parametrize("chunked", [True, False])
async def test_it_is_measured_by_its_bytes_and_a_client_that_still_sends_lives_to_read_so(
    chunked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "import_bytes_max", 2_000_000)
    async with taking() as (service, http):
        reply = await http.post("/api/import", content=pieces(160) if chunked else bytes(160 * 65_536))
        assert reply.status_code == 413
        assert reply.json()["error"] == {"code": "body_too_large", "message": "The body is larger than 2000000 bytes.",
                                         "hint": "Send it in several requests."}
        assert service.got == []
        assert (await http.post("/api/import", content=bytes(2_000_000))).status_code == 200


@pytest.mark.parametrize("query", ["?format=yaml", "?nmae=a.md", "?name=a&name=b"])
async def test_what_is_wrong_in_the_query_is_said_to_a_client_that_still_sends(query: str) -> None:
    async with taking() as (service, http):
        reply = await http.post(f"/api/import{query}", content=pieces(200))
        assert reply.status_code == 400
        assert reply.json()["error"]["code"] in ("invalid_argument", "unknown_argument")
        assert reply.headers.get("connection") is None  # it was read to its end
        assert service.got == []


@pytest.mark.parametrize("path", ["/api/import?format=yaml", "/api/import", "/api/recall", "/nowhere"])
async def test_a_body_without_end_is_refused_and_cut_off(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "body_drain_bytes_max", 3_000_000)

    async def take(*given: object) -> bool:
        await trio.sleep(0.2)  # until everything between the client and the app is full
        monkeypatch.setattr(limits, "body_drain_bytes_max", 0)
        raise NoRoom(why="the disk is full")

    monkeypatch.setattr("hippo.interfaces.uploads._take", take)

    async def send_on(stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            while True:
                await stream.send_all(b"10000\r\n" + bytes(65_536) + b"\r\n")

    async with taking() as (_, http):
        where = urlsplit(str(http.base_url))
        stream = await trio.open_tcp_stream(where.hostname or "", where.port or 0)
        async with stream, trio.open_nursery() as nursery:
            await stream.send_all(f"POST {path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n".encode())
            nursery.start_soon(send_on, stream)
            with trio.fail_after(20):
                heard = await stream.receive_some(65_536)
                assert b"connection: close" in heard.lower()
                with suppress(trio.BrokenResourceError):
                    while await stream.receive_some(65_536):
                        pass
            nursery.cancel_scope.cancel()
        with trio.fail_after(20):
            assert (await http.get("/")).status_code == 200


@pytest.mark.parametrize("framing", ["content-length: 100000", "transfer-encoding: chunked"])
@pytest.mark.parametrize("abrupt", [True, False])
async def test_a_client_that_goes_before_the_end_leaves_nothing(framing: str, abrupt: bool, temporary: Path) -> None:
    async with taking() as (service, http):
        where = urlsplit(str(http.base_url))
        stream = await trio.open_tcp_stream(where.hostname or "", where.port or 0)
        await stream.send_all(f"POST /api/import HTTP/1.1\r\nhost: localhost\r\n{framing}\r\n\r\n".encode())
        await stream.send_all(b"5\r\nhello\r\n")
        with trio.fail_after(5):
            while not [*temporary.glob("hippo-*/*/*")]:
                await trio.sleep(0.01)
        if abrupt:
            await stream.aclose()
        else:
            await stream.send_eof()
        with trio.fail_after(5):
            while [*temporary.iterdir()]:
                await trio.sleep(0.01)
        await stream.aclose()
        assert service.got == []


async def test_a_client_that_stops_sending_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_stall_seconds", 0.05)
    monkeypatch.setattr(limits, "send_stall_seconds", 0.05)

    async def stalling() -> AsyncIterator[bytes]:
        yield b"hello"
        await trio.sleep_forever()

    async with taking() as (service, http):
        where = urlsplit(str(http.base_url))
        stream = await trio.open_tcp_stream(where.hostname or "", where.port or 0)
        async with stream:
            await stream.send_all(b"POST /api/import HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhello")
            with trio.fail_after(5):
                heard = await stream.receive_some(65_536)
            assert b"408" in heard
            assert b"body_stalled" in heard
        assert service.got == []


async def test_a_client_that_goes_while_it_is_imported_ends_that() -> None:
    async with taking() as (service, http):
        service.go = trio.Event()
        with pytest.raises(httpx.ReadTimeout):
            await http.post("/api/import", content=b"x", timeout=httpx.Timeout(5, read=0.3))
        with trio.fail_after(5):
            while service.ended != "cancelled":
                await trio.sleep(0.01)


async def test_a_daemon_that_ends_meanwhile_leaves_nothing() -> None:
    service = Taking()
    service.go = trio.Event()
    async with trio.open_nursery() as nursery, served(service) as url:
        async def ask() -> None:
            async with client(url) as http:
                with suppress(httpx.HTTPError):
                    await http.post("/api/import", content=b"x")

        nursery.start_soon(ask)
        await service.begun.wait()
    assert service.ended == "cancelled"


async def test_imports_beyond_a_few_wait_unread(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> None:
    monkeypatch.setattr(limits, "imports_at_once", 1)
    async with taking() as (service, http):
        service.go = trio.Event()
        statuses: list[int] = []

        async def ask() -> None:
            statuses.append((await http.post("/api/import", content=b"x")).status_code)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            await service.begun.wait()
            nursery.start_soon(ask)
            await trio.sleep(0.1)
            assert len(service.got) == 1
            assert len(list(temporary.iterdir())) == 1
            service.go.set()
        assert statuses == [200, 200]


async def test_a_disk_without_room_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with taking() as (_, http):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
        reply = await http.post("/api/import", content=pieces(100))
        assert (reply.status_code, reply.json()["error"]["code"]) == (507, "no_room")
        assert "TMPDIR" in reply.json()["error"]["hint"]
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
async def test_only_its_owner_may_read_what_was_sent(temporary: Path) -> None:
    async with taking() as (service, http):
        service.go = trio.Event()
        async with trio.open_nursery() as nursery:
            async def ask() -> None:
                await http.post("/api/import", content=b"x")

            nursery.start_soon(ask)
            await service.begun.wait()
            assert [folder.stat().st_mode & 0o077 for folder in temporary.iterdir()] == [0]
            service.go.set()


@pytest.mark.parametrize(("given", "name"), [
    (None, "upload"), ("", "upload"), ("..", "upload"), ("a/..", "upload"), ("../../etc/passwd", "passwd"), ("/abs/a.md", "a.md"),
    ("C:\\notes\\Boat.md", "Boat.md"), ("..hidden.md", "hidden.md"), ("a\x00b\n\x1b.md", "ab.md"), ("Größe ☕ 👩‍👩‍👧.md", "Größe ☕ 👩‍👩‍👧.md"),
    ("What is this?.md", "What is this?.md"), ("ß" * 300 + ".md", "ß" * 126 + ".md"), ("a." + "b" * 300, "upload"),
    ("half \ud83d.md", "half \ufffd.md"), ("   ", "upload")])
def test_a_name_is_never_a_path(given: str | None, name: str) -> None:
    assert plain_name(given) == name


# -- what is in it ------------------------------------------------------------------------------------------------------


def archive(folder: Path) -> bytes:
    """A folder as a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                into.write(path, path.relative_to(folder).as_posix())
    return packed.getvalue()


def zipped(files: dict[Any, Any]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in files.items():
            into.writestr(name, content)
    return packed.getvalue()


async def test_a_note_is_called_by_its_file_s_name_and_recalled(tmp_path: Path) -> None:
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        told = (await http.post("/api/import?name=Boat.md", content=b"The boat is red.\n\nIt lies in Split.")).json()
        assert (told["format"], told["outcomes"]["stored"], told["failures"]) == ("markdown", 2, [])
        assert [row["where"] for row in told["results"]] == ["Boat.md, line 1", "Boat.md, line 3"]
        found = (await http.post("/api/recall", json={"cue": "which colour is the boat?"})).json()["results"]
        assert {(row["id"], row["entity"]) for row in found} == {(row["id"], "Boat") for row in told["results"]}


@pytest.mark.parametrize(("name", "form"), [("basic-memory", "basic-memory"), ("chatgpt", "chatgpt"), ("claude", "claude")])
async def test_a_folder_may_come_as_an_archive(tmp_path: Path, name: str, form: str) -> None:
    """The same rows, of the same names and times, as where it is read in place."""
    async with hippo_at(tmp_path / "one") as (url, _), client(url) as http:
        sent = (await http.post(f"/api/import?name={name}.zip", content=archive(FIXTURES / name))).json()
    async with hippo_at(tmp_path / "other") as (_, service):
        read = await service.import_path(FIXTURES / name, None, False, None)
    assert sent["format"] == read.format == form
    assert (sent["outcomes"], sent["kinds"]) == (read.outcomes, read.kinds)
    assert [row["where"] for row in sent["results"]] == [row.where for row in read.results]


async def test_a_vault_that_was_exported_is_read_again_as_notes(tmp_path: Path) -> None:
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        await http.post("/api/remember", json={"text": "The boat is nine metres long.", "entity": "Boat"})
        vault = (await http.get("/api/export?format=obsidian")).content
        told = (await http.post("/api/import?agent_id=b&name=vault.zip", content=vault)).json()
        assert told["failures"] == []
        listed = (await http.get("/api/memories?agent_id=b&entity=Boat")).json()["memories"]
        assert any("nine metres" in row["text"] for row in listed)


async def test_a_note_in_an_archive_was_written_when_its_file_was(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as into:
        into.writestr(zipfile.ZipInfo("vault/Boat.md", (2021, 5, 3, 10, 0, 0)), "The boat is red.")
        into.writestr(zipfile.ZipInfo("vault/Car.md", (1980, 0, 0, 0, 0, 0)), "The car is blue.")
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        told = (await http.post("/api/import?name=vault.zip", content=packed.getvalue())).json()
        assert told["outcomes"]["stored"] == 2
        listed = (await http.get("/api/memories?entity=Boat")).json()["memories"]
        assert [row["created_at"] for row in listed] == ["2021-05-03T10:00:00.000Z"]


async def test_a_database_may_come_in_an_archive(tmp_path: Path) -> None:
    import gzip

    database = gzip.decompress((FIXTURES / "mcp-memory-service.db.gz").read_bytes())
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        told = (await http.post("/api/import", content=zipped({"sqlite_vec.db": database}))).json()
        assert told["format"] == "mcp-memory-service"
        assert told["outcomes"]["stored"] > 0
        again = (await http.post("/api/import?name=x.db", content=database)).json()
        assert again["outcomes"]["stored"] == 0


async def test_of_an_archive_only_notes_are_unpacked_and_no_links(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = 0o120777 << 16
    packed = zipped({"a.md": "One.", "b/c.txt": "Two.", "b/": "", "image.png": "x", "../out.png": "x", ".hidden/d.md": "Three.",
                     "__MACOSX/._a.md": "\x00", link: "/etc/passwd"})
    (tmp_path / "notes.zip").write_bytes(packed)
    async with unfolded(tmp_path / "notes.zip", None) as (folder, form):
        assert form == "markdown"
        assert folder.name == "notes"
        assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
            ".hidden/d.md", "__MACOSX/._a.md", "a.md", "b/c.txt"]


@pytest.mark.parametrize("name", ["../out.md", "/abs.md", "a//b.md", "a/../../b.md", "./a.md", "...md/../a.md"])
async def test_a_name_that_leads_out_of_the_folder_refuses_the_archive(tmp_path: Path, name: str) -> None:
    (tmp_path / "bad.zip").write_bytes(zipped({"good.md": "x", name: "x"}))
    with pytest.raises(SourceUnreadable, match="is no file below a folder"):
        async with unfolded(tmp_path / "bad.zip", "markdown"):
            pass
    assert not (tmp_path / "out.md").exists()


async def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_bytes_max", 1_000_000)
    (tmp_path / "bomb.zip").write_bytes(zipped({"a.md": "x" * 900_000, "b.md": "y" * 900_000}))
    with pytest.raises(SourceUnreadable, match="unpacks to more than 1000000 bytes"):
        async with unfolded(tmp_path / "bomb.zip", None):
            pass


@pytest.mark.parametrize("damage", [b"PK\x03\x04", b"PK\x03\x04" + bytes(100), "crc"])
async def test_a_damaged_archive_is_an_error_of_ours(tmp_path: Path, damage: Any) -> None:
    content = zipped({"a.md": "x" * 10_000}) if damage == "crc" else damage
    if damage == "crc":
        content = content[:40] + bytes([content[40] ^ 255]) + content[41:]
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        for form in ("", "&format=markdown"):
            reply = await http.post(f"/api/import?name=a.zip{form}", content=content)
            assert (reply.status_code, reply.json()["error"]["code"]) == (422, "source_unreadable")


@pytest.mark.parametrize(("content", "code"), [(b"", "unknown_format"), (b"nonsense", "unknown_format"),
                                               (b'{"format": "hippo", "version": 1', "not_an_export")])
async def test_what_cannot_be_imported_is_an_error_that_says_so(tmp_path: Path, content: bytes, code: str) -> None:
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        reply = await http.post("/api/import", content=content)
        assert reply.json()["error"]["code"] == code
        assert reply.status_code in (400, 422)


async def test_rows_that_fail_keep_no_other_back_and_a_dry_run_stores_nothing(tmp_path: Path) -> None:
    lines = [json.dumps({"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Keeps bees."]}),
             "not json", json.dumps({"type": "relation", "from": "Anna", "to": "Ben", "relationType": "knows"})]
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        dry = (await http.post("/api/import?dry_run=1", content="\n".join(lines))).json()
        assert (dry["outcomes"]["planned"], dry["outcomes"]["failed"], dry["dry_run"]) == (2, 1, True)
        assert (await http.get("/api/memories")).json()["memories"] == []
        told = (await http.post("/api/import", content="\n".join(lines))).json()
        assert (told["outcomes"]["stored"], told["kinds"]) == (2, {"memories": 1, "messages": 0, "relations": 1, "blocks": 0})
        assert [row["where"] for row in told["failures"]] == ["line 2"]


async def test_an_import_is_the_asked_agent_s_alone(tmp_path: Path) -> None:
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        for name in ("chatgpt", "claude", "basic-memory"):
            assert (await http.post("/api/import?agent_id=b", content=archive(FIXTURES / name))).status_code == 200
        agents = (await http.get("/api/agents")).json()["agents"]
        assert [row["agent_id"] for row in agents] == ["b"]
        assert (await http.get("/api/conversation")).json()["messages"] == []
        assert (await http.get("/api/conversation?agent_id=b")).json()["messages"] != []


async def test_the_same_import_again_changes_nothing_not_even_messages_without_a_moment(tmp_path: Path) -> None:
    conversations = json.loads((FIXTURES / "chatgpt" / "conversations-000.json").read_text("utf-8"))
    for conversation in conversations:
        for node in conversation["mapping"].values():
            if node.get("message"):
                node["message"]["create_time"] = None
    async with hippo_at(tmp_path / "store") as (url, _), client(url) as http:
        body = json.dumps(conversations)
        first = (await http.post("/api/import", content=body)).json()
        assert first["kinds"]["messages"] > 3
        again = (await http.post("/api/import", content=body)).json()
        assert (again["outcomes"]["stored"], again["outcomes"]["failed"]) == (0, first["outcomes"]["failed"])


