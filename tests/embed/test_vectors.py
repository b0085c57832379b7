from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hippo import limits
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


def alike(count: int, dimensions: int = 256, seed: int = 0) -> NDArray[np.float32]:
    """Rows in groups, as texts come: some forty about the same thing, and what all have in common."""
    chance = np.random.default_rng(seed)
    topics = chance.standard_normal((max(1, count // 40), dimensions), np.float32)
    rows = topics[chance.integers(len(topics), size=count)] + 0.9 * chance.standard_normal((count, dimensions), np.float32)
    rows += 0.3 * chance.standard_normal(dimensions, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def nearest_by_scan(vectors: Vectors, query: NDArray[np.float32], count: int, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    cosines = vectors.scan(query)[slots]
    return slots[np.lexsort((slots, -cosines))][:count]


@pytest.fixture
def always_by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "vector_exact_rows_max", 0)


@settings(max_examples=30)
@given(st.integers(1, 200), st.integers(1, 40), st.integers(0, 9))
def test_among_few_rows_the_nearest_are_those_of_a_scan(rows: int, count: int, seed: int) -> None:
    vectors, query = filled(unit(rows)), unit(1, seed=seed)[0]
    slots, cosines = vectors.nearest(query, count)
    np.testing.assert_array_equal(slots, nearest_by_scan(vectors, query, count, np.arange(rows)))
    np.testing.assert_array_equal(cosines, vectors.scan(query)[slots])


def test_among_many_rows_nearly_all_of_the_nearest_are_found_and_the_nearest_always() -> None:
    rows = alike(20_000)
    vectors = filled(rows)
    assert len(vectors) > limits.vector_exact_rows_max
    found = 0
    for query in rows[::1000]:
        slots, cosines = vectors.nearest(query, 32)
        expected = nearest_by_scan(vectors, query, 32, np.arange(len(rows)))
        assert slots[0] == expected[0]
        assert (np.diff(cosines) <= 0).all()
        found += len(np.intersect1d(slots, expected))
    assert found / (20 * 32) > 0.97


@pytest.mark.usefixtures("always_by_signs")
def test_the_signs_find_among_few_candidates_what_a_scan_finds() -> None:
    rows = unit(1000, 100)
    vectors = filled(rows)  # all are candidates
    np.testing.assert_array_equal(vectors.nearest(rows[7], 9)[0], nearest_by_scan(vectors, rows[7], 9, np.arange(1000)))


@pytest.mark.usefixtures("always_by_signs")
@pytest.mark.parametrize("count", [1, 5, 32])
def test_of_equals_the_lower_slots_come_first(count: int) -> None:
    rows = np.repeat(unit(2, 256), (5000, 3000), axis=0)[::-1]
    vectors = filled(rows)
    slots, cosines = vectors.nearest(rows[-1], count)
    np.testing.assert_array_equal(slots, np.arange(3000, 3000 + count))
    np.testing.assert_allclose(cosines, 1, atol=1e-6)


@pytest.mark.usefixtures("always_by_signs")
def test_a_row_of_zeros_is_never_near_nor_is_anything_near_to_a_vector_of_zeros() -> None:
    rows = np.zeros((5000, 256), np.float32)
    rows[4000:4003] = unit(3, 256)
    vectors = filled(rows)
    for among in (None, np.arange(3990, 4010)):
        slots, _ = vectors.nearest(-np.abs(rows[4001]), 32, among)  # with the signature of a row of zeros
        assert sorted(slots.tolist()) == [4000, 4001, 4002]
        assert len(vectors.nearest(rows[0], 32, among)[0]) == 0


@pytest.mark.usefixtures("always_by_signs")
def test_vectors_without_negative_numbers_are_all_looked_at() -> None:
    rows = np.abs(unit(3000, 128)) * (unit(3000, 128, seed=1) > 0.1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = filled(rows)
    for query in rows[:5]:
        np.testing.assert_array_equal(vectors.nearest(query, 32)[0], nearest_by_scan(vectors, query, 32, np.arange(3000)))


@settings(max_examples=25)
@given(st.sets(st.integers(0, 299), max_size=60), st.integers(1, 20))
def test_among_given_slots_all_of_them_are_looked_at_and_no_others(some: set[int], count: int) -> None:
    vectors, query = filled(unit(300)), unit(1, seed=3)[0]
    among = np.array(sorted(some, key=lambda slot: slot * 7 % 300), np.int64)
    np.testing.assert_array_equal(
        vectors.nearest(query, count, among)[0], nearest_by_scan(vectors, query, count, np.sort(among)))


def test_a_slot_that_is_not_there_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        filled(unit(20)).nearest(unit(1)[0], 3, np.array([3, 20]))


@pytest.mark.usefixtures("always_by_signs")
def test_signatures_follow_what_is_added_replaced_and_loaded() -> None:
    rows = unit(5000, 256)
    grown, seen = Vectors(256), rows.copy()
    for at in range(0, 5000, 700):
        grown.add(rows[at:at + 700])
    seen[[5, 4999]] = unit(2, 256, seed=5)
    grown.replace([4999, 5], seen[[4999, 5]])
    for vectors in (grown, filled(seen), Vectors.from_bytes(grown.to_bytes())):
        assert [vectors.nearest(seen[slot], 1)[0].tolist() for slot in (5, 1234, 4999)] == [[5], [1234], [4999]]
        np.testing.assert_array_equal(vectors.nearest(seen[9], 32)[0], filled(seen).nearest(seen[9], 32)[0])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 11)), max_size=12), st.integers(0, 99))
def test_what_is_sought_again_is_found_as_if_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch, steps: list[tuple[int, int]], seed: int
) -> None:
    monkeypatch.setattr(limits, "vector_exact_rows_max", 0)
    monkeypatch.setattr(limits, "vector_candidates", 64)
    monkeypatch.setattr(limits, "vector_likely_kept", 5)
    rows = np.concatenate([unit(300, 64, seed), np.zeros((20, 64), np.float32), unit(12 * 400, 64, seed + 1)])
    rows[500:540] = rows[3]  # as like as can be: the lower slots count
    grown = filled(rows[:300])
    for more, asked in steps:
        grown.add(rows[len(grown):len(grown) + more])
        if asked == 11:
            grown.replace([1, 2], unit(2, 64, more))
        for query in (rows[asked], rows[3], rows[-1]):
            fresh = Vectors.from_bytes(grown.to_bytes())
            for mine, expected in zip(grown.nearest(query, 32), fresh.nearest(query, 32), strict=True):
                np.testing.assert_array_equal(mine, expected)


def test_nothing_is_near_where_nothing_is() -> None:
    slots, cosines = Vectors(64).nearest(unit(1)[0], 5)
    assert slots.shape == cosines.shape == (0,)


@pytest.mark.usefixtures("always_by_signs")
def test_a_thread_finds_whole_rows_while_the_owner_appends() -> None:
    rows = unit(4000, 256)
    vectors = filled(rows[:1])
    done = threading.Event()
    wrong: list[object] = []

    def search() -> None:
        while not done.is_set():
            slots, cosines = vectors.nearest(rows[0], 8)
            if slots[0] != 0 or (np.abs(cosines - rows[slots] @ rows[0]) > 0.01).any():
                wrong.append((slots, cosines))

    reader = threading.Thread(target=search)
    reader.start()
    for at in range(1, len(rows), 7):
        vectors.add(rows[at:at + 7])
    done.set()
    reader.join(timeout=10)
    assert not reader.is_alive()
    assert wrong == []
