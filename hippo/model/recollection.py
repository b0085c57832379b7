"""What recall gives back."""

from __future__ import annotations

from msgspec import Struct

from hippo.model.memory import Fidelity


class Why(Struct, frozen=True, omit_defaults=True):
    """Why a memory came to mind: `seed` (it is a match itself), `neighbour` (it was said next to one), `spread` (ids
    that led here). `similarity`, 0..1, is how alike the cue the memory itself is, whatever stands next to it: 1 is the
    best match of this cue both in words and in meaning."""

    kind: str
    similarity: float | None = None
    path: tuple[str, ...] = ()


class Recollection(Struct, frozen=True, kw_only=True):
    """One recalled memory. Activation is relative to the best match, confidence is absolute, both 0..1."""

    id: str
    text: str
    activation: float
    confidence: float
    why: Why
    tier: str
    lossless: bool
    fidelity: Fidelity | None
    created_at: int
    entity: str | None
    kind: str
    tags: tuple[str, ...]
    scope: str = ""
    conversation: str | None = None
    stale: bool = False
    version_hash: str | None = None
    archived_at: int | None = None
    superseded_by: str | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """The whole answer to a recall."""

    results: list[Recollection]
    weak: bool = False
    degraded: bool = False
    note: str | None = None
    alert: str | None = None
