"""Loading: an export of hippo comes back with all that is known of each memory.

1. Where the store has the export's seed, or none of its memories was ever named, they keep their ids; else they get new
   ones, everywhere they are named.
2. What is there already is not taken twice, and stays as it is (`arrival.py`).
3. Memories come some at a time, each time with what is known of them, so that nothing is linked or judged anew.
4. From when their ordinals are chosen until they are stored nobody else stores anything (`door.py`), so that none is
   given twice and those of an agent ascend.
5. How close an abridged text is to what was said is kept by packs alone, so these are written in the end, also where
   loading is cut short. Memories get their schemas after that: so it abridges nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, TypeVar

import numpy as np
import trio

from hippo import limits
from hippo.codec.identity import ordinal_of
from hippo.codec.record import text_tag
from hippo.errors import HippoError, InvalidArgument, TooManyBlocks
from hippo.interfaces.arrival import Arrival, Here, arriving, fidelity_marks, here, known_of, wording_of
from hippo.interfaces.blocks import BLOCK
from hippo.interfaces.desk import Desk
from hippo.interfaces.door import Door
from hippo.interfaces.imports.results import Tally
from hippo.interfaces.imports.rows import BlockRow, MemoryRow, MessageRow, RelationRow, Row
from hippo.interfaces.turns import part
from hippo.mind.entities import RELATION, relation_key
from hippo.mind.forgetting import first_stability
from hippo.mind.graph import REVISIONS
from hippo.model.change import Change, Marked, Noted, Remembered
from hippo.model.dump import AgentDump, Dump, MemoryDump, MessageDump
from hippo.model.imported import ImportResult, Outcome, RowResult
from hippo.model.memory import Draft, log_of
from hippo.model.verb import Remember
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Address

T = TypeVar("T")
Progress = Callable[[int], None]

_DRAFT = tuple(name for name in Draft.__struct_fields__ if name not in ("text", "agent_id"))
_DUMPED = tuple(name for name in MemoryDump.__struct_fields__ if name not in ("text", "revision"))
_MEMORY, _MESSAGE = MemoryRow("", Remember(text="-")), MessageRow("", "", "", "", None, "")  # of a kind, to be counted


class Loading(Desk):
    """What takes exports of hippo in, and reads what they hold."""

    def __init__(self, *, writer: Address, **others: Any) -> None:
        super().__init__(writer=Door(writer), **others)

    async def dumped(self, agent: str) -> AsyncIterator[MemoryDump]:
        """The memories of an agent, or the messages of a log, in the order of their making.

        What is damaged is left out: it is named by `hippo check`, and cannot be carried.
        """
        async for pages in self._chapters(agent):
            hits = await self.graph_actor.ask(knowing.Hits(agent, [page.ordinal for page in pages]))
            texts = dict(zip((hit.ordinal for hit in hits), await self.texts(agent, hits), strict=True))
            for page in pages:
                text = texts.get(page.ordinal)
                if isinstance(text, str):
                    yield _dumped(page, text)

    async def load(self, dump: Dump, agent: str | None, *, dry_run: bool, progress: Progress | None) -> ImportResult:
        """Takes over an export.

        Args:
            agent: who gets what the export's only agent knows, or who alone gets what it knew; None: every agent.
            progress: called with how many more memories and messages are done.

        Raises:
            InvalidArgument: the agent is none of several.
        """
        tally, stopped, arrivals = Tally(), None, dict[str, Arrival]()
        agents = _chosen(dump.agents, agent)
        lossy = not dry_run and any(memory.fidelity is not None for one in agents.values() for memory in one.memories)
        try:
            if not dry_run:
                await self._adopt(dump.seed)
            for name, one in agents.items():
                arrival = arrivals[name] = await self._arriving(dump, name, one)
                await self._load_agent(dump, name, one, arrival, tally, dry_run=dry_run, progress=progress)
            if lossy:
                await self.sleeper.ask(carrying.Seal())
            for name, arrival in arrivals.items() if not dry_run else ():
                await self._give_schemas(name, arrival)
        except HippoError as error:  # the disk is full, or the daemon goes: what is stored stays
            stopped = error
        except trio.Cancelled:
            if lossy:
                with suppress(HippoError), trio.move_on_after(limits.import_seal_seconds, shield=True):
                    await self.sleeper.ask(carrying.Seal())
            raise
        return tally.result("hippo", dry_run=dry_run, stopped=stopped)

    async def next_ordinal(self) -> int:
        """The first ordinal that was never used."""
        return (await self.writer.ask(ask.Weigh())).next_ordinal

    # What is there

    async def _chapters(self, agent: str) -> AsyncIterator[list[carrying.Page]]:
        after = -1
        while pages := await self.graph_actor.ask(carrying.Chapter(agent, after, limits.chapter_memories)):
            after = pages[-1].ordinal
            yield pages

    async def _here(self, agent: str) -> list[Here]:
        return [here(page) async for pages in self._chapters(agent) for page in pages]

    async def _arriving(self, dump: Dump, agent: str, one: AgentDump) -> Arrival:
        memories, messages = await self._here(agent), await self._here(log_of(agent))
        return await self.sensing.aside(
            arriving, one, memories, messages, dump.seed if dump.seed == self.seed else None)

    # What comes

    async def _adopt(self, seed: int) -> None:
        if seed != self.seed and await self.sleeper.ask(carrying.Adopt(seed)):
            self.seed = seed
            await self.reader.ask(carrying.Adopt(seed))

    async def _load_agent(self, dump: Dump, agent: str, one: AgentDump, arrival: Arrival, tally: Tally, *,
                          dry_run: bool, progress: Progress | None) -> None:
        for memories in _some(one.memories):
            fresh = [memory for memory in memories if memory.id not in arrival.known]
            if fresh and not dry_run:
                await self._load_memories(dump, agent, arrival, fresh)
            for memory in memories:
                self._tell(tally, _MEMORY, memory.id, arrival.known, arrival.placed, dry_run=dry_run)
            await _go_on(len(memories), progress)
        for outdated in _some(arrival.outdated) if not dry_run else ():
            await self._record([Marked(agent, [older for older, _ in outdated], {
                "superseded_by": [other + 1 for _, other in outdated]})])
        for faded in _some(arrival.faded) if not dry_run else ():
            await self._record([Marked(agent, [ordinal for ordinal, _ in faded], fidelity_marks(
                [steps for _, steps in faded]))])
        await self._load_notes(agent, one, tally, dry_run=dry_run)
        placed = dict(arrival.logged)
        for messages in _some(one.messages):
            new = [message for message in messages if message.id not in arrival.logged]
            if new and not dry_run:
                placed |= await self._load_messages(dump, log_of(agent), new)
            for message in messages:
                self._tell(tally, _MESSAGE, message.id, arrival.logged, placed, dry_run=dry_run)
            await _go_on(len(messages), progress)

    def _tell(self, tally: Tally, row: Row, where: str, known: dict[str, int], placed: dict[str, int], *,
              dry_run: bool) -> None:
        outcome: Outcome = "skipped" if where in known else "planned" if dry_run else "stored"
        tally.add(row, RowResult(where=where, outcome=outcome,
                                 id=self.id(placed[where]) if where in placed else None))

    async def _load_memories(self, dump: Dump, agent: str, arrival: Arrival, memories: Sequence[MemoryDump]) -> None:
        drafts = [Draft(text=memory.text, agent_id=agent, **{name: getattr(memory, name) for name in _DRAFT} | (
            {"conversation": REVISIONS} if memory.revision else {})) for memory in memories]
        sensed, _ = await self.sensing.memories(drafts)
        async with part(), self._alone():
            ordinals = await self._free(dump, agent, [memory.id for memory in memories])
            known = known_of(arrival, agent, memories, ordinals)
            changes: list[Change] = [
                Remembered(ordinal, draft, text_tag(draft.text), memory.last_access, wording_of(arrival, memory))
                for ordinal, draft, memory in zip(ordinals, drafts, memories, strict=True)]
            changes += known
            await self.writer.ask(carrying.Load(changes, sensed, max(ordinals[-1] + 1, self._next(dump))))

    async def _load_messages(self, dump: Dump, log: str, messages: Sequence[MessageDump]) -> dict[str, int]:
        drafts = [Draft(text=one.text, agent_id=log, kind=one.role, conversation=one.conversation, protected=True,
                        created_at=one.created_at, scope=one.part_of or "", key=one.key) for one in messages]
        sensed = await self.sensing.words(drafts)
        async with part(), self._alone():
            ordinals = await self._free(dump, log, [one.id for one in messages])
            changes: list[Change] = [
                Remembered(ordinal, draft, text_tag(draft.text), one.created_at)
                for ordinal, draft, one in zip(ordinals, drafts, messages, strict=True)]
            await self.writer.ask(carrying.Load(changes, sensed, max(ordinals[-1] + 1, self._next(dump))))
        return {one.id: ordinal for one, ordinal in zip(messages, ordinals, strict=True)}

    async def _load_notes(self, agent: str, one: AgentDump, tally: Tally, *, dry_run: bool) -> None:
        """Blocks and relations, in one write."""
        async with part(), self.changing_blocks:
            changes: list[Change] = []
            related = await self.graph_actor.ask(knowing.Notes(agent, RELATION))
            for relation in one.relations:
                fresh = (key := relation_key(*relation)) not in related
                changes += [Noted(agent, RELATION, key, "")] if fresh else []
                _tell_note(tally, RelationRow(" ".join(relation), *relation), fresh=fresh, dry_run=dry_run)
            blocks = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
            for key, text in one.blocks.items():
                fresh, refused = blocks.get(key) != text, None
                if key not in blocks and len(blocks) >= limits.blocks_max:
                    refused = TooManyBlocks(count=len(blocks), limit=limits.blocks_max).message
                elif fresh:
                    blocks[key] = text
                    changes.append(Noted(agent, BLOCK, key, text))
                _tell_note(tally, BlockRow(f"block {key}", key, text), fresh=fresh, dry_run=dry_run, refused=refused)
            if changes and not dry_run:
                await self.writer.ask(ask.Record(changes))

    async def _give_schemas(self, agent: str, arrival: Arrival) -> None:
        known = [(ordinal, arrival.placed[schema]) for ordinal, schema in arrival.members if schema in arrival.placed]
        for some in _some(known):
            await self._record([Marked(agent, [ordinal for ordinal, _ in some], {
                "schema": [schema + 1 for _, schema in some]})])

    async def _record(self, changes: list[Change]) -> None:
        async with part():
            await self.writer.ask(ask.Record(changes))

    def _alone(self) -> AbstractAsyncContextManager[None]:
        """Until this is left nobody else stores anything (rule 4)."""
        assert isinstance(self.writer, Door)
        return self.writer.closed()

    async def _free(self, dump: Dump, agent: str, ids: Sequence[str]) -> list[int]:
        """The ordinals that some memories get (rules 1 and 4)."""
        if dump.seed == self.seed:
            wanted = [ordinal_of(one, dump.seed) for one in ids]
            if wanted == sorted(wanted) and not await self.graph_actor.ask(carrying.Taken(agent, wanted)):
                return wanted
        first = max(await self.next_ordinal(), self._next(dump))
        return list(range(first, first + len(ids)))

    def _next(self, dump: Dump) -> int:
        """The first ordinal that may be used after the export's, where it names memories as this store does."""
        return dump.next_ordinal if dump.seed == self.seed else 0


def _dumped(page: carrying.Page, text: str) -> MemoryDump:
    """A memory as an export has it: what is known of it as exactly as the index keeps it, so that a restart, which
    rounds the rest off, changes no export."""
    memory, first = page.memory, first_stability(page.memory.salience)
    facts = {name: getattr(memory, name) for name in _DUMPED} | {
        # Whose salience was raised is held as well as one that had it from the beginning, here or where it is loaded.
        "stability": _rounded(max(memory.stability, first), first),
        "intensity": _rounded(memory.intensity, memory.salience)}
    return MemoryDump(text=text, revision=page.revision, **facts | ({"conversation": None} if page.revision else {}))


def _rounded(held: float, first: float) -> float:
    """A float with the bits that the index keeps: all of them while it is what it was at first."""
    exact = np.float32(held)
    if exact != np.float32(first):
        exact = (exact.view(np.uint32) >> limits.float_grid_bits << limits.float_grid_bits).view(np.float32)
    return shortest(exact)


def shortest(number: float | np.float32) -> float:
    """A number of single precision with no more digits than it takes to say which: 0.3, not 0.30000001192092896."""
    return float(str(np.float32(number)))


def _chosen(agents: dict[str, AgentDump], agent: str | None) -> dict[str, AgentDump]:
    if agent is None:
        return agents
    if agent in agents:
        return {agent: agents[agent]}
    if len(agents) > 1:
        raise InvalidArgument(what=f"The export holds what several agents know, and {agent} is none of them: "
                                   f"{', '.join(agents)}.")
    return {agent: next(iter(agents.values()), AgentDump())}


def _some(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), limits.load_memories):
        yield rows[start:start + limits.load_memories]


async def _go_on(count: int, progress: Progress | None) -> None:
    if progress is not None:
        progress(count)
    await trio.lowlevel.checkpoint()  # where nothing is stored, nothing else would give way


def _tell_note(tally: Tally, row: BlockRow | RelationRow, *, fresh: bool, dry_run: bool,
               refused: str | None = None) -> None:
    outcome: Outcome = "failed" if refused else "skipped" if not fresh else "planned" if dry_run else "stored"
    tally.add(row, RowResult(where=row.where, outcome=outcome, why=refused))
