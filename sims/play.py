"""One seed, one whole daemon on a faulty disk: `python -m sims.play [--seed N] [--seeds COUNT]`.

Everything that could differ between two runs comes from the seed: what clients ask, in which order trio runs the tasks,
when the machine stops, what of the unsynced writes is left. Several clients remember, recall, list, sleep and skip time
at once; the machine stops in the middle, starts again, several times; after each start the oracle checks every promise.
A seed that breaks one is printed with the line that plays it again, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import trio
import trio._core._run as scheduler  # its order of tasks is drawn from one private generator, seeded below

from hippo.daemon import awake
from hippo.errors import HippoError
from hippo.interfaces.service import Service
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from sims.disk import Crash, FaultyDisk
from sims.oracle import AGENTS, Oracle, PromiseBroken, is_expected
from sims.people import episodes

EPOCH_MS = 1_767_225_600_000
_LIVES = 3
_CLIENTS = 3


class Play:
    """One run.

    Args:
        seed: of everything. steps: that each client takes in each life. lying: see FaultyDisk.
    """

    def __init__(self, seed: int, steps: int = 12, *, lying: bool = False) -> None:
        self.seed, self._steps = seed, steps
        self._chance = random.Random(seed)
        self.disk = FaultyDisk(seed, lying=lying)
        self.oracle = Oracle()
        self._texts = iter(episodes(seed, 100_000, EPOCH_MS))
        self._settings: Settings = load(
            {"dir": "/simulated", "epoch": str(EPOCH_MS), "embedder": "term-frequency"}, {})[0]
        logging.getLogger("hippo").setLevel(logging.ERROR)  # what a crash has damaged is expected here

    def run(self) -> str:
        """Plays it to the end; the digest of the disk that is left.

        Raises:
            PromiseBroken: what it says.
        """
        scheduler._r.seed(self.seed)  # type: ignore[attr-defined]
        scheduler._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[attr-defined]
        for _ in range(_LIVES):
            self.disk.crash_after(self._chance.randrange(1, 40 * _CLIENTS))
            self._live(faulty=True)
            self.disk.restart()
            self._live(faulty=False)
        digest = hashlib.blake2b(digest_size=16)
        for name, content in self.disk.files().items():
            digest.update(name.encode() + b"\0" + content)
        return digest.hexdigest()

    def _live(self, *, faulty: bool) -> None:
        try:
            trio.run(self._day if faulty else self._inspection, strict_exception_groups=True)
        except BaseException as error:
            broken = _find(error, PromiseBroken)
            if broken is not None:
                raise broken from None
            if not (faulty and self.disk.crashed and is_expected(error, (Crash, trio.Cancelled))):
                raise

    async def _inspection(self) -> None:
        async with awake(self._settings, self.disk, Offload(0)) as service:
            await self.oracle.check(service)

    async def _day(self) -> None:
        async with awake(self._settings, self.disk, Offload(0)) as service, trio.open_nursery() as nursery:
            for _ in range(_CLIENTS):
                nursery.start_soon(self._client, service, random.Random(self._chance.random()))

    async def _client(self, service: Service, chance: random.Random) -> None:
        for _ in range(self._steps):
            try:
                await self._step(service, chance)
            except HippoError:
                continue  # refused: a full disk, or something that is not there
            if chance.random() < 0.04:
                self.disk.fill_up(chance.randrange(1, 12))

    async def _step(self, service: Service, chance: random.Random) -> None:
        agent = chance.choice(AGENTS)
        match chance.randrange(12):
            case 0 | 1 | 2 | 3:
                await self._remember(service, [self._row(agent, chance)])
            case 4 | 5:
                await self._remember(service, [self._row(agent, chance) for _ in range(chance.randrange(2, 9))])
            case 6 | 7:
                await service.recall(Recall(cue=next(self._texts).question, agent_id=agent, peek=chance.random() < 0.3))
            case 8:
                known = [one for one, (owner, _) in self.oracle.known.items() if owner == agent]
                if known:
                    one = chance.choice(known)
                    if (await service.inspect(Inspect(id=one, agent_id=agent))).text != self.oracle.known[one][1]:
                        raise PromiseBroken(f"{one} of {agent} reads differently")
            case 9:
                await service.memories(ListMemories(agent_id=agent, limit=chance.randrange(1, 30)))
            case 10:
                await service.sleep(Sleep(depth=chance.choice(("light", "deep", "rem", "all"))))
            case _:
                if chance.random() < 0.5:
                    await service.timeskip(TimeSkip(days=chance.choice((0.5, 1, 30))))
                else:
                    await service.preview(Preview())
                    await service.stats(MemoryStats())

    def _row(self, agent: str, chance: random.Random) -> Remember:
        key = f"key {chance.randrange(40)}" if chance.random() < 0.15 else None
        # A client that repeats a key repeats its text: the first try may be durable though its answer was lost.
        text = next(self._texts).text if key is None else f"What {agent} keeps under {key}."
        row = Remember(text=text, agent_id=agent, conversation=f"talk {chance.randrange(3)}", key=key)
        self.oracle.sends(row)
        return row

    async def _remember(self, service: Service, rows: list[Remember]) -> None:
        for row, stored in zip(rows, await service.remember(rows), strict=True):
            if not isinstance(stored, HippoError):
                self.oracle.acknowledged(row, stored.id)


def _find(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    if isinstance(error, BaseExceptionGroup):
        return next((found for part in error.exceptions if (found := _find(part, kind)) is not None), None)
    return error if isinstance(error, kind) else None


def play(seed: int) -> tuple[int, str]:
    """One seed: (seed, what went wrong, or nothing)."""
    try:
        Play(seed).run()
    except Exception as error:  # whatever it is, the seed is what is needed
        return seed, f"{type(error).__name__}: {error}"
    return seed, ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m sims.play", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="how many, from --seed on")
    given = parser.parse_args()
    print(f"seeds {given.seed} to {given.seed + given.seeds - 1}", flush=True)
    began = time.monotonic()
    with ProcessPoolExecutor() as pool:
        broken = [(seed, why) for seed, why in pool.map(play, range(given.seed, given.seed + given.seeds),
                                                        chunksize=8) if why]
    for seed, why in broken:
        print(f"python -m sims.play --seed {seed}    # {why}")
    print(f"{given.seeds - len(broken)} of {given.seeds} kept every promise, in {time.monotonic() - began:.0f} s")
    sys.exit(1 if broken else 0)
