"""Loading: an export of hippo comes back with all that is known of each memory.

1. Where the store has the export's seed, or none of its memories was ever named, they keep their ids; else they get new
   ones, everywhere they are named.
2. What is there already is not taken twice: a text of the same scope and entity is the memory that says it.
3. Memories come some at a time, each time with what is known of them and their associations to earlier ones, so that
   nothing is linked or judged anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from hippo import limits
from hippo.codec.identity import ordinal_of
from hippo.codec.record import text_tag
from hippo.interfaces.blocks import BLOCK
from hippo.interfaces.desk import Desk
from hippo.interfaces.imports.results import ImportResult, RowResult, Tally
from hippo.interfaces.imports.rows import MemoryRow, MessageRow, Row
from hippo.mind.entities import RELATION, relation_key
from hippo.mind.graph import PROTECTED, REVISION, REVISIONS, SCHEMA_HOLD
from hippo.mind.tiering import TIERS
from hippo.model.change import Change, Marked, Noted, Remembered, Touched
from hippo.model.dump import AgentDump, Dump, MemoryDump, MessageDump
from hippo.model.memory import Draft, log_of
from hippo.model.verb import Remember
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask
from hippo.text.fidelity import to_steps

_DRAFT = tuple(name for name in Draft.__struct_fields__ if name not in ("text", "agent_id"))
_DUMPED = tuple(name for name in MemoryDump.__struct_fields__ if name not in ("text", "revision"))


class Loading(Desk):
    """What takes exports of hippo in, and reads what they hold."""

    async def dumped(self, agent: str) -> AsyncIterator[MemoryDump]:
        """The memories of an agent, or the messages of a log, in the order of their making.

        What is damaged is left out: it is named by `hippo check`, and cannot be carried.
        """
        after = -1
        while pages := await self.graph_actor.ask(carrying.Chapter(agent, after, limits.chapter_memories)):
            after = pages[-1].ordinal
            hits = await self.graph_actor.ask(knowing.Hits(agent, [page.ordinal for page in pages]))
            texts = dict(zip((hit.ordinal for hit in hits), await self.texts(agent, hits), strict=True))
            for page in pages:
                text = texts.get(page.ordinal)
                if isinstance(text, str):
                    facts = {name: getattr(page.memory, name) for name in _DUMPED}
                    yield MemoryDump(text=text, revision=page.revision, **facts | (
                        {"conversation": None} if page.revision else {}))

    async def load(self, dump: Dump, agent: str | None, *, dry_run: bool,
                   progress: Callable[[int], None] | None) -> ImportResult:
        """Takes over an export.

        Args:
            agent: who gets what the export's only agent knows; None: every agent what it knew.
            progress: called with how many more memories are done.
        """
        tally = Tally()
        agents = dump.agents
        if agent is not None and len(agents) == 1:
            agents = {agent: next(iter(agents.values()))}
        if not dry_run and dump.seed != self.seed and await self.sleeper.ask(carrying.Adopt(dump.seed)):
            self.seed = dump.seed
            await self.reader.ask(carrying.Adopt(dump.seed))
        for name, one in agents.items():
            await self._load_agent(dump, name, one, tally, dry_run=dry_run, progress=progress)
        if not dry_run and any(not memory.lossless for one in agents.values() for memory in one.memories):
            await self.sleeper.ask(carrying.Seal())  # packs alone keep how close an abridged text is to what was said
        return tally.result(dry_run=dry_run, stopped=None)

    async def _load_agent(self, dump: Dump, agent: str, one: AgentDump, tally: Tally, *, dry_run: bool,
                          progress: Callable[[int], None] | None) -> None:
        log = log_of(agent)
        given = await self._given(dump, agent, [memory.id for memory in one.memories], await self._known(
            agent, one.memories))
        messages = await self._given(dump, log, [message.id for message in one.messages], await self._known_messages(
            log, one.messages))
        for memory in one.memories:
            self._tell(tally, MemoryRow(memory.id, Remember(text=memory.text)), given, dry_run=dry_run)
        for message in one.messages:
            self._tell(tally, MessageRow(message.id, "", "", "", None, ""), messages, dry_run=dry_run)
        if dry_run:
            return
        fresh = [memory for memory in one.memories if given[memory.id][1]]
        bonds = _by_later(one, given)
        for start in range(0, len(fresh), limits.load_memories):
            some = fresh[start:start + limits.load_memories]
            await self._load_some(dump, agent, some, given, bonds)
            if progress is not None:
                progress(len(some))
        notes: list[Change] = [Noted(agent, BLOCK, key, text) for key, text in one.blocks.items()]
        notes += [Noted(agent, RELATION, relation_key(*relation), "") for relation in one.relations]
        if notes:
            await self.writer.ask(ask.Record(notes))
        said = [message for message in one.messages if messages[message.id][1]]
        for start in range(0, len(said), limits.load_memories):
            await self._load_messages(dump, log, said[start:start + limits.load_memories], messages)

    def _tell(self, tally: Tally, row: Row, given: dict[str, tuple[int, bool]], *, dry_run: bool) -> None:
        ordinal, is_new = given[row.where]
        tally.add(row, RowResult(
            where=row.where, outcome="skipped" if not is_new else "planned" if dry_run else "stored",
            id=None if dry_run and is_new else self.id(ordinal)))

    async def _given(self, dump: Dump, agent: str, ids: Sequence[str],
                     known: dict[str, int]) -> dict[str, tuple[int, bool]]:
        """The ordinal of each id here, and whether that is a new one."""
        ordinals = [ordinal_of(one, dump.seed) for one in ids]
        weight = await self.writer.ask(ask.Weigh())
        keeps = not known and dump.seed == self.seed and ordinals == sorted(ordinals) and not (
            await self.graph_actor.ask(carrying.Taken(agent, ordinals)))
        if keeps:
            return {one: (ordinal, True) for one, ordinal in zip(ids, ordinals, strict=True)}
        fresh = iter(range(max(weight.next_ordinal, dump.next_ordinal if dump.seed == self.seed else 0), 1 << 62))
        return {one: (known[one], False) if one in known else (next(fresh), True) for one in ids}

    async def _known(self, agent: str, memories: Sequence[MemoryDump]) -> dict[str, int]:
        """Memories that are there already, with the ordinals they have here."""
        here: dict[tuple[str, str | None, str, bool], int] = {}
        async for memory in self.dumped(agent):
            here.setdefault(_said(memory), ordinal_of(memory.id, self.seed))
        return {memory.id: here[_said(memory)] for memory in memories if _said(memory) in here}

    async def _known_messages(self, log: str, messages: Sequence[MessageDump]) -> dict[str, int]:
        here = {memory.key: ordinal_of(memory.id, self.seed) async for memory in self.dumped(log)}
        return {message.id: here[message.key] for message in messages if message.key in here}

    async def _load_some(self, dump: Dump, agent: str, memories: Sequence[MemoryDump],
                         given: dict[str, tuple[int, bool]],
                         bonds: dict[int, list[tuple[int, float, int]]]) -> None:
        drafts = [Draft(text=memory.text, agent_id=agent, **{name: getattr(memory, name) for name in _DRAFT} | (
            {"conversation": REVISIONS} if memory.revision else {})) for memory in memories]
        sensed, _ = await self.sensing.memories(drafts)
        ordinals = [given[memory.id][0] for memory in memories]
        changes: list[Change] = [
            Remembered(ordinal, draft, text_tag(draft.text), memory.last_access)
            for ordinal, draft, memory in zip(ordinals, drafts, memories, strict=True)]
        changes.append(Marked(agent, ordinals, _marks(memories, given)))
        links = [(ordinal, *bond) for ordinal in ordinals for bond in bonds.get(ordinal, ())]
        changes.append(Touched([], [], [], [], [], [other for _, other, _, _ in links],
                               [ordinal for ordinal, *_ in links], [weight for *_, weight, _ in links],
                               [moment for *_, moment in links], {agent: ordinals[-1]}))
        await self.writer.ask(carrying.Load(changes, sensed, max(ordinals[-1] + 1, self._next(dump))))

    async def _load_messages(self, dump: Dump, log: str, messages: Sequence[MessageDump],
                             given: dict[str, tuple[int, bool]]) -> None:
        drafts = [Draft(text=one.text, agent_id=log, kind=one.role, conversation=one.conversation, protected=True,
                        created_at=one.created_at, scope=one.part_of or "", key=one.key) for one in messages]
        changes: list[Change] = [
            Remembered(given[one.id][0], draft, text_tag(draft.text), one.created_at)
            for one, draft in zip(messages, drafts, strict=True)]
        await self.writer.ask(carrying.Load(changes, await self.sensing.words(drafts), max(
            given[messages[-1].id][0] + 1, self._next(dump))))

    def _next(self, dump: Dump) -> int:
        """The first ordinal that may be used after the export's, where it names memories as this store does."""
        return dump.next_ordinal if dump.seed == self.seed else 0


def _said(memory: MemoryDump) -> tuple[str, str | None, str, bool]:
    return memory.scope, memory.entity, memory.text, memory.revision


def _by_later(one: AgentDump, given: dict[str, tuple[int, bool]]) -> dict[int, list[tuple[int, float, int]]]:
    """The associations by their later memory: the other one, the weight, and when it was set."""
    found: dict[int, list[tuple[int, float, int]]] = {}
    for first, second, weight, moment in one.associations:
        if first in given and second in given:
            low, high = sorted((given[first][0], given[second][0]))
            found.setdefault(high, []).append((low, weight, moment))
    return found


def _marks(memories: Sequence[MemoryDump], given: dict[str, tuple[int, bool]]) -> dict[str, list[float]]:
    def other(name: str | None) -> int:
        return given[name][0] + 1 if name is not None and name in given else 0

    steps = [bytes(3) if memory.fidelity is None else to_steps(memory.fidelity) for memory in memories]
    return {
        "access_count": [memory.access_count for memory in memories],
        "encounter_count": [memory.encounter_count for memory in memories],
        "intensity": [memory.intensity for memory in memories],
        "stability": [memory.stability for memory in memories],
        "tier": [TIERS.index(memory.tier) for memory in memories],
        "flags": [PROTECTED * memory.protected + SCHEMA_HOLD * memory.schema_hold + REVISION * memory.revision
                  for memory in memories],
        "superseded_by": [other(memory.superseded_by) for memory in memories],
        "schema": [other(memory.schema) for memory in memories],
        "archived_at": [memory.archived_at or 0 for memory in memories],
        "rouge_l": [step[0] for step in steps], "char_similarity": [step[1] for step in steps],
        "semantic": [step[2] for step in steps]}
