from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.text.term_frequency import columns, cosine, dimensions, weights


def test_the_same_text_has_the_same_columns_in_every_run() -> None:
    assert columns("cat").tolist() == [424, 258, 424, 38]


def test_a_repeat_weighs_less_than_what_it_repeats() -> None:
    once, twice = (weights(columns(text)).max() for text in ("k", "k k"))
    assert once < twice < 2 * once


def test_a_text_without_terms_is_like_another_and_unlike_any_word() -> None:
    assert weights(columns("")).tolist() == [0.0] * dimensions
    assert cosine("", "?!") == 1.0
    assert cosine("", "cat") == cosine("cat", "") == 0.0


def test_common_words_bring_texts_together() -> None:
    assert cosine("Anna lives in Berlin", "Anna moved to Berlin") > 0.4 > cosine("Anna lives in Berlin", "a red kayak")


@given(st.text(st.characters()), st.text(st.characters()))
def test_a_cosine_is_symmetric_and_within_its_bounds(first: str, second: str) -> None:
    assert cosine(first, first) == pytest.approx(1.0)
    assert 0.0 <= cosine(first, second) <= 1.0
    assert cosine(first, second) == pytest.approx(cosine(second, first))
    assert columns(first).dtype == np.uint16
