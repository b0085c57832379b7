"""Verification: which memories cannot be reconstructed, found by decoding them; a share of them in each pass.

What is found damaged stays named until it was found whole again.
"""

from __future__ import annotations

from typing import Any

from hippo import limits
from hippo.actors import nightwork
from hippo.codec.identity import id_of
from hippo.model.batch import Places
from hippo.runtime import messages as ask
from hippo.runtime import passes
from hippo.runtime.mailbox import Address
from hippo.runtime.workshop import Workshop
from hippo.store.disk import Disk

_WEEK_PASSES = 7


class Verification:
    """What is known of damaged memories.

    Args:
        disk: of the store. seed: of the store, to name memories. damaged: ordinals known to be lost at the start.
        state: what the index said of it. workshop: where memories are decoded. graph: knows where they lie.
    """

    def __init__(self, disk: Disk, seed: int, damaged: set[int], state: dict[str, Any], workshop: Workshop,
                 graph: Address) -> None:
        self._disk, self.seed, self._workshop, self._graph = disk, seed, workshop, graph
        self.damaged = damaged
        self.turn = int(state.get("share", 0))
        self._verified_at: int | None = state.get("verified_at")

    def state(self) -> dict[str, Any]:
        """What the index is to say of it."""
        return {"verified_at": self._verified_at, "share": self.turn}

    async def share(self, now: int) -> int:
        """Decodes the share whose turn it is. Returns how many memories that were."""
        verified = await self._verify(_WEEK_PASSES, self.turn % _WEEK_PASSES)
        self.turn += 1
        if self.turn % _WEEK_PASSES == 0:
            self._verified_at = now
        return verified

    async def all(self, now: int) -> None:
        """Decodes every memory."""
        self.damaged.clear()
        try:
            await self._verify(1, 0)
        finally:
            await self._workshop.close()
        self._verified_at = now

    async def _verify(self, modulus: int, remainder: int) -> int:
        count = 0
        for places in await self._graph.ask(passes.Sample(modulus, remainder)):
            for start in range(0, len(places.ordinal), limits.verify_memories):
                some = Places(*(column[start:start + limits.verify_memories] for column in places))
                self.learn(some, await self._workshop.run(nightwork.unreadable, self._disk, self.seed, some))
                count += len(some.ordinal)
        return count

    def learn(self, places: Places, lost: set[int]) -> None:
        """Some memories were read; these of them could not be."""
        self.damaged -= set(places.ordinal.tolist())
        self.damaged |= lost

    def verdict(self) -> ask.Verdict:
        """What is known of damaged memories."""
        return ask.Verdict([id_of(ordinal, self.seed) for ordinal in sorted(self.damaged)], self._verified_at)
