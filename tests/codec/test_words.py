"""The word transform."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.record import Damaged
from hippo.codec.words import Streams, join, split

PIECES = [b"the", b" The", b" THE", b"Anna", b" anna", b" ANNA", b".", b"!", b"\0", b"\n", b" ", b"'s", b"don't", b" API",
          b"12", b" 345", b":", b"1234567890123", "’".encode(), "é".encode(), "東京".encode(), "🦛".encode(), b"-", b"zyx",
          b" Zyx", b"may", b" May", b"\x05", b"\xff", b"$", b",", b"(", b"walked", b" Walking", b"x", b" y"]
TEXTS = st.one_of(st.binary(max_size=300), st.text(max_size=150).map(lambda text: text.encode("utf-8", "surrogatepass")),
                  st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_every_byte_string_comes_back(text: bytes) -> None:
    assert join(split(text)) == text


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=12), st.binary(max_size=12))
def test_streams_that_are_none_give_other_bytes_or_are_damaged(main: bytes, spelled: bytes, which: bytes,
                                                               digits: bytes) -> None:
    with suppress(Damaged):
        assert isinstance(join(Streams(main, spelled, which, digits)), bytes)


def test_sentences_that_differ_in_a_name_and_a_time_are_the_same_in_main() -> None:
    one = split(b"Xenia has an appointment with the dentist on Monday at 10:30.")
    other = split(b"Quirin has an appointment with the dentist on Monday at 14:15.")
    assert one.main == other.main
    assert (one.spelled, one.digits) == (b"Xenia", b"1030")
    assert (other.spelled, other.digits) == (b"Quirin", b"1415")


def test_plain_english_needs_about_a_code_a_word() -> None:
    text = b"The children are looking forward to the weekend. We want to visit the museum, and maybe go swimming."
    streams = split(text)
    assert streams.spelled == streams.which == streams.digits == b""
    assert len(streams.main) < 0.35 * len(text)


def test_a_capital_costs_nothing_where_one_is_expected() -> None:
    assert len(split(b"The dog. The dog").main) == len(split(b"The dog. Dog the").main)
    assert len(split(b"the dog").main) == len(split(b"The dog").main) + 1
    assert len(split(b"A DOG").main) == len(split(b"A dog").main) + 1


def test_a_word_without_a_code_is_spelled_once() -> None:
    streams = split(b"Xenia met Quirin. Xenia likes Xenia and Ottokar.")
    assert streams.spelled == b"Xenia\0Quirin\0Ottokar"
    assert streams.which == bytes([1, 0, 2, 2, 0])


def test_more_repeated_words_than_have_numbers_come_back_too() -> None:
    words = [f"zq{chr(97 + at // 26)}{chr(97 + at % 26)}".encode() for at in range(400)]
    text = b" ".join(words * 2)
    assert join(split(text)) == text
    assert len(split(text).spelled) > len(b"\0".join(words))


@pytest.mark.parametrize("streams", [
    Streams(b"\x05", b"", b"", b""), Streams(b"\x05", b"a", b"\x02", b""), Streams(b"\x05\x05", b"a", b"\0\0", b""),
    Streams(b"a", b"a", b"\0", b""), Streams(b"2", b"", b"", b"1"), Streams(b"", b"", b"", b"1")])
def test_parts_that_do_not_belong_together_are_damaged(streams: Streams) -> None:
    with pytest.raises(Damaged):
        join(streams)
