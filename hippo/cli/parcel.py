"""What a daemon that imports is sent: a file as it is, a folder as a zip archive.

1. Of a folder goes what can be imported: notes, JSON and databases. Hidden files and symbolic links stay, as where a
   folder is read in place; links are counted.
2. An archive names files by their path below the folder, and keeps when each was last written, in UTC: a note without a
   date was written then.
3. Of an SQLite database goes a snapshot where something waits in its log: the file alone would not have it.
4. A source is read, never written. What is made for the way lies in temporary files, which go with it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.imports.mcp_memory_service import SIGNATURE
from hippo.interfaces.imports.sources import SUFFIXES, open_source
from hippo.text.surrogates import whole

_suffixes = (*SUFFIXES, ".json", ".jsonl", ".db")
_years_of_zip = (1980, 2107)


class Parcel(NamedTuple):
    """A source on its way: its name, how many bytes it has, those, and how many links in it stay behind."""

    name: str
    size: int
    pieces: Iterator[bytes]
    links: int = 0


@contextmanager
def packed(source: Path) -> Iterator[Parcel]:
    """A file or a folder, made ready to be sent.

    Raises:
        SourceUnreadable: it cannot be read.
    """
    name = whole(source.resolve().name)
    if source.is_dir():
        with tempfile.TemporaryFile() as archive:
            links = _archive(source, archive)
            yield _parcel(f"{name}.zip", archive)._replace(links=links)
    else:
        with _opened(source) as content:
            yield _parcel(name, content)


def _parcel(name: str, content: BinaryIO) -> Parcel:
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    return Parcel(name, size, _pieces(name, content, size))


def _pieces(name: str, content: BinaryIO, size: int) -> Iterator[bytes]:
    """Exactly so many bytes, which were promised."""
    while size:
        try:
            piece = content.read(min(size, limits.send_piece_bytes))
        except OSError as fault:
            raise SourceUnreadable(source=name, why=fault.strerror or str(fault)) from fault
        if not piece:
            raise SourceUnreadable(source=name, why="it became shorter while it was read")
        size -= len(piece)
        yield piece


def _archive(folder: Path, into: BinaryIO) -> int:
    """Pack a folder; how many links stay behind."""
    links = 0
    with ZipFile(into, "w", ZIP_DEFLATED) as archive:
        for path in _files(folder):
            if path.is_symlink():
                links += 1
                continue
            entry = ZipInfo(whole(path.relative_to(folder).as_posix()), _written(path))
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o100600 << 16
            with _opened(path) as content, archive.open(entry, "w", force_zip64=True) as packing:
                copyfileobj(content, packing)
    return links


def _files(folder: Path) -> Iterator[Path]:
    """What may be imported (rule 1), and links to it."""
    def refuse(fault: OSError) -> None:
        raise SourceUnreadable(source=whole(Path(fault.filename).name), why=fault.strerror) from fault

    for place, below, names in os.walk(folder, onerror=refuse):  # it does not enter what is a link
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in below:
            if Path(place, name).is_symlink():
                yield Path(place, name)
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and name.lower().endswith(_suffixes) and (path.is_symlink() or path.is_file()):
                yield path


def _written(path: Path) -> tuple[int, int, int, int, int, int]:
    when = time.gmtime(path.stat().st_mtime)
    first, last = _years_of_zip
    return (min(max(when.tm_year, first), last), *when[1:6])


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A file, or the snapshot of a database (rule 3)."""
    with open_source(path) as content:
        log = Path(f"{path}-wal")
        if content.read(len(SIGNATURE)) == SIGNATURE and log.exists() and log.stat().st_size:
            with _snapshot(path) as snapshot:
                yield snapshot
        else:
            content.seek(0)
            yield content


@contextmanager
def _snapshot(path: Path) -> Iterator[BinaryIO]:
    with tempfile.TemporaryDirectory(prefix="hippo-") as folder:
        copy = Path(folder, "copy.db")
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database, \
                    closing(sqlite3.connect(copy)) as target:
                database.backup(target)
        except sqlite3.Error as fault:
            raise SourceUnreadable(source=whole(path.name), why=str(fault)) from fault
        with copy.open("rb") as content:
            yield content
