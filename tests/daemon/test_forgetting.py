"""A daemon that is killed while it forgets: what it had begun to forget is gone after the restart, and soon its bytes."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

from hippo.store.disk import FolderDisk
from sims.bench.rig import Connection
from sims.people import episodes
from sims.remains import holding
from sims.storm import killed_daemon

_ROUNDS = 6
_SECONDS_MAX = 120.0
_START_MS = 1_735_689_600_000


def _forgets(url: str, one: str, answered: list[str]) -> None:
    line = Connection(url)
    with suppress(Exception):  # it is killed in the middle of it: that is the point
        answered += [memory["id"] for memory in line.rest("/api/forget", {"id": one})["memories"]]
    line.close()


def _still_holds(folder: Path, word: str) -> bool:
    try:
        return bool(holding(FolderDisk(folder), [word]))
    except FileNotFoundError:  # it was removed while they were looked at
        return True


def _is_there(line: Connection, one: str) -> bool:
    return one in [memory["id"] for memory in line.rest("/api/memories?limit=1000")["memories"]]


def test_what_a_killed_daemon_had_begun_to_forget_is_gone_after_the_restart_and_soon_its_bytes(tmp_path: Path) -> None:
    said = list(episodes(3, 400, _START_MS))
    pause, outcomes = 0.0, []
    for number in range(_ROUNDS):
        word = f"Quixel{number}borough"
        with killed_daemon(tmp_path) as line:
            if not number:
                line.rest("/api/remember", {"memories": [{"text": one.text, "created_at": one.at} for one in said]})
            one = line.rest("/api/remember", {"text": f"The spare key lies under the third stone of {word}."})["id"]
            line.rest("/api/sleep", {})
            began, answered = time.monotonic(), list[str]()
            forgetting = threading.Thread(target=_forgets, args=(line.url, one, answered))
            forgetting.start()
            if number:
                time.sleep(pause * number / _ROUNDS)
            else:
                forgetting.join()
                pause = time.monotonic() - began
        forgetting.join()
        with killed_daemon(tmp_path) as line:
            there = _is_there(line, one)
            outcomes.append((bool(answered), there))
            assert not (answered and there)
            if there:
                assert line.rest("/api/forget", {"id": one})["memories"]
                assert holding(FolderDisk(tmp_path), [word]) == {}
            until = time.monotonic() + _SECONDS_MAX
            while _still_holds(tmp_path, word):
                assert time.monotonic() < until
                time.sleep(0.05)
            stats = line.rest("/api/stats?verify=1")
            assert (stats["unrecoverable"], stats["damage"]) == (0, [])
    assert outcomes[0] == (True, False)
    assert (False, False) in outcomes  # some were killed on the way
