"""Forgetting: how likely a memory still comes to mind.

1. Retention is a power law of the time since the last access, R(t) = (1 + t/(9·S))^-1, so that R(S) = 0.9: the
   stability S is the days after which a tenth is lost (Wixted and Ebbesen 1991 for the power law; the form with 9·S
   is the one used by the FSRS scheduler).
2. Salient memories start more stable: S0 = 1 + 3·salience.
3. t is days and never below 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits


def retention(last_access: NDArray[Any], stability: NDArray[Any], now: int) -> NDArray[np.float32]:
    """R of each memory.

    Args:
        last_access: i8[n], UTC milliseconds.
        stability: f4[n], days.
        now: UTC milliseconds.

    Returns:
        f4[n] in (0, 1].
    """
    days = np.maximum(now - last_access, 0) / limits.ms_per_day
    return np.asarray(1.0 / (1.0 + days / (9.0 * stability)), np.float32)


def first_stability(salience: float) -> float:
    """S0 in days."""
    return 1.0 + limits.stability_salience_days * salience


def days_until(target: float, stability: float) -> float:
    """After how many days without access R has fallen to `target`: the inverse of the curve."""
    return 9.0 * stability * (1.0 / target - 1.0)
