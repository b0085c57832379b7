"""All that a store, or one agent of it, remembers: what a complete export holds and gives back.

1. A default is part of the format: it is what a file means by leaving a field out, so it stays, whatever `limits` says.
2. A new field has a default, so that older files are read; what older releases would misread raises `VERSION`.
3. An id may name a memory that is not in the dump, one that was damaged, say: whoever loads it passes over it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from hippo import limits
from hippo.model.memory import Fidelity

VERSION = 1
_count_max = 2**32 - 1


def _one_of(names: dict[str, float] | dict[str, int]) -> Meta:
    return Meta(pattern=rf"\A(?:{'|'.join(names)})\Z")


def _at_most(characters: int) -> Meta:
    """U+001F joins names in the index, so that none may hold it."""
    return Meta(max_length=characters, pattern=r"\A[^\x1f]*\Z")


Id = Annotated[str, Meta(pattern=rf"\A[0-9A-HJKMNP-TV-Z]{{{limits.id_characters}}}\Z")]
Instant = Annotated[int, Meta(ge=limits.instant_ms_min, le=limits.instant_ms_max)]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=_count_max)]
Text = Annotated[str, Meta(min_length=1, max_length=limits.text_characters_max)]
EntityName = Annotated[str, Meta(min_length=1), _at_most(limits.entity_characters_max)]


class MemoryDump(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One memory: the fields of `Memory` but for its agent, which holds it, and its encoding, which a store chooses.

    `revision`: it is an earlier wording of the memory that `superseded_by` names.
    """

    id: Id
    text: Text
    scope: Annotated[str, _at_most(limits.scope_characters_max)] = ""
    salience: Share = 0.3
    kind: Annotated[str, Meta(min_length=1), _at_most(limits.kind_characters_max)] = "episode"
    retention: Annotated[str, _one_of(limits.retention_days)] = "standard"
    entity: EntityName | None = None
    entity_type: Annotated[str, _at_most(limits.entity_type_characters_max)] | None = None
    tags: tuple[Annotated[str, Meta(min_length=1), _at_most(limits.tag_characters_max)], ...] = ()
    source: Annotated[str, _at_most(limits.source_characters_max)] | None = None
    conversation: Annotated[str, _at_most(limits.conversation_characters_max)] | None = None
    created_at: Instant
    key: Annotated[str, _at_most(limits.key_characters_max)] | None = None
    protected: bool = False
    last_access: Instant
    access_count: Count = 1
    encounter_count: Count = 1
    intensity: Share = 0.3
    stability: Annotated[float, Meta(ge=0, le=limits.stability_days_max)]
    tier: Annotated[str, _one_of(limits.tier_floors)] = "hot"
    lossless: bool = True
    fidelity: Fidelity | None = None
    schema: Id | None = None
    schema_hold: bool = False
    superseded_by: Id | None = None
    archived_at: Instant | None = None
    revision: bool = False

    def __post_init__(self) -> None:
        if self.revision and self.superseded_by is None:
            raise ValueError("a `revision` names the memory it is an earlier wording of in `superseded_by`")
        kept = self.fidelity
        if kept and not all(0 <= measure <= 1 for measure in (kept.rouge_l, kept.char_similarity, kept.semantic)):
            raise ValueError("each measure of `fidelity` is 0 to 1")


class MessageDump(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One message of the conversation log, or a part of a long one. `key` names what it says and where; `part_of` is
    shared by all parts of a message."""

    role: str
    text: str
    conversation: str | None = None
    created_at: Instant
    id: str
    key: str | None = None
    part_of: str | None = None


class AgentDump(Struct, frozen=True, forbid_unknown_fields=True):
    """One agent: its memories in the order of their making; associations (id, id, weight 0..1, when it was set, ms);
    blocks by name; relations between entities (source, relation, target); messages in the order they were logged."""

    memories: list[MemoryDump] = []
    associations: list[tuple[Id, Id, Share, Instant]] = []
    blocks: dict[str, str] = {}
    relations: list[tuple[EntityName, str, EntityName]] = []
    messages: list[MessageDump] = []


class Dump(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Agents by name, with what names their memories: the store's seed, and the ordinal of the next memory."""

    format: Literal["hippo"] = "hippo"
    version: int = VERSION
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    next_ordinal: Annotated[int, Meta(ge=0, le=32**limits.id_characters)]
    agents: dict[Annotated[str, Meta(min_length=1), _at_most(limits.agent_characters_max)], AgentDump]
