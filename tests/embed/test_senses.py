"""An agent's senses: added to, replaced, saved; and the version of their rules."""

from __future__ import annotations

import struct
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.embed.embedder import open_embedder
from hippo.embed.senses import RULES_VERSION, Senses, Wording
from hippo.text.tokens import analyse, cue_terms

EMBEDDER = open_embedder("term-frequency")
TEXTS = st.lists(st.sampled_from(["tea", "Kayaks", "7:30", "gpt-4", "don't", "Zoë", "東京", "the", "!"]),
                 max_size=6).map(" ".join)
CUES = ["tea kayak", "7:30", "the", "東", "nothing of it"]


def wording(texts: list[str]) -> Wording:
    tokens = EMBEDDER.embed(texts).tokens
    assert tokens is not None
    return Wording(tokens, [analyse(text) for text in texts])


def sensed(texts: list[str]) -> Senses:
    senses = Senses(EMBEDDER)
    add(senses, texts)
    return senses


def add(senses: Senses, texts: list[str]) -> None:
    tokens, terms = wording(texts)
    senses.add(EMBEDDER.embed(texts).vectors, list(tokens), [list(some) for some in terms])


def assert_same(one: Senses, other: Senses) -> None:
    assert one.to_bytes() == other.to_bytes()
    for cue in CUES:
        vectors, tokens = EMBEDDER.embed([cue])
        assert tokens is not None
        for mine, theirs in zip(one.scan(vectors[0], tokens[0], cue_terms(cue)),
                                other.scan(vectors[0], tokens[0], cue_terms(cue)), strict=True):
            np.testing.assert_array_equal(mine, theirs)


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=1, max_size=8), st.data())
def test_edited_senses_equal_those_made_anew(texts: list[str], choices: st.DataObject) -> None:
    senses = sensed(texts)
    for _ in range(choices.draw(st.integers(0, 4))):
        if choices.draw(st.booleans()):
            more = choices.draw(st.lists(TEXTS, max_size=3))
            add(senses, more)
            texts = texts + more
        slots = choices.draw(st.lists(st.integers(0, len(texts) - 1), unique=True))
        says = [choices.draw(TEXTS) for _ in slots]
        senses.replace(slots, EMBEDDER.embed(says).vectors, wording([texts[slot] for slot in slots]), wording(says))
        texts = [says[slots.index(slot)] if slot in slots else text for slot, text in enumerate(texts)]
    assert_same(senses, sensed(texts))


def test_a_memory_whose_embedder_failed_takes_no_frequency_with_it() -> None:
    senses = sensed(["tea with milk"])
    senses.add(np.zeros((1, EMBEDDER.dimensions), np.float32), [], [analyse("tea with lemon")])
    senses.replace([1], EMBEDDER.embed(["tea"]).vectors, wording(["tea with lemon"]), wording(["tea"]))
    assert_same(senses, sensed(["tea with milk", "tea"]))


def test_a_memory_that_says_nothing_any_more_is_found_by_nothing() -> None:
    senses = sensed(["tea with milk", "tea"])
    senses.replace([0], EMBEDDER.embed([""]).vectors, wording(["tea with milk"]), wording([""]))
    vectors, tokens = EMBEDDER.embed(["milk"])
    assert tokens is not None
    scan = senses.scan(vectors[0], tokens[0], cue_terms("milk"))
    assert not scan.lexical.any()
    assert not scan.share.any()
    assert scan.cosine[0] == 0
    assert_same(senses, sensed(["", "tea"]))


def test_frequencies_that_were_never_counted_cannot_be_taken_out() -> None:
    senses = sensed(["tea", "milk"])
    with pytest.raises(AssertionError):
        senses.replace([0], EMBEDDER.embed([""]).vectors, Wording(wording(["lemon"]).tokens, [analyse("tea")]), wording([""]))


def test_what_was_replaced_is_not_saved_any_more() -> None:
    senses = sensed(["tea", "milk", "lemon"])
    senses.saved = 3
    senses.replace([0, 2], EMBEDDER.embed(["a", "b"]).vectors, wording(["tea", "lemon"]), wording(["a", "b"]))
    assert senses.saved == 1


def test_nearest_are_earlier_memories_nearest_first() -> None:
    senses = sensed(["tea with milk", "a red kayak", "tea with milk and honey", "tea with milk"])
    near = senses.nearest([0, 2, 3], count=2, floor=0.35)
    assert [[slot for slot, _ in some] for some in near] == [[], [0], [0, 2]]
    assert near[2][0][1] == pytest.approx(1, abs=1e-3)


@settings(max_examples=25)
@given(st.lists(TEXTS, max_size=8))
def test_a_cache_brings_the_same_senses_back_and_they_can_be_edited(texts: list[str]) -> None:
    senses = sensed(texts)
    loaded = Senses.from_bytes(EMBEDDER, senses.to_bytes())
    assert loaded is not None
    assert loaded.saved == len(texts)
    for each in (senses, loaded):
        add(each, ["more tea"])
        each.replace([len(texts)], EMBEDDER.embed(["less"]).vectors, wording(["more tea"]), wording(["less"]))
    assert_same(loaded, senses)


def test_a_cache_of_another_embedder_or_of_other_rules_is_thrown_away() -> None:
    content = sensed(["tea"]).to_bytes()
    assert Senses.from_bytes(open_embedder("wordllama"), content) is None
    older = bytearray(content)
    struct.pack_into("<H", older, 4, RULES_VERSION - 1)
    assert Senses.from_bytes(EMBEDDER, bytes(older)) is None
    assert Senses.from_bytes(EMBEDDER, b"\x85\xa8embedder\xaeterm-frequency" + bytes(100)) is None


@pytest.mark.parametrize("cut", [0, 3, 40, 500, -1])
def test_a_cache_cut_short_is_thrown_away(cut: int) -> None:
    assert Senses.from_bytes(EMBEDDER, sensed(["tea", "milk"]).to_bytes()[:cut]) is None


def test_whoever_changes_the_rules_changes_their_version() -> None:
    """When this fails, a cache of before is wrong: raise RULES_VERSION, and put the new digest beside it here."""
    senses = sensed(["Anna's kids didn't visit gpt-4 at 7:30, Zoë.", "東京タワー and the running of U.S. e-mails", "१२ ½ ﬁne"])
    assert (RULES_VERSION, blake2b(senses.to_bytes(), digest_size=8).hexdigest()) == (2, "c28d7a1ee07a8ad2")
