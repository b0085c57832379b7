"""Columns of numbers as few bytes: differences, byte planes, zstd-19 or raw, whichever is smallest.

1. Encoding is a function of the values alone: the same column gives the same bytes.
2. A column of one value costs that value; a value costs no more bytes than the largest of its column needs.
3. What is decoded is exactly what was encoded, for every integer and float type of up to 8 bytes: floats go as bits.
4. The way is chosen with zstd-3 and only the winner is written with zstd-19: the choice is the same in practice and
   costs a twentieth.

Byte planes: all lowest bytes, then all second ones, …: bytes of one significance resemble each other (the *shuffle*
filter of HDF5 and Blosc). Zigzag: 0, -1, 1, -2, … → 0, 1, 2, 3, … so that small negative numbers have zero high bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.compression import decode, encode_smallest
from hippo.codec.record import Damaged
from hippo.limits import index_level

CONSTANT, PLANES, PLANES_ZSTD, DELTA, DELTA_ZSTD, BYTES, BYTES_ZSTD = range(7)
_PACKED = {PLANES_ZSTD, DELTA_ZSTD, BYTES_ZSTD}
_SIZED = f"zstd-{index_level}"


class Column(NamedTuple):
    """An encoded column: how, the bytes of one value, and the content."""

    encoding: int
    width: int
    content: bytes


def encode_column(values: NDArray[Any]) -> Column:
    """A column of any fixed-size numbers, in the shortest of its encodings."""
    bits = _bits(values)
    if len(bits) == 0:
        return Column(CONSTANT, 0, b"")
    if bool((bits == bits[0]).all()):
        width = _width(bits[:1])
        return Column(CONSTANT, width, int(bits[0]).to_bytes(width, "little"))
    plain = _planes(bits)
    delta = _planes(_zigzag(np.diff(bits, prepend=np.uint64(0))))
    ways = [(PLANES, plain), (DELTA, delta)]
    encoding, planes = min(ways, key=lambda way: len(encode_smallest(way[1].tobytes(), ("raw", "zstd-3"))[1]))
    codec, content = encode_smallest(planes.tobytes(), ("raw", _SIZED))
    return Column(encoding + (codec.name != "raw"), len(planes), content)


def decode_column(column: Column, count: int, dtype: str) -> NDArray[Any]:
    """The column again.

    Args:
        count: how many values it has.
        dtype: their type, as numpy writes it.

    Raises:
        Damaged: the content does not give `count` values.
    """
    encoding, width, content = column
    kind = np.dtype(dtype)
    if not 0 <= width <= 8 or encoding not in range(BYTES):
        raise Damaged(f"encoding {encoding} with {width} bytes a value is not known")
    if encoding == CONSTANT:
        return _values(np.full(count, int.from_bytes(content, "little"), "u8"), kind)
    planes = decode(3, content, width * count) if encoding in _PACKED else content
    if len(planes) != width * count:
        raise Damaged(f"{len(planes)} bytes instead of {width * count}")
    wide = np.zeros((count, 8), "u1")
    wide[:, :width] = np.frombuffer(planes, "u1").reshape(width, count).T
    bits: NDArray[np.uint64] = wide.view("<u8").reshape(count)
    if encoding in (DELTA, DELTA_ZSTD):
        bits = np.cumsum(_unzigzag(bits), dtype="u8")
    return _values(bits, kind)


def encode_bytes(content: bytes) -> Column:
    """Bytes that are no numbers; their length stands in front of the content, as a varint."""
    codec, stored = encode_smallest(content, ("raw", _SIZED))
    return Column(BYTES + (codec.name != "raw"), 0, encode_varints([len(content)]) + stored)


def decode_bytes(column: Column) -> bytes:
    """The inverse of `encode_bytes`; raises Damaged."""
    if column.encoding not in (BYTES, BYTES_ZSTD):
        raise Damaged(f"encoding {column.encoding} is not one of bytes")
    (length,), start = read_varints(column.content, 0, 1)
    return decode(3 if column.encoding in _PACKED else 0, column.content[start:], length)


def encode_varints(numbers: Sequence[int]) -> bytes:
    """LEB128: seven bits a byte, the lowest first, the top bit says that more follow."""
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def read_varints(content: bytes, start: int, count: int) -> tuple[list[int], int]:
    """`count` numbers from `start` on, and where they end; raises Damaged when the bytes end before."""
    numbers = []
    at = start
    for _ in range(count):
        number = shift = 0
        while True:
            if at >= len(content) or shift > 63:
                raise Damaged("a number that does not end")
            byte = content[at]
            at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
        numbers.append(number)
    return numbers, at


def decode_varints(content: bytes) -> NDArray[np.uint64]:
    """All numbers of `content`, which holds nothing else; many at once.

    Raises:
        Damaged: the last one does not end.
    """
    octets = np.frombuffer(content, "u1")
    if len(octets) == 0:
        return np.empty(0, "u8")
    ends = np.flatnonzero(octets < 128)
    if len(ends) == 0 or ends[-1] != len(octets) - 1:
        raise Damaged("a number that does not end")
    starts = np.concatenate(([0], ends[:-1] + 1))
    if int((ends - starts).max()) > 9:
        raise Damaged("a number of more than 64 bits")
    place = np.arange(len(octets)) - np.repeat(starts, ends - starts + 1)
    summed = np.add.reduceat((octets & 127).astype("u8") << (7 * place).astype("u8"), starts)
    return summed.astype("u8", copy=False)


def _bits(values: NDArray[Any]) -> NDArray[np.uint64]:
    """Values as 64-bit words: integers as they are (negative ones in two's complement), floats as their bits."""
    if values.dtype.kind == "f":
        values = values.view(f"u{values.dtype.itemsize}")
    return values.astype("i8").view("u8") if values.dtype.kind == "i" else values.astype("u8")


def _values(bits: NDArray[np.uint64], kind: np.dtype[Any]) -> NDArray[Any]:
    return bits.astype(f"u{kind.itemsize}").view(kind)


def _width(bits: NDArray[np.uint64]) -> int:
    return (int(bits.max()).bit_length() + 7) // 8


def _planes(bits: NDArray[np.uint64]) -> NDArray[np.uint8]:
    wide = np.ascontiguousarray(bits, "<u8").view("u1").reshape(len(bits), 8)
    return np.ascontiguousarray(wide[:, :_width(bits)].T)


def _zigzag(differences: NDArray[np.uint64]) -> NDArray[np.uint64]:
    signed = differences.view("i8")
    return ((signed << 1) ^ (signed >> 63)).view("u8")


def _unzigzag(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (numbers >> np.uint64(1)) ^ (~(numbers & np.uint64(1)) + np.uint64(1))
