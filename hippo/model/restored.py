"""What bringing a memory back answers."""

from __future__ import annotations

from msgspec import Struct


class Restored(Struct, frozen=True, kw_only=True):
    """A memory that was brought back. `action`: `restored`, or `unchanged` where nothing of it was missing."""

    id: str
    action: str
    alert: str | None = None
