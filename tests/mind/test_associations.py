"""Associations as blocks in columns, against a plain dictionary."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo.limits import associations_kept
from hippo.mind.associations import Associations

_pairs = some.lists(some.tuples(some.integers(0, 30), some.integers(0, 30), some.integers(1, 250)), max_size=200)


def _linked(pairs):
    links, plain = Associations(), {}
    links.grow(31)
    for one, other, step in pairs:
        new = one != other and (min(one, other), max(one, other)) not in plain
        assert links.link(one, other, step / 250, 7) is new
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
    assert (set_at == 7).all()


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


def test_recalled_together_they_are_bound_together():
    links = Associations()
    links.grow(3)
    changed = links.fire_together(np.array([2, 0]), np.array([1.0, 0.5], "f4"), 11)
    assert changed == [(0, 2)]
    assert abs(links.weight(0, 2) - 0.1) < 1e-6
    assert links.weight(0, 1) == 0.0
    assert links.recorded(0, 2) == (np.float32(0.1), 11)
