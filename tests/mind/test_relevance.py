"""How much a memory still matters, and how strongly it is kept."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.mind.relevance import composite, recency, relevance, strength


def one_relevance(salience: float = 0.3, age: float = 0.0, retention: float = 30.0, strong: int = 0,
                  idle: float = 1000.0, protected: bool = False) -> float:
    return float(relevance(np.array([salience]), np.array([age]), np.array([retention]), np.array([strong]),
                           np.array([idle]), np.array([protected]))[0])


def one_strength(intensity: float = 1.0, accesses: int = 0, hours: float = 0.0) -> float:
    return float(strength(np.array([intensity]), np.array([accesses]), np.array([hours]))[0])


def factor(idle: float) -> float:
    return 1.5 if idle <= 1 else 1.2 if idle <= 7 else 1.1 if idle <= 30 else 1.0


_memories = some.lists(some.tuples(
    some.floats(0, 1), some.floats(0, 4000), some.sampled_from([7, 30, 180, 365]), some.integers(0, 12),
    some.one_of(some.floats(0, 400), some.sampled_from([1.0, 7.0, 30.0])), some.booleans()), min_size=1, max_size=20)


@given(_memories)
def test_relevance_follows_its_formula_memory_by_memory(memories: list[tuple[float, float, int, int, float, bool]]) -> None:
    salience, age, kept, strong, idle, protected = map(np.array, zip(*memories, strict=True))
    found = relevance(salience, age, kept, strong, idle, protected)
    assert found.dtype == np.float64
    for got, (s, a, r, n, d, held) in zip(found.tolist(), memories, strict=True):
        expected = (0.5 + s) * math.exp(-a / r) * (1 + 0.1 * n) * factor(d)
        assert got == pytest.approx(max(expected, 0.5) if held else expected)


def test_a_memory_is_lifted_by_having_been_accessed_within_a_day_a_week_a_month() -> None:
    plain = one_relevance()
    assert [one_relevance(idle=days) / plain for days in (0, 1, 1.01, 7, 7.01, 30, 30.01)] == pytest.approx(
        [1.5, 1.5, 1.2, 1.2, 1.1, 1.1, 1.0])


def test_what_is_protected_never_matters_less_than_half() -> None:
    assert one_relevance(age=10_000, protected=True) == 0.5
    assert one_relevance(age=10_000) < 1e-6
    assert one_relevance(salience=1.0, idle=0, protected=True) == pytest.approx(2.25)


def test_a_strong_association_adds_a_tenth() -> None:
    assert one_relevance(strong=3) / one_relevance() == pytest.approx(1.3)


def test_what_is_dated_ahead_is_new() -> None:
    assert one_relevance(age=-50, idle=-50) == one_relevance(age=0, idle=0)
    assert one_strength(hours=-50) == one_strength(hours=0)
    assert recency(np.array([-50.0]))[0] == 1.0


def test_strength_halves_in_twenty_nine_days_without_access() -> None:
    assert one_strength(hours=29 * 24) == pytest.approx(0.5)
    assert one_strength(intensity=0.6, hours=58 * 24) == pytest.approx(0.15)


@given(some.floats(0, 1), some.integers(0, 10_000), some.floats(0, 1e5))
def test_strength_follows_its_formula(intensity: float, accesses: int, hours: float) -> None:
    rate = math.log(2) / (29 * 24)
    expected = intensity * math.exp(-rate / (1 + 0.3 * math.log(1 + accesses)) * hours)
    assert one_strength(intensity, accesses, hours) == pytest.approx(expected)


@given(some.integers(0, 1000), some.floats(1, 1e4))
def test_what_is_accessed_more_fades_slower(accesses: int, hours: float) -> None:
    assert one_strength(accesses=accesses, hours=hours) < one_strength(accesses=accesses + 1, hours=hours) <= 1.0


def test_recency_has_its_two_figures() -> None:
    assert recency(np.array([0.0, 72.0, 720.0])).round(2).tolist() == [1.0, 0.97, 0.74]


def test_the_composite_weighs_six_three_and_one() -> None:
    units = np.eye(3) * 0.5
    assert composite(units[0], np.full(3, 0.05), units[2]) == pytest.approx([0.315, 0.015, 0.065])
    assert composite(np.ones(1), np.ones(1), np.ones(1)) == pytest.approx([1.0])


def test_what_is_too_weak_is_left_out_of_the_composite_however_close_it_is() -> None:
    found = composite(np.array([1.0, 0.1]), np.array([0.0499, 0.05]), np.array([1.0, 0.0]))
    assert found[0] == -np.inf
    assert found[1] == pytest.approx(0.075)
