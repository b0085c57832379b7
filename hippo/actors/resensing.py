"""What texts are found by from here on, in a pass: those that were abridged, and those that were never sensed in full.

1. Where the embedder fails there are no vectors: the graph keeps those that it has, and takes over the words.
2. What was remembered while a remote embedder failed is given its vector by the first pass in which it answers.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import msgspec

from hippo import limits
from hippo.actors import nightwork
from hippo.embed.embedder import Embedded, Embedder
from hippo.errors import EmbedderFailed
from hippo.mind.condensing import Abridged
from hippo.runtime import passes
from hippo.runtime.mailbox import Address
from hippo.runtime.messages import Sensed
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop
from hippo.store.disk import Disk
from hippo.text.tokens import index_terms

log = logging.getLogger("hippo")


class Resensing:
    """Keeps the senses true to the texts.

    Args:
        disk: of the store, for the worker to read. embedder: of the store. offload: where threads run.
        workshop: the worker. graph: owns the senses.
    """

    def __init__(self, disk: Disk, embedder: Embedder, offload: Offload, workshop: Workshop, graph: Address) -> None:
        self._disk, self._embedder = disk, embedder
        self._offload, self._workshop, self._graph = offload, workshop, graph

    async def follow(self, agent: str, abridged: Sequence[Abridged], facets: Mapping[int, passes.Facet],
                     tags: dict[int, int]) -> None:
        """The senses learn what texts were abridged to, or brought back to.

        Args:
            facets: what else each is found by. tags: the checksums of what they say now.
        """
        for start in range(0, len(abridged), limits.resense_memories):
            some = abridged[start:start + limits.resense_memories]
            before, after = await self._offload.run(_sensed, self._embedder, some, facets)
            await self._graph.ask(passes.Resense(agent, before, after, tags))

    async def catch_up(self, seed: int) -> None:
        """Gives a vector to what has none because the embedder failed, as far as it answers now.

        Args:
            seed: of the store, to name memories.
        """
        seen: dict[str, int] = {}
        while self._embedder.remote and (found := await self._graph.ask(passes.Blank(dict(seen)))) is not None:
            agent, places = found
            seen[agent] = int(places.ordinal[-1]) + 1
            texts, _ = await self._workshop.run(nightwork.read, self._disk, seed, places)
            if not texts:
                continue
            embedded = await self._offload.run(
                _embedded, self._embedder, list(texts.values()), "What has no vector is found by its words.")
            if embedded is None:
                return
            tags = dict(zip(places.ordinal.tolist(), places.tag.tolist(), strict=True))
            await self._graph.ask(passes.Give(agent, {ordinal: tags[ordinal] for ordinal in texts}, embedded.vectors))


def _sensed(embedder: Embedder, some: Sequence[Abridged],
            facets: Mapping[int, passes.Facet]) -> tuple[dict[int, Sensed], dict[int, Sensed]]:
    """Both sides of some abridgements, by ordinal; blocking."""
    why = "What was abridged keeps its vectors."
    # What they said is sensed again for its tokens, which document frequencies lose.
    before = _embedded(embedder, [one.before for one in some], why) if embedder.vocabulary else None
    after = _embedded(embedder, [one.after for one in some], why)
    return (_side(some, [one.before for one in some], before, facets),
            _side(some, [one.after for one in some], after, facets))


def _embedded(embedder: Embedder, texts: Sequence[str], otherwise: str) -> Embedded | None:
    try:
        return embedder.embed(texts)
    except EmbedderFailed as failed:
        log.warning("%s %s", failed.message, otherwise)
        return None


def _side(some: Sequence[Abridged], texts: Sequence[str], embedded: Embedded | None,
          facets: Mapping[int, passes.Facet]) -> dict[int, Sensed]:
    tokens = None if embedded is None else embedded.tokens
    return {one.ordinal: Sensed(
        None if embedded is None else embedded.vectors[row], None if tokens is None else tokens[row],
        index_terms(text, *msgspec.structs.astuple(facets[one.ordinal])))
        for row, (one, text) in enumerate(zip(some, texts, strict=True))}
