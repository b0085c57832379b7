"""Recalling and looking: what comes to mind, one memory with all that is known of it, lists, and what the view draws.

Recall asks the graph, then the reader for texts that are not at hand; it never asks the writer.
"""

from __future__ import annotations

from hippo import limits
from hippo.errors import EmbedderFailed
from hippo.interfaces.desk import Desk, within_deadline
from hippo.interfaces.view import drawing, label
from hippo.model.association import Association
from hippo.model.drawing import Drawing
from hippo.model.health import AgentFigures
from hippo.model.inspection import Inspection
from hippo.model.page import Page
from hippo.model.recollection import Answer
from hippo.model.verb import GraphView, Inspect, ListMemories, Recall
from hippo.runtime import knowing, viewing
from hippo.runtime import messages as ask

_EMPTY = "Nothing has been remembered here yet."
_WEAK = "Nothing close to this is known; these are the nearest."
_SCAN_AT_ONCE = 128


class Recalling(Desk):
    """The verbs that read memories."""

    @within_deadline
    async def recall(self, verb: Recall) -> Answer:
        """Brings to mind what a cue is associated with; without a cue lists by time."""
        now = self.clock.now_ms()
        agent, filters = self.drafting.agent(verb.agent_id), self.drafting.filters(verb, now)
        if verb.cue is None or not verb.cue.strip():
            listed = await self.graph_actor.ask(ask.Browse(
                agent=agent, filters=filters, limit=verb.k, before=None, now=now))
            results = await self.recollections(agent, listed.hits)
            return Answer(results=results, note=None if results else _EMPTY, alert=self.budget.alert)
        cue, trouble = await self.sensing.cue(verb.cue)
        recalled = await self.graph_actor.ask(ask.Bring(
            agent=agent, cue=cue, filters=filters, k=verb.k, now=now, reinforce=not verb.peek,
            rank=verb.rank, spreads=verb.spread))
        if trouble is not None and recalled.known and not recalled.hits:
            raise EmbedderFailed(why=f"{trouble.words['why']}, and no word of the cue matches")
        weak = bool(recalled.hits) and all(h.confidence < limits.confidence_weak for h in recalled.hits)
        note = _EMPTY if not recalled.known else _WEAK if weak or not recalled.hits else None
        if trouble is not None:
            note = f"{trouble.message} {note or ''}".strip()
        return Answer(results=await self.recollections(agent, recalled.hits), weak=weak,
                      degraded=trouble is not None, note=note, alert=self.budget.alert)

    @within_deadline
    async def inspect(self, verb: Inspect) -> Inspection:
        """Everything about one memory; a long text comes page by page."""
        agent = self.drafting.agent(verb.agent_id)
        found = await self.graph_actor.ask(ask.Portray(agent, verb.id, self.clock.now_ms()))
        memory = found.memory
        text = await self.text_of(agent, found)
        superseded = await self.graph_actor.ask(knowing.SupersededBy(agent, [found.ordinal]))
        earlier = sorted((hit for hit in superseded if hit.revision), key=lambda hit: hit.ordinal)
        end = min(verb.offset + verb.max_chars, len(text))
        return Inspection(
            **{name: getattr(memory, name) for name in memory.__struct_fields__ if name not in ("text", "encoding")},
            text=text[verb.offset:end], encoding=await self.reader.ask(ask.Encoding(found.place)),
            retention_now=found.retention, raw_bytes=found.raw_bytes,
            associations=[Association(other, weight) for other, weight in found.associations],
            tier_in_days=found.tier_in_days, characters=len(text), offset=verb.offset,
            next_offset=end if end < len(text) else None, original=await self._original(agent, found),
            history=tuple(await self.previews(agent, earlier)),
            replaces=tuple(hit.id for hit in superseded if not hit.revision),
            version_hash=await self.version_hash(agent, memory.entity), alert=self.budget.alert)

    @within_deadline
    async def memories(self, verb: ListMemories) -> Page:
        """Memories by time, newest first."""
        now, agent = self.clock.now_ms(), self.drafting.agent(verb.agent_id)
        filters = self.drafting.filters(verb, now)
        if verb.contains is None:
            listed = await self.graph_actor.ask(ask.Browse(
                agent=agent, filters=filters, limit=verb.limit, before=verb.before, now=now))
            found = await self.recollections(agent, listed.hits)
            return Page(memories=found, next=found[-1].id if listed.more else None, alert=self.budget.alert)
        wanted, found, before, more = self.sensing.fold(verb.contains), [], verb.before, True
        while more and len(found) <= verb.limit:
            listed = await self.graph_actor.ask(ask.Browse(
                agent=agent, filters=filters, limit=_SCAN_AT_ONCE, before=before, now=now))
            found += [r for r in await self.recollections(agent, listed.hits, keep=False)
                      if wanted in self.sensing.fold(r.text)]
            more, before = listed.more, listed.hits[-1].id if listed.hits else before
        page = found[:verb.limit]
        return Page(memories=page, next=page[-1].id if page and (len(found) > verb.limit) else None,
                    alert=self.budget.alert)

    @within_deadline
    async def agents(self) -> list[AgentFigures]:
        """Every agent and how many memories it has."""
        census = await self.graph_actor.ask(ask.Count())
        return [AgentFigures(agent_id=name, memories=count) for name, count in sorted(census.agents.items())]

    @within_deadline
    async def graph(self, verb: GraphView) -> Drawing:
        """What the brain view draws."""
        agent = self.drafting.agent(verb.agent_id)
        drawn = await self.graph_actor.ask(viewing.Draw(agent, verb.limit, self.clock.now_ms()))
        if drawn is None:
            return Drawing(nodes=[], edges=[], folded=0, schemas=[])
        labels: list[str] = []
        for start in range(0, len(drawn.spots), limits.labels_at_once):
            texts = await self.texts(agent, drawn.spots[start:start + limits.labels_at_once])
            labels += [label(text) if isinstance(text, str) else "" for text in texts]
        return await self.sensing.aside(drawing, drawn, labels, self.seed)

    async def _original(self, agent: str, found: ask.Portrait) -> str | None:
        if found.memory.lossless:
            return None
        kept = (await self.writer.ask(ask.Weigh())).originals(agent)
        return await self.reader.ask(ask.Original(sorted(kept), found.ordinal)) if kept else None

