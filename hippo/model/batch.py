"""What a pass works on, away from the graph: texts that are written anew, and memories that may be alike.

All columns of one of these have one length; memories are named by ordinal, texts by where they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Place = tuple[int, int, int]  # file, offset, row
Column = NDArray[Any]


class Places(NamedTuple):
    """Where texts lie: file u4, offset u4, row u2, ordinal u8 (ascending), tag u8."""

    file: Column
    offset: Column
    row: Column
    ordinal: Column
    tag: Column


class Batch(NamedTuple):
    """Texts of one agent that go into one pack.

    `tier_set`: position in `shelving.SETS`. Columns: `raw_bytes` u4 as it was said, `tier` u1, `schema` i8 the ordinal
    of each one's schema or -1, `may_fade` bool, `fidelity` u1[n, 3] (zeros: lossless), `last_access` i8 and
    `access_count` u4: what a recall changes. `schemas`: where the texts of the schemas lie.
    """

    agent: str
    tier_set: int
    places: Places
    raw_bytes: Column
    tier: Column
    schema: Column
    may_fade: Column
    fidelity: Column
    last_access: Column
    access_count: Column
    schemas: Places

    def rows_of(self, ordinals: Sequence[int] | Column) -> NDArray[np.int64]:
        """Where some of its memories stand."""
        return np.searchsorted(self.places.ordinal, np.asarray(ordinals, np.uint64))


class Kin(NamedTuple):
    """Memories of one agent that may be alike, and pairs of their positions within one scope: i8[p, 2].

    `schema`: i8, the ordinal of each one's schema or -1. `held`, `lossless`: bool. `through` is how far the agent's
    memories have been looked at once these are done.
    """

    agent: str
    places: Places
    schema: Column
    held: Column
    lossless: Column
    pairs: Column
    through: int
