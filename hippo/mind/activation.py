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
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.associations import Associations

_NONE = -1


class Likeness(NamedTuple):
    """How alike a cue each memory is: f4[n] direct, and f4[n] with its neighbours' lift."""

    direct: NDArray[np.float32]
    lifted: NDArray[np.float32]


class Spread(NamedTuple):
    """What came to mind: memories (i8[m]), activation (f4[m], best first) and who led there.

    `came_from[m]` (i8[n]) is the memory that passed most activation to m when it was first reached; -1 for seeds.
    """

    memories: NDArray[np.int64]
    activation: NDArray[np.float32]
    came_from: NDArray[np.int64]


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
    beside = np.maximum(padded[before], padded[after])
    return Likeness(similarity, similarity + np.float32(limits.contiguity_gain) * beside)


def seeds(similarity: NDArray[Any], retention: NDArray[Any], retention_weight: float,
          allowed: NDArray[Any] | None) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rule 3: the seeds (i8[m], best first, earlier memory first among equals) and their activation f4[m]."""
    score = similarity * ((1.0 - retention_weight) + retention_weight * retention)
    if allowed is not None:
        score = np.where(allowed, score, 0.0)
    if len(score) > limits.seeds_max:
        bar = np.partition(score, -limits.seeds_max)[-limits.seeds_max]
        found = np.flatnonzero(score >= bar)
    else:
        found = np.arange(len(score))
    found = found[score[found] > 0.0]
    found = found[np.lexsort((found, -score[found]))][:limits.seeds_max]
    if not len(found):
        return found, np.empty(0, np.float32)
    return found, (score[found] / score[found[0]]).astype(np.float32)


def spread(memories: int, start: NDArray[Any], activation: NDArray[Any], associations: Associations,
           allowed: NDArray[Any] | None) -> Spread:
    """Rules 4 to 6.

    Args:
        memories: how many there are. start: i8[m], the seeds. activation: f4[m], theirs. allowed: bool[n] or None.
    """
    level = np.zeros(memories, np.float32)
    level[start] = activation
    came_from = np.full(memories, _NONE, np.int64)
    active, gain = start, activation
    fan = np.maximum(associations.strength() / limits.fan_strength, 1.0).astype(np.float32)
    for _ in range(limits.hops_max):
        position, target, weight = associations.halves(active)
        source = active[position]
        passed = gain[position] * weight * np.float32(limits.hop_gain) / (fan[source] * fan[target])
        if allowed is not None:
            passed = np.where(allowed[target], passed, np.float32(0.0))
        new = np.flatnonzero((level[target] == 0.0) & (passed > 0.0))
        if len(new):
            best = new[np.lexsort((source[new], -passed[new]))]
            first, at = np.unique(target[best], return_index=True)
            came_from[first] = source[best[at]]
        total = np.bincount(target, weights=passed, minlength=memories).astype(np.float32)
        raised = np.minimum(level + total, 1.0)
        gained = raised - level
        level = raised
        active = np.flatnonzero(gained >= limits.hop_gain_travels)
        gain = gained[active]
        if not len(active) or float(gain.max()) < limits.hop_gain_min:
            break
    there = np.flatnonzero(level > 0.0)
    # Among those that are fully active the better match comes first.
    matched = np.zeros(memories, np.float32)
    matched[start] = activation
    there = there[np.lexsort((there, -matched[there], -level[there]))]
    return Spread(there, level[there], came_from)


def path_to(memory: int, came_from: NDArray[Any]) -> list[int]:
    """The memories that led here, seed first, the memory itself last."""
    path = [memory]
    while (before := int(came_from[path[-1]])) != _NONE:
        path.append(before)
    return path[::-1]
