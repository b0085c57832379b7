from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo import limits
from hippo.text.tokens import STOP_WORDS, analyse, cue_terms, date_words, fold, index_terms

MAY_7 = 1_683_417_600_000


@pytest.mark.parametrize(("asked", "stored"), [
    ("gpt4", "We use GPT-4 here."),
    ("gpt 4", "We use gpt-4 here."),
    ("AB-1234", "ticket ab-1234 is open"),
    ("1234", "ticket AB-1234 is open"),
    ("anna@example.org", "write to Anna@Example.org, please"),
    ("example", "write to anna@example.org, please"),
    ("https://example.org/a?b=7", "see https://example.org/a?b=7 for more"),
    ("user_id", "the column user_id is unique"),
    ("7:30", "the alarm rings at 7:30"),
    ("email", "my e-mail is full"),
    ("paintings", "she is painting again"),
    ("Anna", "that is Anna's bicycle"),
    ("café", "CAFE\u0301 on the corner"),
    ("strasse", "die Straße ist gesperrt"),
    ("ABC", "\uff21\uff22\uff23 in full width"),
    ("京", "東京タワーへ行った"),
    ("東京", "東京タワーへ行った"),
    ("국", "한국어를 배운다"),
    ("ไทย", "ภาษาไทยยาก"),
    ("x", "solve for x"),
    ("привет", "ПРИВЕТ, мир"),
])
def test_a_cue_shares_a_term_with_the_text_that_says_it(asked: str, stored: str) -> None:
    assert set(cue_terms(asked)) & set(analyse(stored))


def test_a_code_written_in_another_way_shares_more_than_its_digits() -> None:
    assert "gpt4" in analyse("GPT-4")
    assert "gpt4" in analyse("gpt4")


def test_numbers_that_differ_share_no_whole() -> None:
    assert "730" in analyse("7:30")
    assert "730" not in analyse("7:00")


@pytest.mark.parametrize("text", ["", " \t\n", "😀🎉", "\u0000\u0007\u001b[", "\ud83d", "...!?"])
def test_what_has_no_letter_and_no_digit_has_no_term(text: str) -> None:
    assert analyse(text) == []
    assert cue_terms(text) == []


def test_a_cue_drops_its_stop_words_and_says_each_term_once() -> None:
    assert cue_terms("What is the alarm, the ALARM of Anna?") == ["alarm", "anna"]


def test_a_cue_of_stop_words_alone_keeps_them() -> None:
    assert cue_terms("What is it?") == ["what", "is", "it"]


def test_a_negation_survives_as_the_word_it_negates() -> None:
    assert cue_terms("I don't know") == ["know"]
    assert analyse("I can\u2019t") == ["i", "can"]


def test_a_memory_is_found_by_its_day_its_entity_and_its_tags() -> None:
    terms = index_terms("We met.", MAY_7, "Ada Lovelace", ("to-do", "100%"))
    for wanted in ("7", "may", "2023", "lovelac", "todo", "100"):
        assert wanted in terms
    assert set(cue_terms("2023-05-07")) & set(terms) >= {"2023", "20230507"}


def test_the_day_of_an_instant_is_its_utc_day() -> None:
    assert date_words(MAY_7 - 1) == "6 May 2023 20230506"
    assert date_words(MAY_7) == "7 May 2023 20230507"
    assert date_words(-1) == "31 December 1969 19691231"


def test_an_instant_outside_the_calendar_has_no_words() -> None:
    assert date_words(10**18) == ""
    assert date_words(-(10**18)) == ""


def test_stop_words_are_terms_as_they_stand() -> None:
    assert all(analyse(word) == [word] for word in STOP_WORDS)


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_nfc_and_nfd_twins_have_the_same_terms(text: str) -> None:
    assert analyse(unicodedata.normalize("NFC", text)) == analyse(unicodedata.normalize("NFD", text))


@settings(max_examples=100)
@given(st.text(st.characters(), max_size=200))
def test_terms_are_short_have_no_white_space_and_can_be_encoded(text: str) -> None:
    for term in analyse(text):
        assert 0 < len(term) <= limits.term_characters_max
        assert not any(character.isspace() for character in term)
        assert term.encode().decode() == term


@settings(max_examples=100)
@given(st.text(max_size=100))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
