"""The table of codecs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.codec.compression import (
    TIER_CODECS,
    Codec,
    codec_named,
    codec_numbered,
    decode,
    encode_smallest,
    register_codec,
)
from hippo.codec.record import Damaged

NAMES = ["raw", "lz4", "zstd-3", "zstd-19", "brotli-11"]


@pytest.mark.parametrize("name", NAMES)
@given(plain=st.binary(max_size=2_000))
def test_every_codec_gives_back_what_it_was_given(name: str, plain: bytes) -> None:
    codec = codec_named(name)
    assert decode(codec.number, codec.encode(plain), len(plain)) == plain


@pytest.mark.parametrize("name", NAMES)
def test_a_codec_never_returns_another_length_than_was_stored(name: str) -> None:
    codec = codec_named(name)
    stored = codec.encode(b"what was remembered " * 20)
    for wrong in (stored[:-1], stored[:3], b"", b"\xff" * 30):
        try:
            assert len(decode(codec.number, wrong, 400)) == 400
        except Damaged:
            continue
    with pytest.raises(Damaged):
        decode(codec.number, stored, 399)


def test_numbers_stay_what_the_format_says() -> None:
    assert [codec_named(name).number for name in NAMES] == list(range(5))


def test_the_smallest_output_wins_and_the_earlier_of_equals() -> None:
    assert encode_smallest(b"", ("raw", "zstd-19"))[0].name == "raw"
    assert encode_smallest(b"a" * 1_000, ("raw", "lz4", "zstd-19"))[0].name == "zstd-19"


def test_a_name_or_a_number_is_taken_once() -> None:
    with pytest.raises(ValueError, match="lz4"):
        register_codec(Codec("lz4", 200, bytes, lambda stored, size: stored))
    with pytest.raises(ValueError, match="number 0"):
        register_codec(Codec("another", 0, bytes, lambda stored, size: stored))
    with pytest.raises(ValueError, match="number 256"):
        register_codec(Codec("another", 256, bytes, lambda stored, size: stored))


def test_an_unknown_codec_is_damage_that_says_so() -> None:
    with pytest.raises(Damaged, match="codec 99"):
        codec_numbered(99)


def test_every_codec_of_a_tier_exists() -> None:
    assert {name for names in TIER_CODECS.values() for name in names} <= set(NAMES)
