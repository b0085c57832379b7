from __future__ import annotations

import math
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo import limits
from hippo.embed.lexical import LexicalIndex

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)
LONG = st.tuples(WORDS, st.sampled_from([1, 1, 1, 60])).map(lambda drawn: drawn[0] * drawn[1])  # places wrap at 256


def built(*documents: list[str]) -> LexicalIndex:
    index = LexicalIndex()
    for slot, terms in enumerate(documents):
        index.add(slot, terms)
    return index


def expected(cue: list[str], documents: list[list[str]]) -> list[float]:
    """The rules of the module, written out word by word."""
    k1, b = limits.lexical_saturation, limits.lexical_length
    mean = sum(map(len, documents)) / len(documents) or 1

    def weigh(counts: list[int]) -> list[float]:
        said = sum(count > 0 for count in counts)
        idf = math.log(1 + (len(documents) - said + 0.5) / (said + 0.5))
        return [idf * f * (k1 + 1) / (f + k1 * (1 - b + b * len(terms) / mean)) if f else 0.0
                for f, terms in zip(counts, documents, strict=True)]

    columns = [weigh([terms.count(term) for terms in documents]) for term in cue]
    window = limits.lexical_window_words
    columns.extend(
        weigh([sum(terms[at + 1:at + 1 + window].count(second) for at, term in enumerate(terms) if term == first)
               for terms in documents])
        for first, second in pairwise(cue))
    return [sum(column) for column in zip(*columns, strict=True)]


@settings(max_examples=100)
@given(st.lists(WORDS, min_size=1, max_size=8),
       st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True))
def test_scores_are_those_of_the_formula(documents: list[list[str]], cue: list[str]) -> None:
    scores, _ = built(*documents).score(cue, len(documents))
    np.testing.assert_allclose(scores, expected(cue, documents), rtol=1e-4, atol=1e-5)


@settings(max_examples=100)
@given(st.lists(LONG, min_size=1, max_size=8), st.data())
def test_an_edited_index_equals_one_built_anew(documents: list[list[str]], choices: st.DataObject) -> None:
    index = built(*documents)
    edited = list(documents)
    for slot in choices.draw(st.lists(st.integers(0, len(documents)), max_size=5)):
        terms = choices.draw(LONG)
        if slot >= len(edited):
            index.add(len(edited), terms)
            edited.append(terms)
        elif choices.draw(st.booleans()):
            index.replace(slot, edited[slot], terms)
            edited[slot] = terms
        else:
            index.discard(slot, edited[slot])
            index.add(slot, terms)
            edited[slot] = terms
    anew = built(*edited)
    assert index.to_bytes() == anew.to_bytes()
    for mine, theirs in zip(index.score(["a", "b", "c"], 20), anew.score(["a", "b", "c"], 20), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert [index.document_frequency(term) for term in "abcde"] == [
        sum(term in terms for terms in edited) for term in "abcde"]


@settings(max_examples=50)
@given(st.lists(WORDS, min_size=1, max_size=8), st.sets(st.integers(0, 7)))
def test_what_was_discarded_leaves_the_index_of_the_others(documents: list[list[str]], gone: set[int]) -> None:
    index, others = built(*documents), LexicalIndex()
    for slot, terms in enumerate(documents):
        if slot in gone:
            index.discard(slot, terms)
        else:
            others.add(slot, terms)
    for mine, theirs in zip(index.score(["a", "b"], 9), others.score(["a", "b"], 9), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert index.documents == others.documents


def test_an_abridged_memory_keeps_its_phrases_where_they_are_now() -> None:
    text = ["they", "met", "x", "y", "z", "w", "the", "support", "group"]
    index = built(text, *[["other"]] * 8)
    before = index.score(["met", "support"], 9)[0][0]
    index.replace(0, text, ["met", "support", "group"])
    assert index.score(["met", "support"], 9)[0][0] > before
    assert index.document_frequency("they") == 0


def test_terms_that_a_memory_does_not_have_cannot_be_replaced() -> None:
    index = built(["red", "kayak"], ["red"])
    with pytest.raises(AssertionError):
        index.replace(0, ["red", "red"], ["blue"])


@settings(max_examples=50)
@given(st.lists(WORDS, max_size=8))
def test_bytes_bring_the_same_scores_back_and_can_be_added_to(documents: list[list[str]]) -> None:
    index = built(*documents)
    loaded = LexicalIndex.from_bytes(index.to_bytes())
    for each in (index, loaded):
        each.add(len(documents), ["a", "b", "z"])
    assert loaded.to_bytes() == index.to_bytes()
    for mine, theirs in zip(index.score(["a", "b"], 9), loaded.score(["a", "b"], 9), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_discarded_memory_is_found_no_more_and_counts_no_more() -> None:
    index = built(["red", "kayak"], ["red", "bus"])
    index.discard(0, ["red", "kayak"])
    scores, shares = index.score(["red", "kayak"], 2)
    assert scores[0] == shares[0] == 0
    assert (index.document_frequency("red"), index.document_frequency("kayak"), index.documents) == (1, 0, 1)


def test_document_frequency_counts_memories_not_occurrences() -> None:
    assert built(["a", "a", "b"], ["a"]).document_frequency("a") == 2


def test_a_phrase_in_order_is_worth_more_than_its_words_apart() -> None:
    apart = ["group", "x", "y", "z", "w", "support"]
    together = ["x", "y", "z", "w", "support", "group"]
    scores, _ = built(together, apart, *[["other"]] * 8).score(["support", "group"], 10)
    assert scores[0] > scores[1] > 0


def test_a_phrase_does_not_run_from_one_memory_into_the_next() -> None:
    long = ["x"] * 255 + ["support"]
    scores, _ = built(long, ["group", *["x"] * 255], *[["other"]] * 8).score(["support", "group"], 10)
    apart, _ = built(long, [*["x"] * 255, "group"], *[["other"]] * 8).score(["support", "group"], 10)
    np.testing.assert_array_equal(scores, apart)


def test_the_share_is_the_idf_mass_of_the_cue_that_a_memory_says() -> None:
    _, shares = built(["rare", "often"], ["often"], ["often"], ["else"]).score(["rare", "often"], 4)
    assert shares[0] == pytest.approx(1)
    assert 0 < shares[1] < 0.5
    assert shares[3] == 0
    _, shares = built(["often"], ["often"]).score(["often", "unheard"], 2)
    assert shares[0] < 0.5


def test_only_the_slots_asked_for_are_answered_for() -> None:
    index = built(["a"], ["b"], ["a"])
    assert index.score(["a"], 2)[0].shape == (2,)
    assert index.score(["a"], 1000)[0].nonzero()[0].tolist() == [0, 2]
    assert index.score(["a"], 0)[0].shape == (0,)


def test_an_empty_index_and_an_empty_cue_score_nothing() -> None:
    assert not LexicalIndex().score(["a"], 3)[0].any()
    scores, shares = built(["a"]).score([], 1)
    assert not scores.any()
    assert not shares.any()


def test_a_memory_without_terms_is_a_memory() -> None:
    index = built([], ["a"], [])
    assert index.documents == 3
    assert index.score(["a"], 3)[0].nonzero()[0].tolist() == [1]


def test_a_slot_beyond_the_last_is_a_defect() -> None:
    with pytest.raises(AssertionError):
        LexicalIndex().add(limits.lexical_slots_max, ["a"])


@pytest.mark.parametrize("cut", [0, 10, 33, 40, -1])
def test_bytes_cut_short_are_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="lexical index"):
        LexicalIndex.from_bytes(built(["a", "b"], ["b"]).to_bytes()[:cut])


def test_a_thread_scores_while_the_owner_adds() -> None:
    index = built(*[["tea", "milk"]] * 50)
    alone = index.score(["milk"], 50)[0] > 0
    done = threading.Event()
    wrong: list[str] = []

    def score() -> None:
        while not done.is_set():
            scores, shares = index.score(["tea", "milk"], 50)
            if not (scores > 0).all() or not (shares <= 1 + 1e-6).all():
                wrong.append(f"{scores.min()} {shares.max()}")

    reader = threading.Thread(target=score)
    reader.start()
    for slot in range(50, 3000):
        index.add(slot, ["tea", "milk", str(slot)])
    done.set()
    reader.join(timeout=10)
    assert alone.all()
    assert not reader.is_alive()
    assert wrong == []
