"""Relations found from either end, and the memories of an entity."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from hippo.mind.brain import Brain
from hippo.mind.entities import RELATION, Relations, relation_key
from hippo.model.memory import Draft

NAMES = some.sampled_from(["Anna", "anna", "ANNA", "Ben", "Mill Street", "mill street"])
KEYS = some.builds(relation_key, NAMES, some.sampled_from(["knows", "sister_of"]), NAMES)


def test_a_relation_is_found_from_either_end_by_any_spelling() -> None:
    known = Relations([relation_key("Anna", "sister_of", "Ben"), relation_key("Ben", "lives_in", "Mill Street")])
    assert known.of("BEN") == [("Anna", "sister_of", "Ben"), ("Ben", "lives_in", "Mill Street")]
    assert known.of("mill-street") == [("Ben", "lives_in", "Mill Street")]
    assert known.of("Clara") == []


@given(some.lists(some.tuples(KEYS, some.booleans())))
def test_after_any_changes_the_relations_are_those_of_the_notes(changes: list[tuple[str, bool]]) -> None:
    brain = Brain(1, 0.0)
    brain.note("default", RELATION, relation_key("Anna", "knows", "Ben"), "")
    assert brain.relations("default").of("Anna")
    for key, stated in changes:
        brain.note("default", RELATION, key, "" if stated else None)
    for name in ("anna", "Ben", "MILL STREET"):
        assert brain.relations("default").of(name) == Relations(brain.noted("default", RELATION)).of(name)
    assert brain.relations("another").of("Anna") == []


def draft(entity: str | None) -> Draft:
    return Draft(text="x", entity=entity)


@given(some.lists(some.tuples(some.integers(0, 9), some.none() | NAMES), max_size=20), some.sets(some.integers(0, 9)))
def test_the_memories_of_an_entity_are_those_that_name_it_now(
        changes: list[tuple[int, str | None]], forgotten: set[int]) -> None:
    brain = Brain(1, 0.0)
    now: dict[int, str | None] = {}
    for ordinal in range(10):
        now[ordinal] = None if ordinal % 3 else "Anna"
        brain.remember(ordinal, draft(now[ordinal]), ordinal, 0, (0, 0, 0))
    for ordinal, entity in changes:
        now[ordinal] = entity
        brain.revise(ordinal, draft(entity), ordinal, (0, 0, 0))
    brain.forget("default", sorted(forgotten))
    graph = brain.graph("default")
    for name, meant in (("anna", {"Anna", "anna", "ANNA"}), ("BEN", {"Ben"}), ("Mill-Street", {"Mill Street", "mill street"})):
        left = [ordinal for ordinal in range(10) if now[ordinal] in meant and ordinal not in forgotten]
        assert graph.rows["ordinal"][graph.about(name)].tolist() == left
        assert np.flatnonzero(graph.is_of(name)).tolist() == graph.about(name).tolist()
    assert graph.about("Nobody").tolist() == []
