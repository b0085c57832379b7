"""Columns and varints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from hippo.codec.columns import (
    Column,
    decode_bytes,
    decode_column,
    decode_varints,
    encode_bytes,
    encode_column,
    encode_varints,
    read_varints,
)
from hippo.codec.record import Damaged

_kinds = st.sampled_from(["u1", "u2", "u4", "u8", "i4", "i8", "f4", "f8"])


@settings(max_examples=150)
@given(_kinds.flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 40), fill=st.nothing())))
def test_every_column_comes_back_bit_for_bit(values: NDArray[Any]) -> None:
    column = encode_column(values)
    back = decode_column(column, len(values), values.dtype.str)
    assert back.dtype == values.dtype
    assert back.tobytes() == values.tobytes()
    assert encode_column(values) == column


def test_a_column_of_one_value_costs_that_value() -> None:
    assert len(encode_column(np.full(100_000, 7, "u8")).content) == 1
    assert encode_column(np.zeros(100_000, "i8")).content == b""
    assert len(encode_column(np.full(9, -1, "i8")).content) == 8


def test_a_steady_rise_costs_next_to_nothing() -> None:
    rise = np.arange(1_700_000_000_000, 1_700_000_100_000, dtype="i8")
    assert len(encode_column(rise).content) < 100


def test_what_cannot_be_compressed_costs_no_more_than_its_bytes() -> None:
    noise = np.random.default_rng(1).integers(0, 2**63, 500).astype("u8")
    assert len(encode_column(noise).content) == 4_000


@pytest.mark.parametrize("column", [Column(1, 4, b"123"), Column(2, 4, b"\xff" * 9), Column(9, 1, b"1"),
                                    Column(1, 9, b"1" * 9)])
def test_a_column_that_cannot_be_is_damage(column: Column) -> None:
    with pytest.raises(Damaged):
        decode_column(column, 1, "u4")


@given(st.binary(max_size=300))
def test_bytes_come_back(content: bytes) -> None:
    assert decode_bytes(encode_bytes(content)) == content


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50))
def test_numbers_come_back_one_by_one_and_all_at_once(numbers: list[int]) -> None:
    encoded = encode_varints(numbers)
    assert read_varints(b"x" + encoded, 1, len(numbers)) == (numbers, len(encoded) + 1)
    assert decode_varints(encoded).tolist() == numbers


@pytest.mark.parametrize("content", [b"\x80", b"\x01\xff", b"\xff" * 11 + b"\x01"])
def test_a_number_without_an_end_is_damage(content: bytes) -> None:
    with pytest.raises(Damaged):
        decode_varints(content)
    with pytest.raises(Damaged):
        read_varints(content, 0, 2)
