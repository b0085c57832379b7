"""Benchmarks of passes: what recall and remember feel of one, and what a nightly one costs in a store of some size."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

from sims.bench.rig import Connection, daemon, fill, said, spread, timed

_SEED = 7
_FRESH = 100
_NIGHTS = 5


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
    """Nightly passes after a hundred new memories each: the daemon's and its worker's processor time, and seconds."""
    talk = said(_SEED, memories + _FRESH * _NIGHTS)
    with daemon(folder) as (url, pid, _):
        line = Connection(url)
        fill(line, talk[:memories])
        began = time.perf_counter()
        for _ in range(2):
            line.rest("/api/sleep", {})
        first = time.perf_counter() - began
        took, used = [], []
        for number in range(_NIGHTS):
            fill(line, talk[memories + number * _FRESH:][:_FRESH])
            line.tool("recall", cue="settle", peek=True)
            before, began = _processor_seconds(pid), time.perf_counter()
            line.rest("/api/sleep", {})
            took.append(time.perf_counter() - began)
            used.append(_processor_seconds(pid) - before)
        return {"memories": memories, "first_s": round(first, 1), "pass_s": [round(one, 2) for one in took],
                "processor_s": [round(one, 2) for one in used], "median_s": round(sorted(took)[_NIGHTS // 2], 2)}


def _processor_seconds(pid: int) -> float:
    """User and system time of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
