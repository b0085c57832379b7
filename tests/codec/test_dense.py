"""The word transform with its coders."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec import dense
from hippo.codec.compression import codec_named, decode, encode
from hippo.codec.record import Damaged
from hippo.limits import decimal_digits_max

NAMES = ["words+brotli-11", "words+ppmd-6", "words+zstd-19+dictionary", "words+ppmd-6+dictionary"]
DICTIONARY = b"Xenia has an appointment at 10:30.\0The boiler needs a new pump, it costs 240 euros."
TEXTS = st.one_of(st.text(min_size=1, max_size=200).map(str.encode), st.binary(min_size=1, max_size=100), st.just(b"12 " * 40))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30, deadline=None)
@given(plain=TEXTS)
def test_every_text_comes_back(name: str, plain: bytes) -> None:
    stored = encode(name, plain, DICTIONARY)
    assert stored is not None
    assert decode(codec_named(name).number, stored, len(plain), DICTIONARY) == plain


@pytest.mark.parametrize("name", NAMES)
def test_a_codec_never_returns_another_length_than_was_stored(name: str) -> None:
    plain = b"Anna has an appointment with Xenia at 10:30. " * 3
    stored = encode(name, plain, DICTIONARY)
    assert stored is not None
    for wrong in (stored[:-1], stored[:3], b"", b"\xff" * 30, stored[2:]):
        try:
            assert len(decode(codec_named(name).number, wrong, len(plain), DICTIONARY)) == len(plain)
        except Damaged:
            continue
    with pytest.raises(Damaged):
        decode(codec_named(name).number, stored, len(plain) - 1, DICTIONARY)


@pytest.mark.parametrize("name", NAMES[2:])
def test_a_dictionary_makes_what_it_says_short(name: str) -> None:
    known = encode(name, DICTIONARY, DICTIONARY)
    unknown = encode(name, DICTIONARY, b"nothing of the kind")
    assert known is not None and unknown is not None
    assert len(known) < len(unknown)


@pytest.mark.parametrize("digits", ["0", "000123", "9" * decimal_digits_max, "10" * decimal_digits_max])
def test_numbers_come_back_with_their_zeros(digits: str) -> None:
    plain = digits.encode()
    stored = encode("words+brotli-11", plain)
    assert stored is not None
    assert decode(11, stored, len(plain)) == plain


def test_only_english_is_wordy() -> None:
    assert dense.is_wordy(b"The meeting with the customer was moved to the afternoon.")
    assert not dense.is_wordy(b"Die Besprechung mit dem Kunden wurde verschoben.")
    assert not dense.is_wordy("会議は午後に変更されました".encode())
