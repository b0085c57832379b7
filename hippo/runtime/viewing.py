"""What the graph is asked for the brain view: memories as columns, and what holds them together."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from numpy.typing import NDArray

from hippo.model.batch import Place
from hippo.runtime.mailbox import Request


class Spot(Struct, frozen=True):
    """A memory whose text is wanted: which one, where it lies, and the checksum of what it says."""

    ordinal: int
    place: Place
    tag: int


class Drawn(Struct, frozen=True):
    """Some memories of one agent in ascending order; all else names them by their position.

    `columns`, each [n]: ordinal u8, tag u8, tier u1, salience f8 (0..1), retention f4, schema u8 (ordinal + 1; 0:
    none), created_at i8, archived bool, superseded bool. `kinds` and `entities` are names, "" for none.
    `first` i8[e], `second` i8[e], `weight` f8[e]: associations, each once.
    `homes` i8[n]: the schema that each is a member of, -1 for none. `members` i8[n]: how many members each has, as a
    schema; `shown` i8[n]: how many of those are here. `folded`: how many memories of the agent are not here.
    """

    columns: dict[str, NDArray[Any]]
    spots: list[Spot]
    kinds: list[str]
    entities: list[str]
    first: NDArray[Any]
    second: NDArray[Any]
    weight: NDArray[Any]
    homes: NDArray[Any]
    members: NDArray[Any]
    shown: NDArray[Any]
    folded: int


class Draw(Request[Drawn | None], frozen=True):
    """Memories and associations of one agent; None where it has none."""

    agent: str
    limit: int
    now: int
