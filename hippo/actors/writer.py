"""The writer actor: owns the store's files. It alone decides what is durable.

1. A remember is answered only after its frame was fsynced and the graph has learned it: durable and recallable.
2. Group commit: all that waits while one fsync runs is written and fsynced together next.
3. A key that the agent used before gives the first answer again; nothing is written. The same text that came in
   meanwhile is the same memory.
4. A write that fails is refused with its reason; what was acknowledged before stays. The next write tries again.
5. Its address to the graph is closed when every asker has gone; the store is closed last, fsynced.
6. Packs, dictionaries, the index, caches and the log are files of their own: a remember does not wait for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import trio

from hippo import limits
from hippo.actors.intake import Group, Keys, Latest, met
from hippo.errors import HippoError
from hippo.model.batch import Place
from hippo.model.change import Change
from hippo.model.report import Bytes, PackFigures
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import Address, Envelope, Inbox, serve
from hippo.runtime.offload import Offload
from hippo.store.store import Store

log = logging.getLogger("hippo")

_GROUPED = (knowing.Store, knowing.Rewrite, knowing.LetGo, ask.Record, carrying.Load)
_WHOLE_FILES = (ask.WritePack, ask.WriteDictionary, ask.WriteIndex, ask.WriteCaches, ask.LogReport)


class WriterActor:
    """What the writer actor owns.

    Args:
        store: the open store.
        keys: (agent, key) -> ordinal of every memory that was remembered with a key.
        next_ordinal: the first ordinal that was never used.
        clock: gives the moment of the first access.
        offload: where fsync waits.
        budget: is told what the store takes. graph: learns what became durable.
    """

    def __init__(self, store: Store, keys: Keys, next_ordinal: int, clock: Clock, offload: Offload,
                 budget: Budget, graph: Address) -> None:
        self._store = store
        self._keys = keys
        self._next_ordinal = next_ordinal
        self._latest: Latest = {}
        self._gone: set[int] = set()  # what was forgotten, until the graph has let go of it
        self._clock = clock
        self._offload = offload
        self._budget = budget
        self._graph = graph
        # An index whose copy is not the same is written anew at the end, also where nothing else changed.
        self._changes = len(store.recovered.changes) + (not store.recovered.index_is_whole)
        self._answers: dict[type[Any], Callable[[Any], Any]] = {
            ask.Rotate: self._rotate, ask.WriteIndex: self._write_index, ask.WritePack: self._write_pack,
            ask.WriteDictionary: self._write_dictionary,
            ask.WriteCaches: self._write_caches, ask.Drop: self._drop, ask.Scrub: self._scrub,
            ask.LogReport: self._log_report, ask.Weigh: self._weigh,
            carrying.Adopt: self._adopt}

    async def run(self, inbox: Inbox) -> None:
        """Serves until every address is closed, then closes the store."""
        try:
            async with trio.open_nursery() as beside:
                while True:
                    try:
                        first = await inbox.receive()
                    except trio.EndOfChannel:
                        break
                    group = [first, *inbox.more(limits.group_commit_requests_max - 1)]
                    try:
                        await self._serve(group, beside)
                    except BaseException:
                        for envelope in group:
                            envelope.drop()
                        raise
        finally:
            inbox.close()
            self._graph.close()
            self._store.close()

    async def _serve(self, envelopes: list[Envelope], beside: trio.Nursery) -> None:
        """Commits what can be committed together, in order; anything else ends the group, and whole files are written
        beside what comes next (rule 6)."""
        group: list[Envelope] = []
        for envelope in envelopes:
            if isinstance(envelope.request, _GROUPED):
                group.append(envelope)
                continue
            await self._commit(group)
            group = []
            if isinstance(envelope.request, _WHOLE_FILES):
                beside.start_soon(serve, envelope, self._answer)
            else:
                await serve(envelope, self._answer)
        await self._commit(group)

    async def _answer(self, request: Any) -> Any:
        return await self._answers[type(request)](request)

    async def _commit(self, envelopes: list[Envelope]) -> None:
        if not envelopes:
            return
        group = Group(self._clock.now_ms(), self._next_ordinal, self._keys, self._latest, await self._met(envelopes))
        replies = [group.take(envelope.request) for envelope in envelopes]
        # Counted also when the write is refused: what was refused may have reached the disk all the same.
        self._next_ordinal = group.next_ordinal
        try:
            places = await self._offload.run(self._append, group.changes) if group.changes else []
        except HippoError as error:
            for envelope in envelopes:
                envelope.refuse(error)
            return
        self._gone |= group.gone
        self._keys |= group.keys
        self._latest |= group.latest
        if group.gone:
            self._keys = {key: ordinal for key, ordinal in self._keys.items() if ordinal not in group.gone}
        left = group.gone | group.left
        if left:
            self._latest = {said: ordinal for said, ordinal in self._latest.items() if ordinal not in left}
        while len(self._latest) > limits.latest_texts:
            del self._latest[next(iter(self._latest))]
        self._changes += len(group.changes)
        if self._budget.bytes_max is not None:
            self._weigh_bytes()
        lessons = group.lessons(places)
        for start in range(0, len(lessons), limits.taught_at_once):  # recalls come in between
            await self._graph.ask(ask.Teach(lessons[start:start + limits.taught_at_once]))
        for envelope, reply in zip(envelopes, replies, strict=True):
            envelope.answer(self._store.sequence if reply is None else reply)

    async def _met(self, envelopes: list[Envelope]) -> dict[int, knowing.State]:
        """The state of every memory that something in these requests meets."""
        ordinals: dict[str, list[int]] = {}
        for envelope in envelopes:
            for agent, ordinal in met(envelope.request, self._latest):
                ordinals.setdefault(agent, []).append(ordinal)
        states: dict[int, knowing.State] = {}
        for agent, some in ordinals.items():
            found: dict[int, knowing.State] = await self._graph.ask(knowing.States(agent, some))
            states |= {ordinal: state for ordinal, state in found.items() if ordinal not in self._gone}
        return states

    def _append(self, changes: list[Change]) -> list[Place | None]:
        places = self._store.append(changes)
        self._store.sync()
        return [None if place is None else (place.file, place.offset, place.row) for place in places]

    async def _rotate(self, request: ask.Rotate) -> int:
        return await self._offload.run(self._store.rotate)

    async def _write_index(self, request: ask.WriteIndex) -> None:
        covered = self._changes
        await self._offload.run(self._store.write_index, request.encoded)
        self._changes -= covered

    async def _write_pack(self, request: ask.WritePack) -> int:
        return await self._offload.run(self._store.write_pack, request.encoded)

    async def _write_dictionary(self, request: ask.WriteDictionary) -> int:
        return await self._offload.run(self._store.write_dictionary, request.encoded)

    async def _write_caches(self, request: ask.WriteCaches) -> None:
        for name, content in request.caches.items():
            await self._offload.run(self._store.write_cache, name, content)

    async def _drop(self, request: ask.Drop) -> None:
        await self._offload.run(self._drop_files, request)

    async def _adopt(self, request: carrying.Adopt) -> bool:
        if self._next_ordinal:
            return False
        await self._offload.run(self._store.adopt, request.seed)
        return True

    async def _scrub(self, request: ask.Scrub) -> None:
        self._gone.clear()  # whoever scrubs has told the graph before
        await self._offload.run(self._store.scrub, request.cache, request.texts)

    def _drop_files(self, request: ask.Drop) -> None:
        self._store.drop(segments_before=request.segments_before, packs=request.packs,
                         dictionaries=request.dictionaries)

    async def _log_report(self, request: ask.LogReport) -> None:
        await self._offload.run(self._store.log_report, request.text, request.line)

    async def _weigh(self, request: ask.Weigh) -> ask.Weight:
        if not self._store.writable:
            await self._offload.run(self._store.probe)
        return ask.Weight(
            self._weigh_bytes(), {p.number: PackFigures(
                agent=p.agent, tier_set=p.tier_set, rows=p.rows, raw_bytes=p.raw_bytes, stored_bytes=p.stored_bytes,
                codecs=p.codecs, dictionaries=p.dictionaries) for p in self._store.packs()},
            self._store.writable, self._changes, self._next_ordinal, self._store.next_file,
            self._store.dictionaries(), list(self._store.recovered.damage))

    def _weigh_bytes(self) -> Bytes:
        sizes = self._store.bytes()
        if self._budget.weigh(sizes):
            log.warning("%s", self._budget.alert)
        return sizes
