"""The data export of Claude, in the shape that is documented for it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from hippo.interfaces.imports.claude import read
from hippo.interfaces.imports.rows import BadRow, MemoryRow, MessageRow, Row, SkippedRow

FIXTURE = Path(__file__).parent / "fixtures" / "claude"
ROSES = "5c1d0000-0000-4000-8000-000000000001"


def exported(name: str) -> Any:
    return json.loads((FIXTURE / name).read_text("utf-8"))


def written(tmp_path: Path, name: str, value: Any) -> Path:
    (tmp_path / name).write_text(json.dumps(value), "utf-8")
    return tmp_path / name


def messages(rows: list[Row]) -> list[MessageRow]:
    return [row for row in rows if isinstance(row, MessageRow)]


def test_what_was_said_is_logged_without_thoughts_and_tools() -> None:
    found = messages(list(read(FIXTURE)))
    assert [(row.where, row.role, row.text) for row in found] == [
        ("conversation 1 “Roses”, message 1", "user", "When do I prune the roses? 🌹 薔薇"),
        ("conversation 1 “Roses”, message 1, attachment 1", "user", "Three bushes, by the south wall."),
        ("conversation 1 “Roses”, message 2", "assistant", "In early spring.\n\nBefore the \"first\" leaves."),
        ("conversation 1 “Roses”, message 3", "user", "Thank you.")]
    assert {row.conversation for row in found} == {ROSES}
    assert found[0].created_at == 1772355600123
    assert len({row.key for row in found}) == 4


def test_what_claude_remembers_becomes_memories() -> None:
    found = [row for row in read(FIXTURE) if isinstance(row, MemoryRow)]
    assert [(row.where, row.remember.entity, row.remember.text, row.remember.tags) for row in found] == [
        ("project Garden, description, line 1", "Garden", "All about the garden", []),
        ("project Garden, instructions, line 1", "Garden", "Answer in metric units.", []),
        ("project Garden, document 1, line 3", "Garden", "Roses by the wall", ["beds.md", "Beds"]),
        ("project Garden, document 1, line 4", "Garden", "Herbs by the door", ["beds.md", "Beds"]),
        ("memories.json, line 3", None, "Ada gardens, and lives in Zürich.", ["Personal context"]),
        ("memories.json, line 7", None, "Prunes roses in March", ["Top of mind"]),
        ("memories.json, line 8", None, "Learns 日本語", ["Top of mind"]),
        ("memories.json, project Garden, line 1", "Garden", "The beds face south.", [])]
    assert found[0].remember.created_at == 1769932800000
    assert found[2].remember.created_at == 1769936400000


def test_an_archive_gives_the_same_as_a_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data-batch-0000.zip", "w") as archive:
        for path in sorted(FIXTURE.rglob("*.json")):
            archive.write(path, path.relative_to(FIXTURE).as_posix())
    assert list(read(tmp_path / "data-batch-0000.zip")) == list(read(FIXTURE))


def test_projects_may_lie_in_one_file_and_each_file_is_a_source(tmp_path: Path) -> None:
    project = exported(f"projects/{ROSES[:-2]}21.json")
    rows = list(read(written(tmp_path, "projects.json", [project, project | {"is_starter_project": True}])))
    assert len([row for row in rows if isinstance(row, MemoryRow)]) == 4
    assert rows[-1] == SkippedRow("project Garden", "It comes with Claude.")
    assert len(list(read(FIXTURE / "memories.json"))) == 4
    assert len(messages(list(read(written(tmp_path, "renamed.json", exported("conversations.json")))))) == 4


def test_a_message_that_is_wrong_keeps_no_other_back(tmp_path: Path) -> None:
    conversation = exported("conversations.json")[0]
    conversation["chat_messages"][0]["created_at"] = "2026-02-30T09:00:00Z"
    conversation["chat_messages"][1]["content"] = "not a list"
    rows = list(read(written(tmp_path, "conversations.json", [conversation, {"uuid": 5, "chat_messages": []}, 7, {}])))
    assert [row.text for row in messages(rows)] == ["Thank you."]
    assert [(row.where, row.why.partition(":")[0]) for row in rows if isinstance(row, BadRow)] == [
        ("conversation 1 “Roses”, message 1", "'2026-02-30T09"),
        ("conversation 1 “Roses”, message 2", "It is not as it should be"),
        ("conversation 2", "It has no uuid."),
        ("conversations.json, number 3", "It is no object"),
        ("conversations.json, number 4", "It is not as it should be")]


def test_a_message_of_tools_alone_says_nothing(tmp_path: Path) -> None:
    conversation = exported("conversations.json")[0]
    conversation["chat_messages"] = [{"uuid": "m", "sender": "assistant", "text": "This block is not supported.",
                                      "content": [{"type": "tool_use", "input": {}}], "created_at": None}]
    assert list(read(written(tmp_path, "conversations.json", [conversation]))) == [
        SkippedRow("conversation 1 “Roses”, message 1", "It holds no text.")]


def test_a_document_or_a_time_that_is_wrong_is_named(tmp_path: Path) -> None:
    project = exported(f"projects/{ROSES[:-2]}21.json")
    wrong = project | {"docs": [{"filename": 5}, project["docs"][0] | {"created_at": "then"}, project["docs"][0]]}
    rows = list(read(written(tmp_path, "projects.json", [wrong, project | {"created_at": "once"}])))
    assert [row.where for row in rows if isinstance(row, BadRow)] == [
        "project Garden, document 1", "project Garden, document 2", "project Garden"]
    assert len([row for row in rows if isinstance(row, MemoryRow)]) == 4
