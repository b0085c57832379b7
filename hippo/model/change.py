"""What the journal holds: every change to the store, in the order in which it happened.

1. A memory is named by its ordinal: a number that counts up by one over the whole store and is never used again.
2. A change states the outcome, not the cause: replaying one twice gives the same state.
3. A change that names an ordinal the store does not know is passed over: its memory was damaged or forgotten.
"""

from __future__ import annotations

from msgspec import Struct

from hippo.model.memory import Draft


class Remembered(Struct, frozen=True, tag="r", array_like=True):
    """A new memory. `tag` is the 64-bit checksum of its text; it starts with one access, at `last_access`.

    `wording_of`: 1 + the ordinal of the memory whose earlier wording it is, and which supersedes it; 0: of none.
    """

    ordinal: int
    draft: Draft
    tag: int
    last_access: int
    wording_of: int = 0


class Touched(Struct, frozen=True, tag="t", array_like=True):
    """What recall strengthened since the last tick: columns of equal length, absolute values."""

    ordinals: list[int]
    last_access: list[int]
    access_count: list[int]
    stability: list[float]
    intensity: list[float]
    edge_from: list[int]
    edge_to: list[int]
    edge_weight: list[float]
    edge_set_at: list[int]
    linked_through: dict[str, int]  # agent -> the ordinal up to which first associations are in here


class Skipped(Struct, frozen=True, tag="s", array_like=True):
    """The clock was moved on: the sum of all skips, in milliseconds."""

    total_ms: int


class Revised(Struct, frozen=True, tag="u", array_like=True):
    """A memory says something else from here on, or has other facts: all of it anew. Its stability, associations and
    access stay."""

    ordinal: int
    draft: Draft
    tag: int


class Marked(Struct, frozen=True, tag="m", array_like=True):
    """Some columns of some memories of one agent: absolute values, by the names that snapshots have for them."""

    agent: str
    ordinals: list[int]
    columns: dict[str, list[float]]


class Forgotten(Struct, frozen=True, tag="f", array_like=True):
    """A person let go of these memories. While this stands in the journal, their traces may not all be erased yet."""

    agent: str
    ordinals: list[int]


class Noted(Struct, frozen=True, tag="n", array_like=True):
    """A small fact of an agent that is no memory, such as a block or a relation of entities; None takes it back."""

    agent: str
    topic: str
    key: str
    value: str | None


Change = Remembered | Touched | Skipped | Revised | Marked | Forgotten | Noted
