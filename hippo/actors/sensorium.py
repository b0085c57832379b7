"""The senses of all agents, part of the graph actor: loaded on first use, kept as what the memories say.

1. Texts move on disk before the senses learn what they were abridged to: those are *outdated* until `resense`.
2. Caches hold senses only as the texts are by now: an agent's are passed over while some are outdated or partial.
3. A memory that was sensed while the embedder failed is *blank*: it has no vector until a pass gives it one. Logged
   messages have none by design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.actors.awakening import cache_name
from hippo.actors.upkeep import places
from hippo.embed.embedder import Embedder
from hippo.embed.senses import Senses, Wording
from hippo.mind.brain import Brain
from hippo.mind.graph import Graph
from hippo.model.batch import Places
from hippo.model.memory import is_log
from hippo.runtime import passes
from hippo.runtime.messages import Sensed
from hippo.runtime.offload import Offload

_NO_TOKENS = np.empty(0, np.uint16)
Warm = Callable[[str, Graph], Senses]


class Sensorium:
    """Every agent's senses.

    Args:
        brain: every agent's graph. embedder: of the store.
        warm: gives an agent's senses from its cache or its texts; it blocks, so it runs in a thread.
        offload: where blocking work runs.
    """

    def __init__(self, brain: Brain, embedder: Embedder, warm: Warm, offload: Offload) -> None:
        self._brain, self._embedder = brain, embedder
        self._warm, self._offload = warm, offload
        self._senses: dict[str, Senses] = {}
        self._outdated: dict[str, set[int]] = {}  # agent -> abridged memories that are still sensed as they were

    async def of(self, agent: str) -> Senses:
        """An agent's senses."""
        senses = self._senses.get(agent)
        if senses is None:
            graph = self._brain.graph(agent)
            senses = self._senses[agent] = (
                await self._offload.run(self._warm, agent, graph) if len(graph) else Senses(self._embedder))
        return senses

    async def current(self, agent: str, ordinals: Sequence[int]) -> Senses:
        """The senses, in which some memories are sensed as what they say: else all are made anew."""
        if not self._outdated.get(agent, set()).isdisjoint(ordinals):
            del self._senses[agent], self._outdated[agent]
        return await self.of(agent)

    def add(self, senses: Senses, some: Sequence[Sensed]) -> None:
        """New memories of an agent are sensed."""
        senses.add(self._vectors(some), [one.tokens for one in some if one.tokens is not None],
                   [one.terms for one in some])

    def revise(self, senses: Senses, slot: int, before: Sensed, after: Sensed) -> None:
        """A memory says something else now."""
        senses.replace([slot], self._vectors([after]), _wording([before]), _wording([after]))

    async def erase(self, agent: str, senses: Senses, slots: NDArray[np.int64],
                    tokens: Sequence[NDArray[Any] | None]) -> None:
        """Memories are no more."""
        known = [_NO_TOKENS if ids is None else ids for ids in tokens]
        self._senses[agent] = await self._offload.over(len(senses), senses.without, slots, known)

    # Sleep

    def outdate(self, agent: str, ordinals: Iterable[int]) -> None:
        """Memories say less by now."""
        if agent in self._senses:  # else they are made of what the texts are by now
            self._outdated.setdefault(agent, set()).update(ordinals)

    async def resense(self, request: passes.Resense) -> None:
        """What was abridged is sensed as what it says."""
        graph, outdated = self._brain.graph(request.agent), self._outdated.get(request.agent, set())
        known = [(slot, ordinal) for ordinal in request.after if ordinal in outdated and (
            slot := graph.slot_of(ordinal)) is not None and int(graph.rows["tag"][slot]) == request.tags[ordinal]]
        before, after = ([side[ordinal] for _, ordinal in known] for side in (request.before, request.after))
        if known:
            senses, slots = await self.of(request.agent), [slot for slot, _ in known]
            vectors = self._vectors(after)
            # Where the embedder failed the vector stays: what was said, and what is left of it, lie near each other.
            kept = [at for at, one in enumerate(after) if one.vector is None]
            vectors[kept] = senses.vectors.rows([slots[at] for at in kept])
            senses.replace(slots, vectors, _wording(before), _wording(after))
        outdated.difference_update(request.after)

    async def blank(self, request: passes.Blank) -> tuple[str, Places] | None:
        """The next memories that have no vector, and should.

        Of agents whose senses are loaded: loading them may wait for the embedder, and everybody for that.
        """
        for agent, senses in self._senses.items():
            if is_log(agent):
                continue
            graph, slots = self._brain.graph(agent), senses.vectors.blank()
            slots = slots[graph.rows["ordinal"][slots] >= request.seen.get(agent, 0)]
            if len(slots):
                return agent, places(graph, slots[:limits.resense_memories])
        return None

    async def give(self, request: passes.Give) -> list[int]:
        """Gives vectors to memories that have none and say what they said; their slots."""
        graph, senses = self._brain.graph(request.agent), await self.of(request.agent)
        blank = set(senses.vectors.blank().tolist())
        given = [(slot, row) for row, (ordinal, tag) in enumerate(request.tags.items()) if (
            slot := graph.slot_of(ordinal)) is not None and slot in blank and int(graph.rows["tag"][slot]) == tag]
        slots = [slot for slot, _ in given]
        senses.give(slots, request.vectors[[row for _, row in given]])
        return slots

    async def caches(self, *, all_of_them: bool) -> dict[str, bytes]:
        """The caches that are worth writing, by file name."""
        caches = {}
        for agent, senses in self._senses.items():
            if self._outdated.get(agent) or senses.partial:
                continue  # it would be taken for what the texts are by now
            fresh = len(senses) - senses.saved
            worth = max(limits.cache_rows_min, len(senses) // limits.cache_share)
            if fresh > 0 and (all_of_them or fresh >= worth):
                caches[cache_name(agent)] = await self._offload.over(
                    len(senses), _cached, senses, self._brain.graph(agent))
                senses.saved = len(senses)
        return caches

    def _vectors(self, some: Sequence[Sensed]) -> NDArray[np.float32]:
        nothing = np.zeros(self._embedder.dimensions, np.float32)
        return np.stack([nothing if one.vector is None else one.vector for one in some])


def _wording(some: Sequence[Sensed]) -> Wording:
    return Wording([_NO_TOKENS if one.tokens is None else one.tokens for one in some], [one.terms for one in some])


def _cached(senses: Senses, graph: Graph) -> bytes:
    return graph.fingerprint(len(senses)) + senses.to_bytes()
