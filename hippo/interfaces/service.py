"""Every verb, once: MCP tools, REST routes, commands and the library all call these.

1. What comes in is checked here, and only here; what is wrong is a `HippoError` that says what to do.
2. Verbs stand in files by what they do; all of them are methods of this one class. Here are those of the daemon as a
   whole: sleep, figures, events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import trio

from hippo import __version__, limits
from hippo.errors import NotAllowedHere
from hippo.interfaces.carrying import Carrying
from hippo.interfaces.consolidating import Consolidating
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.facts import FactFinding
from hippo.mind.figures import stored
from hippo.model.health import Health
from hippo.model.report import Report, Stats
from hippo.model.verb import MemoryStats, Preview, Sleep, TimeSkip
from hippo.runtime import messages as ask


class Service(Carrying, Consolidating, FactFinding):
    """The verbs of one daemon."""

    # Sleep and figures

    async def sleep(self, verb: Sleep) -> Report:
        """Runs a pass now; it takes as long as it takes."""
        return await self.sleeper.ask(ask.SleepNow(verb.depth))

    async def preview(self, verb: Preview) -> Report:
        """What a pass would do now."""
        return await self.sleeper.ask(ask.Foresee(verb.depth))

    @within_deadline
    async def report(self) -> Report | None:
        """The report of the last pass."""
        return await self.sleeper.ask(ask.LastReport())

    async def timeskip(self, verb: TimeSkip) -> Report:
        """Moves the clock on and lets the time pass.

        Raises:
            NotAllowedHere: on a real clock without demo mode.
        """
        if not self.may_skip:
            raise NotAllowedHere(what="Skipping time would age every memory for good: it needs HIPPO_DEMO=on or a "
                                      "frozen clock (HIPPO_EPOCH).")
        return await self.sleeper.ask(ask.Skip(round(verb.days * limits.ms_per_day)))

    async def stats(self, verb: MemoryStats) -> Stats:
        """The figures of the whole store; with `verify` after decoding everything."""
        verdict = await self.sleeper.ask(ask.Verify(verb.verify))
        report = await self.report()
        census = await self.graph_actor.ask(ask.Count())
        weight = await self.writer.ask(ask.Weigh())
        sizes = weight.bytes
        return Stats(
            memories=census.memories, agents=len(census.agents), associations=census.associations,
            schemas=census.schemas, tiers=stored(census.tiers, census.by_file, weight.packs),
            raw_bytes=census.raw_bytes,
            **{name: getattr(sizes, name) for name in sizes.__struct_fields__},
            budget_bytes=self.budget.bytes_max, over_budget=self.budget.over, alert=self.budget.alert,
            unrecoverable=len(verdict.unrecoverable),
            verified_at=verdict.verified_at, embedder=self.sensing.embedder,
            last_report=None if report is None else msgspec.to_builtins(report), version=__version__,
            damage=[*weight.damage, *(f"Memory {name} cannot be reconstructed." for name in verdict.unrecoverable)])

    @within_deadline
    async def health(self) -> Health:
        """How the daemon is."""
        weight = await self.writer.ask(ask.Weigh())
        census = await self.graph_actor.ask(ask.Count())
        return Health(status="ok" if weight.writable else "degraded", version=__version__, writable=weight.writable,
                      memories=census.memories, uptime_s=round(trio.current_time() - self.started, 1),
                      timeskip=self.may_skip)

    # Events

    @asynccontextmanager
    async def subscribe(self, agent_id: str | None, last_event_id: int | None) -> AsyncIterator[
            trio.MemoryReceiveChannel[ask.Event]]:
        """Follows what happens to one agent, from an event on; the channel ends when the daemon stops."""
        channel = await self.broadcaster.ask(ask.Subscribe(self.drafting.agent(agent_id), last_event_id))
        async with channel:
            yield channel

    async def hush(self) -> None:
        """Ends every subscription, which is the first step of shutting down."""
        await self.broadcaster.ask(ask.Hush())
