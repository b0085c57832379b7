from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.limits import fidelity_steps, tier_fidelity_floors
from hippo.model.memory import Fidelity
from hippo.text.fidelity import clears, from_steps, measure, to_steps

FIGURE = st.floats(0.0, 1.0)


def test_an_original_is_wholly_faithful_to_itself() -> None:
    assert measure("Anna has 3 cats.", "Anna has 3 cats.") == Fidelity(1.0, 1.0, 1.0)


def test_rouge_l_counts_the_words_in_order_that_both_have() -> None:
    # Lin 2004, section 3.1: of the reference's four words the first candidate keeps three in order, the second two.
    assert measure("police killed the gunman", "police kill the gunman").rouge_l == pytest.approx(0.75)
    assert measure("police killed the gunman", "the gunman kill police").rouge_l == pytest.approx(0.5)


def test_punctuation_is_no_word_and_case_counts() -> None:
    assert measure("Anna left.", "Anna left!!").rouge_l == 1.0
    assert measure("Anna left", "anna left").rouge_l == 0.5


def test_char_similarity_counts_the_characters_in_order_that_both_have() -> None:
    assert measure("abcd", "abd").char_similarity == pytest.approx(2 * 3 / 7)


def test_nothing_in_common_is_no_fidelity_at_all() -> None:
    assert measure("aaa", "zzz") == Fidelity(0.0, 0.0, 0.0)
    assert measure("aaa", "") == Fidelity(0.0, 0.0, 0.0)


def test_the_small_words_of_a_text_do_not_move_its_meaning() -> None:
    assert measure("it is so cold", "it is cold").semantic == pytest.approx(1.0)


def test_a_fidelity_clears_floors_only_with_all_its_figures() -> None:
    floors = tier_fidelity_floors["cool"]
    assert clears(Fidelity(0.90, 0.86, 0.80), floors)
    for short in (Fidelity(0.89, 1.0, 1.0), Fidelity(1.0, 0.84, 1.0), Fidelity(1.0, 1.0, 0.79)):
        assert not clears(short, floors)
    assert clears(Fidelity(1.0, 1.0, 1.0), tier_fidelity_floors["hot"])


@given(FIGURE, FIGURE, FIGURE)
def test_what_is_stored_is_never_above_what_was_measured(rouge: float, char: float, semantic: float) -> None:
    fidelity = Fidelity(rouge, char, semantic)
    stored = from_steps(to_steps(fidelity))
    for kept, measured in ((stored.rouge_l, rouge), (stored.char_similarity, char), (stored.semantic, semantic)):
        assert measured - 1 / fidelity_steps < kept <= measured
    assert from_steps(to_steps(stored)) == stored


@given(FIGURE, st.sampled_from(list(tier_fidelity_floors.values())))
def test_what_cleared_its_floors_still_does_when_it_is_read(figure: float, floors: tuple[float, ...]) -> None:
    fidelity = Fidelity(figure, figure, figure)
    assert clears(from_steps(to_steps(fidelity)), floors) == clears(fidelity, floors)
    if clears(fidelity, floors):
        assert from_steps(to_steps(fidelity)).char_similarity >= floors[1]


@pytest.mark.parametrize("damaged", [b"", b"\x01\x02", b"\x01\x02\x03\x04", bytes([fidelity_steps + 1, 0, 0])])
def test_steps_that_cannot_be_are_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="three bytes"):
        from_steps(damaged)


@given(st.text(st.characters()), st.text(st.characters()))
def test_every_pair_of_texts_has_a_fidelity_within_bounds(original: str, reconstruction: str) -> None:
    fidelity = measure(original, reconstruction)
    assert all(0.0 <= figure <= 1.0 for figure in (fidelity.rouge_l, fidelity.char_similarity, fidelity.semantic))
