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
    PLANES_EACH,
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
    noise = np.random.default_rng(1).integers(0, 2**64, 500, "u8")
    assert len(encode_column(noise).content) == 4_000


def test_noise_in_one_plane_does_not_spoil_the_others() -> None:
    """Distances of associations: a low byte like noise, higher ones that are mostly zero."""
    chance = np.random.default_rng(2)
    distances = chance.exponential(800, 16_000).astype("u4")
    column = encode_column(distances)
    assert column.encoding == PLANES_EACH
    low, high = (entropy_bits(distances >> shift & 255) for shift in (0, 8))
    assert len(column.content) < 1.02 * (low + high) / 8 + 100


def entropy_bits(octets: NDArray[Any]) -> float:
    """The entropy of octets that follow none on each other, in bits."""
    counts = np.bincount(octets)
    counts = counts[counts > 0]
    return float(-(counts * np.log2(counts / counts.sum())).sum())


@pytest.mark.parametrize("values", [
    np.arange(0, 40_000, 7).astype("u8") ** 2, np.random.default_rng(3).integers(0, 2**17, 5_000, "u4"),
    np.random.default_rng(4).geometric(0.01, 5_000).cumsum().astype("i8")])
def test_long_columns_come_back_too(values: NDArray[Any]) -> None:
    assert decode_column(encode_column(values), len(values), values.dtype.str).tolist() == values.tolist()


@pytest.mark.parametrize("column", [Column(1, 4, b"123"), Column(2, 4, b"\xff" * 9), Column(9, 1, b"1"),
                                    Column(1, 9, b"1" * 9), Column(0, 1, b"12"), Column(5, 1, b"1"),
                                    Column(7, 2, b"\x01\x01a"), Column(8, 2, b"\x01\x02aZZ"), Column(7, 1, b"\x80")])
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
