"""Consolidating: what could be tidied up. It proposes; whoever asked acts.

Vectors are compared in a thread: the largest agents take seconds, and recall goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.interfaces.desk import Desk
from hippo.mind.clusters import SimilarPairs, clusters, contradictions, similar_pairs
from hippo.mind.leverage import advice, leverage
from hippo.model.knowledge import Preview, Proposal, Proposals
from hippo.model.knowledge_verb import Consolidate
from hippo.runtime import carrying, knowing
from hippo.text.entities import similar_names

_WHY = {
    "prune": "never recalled",
    "compress": "recalled, and nothing that others do not say",
    "refresh": "recalled often, and said nowhere else",
}


class Consolidating(Desk):
    """The verb that proposes."""

    async def consolidate(self, verb: Consolidate) -> Proposals:
        """What could be merged, resolved or let go of; nothing is changed."""
        agent = self.drafting.agent(verb.agent_id)
        if verb.mode == "entities":
            return await self._entities(agent, verb)
        before = None if verb.mode != "sleep" else self.clock.now_ms() - round(verb.age_days * limits.ms_per_day)
        matrix = await self.graph_actor.ask(carrying.Vectors(agent, before, limits.consolidate_memories_max))
        kept = [at for at, name in enumerate(matrix.entities)
                if verb.include_append_only or not self.only_grows(name or None)]
        ordinals, vectors = matrix.ordinals[kept].tolist(), matrix.vectors[kept]
        excluded = len(matrix.entities) - len(kept)
        found = Proposals(mode=verb.mode, looked_at=len(kept), proposals=[], excluded_append_only=excluded,
                          note=_note(len(matrix.entities)), alert=self.budget.alert)
        if len(kept) < 2:
            return found
        if verb.mode == "clusters":
            return await self._clusters(agent, verb, found, ordinals, vectors)
        if verb.mode == "contradictions":
            return await self._contradictions(agent, verb, found, ordinals, vectors)
        return await self._sleep(agent, verb, found, ordinals, vectors, matrix.access_count[kept])

    async def _entities(self, agent: str, verb: Consolidate) -> Proposals:
        names = [one.name for one in await self.graph_actor.ask(knowing.Entities(agent))
                 if verb.include_append_only or not self.only_grows(one.name)]
        pairs = await self.sensing.aside(similar_names, names)
        return Proposals(
            mode=verb.mode, looked_at=len(names), left_out=max(len(pairs) - verb.limit, 0),
            proposals=[Proposal(action="merge_entities", entities=[one, other], similarity=round(similarity, 4),
                                why="the names are alike") for one, other, similarity in pairs[:verb.limit]],
            alert=self.budget.alert)

    async def _pairs(self, vectors: NDArray[np.float32], floor: float) -> SimilarPairs:
        """The pairs at or above a floor of the reference scale, with their cosines on it."""
        found = await self.sensing.aside(similar_pairs, vectors, self.sensing.cosine_of(floor), limits.pairs_max)
        return found._replace(cosine=self.sensing.similarity_of(found.cosine))

    async def _clusters(self, agent: str, verb: Consolidate, found: Proposals, ordinals: list[int],
                        vectors: NDArray[np.float32]) -> Proposals:
        pairs = await self._pairs(vectors, limits.cluster_cosine)
        groups = clusters(pairs.pairs, len(ordinals))
        closest = np.zeros(len(ordinals), np.float32)
        np.maximum.at(closest, pairs.pairs[:, 0], pairs.cosine)
        ranked = sorted(groups, key=lambda group: (-len(group), int(group[0])))
        shown = [Proposal(
            action="merge", similarity=round(float(closest[group].max()), 4), why=f"{len(group)} say much the same",
            memories=await self._previews(agent, [ordinals[at] for at in group[:limits.proposal_memories_max]]))
            for group in ranked[:verb.limit]]
        return _with(found, shown, len(ranked))

    async def _contradictions(self, agent: str, verb: Consolidate, found: Proposals, ordinals: list[int],
                              vectors: NDArray[np.float32]) -> Proposals:
        pairs = await self._pairs(vectors, limits.contradiction_cosine)
        best = np.argsort(-pairs.cosine, kind="stable")[:limits.contradiction_pairs_max]
        chosen, cosine = pairs.pairs[best], pairs.cosine[best]
        involved, positions = np.unique(chosen, return_inverse=True)
        hits = await self.graph_actor.ask(knowing.Hits(agent, [ordinals[at] for at in involved]))
        texts = [text if isinstance(text, str) else "" for text in await self.texts(agent, hits)]
        doubtful = await self.sensing.aside(contradictions, cosine, positions.reshape(chosen.shape), texts)
        shown = [Proposal(action="resolve", similarity=round(one.cosine, 4),
                          why=f"of one matter, with {one.overlap:.0%} of their words in common",
                          memories=await self.previews(agent, [hits[one.one], hits[one.other]]))
                 for one in doubtful[:verb.limit]]
        return _with(found, shown, len(doubtful))

    async def _sleep(self, agent: str, verb: Consolidate, found: Proposals, ordinals: list[int],
                     vectors: NDArray[np.float32], accesses: NDArray[np.int64]) -> Proposals:
        measured = await self.sensing.aside(leverage, vectors)
        # It is counted as an access that a memory was made.
        advised = advice(measured.redundancy, accesses.astype(np.int64))
        order = sorted((at for at, what in enumerate(advised) if what is not None),
                       key=lambda at: (-float(measured.redundancy[at]), at))
        previews = await self._previews(agent, [ordinals[at] for at in order[:verb.limit]])
        shown = [Proposal(action=str(advised[at]), memories=[preview], similarity=round(
            float(measured.redundancy[at]), 4), why=_WHY[str(advised[at])])
            for at, preview in zip(order[:verb.limit], previews, strict=True)]
        return _with(found, shown, len(order), measured.information_rank, round(measured.redundancy_ratio, 4))

    async def _previews(self, agent: str, ordinals: Sequence[int]) -> list[Preview]:
        hits = await self.graph_actor.ask(knowing.Hits(agent, list(ordinals)))
        return await self.previews(agent, hits)


def _note(seen: int) -> str | None:
    most = limits.consolidate_memories_max
    return f"Only the newest {most:,} memories were looked at." if seen >= most else None


def _with(found: Proposals, shown: list[Proposal], count: int, rank: int | None = None,
          ratio: float | None = None) -> Proposals:
    return Proposals(mode=found.mode, looked_at=found.looked_at, proposals=shown, left_out=count - len(shown),
                     excluded_append_only=found.excluded_append_only, information_rank=rank, redundancy_ratio=ratio,
                     note=found.note, alert=found.alert)
