"""Dictionaries."""

from __future__ import annotations

import random

import pytest

from hippo.codec.dictionary import decode_dictionary, encode_dictionary, train, worth
from hippo.codec.record import Damaged
from hippo.limits import dictionary_bytes_max, dictionary_bytes_min, dictionary_share

_chance = random.Random(5)
_NAMES = ["Anna", "Quirin", "Xenia", "Ottokar"]
TEMPLATED = [f"{_chance.choice(_NAMES)} asked to move the appointment number {_chance.randrange(900)} with the "
             f"{_chance.choice(['dentist', 'plumber', 'teacher'])} from {_chance.randrange(7, 22)}:30 to the next morning."
             .encode() for _ in range(1_000)]
BABBLE = [_chance.randbytes(60).hex().encode() for _ in range(1_000)]
RAW = sum(map(len, TEMPLATED))


def test_the_same_samples_give_the_same_dictionary() -> None:
    assert train(TEMPLATED, RAW) == train(list(TEMPLATED), RAW) != b""


def test_a_dictionary_is_whole_rows_within_its_bounds() -> None:
    for total in (RAW, dictionary_share * dictionary_bytes_max, 10**9):
        dictionary = train(TEMPLATED, total)
        assert len(dictionary) <= min(dictionary_bytes_max, total // dictionary_share)
        assert set(dictionary.split(b"\0")) <= set(TEMPLATED)


def test_a_store_that_is_too_small_has_none() -> None:
    assert train(TEMPLATED, dictionary_share * dictionary_bytes_min - 1) == b""
    assert train([], 10**6) == b""


def test_what_never_comes_again_is_worth_nothing() -> None:
    assert worth(train(BABBLE, 10**6), BABBLE, 10**6) < 100


def test_it_is_worth_what_it_saves_beyond_itself() -> None:
    dictionary = train(TEMPLATED, RAW)
    assert worth(dictionary, TEMPLATED, RAW) > 0
    assert worth(dictionary, TEMPLATED, 10 * RAW) > 5 * worth(dictionary, TEMPLATED, RAW)
    assert worth(b"\0".join(BABBLE[:100]), TEMPLATED, RAW) < 0


def test_a_dictionary_comes_back_from_its_file() -> None:
    dictionary = train(TEMPLATED, RAW)
    content = encode_dictionary(dictionary)
    assert len(content) < len(dictionary) / 3
    assert decode_dictionary(content) == dictionary


def test_every_flipped_byte_of_its_file_is_found() -> None:
    content = encode_dictionary(b"the dentist\0the plumber\0the teacher")
    for at in range(len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 0x10
        with pytest.raises(Damaged):
            decode_dictionary(bytes(damaged))
    for size in range(len(content)):
        with pytest.raises(Damaged):
            decode_dictionary(content[:size])
