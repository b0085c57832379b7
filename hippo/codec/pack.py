"""Packs: the texts of one agent in compressed blocks that describe themselves (FORMAT.md has the tables).

1. A pack holds one agent. Two agents never share a block, so that no length of one tells about the other.
2. A block says which ordinals it holds and is checked as a whole: damage costs a block, a cut costs what is behind it.
3. Encoding is a function of agent and rows: the same rows give the same bytes.
4. Rows are of ascending ordinals; time order compresses about as well as any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from struct import Struct as Layout
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.columns import decode_varints, encode_varints, read_varints
from hippo.codec.compression import SEAL_CODECS, decode, encode_smallest
from hippo.codec.record import Damaged, checksum
from hippo.limits import pack_block_bytes, pack_bytes_max

VERSION = 1
_PREAMBLE_MAGIC = b"HIPK"
_BLOCK_MAGIC = b"\x0c\xb1"
_PREAMBLE = Layout("<4sHHII")
_BLOCK = Layout("<2sBHHIIH")
_CHECK = Layout("<I")
BLOCK_BYTES = _BLOCK.size + _CHECK.size
_ROWS_MAX = 4_096


class EncodedPack(NamedTuple):
    """A pack and where its rows lie: for each row its block's offset and its place in the block."""

    content: bytes
    places: list[tuple[int, int]]


class Preamble(NamedTuple):
    """What a pack says of itself: the same at its head and at its tail."""

    version: int
    agent: str
    blocks: int
    file_bytes: int
    own_bytes: int


class Block(NamedTuple):
    """The header of an intact block at `offset`; its compressed rows are `content[start:end]`."""

    offset: int
    codec: int
    rows: int
    length_bytes: int
    raw_bytes: int
    runs: bytes
    start: int
    end: int


def encode_pack(agent: str, rows: Sequence[tuple[int, str]]) -> EncodedPack:
    """The pack of one agent's rows.

    Args:
        rows: (ordinal, text), ordinals ascending; so many that the pack stays below `pack_bytes_max`.
    """
    ordinals = [ordinal for ordinal, _ in rows]
    assert ordinals
    assert all(left < right for left, right in pairwise(ordinals))
    name = agent.encode()
    own = _PREAMBLE.size + len(name) + _CHECK.size
    blocks: list[bytes] = []
    places: list[tuple[int, int]] = []
    at = own
    for group in _groups(rows):
        block = _encode_block(group)
        places.extend((at, row) for row in range(len(group)))
        blocks.append(block)
        at += len(block)
    preamble = _PREAMBLE.pack(_PREAMBLE_MAGIC, VERSION, len(name), len(blocks), at + own) + name
    preamble += _CHECK.pack(checksum(preamble))
    content = b"".join((preamble, *blocks, preamble))
    assert len(content) <= pack_bytes_max
    return EncodedPack(content, places)


def preamble_at(content: bytes, at: int) -> Preamble | None:
    """The preamble that starts at a position, if there is an intact one; of any version."""
    if at < 0 or at + _PREAMBLE.size > len(content):
        return None
    magic, version, name_bytes, blocks, file_bytes = _PREAMBLE.unpack_from(content, at)
    end = at + _PREAMBLE.size + name_bytes
    if magic != _PREAMBLE_MAGIC or end + _CHECK.size > len(content):
        return None
    if _CHECK.unpack_from(content, end)[0] != checksum(content[at:end]):
        return None
    agent = content[at + _PREAMBLE.size:end].decode(errors="replace")
    return Preamble(version, agent, blocks, file_bytes, end + _CHECK.size - at)


def tail_preamble(content: bytes) -> Preamble | None:
    """The preamble that ends where the content ends, if there is an intact one."""
    at = content.rfind(_PREAMBLE_MAGIC)
    while at >= 0:
        found = preamble_at(content, at)
        if found is not None and at + found.own_bytes == len(content):
            return found
        at = content.rfind(_PREAMBLE_MAGIC, 0, at)
    return None


def block_at(content: bytes, at: int) -> Block | None:
    """The block that starts at a position, if there is an intact one."""
    if at + BLOCK_BYTES > len(content):
        return None
    magic, codec, rows, length_bytes, raw_bytes, stored_bytes, run_bytes = _BLOCK.unpack_from(content, at)
    if magic != _BLOCK_MAGIC:
        return None
    body = at + BLOCK_BYTES
    end = body + run_bytes + stored_bytes
    if end > len(content):
        return None
    if _CHECK.unpack_from(content, at + _BLOCK.size)[0] != _block_checksum(content, at, body, end):
        return None
    return Block(at, codec, rows, length_bytes, raw_bytes, content[body:body + run_bytes], body + run_bytes, end)


def next_block(content: bytes, start: int) -> Block | None:
    """The first intact block at or behind a position."""
    at = content.find(_BLOCK_MAGIC, start)
    while at >= 0:
        found = block_at(content, at)
        if found is not None:
            return found
        at = content.find(_BLOCK_MAGIC, at + 1)
    return None


def block_bytes(header: bytes) -> int:
    """How long a block claims to be, from its first bytes; 0 where they are no header."""
    if len(header) < BLOCK_BYTES:
        return 0
    magic, _, _, _, _, stored_bytes, run_bytes = _BLOCK.unpack_from(header)
    return int(BLOCK_BYTES + run_bytes + stored_bytes) if magic == _BLOCK_MAGIC else 0


def ordinals_of(blocks: Sequence[Block]) -> NDArray[np.uint64]:
    """The ordinals of all rows of these blocks, one after the other.

    Raises:
        Damaged: the runs of a block do not give its rows.
    """
    if not blocks:
        return np.empty(0, "u8")
    numbers = decode_varints(b"".join(block.runs for block in blocks))
    # A varint ends with a byte below 128: so many numbers has each block.
    pairs = np.array([sum(octet < 128 for octet in block.runs) for block in blocks])
    rows = np.array([block.rows for block in blocks])
    if (pairs % 2).any() or not pairs.all():
        raise Damaged("runs of ordinals without an end")
    gaps, counts = numbers[0::2].astype("i8"), numbers[1::2].astype("i8")
    firsts = np.concatenate(([0], np.cumsum(pairs // 2)[:-1]))
    if (counts < 1).any() or (np.add.reduceat(counts, firsts) != rows).any():
        raise Damaged("runs of ordinals that do not give the rows")
    # Steps between neighbouring rows: 1 inside a run, the gap at its start; a block starts again from 0.
    steps = np.ones(int(counts.sum()), "i8")
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    steps[starts] = gaps
    reached = np.cumsum(steps)
    heads = starts[firsts]
    before = reached[heads] - gaps[firsts]
    ordinals = reached - np.repeat(before, rows)
    if (ordinals < 0).any():
        raise Damaged("ordinals that are none")
    return np.asarray(ordinals, "u8")


def decode_block(content: bytes, block: Block) -> list[str]:
    """The texts of an intact block.

    Raises:
        Damaged: it does not hold what its header says.
    """
    plain = decode(block.codec, content[block.start:block.end], block.length_bytes + block.raw_bytes)
    lengths, at = read_varints(plain, 0, block.rows)
    if at != block.length_bytes or sum(lengths) != block.raw_bytes:
        raise Damaged("a block whose texts do not fill it")
    texts = []
    try:
        for length in lengths:
            texts.append(plain[at:at + length].decode())
            at += length
    except UnicodeDecodeError as error:
        raise Damaged("a text that is no UTF-8") from error
    return texts


def _groups(rows: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, bytes]]]:
    """Rows in groups of about `pack_block_bytes`; a longer text is a group of its own."""
    group: list[tuple[int, bytes]] = []
    group_bytes = 0
    for ordinal, text in rows:
        raw = text.encode()
        if group and (group_bytes + len(raw) > pack_block_bytes or len(group) == _ROWS_MAX):
            yield group
            group, group_bytes = [], 0
        group.append((ordinal, raw))
        group_bytes += len(raw)
    yield group


def _encode_block(group: Sequence[tuple[int, bytes]]) -> bytes:
    raw = b"".join(text for _, text in group)
    lengths = encode_varints([len(text) for _, text in group])
    codec, stored = encode_smallest(lengths + raw, SEAL_CODECS)
    assert decode(codec.number, stored, len(lengths) + len(raw)) == lengths + raw  # its source will be dropped
    runs: list[int] = []
    last = -1
    for ordinal, _ in group:
        if runs and ordinal == last + 1:
            runs[-1] += 1
        else:
            runs += [ordinal - max(last, 0), 1]
        last = ordinal
    run_bytes = encode_varints(runs)
    header = _BLOCK.pack(_BLOCK_MAGIC, codec.number, len(group), len(lengths), len(raw), len(stored), len(run_bytes))
    check = checksum(stored, checksum(run_bytes, checksum(header)))
    return header + _CHECK.pack(check) + run_bytes + stored


def _block_checksum(content: bytes, at: int, body: int, end: int) -> int:
    view = memoryview(content)
    return checksum(view[body:end], checksum(view[at:at + _BLOCK.size]))
