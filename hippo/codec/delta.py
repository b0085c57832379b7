"""Likeness among the long rows of a pack: which is best written against which other, and what many of them share.

1. Rows are compared by their content-defined chunks. Short rows are not looked at: where texts are short, this costs
   nothing.
2. *Delta*: a row of which an earlier one holds a fourth or more leans on that one, the one that holds most of it. What
   is leaned on leans on nothing itself, so that reading a row decodes two blocks at most.
3. *Chunks*: what rows share without resembling each other (a letterhead, a licence) can lie once, in a block of its own
   that theirs lean on.
4. This says what may pay; whether it does, the pack finds out by writing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hippo.codec.chunks import chunks_of
from hippo.limits import chunk_bytes_min, delta_row_bytes_min, shared_bytes_max

_SHARE = 4
_HOLDERS_MAX = 8  # of one chunk: more make no better choice


class Likeness(NamedTuple):
    """What may pay: `bases` by row the row it leans on; `shared` chunks of several of the rows `sharing` them."""

    bases: dict[int, int]
    shared: bytes
    sharing: frozenset[int]


def likeness(rows: Sequence[bytes]) -> Likeness:
    """What rows of a pack have to do with each other; rows are named by their position."""
    bases: dict[int, int] = {}
    holders: dict[bytes, list[int]] = {}
    for at, row in enumerate(rows):
        if len(row) < delta_row_bytes_min:
            continue
        chunks = chunks_of(row)
        held: Counter[int] = Counter()
        for chunk in chunks:
            for holder in holders.get(chunk, ())[:_HOLDERS_MAX]:
                held[holder] += len(chunk)
        best, most = max(held.items(), key=lambda one: one[1], default=(0, 0))
        if most * _SHARE >= len(row):
            bases[at] = best
            continue
        for chunk in dict.fromkeys(chunks):
            holders.setdefault(chunk, []).append(at)
    repeated = [(chunk, held_by) for chunk, held_by in holders.items()
                if len(held_by) > 1 and len(chunk) >= chunk_bytes_min]
    shared: list[bytes] = []
    sharing: set[int] = set()
    room = shared_bytes_max
    for chunk, held_by in repeated:
        if len(chunk) <= room:
            room -= len(chunk)
            shared.append(chunk)
            sharing.update(held_by)
    return Likeness(bases, b"".join(shared), frozenset(sharing))
