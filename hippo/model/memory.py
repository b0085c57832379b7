"""What one memory is: as it is drafted by a caller, and as it is kept.

The messages that an agent's conversations are logged as are kept like memories, of an agent that no caller can name.
"""

from __future__ import annotations

from msgspec import Struct

_LOG = "\x1f"  # no name that a caller gives holds it


def log_of(agent: str) -> str:
    """The agent that an agent's logged messages are kept as."""
    return _LOG + agent


def is_log(agent: str) -> bool:
    """Whether an agent is only there to keep the messages of another."""
    return agent.startswith(_LOG)


class Draft(Struct, frozen=True, kw_only=True):
    """A memory as a caller gives it, checked and completed, before it has an id. Times are UTC milliseconds."""

    text: str
    agent_id: str = "default"
    scope: str = ""
    salience: float = 0.3
    kind: str = "episode"
    retention: str = "standard"
    entity: str | None = None
    entity_type: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    conversation: str | None = None
    created_at: int = 0
    key: str | None = None
    protected: bool = False


class Fidelity(Struct, frozen=True, forbid_unknown_fields=True):
    """How close a lossy reconstruction is to its original, each 0..1."""

    rouge_l: float
    char_similarity: float
    semantic: float


class Memory(Struct, frozen=True, kw_only=True):
    """One memory with all its metadata, as `inspect` shows it. Times are UTC milliseconds, stability is in days."""

    id: str
    agent_id: str
    text: str
    scope: str
    salience: float
    kind: str
    retention: str
    entity: str | None
    entity_type: str | None
    tags: tuple[str, ...]
    source: str | None
    conversation: str | None
    created_at: int
    key: str | None
    protected: bool
    last_access: int
    access_count: int
    encounter_count: int
    intensity: float
    stability: float
    tier: str
    encoding: str
    lossless: bool
    fidelity: Fidelity | None = None
    schema: str | None = None
    schema_hold: bool = False
    superseded_by: str | None = None
    archived_at: int | None = None
