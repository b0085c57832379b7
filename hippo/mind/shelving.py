"""Shelving: which texts of one agent a pass writes anew, so that each lies in a pack of its tier.

1. There are three sets of packs: *warm* holds hot and warm texts (both decode in microseconds), *cool* and *cold* one
   tier each.
2. A text moves when it lies in a complete journal segment, in a pack of another set than its tier's, or in one that is
   outdated.
3. What leaves a pack stays in it as dead rows. A pack is written anew once half of it is dead, or when anything in it
   is and what lives is small: so dead bytes are bounded, and a small store has none.
4. Packs of a set are folded into what moves while they are small or at most twice as large as what came before: an
   agent has a logarithmic number of packs, and the cost of a pass follows what changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits

WARM, COOL, COLD = range(3)
SETS = ("warm", "cool", "cold")
_SET_OF_TIER = np.array([WARM, WARM, COOL, COLD], np.int8)
_JOURNAL = -1


class Shelf(NamedTuple):
    """A pack of the agent: its number, which of SETS it is of, how many rows it was written with, and whether it has to
    be written anew."""

    number: int
    tier_set: int
    rows: int
    outdated: bool = False


def moves(file: NDArray[Any], tier: NDArray[Any], raw_bytes: NDArray[Any], shelves: Sequence[Shelf],
          segments_before: int) -> dict[int, NDArray[np.int64]]:
    """The slots that are written anew, by the set they go to; ascending.

    Args:
        file: u4[n], the file each text lies in, 0 where it is lost.
        tier: u1[n], the tier each belongs to. raw_bytes: u4[n].
        shelves: the agent's packs.
        segments_before: journal segments with lower numbers are complete.
    """
    wanted = _SET_OF_TIER[tier]
    present, outdated = np.full(len(file), _JOURNAL, np.int8), np.zeros(len(file), np.bool_)
    numbers = np.array([shelf.number for shelf in shelves], file.dtype)
    if len(numbers):
        order = np.argsort(numbers)
        at = np.minimum(np.searchsorted(numbers[order], file), len(numbers) - 1)
        held = numbers[order][at] == file
        outdated[held] = np.array([shelf.outdated for shelf in shelves])[order][at[held]]
        present[held] = np.array([shelf.tier_set for shelf in shelves], np.int8)[order][at[held]]
    in_journal = (present == _JOURNAL) & (file > 0)
    moving = (in_journal & (file < segments_before)) | ((present != _JOURNAL) & ((present != wanted) | outdated))
    staying = (present == wanted) & ~moving
    chosen = {}
    for tier_set in range(len(SETS)):
        taken = moving & (wanted == tier_set)
        for number in _rewritten(shelves, tier_set, file[staying], raw_bytes[staying], int(raw_bytes[taken].sum())):
            taken |= staying & (file == number)
        if taken.any():
            chosen[tier_set] = np.flatnonzero(taken)
    return chosen


def _rewritten(shelves: Sequence[Shelf], tier_set: int, file: NDArray[Any], raw_bytes: NDArray[Any],
               collected: int) -> list[int]:
    """The packs of a set whose living rows are written anew, given what lives where and what moves in anyway."""
    mine = sorted((shelf for shelf in shelves if shelf.tier_set == tier_set), reverse=True)
    living = {shelf.number: file == shelf.number for shelf in mine}
    rows = {number: int(here.sum()) for number, here in living.items()}
    raw = {number: int(raw_bytes[here].sum()) for number, here in living.items()}
    small = limits.pack_small_bytes
    chosen = [shelf.number for shelf in mine if 0 < rows[shelf.number] < shelf.rows and (
        2 * rows[shelf.number] <= shelf.rows or raw[shelf.number] <= small)]
    collected += sum(raw[number] for number in chosen)
    for shelf in mine:
        if shelf.number in chosen or not rows[shelf.number]:
            continue
        if not collected or raw[shelf.number] > max(2 * collected, small) or (
                collected + raw[shelf.number] > limits.pack_raw_bytes):
            break
        chosen.append(shelf.number)
        collected += raw[shelf.number]
    return chosen
