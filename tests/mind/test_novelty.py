from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hippo.limits import novelty_neighbours as neighbours_max
from hippo.mind.novelty import novelty


def unit(count: int, dimensions: int = 256, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def by_definition(vector: NDArray[np.float32], nearest: NDArray[np.float32]) -> float:
    _, values, directions = np.linalg.svd(nearest.astype(np.float64), full_matrices=False)
    principal = directions[values > 0.01 * values[0]]
    whole = vector / np.linalg.norm(vector).astype(np.float64)
    return float(np.linalg.norm(whole - principal.T @ (principal @ whole)))


@settings(max_examples=60)
@given(st.integers(1, neighbours_max), st.integers(2, 300), st.integers(0, 20), st.sampled_from([0.0, 1e-3, 0.3, 2.0]))
def test_it_is_the_length_of_what_the_principal_directions_leave(rows: int, dimensions: int, seed: int, spread: float) -> None:
    chance = np.random.default_rng(seed)
    known = unit(1, dimensions, seed) + spread * unit(rows, dimensions, seed + 1)
    vector = (known.sum(axis=0) + chance.standard_normal(dimensions)).astype(np.float32)
    assert novelty(vector, known) == pytest.approx(by_definition(vector, known), abs=1e-3)


def test_without_neighbours_all_is_new() -> None:
    assert novelty(unit(1)[0], np.empty((0, 256), np.float32)) == 1.0
    assert novelty(unit(1)[0], np.zeros((3, 256), np.float32)) == 1.0


def test_a_text_without_a_vector_is_new() -> None:
    assert novelty(np.zeros(256, np.float32), unit(5)) == 1.0


def test_what_is_known_already_is_not_new() -> None:
    known = unit(neighbours_max)
    assert novelty(known[3], known) < 1e-3
    assert novelty(known[3] * 7 - known[9], known) < 1e-3


def test_what_points_elsewhere_is_new() -> None:
    known = np.eye(8, dtype=np.float32)[:5]
    assert novelty(np.eye(8, dtype=np.float32)[6], known) == 1.0
    assert novelty(np.array([3, 0, 0, 0, 0, 0, 4, 0], np.float32), known) == pytest.approx(0.8)


def test_what_is_hardly_seen_is_no_known_direction() -> None:
    first, second = np.eye(256, dtype=np.float32)[:2]
    known = np.stack([first, first + 0.005 * second])
    assert novelty(second, known) > 0.99
    known[1] = first + 0.1 * second
    assert novelty(second, known) < 0.01


def test_more_of_the_same_changes_nothing_and_more_of_other_things_makes_less_new() -> None:
    known, vector = unit(8), unit(1, seed=9)[0]
    assert novelty(vector, np.repeat(known, 4, axis=0)) == pytest.approx(novelty(vector, known))
    levels = [novelty(vector, known[:count]) for count in range(1, 9)]
    assert levels == sorted(levels, reverse=True)


def test_more_neighbours_than_32_are_refused() -> None:
    with pytest.raises(AssertionError):
        novelty(unit(1)[0], unit(neighbours_max + 1))
