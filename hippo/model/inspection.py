"""Everything about one memory, as `inspect` answers it."""

from __future__ import annotations

from hippo.model.association import Association
from hippo.model.knowledge import Preview
from hippo.model.memory import Memory


class Inspection(Memory, frozen=True, kw_only=True):
    """One memory with what is derived from it.

    `text` may be a page of the whole: `characters` is the whole's length, `next_offset` where the next page begins.
    `original` is what an abridged memory said, where that was kept. `tier_in_days` says in how many days it fades into
    each lower tier. `history`: what it said before it was corrected, oldest first; `replaces`: ids of other memories
    that it supersedes.
    """

    retention_now: float
    raw_bytes: int
    associations: list[Association]
    tier_in_days: dict[str, float]
    characters: int
    offset: int = 0
    next_offset: int | None = None
    original: str | None = None
    history: tuple[Preview, ...] = ()
    replaces: tuple[str, ...] = ()
    version_hash: str | None = None
    alert: str | None = None
