"""The graph actor: owns every agent's columns, associations and senses, and answers what comes to mind.

1. Recall, learning and sleep's changes happen here, one request at a time, so nothing needs a lock.
2. Above `limits.scan_thread_memories` a recall is computed in a thread, for which the event loop does not wait.
3. First associations are made in pauses, and before anything looks at them: so no answer depends on timing.
4. What each agent's memories are sensed as is the sensorium's, a part of this actor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from hippo import limits
from hippo.actors import carriage, drawing, knowledge, upkeep
from hippo.actors.intake import NOWHERE
from hippo.actors.portraits import census, hit, place, portrait, who_led_here
from hippo.actors.sensorium import Sensorium, Warm
from hippo.codec.identity import id_of, ordinal_of
from hippo.embed.embedder import Embedder
from hippo.embed.senses import Scan, Senses
from hippo.errors import MemoryNotFound
from hippo.mind.activation import Likeness, Spread, unspread
from hippo.mind.brain import Brain
from hippo.mind.graph import Graph
from hippo.mind.relevance import ranked
from hippo.model.batch import Batch, Kin, Place
from hippo.model.change import Touched
from hippo.model.memory import is_log
from hippo.model.recollection import Why
from hippo.runtime import carrying, knowing, passes, viewing
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Address, Inbox, attend
from hippo.runtime.offload import Offload

_LOOKS = knowledge.LOOKS | carriage.LOOKS | upkeep.STEPS


class GraphActor:
    """What the graph actor owns.

    Args:
        brain: every agent's graph.
        embedder: for pooling and calibrating.
        warm: gives an agent's senses from its cache or its texts; it blocks, so it runs in a thread.
        offload: where blocking work runs.
        broadcaster: is told what was remembered and recalled.
    """

    def __init__(self, brain: Brain, embedder: Embedder, warm: Warm, offload: Offload, broadcaster: Address) -> None:
        self._brain = brain
        self._embedder = embedder
        self._offload = offload
        self._broadcaster = broadcaster
        self._senses = Sensorium(brain, embedder, warm, offload)
        self._plans: deque[upkeep.Plan] = deque()
        self._asked = 0
        self._pending: dict[str, None] = {agent: None for agent, graph in brain.graphs.items()
                                          if graph.linked < len(graph)}
        self._answers: dict[type[Any], Callable[[Any], Any]] = {
            ask.Teach: self._teach, passes.Erase: self._erase, knowing.Compare: self._compare,
            knowing.Resembling: self._resembling, knowing.Search: self._search,
            knowing.MayQuote: self._search,
            ask.Bring: self._bring, ask.Browse: self._browse, ask.Portray: self._portray,
            ask.Locate: self._locate, ask.Count: self._count, viewing.Draw: self._draw,
            ask.TakeTouched: self._take_touched, ask.Export: self._export, ask.ExportCaches: self._export_caches,
            passes.Fade: self._fade, passes.Kindred: self._kindred, passes.Shelve: self._shelve,
            passes.NextBatch: self._next_batch, passes.Settle: self._settle_texts, passes.Resense: self._senses.resense,
            passes.Blank: self._senses.blank, passes.Give: self._give,
            carrying.Vectors: self._vectors_of, carrying.Adopt: self._adopt}

    async def run(self, inbox: Inbox) -> None:
        """Serves until every address is closed."""
        await attend(inbox, self._answer, self._broadcaster, between=self._between)

    async def _answer(self, request: Any) -> Any:
        if isinstance(request, carrying.Bonds):
            await self._settle(request.agent)
        look = _LOOKS.get(type(request))
        if look is not None:
            return look(self._brain, request)
        return await self._answers[type(request)](request)

    # Learning

    async def _teach(self, request: ask.Teach) -> None:
        taught: list[ask.Taught] = []
        for lesson in (*request.lessons, None):  # what is new is learned together, an agent at a time
            if taught and not (isinstance(lesson, ask.Taught) and (
                    lesson.draft.agent_id == taught[0].draft.agent_id)):
                await self._learn(taught[0].draft.agent_id, taught)
                taught = []
            if isinstance(lesson, ask.Taught):
                taught.append(lesson)
            elif isinstance(lesson, ask.Retaught):
                await self._relearn(lesson)
            elif lesson is not None:
                self._brain.apply(lesson)
                if isinstance(lesson, Touched):  # of another store: its associations came with it
                    self._pending = {agent: None for agent in self._pending if not self._is_linked(agent)}

    async def _learn(self, agent: str, memories: list[ask.Taught]) -> None:
        self._asked += len(memories)
        senses = await self._senses.of(agent)
        graph = self._brain.graph(agent)
        fresh = [m for m in memories if graph.slot_of(m.ordinal) is None]
        if not fresh:
            return
        slots = [self._brain.remember(m.ordinal, m.draft, m.tag, m.last_access, m.place, m.wording_of) for m in fresh]
        self._senses.add(senses, [m.sensed for m in fresh])
        if graph.linked < len(graph):
            self._pending[agent] = None
        for slot in slots:
            self._announce("remembered", agent, hit(self._brain, agent, slot))

    def _is_linked(self, agent: str) -> bool:
        graph = self._brain.graph(agent)
        return graph.linked >= len(graph)

    async def _relearn(self, lesson: ask.Retaught) -> None:
        self._asked += 1
        agent = lesson.draft.agent_id
        senses = await self._senses.current(agent, [lesson.ordinal])
        slot = self._brain.revise(lesson.ordinal, lesson.draft, lesson.tag, lesson.place)
        if slot is not None:
            self._senses.revise(senses, slot, lesson.before, lesson.after)
            self._announce("revised", agent, hit(self._brain, agent, slot))

    async def _erase(self, request: passes.Erase) -> None:
        """Memories are no more: their rows, associations and senses, and the names that only they had."""
        if not request.ordinals:
            return  # only the disk is to lose something
        agent, graph = request.agent, self._brain.graph(request.agent)
        senses = await self._senses.current(agent, request.ordinals)
        self._plans.clear()
        found = [(slot, request.tokens.get(ordinal)) for ordinal in sorted(request.ordinals)
                 if (slot := graph.slot_of(ordinal)) is not None]
        slots = np.array([slot for slot, _ in found], np.int64)
        await self._senses.erase(agent, senses, slots, [ids for _, ids in found])
        await self._offload.over(len(graph), self._brain.forget, agent, request.ordinals)
        self._tell("forgotten", agent, {"ids": [id_of(ordinal, self._brain.seed) for ordinal in request.ordinals]})

    # Knowing

    async def _compare(self, request: knowing.Compare) -> list[knowing.Likeness]:
        senses = await self._senses.of(request.agent)
        return [knowledge.likeness(self._brain, senses, self._embedder, request.agent, new)
                for new in request.newcomers]

    async def _resembling(self, request: knowing.Resembling) -> list[ask.Hit]:
        senses = await self._senses.of(request.agent)
        return knowledge.resembling(self._brain, senses, self._embedder, request)

    async def _search(self, request: knowing.Search | knowing.MayQuote) -> Any:
        senses = await self._senses.of(request.agent)
        look: Callable[..., Any] = knowledge.search if isinstance(request, knowing.Search) else knowledge.may_quote
        return await self._offload.over(len(senses), look, self._brain, senses, request)

    def _announce(self, name: str, agent: str, memory: ask.Hit) -> None:
        self._tell(name, agent, {
            "id": memory.id, "tier": memory.tier, "kind": memory.kind, "created_at": memory.created_at})

    def _tell(self, name: str, agent: str, facts: dict[str, Any]) -> None:
        if not is_log(agent):
            self._broadcaster.tell_nowait(ask.Announce(name, agent, facts))

    async def _between(self, waiting: int) -> bool:
        """Makes first associations in pauses; True while some are left and nothing waits."""
        if waiting or not self._pending:
            return False
        agent = next(iter(self._pending))
        await self._link(agent, limits.link_stride_memories)
        return bool(self._pending)

    async def _settle(self, agent: str) -> None:
        while agent in self._pending:
            await self._link(agent, limits.link_settle_memories)

    async def _settle_all(self) -> None:
        for agent in list(self._pending):
            await self._settle(agent)

    async def _link(self, agent: str, count: int) -> None:
        graph = self._brain.graph(agent)
        await self._associate(agent, list(range(graph.linked, min(graph.linked + count, len(graph)))))
        if graph.linked >= len(graph):
            self._pending.pop(agent, None)

    async def _associate(self, agent: str, slots: list[int]) -> None:
        """First associations of some memories, beside those that they have."""
        graph, senses = self._brain.graph(agent), await self._senses.of(agent)
        if slots:
            near = await self._offload.over(len(graph) * len(slots) // limits.search_gain, senses.nearest, slots,
                                            limits.first_associations_max, limits.related)
            for slot, similar in zip(slots, near, strict=True):
                graph.link(slot, [(other, limits.similar_weight * alike) for other, alike in similar])

    async def _vectors_of(self, request: carrying.Vectors) -> carrying.Matrix:
        senses = await self._senses.of(request.agent)
        found: carrying.Matrix = await self._offload.over(len(senses), carriage.matrix, self._brain, senses, request)
        return found

    async def _adopt(self, request: carrying.Adopt) -> bool:
        self._brain.seed = request.seed
        return True

    # Recalling

    async def _bring(self, request: ask.Bring) -> ask.Recalled:
        self._asked += 1
        graph = self._brain.graphs.get(request.agent)
        if graph is None or not len(graph):
            return ask.Recalled([], 0)
        senses = await self._senses.of(request.agent)
        await self._settle(request.agent)
        spread, scan, likeness = await self._offload.over(len(graph), self._come_to_mind, graph, senses, request)
        slots, level = spread.memories[:request.k], spread.activation[:request.k]
        alike = self._embedder.calibrate(scan.cosine[slots])
        above = (alike - limits.related) / (1.0 - limits.related)
        sure = np.maximum(above, scan.share[slots]).clip(0.0, 1.0)
        hits = []
        for slot, activation, confidence in zip(slots.tolist(), level.tolist(), sure.tolist(), strict=True):
            path = tuple(who_led_here(self._brain, graph, slot, spread))
            hits.append(hit(self._brain, request.agent, slot, activation=activation, confidence=confidence,
                            why=_why(slot, path, spread, likeness)))
        if request.reinforce and len(slots):
            graph.reinforce(slots.astype(np.int64), level, request.now)
        if hits:
            self._tell("recalled", request.agent, {
                "hits": [{"id": h.id, "activation": round(h.activation, 4), "why": h.why.kind,
                          "path": list(h.why.path)} for h in hits], "learned": request.reinforce})
        return ask.Recalled(hits, len(graph))

    def _come_to_mind(self, graph: Graph, senses: Senses, request: ask.Bring) -> tuple[Spread, Scan, Likeness]:
        allowed = graph.allowed(request.filters)
        cue = request.cue
        scan = senses.scan(cue.vector, cue.tokens, cue.terms)
        likeness = graph.likeness(scan.lexical, scan.cosine, allowed)
        if request.rank == "composite":
            best = ranked(graph.rows, self._embedder.calibrate(scan.cosine), allowed, request.now)
            return unspread(*best), scan, likeness
        return graph.bring(likeness, allowed, request.now, relations=self._brain.relations(request.agent),
                           spreads=request.spreads), scan, likeness

    async def _browse(self, request: ask.Browse) -> ask.Listed:
        graph = self._brain.graphs.get(request.agent)
        if graph is None or not len(graph):
            if request.before:
                raise MemoryNotFound(id=request.before, agent_id=request.agent)
            return ask.Listed([], False)
        allowed = graph.allowed(request.filters)
        slots = np.arange(len(graph)) if allowed is None else np.flatnonzero(allowed)
        created = graph.rows["created_at"]
        slots = slots[np.lexsort((-slots, -created[slots]))]
        if request.before is not None:
            last = self._slot(request.agent, request.before)
            older = (created[slots] < created[last]) | ((created[slots] == created[last]) & (slots < last))
            slots = slots[older]
        page = slots[:request.limit].tolist()
        return ask.Listed([hit(self._brain, request.agent, slot) for slot in page],
                          len(slots) > len(page))

    def _slot(self, agent: str, name: str) -> int:
        try:
            ordinal = ordinal_of(name, self._brain.seed)
        except ValueError:  # it is no id at all
            raise MemoryNotFound(id=name, agent_id=agent) from None
        graph = self._brain.graphs.get(agent)
        slot = None if graph is None else graph.slot_of(ordinal)
        if slot is None:
            raise MemoryNotFound(id=name, agent_id=agent)
        return slot

    async def _portray(self, request: ask.Portray) -> ask.Portrait:
        slot = self._slot(request.agent, request.id)
        await self._settle(request.agent)
        return portrait(self._brain, request.agent, slot, request.now)

    async def _locate(self, request: ask.Locate) -> list[tuple[Place, int]]:
        graph = self._brain.graph(request.agent)
        slots = [graph.slot_of(ordinal) for ordinal in request.ordinals]
        return [(NOWHERE, 0) if s is None else (place(graph, s), int(graph.rows["tag"][s])) for s in slots]

    async def _count(self, request: ask.Count) -> ask.Census:
        return census(self._brain, request.dry)

    async def _draw(self, request: viewing.Draw) -> Any:
        await self._settle(request.agent)
        graph = self._brain.graphs.get(request.agent)
        return await self._offload.over(len(graph), drawing.draw, self._brain, request) if graph else None

    # Sleep and the journal

    async def _take_touched(self, request: ask.TakeTouched) -> ask.Touches:
        await self._settle_all()
        changes, more = self._brain.take_touched()
        return ask.Touches(changes, self._asked, more)

    async def _fade(self, request: passes.Fade) -> tuple[int, int]:
        await self._settle_all()
        decayed = pruned = 0
        for graph in self._brain.graphs.values():
            some = await self._offload.over(len(graph), graph.fade, request.now)
            decayed, pruned = decayed + some[0], pruned + some[1]
        return decayed, pruned

    async def _kindred(self, request: passes.Kindred) -> Kin | None:
        await self._settle_all()
        return upkeep.kindred(self._brain, request.seen, request.until, request.turn)

    async def _shelve(self, request: passes.Shelve) -> int:
        self._plans = deque(upkeep.plan(
            self._brain, request.packs, request.outdated, request.segments_before, request.dry))
        return len(self._plans)

    async def _next_batch(self, request: passes.NextBatch) -> Batch | None:
        return upkeep.batch(self._brain, self._plans.popleft()) if self._plans else None

    async def _settle_texts(self, request: passes.Settle) -> None:
        upkeep.settle(self._brain, request)
        self._senses.outdate(request.agent, request.abridged.tolist())

    async def _give(self, request: passes.Give) -> None:
        await self._settle(request.agent)
        await self._associate(request.agent, await self._senses.give(request))

    async def _export(self, request: ask.Export) -> Any:
        memories = sum(len(graph) for graph in self._brain.graphs.values())
        return await self._offload.over(memories, self._brain.export, request.covers, request.state)

    async def _export_caches(self, request: ask.ExportCaches) -> dict[str, bytes]:
        return await self._senses.caches(all_of_them=request.all)


def _why(slot: int, path: tuple[str, ...], spread: Spread, likeness: Likeness) -> Why:
    """A seed is a match itself; a neighbour mostly owes its place to one; everything else was led to."""
    if len(path) > 1:
        return Why("spread", path=path)
    direct, lifted = float(likeness.direct[slot]), float(likeness.lifted[slot])
    # What its neighbours lend it is told by the kind: the number is how alike the memory itself is, 0 to 1.
    return Why("neighbour" if lifted - direct > direct else "seed", similarity=min(round(direct, 4), 1.0))
