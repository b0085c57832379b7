"""Rows on their way into a store, in batches, and what became of each.

1. Rows are read in a thread, a batch at a time. Of a batch the memories are stored first, in one call, then its
   messages are logged, then relations and blocks set. Results are in the order of the rows.
2. Each row is checked as the service checks it, before anything of it is handed over: so a dry run tells what would be
   refused, and writes nothing.
3. A row that is refused keeps no other back. What is not a row's fault (the disk is full, the daemon is busy or goes)
   ends the import: it says so, and what is stored stays. Rows have keys: the same import again goes on from there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC
from itertools import islice
from typing import Protocol

import trio

from hippo import limits
from hippo.errors import EmptyText, HippoError, InvalidArgument, TextTooLong
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.imports.results import Tally
from hippo.interfaces.imports.rows import BadRow, BlockRow, MemoryRow, MessageRow, RelationRow, Row, SkippedRow
from hippo.model.imported import ImportFormat, ImportResult, Outcome, RowResult
from hippo.model.stored import Stored
from hippo.model.verb import Remember

assert limits.import_rows_at_once <= limits.batch_memories_max

_actions: dict[str, Outcome] = {"stored": "stored", "strengthened": "strengthened", "superseded": "superseded"}
_not_the_rows = 500  # the HTTP status from which on an error is not a row's fault


class Sink(Protocol):
    """Where rows go. A `HippoError` refuses what was given; from status 500 on it ends the import.

    A memory, message or relation that is there already, and a text that a block has already, is no error: it is
    `skipped`, or strengthened. A relation may name an entity that no memory is about yet.
    """

    async def remember(self, memories: list[Remember]) -> Sequence[Stored | HippoError]:
        """Stores memories, each on its own; the answers are in their order."""

    async def log(self, messages: list[MessageRow]) -> Sequence[Outcome | HippoError]:
        """Logs messages, each on its own; the answers are in their order."""

    async def relate(self, relation: RelationRow) -> Outcome:
        """Relates two entities."""

    async def set_block(self, block: BlockRow) -> Outcome:
        """Gives a block its text."""


async def run_import(rows: Iterator[Row], sink: Sink, form: ImportFormat, *, dry_run: bool,
                     progress: Callable[[int], None] | None = None) -> ImportResult:
    """Takes rows over.

    Args:
        rows: of a reader. sink: where they go; in a dry run it is asked for nothing. form: what they were read as.
        dry_run: only tell what would be done.
        progress: called with how many more rows are done.
    Returns:
        What became of them, also of those before an error that ended the import.
    """
    tally, drafting = Tally(), Drafting(UTC)
    stopped: HippoError | None = None
    try:
        while stopped is None:
            taken, trouble = await trio.to_thread.run_sync(_next_rows, rows)
            if not taken and trouble is None:
                break
            batch = _Batch(taken)
            batch.check(drafting, dry_run=dry_run)
            if not dry_run:
                await batch.hand_over(sink)
            batch.report(tally)
            if progress is not None:
                progress(len(taken))
            stopped = batch.stopped or trouble
    finally:
        if (close := getattr(rows, "close", None)) is not None:
            close()  # a reader holds its source open
    return tally.result(form, dry_run=dry_run, stopped=stopped)


def _next_rows(rows: Iterator[Row]) -> tuple[list[Row], HippoError | None]:
    """The rows of the next batch, and the error that ended them, if one did."""
    taken: list[Row] = []
    characters = 0
    try:
        for row in islice(rows, limits.import_rows_at_once):
            taken.append(row)
            characters += _characters(row)
            if characters >= limits.import_characters_at_once:
                break
    except HippoError as refused:
        return taken, refused
    return taken, None


def _characters(row: Row) -> int:
    match row:
        case MemoryRow():
            return len(row.remember.text)
        case MessageRow() | BlockRow():
            return len(row.text)
    return 0


class _Batch:
    """Some rows, and the result of each once it has one. `stopped`: the error that ends the import with them."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows
        self._results: list[RowResult | None] = [None] * len(rows)
        self.stopped: HippoError | None = None

    def check(self, drafting: Drafting, *, dry_run: bool) -> None:
        """Settles what needs no sink: what was not read, what would be refused, and in a dry run the rest."""
        for at, row in enumerate(self._rows):
            if isinstance(row, BadRow | SkippedRow):
                self._settle(at, "failed" if isinstance(row, BadRow) else "skipped", why=row.why)
                continue
            try:
                _check(row, drafting)
            except HippoError as refused:
                self._settle(at, "failed", why=refused.message)
            else:
                if dry_run:
                    self._settle(at, "planned")

    async def hand_over(self, sink: Sink) -> None:
        """Gives what is not settled to the sink (rule 1)."""
        waiting = [(at, row) for at, row in enumerate(self._rows) if self._results[at] is None]
        memories = [(at, row.remember) for at, row in waiting if isinstance(row, MemoryRow)]
        messages = [(at, row) for at, row in waiting if isinstance(row, MessageRow)]
        if memories:
            await self._take([at for at, _ in memories], sink.remember([memory for _, memory in memories]))
        if messages and self.stopped is None:
            await self._take([at for at, _ in messages], sink.log([message for _, message in messages]))
        for at, row in waiting:
            if self.stopped is None and isinstance(row, RelationRow):
                await self._take([at], _alone(sink.relate(row)))
            elif self.stopped is None and isinstance(row, BlockRow):
                await self._take([at], _alone(sink.set_block(row)))

    def report(self, tally: Tally) -> None:
        """Tells a tally what became of the rows; of those that were not got to, nothing."""
        for row, result in zip(self._rows, self._results, strict=True):
            if result is not None:
                tally.add(row, result)

    async def _take(self, places: list[int], asked: Awaitable[Sequence[Stored | Outcome | HippoError]]) -> None:
        try:
            answers = await asked
        except HippoError as refused:
            answers = [refused] * len(places)
        for at, answer in zip(places, answers, strict=True):
            if isinstance(answer, HippoError):
                self._settle(at, "failed", why=answer.message)
                if answer.http_status >= _not_the_rows:
                    self.stopped = answer
            elif isinstance(answer, Stored):
                self._settle(at, _actions.get(answer.action, "skipped"), id=answer.id, why=answer.note)
            else:
                self._settle(at, answer)

    def _settle(self, at: int, outcome: Outcome, *, id: str | None = None, why: str | None = None) -> None:
        self._results[at] = RowResult(where=self._rows[at].where, outcome=outcome, id=id, why=why)


async def _alone(asked: Awaitable[Outcome]) -> list[Outcome]:
    return [await asked]


def _check(row: MemoryRow | MessageRow | RelationRow | BlockRow, drafting: Drafting) -> None:
    """Whether a row holds every limit.

    Raises:
        HippoError: naming what does not.
    """
    match row:
        case MemoryRow():
            drafting.draft(row.remember, 0)
        case MessageRow():
            _check_text(row.text)
            _check_name("The role", row.role, limits.role_characters_max)
            _check_name("The conversation", row.conversation, limits.conversation_characters_max)
        case RelationRow():
            _check_name("The source", row.source, limits.entity_characters_max)
            _check_name("The target", row.target, limits.entity_characters_max)
            _check_name("The relation", row.relation, limits.relation_characters_max)
        case BlockRow():
            _check_text(row.text)
            _check_name("The name of the block", row.key, limits.block_key_characters_max)


def _check_text(text: str) -> None:
    if not text.strip():
        raise EmptyText
    if len(text) > limits.text_characters_max:
        raise TextTooLong(length=len(text), limit=limits.text_characters_max)


def _check_name(what: str, name: str, characters_max: int) -> None:
    if not name.strip():
        raise InvalidArgument(what=f"{what} is empty.")
    if len(name) > characters_max:
        raise InvalidArgument(what=f"{what} has at most {characters_max} characters, not {len(name)}.")
