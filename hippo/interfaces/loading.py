"""Loading: an export of hippo comes back with all that is known of each memory.

1. Where the store has the export's seed, or none of its memories was ever named, they keep their ids; else they get new
   ones, everywhere they are named.
2. What is there already is not taken twice, and stays as it is: the memory of the same id, made at the same moment, or
   one that says the same of the same scope and entity. Each memory that is there stands for one of the export.
3. Memories come some at a time, each time with what is known of them, so that nothing is linked or judged anew. What
   names another memory comes with the later of the two: whenever loading ends, nothing names what is not there.
4. Some come in one turn, which is not given up in between: from when their ordinals are chosen until they are stored
   no other write begins, so that those of an agent ascend.
5. How close an abridged text is to what was said is kept by packs alone, so these are written in the end, also where
   loading is cut short. Memories get their schemas after that: it abridges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
import trio

from hippo import limits
from hippo.codec.identity import ordinal_of
from hippo.codec.record import text_tag
from hippo.errors import HippoError, InvalidArgument, TooManyBlocks
from hippo.interfaces.blocks import BLOCK
from hippo.interfaces.desk import Desk
from hippo.interfaces.imports.results import Tally
from hippo.interfaces.imports.rows import BlockRow, MemoryRow, MessageRow, RelationRow, Row
from hippo.interfaces.turns import part
from hippo.mind.entities import RELATION, relation_key
from hippo.mind.forgetting import first_stability
from hippo.mind.graph import FIDELITY, PROTECTED, REVISION, REVISIONS, SCHEMA_HOLD
from hippo.mind.tiering import TIERS
from hippo.model.change import Change, Marked, Noted, Remembered, Touched
from hippo.model.dump import AgentDump, Dump, MemoryDump, MessageDump
from hippo.model.imported import ImportResult, Outcome, RowResult
from hippo.model.memory import Draft, log_of
from hippo.model.verb import Remember
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask
from hippo.text.fidelity import to_steps

T = TypeVar("T")
Progress = Callable[[int], None]
Said = tuple[str, str | None, int, bool]  # scope, entity, checksum of the text, whether it is an earlier wording

_DRAFT = tuple(name for name in Draft.__struct_fields__ if name not in ("text", "agent_id"))
_DUMPED = tuple(name for name in MemoryDump.__struct_fields__ if name not in ("text", "revision"))
_MEMORY, _MESSAGE = MemoryRow("", Remember(text="-")), MessageRow("", "", "", "", None, "")  # of a kind, to be counted


class Here(NamedTuple):
    """A memory or a message that is there already."""

    ordinal: int
    said: Said
    key: str | None
    created_at: int
    superseded: bool


class Known(NamedTuple):
    """What of an export is there already, by id, and the associations by the later id of those that are not."""

    memories: dict[str, int]
    messages: dict[str, int]
    bonds: dict[str, list[tuple[str, float, int]]]


@dataclass
class Arrival:
    """How far the loading of one agent is. `placed`: the ordinals of the export's memories here, by id; `before`:
    those that are superseded by a memory which is still to come; `members`: what has a schema."""

    dump: Dump
    agent: str
    known: Known
    placed: dict[str, int]
    before: dict[str, list[int]] = field(default_factory=dict)
    members: list[tuple[int, str]] = field(default_factory=list)


class Loading(Desk):
    """What takes exports of hippo in, and reads what they hold."""

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
        tally, arrivals, stopped = Tally(), list[Arrival](), None
        agents = _chosen(dump.agents, agent)
        lossy = any(not memory.lossless for one in agents.values() for memory in one.memories)
        try:
            if not dry_run:
                await self._adopt(dump.seed)
            for name, one in agents.items():
                known = await self._known(dump, name, one)
                arrivals.append(Arrival(dump, name, known, dict(known.memories)))
                await self._load_agent(arrivals[-1], one, tally, dry_run=dry_run, progress=progress)
            if lossy and not dry_run:
                await self.sleeper.ask(carrying.Seal())
            for arrival in arrivals:
                await self._give_schemas(arrival)
        except HippoError as error:  # the disk is full, or the daemon goes: what is stored stays
            stopped = error
        except trio.Cancelled:
            if lossy and not dry_run:
                with trio.move_on_after(limits.import_seal_seconds, shield=True):
                    await self.sleeper.ask(carrying.Seal())
            raise
        return tally.result("hippo", dry_run=dry_run, stopped=stopped)

    async def _adopt(self, seed: int) -> None:
        if seed != self.seed and await self.sleeper.ask(carrying.Adopt(seed)):
            self.seed = seed
            await self.reader.ask(carrying.Adopt(seed))

    async def _load_agent(self, arrival: Arrival, one: AgentDump, tally: Tally, *, dry_run: bool,
                          progress: Progress | None) -> None:
        known = arrival.known
        for memories in _some(one.memories):
            fresh = [memory for memory in memories if memory.id not in known.memories]
            if fresh and not dry_run:
                await self._load_some(arrival, fresh)
            for memory in memories:
                self._tell(tally, _MEMORY, memory.id, known.memories, arrival.placed, dry_run=dry_run)
            await _go_on(len(memories), progress)
        await self._load_notes(arrival.agent, one, tally, dry_run=dry_run)
        placed = dict(known.messages)
        for messages in _some(one.messages):
            new = [message for message in messages if message.id not in known.messages]
            if new and not dry_run:
                placed |= await self._load_messages(arrival.dump, log_of(arrival.agent), new)
            for message in messages:
                self._tell(tally, _MESSAGE, message.id, known.messages, placed, dry_run=dry_run)
            await _go_on(len(messages), progress)

    def _tell(self, tally: Tally, row: Row, where: str, known: dict[str, int], placed: dict[str, int], *,
              dry_run: bool) -> None:
        outcome: Outcome = "skipped" if where in known else "planned" if dry_run else "stored"
        tally.add(row, RowResult(where=where, outcome=outcome,
                                 id=self.id(placed[where]) if where in placed else None))

    # What is there

    async def _chapters(self, agent: str) -> AsyncIterator[list[carrying.Page]]:
        after = -1
        while pages := await self.graph_actor.ask(carrying.Chapter(agent, after, limits.chapter_memories)):
            after = pages[-1].ordinal
            yield pages

    async def _here(self, agent: str) -> list[Here]:
        return [Here(page.ordinal, (page.memory.scope, page.memory.entity, page.tag, page.revision), page.memory.key,
                     page.memory.created_at, page.memory.superseded_by is not None)
                async for pages in self._chapters(agent) for page in pages]

    async def _known(self, dump: Dump, agent: str, one: AgentDump) -> Known:
        here, logged = await self._here(agent), await self._here(log_of(agent))
        return await self.sensing.aside(_known, one, here, logged, dump.seed if dump.seed == self.seed else None)

    # What comes

    async def _load_some(self, arrival: Arrival, memories: Sequence[MemoryDump]) -> None:
        agent, dump, placed = arrival.agent, arrival.dump, arrival.placed
        drafts = [Draft(text=memory.text, agent_id=agent, **{name: getattr(memory, name) for name in _DRAFT} | (
            {"conversation": REVISIONS} if memory.revision else {})) for memory in memories]
        sensed, _ = await self.sensing.memories(drafts)
        async with part():
            ordinals = await self._free(dump, agent, [memory.id for memory in memories])
            placed |= {memory.id: ordinal for memory, ordinal in zip(memories, ordinals, strict=True)}
            changes: list[Change] = [
                Remembered(ordinal, draft, text_tag(draft.text), memory.last_access)
                for ordinal, draft, memory in zip(ordinals, drafts, memories, strict=True)]
            changes.append(Marked(agent, ordinals, _marks(memories, placed)))
            changes.append(_touched(arrival, memories, ordinals))
            changes += _superseding(arrival, memories, ordinals)
            await self.writer.ask(carrying.Load(changes, sensed, max(ordinals[-1] + 1, self._next(dump))))

    async def _load_messages(self, dump: Dump, log: str, messages: Sequence[MessageDump]) -> dict[str, int]:
        drafts = [Draft(text=one.text, agent_id=log, kind=one.role, conversation=one.conversation, protected=True,
                        created_at=one.created_at, scope=one.part_of or "", key=one.key) for one in messages]
        sensed = await self.sensing.words(drafts)
        async with part():
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

    async def _give_schemas(self, arrival: Arrival) -> None:
        known = [(ordinal, arrival.placed[schema]) for ordinal, schema in arrival.members if schema in arrival.placed]
        for some in _some(known):
            async with part():
                await self.writer.ask(ask.Record([Marked(arrival.agent, [ordinal for ordinal, _ in some], {
                    "schema": [schema + 1 for _, schema in some]})]))

    async def _free(self, dump: Dump, agent: str, ids: Sequence[str]) -> list[int]:
        """The ordinals that some memories get (rules 1 and 4)."""
        if dump.seed == self.seed:
            wanted = [ordinal_of(one, dump.seed) for one in ids]
            if wanted == sorted(wanted) and not await self.graph_actor.ask(carrying.Taken(agent, wanted)):
                return wanted
        first = max(await self.next_ordinal(), self._next(dump))
        return list(range(first, first + len(ids)))

    async def next_ordinal(self) -> int:
        """The first ordinal that was never used."""
        return (await self.writer.ask(ask.Weigh())).next_ordinal

    def _next(self, dump: Dump) -> int:
        """The first ordinal that may be used after the export's, where it names memories as this store does."""
        return dump.next_ordinal if dump.seed == self.seed else 0


def _dumped(page: carrying.Page, text: str) -> MemoryDump:
    """A memory as an export has it: what is known of it as exactly as the index keeps it, so that a restart, which
    rounds the rest off, changes no export."""
    memory = page.memory
    facts = {name: getattr(memory, name) for name in _DUMPED} | {
        "stability": _rounded(memory.stability, first_stability(memory.salience)),
        "intensity": _rounded(memory.intensity, memory.salience)}
    return MemoryDump(text=text, revision=page.revision, **facts | ({"conversation": None} if page.revision else {}))


def _rounded(held: float, first: float) -> float:
    """A float with the bits that the index keeps: all of them while it is what it was at first."""
    exact = np.float32(held)
    if exact == np.float32(first):
        return float(exact)
    return float((exact.view(np.uint32) >> limits.float_grid_bits << limits.float_grid_bits).view(np.float32))


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


# Before anything is stored, in a thread


def _known(one: AgentDump, here: Sequence[Here], logged: Sequence[Here], seed: int | None) -> Known:
    """What of an export is there already (rule 2). `seed`: of the export, where the store has the same."""
    memories = _matched(one.memories, here, seed)
    keys = {message.key: message.ordinal for message in logged if message.key is not None}
    messages = {message.id: keys[message.key] for message in one.messages if message.key in keys}
    return Known(memories, messages, _bonds(one, memories))


def _matched(memories: Sequence[MemoryDump], here: Sequence[Here], seed: int | None) -> dict[str, int]:
    found: dict[str, int] = {}
    by_ordinal = {one.ordinal: one for one in here}
    for memory in memories if seed is not None else ():
        one = by_ordinal.get(ordinal_of(memory.id, seed or 0))
        if one is not None and one.created_at == memory.created_at:
            found[memory.id] = one.ordinal
            del by_ordinal[one.ordinal]
    saying: dict[tuple[Said, bool], deque[int]] = {}
    for one in by_ordinal.values():
        saying.setdefault((one.said, one.superseded), deque()).append(one.ordinal)
    for alike in (True, False):  # what is superseded in both, or in neither, first
        for memory in memories:
            said = memory.scope, memory.entity, text_tag(memory.text), memory.revision
            left = saying.get((said, (memory.superseded_by is not None) == alike))
            if memory.id not in found and left:
                found[memory.id] = left.popleft()
    return found


def _bonds(one: AgentDump, known: dict[str, int]) -> dict[str, list[tuple[str, float, int]]]:
    """The associations by the end that comes last: the other end, the weight, and when it was set."""
    place = {memory.id: -1 if memory.id in known else at for at, memory in enumerate(one.memories)}
    found: dict[str, list[tuple[str, float, int]]] = {}
    for first, second, weight, moment in one.associations:
        if first in place and second in place and (place[first] >= 0 or place[second] >= 0):
            earlier, later = (first, second) if place[first] < place[second] else (second, first)
            found.setdefault(later, []).append((earlier, weight, moment))
    return found


# What is known of some memories, as changes


def _marks(memories: Sequence[MemoryDump], placed: dict[str, int]) -> dict[str, list[float]]:
    fidelity = [bytes(len(FIDELITY)) if memory.fidelity is None else to_steps(memory.fidelity) for memory in memories]
    return {
        "encounter_count": [memory.encounter_count for memory in memories],
        "tier": [TIERS.index(memory.tier) for memory in memories],
        "flags": [PROTECTED * memory.protected + SCHEMA_HOLD * memory.schema_hold + REVISION * memory.revision
                  for memory in memories],
        "superseded_by": [placed[memory.superseded_by] + 1 if memory.superseded_by in placed else 0
                          for memory in memories],
        "archived_at": [memory.archived_at or 0 for memory in memories],
        **{name: [steps[column] for steps in fidelity] for column, name in enumerate(FIDELITY)}}


def _touched(arrival: Arrival, memories: Sequence[MemoryDump], ordinals: Sequence[int]) -> Touched:
    """How well memories are held, and the associations that come with them."""
    placed, bonds = arrival.placed, arrival.known.bonds
    links = [(placed[other], ordinal, weight, moment) for memory, ordinal in zip(memories, ordinals, strict=True)
             for other, weight, moment in bonds.get(memory.id, ())]
    return Touched(
        ordinals=list(ordinals), last_access=[memory.last_access for memory in memories],
        access_count=[memory.access_count for memory in memories], stability=[memory.stability for memory in memories],
        intensity=[memory.intensity for memory in memories],
        edge_from=[one for one, *_ in links], edge_to=[other for _, other, *_ in links],
        edge_weight=[weight for *_, weight, _ in links], edge_set_at=[moment for *_, moment in links],
        linked_through={arrival.agent: ordinals[-1]})


def _superseding(arrival: Arrival, memories: Sequence[MemoryDump], ordinals: Sequence[int]) -> list[Change]:
    """What came earlier and is superseded by some memories; what these are to later ones is noted down (rule 3)."""
    for memory, ordinal in zip(memories, ordinals, strict=True):
        if memory.superseded_by is not None and memory.superseded_by not in arrival.placed:
            arrival.before.setdefault(memory.superseded_by, []).append(ordinal)
        if memory.schema is not None:
            arrival.members.append((ordinal, memory.schema))
    pairs = [(older, ordinal) for memory, ordinal in zip(memories, ordinals, strict=True)
             for older in arrival.before.pop(memory.id, ())]
    return [Marked(arrival.agent, [older for older, _ in pairs], {
        "superseded_by": [ordinal + 1 for _, ordinal in pairs]})] if pairs else []
