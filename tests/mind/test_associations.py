"""Associations as blocks in columns, against a plain dictionary."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo import limits
from hippo.limits import association_block_slots, associations_kept, ms_per_day
from hippo.mind.associations import Associations
from hippo.mind.plasticity import decayed, hebbian

_pairs = some.lists(some.tuples(some.integers(0, 30), some.integers(0, 30), some.integers(1, 250)), max_size=200)


def _linked(pairs):
    links, plain = Associations(), {}
    links.grow(31)
    for one, other, step in pairs:
        new = one != other and (min(one, other), max(one, other)) not in plain
        assert links.link(one, other, step / 250, 7 * ms_per_day + 1) is new
        if new:
            plain[min(one, other), max(one, other)] = np.float32(step / 250)
    return links, plain


@given(_pairs)
@settings(max_examples=60, deadline=None)
def test_they_are_what_a_dictionary_would_hold(pairs):
    links, plain = _linked(pairs)
    one, other, weight, set_at = links.all()
    assert dict(zip(zip(one.tolist(), other.tolist(), strict=True), weight, strict=True)) == plain
    assert links.count == len(plain)
    assert (set_at == 7 * ms_per_day).all()


@given(_pairs)
@settings(max_examples=60, deadline=None)
def test_both_ends_see_an_association(pairs):
    links, plain = _linked(pairs)
    position, target, weight = links.halves(np.arange(31))
    seen = {(int(p), int(t)): w for p, t, w in zip(position, target, weight, strict=True)}
    assert seen == {pair: w for (a, b), w in plain.items() for pair in ((a, b), (b, a))}


@given(_pairs)
@settings(max_examples=60, deadline=None)
def test_loading_what_was_listed_gives_the_same_and_can_grow_on(pairs):
    links, plain = _linked(pairs)
    again = Associations()
    again.load(*links.all(), 31)
    assert all((a == b).all() for a, b in zip(again.all(), links.all(), strict=True))
    for one in range(30):
        again.link(one, one + 1, 0.5, 9)
    assert again.count == len(plain.keys() | {(i, i + 1) for i in range(30)})


@given(_pairs)
@settings(max_examples=60, deadline=None)
def test_pruning_keeps_what_either_end_ranks_among_its_six_strongest(pairs):
    links, plain = _linked(pairs)

    def ranks(end, pair):
        mine = sorted((p for p in plain if end in p), key=lambda p: (-plain[p], p))
        return pair in mine[:associations_kept]

    stays = {pair for pair in plain if any(ranks(end, pair) for end in pair)}
    assert links.prune() == len(plain) - len(stays)
    one, other, _, _ = links.all()
    assert set(zip(one.tolist(), other.tolist(), strict=True)) == stays


@given(_pairs, some.lists(some.lists(some.integers(0, 30), min_size=1, max_size=8, unique=True), max_size=5))
@settings(max_examples=60, deadline=None)
def test_recall_strengthens_each_pair_as_the_rule_says_whether_it_was_bound_or_not(pairs, recalls):
    links, plain = _linked(pairs)
    links.strength()
    for number, ends in enumerate(recalls):
        level = np.linspace(1.0, 0.3, len(ends)).astype("f4")
        changed = links.fire_together(np.array(ends), level, (100 + number) * ms_per_day + 1)
        expected = []
        for one, first in sorted(zip(ends, level, strict=True)):
            for other, second in sorted(zip(ends, level, strict=True)):
                before = plain.get((one, other), np.float32(0.0))
                after = hebbian(before, first, second)
                if one < other and after > before:
                    plain[one, other] = after
                    expected.append((one, other))
                    assert links.recorded(other, one) == (after, (100 + number) * ms_per_day)
        assert changed == expected
    position, target, weight = links.halves(np.arange(31))
    seen = {(int(p), int(t)): w for p, t, w in zip(position, target, weight, strict=True)}
    assert seen == {pair: w for (a, b), w in plain.items() for pair in ((a, b), (b, a))}
    assert np.allclose(links.strength(), np.bincount(position, weights=weight, minlength=31), atol=1e-5)
    assert links.count == len(plain)


def test_a_pass_lets_what_was_set_before_it_decay_and_nothing_else():
    links = Associations()
    links.grow(4)
    links.link(0, 1, 0.8, 0)
    links.decayed_through = day = 60 * ms_per_day
    links.link(2, 3, 0.8, day)
    links.link(1, 2, 0.8, 0)
    links.set(1, 2, 0.8, day)
    assert [round(links.weight(*pair), 3) for pair in ((0, 1), (2, 3), (1, 2))] == [0.425, 0.8, 0.8]
    again = Associations()
    again.decayed_through = day
    again.load(*links.all(), 4)
    assert all(again.weight(*pair) == links.weight(*pair) for pair in ((0, 1), (2, 3), (2, 1)))
    assert np.allclose(again.strength(), links.strength())


def _ranked_by_sorting(one, other, weight, set_at, through):
    """What stays, told by ranking all associations of all memories: bool[m]."""
    made = np.lexsort((other, one))
    worth = decayed(weight, set_at, through)[made]
    ends = np.concatenate([one[made], other[made]])
    which = np.tile(np.arange(len(one)), 2)
    order = np.lexsort((which, -worth[which], ends))
    opens = np.r_[True, np.diff(ends[order]) != 0]
    rank = np.arange(len(order)) - np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))
    stays = np.zeros(len(one), bool)
    stays[made[which[order][rank < associations_kept]]] = True
    return stays


def _assert_pruned_as_by_sorting(links, memories):
    before = links.all()
    stays = _ranked_by_sorting(*before, links.decayed_through) if len(before[0]) else np.zeros(0, bool)
    assert links.prune() == int((~stays).sum())
    assert links.count == int(stays.sum())
    one, other, weight, set_at = kept = links.all()
    assert all((column[stays] == left).all() for column, left in zip(before, kept, strict=True))
    worth = decayed(weight, set_at, links.decayed_through).tolist()
    position, target, halved = (half.tolist() for half in links.halves(np.arange(memories)))
    assert sorted(zip(position, target, halved, strict=True)) == sorted(
        half for a, b, w in zip(one.tolist(), other.tolist(), worth, strict=True) for half in ((a, b, w), (b, a, w)))
    strength = np.zeros(memories)
    np.add.at(strength, np.concatenate([one, other]), worth + worth)
    assert np.allclose(links.strength(), strength)
    degree = np.bincount(position, minlength=memories)
    assert links._blocks == (-(-degree // association_block_slots)).sum()  # none is kept empty


@given(some.lists(some.tuples(some.lists(some.tuples(
    some.integers(0, 15), some.integers(0, 15), some.integers(1, 250)), max_size=120), some.integers(0, 400)),
    min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_pruning_night_after_night_leaves_what_sorting_them_all_would(nights):
    links, today = Associations(), 0
    links.grow(16)
    for pairs, days in nights:
        for one, other, step in pairs:
            if one != other:
                links.set(one, other, float(np.float32(step / 250)), today)
        today += days * ms_per_day
        links.decayed_through = today
        _assert_pruned_as_by_sorting(links, 16)


@pytest.mark.parametrize("at_once", [7, limits.ranked_at_once])
@pytest.mark.parametrize("memories", [associations_kept + 1, associations_kept + 2, 60])
def test_memories_that_all_know_each_other_lose_the_weakest_and_take_new_ones(memories, at_once, monkeypatch):
    monkeypatch.setattr(limits, "ranked_at_once", at_once)
    links = Associations()
    links.grow(memories)
    for night in range(4):
        for one in range(memories):
            for other in range(one):
                links.link(one, other, ((one * 37 + other * 91 + night * 53) % 250 + 1) / 250, night * ms_per_day)
        links.decayed_through = (night + 1) * ms_per_day
        _assert_pruned_as_by_sorting(links, memories)
        assert links.prune() == 0


def test_recalled_together_they_are_bound_together():
    links = Associations()
    links.grow(3)
    changed = links.fire_together(np.array([2, 0]), np.array([1.0, 0.5], "f4"), 11 * ms_per_day + 1)
    assert changed == [(0, 2)]
    assert abs(links.weight(0, 2) - 0.1) < 1e-6
    assert links.weight(0, 1) == 0.0
    assert links.recorded(0, 2) == (np.float32(0.1), 11 * ms_per_day)
