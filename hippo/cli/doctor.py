"""`hippo doctor`: what works on this machine and what does not, one line each."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

import click

from hippo import __version__, limits
from hippo.cli.brain import ask, has_store
from hippo.cli.daemon_link import Link, listening_at
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import escaped, paint, say, say_json, size
from hippo.errors import EmbedderFailed, HippoError, ProviderFailed, SetupBroken
from hippo.model.verb import MemoryStats
from hippo.settings import Settings, load

if TYPE_CHECKING:
    from hippo.embed.embedder import Embedder

_packages = ("trio", "hypercorn", "mcp", "msgspec", "numpy", "simsimd", "tokenizers", "wordllama", "PyStemmer",
             "zstandard", "brotli", "lz4", "rapidfuzz", "python-dateutil", "click", "httpx2")
_marks = {"works": ("✔", "green"), "note": ("⚠", "yellow"), "broken": ("✘", "red")}


class Line(NamedTuple):
    """One thing that was looked at: `state` works, note or broken; what it is; what was found."""

    state: str
    what: str
    found: str


@click.command()
@seated(agent=False, url=False)
def doctor(seat: Seat) -> int:
    """Say what works on this machine and what does not.

    It ends with a code other than 0 when something is broken.
    """
    lines = []
    for look in _looks:
        for line in look(seat):
            lines.append(line)
            if not seat.as_json:
                mark, colour = _marks[line.state]
                say(f"{paint(mark, fg=colour)} {line.what}: {escaped(line.found)}")
    if seat.as_json:
        say_json({"findings": [line._asdict() for line in lines]})
    return SetupBroken.exit_code if any(line.state == "broken" for line in lines) else 0


def _state(works: bool) -> str:
    return "works" if works else "broken"


def _python(seat: Seat) -> Iterator[Line]:
    yield Line("works", "hippo", __version__)
    yield Line(_state(sys.version_info >= (3, 11)), "Python", ".".join(map(str, sys.version_info[:3])))
    found: list[str] = []
    missing: list[str] = []
    for name in _packages:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    yield Line("works", "packages", ", ".join(found))
    if missing:
        yield Line("broken", "packages", f"{', '.join(missing)} missing: install hippo again")


def _settings(seat: Seat) -> Iterator[Line]:
    warnings = load({"dir": str(seat.settings.dir)}, os.environ)[1]
    for warning in warnings:
        yield Line("note", "settings", warning)
    if not warnings:
        yield Line("works", "settings", "all known")


def _folder(seat: Seat) -> Iterator[Line]:
    folder = seat.settings.dir
    nearest = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=nearest) as probe:
            probe.write(b"\0")
        yield Line("works", "folder", f"{folder} can be {'written' if folder == nearest else 'made'}")
    except OSError as fault:
        yield Line("broken", "folder", f"{folder} cannot be written: {fault.strerror or fault}")
    free = shutil.disk_usage(nearest).free
    yield Line(_state(free >= limits.free_bytes_min), "free space", size(free))


def _embedder(seat: Seat) -> Iterator[Line]:
    settings = seat.settings
    if bool(settings.embed_url) != bool(settings.embed_model):
        yield Line("note", "embedder", "of HIPPO_EMBED_URL and HIPPO_EMBED_MODEL only one is set: no service is asked")
    try:
        with closing(_opened(settings)) as embedder:
            count, dimensions = embedder.embed(["Does this machine understand words?"]).vectors.shape
            yield Line(_state((count, dimensions) == (1, embedder.dimensions)), "embedder",
                       f"{embedder.name}, {dimensions} dimensions")
    except Exception as fault:  # whatever keeps it from working is what the person came here to learn
        yield Line("broken", "embedder", f"{settings.embedder_name}: {_words(fault)}")


def _opened(settings: Settings) -> Embedder:
    if settings.embed_url and settings.embed_model:
        from hippo.providers.embeddings import ServiceEmbedder

        return ServiceEmbedder(settings.embed_url, settings.embed_key, settings.embed_model)
    from hippo.embed.embedder import open_embedder

    return open_embedder(settings.embedder)


def _language_model(seat: Seat) -> Iterator[Line]:
    url, model = seat.settings.llm_url, seat.settings.llm_model
    if not url or not model:
        if url or model:
            yield Line("note", "language model", "of HIPPO_LLM_URL and HIPPO_LLM_MODEL only one is set: none is asked")
        return
    try:
        import trio

        from hippo.providers.llm import LLM

        trio.run(LLM(url, seat.settings.llm_key, model).verdict, "Tea is a drink.", "Tea is a drink.")
        yield Line("works", "language model", f"{model} answers")
    except Exception as fault:  # as above
        yield Line("broken", "language model", f"{model}: {_words(fault)}")


def _words(fault: Exception) -> str:
    if isinstance(fault, EmbedderFailed | ProviderFailed):
        return str(fault.words["why"])
    return str(fault) or type(fault).__name__


def _daemon(seat: Seat) -> Iterator[Line]:
    url = listening_at(seat.settings.dir)
    if url is not None:
        with Link(url) as link:
            health = link.health()
        works = health.get("writable") is True
        yield Line(_state(works), "daemon", f"answers at {url}, "
                   f"{'and can remember' if works else 'but cannot write: it recalls only'}")
        return
    yield Line("works", "daemon", "none runs on this store")
    fault = _taken(seat.settings)
    yield Line(_state(fault is None), "port", f"{seat.settings.host}:{seat.settings.port} "
               + (f"cannot be used: {fault}" if fault else "is free"))


def _taken(settings: Settings) -> str | None:
    """Why the daemon could not listen, if it could not."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the daemon does
            probe.bind((settings.host, settings.port))
            probe.listen(1)
    except OSError as fault:
        return fault.strerror or str(fault)
    return None


def _store(seat: Seat) -> Iterator[Line]:
    if not has_store(seat.settings.dir):
        yield Line("works", "store", "nothing was remembered here yet")
        return
    try:
        figures = ask(seat.brain(), "stats", MemoryStats())
    except HippoError as error:
        yield Line("broken", "store", f"{error.message} {error.advice}".strip())
        return
    yield Line(_state(not figures["unrecoverable"]), "store",
               f"{figures['memories']} memories of {figures['agents']} agents in {size(figures['total_bytes'])}, "
               f"{figures['unrecoverable']} unrecoverable")
    for sentence in figures["damage"]:
        yield Line("note", "store", sentence)


_looks: tuple[Callable[[Seat], Iterator[Line]], ...] = (
    _python, _settings, _folder, _embedder, _language_model, _daemon, _store)
