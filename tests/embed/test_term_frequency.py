from __future__ import annotations

import pytest

from hippo.embed.term_frequency import TermFrequencyEmbedder


def cosine(first: str, second: str) -> float:
    one, other = TermFrequencyEmbedder().embed([first, second]).vectors
    return float(one @ other)


def test_the_same_text_has_the_same_columns_in_every_run() -> None:
    tokens = TermFrequencyEmbedder().embed(["cat"]).tokens
    assert tokens is not None
    assert tokens[0].tolist() == [424, 258, 424, 38]


def test_common_words_bring_texts_together() -> None:
    assert cosine("Anna lives in Berlin", "Anna moved to Berlin") > 0.4 > cosine("Anna lives in Berlin", "a red kayak")


def test_a_misspelt_word_is_still_close_by_its_letters() -> None:
    assert cosine("kubernetes", "kubernets") > 0.5


def test_stop_words_do_not_count_beside_others_but_count_alone() -> None:
    assert cosine("what is the alarm", "alarm") == pytest.approx(1)
    assert cosine("what is it", "what is it") > 0.99


def test_the_tenth_repeat_adds_less_than_the_second() -> None:
    assert cosine("tea " * 10 + "milk", "milk") > 0.25
