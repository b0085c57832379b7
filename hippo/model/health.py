"""How the daemon is, and whose memories it holds."""

from __future__ import annotations

from msgspec import Struct


class Health(Struct, frozen=True, kw_only=True):
    """The daemon's state: `ok`, or `degraded` while it cannot write; `timeskip`: whether time may be skipped."""

    status: str
    version: str
    uptime_s: float
    memories: int
    writable: bool
    timeskip: bool


class AgentFigures(Struct, frozen=True, kw_only=True):
    """One agent and how many memories it has."""

    agent_id: str
    memories: int
