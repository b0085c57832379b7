from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hippo.embed.vectors import Vectors


def unit(count: int, dimensions: int = 64, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def filled(rows: NDArray[np.float32]) -> Vectors:
    vectors = Vectors(rows.shape[1])
    vectors.add(rows)
    return vectors


def test_cosines_are_those_of_the_unrounded_rows_within_a_hundredth() -> None:
    rows, queries = unit(1000), unit(5, seed=1)
    vectors = filled(rows)
    np.testing.assert_allclose(vectors.scan_many(queries), queries @ rows.T, atol=0.01)
    for query in queries:
        np.testing.assert_allclose(vectors.scan(query), rows @ query, atol=0.01)


def test_a_vector_has_a_cosine_of_1_to_itself_and_no_cosine_leaves_the_scale() -> None:
    rows = unit(500)
    cosines = filled(rows).scan_many(rows)
    np.testing.assert_allclose(np.diag(cosines), 1, atol=1e-6)
    assert np.abs(cosines).max() <= 1 + 1e-6


def test_a_row_of_zeros_is_like_nothing() -> None:
    vectors = filled(np.zeros((2, 64), np.float32))
    assert not vectors.scan(unit(1)[0]).any()
    assert not vectors.row(1).any()


def test_no_rows_give_no_cosines() -> None:
    vectors = Vectors(64)
    assert vectors.scan(unit(1)[0]).shape == (0,)
    assert vectors.scan_many(unit(3)).shape == (3, 0)
    vectors.add(np.empty((0, 64), np.float32))
    assert len(vectors) == 0


def test_rows_come_back_with_length_1_in_the_order_asked_for() -> None:
    rows = unit(20)
    back = filled(rows).rows([7, 3, 7])
    np.testing.assert_allclose(back, rows[[7, 3, 7]], atol=0.01)
    np.testing.assert_allclose(np.linalg.norm(back, axis=1), 1, atol=1e-5)


def test_a_row_that_is_not_there_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        filled(unit(20)).row(20)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 400), max_size=6))
def test_rows_added_in_parts_equal_rows_added_at_once(parts: list[int]) -> None:
    rows = unit(sum(parts))
    vectors = Vectors(64)
    at = 0
    for part in parts:
        vectors.add(rows[at:at + part])
        at += part
        assert len(vectors) == at
    assert vectors.to_bytes() == filled(rows).to_bytes()


@settings(max_examples=25)
@given(st.lists(st.sets(st.integers(0, 299), max_size=20), max_size=5), st.booleans())
def test_replaced_rows_equal_rows_added_so(replaced: list[set[int]], is_loaded: bool) -> None:
    rows = unit(300)
    vectors = Vectors.from_bytes(filled(rows).to_bytes()) if is_loaded else filled(rows)
    for seed, some in enumerate(replaced, 1):
        fresh = unit(len(some), seed=seed)
        vectors.replace(list(some), fresh)
        rows[list(some)] = fresh
    assert vectors.to_bytes() == filled(rows).to_bytes()
    np.testing.assert_array_equal(vectors.scan(rows[0]), filled(rows).scan(rows[0]))


@pytest.mark.parametrize("index", [-1, 20])
def test_a_row_that_is_not_there_cannot_be_replaced(index: int) -> None:
    vectors = filled(unit(20))
    with pytest.raises(IndexError):
        vectors.replace([3, index], unit(2, seed=1))
    assert vectors.to_bytes() == filled(unit(20)).to_bytes()


def test_what_a_reader_saw_stays_while_the_owner_appends_past_the_room_there_was() -> None:
    rows = unit(600)
    vectors = filled(rows[:200])
    seen = vectors.rows(range(200))
    vectors.add(rows[200:])
    np.testing.assert_array_equal(vectors.rows(range(200)), seen)


def test_bytes_bring_the_same_cosines_back_and_can_be_added_to() -> None:
    rows = unit(300)
    vectors = filled(rows[:200])
    loaded = Vectors.from_bytes(vectors.to_bytes())
    np.testing.assert_array_equal(loaded.scan(rows[0]), vectors.scan(rows[0]))
    loaded.add(rows[200:])
    assert loaded.to_bytes() == filled(rows).to_bytes()


@pytest.mark.parametrize("cut", [0, 3, 8, 100, -1])
def test_bytes_cut_short_are_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="vectors"):
        Vectors.from_bytes(filled(unit(5)).to_bytes()[:cut])


def test_a_thread_that_scans_sees_whole_rows_while_the_owner_appends() -> None:
    rows = unit(4000)
    vectors = filled(rows[:1])
    done = threading.Event()
    wrong: list[float] = []

    def scan() -> None:
        while not done.is_set():
            cosines = vectors.scan(rows[0])
            off = np.abs(cosines - rows[: len(cosines)] @ rows[0])
            wrong.extend(off[off > 0.01].tolist())

    reader = threading.Thread(target=scan)
    reader.start()
    for at in range(1, len(rows), 7):
        vectors.add(rows[at:at + 7])
    done.set()
    reader.join(timeout=10)
    assert not reader.is_alive()
    assert wrong == []
