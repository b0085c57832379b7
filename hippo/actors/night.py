"""One pass of sleep, step by step: decay and prune, re-tier, seal the journal into packs, verify, replace the index.

1. Every step is a request to the owner of the state it changes; between them everything else goes on.
2. A text is durable in its pack before the graph is told of its new place; the old segment goes only after an index
   that needs nothing of it. Whatever moment the power fails at, one of the two holds every text.
3. Small packs of an agent are folded into the new one while they are at most twice as large as what came before:
   the cost follows what changed, and an agent has a logarithmic number of packs.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import Any

import msgspec

from hippo import limits
from hippo.codec.identity import id_of
from hippo.codec.pack import encode_pack
from hippo.errors import HippoError
from hippo.mind.tiering import stored_by_tier
from hippo.model.report import Bytes, Report, TierReport
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Address
from hippo.runtime.offload import Offload
from hippo.store.index import encode_index

_READ_AT_ONCE = 128
_WEEK_PASSES = 7


class Night:
    """Runs passes.

    Args:
        seed: of the store, to name memories.
        damaged: ordinals already known to be lost when the store was opened.
        verified_at: when everything had last been decoded; None: never. embedder: its name.
        offload: where compression runs.
    """

    def __init__(self, seed: int, damaged: set[int], verified_at: int | None, embedder: str, offload: Offload, *,
                 graph: Address, writer: Address, reader: Address, broadcaster: Address) -> None:
        self._seed = seed
        self._damaged = damaged
        self.verified_at = verified_at
        self._embedder = embedder
        self._offload = offload
        self._graph, self._writer, self._reader, self._broadcaster = graph, writer, reader, broadcaster
        self._carried: list[Any] = []
        self._share = 0

    # Ticks

    async def carry(self) -> int:
        """Makes durable what was strengthened. Returns how much the graph was asked so far."""
        while True:
            touches = await self._graph.ask(ask.TakeTouched())
            self._carried += touches.changes  # kept until the writer has them, so that a full disk forgets nothing
            if not self._carried:
                return touches.asked
            await self._writer.ask(ask.Record(self._carried))
            self._carried = []

    async def checkpoint(self, state: dict[str, Any]) -> None:
        """Replaces the index by the present state."""
        await self.carry()
        # An empty record group still answers the sequence reached: everything up to it has been learned.
        covers = await self._writer.ask(ask.Record([]))
        weight = await self._writer.ask(ask.Weigh())
        snapshot = await self._graph.ask(ask.Export(covers, state | {
            "next_ordinal": weight.next_ordinal, "embedder": self._embedder}))
        await self._writer.ask(ask.WriteIndex(await self._offload.run(encode_index, snapshot)))
        await self.save_caches(all_of_them=False)

    async def save_caches(self, *, all_of_them: bool) -> None:
        """Writes the derived caches that are worth it."""
        caches = await self._graph.ask(ask.ExportCaches(all_of_them))
        if caches:
            await self._writer.ask(ask.WriteCaches(caches))

    # The pass

    async def sleep(self, depth: str, cause: str, now: int, state: Callable[[], dict[str, Any]]) -> Report:
        """Runs a pass and reports it.

        Args:
            depth: light, deep, rem or all. cause: what started it. now: UTC milliseconds.
            state: the small facts that go into the index, asked for at its end.
        """
        self._tell("sleep.started", {"depth": depth, "cause": cause})
        before, weight_before = await self._figures(now, replan=False)
        expected, _ = await self._figures(now, replan=True)
        decayed = pruned = 0
        moves: dict[str, tuple[int, int]] = {}
        if depth in ("light", "all"):
            decayed, pruned = await self._graph.ask(ask.Fade(now))
            self._tell("sleep.decay", {"decayed": decayed, "pruned": pruned})
            moves = await self._graph.ask(ask.Retier(now))
            self._tell("sleep.tiers", {name: moved[0] for name, moved in moves.items()})
        sealed, verified = 0, 0
        segments_before = 0
        folded: list[int] = []
        lost_before = set(self._damaged)
        if depth in ("deep", "all"):
            segments_before = await self._writer.ask(ask.Rotate())
            sealed, folded = await self._seal(segments_before, weight_before)
            verified = await self._verify(_WEEK_PASSES, self._share % _WEEK_PASSES)
            self._share += 1
            if self._share % _WEEK_PASSES == 0:
                self.verified_at = now
        await self.checkpoint(state())
        if segments_before and not self._damaged - lost_before:
            # A segment whose texts cannot all be read is evidence: it stays.
            await self._writer.ask(ask.Drop(segments_before, folded))
        after, weight_after = await self._figures(now, replan=False)
        report = _report(depth, cause, now, before, expected, after, weight_before.bytes, weight_after.bytes, moves)
        report = msgspec.structs.replace(
            report, edges_decayed=decayed, edges_pruned=pruned, sealed=sealed, verified=verified,
            unrecoverable=len(self._damaged))
        self._tell("tiers", {name: figures.count for name, figures in after.tiers.items()})
        self._tell("sleep.finished", {"sealed": sealed, "total_bytes": weight_after.bytes.total_bytes})
        return report

    async def foresee(self, depth: str, now: int) -> Report:
        """The report of a pass that would run now; writes nothing."""
        before, weight = await self._figures(now, replan=False)
        expected, _ = await self._figures(now, replan=depth in ("light", "all"))
        report = _report(depth, "preview", now, before, expected, before, weight.bytes, weight.bytes, {})
        return msgspec.structs.replace(report, dry=True, unrecoverable=len(self._damaged))

    async def _figures(self, now: int, *, replan: bool) -> tuple[ask.Census, ask.Weight]:
        census = await self._graph.ask(ask.Count(now, replan))
        weight = await self._writer.ask(ask.Weigh())
        tiers = stored_by_tier(census.tiers, census.by_file, weight.ratios)
        return msgspec.structs.replace(census, tiers=tiers), weight

    async def _seal(self, segments_before: int, weight: ask.Weight) -> tuple[int, list[int]]:
        """Moves texts from complete segments into packs. Returns how many, and the packs that were folded in."""
        packs = frozenset(weight.packs)
        fresh = await self._graph.ask(ask.Unsealed(segments_before, packs, frozenset()))
        also = frozenset(number for places in fresh for number in self._to_fold(places, weight))
        if also:
            fresh = await self._graph.ask(ask.Unsealed(segments_before, packs, also))
        total, done = sum(len(places.ordinals) for places in fresh), 0
        unread: set[int] = set()
        for places in fresh:
            async with aclosing(self._texts(places)) as batches:
                async for rows, lost in batches:
                    unread |= lost
                    if rows:
                        await self._pack(places.agent, rows)
                    done += len(rows) + len(lost)
                    self._tell("sleep.seal", {"done": done, "total": total})
        kept = {place[0] for places in fresh for ordinal, place in zip(places.ordinals, places.places, strict=True)
                if ordinal in unread}
        return total - len(unread), sorted(also - kept)

    async def _pack(self, agent: str, rows: list[tuple[int, str]]) -> None:
        pack = await self._offload.run(encode_pack, agent, rows)
        number = await self._writer.ask(ask.WritePack(pack.content))
        await self._graph.ask(ask.Relocate(
            agent, [ordinal for ordinal, _ in rows], [(number, block, row) for block, row in pack.places]))

    def _to_fold(self, places: ask.Places, weight: ask.Weight) -> Iterator[int]:
        collected = sum(1 for _ in places.ordinals) * 128  # about what they will weigh; the packs say it exactly
        mine = sorted((number for number, pack in weight.packs.items() if pack[0] == places.agent), reverse=True)
        for number in mine:
            raw = weight.packs[number][2]
            if raw > 2 * collected or collected + raw > limits.pack_raw_bytes:
                return
            collected += raw
            yield number

    async def _texts(self, places: ask.Places) -> AsyncGenerator[tuple[list[tuple[int, str]], set[int]], None]:
        """The texts of some memories in batches that fill a pack, with the ordinals whose text is lost."""
        rows: list[tuple[int, str]] = []
        lost: set[int] = set()
        size = 0
        for start in range(0, len(places.ordinals), _READ_AT_ONCE):
            some = slice(start, start + _READ_AT_ONCE)
            texts = await self._read(places, some)
            for ordinal, text in zip(places.ordinals[some], texts, strict=True):
                if isinstance(text, HippoError):
                    lost.add(ordinal)
                    continue
                rows.append((ordinal, text))
                size += len(text)
                if size >= limits.pack_raw_bytes:
                    yield rows, lost
                    rows, lost, size = [], set(), 0
        if rows or lost:
            yield rows, lost

    async def _read(self, places: ask.Places, some: slice) -> list[str | HippoError]:
        texts = await self._reader.ask(ask.Read(list(zip(
            places.places[some], places.ordinals[some], places.tags[some], strict=True))))
        for ordinal, text in zip(places.ordinals[some], texts, strict=True):
            (self._damaged.add if isinstance(text, HippoError) else self._damaged.discard)(ordinal)
        return texts

    # Verification

    async def verify_all(self, now: int) -> None:
        """Decodes every memory."""
        self._damaged.clear()
        await self._verify(1, 0)
        self.verified_at = now

    async def _verify(self, modulus: int, remainder: int) -> int:
        count = 0
        for places in await self._graph.ask(ask.Sample(modulus, remainder)):
            for start in range(0, len(places.ordinals), _READ_AT_ONCE):
                count += len(await self._read(places, slice(start, start + _READ_AT_ONCE)))
        return count

    def verdict(self) -> ask.Verdict:
        """What is known of damaged memories."""
        return ask.Verdict([id_of(ordinal, self._seed) for ordinal in sorted(self._damaged)], self.verified_at)

    def _tell(self, name: str, data: dict[str, Any]) -> None:
        self._broadcaster.tell_nowait(ask.Announce(name, None, data))


def _report(depth: str, cause: str, now: int, before: ask.Census, expected: ask.Census, after: ask.Census,
            bytes_before: Bytes, bytes_after: Bytes, moves: dict[str, tuple[int, int]]) -> Report:
    return Report(
        cause=cause, depth=depth, at=now, memories=after.memories, before=bytes_before, after=bytes_after,
        tiers={name: TierReport(
            target_ratio=limits.tier_ratios[name], floors=limits.tier_fidelity_floors[name],
            before=before.tiers[name], expected=expected.tiers[name], after=after.tiers[name],
            moved_in=moves.get(name, (0, 0))[0], moved_out=moves.get(name, (0, 0))[1]) for name in limits.tier_floors})


def report_text(report: Report) -> str:
    """A report for people."""
    lines = [f"{report.cause} ({report.depth}): {report.memories} memories, "
             f"{report.before.total_bytes} -> {report.after.total_bytes} bytes"]
    lines += [f"  {name:4} {tier.after.count:7} memories  {tier.after.raw_bytes:9} raw  {tier.after.stored_bytes:9} "
              f"stored  ratio {tier.after.ratio:.2f} (aims at {tier.target_ratio:g})  in {tier.moved_in}, "
              f"out {tier.moved_out}" for name, tier in report.tiers.items()]
    lines.append(f"  associations: {report.edges_decayed} decayed, {report.edges_pruned} pruned; "
                 f"{report.sealed} texts sealed, {report.verified} verified, {report.unrecoverable} unrecoverable")
    return "\n".join(lines)
