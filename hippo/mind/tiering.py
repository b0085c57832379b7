"""Tiering: which tier a memory belongs to.

1. The tier follows R: hot ≥ 0.6, warm ≥ 0.35, cool ≥ 0.15, cold below.
2. A recalled memory returns to warm, not to hot: only what never left hot is hot.
3. Tiers are numbered in the order of `limits.tier_floors`: 0 hot … 3 cold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hippo import limits
from hippo.model.report import TierFigures

TIERS = tuple(limits.tier_floors)
_FLOORS = np.array([limits.tier_floors[name] for name in TIERS[:-1]], np.float32)


def planned(retention: NDArray[Any], tier: NDArray[Any]) -> NDArray[np.uint8]:
    """The tier of each memory from now on: u1[n] from R (f4[n]) and its present tier (u1[n])."""
    by_retention = (retention[:, None] < _FLOORS).sum(axis=1).astype(np.uint8)
    warm = np.uint8(TIERS.index("warm"))
    return np.where((by_retention == 0) & (tier != 0), warm, by_retention)


def stored_by_tier(tiers: dict[str, TierFigures], by_file: dict[int, dict[str, int]],
                   ratios: dict[int, float]) -> dict[str, TierFigures]:
    """The tiers' figures with stored bytes: a tier's share of every file, at that file's ratio.

    Args:
        tiers: counts and raw bytes. by_file: file -> tier -> raw bytes in it. ratios: stored over raw of every pack;
            a file that is none holds its texts as they are.
    """
    stored = dict.fromkeys(tiers, 0.0)
    for number, shares in by_file.items():
        for tier, raw in shares.items():
            stored[tier] += raw * ratios.get(number, 1.0)
    return {name: replace(figures, stored_bytes=round(stored[name]),
                          ratio=round(figures.raw_bytes / stored[name], 3) if stored[name] else 1.0)
            for name, figures in tiers.items()}
