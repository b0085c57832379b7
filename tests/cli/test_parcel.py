"""What a daemon that imports is sent."""

from __future__ import annotations

import io
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from hippo import limits
from hippo.cli.parcel import packed
from hippo.errors import SourceUnreadable


def taken(source: Path) -> tuple[str, bytes, int]:
    """The name of a parcel, its bytes, and how many links stayed behind."""
    with packed(source) as parcel:
        pieces = list(parcel.pieces)
    assert all(0 < len(piece) <= limits.send_piece_bytes for piece in pieces)
    raw = b"".join(pieces)
    assert len(raw) == parcel.size
    return parcel.name, raw, parcel.links


def test_a_file_goes_as_it_is(tmp_path):
    raw = os.urandom(limits.send_piece_bytes + 5)
    (tmp_path / "größe ☕.jsonl").write_bytes(raw)
    assert taken(tmp_path / "größe ☕.jsonl") == ("größe ☕.jsonl", raw, 0)
    (tmp_path / "empty.md").touch()
    assert taken(tmp_path / "empty.md") == ("empty.md", b"", 0)


def test_a_folder_goes_as_an_archive_of_what_can_be_imported(tmp_path):
    vault = tmp_path / "vault"
    for name in ("b.md", "a.MARKDOWN", "below/deep/c.txt", "conversations.json", "memory.jsonl", "sqlite_vec.db",
                 "picture.png", ".hidden.md", ".obsidian/app.json", "below/.git/x.md"):
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(f"of {name}")
    (vault / "link.md").symlink_to("b.md")
    (vault / "loop").symlink_to(vault)
    (vault / ".hidden-link").symlink_to(vault)
    os.mkfifo(vault / "pipe.md")
    name, raw, links = taken(vault)
    with ZipFile(io.BytesIO(raw)) as archive:
        held = {entry: archive.read(entry).decode() for entry in archive.namelist()}
    assert (name, links) == ("vault.zip", 2)
    assert held == {entry: f"of {entry}" for entry in (
        "a.MARKDOWN", "b.md", "conversations.json", "memory.jsonl", "sqlite_vec.db", "below/deep/c.txt")}


def test_an_archive_keeps_when_a_note_was_written_in_utc(tmp_path):
    for name, seconds in (("a.md", 1_767_323_046), ("old.md", 0)):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (seconds, seconds))
    _, raw, _ = taken(tmp_path)
    with ZipFile(io.BytesIO(raw)) as archive:
        assert archive.getinfo("a.md").date_time == (2026, 1, 2, 3, 4, 6)
        assert archive.getinfo("old.md").date_time[0] == 1980


def test_a_folder_is_named_after_itself_however_it_is_written(tmp_path, monkeypatch):
    (tmp_path / "vault").mkdir()
    monkeypatch.chdir(tmp_path / "vault")
    for path in (".", "../vault/", str(tmp_path / "vault")):
        assert taken(Path(path))[0] == "vault.zip"


def test_what_waits_in_the_log_of_a_database_goes_with_it(tmp_path):
    path = tmp_path / "sqlite_vec.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE memories (content TEXT)")
        database.execute("INSERT INTO memories VALUES ('waits')")
        database.commit()
        assert Path(f"{path}-wal").stat().st_size
        raws = [taken(path)[1]]
        with ZipFile(io.BytesIO(taken(tmp_path)[1])) as archive:
            raws.append(archive.read("sqlite_vec.db"))
    for number, raw in enumerate(raws):
        copy = tmp_path / f"copy{number}.sqlite"
        copy.write_bytes(raw)
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            assert database.execute("SELECT content FROM memories").fetchall() == [("waits",)]


def test_what_cannot_be_read_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("none", "pipe"):
        with pytest.raises(SourceUnreadable, match=name):
            taken(tmp_path / name)


def test_a_file_that_becomes_shorter_on_its_way_is_no_parcel(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * (3 * limits.send_piece_bytes))
    with packed(path) as parcel:
        next(parcel.pieces)
        os.truncate(path, 10)
        with pytest.raises(SourceUnreadable, match="shorter"):
            list(parcel.pieces)


def test_a_file_that_grows_on_its_way_is_sent_as_it_was(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * limits.send_piece_bytes)
    with packed(path) as parcel:
        with path.open("ab") as more:
            more.write(b"y" * 100)
        assert b"".join(parcel.pieces) == b"x" * limits.send_piece_bytes
