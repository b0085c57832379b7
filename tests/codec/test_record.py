"""Frames and records."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.record import (
    FRAME_BYTES,
    Damaged,
    UnknownKind,
    decode_change,
    encode_change,
    frame,
    frame_at,
    next_frame,
    ordinal_in,
    text_tag,
)
from hippo.model.change import Change, Forgotten, Marked, Noted, Remembered, Revised, Skipped, Touched
from hippo.model.memory import Draft

_words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_numbers = st.integers(0, 2**53)
_drafts = st.builds(Draft, text=_words, agent_id=_words, scope=_words, kind=_words, retention=_words,
                    salience=st.floats(0, 1), entity=st.none() | _words, entity_type=st.none() | _words,
                    tags=st.lists(_words, max_size=4).map(tuple), source=st.none() | _words,
                    conversation=st.none() | _words, created_at=st.integers(-2**60, 2**60),
                    key=st.none() | _words, protected=st.booleans())
_changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(Remembered, ordinal=st.integers(0, 2**40 - 1), tag=st.integers(0, 2**64 - 1), last_access=_numbers,
              draft=_drafts),
    st.builds(Revised, ordinal=st.integers(0, 2**40 - 1), tag=st.integers(0, 2**64 - 1), draft=_drafts),
    st.builds(Marked, _words, st.lists(_numbers, max_size=3),
              st.dictionaries(_words, st.lists(st.floats(0, 9), max_size=3), max_size=3)),
    st.builds(Forgotten, _words, st.lists(_numbers, max_size=3)),
    st.builds(Noted, _words, _words, _words, st.none() | _words),
    st.builds(Touched, *[st.lists(_numbers, max_size=3)] * 3, *[st.lists(st.floats(0, 9), max_size=3)] * 2,
              *[st.lists(_numbers, max_size=3)] * 2, st.lists(st.floats(0, 1), max_size=3),
              st.lists(_numbers, max_size=3), st.dictionaries(_words, _numbers, max_size=3)),
    st.builds(Skipped, _numbers))


@given(_changes)
def test_a_change_comes_back_as_it_was(change: Change) -> None:
    payload = encode_change(change)
    assert decode_change(payload) == change
    assert ordinal_in(payload) == (change.ordinal if isinstance(change, Remembered) else None)


def test_a_record_of_a_later_release_is_named() -> None:
    payload = msgspec.msgpack.encode(["dreamt", 1])
    with pytest.raises(UnknownKind, match="dreamt"):
        decode_change(payload)


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x01", msgspec.msgpack.encode(["s", "x"]),
                                     msgspec.msgpack.encode(["r"]), msgspec.msgpack.encode([3]), b"\xdc\x00\x11\xa1r"])
def test_bytes_that_are_no_record_are_damage(payload: bytes) -> None:
    with pytest.raises(Damaged):
        decode_change(payload)


@settings(max_examples=50)
@given(st.binary(max_size=60), st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1), st.binary(max_size=9))
def test_a_frame_is_read_where_it_starts_and_nowhere_else(
        payload: bytes, sequence: int, salt: int, before: bytes) -> None:
    framed = frame(sequence, payload, salt)
    content = before + framed
    assert frame_at(content, len(before), salt) == (sequence & 0xFFFFFFFF, len(content))
    assert content[len(before) + FRAME_BYTES:] == payload
    assert next_frame(content, 0, salt) == len(before)
    assert frame_at(content[:-1], len(before), salt) is None


def test_every_flipped_bit_of_a_frame_is_found() -> None:
    framed = frame(77, b"what was remembered", 5)
    for bit in range(8 * len(framed)):
        damaged = bytearray(framed)
        damaged[bit // 8] ^= 1 << bit % 8
        assert frame_at(bytes(damaged), 0, 5) is None, bit


def test_damage_costs_one_frame_and_the_next_is_found() -> None:
    frames = [frame(number, f"memory {number} \xa7".encode(), 9) for number in range(5)]
    starts = [sum(map(len, frames[:number])) for number in range(5)]
    whole = b"".join(frames)
    for at in range(starts[1], starts[2]):
        damaged = bytearray(whole)
        damaged[at] ^= 0x10
        assert next_frame(bytes(damaged), starts[1], 9) == starts[2]


def test_a_frame_of_another_store_is_none() -> None:
    assert frame_at(frame(1, b"payload", 1), 0, 2) is None


def test_a_tag_is_that_of_the_exact_text() -> None:
    assert text_tag("café") != text_tag("cafe\u0301")
    assert 0 <= text_tag("a") < 2**64
