"""Rows on their way into a store: batches, outcomes, dry runs, and what ends an import."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import structs

from hippo import limits
from hippo.errors import Busy, HippoError, InvalidArgument, SourceUnreadable
from hippo.interfaces.imports.detect import read
from hippo.interfaces.imports.rows import BadRow, BlockRow, MemoryRow, MessageRow, RelationRow, Row, SkippedRow
from hippo.interfaces.imports.running import run_import
from hippo.interfaces.service import Service
from hippo.model.imported import Outcome, RowResult
from hippo.model.stored import Stored
from hippo.model.verb import ListMemories, Remember
from tests.interfaces.serving import hippo_at

FIXTURES = Path(__file__).parent / "fixtures"


class Shelf:
    """A sink that keeps what it is given, in the order in which it is given."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.keys: dict[str, str] = {}
        self.messages: list[MessageRow] = []

    async def remember(self, memories: list[Remember]) -> Sequence[Stored | HippoError]:
        self.calls.append(("remember", len(memories)))
        answers: list[Stored | HippoError] = []
        for memory in memories:
            known = self.keys.get(memory.key or "")
            if memory.text == "refused":
                answers.append(InvalidArgument(what="It is refused."))
            elif memory.text == "unwritable":
                answers.append(Busy(seconds=1))
            else:
                self.keys[memory.key or ""] = known or f"id-{len(self.keys)}"
                answers.append(Stored(id=self.keys[memory.key or ""], action="known" if known else "stored"))
        return answers

    async def log(self, messages: list[MessageRow]) -> Sequence[Outcome | HippoError]:
        self.calls.append(("log", len(messages)))
        self.messages += messages
        return ["stored"] * len(messages)

    async def relate(self, relation: RelationRow) -> Outcome:
        self.calls.append(("relate", 1))
        if relation.target == "refused":
            raise InvalidArgument(what="It is refused.")
        if relation.target == "busy":
            raise Busy(seconds=1)
        return "stored"

    async def set_block(self, block: BlockRow) -> Outcome:
        self.calls.append(("set_block", 1))
        return "skipped"


class Into:
    """A sink over a real hippo, for memories."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def remember(self, memories: list[Remember]) -> Sequence[Stored | HippoError]:
        return await self._service.remember(memories)

    async def log(self, messages: list[MessageRow]) -> Sequence[Outcome | HippoError]:
        return ["skipped"] * len(messages)

    async def relate(self, relation: RelationRow) -> Outcome:
        return "skipped"

    async def set_block(self, block: BlockRow) -> Outcome:
        return "skipped"


def memory(number: int, text: str = "said") -> MemoryRow:
    return MemoryRow(f"line {number}", Remember(text=text, key=str(number)))


MESSAGE = MessageRow("message 1", "user", "hello", "c", None, "m")
RELATION = RelationRow("line 9", "a", "likes", "b")
BLOCK = BlockRow("block persona", "persona", "kind")


async def test_rows_go_together_and_results_are_in_their_order() -> None:
    shelf = Shelf()
    rows: list[Row] = [RELATION, memory(1), BadRow("line 2", "oops"), MESSAGE, memory(3), SkippedRow("line 4", "empty"), BLOCK]
    done = await run_import(iter(rows), shelf, "markdown", dry_run=False)
    assert shelf.calls == [("remember", 2), ("log", 1), ("relate", 1), ("set_block", 1)]
    assert [(result.where, result.outcome, result.id, result.why) for result in done.results] == [
        ("line 9", "stored", None, None), ("line 1", "stored", "id-0", None), ("line 2", "failed", None, "oops"),
        ("message 1", "stored", None, None), ("line 3", "stored", "id-1", None), ("line 4", "skipped", None, "empty"),
        ("block persona", "skipped", None, None)]
    assert done.failures == [RowResult(where="line 2", outcome="failed", why="oops")]
    assert done.outcomes == {
        "stored": 4, "strengthened": 0, "superseded": 0, "skipped": 2, "failed": 1, "planned": 0}
    assert done.kinds == {"memories": 2, "messages": 1, "relations": 1, "blocks": 1}
    assert (done.rows, done.stopped, done.dry_run) == (7, None, False)


async def test_a_dry_run_checks_everything_and_gives_the_sink_nothing() -> None:
    shelf = Shelf()
    rows: list[Row] = [
        memory(1), memory(2, " "), memory(3, "x" * 50_001), MESSAGE, structs.replace(MESSAGE, role=" "),
        structs.replace(MESSAGE, text=""), structs.replace(MESSAGE, conversation="c" * 201), RELATION,
        structs.replace(RELATION, target="b" * 201), structs.replace(RELATION, relation=""), BLOCK,
        MemoryRow("line 4", Remember(text="x", key="4", tags=["t" * 101])), BadRow("line 5", "oops")]
    planned = await run_import(iter(rows), shelf, "markdown", dry_run=True)
    assert shelf.calls == []
    assert [result.outcome for result in planned.results] == [
        "planned", "failed", "failed", "planned", "failed", "failed", "failed", "planned", "failed", "failed",
        "planned", "failed", "failed"]
    assert planned.failures[1].why == "The text has 50001 characters; a memory holds at most 50000."
    done = await run_import(iter(rows), shelf, "markdown", dry_run=False)
    assert [result.why for result in done.failures] == [result.why for result in planned.failures]


async def test_rows_are_read_in_batches_and_not_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_characters_at_once", 1_000)
    shelf = Shelf()
    threads: set[int] = set()
    steps: list[int] = []

    def rows() -> Iterator[Row]:
        for number in range(250):
            threads.add(threading.get_ident())
            yield memory(number)
        for number in range(250, 253):
            yield memory(number, "x" * 600)

    done = await run_import(rows(), shelf, "markdown", dry_run=False, progress=steps.append)
    assert [count for _, count in shelf.calls] == [100, 100, 52, 1]  # the 52 hold more than 1,000 characters
    assert steps == [100, 100, 52, 1]
    assert done.rows == 253
    assert threading.get_ident() not in threads


async def test_a_row_that_is_refused_keeps_no_other_back() -> None:
    rows: list[Row] = [memory(1, "refused"), memory(2), structs.replace(RELATION, target="refused"), RELATION]
    done = await run_import(iter(rows), Shelf(), "markdown", dry_run=False)
    assert [result.outcome for result in done.results] == ["failed", "stored", "failed", "stored"]
    assert done.stopped is None


@pytest.mark.parametrize("row", [memory(1, "unwritable"), structs.replace(RELATION, target="busy")])
async def test_what_is_not_the_rows_fault_ends_the_import(row: Row) -> None:
    shelf = Shelf()
    later = [memory(number) for number in range(500, 900)]
    done = await run_import(iter([memory(0), row, BLOCK, *later]), shelf, "markdown", dry_run=False)
    assert done.stopped is not None
    assert done.stopped["code"] == "busy"
    assert done.outcomes["failed"] == 1
    assert ("set_block", 1) not in shelf.calls
    assert len(shelf.keys) <= 100
    again = await run_import(iter([memory(0), BLOCK, *later]), shelf, "markdown", dry_run=False)
    assert again.results[0] == RowResult(where="line 0", outcome="skipped", id="id-0")
    assert len(shelf.keys) == 401


async def test_a_source_that_fails_ends_the_import_with_what_came_before() -> None:
    def rows() -> Iterator[Row]:
        yield memory(1)
        raise SourceUnreadable(source="a.json", why="it is gone")

    done = await run_import(rows(), Shelf(), "markdown", dry_run=False)
    assert done.outcomes["stored"] == 1
    assert done.stopped == {"code": "source_unreadable", "message": "a.json cannot be read: it is gone.", "hint": ""}


async def test_a_fault_in_a_reader_is_not_hidden() -> None:
    def rows() -> Iterator[Row]:
        yield memory(1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run_import(rows(), Shelf(), "markdown", dry_run=False)


async def test_only_the_first_results_are_kept_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_results_max", 3)
    monkeypatch.setattr(limits, "import_failures_max", 2)
    rows: list[Row] = [memory(number, "refused" if number % 2 else "said") for number in range(10)]
    done = await run_import(iter(rows), Shelf(), "markdown", dry_run=False)
    assert [result.where for result in done.results] == ["line 0", "line 1", "line 2"]
    assert [result.where for result in done.failures] == ["line 1", "line 3"]
    assert (done.outcomes["stored"], done.outcomes["failed"]) == (5, 5)


async def test_importing_twice_changes_nothing(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (_, service):
        counts, ids = [], []
        for _ in range(2):
            found = []
            for name in ("mcp-memory.jsonl", "basic-memory", "claude", "chatgpt"):
                done = await run_import(read(FIXTURES / name), Into(service), "markdown", dry_run=False)
                assert done.failures == []
                assert done.stopped is None
                found += [result.id for result in done.results if result.id]
            counts.append(len((await service.memories(ListMemories(limit=1000))).memories))
            ids.append(found)
        assert counts[0] == counts[1]
        assert counts[0] >= 25
        assert ids[0] == ids[1]


async def test_what_was_imported_is_recalled_with_its_time_and_entity(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (_, service):
        await run_import(read(FIXTURES / "basic-memory"), Into(service), "markdown", dry_run=False)
        page = await service.memories(ListMemories(contains="nested observation"))
        assert [(found.kind, found.created_at) for found in page.memories] == [("tip", 1709197200000)]
        found = await service.memories(ListMemories(entity="東京メモ: 会議室 🗼"))
        assert [memory.text for memory in found.memories] == ["二階の会議室は予約が必要 #会議"]
