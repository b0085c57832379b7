"""Columns of numbers as few bytes: differences, byte planes, zstd or raw, whichever is smallest.

1. Encoding is a function of the values alone: the same column gives the same bytes.
2. A column of one value costs that value; a value costs no more bytes than the largest of its column needs.
3. What is decoded is exactly what was encoded, for every integer and float type of up to 8 bytes: floats go as bits.
4. The way is chosen with zstd-3 and only the winner is written with a higher level: the choice is the same in practice
   and costs a twentieth. Of a short column all are written, for there it is not, and with zstd-19: a long one would
   gain half a percent by that, for twice the time of the whole. What zstd-3 cannot shorten stays raw.

Byte planes: all lowest bytes, then all second ones, …: bytes of one significance resemble each other (the *shuffle*
filter of HDF5 and Blosc). Planes are packed together, which costs least where there are few values, or each on its own,
so that those of noise stay raw and the others get a table of symbols for themselves. Zigzag: 0, -1, 1, -2, … → 0, 1, 2,
3, … so that small negative numbers have zero high bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.compression import decode, encode_smallest, zstd
from hippo.codec.record import Damaged
from hippo.limits import index_level, index_long_level, index_short_rows

CONSTANT, PLANES, PLANES_ZSTD, DELTA, DELTA_ZSTD, BYTES, BYTES_ZSTD, PLANES_EACH, DELTA_EACH, DISTINCT = range(10)
_PACKED = {PLANES_ZSTD, DELTA_ZSTD, BYTES_ZSTD}
_DIFFERENCES = {DELTA, DELTA_ZSTD, DELTA_EACH}
_EACH = {PLANES_EACH, DELTA_EACH}
_OF_NUMBERS = {CONSTANT, PLANES, PLANES_ZSTD, DELTA, DELTA_ZSTD, PLANES_EACH, DELTA_EACH}
_ZSTD = 3  # in the table of codecs
_SIZED = f"zstd-{index_level}"
_short, _long = zstd(index_level), zstd(index_long_level)


class Column(NamedTuple):
    """An encoded column: how, the bytes of one value, and the content."""

    encoding: int
    width: int
    content: bytes


class _Way(NamedTuple):
    """One way to write a column: parts that are packed by themselves, as they are and as zstd-3 shortens them."""

    encoding: int
    width: int
    rows: int
    plain: list[bytes]
    quick: list[bytes]

    @property
    def about(self) -> int:
        """How many bytes it comes to with zstd-3."""
        return len(_content(self.encoding, self.quick))

    def column(self) -> Column:
        """The column written this way."""
        shorten = _short if self.rows <= index_short_rows else _long
        # The shortest form of a part; of the length of what it was only if it is that.
        stored = [plain if len(quick) == len(plain) else min(quick, shorten(plain, b""), key=len)
                  for plain, quick in zip(self.plain, self.quick, strict=True)]
        packed = self.encoding not in _EACH and stored != self.plain
        return Column(self.encoding + packed, self.width, _content(self.encoding, stored))


class _Distinct(NamedTuple):
    """A column as its distinct values and which of them each is."""

    length: int
    table: list[_Way]
    numbers: list[_Way]

    @property
    def about(self) -> int:
        """How many bytes it comes to with zstd-3."""
        return sum(min(way.about for way in ways) for ways in (self.table, self.numbers))

    def column(self) -> Column:
        """The column written this way."""
        table, numbers = _shortest(self.table), _shortest(self.numbers)
        head = encode_varints([self.length, *table[:2], len(table.content), *numbers[:2]])
        return Column(DISTINCT, 0, head + table.content + numbers.content)


def encode_column(values: NDArray[Any]) -> Column:
    """A column of any fixed-size numbers, in the shortest of its encodings."""
    constant = encode_constant(values)
    if constant is not None:
        return constant
    bits = _bits(values)
    ways: list[_Way | _Distinct] = [*_ways(bits)]
    distinct, which = np.unique(bits, return_inverse=True)
    if 1 < len(distinct) <= len(bits) // 2:  # else too few repeat to try
        ways.append(_Distinct(len(distinct), _ways(distinct), _ways(which.astype("u8"))))
    return _shortest(ways if len(bits) <= index_short_rows else [min(ways, key=lambda way: way.about)])


def _shortest(ways: Sequence[_Way | _Distinct]) -> Column:
    return min((way.column() for way in ways), key=lambda column: len(column.content))


def encode_constant(values: NDArray[Any]) -> Column | None:
    """A column without values or of only one; None for any other."""
    if len(values) == 0:
        return Column(CONSTANT, 0, b"")
    bits = values.view(f"u{values.dtype.itemsize}")
    if bits[0] != bits[-1] or not bool((bits == bits[0]).all()):
        return None
    only = int(_bits(values[:1])[0])
    width = (only.bit_length() + 7) // 8
    return Column(CONSTANT, width, only.to_bytes(width, "little"))


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
    if encoding == DISTINCT:
        return _values(_decode_distinct(content, count), kind)
    if not 0 <= width <= 8 or encoding not in _OF_NUMBERS or (encoding == CONSTANT and len(content) != width):
        raise Damaged(f"encoding {encoding} with {width} bytes a value is not known")
    if encoding == CONSTANT:
        return np.full(count, _values(np.array([int.from_bytes(content, "little")], "u8"), kind)[0])
    if encoding in _EACH:
        planes = _each(content, width, count)
    else:
        planes = decode(_ZSTD, content, width * count) if encoding in _PACKED else content
    if len(planes) != width * count:
        raise Damaged(f"{len(planes)} bytes instead of {width * count}")
    wide = np.zeros((count, 8), "u1")
    for significance, plane in enumerate(np.frombuffer(planes, "u1").reshape(width, count)):
        wide[:, significance] = plane
    bits: NDArray[np.uint64] = wide.view("<u8").reshape(count)
    if encoding in _DIFFERENCES:
        bits = np.cumsum(_unzigzag(bits), dtype="u8")
    return _values(bits, kind)


def _decode_distinct(content: bytes, count: int) -> NDArray[np.uint64]:
    (length, one, width, table_bytes, other, other_width), at = read_varints(content, 0, 6)
    if DISTINCT in (one, other) or length > count:
        raise Damaged("a column of distinct values within another one")
    table = decode_column(Column(one, width, content[at:at + table_bytes]), length, "u8")
    which = decode_column(Column(other, other_width, content[at + table_bytes:]), count, "u8")
    if len(which) and int(which.max()) >= length:
        raise Damaged("a value that is none of the distinct ones")
    return np.asarray(table[which.astype(np.int64)], np.uint64)


def encode_bytes(content: bytes) -> Column:
    """Bytes that are no numbers; their length stands in front of the content, as a varint."""
    codec, stored = encode_smallest(content, ("raw", _SIZED))
    return Column(BYTES + (codec.name != "raw"), 0, encode_varints([len(content)]) + stored)


def decode_bytes(column: Column) -> bytes:
    """The inverse of `encode_bytes`; raises Damaged."""
    if column.encoding not in (BYTES, BYTES_ZSTD):
        raise Damaged(f"encoding {column.encoding} is not one of bytes")
    (length,), start = read_varints(column.content, 0, 1)
    return decode(_ZSTD if column.encoding in _PACKED else 0, column.content[start:], length)


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


def _ways(bits: NDArray[np.uint64]) -> list[_Way]:
    """The ways to write numbers value by value that are worth trying: planes of them or of their differences, in one
    part, or each as a part of its own."""
    ways = []
    for together, each, numbers in ((PLANES, PLANES_EACH, bits),
                                    (DELTA, DELTA_EACH, _zigzag(np.diff(bits, prepend=np.uint64(0))))):
        planes = [plane.tobytes() for plane in _planes(numbers)]
        whole = b"".join(planes)
        ways.append(_Way(together, len(planes), len(bits), [whole], [_quick(whole)]))
        if len(planes) > 1:
            ways.append(_Way(each, len(planes), len(bits), planes, [_quick(plane) for plane in planes]))
    return ways if len(bits) <= index_short_rows else [min(ways, key=lambda way: way.about)]


def _quick(plain: bytes) -> bytes:
    return encode_smallest(plain, ("raw", "zstd-3"))[1]


def _content(encoding: int, parts: list[bytes]) -> bytes:
    """Parts in a row; where they are planes, their lengths in front."""
    lengths = encode_varints([len(part) for part in parts]) if encoding in _EACH else b""
    return b"".join((lengths, *parts))


def _each(content: bytes, width: int, count: int) -> bytes:
    """Planes that were packed each on its own."""
    lengths, at = read_varints(content, 0, width)
    planes = []
    for length in lengths:
        part = content[at:at + length]
        planes.append(part if length == count else decode(_ZSTD, part, count))
        at += length
    return b"".join(planes)


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
