"""The knowledge graph of the MCP memory server, as the server itself writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from hippo import limits
from hippo.interfaces.imports.mcp_memory import read
from hippo.interfaces.imports.rows import BadRow, MemoryRow, RelationRow, SkippedRow
from tests.clients.node import installed

FIXTURE = Path(__file__).parent / "fixtures" / "mcp-memory.jsonl"
SERVER = "@modelcontextprotocol/server-memory@2026.8.31"

ENTITIES: list[dict[str, Any]] = [
    {"name": "Anna", "entityType": "person", "observations": ["Likes \"tea\" 🍵\n\\ and 抹茶", "Lives in Zürich"]},
    {"name": "抹茶", "entityType": "drink", "observations": ["Is green"]}]
RELATION = {"from": "Anna", "to": "抹茶", "relationType": "likes"}


def written(tmp_path: Path, *lines: str | bytes) -> Path:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return path


def test_observations_are_facts_about_their_entity() -> None:
    rows = list(read(FIXTURE))
    found = [(row.where, row.remember.entity, row.remember.entity_type, row.remember.text) for row in rows
             if isinstance(row, MemoryRow)]
    assert found == [
        ("line 1, observation 1", "Ada_Lovelace", "person", "Prefers tea over coffee"),
        ("line 1, observation 2", "Ada_Lovelace", "person", "Said \"the engine weaves\" – and meant it"),
        ("line 1, observation 3", "Ada_Lovelace", "person", "Line one\nline two\ttabbed \\ backslash"),
        ("line 1, observation 4", "Ada_Lovelace", "person", "Speaks English, French 🇫🇷 and a little 日本語"),
        ("line 2, observation 1", "東京オフィス", "場所", "二階の会議室は予約が必要"),
        ("line 2, observation 2", "東京オフィス", "場所", "🗼 が見える")]
    assert {row.remember.kind for row in rows if isinstance(row, MemoryRow)} == {"fact"}
    assert rows[-3:] == [
        SkippedRow("line 3", "The entity has no observations."),
        RelationRow("line 4", "Ada_Lovelace", "works_on", "Project Analytical"),
        RelationRow("line 5", "Project Analytical", "is housed in", "東京オフィス")]


async def test_what_the_server_itself_writes_now_is_read(tmp_path: Path) -> None:
    program = installed(SERVER) / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    path = tmp_path / "memory.jsonl"
    server = StdioServerParameters(command="node", args=[str(program)], env={"MEMORY_FILE_PATH": str(path)})
    async with Client(server) as client:
        await client.call_tool("create_entities", {"entities": ENTITIES})
        await client.call_tool("create_relations", {"relations": [RELATION]})
    rows = list(read(path))
    assert [(row.remember.entity, row.remember.text) for row in rows if isinstance(row, MemoryRow)] == [
        (entity["name"], text) for entity in ENTITIES for text in entity["observations"]]
    assert rows[-1] == RelationRow("line 3", "Anna", "likes", "抹茶")


def test_keys_follow_entity_and_observation_wherever_they_stand(tmp_path: Path) -> None:
    before = {row.remember.text: row.remember.key for row in read(FIXTURE) if isinstance(row, MemoryRow)}
    lines = FIXTURE.read_bytes().splitlines()
    turned = written(tmp_path, *reversed(lines))
    after = {row.remember.text: row.remember.key for row in read(turned) if isinstance(row, MemoryRow)}
    assert after == before
    assert len(set(before.values())) == len(before)


def test_what_is_wrong_with_a_line_ends_with_it(tmp_path: Path) -> None:
    good = json.dumps({"type": "entity", "name": "Ada", "entityType": "person", "observations": ["one", 2, "three"]})
    rows = list(read(written(
        tmp_path, "", good, "oops", b"\xff\xfe", "[1]", '{"type": "entity", "name": "", "observations": []}',
        '{"type": "relation", "from": "a"}', '{"type": "other"}', "[" * 100_000, good.replace("Ada", "Eve"), good[:40])))
    assert [row.remember.entity for row in rows if isinstance(row, MemoryRow)] == ["Ada", "Ada", "Eve", "Eve"]
    bad = {row.where: row.why for row in rows if isinstance(row, BadRow)}
    assert list(bad) == ["line 2, observation 2", "line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9",
                         "line 10, observation 2", "line 11"]
    assert bad["line 2, observation 2"] == "It is not a text."
    assert bad["line 5"] == "It is neither an entity nor a relation."
    assert bad["line 7"] == "Its relation is not as the server writes it."
    assert bad["line 3"].startswith("It is not JSON")


def test_halves_of_characters_become_whole(tmp_path: Path) -> None:
    line = '{"type": "entity", "name": "Ada", "entityType": "p", "observations": ["cut \\ud83d", "\\ud83d\\uddfc"]}'
    found = [row.remember.text for row in read(written(tmp_path, "\ufeff" + line)) if isinstance(row, MemoryRow)]
    assert found == ["cut \ufffd", "🗼"]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_line_bytes_max", 100_000)
    good = '{"type": "relation", "from": "a", "to": "b", "relationType": "r"}'
    rows = list(read(written(tmp_path, good, '{"x": "' + "y" * 300_000 + '"}', good, "z" * 300_000)))
    assert rows == [
        RelationRow("line 1", "a", "r", "b"), BadRow("line 2", "It has more than 100000 bytes."),
        RelationRow("line 3", "a", "r", "b"), BadRow("line 4", "It has more than 100000 bytes.")]


def test_an_empty_file_gives_nothing(tmp_path: Path) -> None:
    assert list(read(written(tmp_path))) == []
