"""The real daemon as a child process, over an empty store on the real disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

_SECONDS_MAX = 180  # to start and to end: generous, for slow machines
STORE = "store"


class Daemon(NamedTuple):
    """Where the daemon listens, and the folder of its store."""

    url: str
    folder: Path


def environment() -> dict[str, str]:
    """This environment without settings of hippo: a test sees the defaults, whoever runs it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("HIPPO_")}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that answers; SIGTERM ends it afterwards, and it has to end well."""
    folder = tmp_path / STORE
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--dir", str(folder), "--port", "0"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True, env=environment())
    overdue = threading.Timer(_SECONDS_MAX, child.kill)
    overdue.start()
    said: list[str] = []
    awake = threading.Event()

    def listen() -> None:
        assert child.stderr is not None
        for line in child.stderr:
            said.append(line)
            if "/mcp" in line:
                awake.set()
        awake.set()  # it has ended before it was awake

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        awake.wait()
        assert any("/mcp" in line for line in said), "".join(said)
        overdue.cancel()
        yield Daemon(json.loads((folder / "lock").read_text("utf-8"))["url"], folder)
        child.send_signal(signal.SIGTERM)
        code = child.wait(_SECONDS_MAX)
    finally:
        overdue.cancel()
        child.kill()
        child.wait()
        listener.join()
        assert child.stderr is not None
        child.stderr.close()
    assert code == 0, "".join(said)
    assert not any("Traceback" in line for line in said), "".join(said)
