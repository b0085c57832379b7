"""The disk: the only calls to the operating system that touch a store.

1. A name is relative to the folder, with `/` between its parts. Files are few, and none is opened for reading twice at
   the same time: reading opens and closes (some 10 µs), so that nothing has to be kept in step with removals.
2. A write is durable after `sync` of its file; a new, renamed or removed name after `sync_folder`.
3. Every failure is an OSError. The store says in words what it means.
4. One owner: a lock that the system takes away with the process that holds it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from hippo.errors import StoreInUse

LOCK = "lock"
TEMPORARY = ".temporary"
_UNSUPPORTED = {errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS}


class Disk(Protocol):
    """What a store needs of a folder. Everything but `lock` raises OSError."""

    @property
    def folder(self) -> str:
        """The folder as people name it."""

    def names(self) -> list[str]:
        """All files, in order."""

    def size(self, name: str) -> int:
        """Bytes of a file."""

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Bytes of a file from `offset`: to its end, or `length` of them, fewer where it ends before."""

    def create(self, name: str) -> None:
        """An empty file, also where there was one; and the folder it is in."""

    def reserve(self, name: str, size: int) -> None:
        """Make the file `size` bytes long with room for all of them; nothing where that is not supported."""

    def write(self, name: str, offset: int, content: bytes) -> None:
        """Write all of `content` at `offset` of an existing file."""

    def truncate(self, name: str, size: int) -> None:
        """Cut a file."""

    def sync(self, name: str) -> None:
        """Make what was written to a file durable."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in place of what had it."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    def sync_folder(self) -> None:
        """Make names durable."""

    def release(self, name: str) -> None:
        """Nothing more will be written to this file for now."""

    def lock(self) -> None:
        """Become the owner. Where the folder cannot be written at all, nobody can own it, and this does nothing.

        Raises:
            StoreInUse: somebody else is.
        """

    def unlock(self) -> None:
        """Be the owner no more."""


def write_atomic(disk: Disk, name: str, content: bytes, *, durable: bool = True) -> None:
    """Replace a file by `content`, all of it or nothing.

    Args:
        durable: whether it has to be there after a power loss; what is derived need not.

    Raises:
        OSError: it could not; the file is what it was.
    """
    beside = name + TEMPORARY
    try:
        disk.create(beside)
        disk.write(beside, 0, content)
        if durable:
            disk.sync(beside)
        disk.release(beside)
        disk.rename(beside, name)
    except OSError:
        remove_quietly(disk, beside)
        raise
    if durable:
        disk.sync_folder()


def remove_quietly(disk: Disk, name: str) -> None:
    """Remove a file that may not be there, on a disk that may not let us: what stays is found by the next owner."""
    with suppress(OSError):
        disk.release(name)
        disk.remove(name)


class FolderDisk:
    """A real folder. It and its files are for their owner's eyes only."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._open: dict[str, int] = {}
        self._renamed: set[Path] = set()  # folders inside in which names have changed since the last `sync_folder`
        self._lock: int | None = None

    def __reduce__(self) -> tuple[type[FolderDisk], tuple[Path]]:
        """Another process gets the folder to read, never its ownership."""
        return FolderDisk, (self._path,)

    @property
    def folder(self) -> str:
        return str(self._path)

    def names(self) -> list[str]:
        # An unreadable folder inside (lost+found of a mounted volume belongs to root) has nothing of ours.
        # The folder itself has to be readable: a store that cannot be seen must not look like an empty one.
        found: list[str] = []
        os.listdir(self._path)
        for folder, _, files in os.walk(self._path):
            inside = Path(folder).relative_to(self._path)
            found += [(inside / name).as_posix() for name in files]
        return sorted(found)

    def size(self, name: str) -> int:
        return (self._path / name).stat().st_size

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        descriptor = os.open(self._path / name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            wanted = max(os.fstat(descriptor).st_size - offset, 0)
            wanted = wanted if length is None else min(wanted, length)
            parts = []
            while wanted > 0 and (part := os.pread(descriptor, wanted, offset)):
                parts.append(part)
                offset += len(part)
                wanted -= len(part)
            return parts[0] if len(parts) == 1 else b"".join(parts)
        finally:
            os.close(descriptor)

    def create(self, name: str) -> None:
        self.release(name)
        path = self._path / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._renamed.add(path.parent)
        self._open[name] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)

    def reserve(self, name: str, size: int) -> None:
        if not hasattr(os, "posix_fallocate"):
            return
        try:
            os.posix_fallocate(self._descriptor(name), 0, size)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise

    def write(self, name: str, offset: int, content: bytes) -> None:
        descriptor = self._descriptor(name)
        rest = memoryview(content)
        while rest:
            written = os.pwrite(descriptor, rest, offset)
            offset += written
            rest = rest[written:]

    def truncate(self, name: str, size: int) -> None:
        os.ftruncate(self._descriptor(name), size)

    def sync(self, name: str) -> None:
        descriptor = self._descriptor(name)
        full_sync = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync alone stops at the drive's cache
        if full_sync is not None:
            fcntl.fcntl(descriptor, full_sync)
        else:
            os.fdatasync(descriptor)

    def rename(self, old: str, new: str) -> None:
        self.release(old)
        self.release(new)
        self._renamed |= {(self._path / name).parent for name in (old, new)}
        (self._path / old).replace(self._path / new)

    def remove(self, name: str) -> None:
        self.release(name)
        self._renamed.add((self._path / name).parent)
        (self._path / name).unlink()

    def sync_folder(self) -> None:
        changed, self._renamed = self._renamed, set()
        try:
            for folder in [*sorted(changed - {self._path}), self._path]:
                descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
        except OSError:
            self._renamed |= changed
            raise

    def release(self, name: str) -> None:
        descriptor = self._open.pop(name, None)
        if descriptor is not None:
            os.close(descriptor)

    def lock(self) -> None:
        path = self._path / LOCK
        writable = True
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            # A full or read-only disk: an existing lock can still be taken through a descriptor for reading.
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                return
            writable = False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = _holder(os.pread(descriptor, 4096, 0))
            os.close(descriptor)
            raise StoreInUse(folder=holder.get("folder", self.folder), pid=holder.get("pid", "unknown")) from None
        self._lock = descriptor
        if writable:
            self._state_owner()

    def announce(self, url: str) -> None:
        """Tell those who find the folder in use where its owner listens."""
        self._state_owner(url=url)

    def unlock(self) -> None:
        for name in list(self._open):
            self.release(name)
        if self._lock is not None:
            with suppress(OSError):  # opened for reading only
                os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def _state_owner(self, **more: str) -> None:
        if self._lock is None:
            return
        facts = {"pid": os.getpid(), "folder": str(self._path.resolve()), **more}
        with suppress(OSError):  # a full disk: the lock holds all the same, it only cannot say whose it is
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, json.dumps(facts).encode(), 0)

    def _descriptor(self, name: str) -> int:
        if name not in self._open:
            self._open[name] = os.open(self._path / name, os.O_RDWR | os.O_CLOEXEC)
        return self._open[name]


def _holder(content: bytes) -> dict[str, object]:
    """What a lock file says of the owner, if it says anything."""
    try:
        facts = json.loads(content)
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}
