"""`hippo stdio`: MCP over stdin and stdout, through the daemon that owns the store.

1. Where no daemon owns the store one is started, on any free port; it ends by itself some time after its last client.
2. Clients that start at once each start one: the store lets one have it, and the others find its address.
3. The client goes on when the daemon is started again, wherever that listens: the store's lock file says where.
4. Nothing but MCP messages is written to stdout.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import click

import hippo
from hippo import limits
from hippo.cli.daemon_link import listening_at, owner_of
from hippo.cli.terminal import remark
from hippo.errors import DaemonNotStarted, StoreInUse
from hippo.settings import Settings, load

_seconds_between_looks = 0.05
_seconds_to_let_another_listen = 1.0
_said_bytes_max = 64 * 1024


@click.command()
@click.option("--dir", "folder", metavar="FOLDER", help="The store's folder (HIPPO_DIR).")
@click.option("--url", metavar="URL", help="Join the daemon at this address.")
def stdio(folder: str | None, url: str | None) -> int:
    """Speak MCP over stdin and stdout, through the daemon that owns the store.

    One is started where none runs. Any number of clients can do this at once: they share that daemon.
    """
    settings, warnings = load({"dir": folder}, os.environ)
    for warning in warnings:
        remark(f"warning: {warning}")
    return speak(settings, url, {})


def speak(settings: Settings, url: str | None, flags: Mapping[str, object]) -> int:
    """Relay until the client closes its end.

    Args:
        settings: where the store is.
        url: of the daemon to join, when the person named one.
        flags: settings given on the command line, for a daemon that has to be started.
    Raises:
        DaemonNotStarted: none runs, and none could be started.
    """
    # One that a person named stays where it is; the owner of a store is looked for where it went.
    owner = _Owner(settings, flags)
    address = url or owner.start()

    import trio

    trio.run(_relay, address, None if url else owner)
    return 0


class _Owner:
    """Where the daemon is that owns a store (rules 1 and 3).

    Args:
        settings: where the store is.
        flags: for a daemon that has to be started.
    """

    def __init__(self, settings: Settings, flags: Mapping[str, object]) -> None:
        self._settings, self._flags = settings, flags

    def look(self) -> str | None:
        """Its address, as far as the lock file and the machine tell."""
        owner = owner_of(self._settings.dir)
        return None if owner is None else owner.url

    def start(self) -> str:
        """Its address, once it answers; it is started if none runs."""
        return join(self._settings, self._flags)


async def _relay(url: str, owner: _Owner | None) -> None:
    import trio

    from hippo.interfaces.stdio import relay_here

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_stay_present, url, owner)
        await relay_here(url, owner)
        nursery.cancel_scope.cancel()


async def _stay_present(url: str, owner: _Owner | None) -> None:
    """Holds an event stream open while the client lives, so that a daemon that only serves stdio stays awake."""
    import trio

    while True:
        parts = urlsplit((owner.look() if owner else None) or url)
        try:
            async with await trio.open_tcp_stream(parts.hostname or "127.0.0.1", parts.port or 80) as stream:
                await stream.send_all(f"GET /api/events HTTP/1.1\r\nhost: {parts.netloc}\r\n\r\n".encode())
                while await stream.receive_some(4096):
                    pass
        except (OSError, trio.BrokenResourceError):
            pass  # it is asked again; what the client wants says for itself whether the daemon is there
        await trio.sleep(1.0)


def join(settings: Settings, flags: Mapping[str, object]) -> str:
    """The address of the daemon that owns the store, started now where there is none.

    Args:
        settings: where the store is.
        flags: for the daemon that is started.
    Raises:
        DaemonNotStarted: what the daemon said when it ended, or that it took too long.
    """
    until = time.monotonic() + limits.daemon_start_seconds
    start_at = 0.0
    with tempfile.TemporaryFile() as said:
        child: subprocess.Popen[bytes] | None = None
        while (url := listening_at(settings.dir)) is None:
            now = time.monotonic()
            if now > until:
                raise DaemonNotStarted(why=f"it did not listen within {limits.daemon_start_seconds:g} s")
            if child is None and now >= start_at:
                child = _start(settings.dir, flags, said)
            elif child is not None and child.poll() is not None:
                if child.returncode != StoreInUse.exit_code:
                    raise DaemonNotStarted(why=_reason(said, child.returncode))
                # Another process came first: a daemon that is about to listen, or a command that is about to end.
                child, start_at = None, now + _seconds_to_let_another_listen
            time.sleep(_seconds_between_looks)
    if child is not None:
        # Should it end before this client does, it must not stay behind as a process that seems to own the store.
        threading.Thread(target=child.wait, daemon=True).start()
    return url


def _start(folder: Path, flags: Mapping[str, object], said: IO[bytes]) -> subprocess.Popen[bytes]:
    from hippo.cli.serve import as_arguments

    chosen = {**flags, "dir": folder, "port": 0, "transport": "http", "idle_exit_seconds": limits.stdio_idle_seconds}
    # It starts where this very package lies: a client's working folder may hold something else of that name.
    return subprocess.Popen(
        [sys.executable, "-m", "hippo", "serve", "--detached", *as_arguments(chosen)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
        cwd=Path(hippo.__file__).parents[1])


def _reason(said: IO[bytes], code: int) -> str:
    """What the daemon said last: its error where it names one."""
    said.seek(0)
    lines = [line.strip() for line in said.read(_said_bytes_max).decode("utf-8", "replace").splitlines()]
    named = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    last = [*named, *(line for line in lines[::-1] if line), f"it ended with code {code} and said nothing"][0]
    return last.rstrip(".")
