"""One seed, one whole daemon on a faulty disk: `python -m sims.play [--seed N] [--seeds COUNT] [--steps N]`.

1. Everything that could differ between two runs comes from the seed: what clients ask, in which order trio runs the
   tasks, when the machine stops, what of the unsynced writes is left. Time is virtual, threads are not used.
2. A life: the daemon starts, on a disk that may fail already; the oracle checks every promise; then several clients
   remember, recall, look, sleep and skip time at once, until they are done, or the disk stops in the middle of it.
3. Between two lives the machine loses its power, or only the process was killed, or everything ended well. At the end
   the store sleeps once on a disk without faults: no damage may be left, and every invariant of FORMAT.md holds.
4. A client may be refused with a reason, and only with one that the disk has given: anything else is a broken promise.

A seed that breaks one is printed with the line that plays it again, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import random
import signal
import sys
import time
from collections.abc import Awaitable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import trio
import trio._core._run as scheduler  # its order of tasks is drawn from one private generator, seeded below
import trio.testing

from hippo.daemon import awake
from hippo.errors import HippoError, MemoryNotFound, ShuttingDown, StoreUnwritable
from hippo.interfaces.service import Service
from hippo.limits import ms_per_day
from hippo.model.verb import GraphView, Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from hippo.store.check import check
from sims.disk import Crash, FaultyDisk
from sims.oracle import AGENTS, Oracle, PromiseBroken, must
from sims.people import episodes

EPOCH_MS = 1_767_225_600_000
STEPS = 12
_CLIENTS = 3
_SECONDS_MAX = 120  # of real time, for one seed: a daemon that hangs is a broken promise
_DAYS = (0.5, 1, 30)
_WORDLLAMA_EVERY = 16
_STRANGE_IDS = ("", "short", "UUUUUUUU", "not an id at all", "ZZZZZZZZ", "00000000")


class Play:
    """One run.

    Args:
        seed: of everything.
        steps: that each client takes in each life.
        lying: see FaultyDisk.
    """

    def __init__(self, seed: int, steps: int = STEPS, *, lying: bool = False) -> None:
        self.seed, self._steps = seed, steps
        self._chance = random.Random(seed)
        self.disk = FaultyDisk(seed, lying=lying)
        self.oracle = Oracle(torn=self.disk.torn)
        self._texts = _numbered(seed)
        embedder = "term-frequency" if seed % _WORDLLAMA_EVERY else "wordllama"
        self._settings: Settings = load(
            {"dir": "/simulated", "epoch": str(EPOCH_MS), "embedder": embedder, "tz": "UTC"}, {})[0]
        logging.getLogger("hippo").setLevel(logging.ERROR)  # what a crash has damaged is expected here

    def run(self) -> str:
        """Plays it to the end; the digest of the disk that is left.

        Raises:
            PromiseBroken: what it says.
        """
        scheduler._r.seed(self.seed)
        scheduler._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[attr-defined]
        for _ in range(self._chance.randrange(2, 6)):
            self.live(stops=self._chance.random() < 0.85)
            self.between()
        self.inspect()
        digest = hashlib.blake2b(digest_size=16)
        for name, content in self.disk.files().items():
            digest.update(name.encode() + b"\0" + len(content).to_bytes(8, "little") + content)
        return digest.hexdigest()

    # Lives

    def live(self, *, stops: bool) -> None:
        """One life of the daemon; `stops`: the disk stops somewhere on the way, if the way is long enough."""
        chance = self._chance
        self.disk.stop_after(chance.randrange(12) if stops and chance.random() < 0.25 else None)
        if chance.random() < 0.15:
            self._trouble(chance)
        self._run(self._day, chance.randrange(1, 120) if stops else None)

    def between(self) -> None:
        """The daemon is gone: a power loss, a kill, or nothing but the end."""
        if self.disk.crashed or self.disk.refusals:
            self.oracle.shaken = True
        self.disk.restart(power_lost=self._chance.random() < (0.6 if self.disk.crashed else 0.3))

    def inspect(self) -> None:
        """Sleeps once on a disk without faults, and starts again: nothing of any fault is left."""
        self._run(self._inspection, True)
        self.oracle.shaken = False
        self._run(self._inspection, False)
        findings = [f"{one.file}: {one.invariant} {one.sentence}" for one in check(self.disk)
                    if one.severity in ("error", "warning")]
        must(not findings, f"after a clean end: {findings}")

    def _run(self, life: Any, *args: Any) -> None:
        try:
            trio.run(life, *args, clock=trio.testing.MockClock(autojump_threshold=0), strict_exception_groups=True)
        except BaseException as error:
            broken = _find(error, PromiseBroken)
            if broken is not None:
                raise broken from error
            if not (self.disk.crashed and _is_all(error, (Crash, trio.Cancelled, StoreUnwritable, ShuttingDown))):
                raise

    async def _inspection(self, sleeps: bool) -> None:
        async with awake(self._settings, self.disk, Offload(0)) as service:
            await self.oracle.check(service, EPOCH_MS)
            if sleeps:
                await service.sleep(Sleep(depth="all"))

    async def _day(self, stop_after: int | None) -> None:
        try:
            async with awake(self._settings, self.disk, Offload(0)) as service:
                with self.disk.calm():
                    await self.oracle.check(service, EPOCH_MS)
                self.disk.stop_after(stop_after)
                async with trio.open_nursery() as nursery:
                    for _ in range(_CLIENTS):
                        nursery.start_soon(self._client, service, random.Random(self._chance.random()))
        except StoreUnwritable:
            must(self.disk.refusals > 0 or self.disk.crashed, "a start was refused without a reason")

    def _trouble(self, chance: random.Random) -> None:
        if chance.random() < 0.6:
            self.disk.fill_up(chance.randrange(1, 25))
        else:
            self.disk.fail_syncs(chance.randrange(1, 3))

    # Clients

    async def _client(self, service: Service, chance: random.Random) -> None:
        for _ in range(self._steps):
            refusals = self.disk.refusals
            try:
                await self._step(service, chance, chance.choice(AGENTS))
            except StoreUnwritable as error:
                must(self.disk.refusals > refusals or self.disk.crashed, f"without a reason: {error}")
            except ShuttingDown:
                must(self.disk.crashed, "the daemon says that it is shutting down, and nobody asked it to")
            except HippoError as error:
                raise PromiseBroken(f"a client is told {type(error).__name__}: {error}") from error
            if chance.random() < 0.04:
                self._trouble(chance)

    async def _step(self, service: Service, chance: random.Random, agent: str) -> None:
        match chance.randrange(16):
            case 0 | 1 | 2 | 3:
                await self._remember(service, chance, [self._row(agent, chance)])
            case 4 | 5:
                await self._remember(service, chance, [
                    self._row(chance.choice(AGENTS), chance) for _ in range(chance.randrange(2, 9))])
            case 6:
                await _impatiently(self._remember(service, chance, [self._row(agent, chance)]), chance.randrange(8))
            case 7 | 8:
                cue = next(self._texts)[1] if chance.random() < 0.9 else None
                answer = await service.recall(Recall(
                    cue=cue, agent_id=agent, k=chance.choice((1, 5, 50)), peek=chance.random() < 0.3))
                for recollection in answer.results:
                    self.oracle.reads(recollection, agent)
            case 9:
                mine = [one for one, promise in self.oracle.known.items() if promise.agent == agent]
                if mine:
                    await self._look(service, chance.choice(mine), agent)
            case 10:
                page = await service.memories(ListMemories(
                    agent_id=agent, limit=chance.randrange(1, 30), contains=chance.choice((None, None, "the"))))
                for memory in page.memories:
                    self.oracle.reads(memory, agent)
            case 11 | 12:
                await service.sleep(Sleep(depth=chance.choice(("light", "deep", "deep", "rem", "all"))))
            case 13:
                await self._skip(service, chance.choice(_DAYS))
            case 14:
                stats = await service.stats(MemoryStats(verify=chance.random() < 0.5))
                must(stats.unrecoverable == 0, f"{stats.unrecoverable} memories cannot be read: {stats.damage}")
            case _:
                await self._mistake(service, chance.choice(_STRANGE_IDS), agent)
                await service.preview(Preview(depth=chance.choice(("light", "all"))))
                await service.graph(GraphView(agent_id=agent, limit=20))

    def _row(self, agent: str, chance: random.Random) -> Remember:
        """Something to remember. Who repeats a key mostly repeats the text, but nobody is made to."""
        text, key, created_at = next(self._texts)[0], None, None
        if chance.random() < 0.2:
            number = chance.randrange(30)
            key, text = f"key {number}", f"What {agent} keeps under {number}{chance.choice(('', '', ', or so'))}."
        if chance.random() < 0.2:
            created_at = EPOCH_MS - chance.randrange(10**11)
        row = Remember(text=text, agent_id=agent, conversation=f"talk {chance.randrange(3)}", key=key,
                       created_at=created_at, salience=chance.choice((None, None, 0.1, 0.9)))
        self.oracle.sends(row)
        return row

    async def _remember(self, service: Service, chance: random.Random, rows: list[Remember]) -> None:
        """Remembers, and what is answered can be looked at from then on."""
        for row, stored in zip(rows, await service.remember(rows), strict=True):
            if isinstance(stored, HippoError):
                raise stored
            self.oracle.acknowledged(row, stored.id)
            if chance.random() < 0.2:
                await self._look(service, stored.id, row.agent_id or "default")

    async def _look(self, service: Service, one: str, agent: str) -> None:
        self.oracle.reads(await service.inspect(Inspect(id=one, agent_id=agent)), agent)

    async def _skip(self, service: Service, days: float) -> None:
        """The skip counts as soon as it is durable; the pass after it may still be refused."""
        ms = round(days * ms_per_day)
        self.oracle.skips_tried_ms += ms
        await service.timeskip(TimeSkip(days=days))
        self.oracle.skipped_ms += ms

    async def _mistake(self, service: Service, one: str, agent: str) -> None:
        try:
            await service.inspect(Inspect(id=one, agent_id=agent))
        except MemoryNotFound:
            return
        must(one in self.oracle.known, f"there is a memory {one!r}")


async def _impatiently(call: Awaitable[None], checkpoints: int) -> None:
    """Asks and soon does not wait for the answer any more: what was sent may be remembered or not."""
    refused: StoreUnwritable | ShuttingDown | None = None
    async with trio.open_nursery() as nursery:
        with trio.CancelScope() as patience:
            nursery.start_soon(_cancel_after, patience, checkpoints)
            try:
                await call
            except (StoreUnwritable, ShuttingDown) as error:
                refused = error  # outside of the nursery it would be a group
        nursery.cancel_scope.cancel()
    if refused is not None:
        raise refused


async def _cancel_after(patience: trio.CancelScope, checkpoints: int) -> None:
    for _ in range(checkpoints):
        await trio.lowlevel.checkpoint()
    patience.cancel()


def _numbered(seed: int) -> Iterator[tuple[str, str]]:
    """Endless texts, each with a word of its own, and a question about each."""
    for number, said in enumerate(episodes(seed, 1_000_000, EPOCH_MS)):
        yield f"{said.text} (note {seed}x{number}n)", said.question


def _find(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    if isinstance(error, BaseExceptionGroup):
        return next((found for part in error.exceptions if (found := _find(part, kind)) is not None), None)
    return error if isinstance(error, kind) else None


def _is_all(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_is_all(part, kinds) for part in error.exceptions)
    return isinstance(error, kinds)


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"it hung for {_SECONDS_MAX} s")


def play(seed: int, steps: int = STEPS) -> tuple[int, str]:
    """One seed: (seed, what went wrong, or nothing)."""
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(_SECONDS_MAX)
    try:
        Play(seed, steps).run()
    except Exception as error:  # whatever it is, the seed is what is needed
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        return seed, f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return seed, ""


def main() -> int:
    """Plays what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.play", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="how many, from --seed on")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each client in each life")
    given = parser.parse_args()
    print(f"seeds {given.seed} to {given.seed + given.seeds - 1}, {given.steps} steps", flush=True)
    began, broken = time.monotonic(), 0
    with ProcessPoolExecutor(min(2, given.seeds)) as pool:
        for seed, why in pool.map(partial(play, steps=given.steps), range(given.seed, given.seed + given.seeds),
                                  chunksize=4):
            if why:
                broken += 1
                print(f"python -m sims.play --seed {seed} --steps {given.steps}    # {why}", flush=True)
    print(f"{given.seeds - broken} of {given.seeds} kept every promise, in {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
