"""Notes that basic-memory wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippo.interfaces.imports.basic_memory import observation, read, relation
from hippo.interfaces.imports.passages import Passage, passages
from hippo.interfaces.imports.rows import MemoryRow, RelationRow

FIXTURE = Path(__file__).parent / "fixtures" / "basic-memory"
LONG_TITLE = ("A title with: a colon, 'single' and \"double\" quotes, which is so long that the frontmatter writer folds it "
              "over two lines")


def item(text: str) -> Passage:
    return next(passages(f"- {text}"))


def test_observations_and_prose_are_memories_of_the_note() -> None:
    found = [row.remember for row in read(FIXTURE) if isinstance(row, MemoryRow)]
    assert [(memory.entity, memory.kind, memory.text) for memory in found] == [
        (LONG_TITLE, "fact", "Just prose."),
        (LONG_TITLE, "fact", "1. First step"),
        (LONG_TITLE, "fact", "2. Second step"),
        (LONG_TITLE, "tip", "nested observation"),
        (LONG_TITLE, "fact", "```python\n# not a heading\n- [not] an observation\n```"),
        ("Coffee Brewing Methods", "fact", "How I make coffee at home. It builds on [[Coffee Bean Origins]]."),
        ("Coffee Brewing Methods", "method", "Pour over gives more clarity than French press #brewing"),
        ("Coffee Brewing Methods", "preference",
         "Ethiopian beans work well with lighter roasts #beans #light (own experience)"),
        ("Coffee Brewing Methods", "decision", "Water at 96 °C, \"never boiling\""),
        ("Coffee Brewing Methods", "fact", "[ ] Buy a new filter"),
        ("Coffee Brewing Methods", "fact", "Plain item without a category"),
        ("Coffee Brewing Methods", "fact", "\"based on\" [[Customer Interview]] (spring)"),
        ("東京メモ: 会議室 🗼", "場所", "二階の会議室は予約が必要 #会議")]
    assert found[0].created_at == 1709197200000
    assert (found[7].entity_type, found[7].tags) == ("guide", ["coffee", "brewing", "beans", "light"])
    assert len({memory.key for memory in found}) == len(found)


def test_relations_are_read_with_their_types() -> None:
    assert [(row.source, row.relation, row.target) for row in read(FIXTURE) if isinstance(row, RelationRow)] == [
        ("Coffee Brewing Methods", "links_to", "Coffee Bean Origins"),
        ("Coffee Brewing Methods", "relates_to", "Coffee Bean Origins"),
        ("Coffee Brewing Methods", "based on", "Customer Interview"),
        ("Coffee Brewing Methods", "links_to", "Tea Brewing Methods"),
        ("東京メモ: 会議室 🗼", "part_of", "Coffee Brewing Methods")]


@pytest.mark.parametrize(("text", "meant"), [
    ("[tech] Uses SQLite #db", ("tech", "Uses SQLite #db")),
    ("[a b] text", ("a b", "text")),
    ("[1] numbered", ("1", "numbered")),
    ("[decision] over\n  two lines", ("decision", "over\ntwo lines")),
    ("[ ] task", None), ("[x] done", None), ("[X] done", None), ("[/] half", None), ("[-] gone", None),
    ("[00:00:11] said", None), ("[1:02:03.500 - 1:02:05] said", None),
    ("[link](https://example.com)", None), ("[[Link]]", None), ("[] empty", None), ("[tech]", None), ("plain", None),
    (f"[{'x' * 51}] too long for a kind", None),
])
def test_an_observation_is_what_basic_memory_takes_for_one(text: str, meant: tuple[str, str] | None) -> None:
    assert observation(item(text)) == meant


@pytest.mark.parametrize(("text", "meant"), [
    ("implements [[Search Design]]", ("implements", "Search Design", None)),
    ("\"based on\" [[Customer Interview]]", ("based on", "Customer Interview", None)),
    ("'in response to' [[Incident]] (late)", ("in response to", "Incident", "(late)")),
    ("part_of [[main/garden/herb-beds]]", ("part_of", "herb-beds", None)),
    ("some other thing [[Entity]]", None), ("[[Entity]]", None), ("uses [[A]] and [[B]]", None), ("uses [[ ]]", None),
    ("[tech] [[Entity]]", None),
])
def test_a_relation_is_an_item_that_is_nothing_else(text: str, meant: tuple[str, str, str | None] | None) -> None:
    assert relation(item(text)) == meant


def test_a_paragraph_is_never_an_observation() -> None:
    paragraph = next(passages("[tech] Uses SQLite"))
    assert observation(paragraph) is None
    assert relation(next(passages("implements [[Search]]"))) is None
