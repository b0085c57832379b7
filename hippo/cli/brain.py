"""One seam between the commands and the memory: the same verbs and wire shapes, whether a daemon owns the store or not.

1. With --url it is that daemon. Else the daemon that owns the store; else the store is opened here.
2. Where it turns out that another process holds the store, that one is waited for, a few seconds: it is a daemon that
   is about to listen, or a command that is about to end.
3. A command that only reads makes no store.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from msgspec import to_builtins
from msgspec.structs import replace

from hippo.cli.daemon_link import Link, listening_at, path_of
from hippo.cli.pace import Pace
from hippo.cli.terminal import size
from hippo.errors import HippoError, StoreInUse, StoreMissing
from hippo.model.knowledge_verb import Export
from hippo.model.verb import Remember
from hippo.settings import Settings

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

_seconds_to_join = 5.0
_seconds_between_looks = 0.1

T = TypeVar("T")
Told = Callable[[Any], None]


class Source(NamedTuple):
    """What is imported: a file or a folder, its format where a person named one, for whom, and whether only to look."""

    path: Path
    form: str | None
    dry_run: bool
    agent: str | None


class Brain(Protocol):
    """Verbs of the service, by name: structs of hippo.model in, JSON values of the wire out."""

    where: str

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """Ask the same verb for each request in turn, and tell each answer as it comes.

        Args:
            verb: a method of the service that has a route in `ROUTES`.
            requests: a struct for each call; a list of structs for `remember`; None where the verb takes nothing.
            told: called with each answer.
        Raises:
            HippoError: the first call that was refused.
        """
        ...

    def export(self, request: Export, write: Callable[[bytes], object]) -> str:
        """Take an export, piece by piece.

        Args:
            request: whose, in which format.
            write: called with each piece.
        Returns:
            How its file should be called.
        """
        ...

    def import_from(self, source: Source, pace: Pace) -> Any:
        """Take memories over from a file or a folder; `pace` is told how it goes on.

        Returns:
            An ImportResult as JSON values.
        """
        ...


def ask(brain: Brain, verb: str, request: Any = None) -> Any:
    """One call of a verb.

    Args:
        brain: where to ask.
        verb: as `Brain.each`.
        request: the struct of the verb, if it takes one.
    Returns:
        The answer as JSON values, times as ISO strings.
    Raises:
        HippoError: the call was refused.
    """
    answers: list[Any] = []
    brain.each(verb, [request], answers.append)
    return answers[0]


class Route(NamedTuple):
    """Where a daemon answers a verb, and whether it may take as long as it takes."""

    method: str
    path: str
    patient: bool = False


ROUTES = {
    "remember": Route("POST", "/api/remember"),
    "recall": Route("POST", "/api/recall"),
    "memories": Route("GET", "/api/memories"),
    "inspect": Route("GET", "/api/memories/{id}"),
    "update": Route("PATCH", "/api/memories/{id}"),
    "restore": Route("POST", "/api/memories/{id}/restore"),
    "forget": Route("POST", "/api/forget", patient=True),
    "purge": Route("POST", "/api/purge", patient=True),
    "merge": Route("POST", "/api/merge"),
    "merge_entities": Route("POST", "/api/merge-entities", patient=True),
    "relate": Route("POST", "/api/relate"),
    "consolidate": Route("GET", "/api/consolidate", patient=True),
    "remember_facts": Route("POST", "/api/facts", patient=True),
    "recall_block": Route("GET", "/api/blocks/{key}"),
    "append_block": Route("POST", "/api/blocks/{key}"),
    "replace_block": Route("PATCH", "/api/blocks/{key}"),
    "delete_block": Route("DELETE", "/api/blocks/{key}"),
    "log_messages": Route("POST", "/api/messages"),
    "recall_conversation": Route("GET", "/api/conversation"),
    "agents": Route("GET", "/api/agents"),
    "stats": Route("GET", "/api/stats", patient=True),
    "sleep": Route("POST", "/api/sleep", patient=True),
    "preview": Route("GET", "/api/preview", patient=True),
    "report": Route("GET", "/api/report"),
}


class DaemonBrain:
    """The verbs of a running daemon, over REST."""

    def __init__(self, url: str) -> None:
        self.where = url

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """As `Brain.each`, over one connection."""
        with Link(self.where) as link:
            for request in requests:
                told(self._ask(link, ROUTES[verb], request))

    def _ask(self, link: Link, route: Route, request: Any) -> Any:
        if isinstance(request, list):
            return link.send(route.method, route.path, {"memories": [to_builtins(row) for row in request]})
        given: dict[str, Any] = to_builtins(request) if request is not None else {}
        path = path_of(route.path, given)
        patience = {"seconds": None} if route.patient else {}
        if route.method == "GET":
            return link.get(path, given, **patience)
        return link.send(route.method, path, given, **patience)

    def export(self, request: Export, write: Callable[[bytes], object]) -> str:
        """As `Brain.export`."""
        with Link(self.where) as link:
            return link.get_file("/api/export", {"format": request.format, "agent_id": request.agent_id}, write)

    def import_from(self, source: Source, pace: Pace) -> Any:
        """As `Brain.import_from`: what is to be imported is sent there, a folder as an archive."""
        from hippo.cli.parcel import packed

        pace.begin("packing")
        with packed(source.path) as parcel, Link(self.where) as link:
            asked = {"format": source.form, "dry_run": source.dry_run, "agent_id": source.agent, "name": parcel.name}
            if parcel.links:
                pace.remark(f"{parcel.links} symbolic {'link is' if parcel.links == 1 else 'links are'} not followed.")
            pace.begin("sending", parcel.size, unit=size)
            return link.post_file("/api/import", asked, parcel.size, self._paced(parcel.pieces, pace))

    def _paced(self, pieces: Iterable[bytes], pace: Pace) -> Iterable[bytes]:
        for piece in pieces:
            yield piece
            pace.advance(len(piece))
        pace.begin("importing")


class FolderBrain:
    """The verbs of a store that no daemon owns, opened for the time of the calls."""

    def __init__(self, settings: Settings) -> None:
        self.where = str(settings.dir)
        self._settings = settings

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """As `Brain.each`, in this process; through the daemon, if one turns out to have come first."""
        import trio

        self._one_of(lambda: trio.run(self._each, verb, requests, told),
                     lambda daemon: daemon.each(verb, requests, told))

    def export(self, request: Export, write: Callable[[bytes], object]) -> str:
        """As `Brain.export`, in this process or through the daemon."""
        import trio

        return self._one_of(lambda: trio.run(self._export, request, write),
                            lambda daemon: daemon.export(request, write))

    def import_from(self, source: Source, pace: Pace) -> Any:
        """As `Brain.import_from`, in this process or through the daemon."""
        import trio

        return self._one_of(lambda: trio.run(self._import, source, pace),
                            lambda daemon: daemon.import_from(source, pace))

    def _one_of(self, here: Callable[[], T], there: Callable[[DaemonBrain], T]) -> T:
        """Open the store here, or ask the daemon that has it (rule 2)."""
        until = time.monotonic() + _seconds_to_join
        while True:
            try:
                return here()
            except StoreInUse:  # raised by opening, before the first request was taken
                listening = listening_at(self._settings.dir)
                if listening is not None:
                    return there(DaemonBrain(listening))
                if time.monotonic() > until:
                    raise
            time.sleep(_seconds_between_looks)

    @asynccontextmanager
    async def _service(self, folder: Path | None = None) -> AsyncIterator[Service]:
        from hippo.daemon import awake
        from hippo.runtime.offload import Offload
        from hippo.store.disk import FolderDisk

        settings = self._settings if folder is None else replace(self._settings, dir=folder)
        async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
            yield service

    async def _each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        async with self._service() as service:
            for request in requests:
                asked: Any = service.remember_one if isinstance(request, Remember) else getattr(service, verb)
                told(_on_wire(verb, await (asked() if request is None else asked(request))))

    async def _export(self, request: Export, write: Callable[[bytes], object]) -> str:
        async with self._service() as service:
            name, _, pieces = await service.export_file(request.format, request.agent_id)
            async for piece in pieces:
                write(piece)
        return str(name)

    async def _import(self, source: Source, pace: Pace) -> Any:
        pace.begin("importing", unit=_rows)
        with TemporaryDirectory(prefix="hippo-") as nowhere:
            # Only looking makes no store: where there is none, what would be done is found out in one that goes.
            looks = source.dry_run and not has_store(self._settings.dir)
            async with self._service(Path(nowhere) if looks else None) as service:
                answer = await service.import_path(source.path, format=source.form, dry_run=source.dry_run,
                                                   agent_id=source.agent, progress=pace.advance)
                return _on_wire("import", answer)


def _rows(count: float) -> str:
    return f"{count:.0f} rows"


def _on_wire(verb: str, answer: Any) -> Any:
    """An answer of the service in the shape that REST gives it."""
    from hippo.interfaces.wire import to_wire

    if isinstance(answer, list):
        rows = [row.as_dict() if isinstance(row, HippoError) else to_wire(row) for row in answer]
        return {"agents" if verb == "agents" else "results": rows}
    return to_wire(answer)


def open_brain(settings: Settings, url: str | None, *, writes: bool = False) -> Brain:
    """The brain that a command talks to (rules 1 to 3).

    Args:
        settings: where the store is, and how it is opened.
        url: a daemon's address, when the person named one.
        writes: the command may make a new store.
    Raises:
        StoreMissing: there is no store to read.
    """
    if url is not None:
        return DaemonBrain(url)
    listening = listening_at(settings.dir)
    if listening is not None:
        return DaemonBrain(listening)
    if not writes and not has_store(settings.dir):
        raise StoreMissing(folder=settings.dir)
    return FolderBrain(settings)


def has_store(folder: Path) -> bool:
    """Whether a folder holds a store: a segment of its journal, a pack, or its index."""
    try:
        return any(path.name.startswith(("journal-", "pack-", "index")) for path in folder.iterdir())
    except OSError:
        return False
