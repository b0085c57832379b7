"""The report of a pass, and the figures of a store."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class TierFigures(Struct, frozen=True, kw_only=True):
    """One tier at one moment: how many memories, their raw and stored bytes, and the quality they are kept at."""

    count: int = 0
    raw_bytes: int = 0
    stored_bytes: int = 0
    ratio: float = 1.0
    rouge_l_mean: float = 1.0
    rouge_l_min: float = 1.0
    char_similarity: float = 1.0
    semantic: float = 1.0
    codecs: dict[str, int] = {}


class TierReport(Struct, frozen=True, kw_only=True):
    """One tier over a pass: what it aims at, before, expected, after, and how many memories came and went."""

    target_ratio: float
    floors: tuple[float, float, float]
    before: TierFigures
    expected: TierFigures
    after: TierFigures
    moved_in: int = 0
    moved_out: int = 0


class Bytes(Struct, frozen=True, kw_only=True):
    """The bytes of a store as they lie on the disk. `total_bytes` is the sum of the first four."""

    content_bytes: int = 0
    dictionary_bytes: int = 0
    index_bytes: int = 0
    journal_bytes: int = 0
    total_bytes: int = 0
    parity_bytes: int = 0
    cache_bytes: int = 0
    log_bytes: int = 0


class PackFigures(Struct, frozen=True, kw_only=True):
    """One pack: whose, the name of its set, its rows, their bytes before and after, how many have which codec, and the
    dictionaries it needs."""

    agent: str
    tier_set: str
    rows: int
    raw_bytes: int
    stored_bytes: int
    codecs: dict[str, int]
    dictionaries: tuple[int, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    """One pass of sleep, a time skip or a budget enforcement.

    `schemas_formed`: memories that were given a schema, `sealed`: texts written into a pack, `faded`: those of them
    that were abridged, `verified`: texts decoded and checked beside them.
    """

    cause: str
    depth: str
    at: int
    memories: int
    tiers: dict[str, TierReport]
    before: Bytes
    after: Bytes
    edges_decayed: int = 0
    edges_pruned: int = 0
    schemas_formed: int = 0
    sealed: int = 0
    faded: int = 0
    verified: int = 0
    unrecoverable: int = 0
    duration_ms: int | None = None
    dry: bool = False
    alert: str | None = None


class Stats(Struct, frozen=True, kw_only=True):
    """What `memory_stats` answers."""

    memories: int
    agents: int
    associations: int
    schemas: int
    tiers: dict[str, TierFigures]
    content_bytes: int
    dictionary_bytes: int
    index_bytes: int
    journal_bytes: int
    total_bytes: int
    parity_bytes: int
    cache_bytes: int
    log_bytes: int
    raw_bytes: int
    budget_bytes: int | None
    over_budget: bool
    alert: str | None
    unrecoverable: int
    verified_at: int | None
    embedder: str
    last_report: dict[str, Any] | None
    version: str
    damage: list[str]
