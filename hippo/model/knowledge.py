"""What the verbs of `knowledge_verb.py` answer. Every answer carries the store's alert, if there is one."""

from __future__ import annotations

from msgspec import Struct

from hippo.model.recollection import Recollection
from hippo.model.stored import Stored


class Preview(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A memory in short: `text` is its beginning."""

    id: str
    text: str
    created_at: int
    kind: str
    entity: str | None = None


class Updated(Struct, frozen=True, kw_only=True):
    """A corrected memory. `action`: `updated`, or `unchanged` where it said and was all of that already."""

    id: str
    action: str
    text: str
    kind: str
    entity: str | None = None
    version_hash: str | None = None
    note: str | None = None
    alert: str | None = None


class Forgot(Struct, frozen=True, kw_only=True):
    """What was forgotten, or with `dry_run` what would be.

    `memories`: the first of them in short, `left_out` how many more they are.
    `restored`: memories that were superseded by one of them and are back. `quoted_in`: blocks and memories that quote
    one of them, which are left as they are, and logged messages that do, which are forgotten as well.
    """

    dry_run: bool
    memories: list[Preview]
    left_out: int = 0
    restored: list[str] = []
    quoted_in: list[str] = []
    entity: str | None = None
    version_hash: str | None = None
    note: str | None = None
    alert: str | None = None


class Merged(Struct, frozen=True, kw_only=True):
    """The memory that stands for others, and those."""

    id: str
    replaced: list[str]
    entity: str | None = None
    version_hash: str | None = None
    alert: str | None = None


class MergedEntities(Struct, frozen=True, kw_only=True):
    """The entity that others were merged into: how many memories changed hands."""

    entity: str
    moved: int
    memories: int
    version_hash: str | None = None
    alert: str | None = None


class Related(Struct, frozen=True, kw_only=True):
    """A relation of two entities. `action`: `related`, `removed` or `unchanged`."""

    action: str
    source: str
    relation: str
    target: str
    alert: str | None = None


class Version(Struct, frozen=True, kw_only=True):
    """Whether an entity is as it was."""

    entity: str
    unchanged: bool
    version_hash: str
    memories: int
    alert: str | None = None


class Proposal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that could be done: to which memories or entities, and why."""

    action: str
    memories: list[Preview] = []
    entities: list[str] = []
    similarity: float | None = None
    why: str = ""


class Proposals(Struct, frozen=True, kw_only=True):
    """What `consolidate` found; nothing was changed. `looked_at`: how many memories."""

    mode: str
    looked_at: int
    proposals: list[Proposal]
    left_out: int = 0
    excluded_append_only: int = 0
    information_rank: int | None = None
    redundancy_ratio: float | None = None
    note: str | None = None
    alert: str | None = None


class EntitySketch(Struct, frozen=True, kw_only=True):
    """An entity in a context: its newest observations and its relations as [source, relation, target]."""

    name: str
    type: str | None
    memories: int
    version_hash: str | None
    observations: list[Recollection]
    relations: list[list[str]]


class Surroundings(Struct, frozen=True, kw_only=True):
    """What is known around a topic."""

    topic: str
    memories: list[Recollection]
    entities: list[EntitySketch]
    blocks: list[str] = []
    weak: bool = False
    note: str | None = None
    alert: str | None = None


class Onboarding(Struct, frozen=True, kw_only=True):
    """How to begin: `phase` is `bootstrap` below 50 memories, else `delta`."""

    phase: str
    memories: int
    entities: list[str]
    blocks: list[str]
    guidance: str
    alert: str | None = None


class Facts(Struct, frozen=True, kw_only=True):
    """What became of each fact of a text. `by`: `rules` or the name of the model that split it."""

    facts: list[Stored]
    texts: list[str]
    by: str
    note: str | None = None
    alert: str | None = None


class Block(Struct, frozen=True, kw_only=True):
    """A named text. `limit`: how many characters it may have."""

    key: str
    text: str
    characters: int
    limit: int
    action: str | None = None
    alert: str | None = None


class Blocks(Struct, frozen=True, kw_only=True):
    """All blocks of an agent, or the one that was asked for."""

    blocks: list[Block]
    note: str | None = None
    alert: str | None = None


class LoggedMessage(Struct, frozen=True, kw_only=True):
    """A message as it was logged; `created_at` is None where a table of the user's does not say when."""

    id: str
    role: str
    text: str
    created_at: int | None
    conversation: str | None = None


class Logged(Struct, frozen=True, kw_only=True):
    """How many messages were kept, and how many of them were known."""

    logged: int
    known: int = 0
    note: str | None = None
    alert: str | None = None


class Conversation(Struct, frozen=True, kw_only=True):
    """Messages that match, best first, or by time."""

    messages: list[LoggedMessage]
    note: str | None = None
    alert: str | None = None


class Exported(Struct, frozen=True, kw_only=True):
    """An export: `text` is all of it, or its beginning where it is longer than what was asked for; then `uri` and the
    route have the whole."""

    format: str
    memories: int
    characters: int
    text: str
    uri: str | None = None
    route: str | None = None
    note: str | None = None
    alert: str | None = None
