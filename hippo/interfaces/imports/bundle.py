"""An export as it is handed out: a zip archive, the folder that it was unpacked to, or one of its files.

1. An archive is read in place, nothing is unpacked to the disk: so the names in it cannot reach anything.
2. What it unpacks to is counted, and ends with an error above `limits.import_unpacked_bytes_max` altogether; its
   directory is held whole, and has `limits.import_directory_bytes_max` bytes at most.
3. Of a folder the files in it are seen, and those in its folders `projects` and `memories`, but no links.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.imports.sources import Readable, open_source, reason, shown
from hippo.text.surrogates import whole

ARCHIVE = b"PK\x03\x04"
"""What an archive begins with."""

_FOLDERS = ("projects", "memories")
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without a bound to a step
_END, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x07"  # of the directory of an archive, and of that of a large one
_tail_bytes_max = 76 + 22 + 65_535  # a large archive's records, the end, a comment


class Bundle:
    """The files of an export: those in a zip archive or a folder, or the one file itself.

    Args:
        source: an archive, a folder, or a file.
    Raises:
        SourceUnreadable: it is none of these, or damaged.
    """

    def __init__(self, source: Path) -> None:
        self._left = limits.import_unpacked_bytes_max
        self._archive: zipfile.ZipFile | None = None
        self._stream: BinaryIO | None = None
        self._paths: dict[str, Path] = {}
        if os.path.isdir(source):
            self._paths = dict(_files(source))
        else:
            self._stream = open_source(source)
            if self._stream.read(len(ARCHIVE)) == ARCHIVE:
                self._archive = _archive(self._stream, source)
            else:
                self._paths = {shown(source): source}
        names = self._paths if self._archive is None else (
            row.filename for row in self._archive.infolist() if not row.is_dir())
        self.names = sorted(set(names))
        """The names of the files, with slashes, in their order."""

    def __enter__(self) -> Bundle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._archive is not None:
            self._archive.close()
        if self._stream is not None:
            self._stream.close()

    @contextmanager
    def open(self, name: str) -> Iterator[Readable]:
        """One of the files, until this is left.

        Raises:
            SourceUnreadable: it cannot be read.
        """
        if self._archive is None:
            with open_source(self._paths[name]) as stream:
                yield stream
            return
        entry = self._archive.getinfo(name)
        if entry.flag_bits & 1:
            raise SourceUnreadable(source=name, why="it is encrypted")
        if entry.compress_type not in _PACKED:
            raise SourceUnreadable(source=name, why="it is packed in a way that exports are not")
        try:
            packed = self._archive.open(entry)
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as refused:
            raise SourceUnreadable(source=name, why=reason(refused)) from None
        with packed:
            yield _Counted(self, packed)

    def count(self, size: int) -> None:
        """So many bytes were unpacked.

        Raises:
            OSError: they are more than an archive may give.
        """
        self._left -= size
        if self._left < 0:
            raise OSError(f"the archive unpacks to more than {limits.import_unpacked_bytes_max} bytes")


class _Counted:
    def __init__(self, bundle: Bundle, stream: Readable) -> None:
        self._bundle, self._stream = bundle, stream

    def read(self, size: int, /) -> bytes:
        got = self._stream.read(size)
        self._bundle.count(len(got))
        return got


def _archive(stream: BinaryIO, source: Path) -> zipfile.ZipFile:
    try:
        stream.seek(-min(stream.seek(0, os.SEEK_END), _tail_bytes_max), os.SEEK_END)
        if _directory_bytes(stream.read()) > limits.import_directory_bytes_max:  # it would be held whole
            raise ValueError(f"its directory has more than {limits.import_directory_bytes_max} bytes: unpack it and "
                             "give the folder")
        return zipfile.ZipFile(stream)
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as refused:
        stream.close()
        raise SourceUnreadable(source=shown(source), why=reason(refused)) from None


def _directory_bytes(tail: bytes) -> int:
    """How large an archive says that its directory is; 0 where it says nothing, and is none."""
    end = tail.rfind(_END)
    if end >= 76 and tail.startswith(_LOCATOR_64, end - 20):
        return int.from_bytes(tail[end - 36:end - 28], "little")
    return int.from_bytes(tail[end + 12:end + 16], "little") if end >= 0 else 0


def _files(folder: Path, above: str = "") -> Iterator[tuple[str, Path]]:
    try:
        with os.scandir(folder) as entries:
            here = list(entries)
    except OSError as refused:
        raise SourceUnreadable(source=shown(folder), why=reason(refused)) from None
    for entry in here:
        if entry.is_file(follow_symlinks=False):
            yield above + whole(entry.name), Path(entry.path)
        elif not above and entry.name in _FOLDERS and entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path), entry.name + "/")
