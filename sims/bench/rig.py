"""What the benchmarks share: a daemon as a child process, one MCP connection to it, and figures."""

from __future__ import annotations

import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sims.people import Said, episodes

START_MS = 1_735_689_600_000  # 2025-01-01
_START_SECONDS = 60.0


class Connection:
    """One keep-alive connection that speaks MCP and REST."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._line = http.client.HTTPConnection(url.removeprefix("http://"), timeout=600)
        self._number = 0

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def post(self, path: str, body: Any) -> bytes:
        """The raw answer to a POST."""
        self._line.request("POST", path, json.dumps(body), {
            "content-type": "application/json", "accept": "application/json, text/event-stream"})
        reply = self._line.getresponse()
        content = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{path}: {reply.status} {content[:300]!r}")
        return content

    def rest(self, path: str, body: Any = None) -> Any:
        """The JSON answer of a route."""
        if body is not None:
            return json.loads(self.post(path, body))
        self._line.request("GET", path)
        return json.loads(self._line.getresponse().read())

    def tool(self, name: str, **arguments: Any) -> bytes:
        """Calls a tool; the raw answer."""
        self._number += 1
        content = self.post("/mcp", {"jsonrpc": "2.0", "id": self._number, "method": "tools/call",
                                     "params": {"name": name, "arguments": arguments}})
        if b'"isError":true' in content or b'"error"' in content[:80]:
            raise RuntimeError(content[:300])
        return content

    def initialize(self) -> bytes:
        """The handshake of the older era."""
        return self.post("/mcp", {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}})


@contextmanager
def daemon(folder: Path, *, as_shipped: bool = False) -> Iterator[tuple[str, int, float]]:
    """A daemon on a store, with the tools that do nothing, or as it is shipped. Gives its address, its pid, and the
    seconds until it listened."""
    began = time.perf_counter()
    started = ["hippo", "serve", "--detached", "--port", "0"] if as_shipped else ["sims.bench.server"]
    child = subprocess.Popen([sys.executable, "-m", *started, "--dir", str(folder)])
    try:
        while True:
            try:
                facts = json.loads((folder / "lock").read_text())
                if facts.get("pid") == child.pid and facts.get("url"):
                    break
            except (OSError, ValueError):
                pass
            if child.poll() is not None or time.perf_counter() - began > _START_SECONDS:
                raise RuntimeError("the daemon did not start")
            time.sleep(0.005)
        yield facts["url"], child.pid, time.perf_counter() - began
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(60)


def said(seed: int, count: int) -> list[Said]:
    """The utterances that a store of this size holds."""
    return list(episodes(seed, count, START_MS))


def fill(line: Connection, memories: list[Said]) -> float:
    """Stores memories in batches; memories a second."""
    began = time.perf_counter()
    for start in range(0, len(memories), 500):
        line.rest("/api/remember", {"memories": [
            {"text": one.text, "conversation": one.conversation, "created_at": one.at}
            for one in memories[start:start + 500]]})
    return len(memories) / (time.perf_counter() - began)


def timed(call: Callable[[int], Any], count: int) -> list[float]:
    """Milliseconds of each of `count` calls."""
    waits = []
    for number in range(count):
        began = time.perf_counter()
        call(number)
        waits.append(1000 * (time.perf_counter() - began))
    return waits


def spread(waits: list[float]) -> dict[str, float]:
    """Median and 99th percentile, in milliseconds."""
    ordered = sorted(waits)
    return {"p50_ms": round(statistics.median(ordered), 3), "p99_ms": round(ordered[int(len(ordered) * 0.99)], 3)}


def resident_bytes(pid: int) -> int:
    """The resident memory of a process, 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
