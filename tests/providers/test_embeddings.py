from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from hippo import limits
from hippo.embed.embedder import Calibration, Embedder, open_embedder
from hippo.errors import BadSetting, EmbedderFailed, EmbedderUnknown
from hippo.providers.embeddings import Pair, ServiceEmbedder, calibration, open_service, pairs
from hippo.text import term_frequency
from tests.providers.fake_openai import Asked, FakeOpenAI, Reply, vectors

KEY = "sk-secret-0123456789"
PAIRS = pairs()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_wait_seconds", 0.001)


@pytest.fixture
def fake() -> FakeOpenAI:
    return FakeOpenAI()


def embedder_at(fake: FakeOpenAI, dimensions: int | None = None) -> ServiceEmbedder:
    return ServiceEmbedder(fake.url, KEY, "small", dimensions=dimensions)


def test_it_is_an_embedder_and_its_name_says_which_model_it_is(fake: FakeOpenAI) -> None:
    with fake:
        embedder: Embedder = embedder_at(fake)
        assert embedder.name == "service:small"
        assert embedder.vocabulary == 0
        assert not fake.asked


def test_rows_are_unit_float32_in_the_order_of_the_texts(fake: FakeOpenAI) -> None:
    with fake:
        embedder = embedder_at(fake)
        found = embedder.embed(["tea", "I live in Berlin.", "茶"])
        embedder.close()
    assert found.tokens is None
    assert found.vectors.dtype == np.float32
    assert found.vectors.shape == (3, term_frequency.dimensions) == (3, embedder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=1), 1, rtol=1e-5)
    assert float(found.vectors[0] @ found.vectors[1]) == pytest.approx(term_frequency.cosine("tea", "I live in Berlin."), abs=1e-5)
    assert [(asked.path, asked.body["model"], asked.headers["authorization"]) for asked in fake.asked] == [
        ("/v1/embeddings", "small", f"Bearer {KEY}")]


def test_a_service_that_answers_out_of_order_is_put_in_order() -> None:
    rows = vectors([1.0, 0.0], [0.0, 1.0])
    rows.body["data"].reverse()
    with FakeOpenAI(rows) as fake:
        embedder = embedder_at(fake)
        np.testing.assert_array_equal(embedder.embed(["a", "b"]).vectors, np.eye(2, dtype=np.float32))
        embedder.close()


def test_texts_are_sent_in_batches(fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "embed_pieces_max", 4)
    texts = [f"text number {number}" for number in range(10)]
    with fake:
        embedder = embedder_at(fake)
        together = embedder.embed(texts).vectors
        assert [len(asked.body["input"]) for asked in fake.asked] == [4, 4, 2]
        for text, row in zip(texts, together, strict=True):
            np.testing.assert_allclose(embedder.embed([text]).vectors[0], row, atol=1e-6)
        embedder.close()


def test_a_text_that_says_nothing_is_a_row_of_zeros_and_is_not_sent(fake: FakeOpenAI) -> None:
    with fake:
        embedder = embedder_at(fake)
        found = embedder.embed(["", "tea", " \n"]).vectors
        assert [row.any() for row in found] == [False, True, False]
        assert [asked.body["input"] for asked in fake.asked] == [["tea"]]
        assert embedder.embed([]).vectors.shape == (0, term_frequency.dimensions)
        assert len(fake.asked) == 1
        embedder.close()


def test_a_long_text_is_sent_in_pieces_and_found_by_its_end(fake: FakeOpenAI) -> None:
    long = "The weather was grey. " * 120 + "My cat is called Misty. " * 60
    with fake:
        embedder = embedder_at(fake)
        whole, end = embedder.embed([long, "My cat is called Misty."]).vectors
        sent = fake.asked[0].body["input"]
        embedder.close()
    assert all(len(piece) <= limits.embed_piece_characters_max for piece in sent)
    assert "".join(sent[:-1]) == long
    assert np.linalg.norm(whole) == pytest.approx(1, rel=1e-5)
    assert whole @ end > 0.3


def test_half_a_pair_of_surrogates_can_be_sent(fake: FakeOpenAI) -> None:
    with fake:
        embedder = embedder_at(fake)
        assert np.isfinite(embedder.embed(["half \ud83d of a pair \u0000"]).vectors).all()
        embedder.close()


def test_the_width_is_asked_for_where_it_is_not_known(fake: FakeOpenAI) -> None:
    with fake:
        embedder = embedder_at(fake)
        assert embedder.dimensions == term_frequency.dimensions
        assert embedder.dimensions == term_frequency.dimensions
        assert len(fake.asked) == 1
        assert ServiceEmbedder(fake.url, None, "small", dimensions=7).dimensions == 7
        assert len(fake.asked) == 1
        embedder.close()


@pytest.mark.parametrize("known", [None, 2])
def test_vectors_of_another_width_are_a_failure_ever_after(known: int | None) -> None:
    with FakeOpenAI(vectors([1.0, 0.0]), vectors([1.0, 0.0, 0.0]), vectors([0.0, 1.0])) as fake:
        embedder = embedder_at(fake, known)
        embedder.embed(["a"])
        with pytest.raises(EmbedderFailed, match="vectors of 3 numbers, not 2"):
            embedder.embed(["a"])
        assert embedder.embed(["a"]).vectors.shape == (1, 2)
        embedder.close()


@pytest.mark.parametrize("reply", [
    vectors([1.0]), vectors([1.0], [1.0], [1.0]), vectors([1.0], [1.0, 2.0]), vectors([], []), vectors(),
    Reply(body={"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]}), Reply(body={}), Reply(body=b"<html>"),
    Reply(body=b'{"data": [{"embedding": [1e999]}, {"embedding": [0.5]}]}'), vectors([1e39], [1.0]), Reply(400, {"error": "too long"}),
    Reply(401)])
def test_whatever_is_not_a_vector_for_each_text_is_a_failure(reply: Reply) -> None:
    with FakeOpenAI(reply) as fake:
        embedder = embedder_at(fake)
        with pytest.raises(EmbedderFailed) as failure:
            embedder.embed(["a", "b"])
        embedder.close()
    assert KEY not in f"{failure.value} {failure.value.words} {embedder!r}"


def test_a_service_that_is_down_is_a_failure_that_says_so_and_is_not_remembered() -> None:
    with FakeOpenAI(*[Reply(503)] * 4) as fake:
        embedder = embedder_at(fake)
        with pytest.raises(EmbedderFailed, match="status 503, 4 times"):
            embedder.embed(["a"])
        assert embedder.embed(["tea"]).vectors.any()
        embedder.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(BadSetting, match="HIPPO_EMBED_URL"):
        ServiceEmbedder("openai", None, "small")


def test_cosines_of_a_model_that_was_not_measured_are_taken_as_they_are_between_0_and_1() -> None:
    embedder = ServiceEmbedder("http://127.0.0.1:1", None, "small")
    np.testing.assert_allclose(
        embedder.calibrate(np.array([-1, -0.2, 0, 0.35, 1, 1.001], np.float32)), [0, 0, 0, 0.35, 1, 1], atol=1e-6)


@pytest.mark.parametrize(("name", "error"), [("wordllama", 0.075), ("term-frequency", 0.11)])
def test_a_measured_calibration_is_as_close_to_the_reference_as_one_made_by_hand(name: str, error: float) -> None:
    embedder = open_embedder(name)
    knots = calibration(embedder, PAIRS)
    both = embedder.embed([text for pair in PAIRS for text in (pair.first, pair.second)]).vectors
    measured = Calibration(*knots)(np.einsum("nd,nd->n", both[0::2], both[1::2]))
    assert np.abs(measured - [pair.reference for pair in PAIRS]).mean() < error
    assert knots == calibration(embedder, PAIRS)


def test_a_calibration_that_was_measured_is_used_and_tells_the_bands_apart(fake: FakeOpenAI) -> None:
    with fake:
        unmeasured = embedder_at(fake)
        knots = calibration(unmeasured, PAIRS)
        unmeasured.close()
        embedder = ServiceEmbedder(fake.url, KEY, "small", knots=knots)
        first, second, other = embedder.embed([PAIRS[0].first, PAIRS[0].second, "The tax adviser called on Tuesday."]).vectors
        embedder.close()
    places = embedder.calibrate(np.array([first @ second, first @ other, first @ first], np.float32))
    assert places[1] < limits.related < places[0]
    assert places[2] > limits.duplicate


@pytest.mark.parametrize("few", [PAIRS[:1], PAIRS[:3], [Pair("a", "a", 1.0)] * 4, [Pair("tea", "cat", 0.0)] * 4])
def test_a_calibration_of_few_or_equal_pairs_is_one(few: Sequence[Pair]) -> None:
    places = Calibration(*calibration(open_embedder("term-frequency"), few))(np.linspace(-1, 1, 201, dtype=np.float32))
    assert (np.diff(places) >= 0).all()
    assert (places[0], places[-1]) == (0, 1)


def through_the_index(state: dict[str, Any]) -> Any:
    """What the store's index gives back of a state."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state))


def test_a_service_is_measured_once_and_known_from_what_was_kept_ever_after(fake: FakeOpenAI) -> None:
    cosines = np.linspace(-1, 1, 2001, dtype=np.float32)
    with fake:
        first = open_service(fake.url, KEY, "small", {})
        asked = len(fake.asked)
        assert asked == -(-2 * len(PAIRS) // limits.embed_pieces_max)
        again = open_service(fake.url, KEY, "small", through_the_index(first.state()))
        assert len(fake.asked) == asked
    assert (again.dimensions, again.state()) == (first.dimensions, first.state())
    np.testing.assert_array_equal(again.calibrate(cosines), first.calibrate(cosines))
    assert len(msgspec.msgpack.encode(first.state())) < 100
    assert abs(first.calibrate(np.array([0.5], np.float32))[0] - 0.5) > 0.05  # it was measured


@pytest.mark.parametrize("cosine", [1.0, 0.99999, 0.0, -0.5])
def test_a_model_that_cannot_tell_texts_apart_is_measured_all_the_same(cosine: float) -> None:
    def dull(asked: Asked) -> Reply:
        other = [cosine, float(np.sqrt(1 - cosine * cosine))]
        return vectors(*([1.0, 0.0] if at % 2 else other for at in range(len(asked.body["input"]))))

    with FakeOpenAI() as fake:
        fake.by_itself = dull  # type: ignore[method-assign]
        embedder = open_service(fake.url, None, "dull", {})
        again = open_service(fake.url, None, "dull", through_the_index(embedder.state()))
    assert again.state() == embedder.state()


def test_a_service_that_no_store_knows_and_that_is_down_is_an_error_that_says_what_to_do() -> None:
    with FakeOpenAI(*[Reply(503)] * 4) as fake, pytest.raises(EmbedderUnknown) as failure:
        open_service(fake.url, KEY, "small", {})
    assert "service:small" in failure.value.message
    assert "status 503" in failure.value.message
    assert all(name in failure.value.advice for name in ("HIPPO_EMBED_URL", "HIPPO_EMBED_KEY", "HIPPO_EMBED_MODEL"))
    assert KEY not in f"{failure.value} {failure.value.advice} {failure.value.words}"
