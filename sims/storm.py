"""A storm of crashes on the real disk: `python -m sims.storm [--rounds N] [--dir FOLDER]`.

Each round starts a daemon, stores one memory over HTTP, and kills the daemon with SIGKILL the moment it has been
acknowledged; every third one is killed in the middle of a pass. In the end every acknowledged memory must be found, by
its id and by recall, word for word. Ends non-zero when one is not.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sims.bench.rig import Connection

_START_SECONDS = 120.0


@contextmanager
def killed_daemon(folder: Path) -> Iterator[Connection]:
    """A connection to a fresh daemon, which is killed on leaving."""
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--dir", str(folder), "--port", "0"],
                             stderr=subprocess.DEVNULL)
    began = time.monotonic()
    try:
        while True:
            with suppress(OSError, ValueError):
                facts = json.loads((folder / "lock").read_text())
                if facts.get("pid") == child.pid and facts.get("url"):
                    break
            if child.poll() is not None or time.monotonic() - began > _START_SECONDS:
                raise RuntimeError("the daemon did not start")
            time.sleep(0.005)
        line = Connection(facts["url"])
        try:
            yield line
        finally:
            line.close()
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()


def storm(folder: Path, rounds: int) -> dict[str, str]:
    """Runs the rounds; what was acknowledged, by id."""
    known: dict[str, str] = {}
    for number in range(rounds):
        text = f"Round {number}: locker {number * 7919 % 100_003} holds the lantern of night {number}."
        with killed_daemon(folder) as line:
            if number % 3 == 2:
                threading.Thread(target=_sleep, args=(line,), daemon=True).start()
                own = Connection(line.url)
            else:
                own = line
            known[own.rest("/api/remember", {"text": text})["id"]] = text
            if own is not line:
                own.close()
    return known


def _sleep(line: Connection) -> None:
    with suppress(Exception):  # it is killed in the middle of it: that is the point
        line.rest("/api/sleep", {})


def missing(folder: Path, known: dict[str, str]) -> list[str]:
    """What a daemon started now does not have, or has wrong."""
    with killed_daemon(folder) as line:
        lost = [one for one, text in known.items() if line.rest(f"/api/memories/{one}").get("text") != text]
        for one, text in list(known.items())[::10]:
            found = line.rest("/api/recall", {"cue": text, "k": 5, "peek": True})["results"]
            lost += [one] if one not in [memory["id"] for memory in found] else []
        stats = line.rest("/api/stats?verify=1")
        return lost + (["unrecoverable"] if stats["unrecoverable"] else [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m sims.storm", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        acknowledged = storm(Path(scratch), given.rounds)
        gone = missing(Path(scratch), acknowledged)
        print(json.dumps({"rounds": given.rounds, "acknowledged": len(acknowledged),
                          "found": len(acknowledged) - len(set(gone)), "missing": gone}))
        sys.exit(1 if gone else 0)
