"""Which memories the brain view shows, and what it draws between them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo import limits
from hippo.actors.drawing import draw
from hippo.mind.brain import Brain
from hippo.model.memory import Draft
from hippo.runtime.viewing import Draw, Drawn

NOW = 1_767_225_600_000
DAY = limits.ms_per_day


def brain_of(count: int, **columns: list[Any]) -> Brain:
    """Memories 10, 20, 30, … of the default agent, the first the oldest; further columns by their values."""
    brain = Brain(1, 0.0)
    for number in range(count):
        brain.remember(10 * (number + 1), Draft(text="x", created_at=NOW), 7, NOW - (count - number) * DAY,
                       (1, number, 0))
    for name, values in columns.items():
        brain.graph("default").rows[name][:] = values
    return brain


def drawn(brain: Brain, limit: int = 100) -> Drawn:
    return draw(brain, Draw("default", limit, NOW))


def ordinals(found: Drawn) -> list[int]:
    return found.columns["ordinal"].tolist()  # type: ignore[no-any-return]


def schema(*members: int) -> list[int]:
    """The column of schemas, from the number (1, 2, …) of each memory's schema, 0 for none."""
    return [10 * number + 1 if number else 0 for number in members]


def test_all_are_drawn_where_there_is_room_the_oldest_first():
    found = drawn(brain_of(3))
    assert ordinals(found) == [10, 20, 30]
    assert [spot.place for spot in found.spots] == [(1, 0, 0), (1, 1, 0), (1, 2, 0)]
    assert found.folded == 0
    assert 0 < found.columns["retention"][0] < found.columns["retention"][2] < 1


def test_what_is_recent_salient_or_often_recalled_is_drawn_first():
    assert ordinals(drawn(brain_of(5), 2)) == [40, 50]
    assert ordinals(drawn(brain_of(5, salience=[200, 0, 0, 0, 0]), 2)) == [10, 50]
    assert ordinals(drawn(brain_of(5, access_count=[0, 30, 0, 0, 0]), 2)) == [20, 50]


def test_what_is_left_out_is_counted():
    assert drawn(brain_of(5), 2).folded == 3


@pytest.mark.parametrize("aside", ["superseded_by", "archived_at"])
def test_what_was_superseded_or_archived_takes_only_the_room_that_is_left(aside):
    brain = brain_of(4, **{aside: [0, 0, 0, 5]})
    assert ordinals(drawn(brain, 3)) == [10, 20, 30]
    assert drawn(brain, 3).folded == 1
    found = drawn(brain, 4)
    assert ordinals(found) == [10, 20, 30, 40]
    assert found.columns["superseded" if aside == "superseded_by" else "archived"].tolist() == [False] * 3 + [True]


def test_an_earlier_wording_is_neither_drawn_nor_counted():
    brain = brain_of(2)
    brain.remember(30, Draft(text="x", created_at=NOW), 7, NOW, (1, 9, 0), wording_of=21)
    found = drawn(brain)
    assert (ordinals(found), found.folded) == ([10, 20], 0)
    assert drawn(brain, 1).folded == 1


def test_a_member_hangs_on_its_schema():
    found = drawn(brain_of(4, schema=schema(1, 1, 0, 1)))
    assert found.homes.tolist() == [-1, 0, -1, 0]
    assert (found.members.tolist(), found.shown.tolist()) == ([2, 0, 0, 0], [2, 0, 0, 0])
    assert found.columns["schema"].tolist() == [11, 11, 0, 11]


def test_a_member_brings_its_schema_along():
    # 50 is shown for itself, and takes its schema, the oldest and weakest of all, with it.
    found = drawn(brain_of(5, schema=schema(1, 1, 0, 0, 1)), 2)
    assert ordinals(found) == [10, 50]
    assert (found.members.tolist(), found.shown.tolist(), found.folded) == ([2, 0], [1, 0], 3)


def test_no_member_is_drawn_without_its_schema():
    found = drawn(brain_of(5, schema=schema(1, 1, 0, 0, 1)), 1)
    assert ordinals(found) == [10]
    assert (found.members.tolist(), found.shown.tolist()) == ([2], [0])


def test_the_largest_schemas_are_drawn_though_all_their_members_are_folded():
    brain = brain_of(12, schema=schema(1, 1, 1, 1, 5, 5, 0, 0, 0, 0, 0, 0))
    assert ordinals(drawn(brain, 4)) == [10, 100, 110, 120]  # one in four, and the larger of two
    assert ordinals(drawn(brain, 8)) == [10, 50, 70, 80, 90, 100, 110, 120]


def test_a_schema_that_is_no_more_holds_nobody():
    brain = brain_of(2, schema=[9_991, 0])
    assert drawn(brain).homes.tolist() == [-1, -1]


def test_an_association_is_drawn_once_and_only_between_what_is_drawn():
    brain = brain_of(4)
    links = brain.graph("default").associations
    for one, other, weight in ((3, 1, 0.5), (3, 2, 0.25), (0, 3, 0.75)):
        links.set(one, other, weight, NOW)
    found = drawn(brain)
    assert list(zip(found.first.tolist(), found.second.tolist(), found.weight.tolist(), strict=True)) == [
        (0, 3, 0.75), (1, 3, 0.5), (2, 3, 0.25)]
    assert drawn(brain, 3).first.tolist() == [0, 1]  # positions, no longer of the first memory
    assert drawn(brain, 3).second.tolist() == [2, 2]


def test_of_very_many_associations_the_strongest_are_drawn():
    count = 4 * limits.graph_edges_share
    brain = brain_of(count)
    links = brain.graph("default").associations
    strength = {(one, other): 0.1 + (37 * one + other) % 101 / 200 for other in range(count) for one in range(other)}
    for (one, other), weight in strength.items():
        links.set(one, other, weight, NOW)
    found = drawn(brain)
    assert len(found.weight) == limits.graph_edges_share * count < len(strength)
    kept = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert min(strength[pair] for pair in kept) >= max(
        weight for pair, weight in strength.items() if pair not in kept)


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 50), st.randoms(use_true_random=False))
def test_whatever_the_room_a_drawing_holds_together(count: int, limit: int, chance: random.Random) -> None:
    brain = Brain(1, 0.0)
    for number in range(count):
        brain.remember(number, Draft(text="x", created_at=NOW), 7, NOW - chance.randrange(400) * DAY, (1, 0, 0))
    graph = brain.graph("default")
    medoids = [slot for slot in range(count) if chance.random() < 0.2]
    for slot in range(count):
        home = slot if slot in medoids else chance.choice([*medoids, None])
        graph.rows["schema"][slot] = 0 if home is None else home + 1
        graph.rows["salience"][slot] = chance.choice([0, 60, 200])
        graph.rows["superseded_by"][slot] = chance.choice([0, 0, 0, 1])
        if slot:
            graph.associations.set(slot, chance.randrange(slot), 0.5, NOW)
    found = draw(brain, Draw("default", limit, NOW))
    shown = ordinals(found)
    assert shown == sorted(set(shown))
    assert (len(shown), found.folded) == (min(limit, count), count - min(limit, count))
    for position, ordinal in enumerate(shown):
        home = int(graph.rows["schema"][ordinal]) - 1
        if home in (-1, ordinal):
            assert found.homes[position] == -1
        else:
            assert shown[found.homes[position]] == home
    members = [sum(int(one) == slot + 1 for one in graph.rows["schema"]) - 1 for slot in shown]
    assert found.members.tolist() == [many if slot in medoids else 0 for many, slot in zip(members, shown, strict=True)]
    assert found.shown.tolist() == np.bincount(found.homes[found.homes >= 0], minlength=len(shown)).tolist()
    pairs = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    one, other, _, _ = graph.associations.all()
    assert {(shown[a], shown[b]) for a, b in pairs} == {
        (a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True) if {a, b} <= set(shown)}
