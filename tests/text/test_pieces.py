from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.text.pieces import pieces, words

ANY_TEXT = st.text(st.characters())


@given(ANY_TEXT)
def test_the_pieces_of_any_text_give_it_back(text: str) -> None:
    assert "".join(pieces(text)) == text
    assert all(pieces(text))


@given(ANY_TEXT)
def test_a_piece_is_all_white_space_or_has_none(text: str) -> None:
    for piece in pieces(text):
        assert piece.isspace() or not any(map(str.isspace, piece))


@pytest.mark.parametrize(("text", "expected"), [
    ("", []),
    ("Anna's cat", ["Anna's", " ", "cat"]),
    ("don’t stop", ["don’t", " ", "stop"]),
    ("well-known, e-mail", ["well-known", ",", " ", "e-mail"]),
    ("at 7:30 on 2024-05-01", ["at", " ", "7:30", " ", "on", " ", "2024-05-01"]),
    ("1,000.50 for 5kg!", ["1,000.50", " ", "for", " ", "5kg", "!"]),
    ("end.  \n Next", ["end", ".", "  \n ", "Next"]),
    ("'quoted'", ["'", "quoted", "'"]),
    ("我喜歡 tea", ["我", "喜", "歡", " ", "tea"]),
])
def test_words_keep_what_is_inside_them(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


def test_words_are_what_says_something_or_else_every_mark() -> None:
    assert words(pieces("Well, it's 5!")) == ["Well", "it's", "5"]
    assert words(pieces("?! …")) == ["?", "!", "…"]
    assert words([]) == []
