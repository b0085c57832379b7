"""Tiering: which tier a memory belongs to.

1. The tier follows R as it falls: hot ≥ 0.6, warm ≥ 0.35, cool ≥ 0.15, cold below.
2. Nothing becomes warmer by itself. Only what was recalled since the last pass goes back as far as its R allows, to
   warm, not to hot: only what never left hot is hot.
3. A lossy memory never becomes warmer: what it has lost does not come back.
4. Over budget the weakest are forced down, below what R says: all that is needed to cool, and only when all of them are
   there, to cold. They stay there until they are recalled (rule 2).
5. Tiers are numbered in the order of `limits.tier_floors`: 0 hot … 3 cold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits

TIERS = tuple(limits.tier_floors)
_HOT, _WARM, _COOL, _COLD = np.arange(len(TIERS), dtype=np.uint8)
_FLOORS = np.array([limits.tier_floors[name] for name in TIERS[:-1]], np.float32)


def planned(retention: NDArray[Any], tier: NDArray[Any], recalled: NDArray[np.bool_] | None = None,
            lossless: NDArray[np.bool_] | None = None) -> NDArray[np.uint8]:
    """The tier of each memory from now on.

    Args:
        retention: R of each now, f4[n]. tier: where each is, u1[n].
        recalled: bool[n], which were recalled since the last pass; None: any may have been.
        lossless: bool[n], which are; None: all are.

    Returns:
        u1[n].
    """
    by_retention = (retention[:, None] < _FLOORS).sum(axis=1).astype(np.uint8)
    back = np.where(tier == _HOT, by_retention, np.maximum(by_retention, _WARM))
    returns = np.ones(len(tier), np.bool_) if recalled is None else recalled
    if lossless is not None:
        returns = returns & lossless
    after: NDArray[np.uint8] = np.where(returns, back, np.maximum(by_retention, tier))
    return after


def forced(retention: NDArray[Any], salience: NDArray[Any], ordinal: NDArray[Any], tier: NDArray[Any],
           raw_bytes: NDArray[Any], needed_bytes: float, ratios: Sequence[float]) -> NDArray[np.uint8]:
    """The tier of each memory when a store is over its budget (rule 4).

    As few memories as possible move, the weakest first: lowest R, then lowest salience, then lowest ordinal. One that
    would not become smaller stays where it is. Where even everything in cold is not enough, everything is cold.

    Args:
        retention: R of each now, f4[n], of all agents. salience: of each, on any scale. ordinal: u8[n].
        tier: where each is, or is planned to be, u1[n]. raw_bytes: of each text, u4[n].
        needed_bytes: stored bytes to be saved.
        ratios: raw over stored bytes that each tier is expected to reach, in the order of rule 5: as measured in the
            last pass, or where a tier was empty its target.

    Returns:
        u1[n], nowhere warmer than `tier`.
    """
    after, stored_share = tier.astype(np.uint8), 1 / np.asarray(ratios, np.float64)
    weakest = np.lexsort((ordinal, salience, retention))
    for target in (_COOL, _COLD):
        if needed_bytes <= 0:
            break
        movable = weakest[after[weakest] < target]
        saved = raw_bytes[movable] * (stored_share[after[movable]] - stored_share[target])
        movable, saved = movable[saved > 0], saved[saved > 0]
        enough = int(np.searchsorted(np.cumsum(saved), needed_bytes)) + 1
        after[movable[:enough]] = target
        needed_bytes -= float(saved[:enough].sum())
    return after
