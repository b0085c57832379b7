"""Counts what became of the rows of an import, and keeps the first results."""

from __future__ import annotations

from typing import get_args

from hippo import limits
from hippo.errors import HippoError
from hippo.interfaces.imports.rows import BlockRow, MemoryRow, MessageRow, RelationRow, Row
from hippo.model.imported import ImportFormat, ImportResult, Outcome, RowResult

_KINDS: dict[type, str] = {
    MemoryRow: "memories", MessageRow: "messages", RelationRow: "relations", BlockRow: "blocks"}


class Tally:
    """What became of the rows so far."""

    def __init__(self) -> None:
        self._outcomes: dict[str, int] = dict.fromkeys(get_args(Outcome), 0)
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

    def result(self, form: ImportFormat, *, dry_run: bool, stopped: HippoError | None) -> ImportResult:
        """All of it."""
        return ImportResult(
            format=form, dry_run=dry_run, rows=sum(self._outcomes.values()), outcomes=self._outcomes,
            kinds=self._kinds, results=self._results, failures=self._failures,
            stopped=None if stopped is None else stopped.as_dict()["error"])
