"""What the graph and the writer are asked about knowledge: what a text is to what is known, entities, and small facts.

Memories are named by ordinal; times are UTC milliseconds.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hippo.errors import HippoError
from hippo.model.batch import Column
from hippo.model.change import Noted
from hippo.model.memory import Draft
from hippo.runtime.mailbox import Request
from hippo.runtime.messages import Filters, Hit, Sensed

How = Literal["strengthens", "supersedes", "superseded"]


class Newcomer(Struct, frozen=True):
    """A text that may be remembered: `tag` is its checksum."""

    draft: Draft
    tag: int
    sensed: Sensed


class Likeness(Struct, frozen=True):
    """What a newcomer is to what is known.

    `novelty`: 0..1. `same`: the memory of the same scope and entity that says exactly this. `near`: the nearest
    memories of its scope with their similarity on the reference scale, best first. `entity`: its name as it was first
    written. `mentions`: other entities that the text names, as they were first written.
    """

    novelty: float
    same: Hit | None
    near: list[tuple[Hit, float]]
    entity: str | None
    mentions: list[str]


class Compare(Request[list[Likeness]], frozen=True):
    """What some newcomers of one agent are to what the agent knows."""

    agent: str
    newcomers: list[Newcomer]


class Meeting(Struct, frozen=True):
    """How a newcomer meets an earlier memory: one that is known, or one of the same request by its position there.

    It strengthens it and is not stored itself, or it is stored and one supersedes the other.
    """

    how: How
    ordinal: int | None = None
    row: int | None = None


class Intake(Struct, frozen=True):
    """A memory to be stored, how it meets an earlier one, the small facts it brings, and the memories that it takes the
    place of: those of them that are still known are superseded by it."""

    draft: Draft
    sensed: Sensed
    meets: Meeting | None = None
    notes: tuple[Noted, ...] = ()
    replaces: tuple[int, ...] = ()


class Kept(Struct, frozen=True):
    """What became of an intake: its own memory or the one it strengthened, and whether its key was known before."""

    ordinal: int
    action: Literal["stored", "strengthened", "superseded"]
    known: bool = False


class Store(Request[list[Kept | HippoError]], frozen=True):
    """Make memories durable and recallable, all of one request together."""

    rows: list[Intake]


class State(Struct, frozen=True):
    """What a meeting changes of a memory: how often and how strongly it was met, how well it is held; and its tag."""

    encounter_count: int
    intensity: float
    stability: float
    last_access: int
    tag: int


class States(Request[dict[int, State]], frozen=True):
    """The state of some memories; those that are not known are left out."""

    agent: str
    ordinals: list[int]


class Rewrite(Request[bool], frozen=True):
    """A memory says something else from here on.

    `tag`: the checksum of what it says now; where it says something else by then, nothing is done and the answer is
    False. `before`, `after`: what it says and what it is to say. `keep`: the former is kept as an earlier wording.
    """

    ordinal: int
    tag: int
    before: Draft
    after: Draft
    sensed_before: Sensed
    sensed_after: Sensed
    keep: bool


class Observations(Struct, frozen=True):
    """What is known of an entity: its name as first written, its type, its current memories in the order of their ids,
    and its relations as (source, relation, target). `exists`: some memory, current or
    not, is about it."""

    name: str
    exists: bool
    type: str | None
    hits: list[Hit]
    relations: list[tuple[str, str, str]]


class Hits(Request[list[Hit]], frozen=True):
    """Some memories as recall names them; those that are not known are left out."""

    agent: str
    ordinals: list[int]


class SupersededBy(Request[list[Hit]], frozen=True):
    """The memories that some others supersede."""

    agent: str
    ordinals: list[int]


class Resembling(Request[list[Hit]], frozen=True):
    """Current memories at or above a similarity to a cue, on the reference scale, best first."""

    agent: str
    cue: Sensed
    floor: float
    most: int


class Search(Request[list[Hit]], frozen=True):
    """Memories that say some terms, the best match first, of equals the latest; nothing is strengthened.

    `confidence` of each is the share of the terms' mass that it says.
    """

    agent: str
    terms: list[str]
    filters: Filters
    most: int


class MayQuote(Request[list[Hit]], frozen=True):
    """The logged messages that may hold a text in which these terms stand: those that say all of them, and parts of
    longer messages, which one by one need not say them; in the order in which they were logged."""

    agent: str
    terms: list[str]


class Foremost(Request[list[Hit]], frozen=True):
    """The current memories of an agent that matter most: salient, recent, active."""

    agent: str
    most: int
    now: int


class Fingerprint(Struct, frozen=True):
    """What an entity's current memories say, in 16 bytes; its name as first written; how many they are, and when the
    newest was made, 0 for none."""

    name: str
    memories: int
    newest: int
    digest: bytes


class Fingerprints(Request[list[Fingerprint]], frozen=True):
    """The fingerprints of some entities, in the order asked for."""

    agent: str
    entities: list[str]


class Observe(Request[list[Observations]], frozen=True):
    """What is known of some entities, in the order asked for; one that is not known has no memories."""

    agent: str
    entities: list[str]


class EntityFigures(Struct, frozen=True):
    """An entity: its name as first written, its type, how many current memories it has and when the newest was made."""

    name: str
    type: str | None
    memories: int
    newest: int


class Entities(Request[list[EntityFigures]], frozen=True):
    """All entities of an agent, by name."""

    agent: str


class Notes(Request[dict[str, str]], frozen=True):
    """The small facts of an agent on a topic."""

    agent: str
    topic: str


class WithRevisions(Request[list[int]], frozen=True):
    """Some memories and all their earlier wordings, ascending; those that are not known are left out."""

    agent: str
    ordinals: list[int]


class Forget(Request[bool], frozen=True):
    """Let go of memories with all their earlier wordings, for good: the answer comes when no trace is left on the disk.

    `texts`: what they say; None where one of them cannot be read. `tokens`: what they were sensed as. Answers False,
    and does nothing, where these are not all that there are by now.
    """

    agent: str
    ordinals: list[int]
    texts: list[bytes] | None
    tokens: dict[int, Column]


class LetGo(Request[bool], frozen=True):
    """State for good that memories are forgotten. `tags`: by ordinal, the checksum of what each says; where one is not
    known any more, or says something else by then, nothing is done and the answer is False."""

    agent: str
    tags: dict[int, int]
