"""Erasure: no trace of what was forgotten stays on the disk.

1. A forget is stated in the journal first, and only if every memory still says what is about to be traced; from then on
   it has happened. While the statement stands there, its traces may not all be gone.
2. So no segment is dropped while anything waits to be erased. What a failure or a crash has left waiting is erased by
   the next forget, pass or start, whichever comes first.
3. Where nobody knows any more what was said, everything of the agent that may hold it is written anew.
4. An earlier wording lies in packs as what its memory said: these are searched for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hippo.actors import nightwork
from hippo.actors.awakening import cache_name
from hippo.actors.verification import Verification
from hippo.actors.wordbooks import Wordbooks
from hippo.codec.identity import ordinal_of
from hippo.codec.record import text_tag
from hippo.runtime import knowing, passes
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Address
from hippo.runtime.workshop import Workshop
from hippo.store.disk import Disk


@dataclass
class Waiting:
    """What an agent's files are to lose.

    `heads`: memories that some of these are earlier wordings of. `texts`: all that was said; None: nobody knows.
    `packs`: where traces of it were found.
    """

    ordinals: set[int] = field(default_factory=set)
    heads: set[int] = field(default_factory=set)
    texts: set[bytes] | None = field(default_factory=set)
    packs: set[int] = field(default_factory=set)

    def add(self, ordinals: Iterable[int], heads: Iterable[int], texts: Iterable[bytes] | None) -> None:
        """More of the same agent."""
        self.ordinals.update(ordinals)
        self.heads.update(heads)
        self.texts = None if self.texts is None or texts is None else self.texts.union(texts)


class Erasure:
    """What waits to be erased.

    Args:
        disk: of the store. seed: of the store, to name memories. workshop: where files are searched.
        books: whose dictionaries may hold what was said. verification: knows what is damaged.
        graph, writer: let go of memories, and of files.
    """

    def __init__(self, disk: Disk, seed: int, workshop: Workshop, books: Wordbooks, verification: Verification, *,
                 graph: Address, writer: Address) -> None:
        self._disk, self.seed, self._workshop, self._books, self._verification = (
            disk, seed, workshop, books, verification)
        self._graph, self._writer = graph, writer
        self.waiting: dict[str, Waiting] = {}
        self.is_stuck = False  # it was tried, and it is no use to try again at once

    def waits(self, agent: str, ordinals: Iterable[int], heads: Iterable[int] = (),
              texts: Iterable[bytes] | None = None) -> None:
        """Something is forgotten, and its traces are not erased yet."""
        self.waiting.setdefault(agent, Waiting()).add(ordinals, heads, texts)
        self.is_stuck = False

    async def forget(self, request: knowing.Forget) -> bool:
        """Lets go of memories (rule 1). False, and nothing has happened, where something has changed meanwhile."""
        agent, ordinals = request.agent, request.ordinals
        if await self._graph.ask(knowing.WithRevisions(agent, ordinals)) != ordinals:
            return False
        hits = await self._graph.ask(knowing.Hits(agent, ordinals))
        tags = {hit.ordinal: hit.tag for hit in hits}
        if request.texts is not None and not {text_tag(text.decode()) for text in request.texts}.issuperset(
                tags.values()):
            return False
        if not await self._writer.ask(knowing.LetGo(agent, tags)):
            return False
        heads = {ordinal_of(hit.superseded_by, self.seed) for hit in hits if hit.revision and hit.superseded_by}
        self.waits(agent, ordinals, heads.difference(ordinals), request.texts)
        await self._graph.ask(passes.Erase(agent, ordinals, request.tokens))
        return True

    async def trace(self) -> tuple[frozenset[int], set[int]]:
        """Takes out of caches, dictionaries, originals and set-aside pieces what waits.

        Returns:
            The packs that have to be written anew, and those of originals that were.
        """
        outdated: set[int] = set()
        folded: set[int] = set()
        for agent, waiting in self.waiting.items():
            weight = await self._writer.ask(ask.Weigh())
            texts = None if waiting.texts is None else sorted(waiting.texts)
            mine = [number for number, pack in weight.packs.items() if pack.agent == agent and number not in folded]
            suspects = sorted(waiting.ordinals | waiting.heads)
            packs, books = await self._workshop.run(
                nightwork.traces, self._disk, mine, weight.dictionaries, suspects, texts)
            if self._books.number(agent) in books:
                self._books.retire(agent)
            kept = sorted(weight.originals(agent) & set(packs))
            if kept:
                pack = await self._workshop.run(
                    nightwork.keep_originals, self._disk, agent, kept, {},
                    frozenset(waiting.ordinals), frozenset(waiting.heads), texts or [])
                if pack is not None:
                    await self._writer.ask(ask.WritePack(pack.content))
                folded |= set(kept)
            await self._writer.ask(ask.Scrub(cache_name(agent), texts))
            self._verification.damaged -= waiting.ordinals
            waiting.packs = set(packs)
            outdated |= waiting.packs
        return frozenset(outdated), folded

    def settle(self, stay: set[int]) -> bool:
        """What was traced is erased but for what lies in files that stay. Whether that is all of it."""
        segments = stay.difference(*(waiting.packs for waiting in self.waiting.values()))
        self.waiting = {agent: waiting for agent, waiting in self.waiting.items() if segments or waiting.packs & stay}
        self.is_stuck = bool(self.waiting)
        return not self.waiting
