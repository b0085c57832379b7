"""One memory a line, for programs that read lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from hippo.interfaces.exports.wire import WIRE_COLUMNS, lines, wire_line
from hippo.interfaces.mcp import texts as mcp_texts
from hippo.model.dump import AgentDump
from hippo.model.recollection import Answer, Recollection, Why
from hippo.model.verb import Recall
from tests.interfaces.exports.dumps import NEW_YEAR, memory, texts


def test_the_columns_come_first_then_what_holds_now() -> None:
    dump = AgentDump(memories=[memory(1, entity="Anna", kind="fact"), memory(2, "a|b\nc\\d", kind="x|y"), memory(3, superseded_by="00000001")])
    assert "".join(lines(dump)) == (
        "id|created|confidence|kind|entity|text\n"
        "00000001|2026-01-01|1.00|fact|Anna|Anna likes tea\n"
        "00000002|2026-01-01|1.00|x/y||a|b\\nc\\\\d\n")


def test_nothing_is_said_in_words() -> None:
    assert list(lines(AgentDump())) == ["Nothing has been remembered here yet.\n"]


@given(texts, texts)
def test_any_memory_is_one_line_from_which_its_text_can_be_told(text: str, name: str) -> None:
    row = wire_line("00000001", NEW_YEAR, 1.0, name, name, text)
    assert len(row.splitlines()) == 1
    fields = row.split("|", 5)
    assert len(fields) == WIRE_COLUMNS.count("|") + 1
    assert fields[3] == fields[4]
    escape = re.compile(r"\\(?:[\\nr]|x[0-9a-f]{2}|u[0-9a-f]{4})")
    assert escape.sub(lambda match: match[0].encode().decode("unicode_escape"), fields[5]) == text


@pytest.mark.parametrize("text", ["Anna likes tea", "a\nb\rc\\d|e", "東京 👩‍👩‍👧"])
def test_the_lines_are_those_of_recall(text: str) -> None:
    row = Recollection(
        id="00000001", text=text, activation=1.0, confidence=0.8, why=Why("seed"), tier="hot", lossless=True, fidelity=None,
        created_at=NEW_YEAR, entity="A|B", kind="fact", tags=())
    recalled, _ = mcp_texts.answer_text(Answer(results=[row]), Recall(cue="x", format="wire"))
    assert recalled.splitlines() == [WIRE_COLUMNS, wire_line(row.id, row.created_at, row.confidence, row.kind, row.entity, row.text)]
