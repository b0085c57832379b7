"""hippo stdio: MCP over stdin and stdout, through the daemon that owns the store; one is started where none runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import click

from hippo import limits
from hippo.cli.daemon_link import listening_at
from hippo.cli.terminal import remark
from hippo.errors import DaemonUnreachable
from hippo.settings import Settings, load

_LOG = "daemon.log"


@click.command()
@click.option("--dir", "dir", metavar="FOLDER", help="The store's folder (HIPPO_DIR).")
@click.option("--url", metavar="URL", help="Join the daemon at this address.")
def stdio(dir: str | None, url: str | None) -> int:
    """Speak MCP over stdin and stdout. Any number of clients can do so at once: they share one daemon."""
    settings, warnings = load({"dir": dir}, os.environ)
    for warning in warnings:
        remark(f"warning: {warning}")
    address = url or join(settings)

    import trio

    from hippo.interfaces.stdio import relay

    trio.run(relay, address, lambda: url or join(settings))
    return 0


def join(settings: Settings) -> str:
    """The address of the daemon that owns the store, started now where there is none.

    Several clients may start one at the same time: the store lets only one of them have it, the others find its address.

    Raises:
        DaemonUnreachable: none came up in time; what the last one said is named.
    """
    found = listening_at(settings.dir)
    started: subprocess.Popen[bytes] | None = None
    until = time.monotonic() + limits.daemon_start_seconds
    log = Path(settings.dir) / _LOG
    while found is None:
        if time.monotonic() > until:
            raise DaemonUnreachable(url=str(settings.dir), why=_last_line(log))
        if started is None:
            settings.dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(log, "wb") as said:
                started = subprocess.Popen(
                    [sys.executable, "-m", "hippo", "serve", "--dir", str(settings.dir), "--port", "0",
                     "--idle-exit", str(limits.stdio_idle_seconds)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
        time.sleep(0.05)
        found = listening_at(settings.dir)
    return found


def _last_line(log: Path) -> str:
    try:
        lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    return lines[-1] if lines else "the daemon that was started said nothing"
