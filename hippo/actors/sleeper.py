"""The sleeper actor: the ticks that carry learning to the journal, the nightly pass, and the passes that are asked for.

1. Every tick, what recall strengthened is taken from the graph and made durable.
2. When many changes lie in the journal, the index is replaced, so that a start has little to replay.
3. A pass runs when the local hour is `sleep_hour` and nothing was asked for ten minutes, at the latest 36 hours after
   the last; or every `sleep_interval`; or when asked for. Nothing of it holds up recall or remember.
4. With a frozen clock nothing happens by itself: two runs do the same at the same moments.
5. At the end the last tick and the last index are written, before the writer goes.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec
import trio

from hippo import limits
from hippo.actors.night import Night
from hippo.actors.reporting import report_text
from hippo.errors import HippoError, NotErased, StoreUnwritable, WorkerLost
from hippo.model.change import Skipped
from hippo.model.report import Report
from hippo.runtime import carrying, knowing, passes
from hippo.runtime import messages as ask
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import Address, Envelope, Inbox, serve
from hippo.settings import Settings

log = logging.getLogger("hippo")


class SleeperActor:
    """What the sleeper actor owns: the schedule, and what is known of damaged memories.

    Args:
        settings: the hour, the interval, whether passes run by themselves.
        clock: real, frozen or skipped.
        night: runs a pass. budget: what the store may take. last_report: that of the last pass, from before the start.
        unfinished: what was forgotten and is not erased yet, by agent.
        writer, graph: whom the ticks ask; the sleeper closes every address it holds.
    """

    def __init__(self, settings: Settings, clock: Clock, night: Night, budget: Budget, last_pass_at: int,
                 last_report: Report | None, unfinished: dict[str, list[int]], writer: Address, graph: Address,
                 *others: Address) -> None:
        self._settings = settings
        self._clock = clock
        self._night = night
        self._last_pass_at = last_pass_at
        self._writer = writer
        self._graph = graph
        self._others = others
        self._budget = budget
        self._last_report = last_report
        for agent, ordinals in unfinished.items():
            night.erasure.waits(agent, ordinals)
        self._asked = 0
        self._quiet_since = clock.now_ms()
        self._answers: dict[type[Any], Callable[[Any], Any]] = {
            ask.SleepNow: self._sleep_now, ask.Foresee: self._foresee, ask.Verify: self._verify,
            ask.Restore: self._restore, ask.Skip: self._skip, knowing.Forget: self._forget,
            carrying.Adopt: self._adopt, carrying.Seal: self._seal, passes.Checkpoint: self._checkpoint}
        self._one_at_a_time = trio.Lock()

    async def run(self, inbox: Inbox) -> None:
        """Serves and ticks until every address is closed, then carries the last of it to the writer.

        A pass that is under way then is broken off: every moment of it is as good as its end.
        """
        try:
            async with trio.open_nursery() as nursery:
                if self._night.erasure.waiting:
                    nursery.start_soon(self._finish_erasing)
                if not self._clock.frozen:
                    nursery.start_soon(self._tick_on)
                while (envelope := await _next(inbox)) is not None:
                    if isinstance(envelope.request, ask.LastReport):
                        envelope.answer(self._last_report)
                    elif isinstance(envelope.request, ask.Verify) and not envelope.request.all:
                        envelope.answer(self._night.verification.verdict())
                    else:
                        nursery.start_soon(self._serve, envelope)
                nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await self._finish()
        finally:
            inbox.close()
            for address in (self._writer, self._graph, *self._others):
                address.close()

    async def _serve(self, envelope: Envelope) -> None:
        """Long work, one at a time, beside the requests that only want to know something."""
        async with _dropping(envelope), self._one_at_a_time:
            await serve(envelope, self._answer)

    async def _answer(self, request: Any) -> Any:
        return await self._answers[type(request)](request)

    async def _tick_on(self) -> None:
        while True:
            await trio.sleep(limits.tick_seconds)
            try:
                async with self._one_at_a_time:
                    await self._tick()
            except (StoreUnwritable, WorkerLost) as error:
                # Health says so; the next tick tries again, and nothing taken so far is forgotten.
                log.warning("%s", error.message)

    async def _tick(self) -> None:
        asked = await self._night.carry()
        now = self._clock.now_ms()
        if asked != self._asked:
            self._asked, self._quiet_since = asked, now
        weight = await self._writer.ask(ask.Weigh())
        if self._night.erasure.waiting and weight.writable and not self._night.erasure.is_stuck:
            await self._erase()
        if self._is_due(now, weight.bytes.journal_bytes):
            await self._pass("all", "night")
        elif weight.changes >= limits.checkpoint_changes:
            await self._night.checkpoint(self._state())

    def _is_due(self, now: int, journal_bytes: int) -> bool:
        settings, since = self._settings, now - self._last_pass_at
        if not settings.sleep_enabled:
            return False
        if settings.sleep_interval is not None:
            return since >= settings.sleep_interval * 1000
        if since >= limits.sleep_latest_hours * 3_600_000 or journal_bytes >= limits.seal_bytes:
            return True
        if self._budget.over and since >= limits.budget_pass_hours * 3_600_000:
            return True
        local = datetime.fromtimestamp(now / 1000, UTC).astimezone(settings.zone)
        quiet = now - self._quiet_since >= limits.sleep_quiet_seconds * 1000
        return local.hour == settings.sleep_hour and quiet and since >= 2 * 3_600_000

    def _state(self) -> dict[str, Any]:
        return {"last_pass_at": self._last_pass_at, "skip_ms": self._clock.skip_ms}

    async def _pass(self, depth: str, cause: str) -> Report:
        await self._erase()
        self._last_pass_at = now = self._clock.now_ms()
        report = await self._night.sleep(depth, cause, now, self._state)
        if not self._clock.frozen:
            report = msgspec.structs.replace(report, duration_ms=self._clock.now_ms() - now)
        self._last_report = report
        line = msgspec.json.encode(report).decode()
        await self._writer.ask(ask.LogReport(report_text(report), line))
        return report

    async def _sleep_now(self, request: ask.SleepNow) -> Report:
        return await self._pass(request.depth, request.cause)

    async def _foresee(self, request: ask.Foresee) -> Report:
        return await self._night.foresee(request.depth, self._clock.now_ms())

    async def _verify(self, request: ask.Verify) -> ask.Verdict:
        await self._night.verification.all(self._clock.now_ms())
        return self._night.verification.verdict()

    async def _restore(self, request: ask.Restore) -> bool:
        return await self._night.restore(request, self._clock.now_ms(), self._state())

    async def _forget(self, request: knowing.Forget) -> bool:
        is_known = not request.ordinals and request.texts == []  # that it is forgotten: only its erasure is waited for
        if not is_known and not await self._night.erasure.forget(request):
            return False
        # From here on it is forgotten, whatever happens.
        try:
            await self._night.erase(self._state())
        except NotErased:
            if request.agent in self._night.erasure.waiting:
                raise
        return True

    async def _adopt(self, request: carrying.Adopt) -> bool:
        if not await self._writer.ask(request):
            return False
        await self._graph.ask(request)
        self._night.adopt(request.seed)
        return True

    async def _checkpoint(self, request: passes.Checkpoint) -> None:
        await self._night.checkpoint(self._state())

    async def _seal(self, request: carrying.Seal) -> None:
        await self._erase()
        await self._night.seal(self._state())

    async def _finish_erasing(self) -> None:
        async with self._one_at_a_time:
            try:
                await self._erase()
            except (StoreUnwritable, WorkerLost) as error:
                log.warning("What was forgotten is not erased yet: %s", error.message)

    async def _erase(self) -> None:
        """Erases what waits for it; what cannot be, keeps nothing else from being done."""
        try:
            await self._night.erase(self._state())
        except NotErased as error:
            log.warning("%s", error.message)

    async def _skip(self, request: ask.Skip) -> Report:
        total = self._clock.skip_ms + request.ms
        await self._writer.ask(ask.Record([Skipped(total)]))
        self._clock.skip(request.ms)
        return await self._pass("light", "timeskip")

    async def _finish(self) -> None:
        try:
            await self._night.carry()
            weight = await self._writer.ask(ask.Weigh())
            if weight.changes:
                await self._night.checkpoint(self._state())
            await self._night.indexing.save_caches(all_of_them=True)
        except HippoError:  # a disk that cannot be written, or an actor that a bug has ended
            pass  # what is acknowledged lies in the journal; the next start replays it


@asynccontextmanager
async def _dropping(envelope: Envelope) -> AsyncIterator[None]:
    """Drops an envelope whose turn never came."""
    try:
        yield
    except BaseException:
        envelope.drop()
        raise


async def _next(inbox: Inbox) -> Envelope | None:
    try:
        return await inbox.receive()
    except trio.EndOfChannel:
        return None
