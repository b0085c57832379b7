"""What became of the rows of an import: counts of all of them, and the first results."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hippo import limits
from hippo.errors import HippoError
from hippo.interfaces.imports.rows import BlockRow, MemoryRow, MessageRow, RelationRow, Row

Outcome = Literal["stored", "strengthened", "superseded", "skipped", "failed", "planned"]
OUTCOMES: tuple[Outcome, ...] = ("stored", "strengthened", "superseded", "skipped", "failed", "planned")
_KINDS: dict[type, str] = {
    MemoryRow: "memories", MessageRow: "messages", RelationRow: "relations", BlockRow: "blocks"}


class RowResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one row: its id where it is a memory now; why it was skipped or failed, or how it was changed."""

    where: str
    outcome: Outcome
    id: str | None = None
    why: str | None = None


class ImportResult(Struct, frozen=True, kw_only=True):
    """What became of an import.

    `outcomes` and `kinds` count all `rows`; `planned` are those that a dry run would have handed over. `results` and
    `failures` are the first of all rows and of the failed ones. `stopped` is the error that ended it before its source
    did.
    """

    dry_run: bool
    rows: int
    outcomes: dict[str, int]
    kinds: dict[str, int]
    results: list[RowResult]
    failures: list[RowResult]
    stopped: dict[str, str] | None = None


class Tally:
    """What became of the rows so far."""

    def __init__(self) -> None:
        self._outcomes: dict[str, int] = dict.fromkeys(OUTCOMES, 0)
        self._kinds: dict[str, int] = dict.fromkeys(_KINDS.values(), 0)
        self._results: list[RowResult] = []
        self._failures: list[RowResult] = []

    def add(self, row: Row, result: RowResult) -> None:
        """One row is done."""
        self._outcomes[result.outcome] += 1
        if (kind := _KINDS.get(type(row))) is not None:
            self._kinds[kind] += 1
        if len(self._results) < limits.import_results_max:
            self._results.append(result)
        if result.outcome == "failed" and len(self._failures) < limits.import_failures_max:
            self._failures.append(result)

    def result(self, *, dry_run: bool, stopped: HippoError | None) -> ImportResult:
        """All of it."""
        return ImportResult(
            dry_run=dry_run, rows=sum(self._outcomes.values()), outcomes=self._outcomes, kinds=self._kinds,
            results=self._results, failures=self._failures,
            stopped=None if stopped is None else stopped.as_dict()["error"])
