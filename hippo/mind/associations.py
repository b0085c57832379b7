"""Associations: weighted links between the memories of one agent, as blocks of eight in columns.

1. An association is symmetric: it stands once in the blocks of each of its two ends, with the same weight and moment.
2. A memory's blocks form a chain; a new association goes into a free slot of the first block or opens a new block. So
   adding costs the same however many there are, and no memory has a limit.
3. Weights are kept as they were set, with the moment; `plasticity.decayed` gives what they are worth.
4. Pruning rebuilds the blocks; a memory keeps its six strongest, and an association stays if either end ranks it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.plasticity import decayed, hebbian, on_grid

_SLOTS = limits.association_block_slots
_NOBODY = -1
_Half = NDArray[Any]


class Associations:
    """The associations of one agent's memories, which are numbered 0..n-1 (slots of the agent's columns)."""

    def __init__(self) -> None:
        self._first = np.full(16, _NOBODY, np.int32)  # memory -> its newest block
        self._next = np.full(16, _NOBODY, np.int32)
        self._owner = np.empty(16, np.int32)
        self._target = np.full((16, _SLOTS), _NOBODY, np.int32)
        self._weight = np.zeros((16, _SLOTS), np.float32)
        self._set_at = np.zeros((16, _SLOTS), np.int64)
        self._blocks = 0
        self._memories = 0
        self._strength: NDArray[np.float64] | None = None
        self._decayed_through = 0
        self.count = 0

    @property
    def decayed_through(self) -> int:
        """The moment of the last pass that let weights decay, UTC milliseconds."""
        return self._decayed_through

    @decayed_through.setter
    def decayed_through(self, moment: int) -> None:
        self._decayed_through = moment
        self._strength = None

    def strength(self) -> NDArray[np.float64]:
        """The sum of each memory's weights as of the last pass: f8[n]. Kept up to date, not to be changed."""
        if self._strength is None or len(self._strength) < self._memories:
            target = self._target[:self._blocks]
            weight = np.where(target != _NOBODY, decayed(
                self._weight[:self._blocks], self._set_at[:self._blocks], self._decayed_through), 0.0)
            self._strength = np.zeros(len(self._first))
            np.add.at(self._strength, self._owner[:self._blocks], weight.sum(axis=1, dtype=np.float64))
        return self._strength[:self._memories]

    def _strengthen(self, one: int, other: int, by: float) -> None:
        if self._strength is not None and max(one, other) < len(self._strength):
            self._strength[one] += by
            self._strength[other] += by

    def grow(self, memories: int) -> None:
        """Makes room for memories up to a count."""
        self._memories = max(self._memories, memories)
        self._first = _grown(self._first, memories, _NOBODY)

    def halves(self, ends: NDArray[Any]) -> tuple[_Half, _Half, _Half]:
        """All associations of some memories.

        Args:
            ends: i4[m], distinct memories.

        Returns:
            (position in `ends` i8[h], other end i4[h], weight as of the last pass f4[h]), in no meaningful order but
            always the same one.
        """
        owners, blocks = [], []
        positions, block = np.arange(len(ends)), self._first[ends]
        while True:
            there = block != _NOBODY
            if not there.any():
                break
            positions, block = positions[there], block[there]
            owners.append(positions)
            blocks.append(block)
            block = self._next[block]
        if not blocks:
            return np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.float32)
        rows = np.concatenate(blocks)
        target = self._target[rows]
        full = target != _NOBODY
        weight = decayed(self._weight[rows][full], self._set_at[rows][full], self.decayed_through)
        return np.repeat(np.concatenate(owners), full.sum(axis=1)), target[full], weight

    def weight(self, one: int, other: int) -> float:
        """The weight between two memories as of the last pass; 0 where they are not associated."""
        found = self._find(one, other)
        if found is None:
            return 0.0
        block, slot = found
        return float(decayed(self._weight[block, slot], self._set_at[block, slot], self.decayed_through))

    def link(self, one: int, other: int, weight: float, now: int) -> bool:
        """Associates two memories that are not associated yet. Returns whether it did."""
        if one == other or self._find(one, other) is not None:
            return False
        self._put(one, other, float(on_grid(np.float32(weight))), now)
        return True

    def set(self, one: int, other: int, weight: float, set_at: int) -> None:
        """States an association as it was recorded."""
        found = self._find(one, other)
        if found is None:
            self._put(one, other, weight, set_at)
            return
        before = self.weight(one, other)
        for block, slot in (found, self._find(other, one)):  # type: ignore[misc]
            self._weight[block, slot], self._set_at[block, slot] = weight, set_at
        self._strengthen(one, other, self.weight(one, other) - before)

    def fire_together(self, ends: NDArray[Any], activation: NDArray[Any], now: int) -> list[tuple[int, int]]:
        """Hebbian learning between all pairs of recalled memories.

        Args:
            ends: i4[k], distinct. activation: f4[k]. now: UTC milliseconds.

        Returns:
            The pairs whose weight changed, lower memory first.
        """
        order = np.argsort(ends)
        ends, activation = np.asarray(ends)[order], np.asarray(activation)[order]
        weight = np.zeros((len(ends), len(ends)), np.float32)
        position, target, held = self.halves(ends)
        inside = np.isin(target, ends)
        weight[position[inside], np.searchsorted(ends, target[inside])] = held[inside]
        grown = hebbian(weight, activation[:, None], activation[None, :])
        changed = []
        for i, j in zip(*np.nonzero(np.triu(grown > weight, 1)), strict=True):
            one, other, after = int(ends[i]), int(ends[j]), float(grown[i, j])
            if weight[i, j] > 0.0:
                self.set(one, other, after, now)
            else:
                self._put(one, other, after, now)
            changed.append((one, other))
        return changed

    def recorded(self, one: int, other: int) -> tuple[float, int]:
        """The weight as it was set and the moment, of memories that are associated."""
        found = self._find(one, other)
        if found is None:
            raise KeyError((one, other))
        return float(self._weight[found]), int(self._set_at[found])

    def all(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Every association once: lower memory, higher memory, weight as set, moment; sorted by both ends."""
        owner = np.repeat(self._owner[:self._blocks], _SLOTS)
        target = self._target[:self._blocks].ravel()
        once = owner < target  # empty slots hold -1, so they drop out here
        owner, target = owner[once], target[once]
        order = np.lexsort((target, owner))
        return (owner[order], target[order], self._weight[:self._blocks].ravel()[once][order],
                self._set_at[:self._blocks].ravel()[once][order])

    def load(self, one: NDArray[Any], other: NDArray[Any], weight: NDArray[Any], set_at: NDArray[Any],
             memories: int) -> None:
        """Replaces everything by the given associations, each once."""
        through = self.decayed_through
        self.__init__()  # type: ignore[misc]
        self.decayed_through = through
        self.grow(memories)
        owner = np.concatenate([one, other]).astype(np.int64)
        target = np.concatenate([other, one]).astype(np.int32)
        order = np.lexsort((target, owner))
        owner, target = owner[order], target[order]
        degree = np.bincount(owner, minlength=memories)
        start = np.cumsum(degree) - degree
        rank = np.arange(len(owner)) - start[owner]
        blocks_of = -(-degree // _SLOTS)
        block_start = np.cumsum(blocks_of) - blocks_of
        block, slot = block_start[owner] + rank // _SLOTS, rank % _SLOTS
        self._blocks, self.count = int(blocks_of.sum()), len(one)
        self._reserve(self._blocks)
        self._owner[:self._blocks] = np.repeat(np.arange(memories), blocks_of)
        self._target[block, slot] = target
        self._weight[block, slot] = np.concatenate([weight, weight])[order]
        self._set_at[block, slot] = np.concatenate([set_at, set_at])[order]
        has = blocks_of > 0
        # The chain starts at the last block, the only one with free slots.
        self._first[:memories][has] = (block_start + blocks_of - 1)[has]
        number = np.arange(self._blocks)
        opens = np.zeros(self._blocks, bool)
        opens[block_start[has]] = True
        self._next[:self._blocks] = np.where(opens, _NOBODY, number - 1)

    def prune(self) -> int:
        """Keeps each memory's strongest associations (rule 4). Returns how many went."""
        one, other, weight, set_at = self.all()
        if not len(one):
            return 0
        worth = decayed(weight, set_at, self.decayed_through)
        ends = np.concatenate([one, other])
        edge = np.tile(np.arange(len(one)), 2)
        order = np.lexsort((edge, -worth[edge], ends))  # equal weights: the one made first stays
        sorted_ends = ends[order]
        opens = np.r_[True, sorted_ends[1:] != sorted_ends[:-1]]
        rank = np.arange(len(order)) - np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))
        stays = np.zeros(len(one), bool)
        stays[edge[order][rank < limits.associations_kept]] = True
        gone = int((~stays).sum())
        if gone:
            self.load(one[stays], other[stays], weight[stays], set_at[stays], self._memories)
        return gone

    def _find(self, one: int, other: int) -> tuple[int, int] | None:
        block = int(self._first[one])
        while block != _NOBODY:
            slots = np.flatnonzero(self._target[block] == other)
            if len(slots):
                return block, int(slots[0])
            block = int(self._next[block])
        return None

    def _put(self, one: int, other: int, weight: float, set_at: int) -> None:
        for owner, target in ((one, other), (other, one)):
            block = int(self._first[owner])
            free = np.flatnonzero(self._target[block] == _NOBODY).tolist() if block != _NOBODY else []
            if not free:
                block, free = self._open_block(owner), [0]
            slot = free[0]
            self._target[block, slot], self._weight[block, slot], self._set_at[block, slot] = target, weight, set_at
        self._strengthen(one, other, float(decayed(np.float32(weight), np.int64(set_at), self._decayed_through)))
        self.count += 1

    def _open_block(self, owner: int) -> int:
        block = self._blocks
        self._blocks += 1
        self._reserve(self._blocks)
        self._owner[block], self._next[block] = owner, self._first[owner]
        self._first[owner] = block
        return block

    def _reserve(self, blocks: int) -> None:
        self._next = _grown(self._next, blocks, _NOBODY)
        self._owner = _grown(self._owner, blocks, 0)
        self._target = _grown(self._target, blocks, _NOBODY)
        self._weight = _grown(self._weight, blocks, 0)
        self._set_at = _grown(self._set_at, blocks, 0)


def _grown(column: NDArray[Any], length: int, filler: int) -> NDArray[Any]:
    if length <= len(column):
        return column
    wider = np.full((max(length, 2 * len(column)), *column.shape[1:]), filler, column.dtype)
    wider[:len(column)] = column
    return wider
