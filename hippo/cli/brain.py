"""One seam between the commands and the memory: the same verbs and wire shapes, whether a daemon owns the store or not.

1. With --url it is that daemon. Else the daemon that owns the store; else the store is opened here.
2. Where it turns out that another process holds the store, that one is waited for, a few seconds: it is a daemon that
   is about to listen, or a command that is about to end.
3. A command that only reads makes no store.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from msgspec import to_builtins

from hippo.cli.daemon_link import Link, listening_at, memory_path
from hippo.errors import HippoError, StoreInUse, StoreMissing
from hippo.model.verb import Remember
from hippo.settings import Settings

_seconds_to_join = 5.0
_seconds_between_looks = 0.1

Told = Callable[[Any], None]


class Brain(Protocol):
    """Verbs of the service, by name: structs of hippo.model.verb in, JSON values of the wire out."""

    where: str

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """Ask the same verb for each request in turn, and tell each answer as it comes.

        Args:
            verb: remember, recall, inspect, restore, memories, agents, stats, sleep, preview or report.
            requests: a struct for each call; a list of structs for `remember`; None where the verb takes nothing.
            told: called with each answer.
        Raises:
            HippoError: the first call that was refused.
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


class DaemonBrain:
    """The verbs of a running daemon, over REST."""

    def __init__(self, url: str) -> None:
        self.where = url

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """As `Brain.each`, over one connection."""
        with Link(self.where) as link:
            for request in requests:
                told(self._ask(link, verb, request))

    def _ask(self, link: Link, verb: str, request: Any) -> Any:
        if verb == "remember" and isinstance(request, list):
            return link.post("/api/remember", {"memories": [to_builtins(row) for row in request]})
        given: dict[str, Any] = to_builtins(request) if request is not None else {}
        match verb:
            case "remember" | "recall":
                return link.post(f"/api/{verb}", given)
            case "sleep":
                return link.post("/api/sleep", given, seconds=None)
            case "preview" | "stats":
                return link.get(f"/api/{verb}", given, seconds=None)
            case "restore":
                return link.post(f"{memory_path(given.pop('id'))}/restore", given)
            case "inspect":
                return link.get(memory_path(given.pop("id")), given)
        return link.get(f"/api/{verb}", given)


class FolderBrain:
    """The verbs of a store that no daemon owns, opened for the time of the calls."""

    def __init__(self, settings: Settings) -> None:
        self.where = str(settings.dir)
        self._settings = settings

    def each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        """As `Brain.each`, in this process; through the daemon, if one turns out to have come first."""
        import trio

        until = time.monotonic() + _seconds_to_join
        while True:
            try:
                return trio.run(self._each, verb, requests, told)
            except StoreInUse:  # raised by opening, before the first request was taken
                listening = listening_at(self._settings.dir)
                if listening is not None:
                    return DaemonBrain(listening).each(verb, requests, told)
                if time.monotonic() > until:
                    raise
            time.sleep(_seconds_between_looks)

    async def _each(self, verb: str, requests: Iterable[Any], told: Told) -> None:
        from hippo.daemon import awake
        from hippo.runtime.offload import Offload
        from hippo.store.disk import FolderDisk

        async with awake(self._settings, FolderDisk(self._settings.dir), Offload()) as service:
            for request in requests:
                asked: Any = service.remember_one if isinstance(request, Remember) else getattr(service, verb)
                told(_on_wire(verb, await (asked() if request is None else asked(request))))


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
