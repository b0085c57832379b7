"""A disk in memory that forgets what was not synced: for tests and simulations of crashes.

1. A write, a cut and a reservation are seen at once and durable after `sync` of the file; a name is durable after
   `sync_folder`. `crash` takes away everything that was not durable, and the lock with it.
2. A faulty disk is a subclass: `before` is called ahead of every mutating call and may raise; `survivors` says which of
   the writes that were not synced are there after a crash all the same, whole or in part; `surviving_names` says it of
   names: a disk may keep a removal and lose the rename before it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hippo.errors import StoreInUse


class Write(NamedTuple):
    """One change of a file that is not durable yet: bytes at an offset, or (content None) a new size."""

    offset: int
    content: bytes | None


@dataclass
class _File:
    durable: bytearray = field(default_factory=bytearray)
    seen: bytearray = field(default_factory=bytearray)
    unsynced: list[Write] = field(default_factory=list)


class Naming(NamedTuple):
    """One change of names that is not durable yet: a file under a name, or (file None) a name that is gone."""

    name: str
    file: _File | None


class MemoryDisk:
    """The Disk of tests. What `names` and `read` show is what a running machine would see."""

    def __init__(self, folder: str = "memory") -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}
        self._durable_names: dict[str, _File] = {}
        self._unsynced_names: list[Naming] = []
        self._locked = False

    # What a faulty disk overrides.

    def before(self, operation: str, name: str, size: int) -> None:
        """Called ahead of every mutating call: create, reserve, write, truncate, sync, rename, remove, sync_folder.

        Args:
            size: bytes of a write; the new size of reserve and truncate; else 0.
        """

    def survivors(self, name: str, writes: Sequence[Write]) -> Sequence[Write]:
        """Which unsynced writes of a file a crash leaves, in which order; none of them on a plain MemoryDisk."""
        return ()

    def surviving_names(self, namings: Sequence[Naming]) -> Sequence[Naming]:
        """Which unsynced changes of names a crash leaves, in which order; none of them on a plain MemoryDisk."""
        return ()

    # For tests.

    def crash(self) -> None:
        """The machine stops: only what is durable, and what `survivors` lets through, is there afterwards."""
        for naming in self.surviving_names(self._unsynced_names):
            _name(self._durable_names, naming)
        self._unsynced_names = []
        self._files = dict(self._durable_names)
        for name, file in self._files.items():
            for write in self.survivors(name, file.unsynced):
                _apply(file.durable, write)
            file.seen = bytearray(file.durable)
            file.unsynced = []
        self._locked = False

    def files(self) -> dict[str, bytes]:
        """A copy of all files as they are seen now."""
        return {name: bytes(file.seen) for name, file in sorted(self._files.items())}

    def put(self, name: str, content: bytes) -> None:
        """Place a durable file, as if it had always been there."""
        self._files[name] = self._durable_names[name] = _File(bytearray(content), bytearray(content))

    # The protocol.

    @property
    def folder(self) -> str:
        return self._folder

    def names(self) -> list[str]:
        return sorted(self._files)

    def size(self, name: str) -> int:
        return len(self._file(name).seen)

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        seen = self._file(name).seen
        return bytes(seen[offset:] if length is None else seen[offset:offset + length])

    def create(self, name: str) -> None:
        self.before("create", name, 0)
        self._rename(Naming(name, _File()))

    def reserve(self, name: str, size: int) -> None:
        self.before("reserve", name, size)
        if size > self.size(name):
            self._change(name, Write(size, None))

    def write(self, name: str, offset: int, content: bytes) -> None:
        self.before("write", name, len(content))
        self._change(name, Write(offset, content))

    def truncate(self, name: str, size: int) -> None:
        self.before("truncate", name, size)
        self._change(name, Write(size, None))

    def sync(self, name: str) -> None:
        self.before("sync", name, 0)
        file = self._file(name)
        for write in file.unsynced:
            _apply(file.durable, write)
        file.unsynced = []

    def rename(self, old: str, new: str) -> None:
        self.before("rename", old, 0)
        file = self._file(old)
        self._rename(Naming(new, file))
        self._rename(Naming(old, None))

    def remove(self, name: str) -> None:
        self.before("remove", name, 0)
        self._file(name)
        self._rename(Naming(name, None))

    def sync_folder(self) -> None:
        self.before("sync_folder", "", 0)
        self._durable_names = dict(self._files)
        self._unsynced_names = []

    def release(self, name: str) -> None:
        pass

    def lock(self) -> None:
        if self._locked:
            raise StoreInUse(folder=self._folder, pid="unknown")
        self._locked = True

    def unlock(self) -> None:
        self._locked = False

    def _file(self, name: str) -> _File:
        if name not in self._files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return self._files[name]

    def _rename(self, naming: Naming) -> None:
        _name(self._files, naming)
        self._unsynced_names.append(naming)

    def _change(self, name: str, write: Write) -> None:
        file = self._file(name)
        _apply(file.seen, write)
        file.unsynced.append(write)


def _apply(seen: bytearray, write: Write) -> None:
    if write.content is None:
        del seen[write.offset:]
        seen.extend(bytes(write.offset - len(seen)))
        return
    seen.extend(bytes(max(write.offset - len(seen), 0)))
    seen[write.offset:write.offset + len(write.content)] = write.content


def _name(names: dict[str, _File], naming: Naming) -> None:
    if naming.file is None:
        names.pop(naming.name, None)
    else:
        names[naming.name] = naming.file
