"""Long texts in portions: nothing is lost, and they end where something ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippo.interfaces.imports.portions import portions


@given(st.text(alphabet="ab .!?\n。", max_size=400), st.integers(2, 60))
def test_joined_the_portions_are_the_text_and_none_is_too_long(text: str, characters_max: int) -> None:
    parts = list(portions(text, characters_max))
    assert "".join(parts) == text
    assert all(len(part) <= characters_max for part in parts)
    assert all(len(part) >= characters_max // 2 for part in parts[:-1])


def test_a_portion_ends_with_a_paragraph_else_a_line_else_a_sentence_else_a_word() -> None:
    assert list(portions("One. Two.\n\nThree. Four.", 15)) == ["One. Two.\n\n", "Three. Four."]
    assert list(portions("One. Two.\nThree. Four.", 15)) == ["One. Two.\n", "Three. Four."]
    assert list(portions("One two. Three four.", 15)) == ["One two. ", "Three four."]
    assert list(portions("one two three four", 15)) == ["one two three ", "four"]
    assert list(portions("x" * 20, 15)) == ["x" * 15, "x" * 5]


def test_sentences_end_without_spaces_too() -> None:
    assert list(portions("駅は近い。空港は遠いです。", 8)) == ["駅は近い。", "空港は遠いです。"]


def test_a_text_that_fits_is_whole() -> None:
    assert list(portions("short", 5)) == ["short"]
    assert list(portions("", 5)) == [""]
