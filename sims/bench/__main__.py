"""Benchmarks of the running daemon, as JSON: `python -m sims.bench NAME [--memories N]`.

Every figure of a tool stands beside calls of tools that do nothing, taken on the same connection in the same run: one
that goes the SDK's whole way (`no_op`), and one that goes the short way which recall and remember go (`no_op_quiet`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hippo.model.change import Remembered
from hippo.model.memory import Draft
from sims.bench.knowledge import knowledge
from sims.bench.nights import felt, night
from sims.bench.rig import Connection, daemon, fill, resident_bytes, said, spread, timed

_SEED = 7


def _against_nothing(line: Connection, call: Callable[[int], Any], count: int) -> dict[str, Any]:
    """A call and calls of nothing, in turns of a hundred, so that a machine that changes its speed changes all."""
    waits: dict[str, list[float]] = {"mine": [], "no_op": [], "no_op_quiet": []}
    for start in range(0, count, 100):
        for name in ("no_op", "no_op_quiet"):
            waits[name] += timed(lambda n, name=name: line.tool(name, text="nothing"), 100)  # type: ignore[misc]
        waits["mine"] += timed(lambda n, start=start: call(start + n), 100)  # type: ignore[misc]
    mine, whole, short = (spread(some) for some in waits.values())
    return {**mine, "no_op": whole, "ratio_p50": round(mine["p50_ms"] / whole["p50_ms"], 2),
            "no_op_quiet": short, "ratio_p50_quiet": round(mine["p50_ms"] / short["p50_ms"], 2)}


def recall(memories: int, folder: Path) -> dict[str, Any]:
    """Recall through MCP, learning and peeking."""
    talk = said(_SEED, memories)
    with daemon(folder) as (url, pid, _):
        line = Connection(url)
        filled = fill(line, talk)
        line.tool("recall", cue="warm up")
        asked = [one.question for one in talk[::max(1, len(talk) // 1000)]]
        return {
            "memories": memories, "filled_per_s": round(filled),
            "recall": _against_nothing(line, lambda n: line.tool("recall", cue=asked[n % len(asked)]), 500),
            "peek": _against_nothing(line, lambda n: line.tool("recall", cue=asked[n % len(asked)], peek=True), 500),
            "resident_mb": round(resident_bytes(pid) / 1e6)}


def remember(memories: int, folder: Path) -> dict[str, Any]:
    """A durable remember through MCP."""
    talk = said(_SEED, memories + 500)
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        fill(line, talk[:memories])
        line.tool("recall", cue="warm up")
        return {"memories": memories, "remember": _against_nothing(
            line, lambda n: line.tool("remember", text=talk[memories + n].text), 500)}


def start(memories: int, folder: Path) -> dict[str, Any]:
    """A start on a full store: until it listens, until the handshake, until the first answer."""
    talk = said(_SEED, memories)
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        fill(line, talk)
        line.rest("/api/sleep", {})
    began = time.perf_counter()
    with daemon(folder, as_shipped=True) as (url, pid, listening):
        line = Connection(url)
        handshake = timed(lambda n: line.initialize(), 1)[0]
        line.tool("recall", cue=talk[0].question, peek=True)
        first = time.perf_counter() - began
        return {"memories": memories, "listening_s": round(listening, 3), "initialize_ms": round(handshake, 1),
                "first_answer_s": round(first, 3), "resident_mb": round(resident_bytes(pid) / 1e6),
                "sizes": {k: v for k, v in line.rest("/api/stats").items() if k.endswith("_bytes")}}


def engine(memories: int, folder: Path) -> dict[str, Any]:
    """Durable writes of the store alone: one at a time, and in groups of 128."""
    from hippo.codec.record import text_tag
    from hippo.store.disk import FolderDisk
    from hippo.store.store import Store

    store = Store.open(FolderDisk(folder), seed=1)
    changes = [Remembered(n, Draft(text=one.text, created_at=one.at, conversation=one.conversation),
                          text_tag(one.text), one.at) for n, one in enumerate(said(_SEED, memories))]
    singles = changes[:2000]
    began = time.perf_counter()
    for change in singles:
        store.append([change])
        store.sync()
    single = len(singles) / (time.perf_counter() - began)
    began = time.perf_counter()
    for at in range(2000, len(changes), 128):
        store.append(changes[at:at + 128])
        store.sync()
    grouped = (len(changes) - 2000) / (time.perf_counter() - began)
    store.close()
    return {"single_per_s": round(single), "grouped_per_s": round(grouped)}


def flood(memories: int, folder: Path) -> dict[str, Any]:
    """Recall while eight clients write as fast as they can."""
    talk = said(_SEED, memories)
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        fill(line, talk)
        asked = [one.question for one in talk[::max(1, len(talk) // 1000)]]

        def ask(count: int) -> dict[str, float]:
            return spread(timed(lambda n: line.tool("recall", cue=asked[n % len(asked)], peek=True), count))

        ask(100)
        idle = ask(1000)
        before = line.rest("/api/stats")["memories"]
        writers = subprocess.Popen([sys.executable, "-m", "sims.bench.flood", url])
        time.sleep(2.0)
        began = time.perf_counter()
        busy = ask(1000)
        took = time.perf_counter() - began + 2.0
        writers.kill()
        writers.wait()
        written = line.rest("/api/stats")["memories"] - before
        return {"memories": memories, "idle": idle, "flooded": busy, "written_per_s": round(written / took),
                "ratio_p99": round(busy["p99_ms"] / idle["p99_ms"], 2)}


def view(memories: int, folder: Path) -> dict[str, Any]:
    """Frames of the brain view in a browser, and the time until it shows a large store."""
    from sims.bench.view import measured  # it needs the driver of a browser, which nothing else here does

    return measured(memories, folder)


_BENCHES = {"recall": recall, "remember": remember, "start": start, "engine": engine, "flood": flood, "felt": felt,
            "night": night, "knowledge": knowledge, "view": view}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m sims.bench", description=__doc__)
    parser.add_argument("bench", choices=_BENCHES)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="knowledge: where filled stores are found again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print(json.dumps({"bench": given.bench, **_BENCHES[given.bench](given.memories, given.keep or Path(scratch))}))
