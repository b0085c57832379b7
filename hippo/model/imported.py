"""What became of an import: counts of all its rows, and the first results."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ImportFormat = Literal[
    "hippo", "mcp-memory", "mcp-memory-service", "basic-memory", "chatgpt", "claude", "markdown"]
Outcome = Literal["stored", "strengthened", "superseded", "skipped", "failed", "planned"]


class RowResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one row: its id where it is a memory now; why it was skipped or failed, or how it was changed."""

    where: str
    outcome: Outcome
    id: str | None = None
    why: str | None = None


class ImportResult(Struct, frozen=True, kw_only=True):
    """What became of an import.

    `format` is what the source was read as. `outcomes` and `kinds` count all `rows`; `planned` are those that a dry run
    would have handed over. `results` and `failures` are the first of all rows and of the failed ones. `stopped` is the
    error that ended it before its source did.
    """

    format: ImportFormat
    dry_run: bool
    rows: int
    outcomes: dict[str, int]
    kinds: dict[str, int]
    results: list[RowResult]
    failures: list[RowResult]
    stopped: dict[str, str] | None = None
    alert: str | None = None
