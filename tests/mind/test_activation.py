"""From similarities to what comes to mind."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo import limits
from hippo.limits import seeds_max
from hippo.mind.activation import fused, lifted, path_to, seeds, spread
from hippo.mind.associations import Associations


def _f4(*values):
    return np.array(values, "f4")


def _all(monkeypatch):
    """Shows also what does not come to mind."""
    monkeypatch.setattr(limits, "activation_floor", 1e-9)


def test_both_signals_count_by_their_shares_of_the_best():
    assert np.allclose(fused(_f4(2, 1, 0), _f4(0.2, 0.4, -1), None), [0.6 + 0.2, 0.3 + 0.4, 0])


def test_what_the_filters_exclude_sets_no_scale():
    allowed = np.array([False, True, True])
    assert np.allclose(fused(_f4(9, 1, 0), _f4(0.9, 0.4, 0.2), allowed), [0, 1.0, 0.2])


def test_a_neighbour_is_lifted_by_half_of_the_larger_similarity():
    before, after = np.array([-1, 0, 1, -1]), np.array([1, 2, -1, -1])
    likeness = lifted(_f4(0.4, 0, 0.8, 0.1), before, after)
    assert np.allclose(likeness.lifted, [0.4, 0.4, 0.8, 0.1])


def test_retention_weighs_on_seeds_as_much_as_it_is_allowed_to():
    start, level = seeds(_f4(1, 1), _f4(0.0, 1.0), 0.5, None)
    assert start.tolist() == [1, 0]
    assert np.allclose(level, [1.0, 0.5])


@given(some.lists(some.floats(0, 1, width=32), max_size=200))
@settings(max_examples=50, deadline=None)
def test_seeds_are_the_best_in_order_and_no_more_than_sixty_four(similarity):
    column = np.array(similarity, "f4")
    start, level = seeds(column, np.ones(len(column), "f4"), 0.3, None)
    expected = sorted((i for i, s in enumerate(column) if s > 0), key=lambda i: (-column[i], i))[:seeds_max]
    assert start.tolist() == expected
    assert not len(level) or level[0] == 1.0


@given(some.integers(0, 2**32 - 1), some.integers(1, 5_000), some.sampled_from([1, 3, 50, 1_000_000]))
@settings(max_examples=40, deadline=None)
def test_seeds_are_the_best_of_many_also_where_many_are_equal(seed, count, steps):
    column = (np.random.default_rng(seed).integers(0, steps, count) / steps).astype("f4")
    start, _ = seeds(column, np.ones(count, "f4"), 0.0, None)
    expected = np.lexsort((np.arange(count), -column))
    assert start.tolist() == expected[column[expected] > 0][:seeds_max].tolist()


def _chain(weights):
    links = Associations()
    links.grow(len(weights) + 1)
    for at, weight in enumerate(weights):
        links.link(at, at + 1, weight, 0)
    return links


def test_each_hop_passes_on_seven_tenths_of_weight_times_gain(monkeypatch):
    _all(monkeypatch)
    found = spread(3, np.array([0]), _f4(1.0), _chain([0.2, 0.3]), None)
    level = dict(zip(found.memories.tolist(), found.activation.tolist(), strict=True))
    # From 0 to 1, then to 2; the echoes between them end where a hop adds less than a hundredth.
    assert abs(level[1] - (0.14 + 0.14 * 0.21 * 0.21)) < 1e-6
    assert abs(level[2] - 0.14 * 0.21) < 1e-6
    assert level[0] == 1.0  # clamped: an echo adds nothing, and nothing travels on from it
    assert path_to(2, found.came_from) == [0, 1, 2]


def test_what_is_bound_to_much_passes_on_less_over_each_bond():
    lonely, busy = _chain([0.5]), _chain([0.5])
    busy.grow(4)
    busy.link(1, 2, 0.5, 0)
    busy.link(1, 3, 0.5, 0)
    alone = spread(2, np.array([0]), _f4(1.0), lonely, None)
    shared = spread(4, np.array([0]), _f4(1.0), busy, None)
    assert abs(float(alone.activation[1]) - 0.35) < 1e-6
    assert abs(float(shared.activation[shared.memories == 1][0]) - 0.35 / 3) < 0.02


def test_activation_stops_where_it_adds_less_than_a_hundredth(monkeypatch):
    _all(monkeypatch)
    found = spread(12, np.array([0]), _f4(1.0), _chain([0.2] * 11), None)
    assert found.memories.tolist() == [0, 1, 2, 3]  # 1, 0.14, 0.0196, 0.0027: the last hop was one too little


def test_what_stays_below_a_tenth_does_not_come_to_mind():
    found = spread(3, np.array([0, 2]), _f4(1.0, 0.09), _chain([0.2, 0.0]), None)
    assert found.memories.tolist() == [0, 1]


def test_who_passed_most_at_the_first_hop_led_there_and_the_earlier_of_two_that_passed_as_much():
    links = Associations()
    links.grow(5)
    for one, other, weight in ((0, 3, 0.2), (1, 3, 0.4), (2, 3, 0.4), (3, 4, 0.5)):
        links.link(one, other, weight, 0)
    found = spread(5, np.array([0, 1, 2]), _f4(1.0, 0.9, 0.9), links, None)
    assert path_to(3, found.came_from) == [1, 3]
    assert path_to(4, found.came_from) == [1, 3, 4]
    assert path_to(0, found.came_from) == [0]


def test_what_the_filters_exclude_neither_receives_nor_passes_on():
    found = spread(3, np.array([0]), _f4(1.0), _chain([1.0, 1.0]), np.array([True, False, True]))
    assert found.memories.tolist() == [0]


def test_a_seed_that_was_passed_more_than_it_had_owes_its_place_to_who_passed_it(monkeypatch):
    _all(monkeypatch)
    found = spread(3, np.array([0, 1, 2]), _f4(1.0, 0.1, 0.15), _chain([0.2, 0.2]), None)
    assert path_to(1, found.came_from) == [0, 1]  # 0.14 came from 0
    assert path_to(2, found.came_from) == [2]  # less than it had came from 1
    assert path_to(0, found.came_from) == [0]


def test_a_relation_leads_to_a_seed_that_is_hardly_alike():
    links = Associations()
    links.grow(2)
    found = spread(2, np.array([0, 1]), _f4(1.0, 0.3), links, None, [(0, 1)])
    assert path_to(1, found.came_from) == [0, 1]
    found = spread(2, np.array([0, 1]), _f4(1.0, 0.6), links, None, [(0, 1)])
    assert path_to(1, found.came_from) == [1]


@given(some.lists(some.tuples(some.integers(0, 19), some.integers(0, 19), some.integers(1, 250)), max_size=120),
       some.lists(some.floats(0.125, 1.0, width=32), min_size=1, max_size=20))
@settings(max_examples=50, deadline=None)
def test_activation_never_exceeds_one_and_never_falls(links, levels):
    graph = Associations()
    graph.grow(20)
    for one, other, step in links:
        graph.link(one, other, step / 250, 0)
    start = np.arange(len(levels))
    found = spread(20, start, np.array(levels, "f4"), graph, None)
    level = dict(zip(found.memories.tolist(), found.activation.tolist(), strict=True))
    assert max(level.values()) <= 1.0
    assert all(level[i] >= np.float32(a) for i, a in enumerate(levels))
    assert all(path_to(m, found.came_from)[0] in start for m in level)
