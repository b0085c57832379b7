"""Where an export goes: stdout, a file, or the folder of a vault.

1. A file is written beside its place and put there when it is whole: what was there before stays until then, and
   stays where anything fails.
2. Nothing is overwritten unless a person says so, and nothing but a regular file ever.
3. A vault is taken whole before its folder is touched. A new folder appears with all that is in it. Into one that has
   other files the notes are written one by one, and nothing else in it is changed.
4. What is written can be read by its owner only, as far as a system has that; what is replaced keeps its mode.
5. A terminal is shown text, with what would steer it written out.
"""

from __future__ import annotations

import codecs
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from zipfile import BadZipFile, ZipFile

from hippo.cli.terminal import escaped
from hippo.errors import InTheWay, InvalidArgument, Unwritable

STDOUT = "-"
ARCHIVE = ".zip"
_beside = ".hippo-"
_separating = '/\\:*?"<>|'


class Outlet(Protocol):
    """Takes an export piece by piece."""

    def write(self, piece: bytes) -> object:
        """Take a piece. Raises Unwritable."""

    def finish(self, name: str) -> Path | None:
        """All is there; `name` is how its file should be called. Where it is now. Raises Unwritable."""


@contextmanager
def outlet(output: str | None, *, archive: bool, force: bool) -> Iterator[Outlet]:
    """Where the pieces of an export go.

    Args:
        output: what a person named: `-`, a file or a folder; None for a file in this folder.
        archive: the pieces are a zip archive of notes; a name that does not end with .zip is their folder.
        force: what is there may be replaced.
    Raises:
        InTheWay: something is there. InvalidArgument: an archive is no text for a terminal.
    """
    if output == STDOUT:
        if archive and sys.stdout.isatty():
            raise InvalidArgument(what="A vault is an archive, which a terminal cannot show: name a file or a folder.")
        yield _Stdout()
        return
    place = Path(os.path.realpath(output or "."))  # what a link stands for, not the link, is what is replaced
    kept: _File | _Vault
    with _explained(place):
        if archive and output is not None and not output.lower().endswith(ARCHIVE):
            kept = _Vault(place, force)
        elif output is None or place.is_dir() or output.endswith(("/", os.sep)):
            kept = _File(place, None, force)
        else:
            kept = _File(place.parent, place.name, force)
    try:
        yield kept
    finally:
        kept.close()


class _Stdout:
    def __init__(self) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace") if sys.stdout.isatty() else None

    def write(self, piece: bytes) -> None:
        try:
            if self._text is None:
                sys.stdout.buffer.write(piece)
            else:
                sys.stdout.write(escaped(self._text.decode(piece), lines=True))
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise _unwritable(Path("stdout"), fault) from fault

    def finish(self, name: str) -> None:
        """Nothing is left to do."""


class _File:
    """A file in a folder; `name` None: it is called as the export says."""

    def __init__(self, folder: Path, name: str | None, force: bool) -> None:
        self._folder, self._name, self._force = folder, name, force
        if name is not None:
            _check(folder / name, force)
        self._file = tempfile.NamedTemporaryFile(dir=folder, prefix=_beside, delete=False)  # noqa: SIM115

    def write(self, piece: bytes) -> None:
        with _explained(self._folder / (self._name or "")):
            self._file.write(piece)

    def finish(self, name: str) -> Path:
        place = self._folder / (self._name or _file_name(name))
        with _explained(place):
            _put(self._file, place, self._force)  # type: ignore[arg-type]
        return place

    def close(self) -> None:
        """What was not put in its place goes."""
        self._file.close()
        Path(self._file.name).unlink(missing_ok=True)


class _Vault:
    """A folder of notes."""

    def __init__(self, folder: Path, force: bool) -> None:
        if folder.exists() and not folder.is_dir():
            raise InTheWay(path=folder, what=", and is no folder", advice="Name a folder, or a file ending in .zip.")
        if not force and folder.is_dir() and any(folder.iterdir()):
            raise InTheWay(path=folder, what=", and is not empty",
                           advice="--force writes the notes into it: what has the same name is replaced, nothing else.")
        self._folder, self._force = folder, force
        self._archive = tempfile.TemporaryFile()  # noqa: SIM115

    def write(self, piece: bytes) -> None:
        with _explained(self._folder):
            self._archive.write(piece)

    def finish(self, name: str) -> Path:
        with _explained(self._folder):
            if self._folder.exists():
                _unpack(self._archive, self._folder)
                return self._folder
            made = Path(tempfile.mkdtemp(dir=self._folder.parent, prefix=_beside))
            try:
                _unpack(self._archive, made)
                made.rename(self._folder)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        return self._folder

    def close(self) -> None:
        """The archive goes."""
        self._archive.close()


def _unpack(archive: BinaryIO, folder: Path) -> None:
    with ZipFile(archive) as notes:
        places = [(entry, folder.joinpath(*_parts(entry.filename))) for entry in notes.infolist()]
        for entry, place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place.parent, prefix=_beside, delete=False) as beside:
                try:
                    with notes.open(entry) as note:
                        shutil.copyfileobj(note, beside)
                    _put(beside, place, force=True)  # type: ignore[arg-type]
                except BaseException:
                    Path(beside.name).unlink(missing_ok=True)
                    raise


def _parts(name: str) -> list[str]:
    """The way below the folder; one that leads out of it is refused, whoever wrote the archive."""
    parts = name.split("/")
    if not all(part and part.strip(".") and not set(part) & set("\\:\x00") for part in parts):
        raise BadZipFile(f"it holds {name!r}, which is no note")
    return parts


def _put(beside: BinaryIO, place: Path, force: bool) -> None:
    """A written file takes its place (rules 1, 2 and 4)."""
    beside.flush()
    _check(place, force)
    if place.exists():
        os.chmod(beside.name, stat.S_IMODE(place.stat().st_mode))
    os.fsync(beside.fileno())
    beside.close()
    os.replace(beside.name, place)


def _check(place: Path, force: bool) -> None:
    if not place.exists():
        return
    if not place.is_file():
        raise InTheWay(path=place, what=", and is no file", advice="Name another.")
    if not force:
        raise InTheWay(path=place, what="", advice="--force replaces it, --output names another.")


def _file_name(name: str) -> str:
    """A name that someone else gave a file, as one of this folder."""
    plain = (character if character.isprintable() and character not in _separating else "_" for character in name)
    return "".join(plain).lstrip(".") or "hippo-export"


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """What the system refuses becomes an error that names the place."""
    try:
        yield
    except OSError as fault:
        raise _unwritable(place, fault) from fault
    except BadZipFile as fault:
        raise Unwritable(path=place, why=f"what came is no archive of notes: {fault}") from fault


def _unwritable(place: Path, fault: OSError) -> Unwritable:
    return Unwritable(path=place, why=fault.strerror or str(fault))
