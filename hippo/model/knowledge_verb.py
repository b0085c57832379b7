"""What can be asked of hippo about knowledge: corrections, entities, facts, blocks, conversations, exports. One frozen
struct per verb, as in `verb.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from hippo import limits
from hippo.model.verb import Agent, Retention, Time

ExportFormat = Literal["claude-md", "markdown", "json", "wire", "obsidian"]
Id = Annotated[str, Meta(description="A memory's id, 8 characters")]
Entity = Annotated[str, Meta(description="The name of a person, project or thing")]
Bound = Annotated[int, Meta(ge=limits.result_characters_min)]


class Update(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Correct a memory; its id stays, and what it said stays in its history."""

    id: Id | None = None
    entity: Annotated[str, Meta(description="With old_text: whose memory it is")] | None = None
    old_text: Annotated[str, Meta(description="With entity instead of id: its exact text")] | None = None
    text: Annotated[str, Meta(description="What it says from now on")] | None = None
    kind: str | None = None
    salience: Annotated[float, Meta(ge=0, le=1)] | None = None
    retention: Retention | None = None
    scope: str | None = None
    tags: list[str] | None = None
    new_entity: Annotated[str, Meta(description="What it is about from now on")] | None = None
    entity_type: str | None = None
    protected: bool | None = None
    agent_id: Agent | None = None


class Forget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Erase memories for good: by id, by entity, by entity and exact text, or by description."""

    id: Id | None = None
    entity: Annotated[str, Meta(description="All that is known of it; with text only that")] | None = None
    text: Annotated[str, Meta(description="With entity: the exact text")] | None = None
    description: Annotated[str, Meta(description="What they are about; only shows what it means unless dry_run is false")] | None = None
    dry_run: Annotated[bool, Meta(description="Only show what would be forgotten")] | None = None
    agent_id: Agent | None = None


class Purge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Erase superseded memories for good."""

    before: Annotated[str, Meta(description="Only those superseded ones that were made before this time")] | int | None = None
    dry_run: bool = True
    agent_id: Agent | None = None


class Merge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Replace memories that say the same by one; they stay, superseded."""

    ids: Annotated[list[str], Meta(min_length=2, description="Ids of memories of one kind")]
    text: Annotated[str, Meta(description="What the one says")]
    agent_id: Agent | None = None


class MergeEntities(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Give all memories of some entities to another."""

    sources: Annotated[list[str], Meta(min_length=1, description="Names that mean the same")]
    target: Annotated[str, Meta(description="The name that stays")]
    agent_id: Agent | None = None


class Relate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """State how two entities are related."""

    source: Entity
    relation: Annotated[str, Meta(description="Such as works_at, sister_of, part_of")]
    target: Entity
    remove: Annotated[bool, Meta(description="Take it back")] = False
    agent_id: Agent | None = None


class CheckVersion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whether what is known of an entity is still what it was."""

    entity: Entity
    hash: Annotated[str, Meta(description="The version_hash seen before")]
    agent_id: Agent | None = None


class Consolidate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Find what could be tidied up; changes nothing."""

    mode: Annotated[Literal["clusters", "entities", "contradictions", "sleep"], Meta(
        description="clusters: near duplicates; entities: names that may mean one; contradictions; sleep: what to prune, compress or refresh")] = "clusters"
    age_days: Annotated[float, Meta(ge=0, description="sleep: only memories older than this")] = limits.consolidate_age_days
    include_append_only: bool = False
    limit: Annotated[int, Meta(ge=1, le=limits.proposals_max)] = limits.proposals_default
    max_chars: Bound = limits.result_characters_default
    agent_id: Agent | None = None


class Context(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known around a topic: memories, the entities in them, and what those are related to."""

    topic: Annotated[str, Meta(description="A question, an entity or a few words")]
    depth: Annotated[int, Meta(ge=0, le=3, description="How far to follow entities and relations")] = 1
    scope: list[str] | None = None
    max_chars: Bound = limits.result_characters_default
    agent_id: Agent | None = None


class Onboard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How to begin with this memory: what it knows, and what to add."""

    source: Annotated[str, Meta(description="Where facts about the user can be found, such as a file or a profile")] | None = None
    agent_id: Agent | None = None


class RememberFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Split a text into facts and store each, replacing what it outdates."""

    text: Annotated[str, Meta(description="What was said, in whole sentences")]
    scope: str = ""
    entity: Entity | None = None
    tags: list[str] = []
    source: str | None = None
    conversation: str | None = None
    created_at: Time | int | None = None
    agent_id: Agent | None = None


class RecallBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Read a named text that always stands, or list all of them."""

    key: Annotated[str, Meta(description="Such as persona or objectives; leave out to list all")] | None = None
    agent_id: Agent | None = None


class AppendBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Add a line to a block, which is made if there is none."""

    key: Annotated[str, Meta(description="Such as persona or objectives")]
    text: str
    agent_id: Agent | None = None


class ReplaceBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Replace a text in a block wherever it stands."""

    key: Annotated[str, Meta(description="Such as persona or objectives")]
    old: Annotated[str, Meta(description="Must be there")]
    new: Annotated[str, Meta(description="Empty takes it out")]
    agent_id: Agent | None = None


class DeleteBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Erase a block."""

    key: str
    agent_id: Agent | None = None


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One message of a conversation."""

    role: Annotated[str, Meta(description="user, assistant, system or tool")]
    text: str
    conversation: str | None = None
    created_at: Time | int | None = None


class LogMessages(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Keep messages of a conversation word for word, apart from memories."""

    messages: Annotated[list[Message], Meta(min_length=1, max_length=limits.batch_memories_max)]
    conversation: Annotated[str, Meta(description="For messages that do not name one")] | None = None
    agent_id: Agent | None = None


class RecallConversation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Search logged messages by their words."""

    query: Annotated[str, Meta(description="Words to look for; leave out to list by time")] | None = None
    conversation: str | None = None
    role: str | None = None
    since: Time | int | None = None
    until: Time | int | None = None
    k: Annotated[int, Meta(ge=1, le=limits.results_max)] = limits.messages_default
    max_chars: Bound = limits.result_characters_default
    agent_id: Agent | None = None


class Export(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """All of an agent's knowledge in a format for people or programs."""

    format: ExportFormat = "markdown"
    max_chars: Bound = limits.result_characters_default
    agent_id: Agent | None = None
