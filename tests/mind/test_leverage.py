"""How much of what older memories say together rests on each, against the definitions with a full SVD."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.leverage import advice, leverage


def unit_vectors(seed: int, count: int, dimensions: int = 16, topics: int = 5,
                 noise: float = 0.05) -> NDArray[np.float32]:
    chance = np.random.default_rng(seed)
    vectors = chance.standard_normal((count, topics)) @ chance.standard_normal((topics, dimensions))
    vectors += noise * chance.standard_normal((count, dimensions))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def principal_directions(vectors: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """U and V of a full SVD, of the singular values above 1 % of the largest."""
    u, values, v = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    rank = int((values > 0.01 * values[0]).sum()) if len(values) and values[0] > 0 else 0
    return u[:, :rank], v[:rank]


def residual(vector: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    _, directions = principal_directions(others)
    return float(np.linalg.norm(vector - directions.T @ (directions @ vector)))


@settings(deadline=None, max_examples=40)
@given(some.integers(0, 1000), some.integers(1, 60), some.sampled_from([0.0, 0.05, 0.5]))
def test_rank_and_leverage_are_those_of_a_full_svd(seed: int, count: int, noise: float) -> None:
    vectors = unit_vectors(seed, count, noise=noise)
    u, _ = principal_directions(vectors)
    found = leverage(vectors)
    assert found.information_rank == u.shape[1]
    assert found.leverage == pytest.approx((u ** 2).sum(axis=1), abs=1e-6)
    assert found.leverage.sum() == pytest.approx(found.information_rank)
    assert found.redundancy_ratio == pytest.approx(1 - u.shape[1] / count)


@pytest.mark.parametrize("rows", [1, 7, 256])
def test_redundancy_is_what_the_nearest_others_leave_of_a_memory(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(limits, "leverage_rows_at_once", rows)
    monkeypatch.setattr(limits, "novelty_neighbours", 4)
    vectors = unit_vectors(7, 40, noise=0.4)
    exact = vectors.astype(np.float64)
    found = leverage(vectors).redundancy
    for at, vector in enumerate(exact):
        order = [other for other in np.argsort(-(exact @ vector)) if other != at]
        assert found[at] == pytest.approx(1 - residual(vector, exact[order[:4]]), abs=1e-6)
    assert 0.1 < found.min() < found.max() < 0.99


def test_what_was_said_before_is_redundant_and_what_stands_alone_is_not() -> None:
    alone = np.eye(8, dtype=np.float32)
    found = leverage(np.vstack((alone, alone[:1])))
    assert found.redundancy == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0, 1])
    assert found.leverage == pytest.approx([0.5, 1, 1, 1, 1, 1, 1, 1, 0.5])
    assert found.information_rank == 8
    assert found.redundancy_ratio == pytest.approx(1 / 9)


def test_what_two_others_say_together_is_redundant_though_it_is_like_neither() -> None:
    half = np.sqrt(0.5)
    found = leverage(np.array([[1, 0, 0], [0, 1, 0], [half, half, 0], [0, 0, 1]], np.float32))
    assert found.redundancy[2] == pytest.approx(1)
    assert found.redundancy[3] == pytest.approx(0)


def test_a_hundredth_of_the_largest_direction_is_no_direction() -> None:
    small, tiny = np.zeros((2, 2, 3), np.float32)
    small[:, 0] = tiny[:, 0] = 1
    small[1, 1], tiny[1, 1] = 0.05, 0.02
    assert leverage(small).information_rank == 2
    assert leverage(tiny).information_rank == 1


def test_many_memories_do_not_all_count_as_redundant() -> None:
    found = leverage(unit_vectors(9, 600, dimensions=128, topics=128, noise=1.0))
    assert found.redundancy_ratio > 0.75
    assert found.leverage.max() < 0.5
    assert 0.1 < (found.redundancy >= 0.5).mean() < 0.5


def test_a_memory_without_a_vector_has_neither_leverage_nor_redundancy() -> None:
    vectors = unit_vectors(3, 6)
    vectors[2] = 0
    found = leverage(vectors)
    assert found.leverage[2] == found.redundancy[2] == 0
    nothing = leverage(np.zeros((3, 4), np.float32))
    assert (nothing.information_rank, nothing.redundancy_ratio) == (0, 1.0)
    assert not nothing.leverage.any() and not nothing.redundancy.any()


def test_no_memory_and_one_memory_are_no_trouble() -> None:
    none = leverage(np.empty((0, 4), np.float32))
    assert (none.information_rank, none.redundancy_ratio, len(none.redundancy)) == (0, 0.0, 0)
    one = leverage(np.array([[0.6, 0.8]], np.float32))
    assert (one.information_rank, one.redundancy_ratio) == (1, 0.0)
    assert one.leverage == pytest.approx([1])
    assert one.redundancy.tolist() == [0]


def test_advice_follows_recalls_and_redundancy() -> None:
    redundancy = np.array([0.1, 0.9, 0.5, 0.9, 0.49, 0.49, 0.49])
    accesses = np.array([0, 0, 1, 7, 2, 3, 9])
    assert advice(redundancy, accesses) == ["prune", "prune", "compress", "compress", None, "refresh", "refresh"]
