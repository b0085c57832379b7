"""Clusters and contradictions: which memories say much the same, and which say something else about the same.

1. Two memories are alike when the cosine of their vectors reaches a floor. All pairs are compared, some rows with all
   later ones at a time, so that memory does not grow with the square of their number.
2. Cosines are rounded to 1/100,000, coarser than what the order of a sum changes: equal texts are equal. Where there
   are more pairs than asked for, the most alike are kept, and of equals the earlier.
3. A cluster is what pairs connect, however long the chain (single linkage, by union-find: Tarjan 1975).
4. Two memories may contradict each other when they are about the same (a cosine of 0.6 on the reference scale) in other
   words: fewer than 3 of 10 of the content words that either has are in both (Jaccard). A text is judged by its
   beginning, as in `text.resemblance`; one without any word contradicts nothing.

Positions are row numbers of what was given; in a pair the lower comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.text.tokens import cue_terms

_DECIMALS = 5


class SimilarPairs(NamedTuple):
    """Pairs of positions (i8[p, 2], ascending) and their cosines (f4[p]); `capped` where there were more than asked
    for."""

    pairs: NDArray[np.int64]
    cosine: NDArray[np.float32]
    capped: bool


class Contradiction(NamedTuple):
    """Two positions, the cosine, and the share of content words that they have in common."""

    one: int
    other: int
    cosine: float
    overlap: float


def similar_pairs(vectors: NDArray[np.float32], floor: float, pairs_max: int) -> SimilarPairs:
    """All pairs at or above a floor (rules 1 and 2).

    Args:
        vectors: f4[n, d], unit rows, or rows of zeros. floor: Of the cosine, as the vectors give it. pairs_max: At
            least 1.
    """
    assert pairs_max > 0
    count = len(vectors)
    places, cosines = np.empty(0, np.int64), np.empty(0, np.float32)  # a place is row · n + column
    bar, capped = floor, False
    rows = max(1, limits.cosines_at_once // max(count, 1))
    for start in range(0, count, rows):
        block = vectors[start:start + rows] @ vectors[start:].T
        np.round(block, _DECIMALS, out=block)
        block[:, :len(block)][np.tri(len(block), dtype=np.bool_)] = -np.inf  # each pair once
        row, column = np.nonzero(block >= bar)
        places = np.append(places, (start + row) * count + start + column)
        cosines = np.append(cosines, block[row, column])
        if len(cosines) > pairs_max:
            best = np.sort(np.argsort(-cosines, kind="stable")[:pairs_max])
            places, cosines, capped = places[best], cosines[best], True
            # A later pair has to be better than the worst of these: where thousands are equal, nothing is left to sort.
            bar = float(np.nextafter(cosines.min(), np.float32(np.inf)))
    return SimilarPairs(np.stack(np.divmod(places, max(count, 1)), axis=1), cosines, capped)


def clusters(pairs: NDArray[Any], count: int) -> list[NDArray[np.int64]]:
    """What pairs connect (rule 3).

    Args:
        pairs: i8[p, 2], positions below `count`, in any order, repeats allowed.

    Returns:
        The positions of each group of two and more, ascending; groups in order of their first member.
    """
    parent = list(range(count))

    def root(position: int) -> int:
        while parent[position] != position:
            parent[position] = parent[parent[position]]
            position = parent[position]
        return position

    for one, other in pairs.tolist():
        parent[root(one)] = root(other)
    groups: dict[int, list[int]] = {}
    for position in range(count):
        groups.setdefault(root(position), []).append(position)
    return [np.array(group, np.int64) for group in groups.values() if len(group) > 1]


def contradictions(cosine: NDArray[Any], pairs: NDArray[Any], texts: Sequence[str]) -> list[Contradiction]:
    """Pairs that may contradict each other (rule 4).

    Args:
        cosine: f4[p], on the reference scale. pairs: i8[p, 2], positions in `texts`.

    Returns:
        The closest first, of equals those that share fewer words, then the earlier.
    """
    @cache
    def content(position: int) -> frozenset[str]:
        return frozenset(cue_terms(texts[position][: limits.resemblance_characters_max]))

    found: list[Contradiction] = []
    for at in np.flatnonzero(cosine >= limits.contradiction_cosine).tolist():
        one, other = sorted(pairs[at].tolist())
        if content(one) and content(other):
            overlap = len(content(one) & content(other)) / len(content(one) | content(other))
            if overlap < limits.contradiction_overlap_max:
                found.append(Contradiction(one, other, float(cosine[at]), overlap))
    return sorted(found, key=lambda pair: (-pair.cosine, pair.overlap, pair.one, pair.other))
