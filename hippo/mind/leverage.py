"""Leverage: how much of what the older memories say together rests on each, and what could be done about it.

1. The information rank is the number of singular values of their vectors above 1 % of the largest: how many directions
   their meaning has. What is left of their number is repetition: the redundancy ratio is 1 − rank/n.
2. The leverage of a memory is the squared length of its row of U over those directions (Mahoney and Drineas 2009, *CUR
   matrix decompositions*): 0..1, together the rank; 1 where a direction is its own.
3. The redundancy of a memory is 1 − its novelty against the 32 nearest others, as if it were new (`mind.novelty`).
   Neither leverage nor the largest cosine can tell: of 2,759 turns of dialogue the former is below 0.14 for 95 in 100,
   since 256 directions have to do for all, and the latter is above 0.5 (reference scale) for 93 in 100. This redundancy
   is for 17 in 100, thanks and goodbyes before all, and for everything that is said from a dozen templates.
4. What was never recalled may be pruned. What was recalled and is redundant by half may be compressed. What was
   recalled three times or more and is not, may be refreshed: it is needed, and nothing else says it.
5. U is never computed, nor anything of n by n: the right singular vectors come from the Gram matrix, d by d.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.novelty import novelty

Advice = Literal["prune", "compress", "refresh"]



class Leverage(NamedTuple):
    """What memories say together: the information rank, and of each its leverage and its redundancy (f8[n], 0..1)."""

    information_rank: int
    leverage: NDArray[np.float64]
    redundancy: NDArray[np.float64]

    @property
    def redundancy_ratio(self) -> float:
        """The share of memories that adds no direction, 0..1; 0 where there is no memory."""
        return 1.0 - self.information_rank / len(self.leverage) if len(self.leverage) else 0.0


def leverage(vectors: NDArray[np.float32]) -> Leverage:
    """Rules 1 to 3.

    Args:
        vectors: f4[n, d], unit rows, or rows of zeros, which have neither leverage nor redundancy.
    """
    count, dimensions = vectors.shape
    starts = range(0, count, limits.leverage_rows_at_once)
    gram = np.zeros((dimensions, dimensions))
    for start in starts:
        some = vectors[start:start + limits.leverage_rows_at_once].astype(np.float64)
        gram += some.T @ some
    energy, directions = np.linalg.eigh(gram)
    principal = energy > limits.novelty_principal_share ** 2 * energy[-1]
    scaled = directions[:, principal] / np.sqrt(energy[principal])
    scores, redundancy = np.empty(count), np.empty(count)
    for start in starts:
        rows = slice(start, start + limits.leverage_rows_at_once)
        scores[rows] = np.square(vectors[rows] @ scaled).sum(axis=1)
        redundancy[rows] = _redundancy(vectors, rows)
    return Leverage(int(principal.sum()), scores, redundancy)


def advice(redundancy: NDArray[Any], access_count: NDArray[Any]) -> list[Advice | None]:
    """Rule 4: what may be done about each memory, from f8[n] and i8[n]."""
    return [_advice(*each) for each in zip(redundancy.tolist(), access_count.tolist(), strict=True)]


def _advice(redundancy: float, accesses: int) -> Advice | None:
    if accesses == 0:
        return "prune"
    if redundancy >= limits.redundancy_compress:
        return "compress"
    return "refresh" if accesses >= limits.refresh_accesses_min else None


def _redundancy(vectors: NDArray[np.float32], rows: slice) -> list[float]:
    """Rule 3, of some rows."""
    some = vectors[rows]
    neighbours = min(limits.novelty_neighbours, len(vectors) - 1)
    if not neighbours:
        return [0.0] * len(some)
    cosine = some @ vectors.T
    own = np.arange(len(some))
    cosine[own, rows.start + own] = -np.inf
    nearest = np.argpartition(cosine, -neighbours, axis=1)[:, -neighbours:]
    return [1.0 - novelty(vector, vectors[near]) for vector, near in zip(some, nearest, strict=True)]
