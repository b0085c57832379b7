from __future__ import annotations

import json
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hippo import limits
from hippo.embed.embedder import Calibration, Embedder, open_embedder, rarity
from hippo.errors import BadSetting

NAMES = ["wordllama", "term-frequency"]


class Pair(NamedTuple):
    kind: str
    first: str
    second: str
    reference: float


PAIRS = [Pair(**row) for row in json.loads(files("hippo.embed").joinpath("pairs.json").read_text("utf-8"))]


@pytest.fixture(scope="module", params=NAMES)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return open_embedder(str(request.param))


def calibrated(embedder: Embedder, pairs: list[Pair]) -> NDArray[np.float32]:
    first = embedder.embed([pair.first for pair in pairs]).vectors
    second = embedder.embed([pair.second for pair in pairs]).vectors
    return embedder.calibrate(np.einsum("nd,nd->n", first, second))


def test_an_unknown_name_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BadSetting, match="wordllama, term-frequency"):
        open_embedder("wordlama")


def test_rows_are_unit_and_as_wide_as_announced(embedder: Embedder) -> None:
    vectors, tokens = embedder.embed(["Anna lives in Berlin.", "東京", "x"])
    assert vectors.shape == (3, embedder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert tokens is not None
    assert all(row.dtype == np.uint16 and row.max() < embedder.vocabulary for row in tokens)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    vectors, tokens = embedder.embed([])
    assert vectors.shape == (0, embedder.dimensions)
    assert tokens == []


def test_a_text_without_tokens_has_a_row_of_zeros(embedder: Embedder) -> None:
    vectors, tokens = embedder.embed([""])
    assert not vectors.any()
    assert tokens is not None
    assert len(tokens[0]) == 0
    assert not embedder.pool(tokens[0], np.zeros(embedder.vocabulary, np.uint32), 0).any()


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Embedder) -> None:
    texts = ["Anna lives in Berlin.", "Tom ran.", "a much longer text about many other things " * 50]
    together = embedder.embed(texts).vectors
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(embedder.embed([text]).vectors[0], row)


def test_surrogates_controls_and_long_texts_are_embedded(embedder: Embedder) -> None:
    vectors = embedder.embed(["half \ud83d of a pair", "\u0000\u0007 bell", "word " * 10_000, "x" * 50_000]).vectors
    assert np.isfinite(vectors).all()


def test_a_word_in_every_memory_counts_less_in_a_cue_than_a_rare_one(embedder: Embedder) -> None:
    tokens = embedder.embed(["Caroline kayak"]).tokens
    (common, rare), numbers = embedder.embed(["Caroline", "kayak"])
    assert tokens is not None
    assert numbers is not None
    frequency = np.zeros(embedder.vocabulary, np.uint32)
    frequency[numbers[0]] = 1000
    frequency[numbers[1]] = 1
    cue = embedder.pool(tokens[0], frequency, 1000)
    assert cue @ rare > cue @ common
    assert np.linalg.norm(cue) == pytest.approx(1, rel=1e-5)


def test_calibration_is_monotone_and_stays_between_0_and_1(embedder: Embedder) -> None:
    places = embedder.calibrate(np.linspace(-1.001, 1.001, 2003, dtype=np.float32))
    assert places.dtype == np.float32
    assert (np.diff(places) >= 0).all()
    assert places.min() == 0
    assert places.max() == 1


@pytest.mark.parametrize(("name", "error"), [("wordllama", 0.075), ("term-frequency", 0.11)])
def test_calibrated_cosines_are_close_to_those_of_the_reference(name: str, error: float) -> None:
    measured = calibrated(open_embedder(name), PAIRS)
    assert np.abs(measured - [pair.reference for pair in PAIRS]).mean() < error


def test_the_bands_tell_kinds_of_pairs_apart(embedder: Embedder) -> None:
    def median(kind: str) -> float:
        return float(np.median(calibrated(embedder, [pair for pair in PAIRS if pair.kind == kind])))

    assert median("unrelated") < limits.related < median("value")
    assert limits.related < median("paraphrase")
    assert median("identical") > limits.duplicate


@settings(max_examples=50)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=20))
def test_rarity_falls_with_frequency_and_is_never_negative(frequencies: list[int]) -> None:
    ascending = rarity(np.array(sorted(frequencies), np.uint32), 900)
    assert (np.diff(ascending) <= 0).all()
    assert (ascending > 0).all()


def test_a_calibration_that_falls_is_a_defect() -> None:
    with pytest.raises(AssertionError):
        Calibration((0.0, 0.5), (1.0, 0.4))
