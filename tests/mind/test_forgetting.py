"""The forgetting curve."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from hippo.limits import ms_per_day
from hippo.mind.forgetting import days_until, first_stability, retention


def test_a_tenth_is_lost_after_one_stability():
    held = retention(np.array([0]), np.array([3.0], "f4"), 3 * ms_per_day)
    assert abs(float(held[0]) - 0.9) < 1e-6


def test_the_curve_is_a_power_law_and_not_exponential():
    days = np.array([1, 10, 100, 1000])
    held = retention(np.zeros(4), np.ones(4, "f4"), 0) * 0 + np.array(
        [float(retention(np.array([0]), np.array([1.0], "f4"), int(d) * ms_per_day)[0]) for d in days])
    # A power law loses the same factor with each tenfold of time in the end.
    assert abs(held[3] / held[2] - 0.1) < 0.01


@given(some.integers(-10**12, 10**12), some.floats(0.1, 1e5))
def test_time_never_runs_backwards_for_a_memory(last_access, stability):
    held = float(retention(np.array([last_access]), np.array([stability], "f4"), 0)[0])
    assert 0.0 < held <= 1.0
    assert last_access < 0 or held == 1.0


@given(some.floats(0.05, 0.99), some.floats(0.5, 1000))
def test_the_days_until_a_level_invert_the_curve(level, stability):
    days = days_until(level, stability)
    held = float(retention(np.array([0]), np.array([stability], "f8"), round(days * ms_per_day))[0])
    assert abs(held - level) < 1e-4


def test_what_is_salient_starts_more_stable():
    assert first_stability(0.0) == 1.0
    assert first_stability(1.0) == 4.0
