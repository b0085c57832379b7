"""hippo stdio: MCP over stdin and stdout, through the daemon that owns the store; one is started where none runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

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

    trio.run(_relay, address)
    return 0


async def _relay(url: str) -> None:
    import trio

    from hippo.interfaces.stdio import relay_here

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_stay_present, url)
        await relay_here(url)
        nursery.cancel_scope.cancel()


async def _stay_present(url: str) -> None:
    """Holds an event stream open while the client lives, so that a daemon that only serves stdio stays awake."""
    import trio

    parts = urlsplit(url)
    while True:
        try:
            async with await trio.open_tcp_stream(parts.hostname or "127.0.0.1", parts.port or 80) as stream:
                await stream.send_all(f"GET /api/events HTTP/1.1\r\nhost: {parts.netloc}\r\n\r\n".encode())
                while await stream.receive_some(4096):
                    pass
        except (OSError, trio.BrokenResourceError):
            pass  # it is asked again; what the client wants says for itself whether the daemon is there
        await trio.sleep(1.0)


def join(settings: Settings) -> str:
    """The address of the daemon that owns the store, started now where there is none.

    Several clients may start one at the same time: the store lets only one have it, the others find its address.

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
