"""What a recall changes, and how associations fade."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from hippo.limits import ms_per_day
from hippo.mind.plasticity import decayed, hebbian, on_grid, spaced

_unit = some.floats(0, 1, width=32)


def _column(value):
    return np.array([value], "f4")


@given(_unit, _unit, _unit)
def test_a_spaced_recall_gains_more_than_a_massed_one(salience, activation, held):
    late = spaced(_column(2), _column(held * 0.5), _column(salience), _column(activation))
    soon = spaced(_column(2), _column(held), _column(salience), _column(activation))
    assert late[0] >= soon[0] >= 2.0


def test_stability_follows_the_formula():
    grown = spaced(_column(2), _column(0.5), _column(0.4), _column(0.8))
    assert abs(float(grown[0]) - (2 + 2 * 1.5 * 0.5 * 1.4 * 0.8 + 0.1)) < 4e-3


@given(_unit, _unit, _unit)
def test_a_weight_only_grows_by_firing_together_and_stays_within_one(weight, first, second):
    after = float(hebbian(on_grid(_column(weight)), _column(first), _column(second))[0])
    assert float(on_grid(_column(weight))[0]) - 1e-6 <= after <= 1.0


@given(some.floats(0.06, 1.0), some.integers(1, 2000), some.integers(1, 2000))
def test_decay_in_two_passes_equals_decay_in_one(weight, one, other):
    once = decayed(_column(weight), np.array([0]), (one + other) * ms_per_day)
    half_way = decayed(_column(weight), np.array([0]), one * ms_per_day)
    twice = decayed(half_way, np.array([0]), other * ms_per_day)
    assert abs(float(once[0]) - float(twice[0])) < 1e-5


def test_half_of_what_is_above_the_floor_is_left_after_sixty_days():
    assert abs(float(decayed(_column(0.85), np.array([0]), 60 * ms_per_day)[0]) - (0.05 + 0.4)) < 1e-6


def test_an_association_set_after_the_last_pass_has_not_decayed():
    assert float(decayed(_column(0.4), np.array([5]), 0)[0]) == np.float32(0.4)
