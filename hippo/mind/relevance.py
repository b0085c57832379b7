"""Relevance and strength: how much a memory still matters, and how strongly it is kept.

1. Relevance drives consolidation and archiving: (0.5 + salience) · e^(−age/retention) · (1 + 0.1·strong associations),
   × 1.5, 1.2 or 1.1 when it was accessed within 1, 7 or 30 days. A protected memory keeps 0.5 at least.
2. Strength drives composite ranking: intensity · e^(−λ/resistance · hours since the last access), with
   resistance = 1 + 0.3·ln(1 + accesses): what is called up often fades slower, each further time by less. λ gives a
   half-life of 29 days without any access.
3. Recency is exponential: 0.97 after 3 days, 0.74 after 30.
4. The composite rank is 0.6·cosine + 0.3·strength + 0.1·recency; a memory of a strength below 0.05 has a rank of minus
   infinity, so that it stays last in every order and below every floor without a second column.
5. Time is never below 0: what is dated ahead is new.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.table import Table

_HOURS_PER_DAY = 24.0


def relevance(salience: NDArray[Any], age_days: NDArray[Any], retention_days: NDArray[Any],
              associations_strong: NDArray[Any], days_since_access: NDArray[Any],
              protected: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Rule 1.

    Args:
        salience: f4[n], 0..1. age_days: f8[n], since it was made. retention_days: f8[n], of its retention class.
        associations_strong: i8[n], with a weight of 0.2 or above. days_since_access: f8[n]. protected: bool[n].

    Returns:
        f8[n], 0 and above; not bounded by 1.
    """
    factor = np.ones(len(days_since_access))
    for days, gain in limits.relevance_recent:
        factor[days_since_access <= days] = gain
    kept = np.exp(-np.maximum(age_days, 0.0) / retention_days)
    linked = 1.0 + limits.relevance_association_gain * associations_strong
    matters: NDArray[np.float64] = (limits.relevance_floor + salience.astype(np.float64)) * kept * linked * factor
    return np.where(protected, np.maximum(matters, limits.relevance_protected), matters)


def strength(intensity: NDArray[Any], access_count: NDArray[Any],
             hours_since_access: NDArray[Any]) -> NDArray[np.float64]:
    """Rule 2.

    Args:
        intensity: f4[n], 0..1, the mean of the salience given at each encounter. access_count: i8[n].
        hours_since_access: f8[n].

    Returns:
        f8[n], 0..1.
    """
    resistance = 1.0 + limits.strength_resistance * np.log1p(access_count)
    half_lives = np.maximum(hours_since_access, 0.0) / (limits.strength_half_life_hours * resistance)
    return np.asarray(intensity * np.exp2(-half_lives), np.float64)


def recency(hours: NDArray[Any]) -> NDArray[np.float64]:
    """Rule 3: f8[n] in 0..1 from the hours since each was made or last accessed, f8[n]."""
    return np.asarray(np.exp(-limits.recency_per_day * np.maximum(hours, 0.0) / _HOURS_PER_DAY), np.float64)


def composite(cosine: NDArray[Any], strength: NDArray[Any], recency: NDArray[Any]) -> NDArray[np.float64]:
    """Rule 4: f8[n], at most 1, from the cosine with the cue, the strength and the recency of each, f8[n] in 0..1."""
    of_cosine, of_strength, of_recency = limits.composite_weights
    rank = of_cosine * cosine + of_strength * strength + of_recency * recency
    return np.where(strength >= limits.strength_ranked_min, rank, -np.inf)


def ranked(rows: Table, cosine: NDArray[Any], allowed: NDArray[Any] | None,
           now: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """What ranks highest by rule 4: i8[m], best first, and their ranks f4[m]. Each recall has added to intensity.

    Args:
        rows: the columns of a graph. cosine: f4[n], on the reference scale. allowed: bool[n] or None.
        now: UTC milliseconds.
    """
    recalls = limits.strength_per_recall * (rows["access_count"].astype(np.float64) - 1.0)
    hours = {name: (now - rows[name]) / (limits.ms_per_day / _HOURS_PER_DAY) for name in ("last_access", "created_at")}
    held = strength(np.minimum(rows["intensity"] + recalls, 1.0), rows["access_count"], hours["last_access"])
    rank = composite(cosine, held, recency(hours["created_at"]))
    if allowed is not None:
        rank = np.where(allowed, rank, -np.inf)
    best = np.lexsort((np.arange(len(rank)), -rank))[:limits.seeds_max]
    return best, rank[best].astype(np.float32)
