"""The table of codecs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec import dense
from hippo.codec.compression import (
    Codec,
    codec_named,
    codec_numbered,
    decode,
    encode,
    encode_smallest,
    register_codec,
)
from hippo.codec.record import Damaged

NAMES = ["raw", "lz4", "zstd-3", "zstd-19", "brotli-11", "brotli-5", "lzma-9", "deflate-9", "ppmd-6", "zstd-19+dictionary",
         "deflate-9+dictionary", "words+brotli-11", "words+ppmd-6", "words+zstd-19+dictionary", "words+ppmd-6+dictionary"]
DICTIONARY = b"what was remembered before"
assert dense.decode  # the last four are registered there


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(plain=st.binary(min_size=1, max_size=2_000))
def test_every_codec_gives_back_what_it_was_given(name: str, plain: bytes) -> None:
    stored = encode(name, plain, DICTIONARY)
    assert stored is not None
    assert decode(codec_named(name).number, stored, len(plain), DICTIONARY) == plain


@pytest.mark.parametrize("name", NAMES)
def test_a_codec_never_returns_another_length_than_was_stored(name: str) -> None:
    codec = codec_named(name)
    stored = encode(name, b"what was remembered " * 20, DICTIONARY)
    assert stored is not None
    for wrong in (stored[:-1], stored[:3], b"", b"\xff" * 30):
        try:
            assert len(decode(codec.number, wrong, 400, DICTIONARY)) == 400
        except Damaged:
            continue
    with pytest.raises(Damaged):
        # PPMd does not know where its block ends: it reads on.
        decode(codec.number, stored, 399 if name != "ppmd-6" else 10**6, DICTIONARY)


def test_numbers_stay_what_the_format_says() -> None:
    assert [codec_named(name).number for name in NAMES] == list(range(len(NAMES)))


def test_the_smallest_output_wins_and_the_earlier_of_equals() -> None:
    assert encode_smallest(b"", ("raw", "zstd-19"))[0].name == "raw"
    assert encode_smallest(b"a" * 1_000, ("raw", "lz4", "zstd-19"))[0].name == "zstd-19"


def test_a_codec_without_its_dictionary_is_passed_over() -> None:
    assert encode("zstd-19+dictionary", DICTIONARY) is None
    assert encode_smallest(DICTIONARY, ("zstd-19+dictionary", "raw"))[0].name == "raw"
    assert encode_smallest(DICTIONARY, ("zstd-19+dictionary", "raw"), DICTIONARY)[0].name == "zstd-19+dictionary"


def test_a_codec_that_takes_no_dictionary_is_never_given_one() -> None:
    stored = encode("zstd-19", DICTIONARY, DICTIONARY)
    assert stored is not None
    assert decode(3, stored, len(DICTIONARY)) == DICTIONARY == decode(3, stored, len(DICTIONARY), DICTIONARY)


def test_a_name_or_a_number_is_taken_once() -> None:
    def same(plain: bytes, *_: object) -> bytes:
        return plain

    with pytest.raises(ValueError, match="lz4"):
        register_codec(Codec("lz4", 200, same, same))
    with pytest.raises(ValueError, match="number 0"):
        register_codec(Codec("another", 0, same, same))
    with pytest.raises(ValueError, match="number 256"):
        register_codec(Codec("another", 256, same, same))


def test_an_unknown_codec_is_damage_that_says_so() -> None:
    with pytest.raises(Damaged, match="codec 99"):
        codec_numbered(99)
