"""hippo doctor: what works on this machine and what does not, one line each."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

import click

from hippo.cli.daemon_link import listening_at, owner_of
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import escaped, paint, say, say_json
from hippo.errors import HippoError
from hippo.settings import Settings, load

_PACKAGES = ("trio", "hypercorn", "mcp", "numpy", "simsimd", "tokenizers", "wordllama", "zstandard", "brotli", "lz4")
_FREE_BYTES_MIN = 100_000_000
_BROKEN = 69
Line = tuple[bool, str, str]  # whether it works, what it is, in words


@click.command()
@seated(agent=False, url=False)
def doctor(seat: Seat) -> int:
    """Say what works on this machine and what does not. Ends with a code other than 0 when something is broken."""
    lines = [line for look in _LOOKS for line in look(seat.settings)]
    if seat.as_json:
        say_json({"findings": [{"ok": ok, "what": what, "found": found} for ok, what, found in lines]})
    else:
        for ok, what, found in lines:
            mark = paint("✔", fg="green") if ok else paint("✘", fg="red")
            say(f"{mark} {what}: {escaped(found)}")
    return 0 if all(ok for ok, _, _ in lines) else _BROKEN


def _python(settings: Settings) -> Iterator[Line]:
    found = ".".join(map(str, sys.version_info[:3]))
    yield sys.version_info >= (3, 11), "Python", found
    for name in _PACKAGES:
        try:
            yield True, name, version(name)
        except PackageNotFoundError:
            yield False, name, "is not installed; install hippo again"


def _settings(settings: Settings) -> Iterator[Line]:
    warnings = load({"dir": str(settings.dir)}, os.environ)[1]
    yield not warnings, "settings", " ".join(warnings) or "all known"


def _folder(settings: Settings) -> Iterator[Line]:
    folder = settings.dir
    nearest = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    writable = os.access(nearest, os.W_OK | os.X_OK)
    made = "" if folder.exists() else "not made yet, "
    yield writable, "store", f"{folder} ({made}{'writable' if writable else 'not writable for this user'})"
    free = shutil.disk_usage(nearest).free
    yield free >= _FREE_BYTES_MIN, "free space", f"{free / 1e9:.1f} GB"


def _embedder(settings: Settings) -> Iterator[Line]:
    from hippo.embed.embedder import open_embedder

    try:
        embedder = open_embedder(settings.embedder)
        embedder.embed(["Does this machine understand words?"])
        yield True, "embedder", f"{embedder.name}, {embedder.dimensions} dimensions"
    except HippoError as error:
        yield False, "embedder", error.message


def _daemon(settings: Settings) -> Iterator[Line]:
    url = listening_at(settings.dir)
    owner = owner_of(settings.dir)
    if url is not None:
        yield True, "daemon", f"answers at {url}"
    elif owner is not None:
        yield False, "daemon", f"process {owner.pid} owns the store but does not answer"
    else:
        free = _is_free(settings)
        yield free, "port", f"{settings.port} {'is free' if free else 'is taken by another program'}"


def _is_free(settings: Settings) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((settings.host, settings.port)) != 0


_LOOKS: tuple[Callable[[Settings], Iterator[Line]], ...] = (_python, _settings, _folder, _embedder, _daemon)
