"""What a remember answers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Stored(Struct, frozen=True, kw_only=True):
    """One remembered memory, durable from here on. `note` says what was changed on the way in, if anything."""

    id: str
    action: str = "stored"
    novelty: float | None = None
    near_matches: list[dict[str, Any]] = []
    entity: str | None = None
    version_hash: str | None = None
    note: str | None = None
    alert: str | None = None
