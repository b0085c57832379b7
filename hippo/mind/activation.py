"""Activation: from similarities to what comes to mind.

1. sim = 0.6·bm25/max + 0.4·cos⁺/max, over what the filters let through.
2. Contiguity: what was remembered next to a match in the same episode is lifted by half of the larger neighbour's
   similarity (Howard and Kahana 2002: neighbours in time are recalled together).
3. Seeds: the 64 best of sim·((1−ρ) + ρ·R), divided by the largest.
4. Spread: each hop adds a_i·w_ij·0.7 to j; only the last hop's increments travel on, activation is at most 1, and
   hops go on while one still adds at least 0.01, eight at most (spreading activation: Collins and Loftus 1975).
5. The fan effect (Anderson 1974): where the weights of a memory add up to more than 0.5, its associations share what
   they carry, w / (f_i·f_j) with f = max(1, Σw/0.5). Without it whatever is recalled often is bound to everything and
   floods every recall: on questions about dialogues, R@10 fell by 0.2 once each had been asked; with it, it rises.
6. The filters hold for what spreading adds: what they exclude neither receives nor passes on activation.
7. What stays below an activation of 0.1 does not come to mind.
8. A seed that was passed more than it had itself owes its place to who passed it most, as everything does that is no
   seed. In a small store nearly all is faintly alike any cue: there it is what tells a match from what was led to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.associations import Associations

_NONE = -1
_FOLDED = 16  # scores in a column: finding the best of each costs a tenth of sorting them


class Likeness(NamedTuple):
    """How alike a cue each memory is: f4[n] direct, and f4[n] with its neighbours' lift."""

    direct: NDArray[np.float32]
    lifted: NDArray[np.float32]


class Trail:
    """Who passed activation to whom, hop by hop. Looked up for the few memories that are shown: to sort it for all that
    were reached would take as long as spreading itself."""

    def __init__(self, start: NDArray[Any], activation: NDArray[Any]) -> None:
        self._own: dict[int, float] = dict(zip(start.tolist(), activation.tolist(), strict=True))
        self._hops: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def add(self, source: NDArray[Any], target: NDArray[Any], passed: NDArray[Any]) -> None:
        """One hop: i8[h] passed f4[h] to i4[h]."""
        self._hops.append((source, target, passed))

    def __getitem__(self, memory: int) -> int:
        """The memory that passed most activation to this one when it was first reached, the earliest among equals; -1
        for a seed that owes its place to itself (rule 8)."""
        own = self._own.get(memory, 0.0)
        # Whoever passes a seed more than it had, had more: a way back over seeds comes to an end.
        for source, target, passed in self._hops[:1] if own else self._hops:
            into = np.flatnonzero((target == memory) & (passed > own))
            if len(into):
                most = passed[into]
                return int(source[into][most == most.max()].min())
        return _NONE


class Spread(NamedTuple):
    """What came to mind: memories (i8[m]), activation (f4[m], best first) and who led there."""

    memories: NDArray[np.int64]
    activation: NDArray[np.float32]
    came_from: Trail


def fused(lexical: NDArray[Any], cosine: NDArray[Any], allowed: NDArray[Any] | None) -> NDArray[np.float32]:
    """Rule 1: f4[n] from BM25 scores and cosines (f4[n] each); excluded memories get 0."""
    cosine = np.maximum(cosine, 0.0)
    if allowed is not None:
        lexical, cosine = np.where(allowed, lexical, 0.0), np.where(allowed, cosine, 0.0)
    score = np.zeros(len(lexical), np.float32)
    for share, column in ((limits.fusion_lexical, lexical), (limits.fusion_vector, cosine)):
        largest = float(column.max(initial=0.0))
        if largest > 0.0:
            score += np.float32(share / largest) * column
    return score


def lifted(similarity: NDArray[Any], before: NDArray[Any], after: NDArray[Any]) -> Likeness:
    """Rule 2: `before` and `after` (i4[n]) are each memory's neighbours in its episode, -1 where there is none."""
    padded = np.append(similarity, np.float32(0.0))  # index -1 reads the 0 at the end
    beside = np.maximum(padded.take(before, mode="wrap"), padded.take(after, mode="wrap"))
    beside *= np.float32(limits.contiguity_gain)
    beside += similarity
    return Likeness(similarity, beside)


def seeds(similarity: NDArray[Any], retention: NDArray[Any], retention_weight: float,
          allowed: NDArray[Any] | None) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rule 3: the seeds (i8[m], best first, earlier memory first among equals) and their activation f4[m]."""
    score = similarity * ((1.0 - retention_weight) + retention_weight * retention)
    if allowed is not None:
        score = np.where(allowed, score, 0.0)
    found = np.flatnonzero(score >= _bar(score))
    found = found[score[found] > 0.0]
    found = found[np.lexsort((found, -score[found]))][:limits.seeds_max]
    if not len(found):
        return found, np.empty(0, np.float32)
    return found, (score[found] / score[found[0]]).astype(np.float32)


def _bar(score: NDArray[Any]) -> float:
    """A score that the 64 best reach, and not many others: at least 64 of the maxima of some columns do."""
    columns = len(score) // _FOLDED
    if columns < limits.seeds_max:
        return 0.0
    maxima = score[:columns * _FOLDED].reshape(_FOLDED, columns).max(axis=0)
    return float(np.partition(maxima, -limits.seeds_max)[-limits.seeds_max])


def unspread(start: NDArray[Any], activation: NDArray[Any]) -> Spread:
    """The seeds alone, i8[m] best first with their activation f4[m], as far as they count."""
    there = activation >= np.float32(limits.activation_floor)
    return Spread(start[there], activation[there], Trail(start, activation))


def spread(memories: int, start: NDArray[Any], activation: NDArray[Any], associations: Associations,
           allowed: NDArray[Any] | None, bridges: Sequence[tuple[int, int]] = ()) -> Spread:
    """Rules 4 to 7.

    Args:
        memories: how many there are. start: i8[m], the seeds. activation: f4[m], theirs. allowed: bool[n] or None.
        bridges: positions of seeds, and allowed memories to which a relation of entities leads from there; in the first
            hop these carry a share of their own.
    """
    level = np.zeros(memories, np.float32)
    level[start] = activation
    trail = Trail(start, activation)
    active, gain = start, activation
    share = (1.0 / np.maximum(associations.strength() / limits.fan_strength, 1.0)).astype(np.float32)
    for _ in range(limits.hops_max):
        position, target, weight = associations.halves(active)
        passed = (gain * share[active] * np.float32(limits.hop_gain))[position] * weight * share[target]
        if allowed is not None:
            passed = np.where(allowed[target], passed, np.float32(0.0))
        if bridges:
            over, beyond = (np.array(ends, np.int64) for ends in zip(*bridges, strict=True))
            position, target = np.append(position, over), np.append(target, beyond)
            passed = np.append(passed, gain[over] * np.float32(limits.relation_gain))
            bridges = ()
        trail.add(active[position], target, passed)
        raised = level.copy()
        np.add.at(raised, target, passed)
        np.minimum(raised, np.float32(1.0), out=raised)
        gained = raised - level
        level = raised
        active = np.flatnonzero(gained >= limits.hop_gain_travels)
        gain = gained[active]
        if not len(active) or float(gain.max()) < limits.hop_gain_min:
            break
    there = np.flatnonzero(level >= np.float32(limits.activation_floor))
    # Among those that are fully active the better match comes first.
    matched = np.zeros(memories, np.float32)
    matched[start] = activation
    there = there[np.lexsort((there, -matched[there], -level[there]))]
    return Spread(there, level[there], trail)


def path_to(memory: int, came_from: Trail) -> list[int]:
    """The memories that led here, seed first, the memory itself last."""
    path = [memory]
    while (before := int(came_from[path[-1]])) != _NONE:
        path.append(before)
    return path[::-1]
