"""Texts at hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo import limits
from hippo.interfaces.recent import RecentTexts


def test_a_text_is_at_hand_under_its_checksum_only() -> None:
    texts = RecentTexts()
    texts.keep(7, 1, "as it was said")
    assert texts.get(7, 1) == "as it was said"
    assert texts.get(7, 2) is None
    assert texts.get(8, 1) is None


def test_what_was_not_asked_for_the_longest_time_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = RecentTexts()
    texts.keep(0, 0, "x" * 100)
    monkeypatch.setattr(limits, "recent_texts_bytes", 3 * texts.bytes)
    for ordinal in (1, 2):
        texts.keep(ordinal, 0, "x" * 100)
    assert texts.get(0, 0) is not None
    texts.keep(3, 0, "x" * 100)
    assert [texts.get(ordinal, 0) is not None for ordinal in range(4)] == [True, False, True, True]


@given(some.lists(some.tuples(some.integers(0, 9), some.text(max_size=400))))
def test_they_never_take_more_than_their_bound(said: list[tuple[int, str]]) -> None:
    texts, kept = RecentTexts(), limits.recent_texts_bytes
    limits.recent_texts_bytes = 2_000
    try:
        for ordinal, text in said:
            texts.keep(ordinal, hash(text), text)
            assert texts.bytes <= limits.recent_texts_bytes
            assert texts.get(ordinal, hash(text)) in (text, None)
    finally:
        limits.recent_texts_bytes = kept
