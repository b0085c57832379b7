"""The state of a whole store at one moment, as the index keeps it: columns in ordinal order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Snapshot:
    """Columns over all memories (equal length, ascending ordinal), their associations, and the tables they refer to.

    `columns` (dtype): ordinal u8, agent u4, scope u4, kind u4, entity u4, entity_type u4, source u4, conversation u4,
    tags u4, key u4 (codes into `strings[name]`, where 0 is always the empty string; a tag set is one string, its tags
    joined by U+001F), retention u1 (position in `limits.retention_days`), flags u1 (1 protected, 2 schema_hold, 4 an
    earlier wording), salience u1 (steps of 1/200), created_at i8, last_access i8, access_count u4, encounter_count u4,
    intensity f4, stability f4, tier u1 (position in `limits.tier_floors`), archived_at i8 (0: no), superseded_by u8
    (ordinal + 1; 0: no), schema u8 (ordinal + 1; 0: none), raw_bytes u4 (UTF-8 length of the text), tag u8 (checksum of
    the text).

    `edges` (equal length, each association once, first < second): first u8, second u8 (ordinals), weight f4 (0..1),
    set_at i8 (ms). Sorted by second, then first: what a new memory brings stands at the end.

    `state`: small facts: next_ordinal, seed, last_pass_at, skip_ms, embedder, verified_at, linked_through (agent ->
    ordinal), anything else that msgspec can encode.
    """

    covers: int
    strings: dict[str, list[str]] = field(default_factory=dict)
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    edges: dict[str, NDArray[Any]] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)


COLUMNS: dict[str, str] = {
    "ordinal": "u8", "agent": "u4", "scope": "u4", "kind": "u4", "entity": "u4", "entity_type": "u4", "source": "u4",
    "conversation": "u4", "tags": "u4", "key": "u4", "retention": "u1", "flags": "u1", "salience": "u1",
    "created_at": "i8", "last_access": "i8", "access_count": "u4", "encounter_count": "u4", "intensity": "f4",
    "stability": "f4", "tier": "u1", "archived_at": "i8", "superseded_by": "u8", "schema": "u8", "raw_bytes": "u4",
    "tag": "u8",
}
EDGES: dict[str, str] = {"first": "u8", "second": "u8", "weight": "f4", "set_at": "i8"}
STRINGS = ("agent", "scope", "kind", "entity", "entity_type", "source", "conversation", "tags", "key")


def empty_snapshot() -> Snapshot:
    """A snapshot of a store in which nothing was remembered yet."""
    return Snapshot(
        covers=0,
        strings={name: [""] for name in STRINGS},
        columns={name: np.empty(0, kind) for name, kind in COLUMNS.items()},
        edges={name: np.empty(0, kind) for name, kind in EDGES.items()},
    )
