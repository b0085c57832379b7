"""What a remember answers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Stored(Struct, frozen=True, kw_only=True):
    """One remembered memory, durable from here on.

    `action`: `stored`, `strengthened` (it was known: `id` is the known one), or `superseded` (it replaces the memories
    in `replaced`, or is itself replaced by `superseded_by`). `novelty`: 0..1. `near_matches`: similar memories that
    nothing was done about, with `conflicts` where they contradict it. `note` says what else is worth knowing.
    """

    id: str
    action: str = "stored"
    novelty: float | None = None
    near_matches: list[dict[str, Any]] = []
    replaced: list[str] = []
    superseded_by: str | None = None
    relations_created: list[list[str]] = []
    entity: str | None = None
    version_hash: str | None = None
    note: str | None = None
    alert: str | None = None
