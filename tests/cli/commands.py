"""Commands as people run them: child processes against a folder of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_seconds_max = 60


class Ran(NamedTuple):
    """How a command ended: its exit code, what it wrote to stdout and to stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it answered with --json."""
        return json.loads(self.out)


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what would set hippo up."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("HIPPO_") and name not in ("HOST", "PORT", "NO_COLOR")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "TZ": "UTC", **more}


def hippo(*arguments: str, folder: Path, stdin: bytes | str | None = b"", **environ: str) -> Ran:
    """Run one command to its end; `stdin` None: as on a terminal that gives nothing."""
    ended = subprocess.run(
        [sys.executable, "-m", "hippo", *arguments], input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True, timeout=_seconds_max, env=environment(HIPPO_DIR=str(folder), **environ), check=False)
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@contextmanager
def daemon(folder: Path, *arguments: str, **environ: str) -> Iterator[str]:
    """A daemon on any free port, for as long as the block runs; its address."""
    child = subprocess.Popen(
        [sys.executable, "-m", "hippo", "serve", "--port", "0", *arguments], stderr=subprocess.PIPE, text=True,
        env=environment(HIPPO_DIR=str(folder), **environ))
    assert child.stderr is not None
    try:
        lines = iter(child.stderr.readline, "")
        yield next(line.split()[-1].removesuffix("/mcp") for line in lines if line.startswith("  MCP"))
    finally:
        child.terminate()
        child.communicate(timeout=_seconds_max)
