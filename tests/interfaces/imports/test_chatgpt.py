"""The data export of ChatGPT, in the shape that is documented for it."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hippo import limits
from hippo.interfaces.imports.chatgpt import read
from hippo.interfaces.imports.rows import BadRow, MemoryRow, MessageRow, Row, SkippedRow

FIXTURE = Path(__file__).parent / "fixtures" / "chatgpt"
TRAIN, LOST = "0a7c9d52-0000-4000-8000-000000000001", "0a7c9d52-0000-4000-8000-000000000002"


def exported() -> Any:
    return json.loads((FIXTURE / "conversations-000.json").read_text("utf-8"))


def written(tmp_path: Path, conversations: Any, name: str = "conversations.json") -> Path:
    (tmp_path / name).write_text(json.dumps(conversations), "utf-8")
    return tmp_path / name


def said(rows: list[Row]) -> list[tuple[str, str]]:
    return [(row.role, row.text) for row in rows if isinstance(row, MessageRow)]


def test_the_branch_that_is_shown_is_logged() -> None:
    rows = list(read(FIXTURE))
    assert said(rows) == [
        ("user", "When does the night train to 東京 leave? 🚆"),
        ("assistant", "At 21:50, from \"platform 9\"."),
        ("user", "What is on this ticket?\nAnd read it aloud."),
        ("assistant", "A seat by the window."),
        ("user", "No way back leads here."),
        ("assistant", "Still it was said.")]
    messages = [row for row in rows if isinstance(row, MessageRow)]
    assert [row.conversation for row in messages] == [TRAIN] * 4 + [LOST] * 2
    assert messages[0].where == "conversation 1 “Night train”, message 2"
    assert messages[0].created_at == 1772359200250
    assert [row.created_at for row in messages[4:]] == [1767225600000, None]


def test_what_the_assistant_was_asked_to_remember_is_a_memory() -> None:
    memories = [row.remember for row in read(FIXTURE) if isinstance(row, MemoryRow)]
    assert [(memory.text, memory.kind, memory.created_at) for memory in memories] == [
        ("Prefers the window seat on night trains.", "fact", 1772359264250)]


def test_thoughts_and_tools_are_skipped_with_the_reason() -> None:
    assert [row.why for row in read(FIXTURE) if isinstance(row, SkippedRow)] == [
        "It is no speech, but thoughts.", "It is to a tool.",
        "It is from tool, neither from the person nor from the assistant.",
        "It is from tool, neither from the person nor from the assistant."]


def test_an_archive_a_folder_and_a_file_give_the_same(tmp_path: Path) -> None:
    folder = list(read(FIXTURE))
    assert list(read(FIXTURE / "conversations-000.json")) == folder
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(FIXTURE / "conversations-000.json", "conversations-000.json")
        archive.writestr("user.json", "{}")
    assert list(read(tmp_path / "export.zip")) == folder
    shutil.copy(FIXTURE / "conversations-000.json", tmp_path / "renamed.json")
    assert list(read(tmp_path / "renamed.json")) == folder


def test_several_files_are_read_in_their_order(tmp_path: Path) -> None:
    train, lost = exported()
    written(tmp_path, [lost], "conversations-001.json")
    written(tmp_path, [train], "conversations-000.json")
    assert said(list(read(tmp_path))) == said(list(read(FIXTURE)))


def test_a_message_that_is_wrong_keeps_no_other_back(tmp_path: Path) -> None:
    train, lost = exported()
    train["mapping"]["u1"]["message"]["create_time"] = 1e300
    train["mapping"]["a1"]["message"]["author"] = "me"
    del lost["id"], lost["conversation_id"]
    rows = list(read(written(tmp_path, [train, lost, {"mapping": 5}, [], exported()[1]])))
    assert said(rows) == said(list(read(FIXTURE)))[2:]
    assert [(row.where, row.why.partition(":")[0]) for row in rows if isinstance(row, BadRow)] == [
        ("conversation 1 “Night train”, message 2", "1e+300 is not an instant in time."),
        ("conversation 1 “Night train”, message 3", "It is not as it should be"),
        ("conversation 2", "It has no id."),
        ("conversations.json, number 3", "It is not as it should be"),
        ("conversations.json, number 4", "It is not as it should be")]


def test_a_broken_way_back_gives_all_messages_in_their_order(tmp_path: Path) -> None:
    circle, damaged = exported()[0], exported()[0]
    circle["mapping"]["sys"]["parent"] = "a1"
    damaged["mapping"]["a1"] = "not a node"
    for conversation, more in ((circle, 1), (damaged, 0)):
        rows = list(read(written(tmp_path, [conversation])))
        assert ("assistant", "An answer that was asked for again.") in said(rows)
        assert len(said(rows)) == 4 + more


def test_a_torn_file_gives_what_is_whole(tmp_path: Path) -> None:
    raw = (FIXTURE / "conversations-000.json").read_bytes()
    (tmp_path / "conversations.json").write_bytes(raw[:-700])
    rows = list(read(tmp_path / "conversations.json"))
    assert len(said(rows)) == 4
    assert rows[-1] == BadRow("conversations.json, number 2", "The file ends in the middle of it.")


def test_an_archive_that_unpacks_to_too_much_ends_with_the_reason(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_unpacked_bytes_max", 3_000_000)
    raw = (FIXTURE / "conversations-000.json").read_bytes()
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", raw[:-1] + b", " + b" " * 10_000_000 + b"]")
    rows = list(read(tmp_path / "bomb.zip"))
    assert said(rows) == said(list(read(FIXTURE)))
    assert isinstance(rows[-1], BadRow)
    assert rows[-1].why == "It cannot be read further: the archive unpacks to more than 3000000 bytes."


def test_bytes_that_are_no_text_spoil_only_their_message(tmp_path: Path) -> None:
    raw = (FIXTURE / "conversations-000.json").read_bytes().replace("東京".encode(), b"\xff\xfe")
    (tmp_path / "conversations.json").write_bytes(raw)
    rows = list(read(tmp_path / "conversations.json"))
    assert len(said(rows)) == 5
    assert sum(isinstance(row, BadRow) for row in rows) == 1


@pytest.mark.parametrize(("content", "text"), [
    ({"content_type": "text", "parts": ["a", "", "b"]}, "a\nb"),
    ({"content_type": "text", "parts": None}, ""),
    ({"content_type": "text", "parts": [5, None, {"text": 6}]}, ""),
])
def test_parts_are_joined_and_pictures_left_out(content: Any, text: str, tmp_path: Path) -> None:
    lost = exported()[1]
    lost["mapping"]["x"]["message"]["content"] = content
    rows = list(read(written(tmp_path, [lost])))
    if text:
        assert said(rows)[0] == ("user", text)
    else:
        assert isinstance(rows[0], SkippedRow)
