"""Packs: the texts of one agent in compressed blocks that describe themselves (FORMAT.md has the tables).

1. A pack holds one agent, and texts of one set. Two agents never share a block, so that no length of one tells about
   the other.
2. A cut costs what is behind it: what a block leans on stands before it.
3. Encoding is a function of agent, rows and what is given with them: the same gives the same bytes.
4. Rows are of ascending ordinals; time order compresses about as well as any.
5. Long rows that resemble others of the pack, or share pieces, are also tried as *delta* and as *chunks* (`delta`), and
   whatever is smaller is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from struct import Struct as Layout
from typing import NamedTuple

from hippo.codec import block as blocks
from hippo.codec.block import Row, Written
from hippo.codec.delta import likeness
from hippo.codec.record import checksum
from hippo.codec.tiers import TIER_SETS
from hippo.limits import block_bytes_max, block_rows_max, pack_bytes_max, warm_block_bytes

__all__ = ["VERSION", "EncodedPack", "Preamble", "Row", "encode_pack", "preamble_at", "tail_preamble"]

VERSION = 2
_MAGIC = b"HIPK"
_PREAMBLE = Layout("<4sHHII")
_CHECK = Layout("<I")
_SET_SHIFT = 24


class EncodedPack(NamedTuple):
    """A pack, where its rows lie (for each its block's offset and its place in the block), and in which codec."""

    content: bytes
    places: list[tuple[int, int]]
    codecs: list[str]


class Preamble(NamedTuple):
    """What a pack says of itself: the same at its head and at its tail."""

    version: int
    agent: str
    tier_set: str
    blocks: int
    file_bytes: int
    own_bytes: int


class _Planned(NamedTuple):
    """A block to come: its rows by their position, its content, and the planned block it leans on, by its position."""

    rows: Sequence[int]
    written: Written
    base: int | None = None


def encode_pack(agent: str, rows: Sequence[Row], *, tier_set: str = "warm", schemas: Sequence[bytes] = (),
                dictionary: tuple[int, bytes] | None = None) -> EncodedPack:
    """The pack of one agent's rows.

    Args:
        rows: ordinals ascending; so many that the pack stays below `pack_bytes_max`.
        tier_set: one of TIER_SETS.
        schemas: what `Row.schema` counts in.
        dictionary: its number, from 1 on, and its content.
    """
    assert rows
    assert all(left.ordinal < right.ordinal for left, right in pairwise(rows))
    number, known = dictionary or (0, b"")
    assert bool(number) == bool(known)
    name = agent.encode()
    own = _PREAMBLE.size + len(name) + _CHECK.size
    at = own
    encoded: list[bytes] = []
    offsets: list[int] = []
    places: dict[int, tuple[int, int]] = {}
    codecs: dict[int, str] = {}
    planned = _planned(rows, schemas, tier_set, known)
    for members, written, base in planned:
        leans = 0 if base is None else at - offsets[base]
        one = blocks.encode_block(written, number, leans, base is not None and not planned[base].rows)
        found = blocks.block_at(one, 0)
        assert found is not None
        places |= {row: (at, place) for place, row in enumerate(members)}
        codecs |= dict.fromkeys(members, found.codec_name)
        offsets.append(at)
        encoded.append(one)
        at += len(one)
    counted = len(encoded) | TIER_SETS.index(tier_set) << _SET_SHIFT
    preamble = _PREAMBLE.pack(_MAGIC, VERSION, len(name), counted, at + own) + name
    preamble += _CHECK.pack(checksum(preamble))
    content = b"".join((preamble, *encoded, preamble))
    assert len(content) <= pack_bytes_max
    return EncodedPack(content, [places[row] for row in range(len(rows))], [codecs[row] for row in range(len(rows))])


def preamble_at(content: bytes, at: int) -> Preamble | None:
    """The preamble that starts at a position, if there is an intact one; of any version."""
    if at < 0 or at + _PREAMBLE.size > len(content):
        return None
    magic, version, name_bytes, counted, file_bytes = _PREAMBLE.unpack_from(content, at)
    end = at + _PREAMBLE.size + name_bytes
    if magic != _MAGIC or end + _CHECK.size > len(content):
        return None
    if _CHECK.unpack_from(content, end)[0] != checksum(content[at:end]):
        return None
    agent = content[at + _PREAMBLE.size:end].decode(errors="replace")
    tier_set = TIER_SETS[min(counted >> _SET_SHIFT, len(TIER_SETS) - 1)]
    return Preamble(version, agent, tier_set, counted & (1 << _SET_SHIFT) - 1, file_bytes, end + _CHECK.size - at)


def tail_preamble(content: bytes) -> Preamble | None:
    """The preamble that ends where the content ends, if there is an intact one."""
    at = content.rfind(_MAGIC)
    while at >= 0:
        found = preamble_at(content, at)
        if found is not None and at + found.own_bytes == len(content):
            return found
        at = content.rfind(_MAGIC, 0, at)
    return None


def _planned(rows: Sequence[Row], schemas: Sequence[bytes], tier_set: str, known: bytes) -> list[_Planned]:
    """The blocks of a pack, each behind the one it leans on."""
    alike = likeness([row.plain for row in rows])
    positions = [at for at in range(len(rows)) if at not in alike.bases]
    total = sum(len(rows[at].plain) + 1 for at in positions)
    aim = warm_block_bytes if tier_set == "warm" and total > block_bytes_max else block_bytes_max
    leaned_on = set(alike.bases.values())
    planned: list[_Planned] = []
    free: list[_Planned] = []
    for group in blocks.groups([len(rows[at].plain) for at in positions], aim, block_rows_max):
        members = [positions[at] for at in group]
        one = _Planned(members, blocks.write([rows[at] for at in members], schemas, tier_set, known))
        (free if alike.sharing.intersection(members) and not leaned_on.intersection(members) else planned).append(one)
    planned = _on_chunks(free, alike.shared, rows, schemas, tier_set) + planned
    holder = {row: at for at, one in enumerate(planned) for row in one.rows}
    for row, base in alike.bases.items():
        alone = blocks.write([rows[row]], schemas, tier_set, known)
        delta = blocks.write([rows[row]], schemas, tier_set, planned[holder[base]].written.plain)
        is_shorter = len(delta.stored) < len(alone.stored)
        planned.append(_Planned([row], delta, holder[base]) if is_shorter else _Planned([row], alone))
    return planned


def _on_chunks(free: list[_Planned], shared: bytes, rows: Sequence[Row], schemas: Sequence[bytes], tier_set: str,
               ) -> list[_Planned]:
    """Blocks that share chunks: with these in a block of their own in front, if that is smaller."""
    if len(free) < 2:
        return free
    leaning = [_Planned([], blocks.write_chunks(shared, tier_set))]
    leaning += [_Planned(one.rows, blocks.write([rows[at] for at in one.rows], schemas, tier_set, shared), 0)
                for one in free]
    return min(free, leaning, key=lambda way: sum(len(one.written.stored) for one in way))
