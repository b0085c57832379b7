"""Benchmarks of passes: what recall and remember feel of one, and what a nightly one costs in a store of some size."""

from __future__ import annotations

import os
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from sims.bench.rig import Connection, daemon, fill, said, spread, timed

_SEED = 7
_FRESH = 100
_NIGHTS = 9


def felt(memories: int, folder: Path) -> dict[str, Any]:
    """Recall and remember while a first pass goes through the whole store, against idle."""
    talk = said(_SEED, memories + 20_000)
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        fill(line, talk[:memories])
        asked = [one.question for one in talk[:memories:max(1, memories // 1000)]]
        fresh = iter(talk[memories:])
        verbs = {"recall": lambda n: line.tool("recall", cue=asked[n % len(asked)], peek=True),
                 "remember": lambda n: line.tool("remember", text=next(fresh).text)}
        figures: dict[str, Any] = {"memories": memories}
        for name, call in verbs.items():
            timed(call, 100)
            figures[name] = {"idle": spread(timed(call, 1000))}
        asleep = threading.Thread(target=lambda: Connection(url).rest("/api/sleep", {}))
        asleep.start()
        began = time.perf_counter()
        waits: dict[str, list[float]] = {name: [] for name in verbs}
        while asleep.is_alive():
            for name, call in verbs.items():
                waits[name] += timed(call, 20)
        figures["pass_s"] = round(time.perf_counter() - began, 1)
        for name, some in waits.items():
            figures[name]["asleep"] = spread(some) | {"calls": len(some)}
            figures[name]["ratio_p99"] = round(
                figures[name]["asleep"]["p99_ms"] / figures[name]["idle"]["p99_ms"], 2)
        return figures


def night(memories: int, folder: Path) -> dict[str, Any]:
    """Nightly passes after a hundred new memories each, in a store of so many and in one of a tenth, in turns."""
    with ExitStack() as stack:
        stores = [_Store(stack, count, folder / str(count)) for count in (memories // 10, memories)]
        for number in range(_NIGHTS):
            for store in stores:
                store.night(number)
    few, many = (median(store.took) for store in stores)
    return {"memories": memories, "stores": [store.figures() for store in stores], "ratio": round(many / few, 2)}


class _Store:
    """A filled store that has slept, and what its nights took: seconds, and processor time of daemon and worker."""

    def __init__(self, stack: ExitStack, count: int, folder: Path) -> None:
        self._count, self._talk = count, said(_SEED, count + _FRESH * _NIGHTS)
        folder.mkdir()
        self._url, self._pid, _ = stack.enter_context(daemon(folder))
        line = Connection(self._url)
        fill(line, self._talk[:count])
        began = time.perf_counter()
        for _ in range(2):
            line.rest("/api/sleep", {})
        self._first = time.perf_counter() - began
        self.took, self._used = list[float](), list[float]()

    def night(self, number: int) -> None:
        line = Connection(self._url)  # the last one was closed while the other store was filled
        fill(line, self._talk[self._count + number * _FRESH:][:_FRESH])
        line.tool("recall", cue="settle", peek=True)
        before, began = _processor_seconds(self._pid), time.perf_counter()
        line.rest("/api/sleep", {})
        self.took.append(time.perf_counter() - began)
        self._used.append(_processor_seconds(self._pid) - before)

    def figures(self) -> dict[str, Any]:
        return {"memories": self._count, "first_s": round(self._first, 1), "median_s": round(median(self.took), 2),
                "pass_s": [round(one, 2) for one in self.took], "processor_s": [round(one, 2) for one in self._used]}


def _processor_seconds(pid: int) -> float:
    """User and system time of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
