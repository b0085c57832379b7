"""Uploads: a body of any size as a file, so that none is ever held whole; and a folder that comes as a zip archive.

1. A body is measured by its bytes as they come, whatever Content-Length says, and refused above
   `limits.import_bytes_max`. So many at once are taken in as `limits.imports_at_once` says; the others wait unread.
2. It lies in a temporary folder of its own, which only its owner may enter and which is not the store's. The folder
   goes when the call ends, in whichever way: with an error, cancelled, or because the client has gone.
3. What a client calls its file is the last part of a path at most: what it names lies in that folder.
4. Of an archive only regular files are unpacked, and only those that a folder is read for: what they are called below
   the folder, and when they were written, stays. One whose name leads out of the folder refuses the whole.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from unicodedata import category

import trio

from hippo import limits
from hippo.errors import BodyStalled, BodyTooLarge, HippoError, NoRoom, SourceUnreadable, UnknownFormat
from hippo.interfaces.answers import Receive, Scope
from hippo.text.surrogates import whole

T = TypeVar("T")

_PATHS = frozenset({"/api/import"})
_UNNAMED = "upload"
_SEPARATING = frozenset("\\:") if os.name == "nt" else frozenset()  # what leads elsewhere, besides the slash


def is_upload(scope: Scope) -> bool:
    """Whether a request's body is a file, which is not read before its route asks for it."""
    return scope["method"] == "POST" and scope["path"] in _PATHS


class Uploads:
    """The bodies that a daemon takes in."""

    def __init__(self) -> None:
        self._places = trio.CapacityLimiter(limits.imports_at_once)

    @asynccontextmanager
    async def taken(self, receive: Receive, name: str | None) -> AsyncIterator[Path | None]:
        """A body as a file, until this is left; None where the client went before it was whole.

        Args:
            receive: of the request; nothing of its body was read. name: what the client calls the file.

        Raises:
            BodyTooLarge: it has more than `limits.import_bytes_max` bytes. BodyStalled: it stopped coming.
            NoRoom: it cannot be kept.
        """
        async with self._places, _temporary_folder() as folder:
            path = folder / _UNNAMED / plain_name(name)  # a note may be called after its folder
            path.parent.mkdir()
            yield path if await _take(receive, path) else None


async def unless_gone(receive: Receive, call: Callable[[], Awaitable[T]]) -> T | None:
    """What a long call gives; None where the client, whose body was read, has gone before: then it is cancelled."""
    found: T | None = None
    refused: HippoError | None = None

    async def watch(scope: trio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch, nursery.cancel_scope)
        try:
            found = await call()
        except HippoError as error:
            refused = error  # raised below, by itself and not as one of a group
        nursery.cancel_scope.cancel()
    if refused is not None:
        raise refused
    return found


def plain_name(given: str | None) -> str:
    """What a client calls its file, as the name of a file in one folder (rule 3)."""
    last = re.split(r"[/\\]", whole(given or ""))[-1]
    plain = "".join(sign for sign in last if category(sign) != "Cc").strip().lstrip(".") or _UNNAMED
    suffix = Path(plain).suffix
    room = limits.import_name_bytes_max - len(suffix.encode())
    if room <= 0:
        return _UNNAMED
    return plain.removesuffix(suffix).encode()[:room].decode(errors="ignore") + suffix


@asynccontextmanager
async def unfolded(source: Path, form: str | None) -> AsyncIterator[tuple[Path, str]]:
    """What is to be imported, and as which format, until this is left: a folder that came as an archive is a folder.

    Args:
        source: a file or a folder. form: its format where a person named one; else it is found by looking.

    Raises:
        UnknownFormat: it is of none. SourceUnreadable: it cannot be read. NoRoom: there is none to unpack it.
    """
    found = await trio.to_thread.run_sync(_looked_at, source, form)
    if found is not None:
        yield source, found
        return
    async with _temporary_folder() as folder:
        root = folder / plain_name(source.stem)
        await trio.to_thread.run_sync(_unpack, source, root)
        found = await trio.to_thread.run_sync(_looked_at, root, form)
        assert found is not None  # it is a folder by now
        yield root, found


def _looked_at(source: Path, form: str | None) -> str | None:
    """The format of a source; None for a folder that came as an archive."""
    from hippo.interfaces.imports import basic_memory, markdown, mcp_memory_service
    from hippo.interfaces.imports.bundle import ARCHIVE
    from hippo.interfaces.imports.detect import detect
    from hippo.interfaces.imports.sources import open_source

    of_folders = (None, basic_memory.NAME, markdown.NAME, mcp_memory_service.NAME)
    if os.path.isdir(source) or form not in of_folders:
        return form or detect(source)
    with open_source(source) as stream:
        is_archive = stream.read(len(ARCHIVE)) == ARCHIVE
    try:
        return (form or detect(source)) if form is None or not is_archive else None
    except UnknownFormat:
        if not is_archive:
            raise
        return None  # what is in it tells once it is unpacked


@asynccontextmanager
async def _temporary_folder() -> AsyncIterator[Path]:
    try:
        folder = Path(tempfile.mkdtemp(prefix="hippo-"))
    except OSError as fault:
        raise NoRoom(why=fault.strerror or str(fault)) from None
    try:
        yield folder
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(lambda: shutil.rmtree(folder, ignore_errors=True))


async def _take(receive: Receive, path: Path) -> bool:
    """Writes a body to a new file (rule 1). False where the client went before its end."""
    counted, more = 0, True
    try:
        with path.open("xb") as file:
            while more:
                with trio.move_on_after(limits.import_stall_seconds) as stalled:
                    message = await receive()
                if stalled.cancelled_caught:
                    raise BodyStalled(seconds=limits.import_stall_seconds, count=counted)
                if message["type"] == "http.disconnect":
                    return False
                piece, more = message.get("body", b""), message.get("more_body", False)
                counted += len(piece)
                if counted > limits.import_bytes_max:
                    raise BodyTooLarge(limit=limits.import_bytes_max)
                await trio.to_thread.run_sync(file.write, piece)
    except OSError as fault:
        raise NoRoom(why=fault.strerror or str(fault)) from None
    return True


def _unpack(source: Path, root: Path) -> None:
    """Unpacks what a folder is read for (rule 4)."""
    from hippo.interfaces.imports.bundle import Bundle
    from hippo.interfaces.imports.mcp_memory_service import FILE
    from hippo.interfaces.imports.sources import SUFFIXES, reason, shown

    left = limits.import_bytes_max
    root.mkdir()
    try:
        with Bundle(source) as bundle, zipfile.ZipFile(source) as archive:  # the first looks whether it can be opened
            for entry in archive.infolist():
                if entry.is_dir() or stat.S_ISLNK(entry.external_attr >> 16) or not entry.filename.lower().endswith(
                        (*SUFFIXES, FILE)):
                    continue
                path = root.joinpath(*_parts(entry.filename))
                path.parent.mkdir(parents=True, exist_ok=True)
                with bundle.open(entry.filename) as packed, path.open("xb") as file:
                    while piece := packed.read(limits.send_piece_bytes):
                        left -= len(piece)
                        if left < 0:
                            raise ValueError(f"it unpacks to more than {limits.import_bytes_max} bytes: unpack it and "
                                             "give the folder")
                        file.write(piece)
                _keep_time(path, entry.date_time)
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as fault:
        raise SourceUnreadable(source=shown(source), why=reason(fault)) from None


def _parts(name: str) -> list[str]:
    """The way to a file below its folder.

    Raises:
        ValueError: it leads elsewhere.
    """
    parts = name.split("/")
    if any(not part.strip(".") or set(part) & _SEPARATING for part in parts):
        raise ValueError(f"it holds {name!r}, which is no file below a folder")
    return parts


def _keep_time(path: Path, written: tuple[int, int, int, int, int, int]) -> None:
    """A note that names no day was written when its file was."""
    try:
        moment = datetime(*written, tzinfo=UTC).timestamp()
    except ValueError:
        return  # archives hold whatever was put into them
    os.utime(path, (moment, moment))
