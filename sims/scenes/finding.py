"""What an experiment has found: a table, the directions it claims with their margins, and what it only observed.

1. A claim compares two conditions item by item, or two groups of items; it holds when the lower end of the 99 %
   interval of the mean difference lies above its margin: how large a difference must be to matter, not only to be one.
2. An observation is reported as it is: nothing depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_TWO_SIDED_99 = 2.576  # standard errors


class Claim(NamedTuple):
    """A direction: the mean difference, the lower end of its 99 % interval, and the margin that has to be exceeded."""

    sentence: str
    difference: float
    low: float
    margin: float

    @property
    def holds(self) -> bool:
        """Whether the direction is there."""
        return self.low > self.margin

    def __str__(self) -> str:
        return (f"{'yes' if self.holds else 'NO'}: {self.sentence} ({self.difference:+.3f}, at least {self.low:+.3f}; "
                f"needed {self.margin:+.3f})")


class Series(NamedTuple):
    """One line of a plot, in several pieces where the label is the same; `error` is half of the 99 % interval."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    error: Sequence[float] | None = None
    style: str = "points"  # points, line, dashed, or both (points and a line)


class Plot(NamedTuple):
    """What is drawn of an experiment."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    log_x: bool = False


class Finding(NamedTuple):
    """One experiment: what people do and who found it, what was measured, whether the direction is there, and in what
    hippo differs from people all the same."""

    name: str
    people: str
    source: str
    measure: str
    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    claims: Sequence[Claim]
    differs: str
    observed: Sequence[str]
    plot: Plot

    @property
    def holds(self) -> bool:
        """Whether every claimed direction is there."""
        return all(claim.holds for claim in self.claims)

    def table(self) -> str:
        """The table as text, columns right-aligned."""
        lines = [list(self.titles), *map(list, self.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.titles))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
                         for line in lines)


def mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half of its 99 % interval."""
    sample = np.asarray(values, float)
    spread = float(sample.std(ddof=1)) if len(sample) > 1 else float("inf")
    return float(sample.mean()), _TWO_SIDED_99 * spread / float(np.sqrt(len(sample)))


def paired(sentence: str, more: Sequence[float], less: Sequence[float], margin: float) -> Claim:
    """A claim over the same items in two conditions: the first is larger."""
    difference, half = mean(np.subtract(more, less).tolist())
    return Claim(sentence, difference, difference - half, margin)


def unpaired(sentence: str, more: Sequence[float], less: Sequence[float], margin: float) -> Claim:
    """A claim over different items in two conditions: the first is larger."""
    (high, high_half), (low, low_half) = mean(more), mean(less)
    return Claim(sentence, high - low, high - low - float(np.hypot(high_half, low_half)), margin)
