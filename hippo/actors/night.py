"""One pass of sleep, stage by stage: decay and prune, tiers, schemas, texts into packs of their tier, verify, index.

1. Every step is a request to the owner of the state it changes; between them everything else goes on. What is heavy is
   done in the worker process, a bounded batch at a time.
2. A text is durable in its pack before the graph is told of its new place; the old file goes only after an index that
   needs nothing of it. Whatever moment the power fails at, one of the two holds every text.
3. What was recalled while its text was being abridged is not: the batch is made again without it.
4. A pass that is broken off is finished by the next one: each plans anew from what is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from hippo import limits
from hippo.actors import nightwork
from hippo.actors.erasure import Erasure
from hippo.actors.indexing import Indexing
from hippo.actors.reporting import with_tiers
from hippo.actors.resensing import Resensing
from hippo.actors.verification import Verification
from hippo.actors.wordbooks import Wordbooks
from hippo.codec.record import text_tag
from hippo.embed.embedder import Embedder
from hippo.errors import NotErased
from hippo.mind.condensing import UNABRIDGED, Abridged, Condensed, Source, condense
from hippo.mind.figures import Forecast, stored
from hippo.mind.schemas import Formation
from hippo.mind.shelving import SETS, WARM
from hippo.model.batch import Batch, Column
from hippo.model.report import Report, TierFigures
from hippo.runtime import messages as ask
from hippo.runtime import passes
from hippo.runtime.budget import Budget
from hippo.runtime.mailbox import Address
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop
from hippo.settings import Settings
from hippo.store.disk import Disk
from hippo.store.originals import original
from hippo.text.fidelity import to_steps

_CLAIMS_MAX = 3  # after so many batches made again, nothing of one is abridged


class Night:
    """Runs passes.

    Args:
        disk: of the store, for the worker to read. seed: of the store, to name memories.
        damaged: ordinals already known to be lost when the store was opened. state: what the index said of passes.
        embedder: of the store. offload: where threads run. settings: what passes do. budget: what the store may take.
    """

    def __init__(self, disk: Disk, seed: int, damaged: set[int], state: dict[str, Any], embedder: Embedder,
                 offload: Offload, settings: Settings, budget: Budget, *, graph: Address, writer: Address,
                 broadcaster: Address) -> None:
        self._disk, self._seed, self._settings, self._budget = disk, seed, settings, budget
        self._tiered_at = int(state.get("tiered_at", state.get("last_pass_at", 0)))
        self._embedder = embedder
        self._offload = offload
        self._workshop = Workshop(offload)
        self.verification = Verification(disk, seed, damaged, state, self._workshop, graph)
        self.indexing = Indexing(offload, self._workshop, graph=graph, writer=writer)
        self._resensing = Resensing(disk, embedder, offload, self._workshop, graph)
        self._books = Wordbooks(state)
        self.erasure = Erasure(disk, seed, self._workshop, self._books, self.verification, graph=graph, writer=writer)
        self._graph, self._writer, self._broadcaster = graph, writer, broadcaster
        self._carried: list[Any] = []
        self._folded: set[int] = set()  # packs whose texts lie in another one by now

    # Ticks

    async def carry(self) -> int:
        """Makes durable what was strengthened by now; what comes in meanwhile waits for the next time, or there would
        be no end while clients write. Returns how much the graph was asked so far."""
        touches = await self._take()
        for _ in range(touches.more):
            await self._take()
        return touches.asked

    async def _take(self) -> ask.Touches:
        touches: ask.Touches = await self._graph.ask(ask.TakeTouched())
        self._carried += touches.changes  # kept until the writer has them, so that a full disk forgets nothing
        if self._carried:
            await self._writer.ask(ask.Record(self._carried))
            self._carried = []
        return touches

    async def checkpoint(self, state: dict[str, Any]) -> None:
        """Replaces the index by the present state."""
        await self.carry()
        await self.indexing.write(state | {
            "embedder": self._embedder.name, "seed": self._seed, **self._embedder.state(), **self.verification.state(),
            **({} if self._tiered_at == state["last_pass_at"] else {"tiered_at": self._tiered_at}),
            **self._books.state()})

    # The pass

    async def sleep(self, depth: str, cause: str, now: int, state: Callable[[], dict[str, Any]]) -> Report:
        """Runs a pass and reports it.

        Args:
            depth: light, deep, rem or all. cause: what started it. now: UTC milliseconds.
            state: the small facts that go into the index, asked for at its end.
        """
        self._tell("sleep.started", {"depth": depth, "cause": cause})
        try:
            before, weight_before = await self._figures()
            draft = Report(cause=cause, depth=depth, at=now, memories=before.memories, tiers={},
                           before=weight_before.bytes, after=weight_before.bytes)
            moves: dict[str, tuple[int, int]] = {}
            if depth in ("light", "all"):
                draft, moves = await self._light(draft, now)
            expected = before.tiers
            if depth in ("deep", "all"):
                draft, expected = await self._deep(draft, now)
            await self.checkpoint(state())
            if depth in ("deep", "all"):
                await self._drop()
                draft = await self._fit(draft, now, state)
        finally:
            await self._workshop.close()
        after, weight = await self._figures()
        report = with_tiers(msgspec.structs.replace(
            draft, memories=after.memories, after=weight.bytes, unrecoverable=len(self.verification.damaged)),
            before.tiers, expected, after.tiers, moves)
        self._tell("tiers", {name: figures.count for name, figures in after.tiers.items()})
        self._tell("sleep.finished", {"sealed": report.sealed, "total_bytes": weight.bytes.total_bytes})
        return report

    async def _light(self, draft: Report, now: int) -> tuple[Report, dict[str, tuple[int, int]]]:
        decayed, pruned = await self._graph.ask(passes.Fade(now)) if self._settings.sleep_decay else (0, 0)
        self._tell("sleep.decay", {"decayed": decayed, "pruned": pruned})
        moves = await self._graph.ask(passes.Retier(now, self._tiered_at))
        self._tiered_at = now
        self._tell("sleep.tiers", {name: moved[0] for name, moved in moves.items()})
        return msgspec.structs.replace(draft, edges_decayed=decayed, edges_pruned=pruned), moves

    async def _deep(self, draft: Report, now: int) -> tuple[Report, dict[str, TierFigures]]:
        await self.carry()  # what was learned so far goes into segments that this pass completes
        segments_before = await self._writer.ask(ask.Rotate())
        await self._resensing.catch_up(self._seed)
        schemas = await self._form_schemas()
        await self._train_dictionaries()
        planned, weight = await self._figures()
        forecast = Forecast(planned.tiers, planned.by_file, weight.packs)
        sealed, faded = await self._shelve(weight, segments_before, forecast)
        verified = await self.verification.share(now)
        return msgspec.structs.replace(
            draft, sealed=sealed, faded=faded, schemas_formed=schemas, verified=verified), forecast.tiers()

    async def _drop(self, outdated: frozenset[int] = frozenset(), sealed: int | None = None) -> set[int]:
        """Removes files that no text lies in and that the index just written does not need; the journal's last, and
        not while anything waits to be erased.

        Args:
            outdated: packs that are to go. sealed: all segments with lower numbers are to go: what waits is erased.

        Returns:
            Those that had to stay all the same: something in them cannot be read.
        """
        # The changes in the open segment are covered by that index as well.
        segments_before = await self._writer.ask(ask.Rotate())
        living = await self._graph.ask(passes.Living())
        weight = await self._writer.ask(ask.Weigh())
        oldest = min((number for number in living if number not in weight.packs), default=segments_before)
        gone = [number for number, pack in weight.packs.items()
                if number in self._folded or (number not in living and pack.tier_set in SETS)]
        left = {number: pack for number, pack in weight.packs.items() if number not in gone}
        stay = set(outdated & left.keys()) | ({oldest} if sealed is not None and oldest < sealed else set())
        keeps = stay or (sealed is None and self.erasure.waiting)
        await self._writer.ask(ask.Drop(
            0 if keeps else min(segments_before, oldest), gone, self._books.unused(left, weight.dictionaries)))
        self._folded.clear()
        return stay

    async def _fit(self, draft: Report, now: int, state: Callable[[], dict[str, Any]]) -> Report:
        """Forces the weakest memories down while the store is over its budget and that helps."""
        for _ in range(limits.budget_rounds_max):
            await self._writer.ask(ask.Weigh())
            if not self._budget.over:
                break
            census, weight = await self._figures()
            moved, self._budget.weakest = await self._graph.ask(passes.Force(
                now, self._budget.excess, [tier.ratio if tier.count else limits.tier_ratios[name]
                                           for name, tier in census.tiers.items()]))
            if not moved:
                break
            segments_before = await self._writer.ask(ask.Rotate())
            sealed, faded = await self._shelve(weight, segments_before, Forecast(
                census.tiers, census.by_file, weight.packs))
            draft = msgspec.structs.replace(draft, sealed=draft.sealed + sealed, faded=draft.faded + faded)
            await self.checkpoint(state())
            await self._drop()
        if self._budget.bytes_max is not None:
            self._tell("budget", {"alert": self._budget.alert})
        return msgspec.structs.replace(draft, alert=self._budget.alert)

    async def foresee(self, depth: str, now: int) -> Report:
        """The report of a pass that would run now: texts are condensed as it would, and nothing is written."""
        before, weight = await self._figures()
        draft = Report(cause="preview", depth=depth, at=now, memories=before.memories, tiers={}, dry=True,
                       before=weight.bytes, after=weight.bytes, unrecoverable=len(self.verification.damaged))
        if depth == "rem":
            return with_tiers(draft, before.tiers, before.tiers, before.tiers, {})
        try:
            dry = (now, self._tiered_at) if depth in ("light", "all") else None
            planned = await self._graph.ask(ask.Count(dry))
            forecast = Forecast(planned.tiers, planned.by_file, weight.packs)
            await self._graph.ask(passes.Shelve(
                weight.packs, frozenset(), weight.next_file if depth != "light" else 0, dry))
            while depth != "light" and (batch := await self._graph.ask(passes.NextBatch())) is not None:
                condensed, _ = await self._condense(batch)
                if condensed is not None:
                    forecast.takes(batch, len(condensed.pack), condensed.codecs, condensed.faded)
        finally:
            await self._workshop.close()
        return with_tiers(draft, before.tiers, forecast.tiers(), before.tiers, {})

    async def _figures(self) -> tuple[ask.Census, ask.Weight]:
        census = await self._graph.ask(ask.Count())
        weight = await self._writer.ask(ask.Weigh())
        return msgspec.structs.replace(census, tiers=stored(census.tiers, census.by_file, weight.packs)), weight

    # Texts

    async def _shelve(self, weight: ask.Weight, segments_before: int, forecast: Forecast,
                      outdated: frozenset[int] = frozenset()) -> tuple[int, int]:
        """Writes every text into a pack of its tier that does not lie in one, or in an outdated one. Returns (written,
        abridged)."""
        total = await self._graph.ask(passes.Shelve(
            weight.packs, self._books.outdated(weight.packs) | outdated, segments_before))
        done = written = faded = 0
        while (batch := await self._graph.ask(passes.NextBatch())) is not None:
            forecast.takes(batch, None, {}, ())
            condensed, facets = await self._claimed(batch)
            if condensed is not None:
                if condensed.abridged and self._settings.sleep_preserve_originals:
                    await self._keep(batch.agent, {one.ordinal: one.before for one in condensed.abridged})
                await self._put(batch.agent, condensed, batch.places.tag[batch.rows_of(condensed.ordinals)], facets)
                written, faded = written + len(condensed.ordinals), faded + len(condensed.abridged)
            done += 1
            self._tell("sleep.seal", {"done": done, "total": total})
            await self.carry()  # what is recalled during a long pass is not at risk longer than without one
        return written, faded

    async def _condense(self, batch: Batch, awake: frozenset[int] = frozenset()) -> tuple[Condensed | None, set[int]]:
        condensed, lost = await self._workshop.run(
            nightwork.condense_batch, self._disk, self._seed, batch, self._settings.fact_guard,
            self._books.number(batch.agent), awake)
        self.verification.learn(batch.places, lost)
        return condensed, lost

    async def _claimed(self, batch: Batch) -> tuple[Condensed | None, dict[int, passes.Facet]]:
        """A pack in which nothing is abridged that was touched since the batch was drawn up (rule 3)."""
        awake: set[int] = set()
        for attempt in range(_CLAIMS_MAX + 1):
            condensed, _ = await self._condense(batch, frozenset(awake))
            if condensed is None or not condensed.abridged:
                return condensed, {}
            claimed = [one.ordinal for one in condensed.abridged]
            at = batch.rows_of(claimed)
            versions = zip(batch.last_access[at].tolist(), batch.access_count[at].tolist(),
                           batch.places.tag[at].tolist(), strict=True)
            found = await self._graph.ask(passes.Claim(batch.agent, dict(zip(claimed, versions, strict=True))))
            facets = {ordinal: facet for ordinal, facet in found.items() if facet is not None}
            if len(facets) == len(found):
                return condensed, facets
            awake |= set(batch.places.ordinal.tolist()) if attempt == _CLAIMS_MAX - 1 else set(found) - set(facets)
        raise AssertionError("a batch in which nothing may fade has nothing to claim")

    async def _put(self, agent: str, condensed: Condensed, read: Column, facets: dict[int, passes.Facet]) -> None:
        """Makes a pack durable and tells the graph. `read`: the checksum of each text as it was read, u8[n]."""
        abridged = condensed.abridged
        number = await self._writer.ask(ask.WritePack(condensed.pack))
        tags = {one.ordinal: text_tag(one.after) for one in abridged}
        await self._graph.ask(passes.Settle(
            agent, number, condensed.ordinals, read, condensed.places[:, 0], condensed.places[:, 1],
            np.array(list(tags), np.uint64), np.array(list(tags.values()), np.uint64),
            np.frombuffer(b"".join(to_steps(one.fidelity) for one in abridged), np.uint8).reshape(-1, 3)))
        await self._resensing.follow(agent, abridged, facets, tags)

    async def _keep(self, agent: str, texts: dict[int, str]) -> None:
        """Keeps what was said before it was abridged; small packs of the kind are folded into the new one."""
        weight = await self._writer.ask(ask.Weigh())
        collected, folded = sum(map(len, texts.values())), list[int]()
        for number in sorted(weight.originals(agent) - self._folded, reverse=True):
            raw = weight.packs[number].raw_bytes
            if raw > max(2 * collected, limits.pack_small_bytes) or collected + raw > limits.pack_raw_bytes:
                break
            collected, folded = collected + raw, [*folded, number]
        pack = await self._workshop.run(nightwork.keep_originals, self._disk, agent, folded, texts)
        assert pack is not None
        await self._writer.ask(ask.WritePack(pack.content))
        self._folded |= set(folded)

    async def restore(self, request: ask.Restore, now: int, state: dict[str, Any]) -> bool:
        """Gives an abridged memory back what it said. False where that was not kept."""
        agent, ordinal = request.agent, request.ordinal
        kept = (await self._writer.ask(ask.Weigh())).originals(agent)
        text = await self._offload.run(original, self._disk, sorted(kept), ordinal)
        facet = None if text is None else await self._graph.ask(passes.Revive(agent, ordinal, now))
        if text is None or facet is None:
            return False
        condensed = await self._offload.run(condense, agent, WARM, [Source(ordinal, text, len(text.encode()))])
        await self._put(agent, condensed._replace(abridged=[Abridged(ordinal, request.text, text, UNABRIDGED)]),
                        np.array([text_tag(request.text)], np.uint64), {ordinal: facet})
        await self.checkpoint(state)
        return True

    async def _train_dictionaries(self) -> None:
        """Learns the words of agents that have grown; what was written with earlier ones is written anew after it."""
        weight = await self._writer.ask(ask.Weigh())
        for agent, raw_bytes in self._books.due(weight.packs):
            places = await self._graph.ask(passes.TextsForTraining(agent, limits.dictionary_sample_bytes))
            encoded = await self._workshop.run(
                nightwork.train_dictionary, self._disk, self._seed, places, raw_bytes)
            self._books.take(agent, await self._writer.ask(ask.WriteDictionary(encoded)) if encoded else 0, raw_bytes)

    # Schemas

    async def _form_schemas(self) -> int:
        """Looks at what is new since the last pass. Returns how many memories were given a schema."""
        seen: dict[str, int] = {}
        given, until, turn = 0, (await self._writer.ask(ask.Weigh())).next_ordinal, self.verification.turn
        while (kin := await self._graph.ask(passes.Kindred(dict(seen), until, turn))) is not None:
            formation = await self._workshop.run(nightwork.form_schemas, self._disk, self._seed, kin) if len(
                kin.pairs) else Formation({}, set(), set())
            await self._graph.ask(passes.Classify(
                kin.agent, formation.schema, formation.held, formation.released, kin.through))
            seen[kin.agent] = kin.through
            given += len(formation.schema)
            self._tell("sleep.schemas", {"given": given})
        return given

    # Erasure

    async def erase(self, state: dict[str, Any]) -> None:
        """Leaves no trace on the disk of what was forgotten; nothing is done where nothing waits.

        Raises:
            NotErased: something is left, beside what cannot be read.
        """
        if not self.erasure.waiting:
            return
        try:
            outdated, folded = await self.erasure.trace()
            self._folded |= folded
            stay = await self._seal(state, outdated, erases=True)
        finally:
            await self._workshop.close()
        if not self.erasure.settle(stay):
            raise NotErased(count=len(stay))

    async def seal(self, state: dict[str, Any]) -> None:
        """Writes every text into a pack."""
        try:
            await self._seal(state, frozenset(), erases=False)
        finally:
            await self._workshop.close()

    async def _seal(self, state: dict[str, Any], outdated: frozenset[int], *, erases: bool) -> set[int]:
        await self.carry()
        segments_before = await self._writer.ask(ask.Rotate())
        census, weight = await self._figures()
        await self._shelve(weight, segments_before, Forecast(census.tiers, census.by_file, weight.packs), outdated)
        await self.checkpoint(state)
        return await self._drop(outdated, segments_before if erases else None)

    def adopt(self, seed: int) -> None:
        """Memories are named by another seed from now on."""
        self._seed = self.verification.seed = self.erasure.seed = seed

    def _tell(self, name: str, facts: dict[str, Any]) -> None:
        self._broadcaster.tell_nowait(ask.Announce(name, None, facts))
