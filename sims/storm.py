"""A storm of crashes on the real disk: `python -m sims.storm [--rounds N | --passes N] [--seed N]`.

`--rounds`: each round starts a daemon, stores one memory over HTTP, and kills the daemon with SIGKILL the moment it has
been acknowledged; every third one is killed in the middle of a pass. In the end every acknowledged memory must be
found, by its id and by recall, word for word.

`--passes`: a store of many memories grows older by days from round to round, so that every pass has texts to move and
to abridge; each is killed at a random moment of it. In the end a pass must finish, nothing may be unrecoverable, and
every memory must say what was stored, or an abridgement of it.

Ends non-zero when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hippo.text.residual import is_abridgement
from sims.bench.rig import Connection, said

_START_SECONDS = 120.0
_AGED_MEMORIES = 600


@contextmanager
def killed_daemon(folder: Path, *flags: str) -> Iterator[Connection]:
    """A connection to a fresh daemon, which is killed on leaving."""
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--dir", str(folder), "--port", "0", *flags],
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


def _sleep(line: Connection, ended: threading.Event | None = None) -> None:
    with suppress(Exception):  # it is killed in the middle of it: that is the point
        line.rest("/api/sleep", {})
        if ended is not None:
            ended.set()


def missing(folder: Path, known: dict[str, str]) -> list[str]:
    """What a daemon started now does not have, or has wrong."""
    with killed_daemon(folder) as line:
        lost = [one for one, text in known.items() if line.rest(f"/api/memories/{one}").get("text") != text]
        for one, text in list(known.items())[::10]:
            found = line.rest("/api/recall", {"cue": text, "k": 5, "peek": True})["results"]
            lost += [one] if one not in [memory["id"] for memory in found] else []
        stats = line.rest("/api/stats?verify=1")
        return lost + (["unrecoverable"] if stats["unrecoverable"] else [])


def storm_of_passes(folder: Path, rounds: int, seed: int) -> dict[str, object]:
    """Kills a pass in every round; what was found in the end."""
    chance = random.Random(seed)
    known: dict[str, str] = {}
    talk = said(seed, _AGED_MEMORIES + 3 * rounds)
    long = 1.0  # seconds that a pass has been seen to take
    killed = 0
    for number in range(rounds):
        with killed_daemon(folder, "--demo", "on") as line:
            fresh = talk[:_AGED_MEMORIES] if not number else talk[_AGED_MEMORIES + 3 * number:][:3]
            answers = line.rest("/api/remember", {"memories": [
                {"text": one.text, "conversation": one.conversation} for one in fresh]})["results"]
            known |= {answer["id"]: one.text for answer, one in zip(answers, fresh, strict=True)}
            line.rest("/api/timeskip", {"days": chance.choice((1, 3, 10))})
            pass_ended = threading.Event()
            threading.Thread(target=_sleep, args=(Connection(line.url), pass_ended), daemon=True).start()
            began = time.monotonic()
            if pass_ended.wait(chance.uniform(0, 1.2 * long)):
                long = time.monotonic() - began
            else:
                killed += 1
    with killed_daemon(folder) as line:
        report = line.rest("/api/sleep", {})
        wrong = [one for one, text in known.items()
                 if not _is_what_was_said(text, line.rest(f"/api/memories/{one}"))]
        stats = line.rest("/api/stats?verify=1")
    return {"rounds": rounds, "killed_in_a_pass": killed, "memories": len(known), "wrong": wrong,
            "unrecoverable": stats["unrecoverable"], "damage": stats["damage"],
            "tiers": {name: tier["after"]["count"] for name, tier in report["tiers"].items()}}


def _is_what_was_said(text: str, found: dict[str, Any]) -> bool:
    if found.get("lossless"):
        return found.get("text") == text
    return is_abridgement(text, found.get("text", ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m sims.storm", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--passes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.passes is not None:
            seen = storm_of_passes(Path(scratch), given.passes, given.seed)
            print(json.dumps({"seed": given.seed, **seen}))
            sys.exit(1 if seen["wrong"] or seen["unrecoverable"] or seen["damage"] else 0)
        acknowledged = storm(Path(scratch), given.rounds)
        gone = missing(Path(scratch), acknowledged)
        print(json.dumps({"rounds": given.rounds, "acknowledged": len(acknowledged),
                          "found": len(acknowledged) - len(set(gone)), "missing": gone}))
        sys.exit(1 if gone else 0)
