"""Forgetting functions fitted by least squares, with equal numbers of parameters so that they can be compared.

1. Power with an onset, `a·(1 + b·t)^-c` (Wickelgren 1974), against an exponential with an asymptote, `a·e^(-b·t) + c`:
   three parameters each, fitted to the measured values.
2. Power `a·t^-b` against exponential `a·e^(-b·t)`: two parameters each, as straight lines through the logarithms, and
   as Wixted and Ebbesen (1991) fitted them, to the values themselves.
3. Whatever enters linearly is solved for, the rest is searched on a fine grid: no starting values, always the same fit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
_RATES = np.geomspace(1e-4, 10.0, 400)
_POWERS = np.linspace(0.1, 3.0, 59)


class Fit(NamedTuple):
    """A fit: the share of the variance it explains, and its values at the fitted times."""

    explained: float
    fitted: Values


def power_with_onset(days: Values, held: Values) -> Fit:
    """`a·(1 + b·t)^-c`."""
    shapes = (1.0 + _RATES[:, None, None] * days) ** -_POWERS[:, None]
    return _scaled(shapes.reshape(-1, len(days)), held)


def exponential_with_asymptote(days: Values, held: Values) -> Fit:
    """`a·e^(-b·t) + c`."""
    shapes = np.exp(-_RATES[:, None] * days)
    centred, target = shapes - shapes.mean(axis=1, keepdims=True), held - held.mean()
    slope = centred @ target / np.maximum((centred ** 2).sum(axis=1), 1e-30)
    return _best(slope[:, None] * centred + held.mean(), held)


def power(days: Values, held: Values) -> Fit:
    """`a·t^-b`, to the values."""
    return _scaled(days ** -_RATES[:, None], held)


def exponential(days: Values, held: Values) -> Fit:
    """`a·e^(-b·t)`, to the values."""
    return _scaled(np.exp(-_RATES[:, None] * days), held)


def straight(across: Values, along: Values) -> Fit:
    """A straight line."""
    slope, intercept = np.polyfit(across, along, 1)
    return _best((slope * across + intercept)[None, :], along)


def _scaled(shapes: Values, held: Values) -> Fit:
    scale = shapes @ held / np.maximum((shapes ** 2).sum(axis=1), 1e-30)
    return _best(scale[:, None] * shapes, held)


def _best(candidates: NDArray[Any], held: Values) -> Fit:
    missed = ((candidates - held) ** 2).sum(axis=1)
    best = int(missed.argmin())
    return Fit(1.0 - float(missed[best] / ((held - held.mean()) ** 2).sum()), candidates[best])
