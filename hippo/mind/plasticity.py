"""Plasticity: what a recall changes.

1. Spacing: S += S·1.5·(1−R)·(1+salience)·a + 0.1, with R as it was before this access. What was almost forgotten
   gains most (Bjork and Bjork 1992, storage strength grows with low retrieval strength).
2. Hebb: between two memories recalled together, w += 0.2·a_i·a_j·(1−w), at most 1.
3. Edge decay: w → 0.05 + (w−0.05)·2^(−ticks/60), ticks in days. The rule composes, so the weight as it was set and
   the moment when it was set give the weight at any later pass: nothing has to be rewritten night after night.
4. Weights lie on a grid of 1/250, which is what the index keeps.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hippo import limits
from hippo.mind.forgetting import retention

Moment = TypeVar("Moment", int, NDArray[Any])


def spaced(stability: NDArray[Any], before: NDArray[Any], salience: NDArray[Any],
           activation: NDArray[Any]) -> NDArray[np.float32]:
    """The stability after a recall.

    Args:
        stability: f4[k], days. before: f4[k], R before this access. salience, activation: f4[k], 0..1.

    Returns:
        f4[k], days, at most `limits.stability_days_max`.
    """
    grown = stability + stability * limits.spacing_gain * (1.0 - before) * (1.0 + salience) * activation
    return on_bits(np.minimum(grown + limits.spacing_step_days, limits.stability_days_max))


def encountered(count: int, intensity: float, stability: float, last_access: int, salience: float,
                now: int) -> dict[str, float]:
    """What hearing the same again changes: the columns of a memory, after one more encounter.

    Its stability grows as if it had been recalled with an activation of `limits.encounter_gain`: after days, what was
    studied again is retained less well than what was recalled (Roediger and Karpicke 2006). Its intensity is the
    running mean of the salience given at each encounter.
    """
    held = retention(np.array([last_access]), np.array([stability], np.float32), now)
    grown = spaced(np.array([stability], np.float32), held, np.array([salience], np.float32),
                   np.array([limits.encounter_gain], np.float32))
    mean = on_bits(np.array([intensity + (salience - intensity) / (count + 1)]))
    return {"encounter_count": count + 1, "intensity": float(mean[0]),
            "stability": float(grown[0]), "last_access": max(last_access, on_minute(now))}


def hebbian(weight: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float32]:
    """The weight after being active together: f4[m] from weights and both ends' activations, f4[m] each."""
    return on_grid(np.minimum(weight + limits.hebb_rate * first * second * (1.0 - weight), 1.0))


def decayed(weight: ArrayLike, set_at: ArrayLike, through: int) -> NDArray[np.float32]:
    """The weight as of the last pass.

    Args:
        weight: f4[m] as it was set. set_at: i8[m], UTC milliseconds. through: the moment of the last pass that let
            weights decay; an edge set after it has not decayed.

    Returns:
        f4[m]. A weight below the floor of 0.05 rises towards it, as the rule says.
    """
    ticks = np.maximum(through - np.asarray(set_at), 0) / limits.ms_per_day
    kept = np.exp2(-ticks / limits.edge_half_life_ticks)
    # In double precision, so that a weight that has not decayed comes back as it was.
    return np.asarray(limits.edge_floor + (np.asarray(weight, np.float64) - limits.edge_floor) * kept, np.float32)


def on_day(moment: Moment) -> Moment:
    """The beginning of the day (UTC) of a moment: associations decay by days, and the index keeps no more."""
    return moment // limits.edge_grid_ms * limits.edge_grid_ms


def on_minute(moment: int) -> int:
    """The beginning of the minute of a moment: as exactly as the index keeps when a memory was accessed again."""
    return moment - moment % limits.access_grid_ms


def on_bits(values: NDArray[Any]) -> NDArray[np.float32]:
    """Values to ten bits, a part in a thousand: what nobody can notice costs the index nothing."""
    step = np.uint32(1 << limits.float_grid_bits)
    exact = np.asarray(values, np.float32)
    return ((exact.view(np.uint32) + step // np.uint32(2)) // step * step).view(np.float32)


def on_grid(weight: ArrayLike) -> NDArray[np.float32]:
    """Weights rounded to the grid that the index keeps."""
    return np.asarray(np.round(np.asarray(weight, np.float64) * limits.weight_steps) / limits.weight_steps, np.float32)
