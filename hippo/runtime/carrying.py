"""What the graph, the writer and the sleeper are asked when knowledge leaves a store whole, or comes into one.

Memories are named by ordinal; times are UTC milliseconds.
"""

from __future__ import annotations

from msgspec import Struct

from hippo.model.batch import Column, Place
from hippo.model.change import Change
from hippo.model.memory import Memory
from hippo.runtime.mailbox import Request
from hippo.runtime.messages import Sensed


class Page(Struct, frozen=True):
    """A memory without its text: where that lies, its checksum, and whether it is an earlier wording of another."""

    ordinal: int
    memory: Memory
    place: Place
    tag: int
    revision: bool


class Chapter(Request[list[Page]], frozen=True):
    """The next memories of an agent in the order of their making, after an ordinal; empty at the end."""

    agent: str
    after: int
    most: int


class Bonds(Request[list[tuple[int, int, float, int]]], frozen=True):
    """All associations of an agent: two ordinals, the weight as it was set, and when."""

    agent: str


class Matrix(Struct, frozen=True):
    """Memories with their vectors: ordinals u8[n], f4[n, d], created_at i8[n], access_count u4[n]; the entities that
    they are of."""

    ordinals: Column
    vectors: Column
    created_at: Column
    access_count: Column
    entities: list[str]


class Vectors(Request[Matrix], frozen=True):
    """The current memories of an agent with their vectors: the newest, so many at most."""

    agent: str
    before: int | None  # made before this moment
    most: int


class Taken(Request[bool], frozen=True):
    """Whether memories of an agent can no longer be given these ordinals, which ascend: one is in use, or the agent has
    a later one."""

    agent: str
    ordinals: list[int]


class Load(Request[None], frozen=True):
    """Make changes durable and teach them, as they are: memories of another store, with all that is known of them.

    `senses`: of each new memory, in the order of the changes. `next_ordinal`: the first that may be used after it.
    """

    changes: list[Change]
    senses: list[Sensed]
    next_ordinal: int


class Adopt(Request[bool], frozen=True):
    """Name memories by another seed from now on; False where some were named already, and nothing has changed."""

    seed: int


class Seal(Request[None], frozen=True):
    """Write every text into a pack."""
