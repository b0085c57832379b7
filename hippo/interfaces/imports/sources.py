"""Files as people have them, opened with care, and the notes in a folder.

1. Only regular files are read: a pipe or a device would never end. Symbolic links are named, never followed, so that no
   loop is walked and nothing outside a folder is read.
2. Hidden files and folders are passed over. A folder is walked in the order of its names, and no deeper than its paths.
3. A note is held whole, so it has a bound. It is UTF-8, or UTF-16 where it says so in its first two bytes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.text.surrogates import whole

SUFFIXES = (".md", ".markdown", ".txt")


class Found(NamedTuple):
    """A note in a folder: its name below the folder, with slashes; where it is; why it is not read, if so."""

    name: str
    path: Path
    trouble: str | None = None


class Readable(Protocol):
    """What can be read from its beginning to its end."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


def open_source(path: Path) -> BinaryIO:
    """A regular file, open for reading; a link to one is meant where a person names it.

    Raises:
        SourceUnreadable: there is none, or it may not be read.
    """
    try:
        # Opened without waiting, then looked at: nothing can be put in its place in between.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as refused:
        raise SourceUnreadable(source=shown(path), why=reason(refused)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SourceUnreadable(source=shown(path), why="it is no regular file")
    return os.fdopen(descriptor, "rb")


def read_note(path: Path) -> tuple[str, int]:
    """The text of a note (rule 3), and when it was last written, UTC milliseconds.

    Raises:
        SourceUnreadable: it is too large, or no text.
    """
    try:
        with open_source(path) as stream:
            raw = stream.read(limits.import_note_bytes_max + 1)
            written = os.fstat(stream.fileno()).st_mtime_ns // 1_000_000
    except OSError as refused:
        raise SourceUnreadable(source=shown(path), why=reason(refused)) from None
    if len(raw) > limits.import_note_bytes_max:
        raise SourceUnreadable(source=shown(path), why=f"it is larger than {limits.import_note_bytes_max} bytes")
    is_utf_16 = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = raw.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError as refused:
        raise SourceUnreadable(source=shown(path), why=f"it is not {'UTF-16' if is_utf_16 else 'UTF-8'} text: "
                                                       f"{refused.reason} at byte {refused.start}") from None
    if "\x00" in text:
        raise SourceUnreadable(source=shown(path), why="it is not text: it holds the character U+0000")
    return text, written


def notes_in(folder: Path) -> Iterator[Found]:
    """Every note in a folder and below (rules 1 and 2)."""
    waiting = [(folder, "")]
    while waiting:
        place, above = waiting.pop()
        try:
            with os.scandir(place) as entries:
                here = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
        except OSError as refused:
            yield Found(above.rstrip("/") or ".", place, reason(refused))
            continue
        below = []
        for entry in here:
            name = above + whole(entry.name)
            if entry.is_symlink():
                if entry.name.lower().endswith(SUFFIXES) or os.path.isdir(entry.path):
                    yield Found(name, Path(entry.path), "it is a symbolic link, which is not followed")
            elif entry.is_dir():
                below.append((Path(entry.path), name + "/"))
            elif entry.name.lower().endswith(SUFFIXES):
                yield Found(name, Path(entry.path))
        waiting += reversed(below)


def notes_of(source: Path) -> Iterator[Found]:
    """Every note of a source: of a folder, or the one that it is itself."""
    if os.path.isdir(source):
        yield from notes_in(source)
    else:
        yield Found(shown(source), source)


def shown(path: Path) -> str:
    """The last part of a path, as it can be written."""
    return whole(path.name)


def reason(refused: Exception) -> str:
    """Why the system refused, without a path."""
    return (refused.strerror if isinstance(refused, OSError) and refused.strerror else str(refused)).rstrip(".")
