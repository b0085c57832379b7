"""What a source is, by what is in it."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from hippo.errors import InvalidArgument, SourceUnreadable, UnknownFormat
from hippo.interfaces.imports.detect import READERS, UNDERSTOOD, detect, read

FIXTURES = Path(__file__).parent / "fixtures"


def test_each_fixture_is_recognised(tmp_path: Path) -> None:
    assert detect(FIXTURES / "mcp-memory.jsonl") == "mcp-memory"
    assert detect(FIXTURES / "basic-memory") == "basic-memory"
    assert detect(FIXTURES / "basic-memory" / "coffee" / "Coffee Brewing Methods.md") == "basic-memory"
    assert detect(FIXTURES / "chatgpt") == "chatgpt"
    assert detect(FIXTURES / "claude") == "claude"
    assert detect(FIXTURES / "claude" / "memories.json") == "claude"
    assert detect(next((FIXTURES / "claude" / "projects").iterdir())) == "claude"
    (tmp_path / "sqlite_vec.db").write_bytes(gzip.decompress((FIXTURES / "mcp-memory-service.db.gz").read_bytes()))
    assert detect(tmp_path / "sqlite_vec.db") == "mcp-memory-service"
    assert detect(tmp_path) == "mcp-memory-service"


def test_the_name_of_a_file_says_nothing(tmp_path: Path) -> None:
    for fixture, form in (("mcp-memory.jsonl", "mcp-memory"), ("chatgpt/conversations-000.json", "chatgpt"),
                          ("claude/conversations.json", "claude")):
        shutil.copy(FIXTURES / fixture, tmp_path / "upload")
        assert detect(tmp_path / "upload") == form


def test_archives_are_recognised_by_their_files(tmp_path: Path) -> None:
    for name in ("chatgpt", "claude"):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            for path in sorted((FIXTURES / name).rglob("*.json")):
                archive.write(path, f"export/{path.relative_to(FIXTURES / name).as_posix()}")
        assert detect(tmp_path / "a.zip") == name
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("memories.json", (FIXTURES / "claude" / "memories.json").read_text("utf-8"))
    assert detect(tmp_path / "b.zip") == "claude"


@pytest.mark.parametrize("raw", [b'{"format":"hippo","version":1', b'\xef\xbb\xbf {\n "format" : "hippo"}'])
def test_its_own_export_is_recognised_by_its_first_field(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(raw)
    assert detect(tmp_path / "a") == "hippo"


def test_notes_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("---\ntags: [x]\npermalink: a\n---\n- [ ] task\n- [[b]]", "utf-8")
    assert detect(tmp_path / "vault") == "markdown"
    assert detect(tmp_path / "vault" / "a.md") == "markdown"
    (tmp_path / "vault" / "b.md").write_text("---\ntype: note\n---\n- [fact] observed\n", "utf-8")
    assert detect(tmp_path / "vault") == "basic-memory"


def test_the_first_objects_may_be_damaged(tmp_path: Path) -> None:
    conversations = (FIXTURES / "chatgpt" / "conversations-000.json").read_text("utf-8")
    (tmp_path / "a.json").write_text("[{oops}, 7, " + conversations[1:], "utf-8")
    assert detect(tmp_path / "a.json") == "chatgpt"


@pytest.mark.parametrize(("name", "raw", "why"), [
    ("a.json", b"", "it is empty"),
    ("a.json", b" \n ", "it is empty"),
    ("a.json", b"[]", "none of its first objects is one that is known"),
    ("a.json", b'[{"a": 1}]', "none of its first objects is one that is known"),
    ("a.json", b'{"type": "user"}\n{"type": 5}\n', "none of its first objects is one that is known"),
    ("a.json", '[{"mapping": {}}]'.encode("utf-16"), "it is UTF-16, where JSON is UTF-8"),
    ("a.pdf", b"%PDF-1.7\n\x00\xff", "none of its first objects is one that is known"),
    ("a.bin", bytes(5_000), "none of its first objects is one that is known"),
])
def test_what_is_unknown_is_refused_with_what_is_understood(name: str, raw: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(UnknownFormat) as refused:
        detect(tmp_path / name)
    assert refused.value.message == f"{name} is in no format that can be imported: {why}."
    assert all(words in refused.value.advice for words in UNDERSTOOD.values())


def test_folders_databases_and_archives_of_other_things_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnknownFormat, match="holds no notes and no export"):
        detect(tmp_path / "empty")
    with closing(sqlite3.connect(tmp_path / "other.db")) as database:
        database.execute("CREATE TABLE memories (a, b)")
    with pytest.raises(UnknownFormat, match="no table of memories"):
        detect(tmp_path / "other.db")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("conversations.json", "[]")
    with pytest.raises(UnknownFormat, match="holds no conversations"):
        detect(tmp_path / "other.zip")


def test_what_cannot_be_read_is_an_error_of_its_own(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "missing", tmp_path / "pipe"):
        with pytest.raises(SourceUnreadable):
            detect(path)


def test_a_source_is_read_as_what_it_is_or_as_one_says() -> None:
    assert len(list(read(FIXTURES / "mcp-memory.jsonl"))) == 9
    assert {row.where.partition(",")[0] for row in read(FIXTURES / "basic-memory" / "coffee", "markdown")} == {
        "Coffee Brewing Methods.md"}
    for form in ("hippo", "other"):
        with pytest.raises(InvalidArgument, match=", ".join(READERS)):
            read(FIXTURES, form)
    assert list(UNDERSTOOD) == ["hippo", *READERS]


def test_reading_a_source_twice_gives_the_same_rows_and_keys() -> None:
    for name in ("mcp-memory.jsonl", "basic-memory", "chatgpt", "claude"):
        first = list(read(FIXTURES / name))
        assert first == list(read(FIXTURES / name))
        assert len(first) > 5
