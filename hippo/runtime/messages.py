"""Every request an actor can be asked, on one page: graph, writer, reader, sleeper, broadcaster.

Arrays in requests and answers are numpy; times are UTC milliseconds; memories are named by ordinal inside, by id
outside. `place` columns are the store's locations: file u4, offset u4, row u2.
"""

from __future__ import annotations

from typing import Any

import trio
from msgspec import Struct
from numpy.typing import NDArray

from hippo.errors import HippoError
from hippo.model.batch import Place
from hippo.model.change import Change, Marked, Noted, Touched
from hippo.model.memory import Draft, Fidelity, Memory
from hippo.model.recollection import Why
from hippo.model.report import Bytes, PackFigures, Report, TierFigures
from hippo.model.snapshot import Snapshot
from hippo.runtime.mailbox import Request


class Filters(Struct, frozen=True, kw_only=True):
    """What may be recalled: None means no restriction. Times are inclusive."""

    scopes: tuple[str, ...] | None = None
    kind: str | None = None
    entity: str | None = None
    entity_type: str | None = None
    conversation: str | None = None
    tags: tuple[str, ...] = ()
    tags_all: bool = False
    since: int | None = None
    until: int | None = None
    include_archived: bool = False
    include_superseded: bool = False


class Sensed(Struct, frozen=True):
    """A text as the embedder and the lexical index sense it: unit vector f4[d] or None, token ids u2 or None, terms."""

    vector: NDArray[Any] | None
    tokens: NDArray[Any] | None
    terms: list[str]


class Taught(Struct, frozen=True):
    """A durable memory on its way into the graph; `wording_of` as in `Remembered`."""

    ordinal: int
    draft: Draft
    tag: int
    last_access: int
    place: Place
    sensed: Sensed
    wording_of: int = 0


class Retaught(Struct, frozen=True):
    """A memory that says something else now, on its way into the graph: how it is found, before and after."""

    ordinal: int
    draft: Draft
    tag: int
    place: Place
    before: Sensed
    after: Sensed


class Hit(Struct, frozen=True, kw_only=True):
    """A recalled memory without its text."""

    ordinal: int
    id: str
    place: Place
    tag: int
    activation: float
    confidence: float
    why: Why
    tier: str
    fidelity: Fidelity | None
    created_at: int
    entity: str | None
    kind: str
    tags: tuple[str, ...]
    scope: str
    conversation: str | None
    archived_at: int | None
    superseded_by: str | None
    revision: bool = False


class Recalled(Struct, frozen=True):
    """The graph's answer to a cue: the hits, best first, and whether the agent has any memory at all."""

    hits: list[Hit]
    known: int


class Listed(Struct, frozen=True):
    """One page of memories by time, newest first, and whether there are more."""

    hits: list[Hit]
    more: bool


class Portrait(Struct, frozen=True):
    """All that the graph knows of one memory: its metadata (text empty), where the text lies, its associations."""

    memory: Memory
    ordinal: int
    place: Place
    tag: int
    raw_bytes: int
    retention: float
    associations: list[tuple[str, float]]
    tier_in_days: dict[str, float]


class Census(Struct, frozen=True):
    """The graph's figures: by tier, and how much of each tier lies in each file."""

    memories: int
    agents: dict[str, int]
    associations: int
    tiers: dict[str, TierFigures]
    raw_bytes: int
    by_file: dict[int, dict[str, tuple[int, int]]]  # file -> tier -> (memories, raw bytes)
    schemas: int


Lesson = Taught | Retaught | Marked | Noted | Touched


class Teach(Request[None], frozen=True):
    """Take in what became durable, in this order: new memories in ordinal order, and changes of known ones."""

    lessons: list[Lesson]


class Bring(Request[Recalled], frozen=True, kw_only=True):
    """Bring to mind what a cue is associated with."""

    agent: str
    cue: Sensed
    filters: Filters
    k: int
    now: int
    reinforce: bool
    rank: str = "activation"
    spreads: bool = True


class Browse(Request[Listed], frozen=True, kw_only=True):
    """Memories by time, newest first, after an id."""

    agent: str
    filters: Filters
    limit: int
    before: str | None
    now: int


class Portray(Request[Portrait], frozen=True):
    """All about one memory."""

    agent: str
    id: str
    now: int


class Locate(Request[list[tuple[Place, int]]], frozen=True):
    """Where the texts of some memories lie now, each with its checksum."""

    agent: str
    ordinals: list[int]


class Count(Request[Census], frozen=True):
    """Figures of the whole store."""

    dry: tuple[int, int] | None = None  # now and since: by the tiers that would be planned


class Touches(Struct, frozen=True):
    """What was touched, a change for each agent; how many cues and memories came in; how often there is more to
    take."""

    changes: list[Change]
    asked: int
    more: int


class TakeTouched(Request[Touches], frozen=True):
    """What was strengthened or linked and not taken yet, in portions: asked again until there is none."""


class Export(Request[Snapshot], frozen=True):
    """The whole state, for the index; `covers` is the journal sequence it includes."""

    covers: int
    state: dict[str, Any]


class ExportCaches(Request[dict[str, bytes]], frozen=True):
    """The derived caches that are worth writing again, by name; with `all`, every one that changed at all."""

    all: bool


class Record(Request[int], frozen=True):
    """Make other changes durable; the graph learns those it does not have. Answers the journal sequence reached."""

    changes: list[Change]


class Rotate(Request[int], frozen=True):
    """Start a new journal segment and answer its number."""


class WriteIndex(Request[None], frozen=True):
    """Replace the index."""

    encoded: bytes


class WritePack(Request[int], frozen=True):
    """Write an immutable pack and answer its number."""

    encoded: bytes


class WriteDictionary(Request[int], frozen=True):
    """Write a dictionary and answer its number."""

    encoded: bytes


class Scrub(Request[None], frozen=True):
    """Remove an agent's cache, and set-aside pieces that hold a part of some texts; None: all of them."""

    cache: str
    texts: list[bytes] | None


class WriteCaches(Request[None], frozen=True):
    """Replace derived caches."""

    caches: dict[str, bytes]


class Drop(Request[None], frozen=True):
    """Delete journal segments below a number, packs and dictionaries that nothing refers to any more."""

    segments_before: int
    packs: list[int]
    dictionaries: list[int]


class LogReport(Request[None], frozen=True):
    """Append a report to the compaction log."""

    text: str
    line: str


class Weigh(Request["Weight"], frozen=True):
    """The store's bytes, packs and health."""


class Weight(Struct, frozen=True):
    """What the writer knows of the store."""

    bytes: Bytes
    packs: dict[int, PackFigures]
    writable: bool
    changes: int  # in the journal since the last index
    next_ordinal: int
    next_file: int
    dictionaries: list[int]  # on the disk
    damage: list[str]

    def originals(self, agent: str) -> set[int]:
        """The packs that keep what memories of an agent said before they were abridged."""
        return {number for number, pack in self.packs.items() if pack.agent == agent and pack.tier_set == "original"}


class Read(Request[list[str | HippoError]], frozen=True):
    """The texts at some places, each checked against its tag. Raises `Relocated` when a file is gone."""

    wanted: list[tuple[Place, int, int]]  # place, ordinal, tag


class Original(Request[str | None], frozen=True):
    """What a memory said before it was abridged, from the packs that keep such texts; None where none has it."""

    packs: list[int]
    ordinal: int


class Encoding(Request[str], frozen=True):
    """How a text at a place is encoded: the name of its codec, or `journal`."""

    place: Place


# Sleeper


class SleepNow(Request[Report], frozen=True):
    """Run a pass and answer its report."""

    depth: str
    cause: str = "sleep"


class Foresee(Request[Report], frozen=True):
    """The report of a pass that would run now, without running it."""

    depth: str


class LastReport(Request[Report | None], frozen=True):
    """The report of the last pass, if there was one."""


class Verdict(Struct, frozen=True):
    """What decoding found: memories that cannot be reconstructed, and when everything had been decoded; None: never."""

    unrecoverable: list[str]
    verified_at: int | None


class Verify(Request[Verdict], frozen=True):
    """What is known of damaged memories; with `all`, after decoding every memory now."""

    all: bool


class Restore(Request[bool], frozen=True):
    """Give an abridged memory back what it said. Answers False where that was not kept."""

    agent: str
    ordinal: int
    text: str  # what it says now


class Skip(Request[Report], frozen=True):
    """Move the clock on and let the time pass."""

    ms: int


# Broadcaster


class Event(Struct, frozen=True):
    """Something that happened. `agent` None concerns everyone."""

    id: int
    name: str
    agent: str | None
    data: dict[str, Any]


class Announce(Request[None], frozen=True):
    """Tell every subscriber."""

    name: str
    agent: str | None
    data: dict[str, Any]


class Subscribe(Request[trio.MemoryReceiveChannel[Event]], frozen=True):
    """Follow what happens to one agent. Close the channel to leave; the broadcaster closes it at shutdown."""

    agent: str
    after: int | None


class Hush(Request[None], frozen=True):
    """End every subscription: the daemon is about to stop serving."""
