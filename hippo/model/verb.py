"""What can be asked of hippo: one frozen struct per verb. REST bodies, MCP tool arguments, commands and the library
all become one of these; JSON Schema and OpenAPI are made from them. Field descriptions are read by models.

`agent_id` None means: the agent the caller's token is bound to, else `default`. Times are strings as people and
clients write them (BEHAVIOUR's accepted forms) or UTC milliseconds.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from hippo import limits

Depth = Literal["light", "deep", "rem", "all"]
Rank = Literal["activation", "composite"]
Format = Literal["full", "compact", "wire", "index"]
Retention = Literal["critical", "reference", "standard", "temporary"]

Agent = Annotated[str, Meta(description="Whose memory; leave out for the default one")]
Time = Annotated[str, Meta(description="YYYY-MM-DD, an ISO time (UTC unless it names a zone), or 7d, 12h, yesterday, last week")]


class Remember(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Store one memory."""

    text: Annotated[str, Meta(description="What to remember: one self-contained statement, in the words that matter")]
    agent_id: Agent | None = None
    scope: Annotated[str, Meta(description="A project or channel; empty for global")] = ""
    salience: Annotated[float, Meta(ge=0, le=1, description="Leave out unless it matters: 0.7 and more is kept exact for ever")] | None = None
    importance: Annotated[float, Meta(ge=0, le=1, description="Another name of salience")] | None = None
    kind: Annotated[str, Meta(description="fact, decision, question, preference, episode, or your own word")] = "episode"
    retention: Annotated[Retention, Meta(description="How long it stays relevant")] = "standard"
    entity: Annotated[str, Meta(description="The person, project or thing it is about")] | None = None
    entity_type: Annotated[str, Meta(description="person, project, place, …")] | None = None
    tags: Annotated[list[str], Meta(description="Labels to filter by")] = []
    source: Annotated[str, Meta(description="Where it comes from")] | None = None
    conversation: Annotated[str, Meta(description="An id shared by what was said together")] | None = None
    created_at: Time | int | None = None
    key: Annotated[str, Meta(description="Idempotency key: repeating a call with it returns the first answer")] | None = None
    protected: Annotated[bool, Meta(description="Never archived, never lossy")] = False


class Recall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Bring to mind what a cue is associated with; without a cue, list by time what the filters let through."""

    cue: Annotated[str, Meta(description="What you want to know, in plain words; leave out to list by time")] | None = None
    k: Annotated[int, Meta(ge=1, le=limits.results_max, description="How many results")] = limits.results_default
    agent_id: Agent | None = None
    scope: Annotated[list[str], Meta(description="Only these scopes")] | None = None
    kind: Annotated[str, Meta(description="Only this kind")] | None = None
    entity: Annotated[str, Meta(description="Only memories about this entity")] | None = None
    type: Annotated[str, Meta(description="Only memories about entities of this type")] | None = None
    tags: Annotated[list[str], Meta(description="Only memories with these tags")] | None = None
    tags_match: Annotated[Literal["any", "all"], Meta(description="Whether any or all of the tags must be there")] = "any"
    since: Time | int | None = None
    until: Time | int | None = None
    peek: Annotated[bool, Meta(description="Read without strengthening what is recalled")] = False
    include_archived: bool = False
    include_superseded: bool = False
    spread: Annotated[bool, Meta(description="false: only direct matches")] = True
    rank: Annotated[Rank, Meta(description="composite: by likeness, strength and recency instead of activation")] = "activation"
    format: Annotated[Format, Meta(description="full, compact, wire, or index (what exists, without texts)")] = "full"
    max_chars: Annotated[int, Meta(ge=limits.result_characters_min, description="Upper bound of the text form of the answer")] = limits.result_characters_default


class Sleep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Run a pass of sleep now."""

    depth: Annotated[Depth, Meta(description="light (decay, prune, re-tier), deep (compression), rem (dreams), or all")] = "all"


class Preview(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a pass would do now, without doing it."""

    depth: Depth = "all"


class MemoryStats(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The figures of the whole store."""

    verify: Annotated[bool, Meta(description="Decode every memory and check it")] = False


class Inspect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything about one memory."""

    id: Annotated[str, Meta(description="The memory's id, 8 characters")]
    agent_id: Agent | None = None
    offset: Annotated[int, Meta(ge=0, description="First character of a long text to return")] = 0
    max_chars: Annotated[int, Meta(ge=limits.result_characters_min)] = limits.result_characters_default


class Restore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Give an abridged memory back its exact text, where that was kept."""

    id: Annotated[str, Meta(description="The memory's id, 8 characters")]
    agent_id: Agent | None = None


class ListMemories(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Memories of an agent by time, newest first, page by page."""

    agent_id: Agent | None = None
    scope: list[str] | None = None
    kind: str | None = None
    entity: str | None = None
    type: str | None = None
    tags: list[str] | None = None
    tags_match: Literal["any", "all"] = "any"
    since: Time | int | None = None
    until: Time | int | None = None
    contains: Annotated[str, Meta(description="Only texts with exactly these characters, case and width folded")] | None = None
    include_archived: bool = False
    include_superseded: bool = False
    limit: Annotated[int, Meta(ge=1, le=limits.list_memories_max)] = limits.list_memories_default
    before: Annotated[str, Meta(description="The id after which to go on: the `next` of the page before")] | None = None


class GraphView(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Nodes and edges for the brain view."""

    agent_id: Agent | None = None
    limit: Annotated[int, Meta(ge=1, le=limits.graph_nodes_max)] = limits.graph_nodes_default


class TimeSkip(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Move the clock on by some days and let them pass: demo and frozen clocks only."""

    days: Annotated[float, Meta(gt=0, le=limits.timeskip_days_max)]


class Events(Struct, frozen=True, kw_only=True):
    """Follow what happens, from an event id on."""

    agent_id: Agent | None = None
    last_event_id: int | UnsetType = UNSET
