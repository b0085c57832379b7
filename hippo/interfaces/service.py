"""Every verb, once: MCP tools, REST routes, commands and the library all call these.

1. What comes in is checked here, and only here; what is wrong is a `HippoError` that says what to do.
2. Texts are embedded in the caller's task, so that a slow embedder delays nobody else.
3. Recall asks the graph, then the reader; it never asks the writer.
4. Every verb has a deadline, counted from when its call came; over it the answer is `Busy`.
5. A text that was said or read lately is at hand (`recent.py`): recall then asks the graph alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec
import trio

from hippo import __version__, limits
from hippo.codec.identity import id_of
from hippo.codec.record import text_tag
from hippo.errors import Busy, HippoError, NotAllowedHere, NothingKept, Relocated
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.recent import RecentTexts
from hippo.interfaces.sensing import Sensing
from hippo.interfaces.turns import away, came
from hippo.mind.figures import stored
from hippo.model.association import Association
from hippo.model.health import AgentFigures, Health
from hippo.model.inspection import Inspection
from hippo.model.memory import Draft
from hippo.model.page import Page
from hippo.model.recollection import Answer, Recollection, Why
from hippo.model.report import Report, Stats
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from hippo.model.verb import (
    GraphView,
    Inspect,
    ListMemories,
    MemoryStats,
    Preview,
    Recall,
    Remember,
    Restore,
    Sleep,
    TimeSkip,
)
from hippo.runtime import messages as ask
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import Address

P = ParamSpec("P")
R = TypeVar("R")

_EMPTY = "Nothing has been remembered here yet."
_WEAK = "Nothing close to this is known; these are the nearest."
_LABEL_CHARACTERS = 80
_SCAN_AT_ONCE = 128


def within_deadline(verb: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Rule 4, for the verbs that answer at once."""
    @wraps(verb)
    async def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with trio.fail_at(came() + limits.ask_seconds):
                return await verb(*args, **kwargs)
        except trio.TooSlowError:
            raise Busy(seconds=limits.ask_seconds) from None
    return bounded


class Service:
    """The verbs of one daemon.

    Args:
        seed: of the store, to name memories. clock: the daemon's. embedder: its name, for the figures.
        drafting: checks what comes in. sensing: embeds and analyses texts. budget: what the store may take.
        may_skip: whether `timeskip` is allowed. Then the addresses of the actors it asks.
    """

    def __init__(self, *, seed: int, clock: Clock, drafting: Drafting, sensing: Sensing, budget: Budget,
                 may_skip: bool, writer: Address, graph: Address, reader: Address, sleeper: Address,
                 broadcaster: Address) -> None:
        self._seed, self._clock, self._may_skip = seed, clock, may_skip
        self._drafting, self._sensing, self._budget = drafting, sensing, budget
        self._writer, self._graph, self._reader = writer, graph, reader
        self._sleeper, self._broadcaster = sleeper, broadcaster
        self._recent = RecentTexts()
        self._started = trio.current_time()

    def close(self) -> None:
        """Asks no more: the actors end one after the other."""
        for address in (self._sleeper, self._writer, self._graph, self._reader, self._broadcaster):
            address.close()

    # Remember

    @within_deadline
    async def remember(self, rows: Sequence[Remember]) -> list[Stored | HippoError]:
        """Stores memories in order, each on its own: one that is refused does not keep the others back.

        Returns:
            For each row what was stored, durable and recallable, or why not.
        """
        drafts: list[tuple[Draft, str | None] | HippoError] = []
        for row in rows:
            try:
                drafts.append(self._drafting.draft(row, self._clock.now_ms()))
            except HippoError as error:
                drafts.append(error)
        good = [draft for draft in drafts if not isinstance(draft, HippoError)]
        sensed, trouble = await self._sensing.memories([draft for draft, _ in good])
        kept: list[int | HippoError] = []
        if good:
            async with away():
                kept = await self._writer.ask(ask.Store(
                    [(draft, sense) for (draft, _), sense in zip(good, sensed, strict=True)]))
        ordinals = iter(kept)
        answers: list[Stored | HippoError] = []
        for entry in drafts:
            if isinstance(entry, HippoError):
                answers.append(entry)
                continue
            ordinal = next(ordinals)
            draft, note = entry
            if isinstance(ordinal, int):
                self._recent.keep(ordinal, text_tag(draft.text), draft.text)
            answers.append(ordinal if isinstance(ordinal, HippoError) else Stored(
                id=id_of(ordinal, self._seed), entity=draft.entity, alert=self._budget.alert,
                note=" ".join(part for part in (note, trouble) if part) or None))
        return answers

    async def remember_one(self, row: Remember) -> Stored:
        """Stores one memory.

        Raises:
            HippoError: why it was refused.
        """
        answer = (await self.remember([row]))[0]
        if isinstance(answer, HippoError):
            raise answer
        return answer

    # Recall

    @within_deadline
    async def recall(self, verb: Recall) -> Answer:
        """Brings to mind what a cue is associated with; without a cue lists by time."""
        now = self._clock.now_ms()
        agent, filters = self._drafting.agent(verb.agent_id), self._drafting.filters(verb, now)
        if verb.cue is None or not verb.cue.strip():
            listed = await self._graph.ask(ask.Browse(
                agent=agent, filters=filters, limit=verb.k, before=None, now=now))
            results = await self._recollections(agent, listed.hits)
            return Answer(results=results, note=None if results else _EMPTY, alert=self._budget.alert)
        cue, trouble = await self._sensing.cue(verb.cue)
        recalled = await self._graph.ask(ask.Bring(
            agent=agent, cue=cue, filters=filters, k=verb.k, now=now, reinforce=not verb.peek))
        if trouble is not None and recalled.known and not recalled.hits:
            raise trouble
        weak = bool(recalled.hits) and all(h.confidence < limits.confidence_weak for h in recalled.hits)
        note = _EMPTY if not recalled.known else _WEAK if weak or not recalled.hits else None
        if trouble is not None:
            note = f"{trouble.message} {note or ''}".strip()
        return Answer(results=await self._recollections(agent, recalled.hits), weak=weak,
                      degraded=trouble is not None, note=note, alert=self._budget.alert)

    async def _texts(self, agent: str, hits: Sequence[ask.Hit]) -> list[str | HippoError]:
        """The texts of some memories, from what is at hand or else from where they lie."""
        texts: list[str | HippoError | None] = [self._recent.get(hit.ordinal, hit.tag) for hit in hits]
        missing = [hit for hit, text in zip(hits, texts, strict=True) if text is None]
        if not missing:
            return texts  # type: ignore[return-value]
        read = iter(await self._read(agent, missing))
        return [next(read) if text is None else text for text in texts]

    async def _read(self, agent: str, hits: Sequence[ask.Hit]) -> list[str | HippoError]:
        """The texts of some memories; one that moved meanwhile is looked for where it is now."""
        wanted = [(hit.place, hit.ordinal, hit.tag) for hit in hits]
        for _ in range(3):
            try:
                return await self._reader.ask(ask.Read(wanted))
            except Relocated:
                places = await self._graph.ask(ask.Locate(agent, [hit.ordinal for hit in hits]))
                wanted = [(place, hit.ordinal, tag) for (place, tag), hit in zip(places, hits, strict=True)]
        return await self._reader.ask(ask.Read(wanted))

    async def _recollections(self, agent: str, hits: Sequence[ask.Hit], *, keep: bool = True) -> list[Recollection]:
        texts = await self._texts(agent, hits)
        for hit, text in zip(hits, texts, strict=True):
            if keep and isinstance(text, str):
                self._recent.keep(hit.ordinal, hit.tag, text)
        return [_recollection(hit, text if isinstance(text, str) else f"[{text.message}]")
                for hit, text in zip(hits, texts, strict=True)]

    # Looking

    @within_deadline
    async def inspect(self, verb: Inspect) -> Inspection:
        """Everything about one memory; a long text comes page by page."""
        agent = self._drafting.agent(verb.agent_id)
        found = await self._graph.ask(ask.Portray(agent, verb.id, self._clock.now_ms()))
        memory = found.memory
        text = await self._text_of(agent, found)
        end = min(verb.offset + verb.max_chars, len(text))
        return Inspection(
            **{name: getattr(memory, name) for name in memory.__struct_fields__ if name not in ("text", "encoding")},
            text=text[verb.offset:end], encoding=await self._reader.ask(ask.Encoding(found.place)),
            retention_now=found.retention, raw_bytes=found.raw_bytes,
            associations=[Association(other, weight) for other, weight in found.associations],
            tier_in_days=found.tier_in_days, characters=len(text), offset=verb.offset,
            next_offset=end if end < len(text) else None, original=await self._original(agent, found),
            alert=self._budget.alert)

    @within_deadline
    async def memories(self, verb: ListMemories) -> Page:
        """Memories by time, newest first."""
        now, agent = self._clock.now_ms(), self._drafting.agent(verb.agent_id)
        filters = self._drafting.filters(verb, now)
        if verb.contains is None:
            listed = await self._graph.ask(ask.Browse(
                agent=agent, filters=filters, limit=verb.limit, before=verb.before, now=now))
            found = await self._recollections(agent, listed.hits)
            return Page(memories=found, next=found[-1].id if listed.more else None, alert=self._budget.alert)
        wanted, found, before, more = self._sensing.fold(verb.contains), [], verb.before, True
        while more and len(found) <= verb.limit:
            listed = await self._graph.ask(ask.Browse(
                agent=agent, filters=filters, limit=_SCAN_AT_ONCE, before=before, now=now))
            found += [r for r in await self._recollections(agent, listed.hits, keep=False)
                      if wanted in self._sensing.fold(r.text)]
            more, before = listed.more, listed.hits[-1].id if listed.hits else before
        page = found[:verb.limit]
        return Page(memories=page, next=page[-1].id if page and (len(found) > verb.limit) else None,
                    alert=self._budget.alert)

    @within_deadline
    async def agents(self) -> list[AgentFigures]:
        """Every agent and how many memories it has."""
        census = await self._graph.ask(ask.Count())
        return [AgentFigures(agent_id=name, memories=count) for name, count in sorted(census.agents.items())]

    @within_deadline
    async def graph(self, verb: GraphView) -> dict[str, Any]:
        """Nodes and edges for the brain view."""
        agent = self._drafting.agent(verb.agent_id)
        drawn = await self._graph.ask(ask.Draw(agent, verb.limit, self._clock.now_ms()))
        texts = await self._texts(agent, drawn.hits)
        labels = [text[:_LABEL_CHARACTERS] if isinstance(text, str) else "" for text in texts]
        nodes = [{"id": hit.id, "label": label, "tier": hit.tier, "salience": more["salience"],
                  "activation": more["activation"], "schema": more["schema"], "created_at": hit.created_at}
                 for hit, label, more in zip(drawn.hits, labels, drawn.more, strict=True)]
        return {"nodes": nodes, "edges": drawn.edges, "folded": drawn.folded}

    async def restore(self, verb: Restore) -> Restored:
        """Gives an abridged memory back what it said.

        Raises:
            MemoryNotFound: there is no such memory. NothingKept: its exact text is gone.
        """
        agent = self._drafting.agent(verb.agent_id)
        found = await self._graph.ask(ask.Portray(agent, verb.id, self._clock.now_ms()))
        if found.memory.lossless:
            return Restored(id=found.memory.id, action="unchanged", alert=self._budget.alert)
        text = await self._text_of(agent, found)
        if not await self._sleeper.ask(ask.Restore(agent, found.ordinal, text)):
            raise NothingKept(id=found.memory.id)
        return Restored(id=found.memory.id, action="restored", alert=self._budget.alert)

    async def _original(self, agent: str, found: ask.Portrait) -> str | None:
        if found.memory.lossless:
            return None
        kept = (await self._writer.ask(ask.Weigh())).originals(agent)
        return await self._reader.ask(ask.Original(sorted(kept), found.ordinal)) if kept else None

    async def _text_of(self, agent: str, found: ask.Portrait) -> str:
        memory = found.memory
        hit = ask.Hit(
            ordinal=found.ordinal, id=memory.id, place=found.place, tag=found.tag, activation=0, confidence=1,
            why=Why("listed"), tier=memory.tier, fidelity=memory.fidelity, created_at=memory.created_at,
            entity=memory.entity, kind=memory.kind, tags=memory.tags, scope=memory.scope,
            conversation=memory.conversation, archived_at=None, superseded_by=None)
        text = (await self._texts(agent, [hit]))[0]
        if isinstance(text, HippoError):
            raise text
        return text

    # Sleep and figures

    async def sleep(self, verb: Sleep) -> Report:
        """Runs a pass now; it takes as long as it takes."""
        return await self._sleeper.ask(ask.SleepNow(verb.depth))

    async def preview(self, verb: Preview) -> Report:
        """What a pass would do now."""
        return await self._sleeper.ask(ask.Foresee(verb.depth))

    @within_deadline
    async def report(self) -> Report | None:
        """The report of the last pass."""
        return await self._sleeper.ask(ask.LastReport())

    async def timeskip(self, verb: TimeSkip) -> Report:
        """Moves the clock on and lets the time pass.

        Raises:
            NotAllowedHere: on a real clock without demo mode.
        """
        if not self._may_skip:
            raise NotAllowedHere(what="Skipping time would age every memory for good: it needs HIPPO_DEMO=on or a "
                                      "frozen clock (HIPPO_EPOCH).")
        return await self._sleeper.ask(ask.Skip(round(verb.days * limits.ms_per_day)))

    async def stats(self, verb: MemoryStats) -> Stats:
        """The figures of the whole store; with `verify` after decoding everything."""
        verdict = await self._sleeper.ask(ask.Verify(verb.verify))
        report = await self.report()
        census = await self._graph.ask(ask.Count())
        weight = await self._writer.ask(ask.Weigh())
        sizes = weight.bytes
        return Stats(
            memories=census.memories, agents=len(census.agents), associations=census.associations,
            schemas=census.schemas, tiers=stored(census.tiers, census.by_file, weight.packs),
            raw_bytes=census.raw_bytes,
            **{name: getattr(sizes, name) for name in sizes.__struct_fields__},
            budget_bytes=self._budget.bytes_max, over_budget=self._budget.over, alert=self._budget.alert,
            unrecoverable=len(verdict.unrecoverable),
            verified_at=verdict.verified_at, embedder=self._sensing.embedder,
            last_report=None if report is None else msgspec.to_builtins(report), version=__version__,
            damage=[*weight.damage, *(f"Memory {name} cannot be reconstructed." for name in verdict.unrecoverable)])

    @within_deadline
    async def health(self) -> Health:
        """How the daemon is."""
        weight = await self._writer.ask(ask.Weigh())
        census = await self._graph.ask(ask.Count())
        return Health(status="ok" if weight.writable else "degraded", version=__version__, writable=weight.writable,
                      memories=census.memories, uptime_s=round(trio.current_time() - self._started, 1))

    # Events

    @asynccontextmanager
    async def subscribe(self, agent_id: str | None, last_event_id: int | None) -> AsyncIterator[
            trio.MemoryReceiveChannel[ask.Event]]:
        """Follows what happens to one agent, from an event on; the channel ends when the daemon stops."""
        channel = await self._broadcaster.ask(ask.Subscribe(self._drafting.agent(agent_id), last_event_id))
        async with channel:
            yield channel

    async def hush(self) -> None:
        """Ends every subscription, which is the first step of shutting down."""
        await self._broadcaster.ask(ask.Hush())


def _recollection(hit: ask.Hit, text: str) -> Recollection:
    return Recollection(
        id=hit.id, text=text, activation=hit.activation, confidence=hit.confidence, why=hit.why, tier=hit.tier,
        lossless=hit.fidelity is None, fidelity=hit.fidelity, created_at=hit.created_at, entity=hit.entity,
        kind=hit.kind, tags=hit.tags, scope=hit.scope, conversation=hit.conversation, archived_at=hit.archived_at,
        superseded_by=hit.superseded_by)
