"""Which memories say much the same, and which say something else about the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from hippo import limits
from hippo.limits import resemblance_characters_max
from hippo.mind.clusters import clusters, contradictions, similar_pairs


def unit_vectors(seed: int, count: int, dimensions: int = 24, topics: int = 6) -> NDArray[np.float32]:
    chance = np.random.default_rng(seed)
    vectors = chance.standard_normal((count, topics)) @ chance.standard_normal((topics, dimensions))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def all_pairs(vectors: NDArray[np.float32], floor: float) -> dict[tuple[int, int], float]:
    exact = vectors.astype(np.float64)
    return {(one, other): exact[one] @ exact[other] for one in range(len(exact)) for other in range(one + 1, len(exact))
            if round(float(exact[one] @ exact[other]), 5) >= floor}


def connected(pairs: list[tuple[int, int]], count: int) -> list[list[int]]:
    """By the definition: who can be reached."""
    reach = np.eye(count, dtype=bool)
    for one, other in pairs:
        reach[one, other] = reach[other, one] = True
    for _ in range(count):
        reach = reach @ reach
    return [np.flatnonzero(row).tolist() for at, row in enumerate(reach) if row.sum() > 1 and not row[:at].any()]


@pytest.mark.parametrize("rows", [1, 7, 64, 1000])
def test_all_pairs_at_the_floor_are_found_whatever_the_size_of_a_step(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    vectors = unit_vectors(1, 150)
    monkeypatch.setattr(limits, "cosines_at_once", rows * len(vectors))
    found = similar_pairs(vectors, 0.5, 10_000)
    expected = all_pairs(vectors, 0.5)
    assert len(expected) > 500
    assert list(map(tuple, found.pairs.tolist())) == sorted(expected)
    assert found.cosine.tolist() == pytest.approx([expected[pair] for pair in sorted(expected)], abs=1e-5)
    assert not found.capped


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_of_too_many_pairs_the_most_alike_are_kept(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    vectors = unit_vectors(2, 120)
    monkeypatch.setattr(limits, "cosines_at_once", rows * len(vectors))
    everything = similar_pairs(vectors, 0.3, 10_000)
    best = np.lexsort((everything.pairs[:, 1], everything.pairs[:, 0], -everything.cosine))[:40]
    found = similar_pairs(vectors, 0.3, 40)
    assert found.capped
    assert found.pairs.tolist() == sorted(everything.pairs[best].tolist())
    assert sorted(found.cosine) == pytest.approx(sorted(everything.cosine[best]))


def test_just_as_many_pairs_as_asked_for_are_not_too_many() -> None:
    vectors = unit_vectors(3, 60)
    count = len(all_pairs(vectors, 0.5))
    assert not similar_pairs(vectors, 0.5, count).capped
    assert similar_pairs(vectors, 0.5, count - 1).capped


@pytest.mark.parametrize("cosines", [200, 1_000_000])
def test_of_equals_the_earlier_pairs_are_kept(monkeypatch: pytest.MonkeyPatch, cosines: int) -> None:
    monkeypatch.setattr(limits, "cosines_at_once", cosines)
    found = similar_pairs(np.repeat(unit_vectors(4, 1), 100, axis=0), 0.8, 150)
    assert found.pairs.tolist() == [[0, other] for other in range(1, 100)] + [[1, other] for other in range(2, 53)]
    assert found.cosine.tolist() == [1.0] * 150
    assert found.capped


def test_a_cosine_of_just_the_floor_counts() -> None:
    vectors = np.array([[1, 0, 0], [0.7999999, 0.6, 0], [0.79998, 0, 0.60003]], np.float32)
    assert similar_pairs(vectors, 0.8, 10).pairs.tolist() == [[0, 1]]


def test_nothing_is_like_what_has_no_vector() -> None:
    found = similar_pairs(np.zeros((5, 8), np.float32), 0.1, 10)
    assert found.pairs.shape == (0, 2)
    assert similar_pairs(np.empty((0, 8), np.float32), 0.1, 10).pairs.shape == (0, 2)


@given(some.integers(1, 12).flatmap(lambda count: some.tuples(
    some.just(count), some.lists(some.tuples(some.integers(0, count - 1), some.integers(0, count - 1)), max_size=20))))
def test_clusters_are_what_pairs_connect(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    count, pairs = drawn
    found = [group.tolist() for group in clusters(np.array(pairs, np.int64).reshape(-1, 2), count)]
    assert found == connected(pairs, count)


@given(some.permutations([(0, 1), (1, 2), (5, 3), (2, 0), (8, 9), (9, 7)]))
def test_clusters_do_not_depend_on_the_order_of_pairs(pairs: list[tuple[int, int]]) -> None:
    assert [group.tolist() for group in clusters(np.array(pairs), 10)] == [[0, 1, 2], [3, 5], [7, 8, 9]]


def test_a_long_chain_is_one_cluster() -> None:
    chain = np.stack((np.arange(1, 50_000), np.arange(49_999)), axis=1)
    assert [len(group) for group in clusters(chain[::-1], 50_000)] == [50_000]


TEXTS = ["Anna lives in Berlin", "Anna lives in Berlin now", "My sister moved away to Graz", "🎉", "!", "The in of"]


def test_pairs_that_are_close_in_other_words_may_contradict_each_other() -> None:
    pairs = np.array([[0, 1], [2, 0], [1, 2]])
    found = contradictions(np.array([0.99, 0.6, 0.7], "f4"), pairs, TEXTS)
    assert [(pair.one, pair.other) for pair in found] == [(1, 2), (0, 2)]
    assert [pair.cosine for pair in found] == pytest.approx([0.7, 0.6])
    assert [pair.overlap for pair in found] == [0.0, 0.0]


def test_pairs_below_the_cosine_or_with_many_words_in_common_do_not() -> None:
    assert contradictions(np.array([0.5999, 0.95], "f4"), np.array([[0, 2], [0, 1]]), TEXTS) == []


def test_the_overlap_is_of_content_words_alone() -> None:
    texts = ["the cat is on the mat with a dog", "the fox is on the bed with a dog"]  # cat mat dog, fox bed dog
    found = contradictions(np.array([0.8]), np.array([[0, 1]]), texts)
    assert found[0].overlap == pytest.approx(1 / 5)


@pytest.mark.parametrize(("shared", "contradict"), [(2, True), (3, False)])
def test_three_of_ten_words_in_common_are_enough_to_agree(shared: int, contradict: bool) -> None:
    ten = ["amber", "bronze", "cobalt", "denim", "ebony", "flint", "garnet", "hazel", "ivory", "jade"]
    one, other = ten[:5 + shared], ten[5:]  # ten words in all
    assert len(set(one) & set(other)) == shared
    assert bool(contradictions(np.array([0.8]), np.array([[0, 1]]), [" ".join(one), " ".join(other)])) is contradict


def test_a_text_without_words_contradicts_nothing() -> None:
    assert contradictions(np.ones(2), np.array([[3, 4], [0, 3]]), TEXTS) == []


def test_texts_are_judged_by_their_beginning() -> None:
    opening = "harbour survey " * (resemblance_characters_max // 15 + 1)
    assert contradictions(np.ones(1), np.array([[0, 1]]), [opening + "one two three four five six", opening]) == []
