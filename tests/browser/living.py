"""A daemon as a child process that can be killed and started again where it was, and a client beside the page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

from tests.daemon_fixture import environment

_SECONDS_MAX = 180  # to start and to end: generous, for slow machines
_POLL_SECONDS = 0.02


class Living:
    """One daemon.

    Args:
        folder: of its store. settings: of hippo, in the environment's names without HIPPO_, in lower case.
    """

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port, self.url = folder, 0, ""
        self._settings = settings
        self._environ = {**environment(), **{f"HIPPO_{name.upper()}": value for name, value in settings.items()}}
        self._child: subprocess.Popen[str] | None = None
        self._said: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed by `close`
        self._http = httpx.Client(timeout=_SECONDS_MAX)

    def start(self) -> Living:
        """Starts it, the first time on any free port and from then on on that; waits until it listens."""
        self._child = child = subprocess.Popen(
            [sys.executable, "-m", "hippo", "serve", "--dir", str(self.folder), "--port", str(self.port)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said, text=True, env=self._environ)
        end = time.monotonic() + _SECONDS_MAX
        while (facts := self._facts()).get("pid") != child.pid or not facts.get("url"):
            assert child.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(_POLL_SECONDS)
        self.url = facts["url"]
        self.port = int(self.url.rpartition(":")[2])
        return self

    def _facts(self) -> dict[str, Any]:
        try:
            facts: dict[str, Any] = json.loads((self.folder / "lock").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return facts

    def kill(self) -> None:
        """Ends it in the middle of whatever it does."""
        if self._child is not None:
            self._child.kill()
            self._child.wait(_SECONDS_MAX)
            self._child = None
        self._hang_up()

    def worker(self) -> int | None:
        """The pid of the process that does the heavy work of a pass, where one runs."""
        assert self._child is not None
        for children in Path(f"/proc/{self._child.pid}/task").glob("*/children"):
            for pid in children.read_text().split():
                if b"hippo.runtime.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
        return None

    def stop(self) -> None:
        """Ends it as a service is ended, and it has to end well."""
        child, self._child = self._child, None
        if child is not None:
            child.send_signal(signal.SIGTERM)
            try:
                code = child.wait(_SECONDS_MAX)
            finally:
                child.kill()
                child.wait()
            assert code == 0, self.said()
        self._hang_up()
        assert "Traceback" not in self.said(), self.said()

    def close(self) -> None:
        """Lets go of everything, whatever came before."""
        try:
            self.stop()
        finally:
            self._http.close()
            self._said.close()

    def _hang_up(self) -> None:
        self._http.close()
        self._http = httpx.Client(timeout=_SECONDS_MAX)

    def said(self) -> str:
        """What it wrote to stderr."""
        self._said.seek(0)
        said = self._said.read()
        self._said.seek(0, os.SEEK_END)
        return said

    @contextmanager
    def elsewhere(self) -> Iterator[Living]:
        """While this one is away: its store with another daemon, which the page knows nothing of."""
        other = Living(self.folder, **self._settings)
        try:
            yield other.start()
        finally:
            other.close()

    # The client beside the page

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """The JSON answer of a route.

        Raises:
            httpx.HTTPStatusError: it is an error.
        """
        answer = self._http.request(method, self.url + path, json=body, params=query)
        answer.raise_for_status()
        return answer.json()

    def remember(self, text: str, **more: Any) -> str:
        """Stores a memory; its id."""
        return str(self.ask("POST", "/api/remember", {"text": text, **more})["id"])

    def fill(self, rows: list[dict[str, Any]]) -> list[str]:
        """Stores many; their ids."""
        return [str(row["id"]) for row in self.ask("POST", "/api/remember", {"memories": rows})["results"]]

    def inspect(self, memory: str, agent: str) -> Any:
        """Everything about one."""
        return self.ask("GET", f"/api/memories/{memory}", agent_id=agent)
