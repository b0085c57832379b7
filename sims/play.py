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
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import trio
import trio._core._run as scheduler  # its order of tasks is drawn from one private generator, seeded below
import trio.testing

from hippo import limits
from hippo.daemon import awake
from hippo.errors import HippoError, ShuttingDown, StoreUnwritable
from hippo.model.verb import Sleep
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from hippo.store.check import check
from sims.audit import audit
from sims.clients import Client, numbered
from sims.disk import Crash, FaultyDisk
from sims.oracle import Oracle
from sims.promises import PromiseBroken, must

EPOCH_MS = 1_767_225_600_000
STEPS = 12
_CLIENTS = 3
_SECONDS_MAX = 120  # of real time, for one seed: a daemon that hangs is a broken promise
_WORDLLAMA_EVERY = 16


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
        self.oracle = Oracle(self.disk, self.disk.torn)
        self._texts = numbered(seed, EPOCH_MS)
        embedder = "term-frequency" if seed % _WORDLLAMA_EVERY else "wordllama"
        self._settings: Settings = load(
            {"dir": "/simulated", "epoch": str(EPOCH_MS), "embedder": embedder, "tz": "UTC",
             "sleep_preserve_originals": ("off", "on")[seed % 2]}, {})[0]
        logging.getLogger("hippo").setLevel(logging.ERROR)  # what a crash has damaged is expected here

    def run(self) -> str:
        """Plays it to the end; the digest of the disk that is left.

        Raises:
            PromiseBroken: what it says.
        """
        scheduler._r.seed(self.seed)
        scheduler._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[attr-defined]
        gain = limits.lossy_gain_min
        limits.lossy_gain_min = 0.0  # so small a store gains little by abridging
        try:
            for _ in range(self._chance.randrange(2, 6)):
                self.live(stops=self._chance.random() < 0.85)
                self.between()
            self.inspect()
        finally:
            limits.lossy_gain_min = gain
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
        self.oracle.is_nowhere()

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
            await audit(self.oracle, service, EPOCH_MS)
            if sleeps:
                await service.sleep(Sleep(depth="all"))

    async def _day(self, stop_after: int | None) -> None:
        try:
            async with awake(self._settings, self.disk, Offload(0)) as service:
                with self.disk.calm():
                    await audit(self.oracle, service, EPOCH_MS)
                self.disk.stop_after(stop_after)
                async with trio.open_nursery() as nursery:
                    for _ in range(_CLIENTS):
                        nursery.start_soon(self._lives, Client(
                            service, self.oracle, random.Random(self._chance.random()), self._texts, EPOCH_MS))
        except StoreUnwritable:
            must(self.disk.refusals > 0 or self.disk.crashed, "a start was refused without a reason")

    async def _lives(self, client: Client) -> None:
        chance = random.Random(self._chance.random())
        for _ in range(self._steps):
            refusals = self.disk.refusals
            try:
                await client.step()
            except StoreUnwritable as error:
                must(self.disk.refusals > refusals or self.disk.crashed, f"without a reason: {error}")
            except ShuttingDown:
                must(self.disk.crashed, "the daemon says that it is shutting down, and nobody asked it to")
            except HippoError as error:
                raise PromiseBroken(f"a client is told {type(error).__name__}: {error}") from error
            if chance.random() < 0.04:
                self._trouble(chance)

    def _trouble(self, chance: random.Random) -> None:
        if chance.random() < 0.6:
            self.disk.fill_up(chance.randrange(1, 25))
        else:
            self.disk.fail_syncs(chance.randrange(1, 3))


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
