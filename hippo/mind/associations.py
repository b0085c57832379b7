"""Associations: weighted links between the memories of one agent, as blocks of eight in columns.

1. An association is symmetric: it stands once in the blocks of each of its two ends, with the same weight and moment.
2. A memory's blocks form a chain; a new association goes into a free slot of the first block or opens a new block. So
   adding costs the same however many there are, and no memory has a limit.
3. Weights are kept as they were set, with the moment. What they are worth (`plasticity.decayed`) changes only when one
   is set and when a pass lets them decay, so it stands beside them: a recall reads it and computes nothing.
4. Pruning lets a memory keep its six strongest, and an association stays if either end ranks it. Only memories with
   more than six are ranked, and only the blocks of those that lose one are filled anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.plasticity import decayed, hebbian, on_day, on_grid

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
        self._worth = np.zeros((16, _SLOTS), np.float32)  # as of the last pass
        self._set_at = np.zeros((16, _SLOTS), np.int64)
        self._filled = np.zeros(16, np.uint8)  # slots of a block, which fill in order
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
        self._worth[:self._blocks] = decayed(self._weight[:self._blocks], self._set_at[:self._blocks], moment)
        self._strength = None

    def restate(self, now: int) -> None:
        """States what every so many days has its turn as of today: weights that nobody touched fall in step.

        The rule of decay composes, so this changes no weight but by rounding, and by `edge_settled` near the floor. A
        turn is that of a stretch of memories, so that a night restates a small part of a large store.
        """
        day, stretch = on_day(now), limits.restate_rows
        turn = day // limits.ms_per_day % limits.restate_days
        if turn * stretch >= self._memories:
            return
        owner, target = self._owner[:self._blocks, None], self._target[:self._blocks]
        due = (target != _NOBODY) & (np.maximum(owner, target) // stretch % limits.restate_days == turn)
        due &= self._set_at[:self._blocks] < day
        weight, set_at = self._weight[:self._blocks], self._set_at[:self._blocks]
        worth = decayed(weight[due], set_at[due], day)
        # What is almost as faint as it can become is as faint: most associations of a year end here.
        settled = np.abs(worth - limits.edge_floor) < limits.edge_settled
        weight[due] = on_grid(np.where(settled, limits.edge_floor, worth))
        set_at[due] = day

    def strength(self) -> NDArray[np.float64]:
        """The sum of each memory's weights as of the last pass: f8[n]. Kept up to date, not to be changed."""
        if self._strength is None or len(self._strength) < self._memories:
            worth = np.where(self._target[:self._blocks] != _NOBODY, self._worth[:self._blocks], 0.0)
            self._strength = np.zeros(len(self._first))
            np.add.at(self._strength, self._owner[:self._blocks], worth.sum(axis=1, dtype=np.float64))
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
        owners, rows = self._chains(ends)
        target = self._target[rows].ravel()
        full = np.flatnonzero(target != _NOBODY)
        return owners[full // _SLOTS], target[full], self._worth[rows].ravel()[full]

    def _chains(self, ends: NDArray[Any]) -> tuple[_Half, _Half]:
        """The blocks of some memories: (position in `ends` i8[b], block i4[b])."""
        positions, block = np.arange(len(ends)), self._first[ends]
        owners, rows = [], []
        while True:
            there = np.flatnonzero(block != _NOBODY)
            if not len(there):
                break
            positions, block = positions[there], block[there]
            owners.append(positions)
            rows.append(block)
            block = self._next[block]
        if not rows:
            return np.empty(0, np.int64), np.empty(0, np.int32)
        return np.concatenate(owners), np.concatenate(rows)

    def weight(self, one: int, other: int) -> float:
        """The weight between two memories as of the last pass; 0 where they are not associated."""
        found = self._find(one, other)
        if found is None:
            return 0.0
        return float(self._worth[found])

    def link(self, one: int, other: int, weight: float, now: int) -> bool:
        """Associates two memories that are not associated yet. Returns whether it did."""
        if one == other or self._find(one, other) is not None:
            return False
        self._put(one, other, float(on_grid(weight)), on_day(now))
        return True

    def set(self, one: int, other: int, weight: float, set_at: int) -> None:
        """States an association as it was recorded."""
        set_at = on_day(set_at)
        found = self._find(one, other)
        if found is None:
            self._put(one, other, weight, set_at)
            return
        before, worth = float(self._worth[found]), self._worth_of(weight, set_at)
        for place in (found, self._find(other, one)):
            self._weight[place], self._set_at[place], self._worth[place] = weight, set_at, worth
        self._strengthen(one, other, worth - before)

    def fire_together(self, ends: NDArray[Any], activation: NDArray[Any], now: int) -> list[tuple[int, int]]:
        """Hebbian learning between all pairs of recalled memories.

        Args:
            ends: i4[k], distinct. activation: f4[k]. now: UTC milliseconds.

        Returns:
            The pairs whose weight changed, lower memory first.
        """
        order = np.argsort(ends)
        ends, activation = np.asarray(ends)[order], np.asarray(activation)[order]
        owners, rows = self._chains(ends)
        target = self._target[rows]
        other = np.searchsorted(ends, target).clip(max=len(ends) - 1)
        at, slot = np.nonzero(ends[other] == target)
        first, second, block = owners[at], other[at, slot], rows[at]
        weight = np.zeros((len(ends), len(ends)), np.float32)
        weight[first, second] = held = self._worth[block, slot]
        linked = np.zeros(weight.shape, bool)
        linked[first, second] = True
        grown = hebbian(weight, activation[:, None], activation[None, :])
        grows = np.triu(grown > weight, 1)
        changed = list(zip(*(ends[axis].tolist() for axis in np.nonzero(grows)), strict=True))
        for i, j in zip(*np.nonzero(grows & ~linked), strict=True):
            self._put(int(ends[i]), int(ends[j]), float(grown[i, j]), on_day(now))
        # Both halves of what was linked before are among those found: the upper triangle states the weight of both.
        low, high = np.minimum(first, second), np.maximum(first, second)
        set_anew = grows[low, high]
        place = block[set_anew], slot[set_anew]
        self._weight[place], self._set_at[place] = grown[low, high][set_anew], on_day(now)
        self._worth[place] = worth = decayed(self._weight[place], self._set_at[place], self._decayed_through)
        if self._strength is not None and len(ends) and ends[-1] < len(self._strength):
            np.add.at(self._strength, ends[first[set_anew]], worth.astype(np.float64) - held[set_anew])
        return changed

    def recorded(self, one: int, other: int) -> tuple[float, int]:
        """The weight as it was set and the moment, of memories that are associated."""
        found = self._find(one, other)
        if found is None:
            raise KeyError((one, other))
        return float(self._weight[found]), int(self._set_at[found])

    def all(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Every association once: lower memory, higher memory, weight as set, moment; sorted by higher, then lower."""
        owner, target = self._owner[:self._blocks], self._target[:self._blocks]
        at = np.flatnonzero((target != _NOBODY) & (target < owner[:, None]))
        higher, lower = owner[at // _SLOTS], target.ravel()[at]
        # What is all but sorted costs a stable sort little more than one look.
        order = np.argsort(higher.astype(np.int64) << 32 | lower, kind="stable")
        at = at[order]
        return (lower[order], higher[order], self._weight[:self._blocks].ravel()[at],
                self._set_at[:self._blocks].ravel()[at])

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
        self._worth[:self._blocks] = decayed(self._weight[:self._blocks], self._set_at[:self._blocks], through)
        self._filled[:self._blocks] = (self._target[:self._blocks] != _NOBODY).sum(axis=1)
        has = blocks_of > 0
        # The chain starts at the last block, the only one with free slots.
        self._first[:memories][has] = (block_start + blocks_of - 1)[has]
        number = np.arange(self._blocks)
        opens = np.zeros(self._blocks, bool)
        opens[block_start[has]] = True
        self._next[:self._blocks] = np.where(opens, _NOBODY, number - 1)

    def prune(self) -> int:
        """Keeps each memory's strongest associations (rule 4). Returns how many went."""
        last = self._last_ranked()
        gone = np.empty(0, np.int64)
        for start in range(0, self._blocks, limits.ranked_at_once):
            some = slice(start, min(start + limits.ranked_at_once, self._blocks))
            owner, target = self._owner[some], self._target[some]
            weak = np.flatnonzero((target != _NOBODY) & (self._ranks(some) < last[owner][:, None]))
            there = _rank(self._worth[some].ravel()[weak], owner[weak // _SLOTS])
            gone = np.append(gone, weak[there < last[target.ravel()[weak]]] + start * _SLOTS)
        if len(gone):
            self._take_out(gone)
        return len(gone) // 2

    def _last_ranked(self) -> NDArray[np.uint64]:
        """The rank of the last association each memory keeps, 0 where it keeps all: u8[n]."""
        degree = np.bincount(self._owner[:self._blocks], self._filled[:self._blocks], self._memories)
        last = np.zeros(self._memories, np.uint64)
        crowded = np.flatnonzero(degree > limits.associations_kept)
        for start in range(0, len(crowded), limits.ranked_at_once):
            ends = crowded[start:start + limits.ranked_at_once]
            best = np.zeros((len(ends), limits.associations_kept), np.uint64)
            position, block = np.arange(len(ends)), self._first[ends]
            while len(block):
                ranked = np.sort(np.concatenate([best[position], self._ranks(block)], axis=1), axis=1)
                best[position] = ranked[:, _SLOTS:]
                block = self._next[block]
                there = block != _NOBODY
                position, block = position[there], block[there]
            last[ends] = best.min(axis=1)
        return last

    def _ranks(self, blocks: slice | NDArray[np.int32]) -> NDArray[np.uint64]:
        """The rank of each association in some blocks, 0 where a slot is empty: u8[b, 8]."""
        target = self._target[blocks]
        return np.where(target == _NOBODY, np.uint64(0), _rank(self._worth[blocks], target))

    def _take_out(self, gone: NDArray[np.int64]) -> None:
        """Removes both halves of associations, given as slots; those that stay move up within their chains."""
        self._target.reshape(-1)[gone] = _NOBODY
        owners = np.unique(self._owner[gone // _SLOTS])
        position, block = self._chains(owners)
        order = np.argsort(position[::-1], kind="stable")  # a chain after the other, each from its oldest block on
        position, block = position[::-1][order], block[::-1][order]
        full = np.flatnonzero(self._target[block] != _NOBODY)
        whose = position[full // _SLOTS]
        degree = np.bincount(whose, minlength=len(owners))
        rank = np.arange(len(full)) - (np.cumsum(degree) - degree)[whose]
        opens = np.searchsorted(position, np.arange(len(owners)))
        before = block[full // _SLOTS], full % _SLOTS
        after = block[opens[whose] + rank // _SLOTS], rank % _SLOTS
        target = self._target[before]
        self._target[block] = _NOBODY
        self._target[after] = target
        for column in (self._weight, self._worth, self._set_at):
            column[after] = column[before]
        self._filled[block] = (self._target[block] != _NOBODY).sum(axis=1)
        self._first[owners] = block[opens + (degree - 1) // _SLOTS]  # each keeps some: only what is ranked last goes
        self.count -= len(gone) // 2
        self._strength = None
        self._close(block[self._filled[block] == 0])

    def _close(self, empty: NDArray[np.int32]) -> None:
        """Gives the numbers of empty blocks to the last ones."""
        blocks, left = self._blocks, self._blocks - len(empty)
        holes, moved = empty[empty < left], np.setdiff1d(np.arange(left, blocks, dtype=np.int32), empty)
        for column in (self._next, self._owner, self._target, self._weight, self._worth, self._set_at, self._filled):
            column[holes] = column[moved]
        self._target[left:blocks], self._filled[left:blocks] = _NOBODY, 0
        number = np.append(np.arange(blocks, dtype=np.int32), np.int32(_NOBODY))  # the last stands for nobody
        number[moved] = holes
        self._next[:left], self._first = number[self._next[:left]], number[self._first]
        self._blocks = left

    def _find(self, one: int, other: int) -> tuple[int, int] | None:
        block = int(self._first[one])
        while block != _NOBODY:
            targets = self._target[block].tolist()
            if other in targets:
                return block, targets.index(other)
            block = int(self._next[block])
        return None

    def _put(self, one: int, other: int, weight: float, set_at: int) -> None:
        worth = self._worth_of(weight, set_at)
        for owner, target in ((one, other), (other, one)):
            block = int(self._first[owner])
            if block == _NOBODY or self._filled[block] == _SLOTS:
                block = self._open_block(owner)
            place = block, int(self._filled[block])
            self._target[place], self._weight[place], self._set_at[place] = target, weight, set_at
            self._worth[place] = worth
            self._filled[block] += 1
        self._strengthen(one, other, worth)
        self.count += 1

    def _worth_of(self, weight: float, set_at: int) -> float:
        if set_at >= self._decayed_through:
            return weight  # as `decayed` says of one that was set since
        return float(decayed(weight, set_at, self._decayed_through))

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
        self._worth = _grown(self._worth, blocks, 0)
        self._set_at = _grown(self._set_at, blocks, 0)
        self._filled = _grown(self._filled, blocks, 0)


def _rank(worth: NDArray[np.float32], other: NDArray[np.int32]) -> NDArray[np.uint64]:
    """One number to rank associations by: the worth, whose bits are in its order, and of equals the lower other end."""
    return np.asarray(worth.view(np.uint32).astype(np.uint64) << 32 | ~other.view(np.uint32))


def _grown(column: NDArray[Any], length: int, filler: int) -> NDArray[Any]:
    if length <= len(column):
        return column
    wider = np.full((max(length, 2 * len(column)), *column.shape[1:]), filler, column.dtype)
    wider[:len(column)] = column
    return wider
