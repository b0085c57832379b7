"""Eight clients that write as fast as they are answered, until they are killed: `python -m sims.bench.flood URL`."""

from __future__ import annotations

import sys
import threading

from sims.bench.rig import START_MS, Connection
from sims.people import episodes


def _write(url: str, number: int) -> None:
    line = Connection(url)
    for one in episodes(100 + number, 10_000_000, START_MS):
        line.tool("remember", text=one.text)


if __name__ == "__main__":
    for number in range(8):
        threading.Thread(target=_write, args=(sys.argv[1], number), daemon=True).start()
    threading.Event().wait()
