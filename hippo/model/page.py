"""Memories by time, page by page."""

from __future__ import annotations

from msgspec import Struct

from hippo.model.recollection import Recollection


class Page(Struct, frozen=True, kw_only=True):
    """One page, newest first. `next` is what to pass as `before` for the page after it; None on the last."""

    memories: list[Recollection]
    next: str | None = None
    alert: str | None = None
