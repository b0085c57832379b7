"""Blocks: some rows of an agent, compressed together, that describe themselves (FORMAT.md has the tables).

1. A block says which ordinals it holds and is checked as a whole: damage costs a block, never more than its rows.
2. Rows stand as they are, or, where that is shorter, as residuals against schemas that stand once at the block's head:
   nothing outside is needed to read it but the dictionary it names, by number, or the block of its pack it leans on.
3. A block that others lean on leans on none: reading a row decodes two blocks at most.
4. Rows are separated by NUL where none of them contains one, else their lengths stand in front.
5. Version 1 is read as well: lengths in front, runs of ordinals, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from struct import Struct as Layout
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.columns import encode_varints, read_varints
from hippo.codec.compression import codec_named, codec_numbered, decode, encode_smallest
from hippo.codec.ordinals import RUNS, decode_ordinals, encode_ordinals
from hippo.codec.record import Damaged, checksum
from hippo.codec.tiers import encode_for
from hippo.limits import block_rows_max

MAGIC_1, MAGIC = b"\x0c\xb1", b"\x0c\xb2"
HEAD_BYTES = 21  # from so many bytes on it can be told how long a block is
SCHEMAS_MAX = 255
_LISTED, _FOLDED, _FADED, _DICTIONARY, _DELTA, _CHUNKS = (1 << bit for bit in range(6))
_FORM_SHIFT = 6
_FIDELITY_BYTES = 3
_FADED_CODECS = ("raw", "brotli-11")
_HEAD_1 = Layout("<2sBHHIIH")
_CHECK = Layout("<I")
_CHECKED_FROM = len(MAGIC) + _CHECK.size


class Row(NamedTuple):
    """A memory to be written.

    `plain` is what a read must give back; `residual` an opaque shorter form of it against the schema numbered `schema`;
    `fidelity` three bytes, there for abridged memories only.
    """

    ordinal: int
    plain: bytes
    residual: bytes | None = None
    schema: int = -1
    fidelity: bytes | None = None


class Folded(NamedTuple):
    """A row as it lies: a residual, and the schema it is against."""

    schema: bytes
    residual: bytes


Held = bytes | Folded


class Block(NamedTuple):
    """The header of an intact block at `offset`; its compressed content is `content[start:end]` of the file.

    `plain_bytes` come out of the codec, `raw_bytes` are those of its texts. `schemas` stand at its head where rows are
    residuals, else there is none. `dictionary` is a number, 0 for none; `base` how far before this block the one lies
    that it leans on, 0 for none, `on_chunks` whether that holds chunks only. `faded`: the fidelity of abridged rows.
    """

    offset: int
    codec: int
    rows: int
    plain_bytes: int
    raw_bytes: int
    form: int
    ordinals: bytes
    is_listed: bool
    schemas: int
    dictionary: int
    base: int
    on_chunks: bool
    faded: bytes
    start: int
    end: int

    @property
    def codec_name(self) -> str:
        """What it is compressed with, for people."""
        try:
            name = codec_numbered(self.codec).name
        except Damaged:
            name = f"codec {self.codec}"  # of a later release: its texts cannot be read, the others can
        return f"{'chunks' if self.on_chunks else 'delta'}:{name}" if self.base else name


class Written(NamedTuple):
    """A block without its place: its compressed content, the plain one, and what its header says but for its base."""

    codec: int
    plain: bytes
    stored: bytes
    rows: Sequence[Row]
    is_listed: bool
    schemas: int


def write(rows: Sequence[Row], schemas: Sequence[bytes], tier_set: str, known: bytes) -> Written:
    """The shortest block of some rows.

    Args:
        schemas: what the rows' `schema` counts in.
        tier_set: whose codecs are tried.
        known: a dictionary that the block will name, or the plain content of the block it will lean on.
    """
    plain = _write(rows, [row.plain for row in rows], b"", 0, tier_set, known)
    used = sorted({row.schema for row in rows if row.residual is not None})
    if not 0 < len(used) <= SCHEMAS_MAX or 2 * sum(row.residual is not None for row in rows) < len(rows):
        return plain
    codes = bytes(0 if row.residual is None else used.index(row.schema) + 1 for row in rows)
    parts = [schemas[number] for number in used] + [row.plain if row.residual is None else row.residual for row in rows]
    folded = _write(rows, parts, codes, len(used), tier_set, known)
    return min(plain, folded, key=lambda written: len(written.stored))


def write_chunks(content: bytes, tier_set: str) -> Written:
    """A block that holds no rows, for others to lean on."""
    codec, stored = encode_for(tier_set, content)
    return Written(codec.number, content, stored, (), False, 0)


def encode_block(written: Written, dictionary: int = 0, base: int = 0, on_chunks: bool = False) -> bytes:
    """The bytes of a block. `dictionary`, `base` and `on_chunks` as in `Block`; not both of the first two."""
    codec, plain, stored, rows, is_listed, schemas = written
    form, ordinals = encode_ordinals([row.ordinal for row in rows])
    faded = _encode_faded(rows)
    takes = codec_numbered(codec).takes_dictionary
    shape = form << _FORM_SHIFT
    numbers = [len(rows), len(plain), len(ordinals)]
    for bit, applies, number in (
            (_LISTED, is_listed, None), (_FOLDED, schemas, schemas), (_FADED, faded, len(faded)),
            (_DICTIONARY, takes and not base, dictionary), (_DELTA, takes and base, base),
            (_CHUNKS, takes and base and on_chunks, None)):
        if applies:
            shape |= bit
            numbers += [] if number is None else [number]
    if is_listed or schemas:
        numbers.append(sum(len(row.plain) for row in rows))
    body = bytes((codec, shape)) + encode_varints(numbers) + ordinals + faded + stored
    body = encode_varints([len(body)]) + body
    return MAGIC + _CHECK.pack(checksum(body, checksum(MAGIC))) + body


def block_bytes(header: bytes) -> int:
    """How long a block claims to be, from its first HEAD_BYTES; 0 where they are no header."""
    if len(header) < _CHECKED_FROM:
        return 0
    if header[:2] == MAGIC_1 and len(header) >= HEAD_BYTES:
        *_, stored_bytes, run_bytes = _HEAD_1.unpack_from(header)
        return int(HEAD_BYTES + run_bytes + stored_bytes)
    if header[:2] != MAGIC:
        return 0
    try:
        (body,), at = read_varints(header[:HEAD_BYTES], _CHECKED_FROM, 1)
    except Damaged:
        return 0
    return at + body


def block_at(content: bytes, at: int) -> Block | None:
    """The block that starts at a position, if there is an intact one."""
    end = at + block_bytes(content[at:at + HEAD_BYTES])
    if end == at or end > len(content):
        return None
    view = memoryview(content)
    if content[at:at + 2] == MAGIC_1:
        body = at + HEAD_BYTES
        check = checksum(view[body:end], checksum(view[at:at + _HEAD_1.size]))
        if _CHECK.unpack_from(content, at + _HEAD_1.size)[0] != check:
            return None
        _, codec, rows, length_bytes, raw_bytes, _, run_bytes = _HEAD_1.unpack_from(content, at)
        start = body + run_bytes
        return Block(at, codec, rows, length_bytes + raw_bytes, raw_bytes, RUNS, content[body:start], True, 0, 0, 0,
                     False, b"", start, end)
    if _CHECK.unpack_from(content, at + 2)[0] != checksum(view[at + _CHECKED_FROM:end], checksum(MAGIC)):
        return None
    try:
        return _parsed(content, at, end)
    except (Damaged, IndexError):
        return None


def next_block(content: bytes, start: int) -> Block | None:
    """The first intact block at or behind a position."""
    at = content.find(MAGIC[:1], start)
    while at >= 0:
        found = block_at(content, at)
        if found is not None:
            return found
        at = content.find(MAGIC[:1], at + 1)
    return None


def plain_content(content: bytes, block: Block, dictionaries: Mapping[int, bytes]) -> bytes:
    """What the codec of a block gives.

    Args:
        content: of the file, at least from what the block leans on.
        dictionaries: by number.

    Raises:
        Damaged: it cannot be decoded, or what it needs is not there.
    """
    known = b""
    if block.base:
        base = block_at(content, block.offset - block.base) if block.base <= block.offset else None
        if base is None or base.base:
            raise Damaged("the block it leans on is damaged")
        known = plain_content(content, base, dictionaries)
    elif block.dictionary:
        try:
            known = dictionaries[block.dictionary]
        except KeyError:
            raise Damaged(f"its dictionary, number {block.dictionary}, is missing") from None
    return decode(block.codec, content[block.start:block.end], block.plain_bytes, known)


def decode_block(content: bytes, block: Block, dictionaries: Mapping[int, bytes]) -> list[Held]:
    """The rows of an intact block, each as it is or as a residual with its schema; arguments as `plain_content`.

    Raises:
        Damaged: it does not hold what its header says.
    """
    plain = plain_content(content, block, dictionaries)
    if not block.rows:
        return []
    at = block.rows if block.schemas else 0
    codes = plain[:at]
    parts = _parts(plain, at, block.schemas + block.rows, block.is_listed)
    schemas, rows = parts[:block.schemas], parts[block.schemas:]
    if not block.schemas:
        return list(rows)
    if max(codes) > len(schemas):
        raise Damaged("a residual without its schema")
    return [Folded(schemas[code - 1], row) if code else row for code, row in zip(codes, rows, strict=True)]


def ordinals_of(blocks: Sequence[Block]) -> NDArray[np.uint64]:
    """The ordinals of all rows of these blocks, one after the other.

    Raises:
        Damaged: those of a block do not give its rows.
    """
    each = [decode_ordinals(block.form, block.ordinals, block.rows) for block in blocks]
    return np.concatenate(each) if each else np.empty(0, "u8")


def fidelity_of(blocks: Sequence[Block]) -> NDArray[np.uint8]:
    """The fidelity of all rows of these blocks, uint8[n, 3]; zeros for those that are not abridged.

    Raises:
        Damaged: that of a block does not fit its rows.
    """
    each = [_decoded_faded(block) for block in blocks]
    return np.concatenate(each) if each else np.empty((0, _FIDELITY_BYTES), "u1")


def _write(rows: Sequence[Row], parts: Sequence[bytes], codes: bytes, schemas: int, tier_set: str, known: bytes,
           ) -> Written:
    is_listed = any(0 in part for part in parts)
    lengths = encode_varints([len(part) for part in parts]) if is_listed else b""
    plain = codes + lengths + (b"" if is_listed else b"\0").join(parts)
    codec, stored = encode_for(tier_set, plain, known)
    if decode(codec.number, stored, len(plain), known) != plain:  # its source will be dropped
        codec, stored = codec_named("raw"), plain
    return Written(codec.number, plain, stored, rows, is_listed, schemas)


def _parts(plain: bytes, at: int, count: int, is_listed: bool) -> list[bytes]:
    if not is_listed:
        parts = plain[at:].split(b"\0")
        if len(parts) != count:
            raise Damaged("a block whose texts do not fill it")
        return parts
    lengths, at = read_varints(plain, at, count)
    if at + sum(lengths) != len(plain):
        raise Damaged("a block whose texts do not fill it")
    ends = np.cumsum(lengths) + at
    return [plain[end - length:end] for length, end in zip(lengths, ends.tolist(), strict=True)]


def _parsed(content: bytes, at: int, end: int) -> Block:
    """The header of an intact block of the present version."""
    _, start = read_varints(content, at + _CHECKED_FROM, 1)
    codec, shape = content[start], content[start + 1]
    (rows, plain_bytes, ordinal_bytes), start = read_varints(content, start + 2, 3)
    numbers = {}
    for bit in (_FOLDED, _FADED, _DICTIONARY, _DELTA):
        if shape & bit:
            (numbers[bit],), start = read_varints(content, start, 1)
    raw_bytes = plain_bytes - rows + 1 if rows else 0
    if shape & (_LISTED | _FOLDED):
        (raw_bytes,), start = read_varints(content, start, 1)
    faded = start + ordinal_bytes
    stored = faded + numbers.get(_FADED, 0)
    if stored > end or rows > block_rows_max:
        raise Damaged("a header that is none")
    return Block(at, codec, rows, plain_bytes, raw_bytes, shape >> _FORM_SHIFT, content[start:faded],
                 bool(shape & _LISTED), numbers.get(_FOLDED, 0), numbers.get(_DICTIONARY, 0), numbers.get(_DELTA, 0),
                 bool(shape & _CHUNKS), content[faded:stored], stored, end)


def _encode_faded(rows: Sequence[Row]) -> bytes:
    """The fidelity of abridged rows: a bit for each row, the codec, then all first bytes, all second, all third."""
    values = [row.fidelity for row in rows if row.fidelity is not None]
    if not values:
        return b""
    assert all(len(value) == _FIDELITY_BYTES for value in values)
    planes = np.frombuffer(b"".join(values), "u1").reshape(-1, _FIDELITY_BYTES).T.tobytes()
    codec, stored = encode_smallest(planes, _FADED_CODECS)
    is_faded = np.array([row.fidelity is not None for row in rows])
    return np.packbits(is_faded, bitorder="little").tobytes() + bytes((codec.number,)) + stored


def _decoded_faded(block: Block) -> NDArray[np.uint8]:
    fidelity = np.zeros((block.rows, _FIDELITY_BYTES), "u1")
    if block.faded:
        at = (block.rows + 7) // 8
        is_faded = np.unpackbits(np.frombuffer(block.faded[:at], "u1"), bitorder="little")[:block.rows].astype(bool)
        count = int(is_faded.sum())
        if len(block.faded) <= at or len(is_faded) != block.rows:
            raise Damaged("fidelities that are cut off")
        planes = decode(block.faded[at], block.faded[at + 1:], _FIDELITY_BYTES * count)
        fidelity[is_faded] = np.frombuffer(planes, "u1").reshape(_FIDELITY_BYTES, count).T
    return fidelity


def groups(lengths: Sequence[int], bytes_max: int, rows_max: int) -> Iterator[range]:
    """Rows of some lengths in as few groups as possible, all about as large; a longer row is a group of its own."""
    total = sum(lengths) + len(lengths)
    aim = total / max(-(-total // bytes_max), 1)
    first = size = reached = 0
    share = 1
    for at, length in enumerate(lengths):
        is_past = reached + length / 2 > share * aim
        if at > first and (is_past or size + length > bytes_max or at - first == rows_max):
            yield range(first, at)
            first, size = at, 0
        share += is_past
        size += length + 1
        reached += length + 1
    if lengths:
        yield range(first, len(lengths))
