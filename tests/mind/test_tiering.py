"""Which tier a memory belongs to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.limits import tier_floors
from hippo.mind.tiering import TIERS, forced, planned

HOT, WARM, COOL, COLD = range(4)
RATIOS = (1.0, 2.5, 5.0, 10.0)


def plan(held, tier, recalled, lossless=True):
    return int(planned(np.array([held], "f4"), np.array([tier], "u1"), np.array([recalled]), np.array([lossless]))[0])


@pytest.mark.parametrize(("held", "tier"), [(1.0, "hot"), (0.6, "hot"), (0.59, "warm"), (0.35, "warm"),
                                            (0.34, "cool"), (0.15, "cool"), (0.14, "cold")])
@pytest.mark.parametrize("recalled", [False, True])
def test_the_tier_of_what_never_left_hot_follows_retention(held, tier, recalled):
    assert TIERS[plan(held, HOT, recalled)] == tier


@pytest.mark.parametrize("tier", [WARM, COOL, COLD])
def test_a_recalled_memory_returns_to_warm_and_not_to_hot(tier):
    assert plan(1.0, tier, recalled=True) == WARM
    assert planned(np.array([1.0], "f4"), np.array([tier], "u1")).tolist() == [WARM]


def test_what_was_recalled_long_before_the_pass_is_as_warm_as_its_retention_still_allows():
    assert plan(0.2, COLD, recalled=True) == COOL
    assert plan(0.1, HOT, recalled=True) == COLD


@given(some.floats(0, 1, width=32), some.sampled_from([HOT, WARM, COOL, COLD]), some.booleans(), some.booleans())
def test_nothing_becomes_warmer_by_itself_and_nothing_lossy_ever(held, tier, recalled, lossless):
    after = plan(held, tier, recalled, lossless)
    assert after >= sum(np.float32(held) < np.float32(floor) for floor in tier_floors.values())
    if not (recalled and lossless):
        assert after >= tier


def test_a_plan_is_what_it_was_where_nobody_says_what_was_recalled():
    held = np.array([1.0, 1.0, 0.4, 0.2, 0.2, 0.1], "f4")
    assert planned(held, np.array([HOT, COLD, COLD, COLD, HOT, HOT], "u1")).tolist() == [HOT, WARM, WARM, COOL, COOL, COLD]


def force(held, salience, tier, raw, needed, ratios=RATIOS, ordinals=None):
    count = len(held)
    return forced(np.array(held, "f4"), np.array(salience, "u1"), np.array(ordinals or range(count), "u8"),
                  np.array(tier, "u1"), np.array(raw, "u4"), needed, ratios).tolist()


def test_the_weakest_are_forced_down_and_no_more_than_needed():
    held, tier = [0.9, 0.5, 0.7], [HOT, WARM, HOT]
    assert force(held, [60] * 3, tier, [1000] * 3, 0) == tier
    assert force(held, [60] * 3, tier, [1000] * 3, 200) == [HOT, COOL, HOT]  # 400 stored become 200
    assert force(held, [60] * 3, tier, [1000] * 3, 201) == [HOT, COOL, COOL]


def test_of_equally_held_memories_the_less_salient_and_then_the_earlier_goes_first():
    assert force([0.7] * 4, [60, 20, 60, 90], [HOT] * 4, [1000] * 4, 801, ordinals=[9, 3, 4, 1]) == [HOT, COOL, COOL, HOT]


def test_nothing_is_cold_before_everything_is_cool():
    held, tier = [0.9, 0.2, 0.7, 0.1], [HOT, COOL, WARM, COLD]
    assert force(held, [60] * 4, tier, [1000] * 4, 1000) == [COOL, COOL, COOL, COLD]
    assert force(held, [60] * 4, tier, [1000] * 4, 1001) == [COOL, COLD, COOL, COLD]
    assert force(held, [60] * 4, tier, [1000] * 4, 1e9) == [COLD] * 4


def test_what_would_not_become_smaller_stays_where_it_is():
    assert force([0.5, 0.9], [60] * 2, [WARM, HOT], [1000] * 2, 1e9, ratios=(1.0, 6.0, 5.0, 6.0)) == [WARM, COLD]
    assert force([0.5, 0.9], [60] * 2, [WARM, WARM], [0, 10], 1, ratios=RATIOS) == [WARM, COOL]
    assert force([], [], [], [], 100) == []


@given(some.lists(some.tuples(some.sampled_from([0.1, 0.3, 0.5, 0.9]), some.sampled_from([0, 60, 200]),
                              some.integers(HOT, COLD), some.integers(0, 3000)), max_size=12), some.integers(0, 9000))
def test_forcing_saves_what_is_needed_where_it_can_with_the_fewest_moves(memories, needed):
    held, salience, tier, raw = (list(column) for column in zip(*memories, strict=True)) if memories else ([], [], [], [])

    def stored(tiers):
        return sum(size / RATIOS[number] for size, number in zip(raw, tiers, strict=True))

    after = force(held, salience, tier, raw, needed)
    assert all(later >= before for later, before in zip(after, tier, strict=True))
    saved = stored(tier) - stored(after)
    if saved < needed - 1e-6:
        assert all(number == COLD or not size for number, size in zip(after, raw, strict=True))
    moved = [at for at in range(len(tier)) if after[at] > tier[at]]
    if moved:
        coldest = max(after[at] for at in moved)
        last = max((at for at in moved if after[at] == coldest), key=lambda at: (held[at], salience[at], at))
        spared = [max(tier[at], COOL) if at == last and coldest == COLD else tier[at] if at == last else after[at]
                  for at in range(len(tier))]
        assert stored(tier) - stored(spared) < needed + 1e-6
