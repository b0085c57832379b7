"""A faulty disk, from one seed: it stops at any operation, tears or loses what was not synced, fills up, fails to sync.

1. `stop_after` counts mutating operations; at that one, and at every later one until `restart`, `Crash` is raised. A
   write that is under way then has got as far as chance will have it.
2. A power loss leaves any subset of a file's unsynced writes, each whole, cut off anywhere, or with sectors missing;
   and any subset of the changes of names since the last `sync_folder`.
3. A kill takes only the process: the machine still shows every write, and a later power loss takes what was not synced.
4. A full disk refuses to grow for a number of operations, sometimes in the middle of a write, then has room again.
5. A sync that fails leaves any subset of what it should have made durable. The machine goes on showing all of it, and
   the next sync reports success: that is what kernels do with pages that could not be written.
6. Every fourth seed has a file system that cannot reserve room.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hippo.store.memory_disk import MemoryDisk, Naming, Write

_GROWING = frozenset({"create", "reserve", "write"})
_SECTOR_BYTES = 512


class Crash(Exception):
    """The machine, or the process, has stopped."""


class FaultyDisk(MemoryDisk):
    """A MemoryDisk with the faults of its seed.

    `crashed`: it has stopped. `refusals`: how many operations it has refused. `operations`: how many it was asked.
    `torn`: from which byte on a file may have lost what was written to it.

    Args:
        seed: of the faults.
        lying: `sync` does nothing, so that the oracle has something to find.
    """

    def __init__(self, seed: int, *, lying: bool = False) -> None:
        super().__init__("simulated")
        self._chance = random.Random(seed)
        self._lying = lying
        self._reserves = seed % 4 != 1
        self._left: int | None = None
        self._full = 0
        self._bad_syncs = 0
        self._calm = False
        self.crashed = False
        self.refusals = 0
        self.operations = 0
        self.torn: dict[str, int] = {}

    # Faults to come.

    def stop_after(self, operations: int | None) -> None:
        """Stops at that many operations from now; None: not at all."""
        self._left = operations

    def fill_up(self, operations: int) -> None:
        """Has no room for that many operations."""
        self._full = operations

    def fail_syncs(self, count: int) -> None:
        """Refuses that many syncs of files."""
        self._bad_syncs = count

    @contextmanager
    def calm(self) -> Iterator[None]:
        """No fault happens meanwhile, and none comes nearer."""
        self._calm = True
        try:
            yield
        finally:
            self._calm = False

    def restart(self, *, power_lost: bool = True) -> None:
        """It is on again, with what a power loss, or a kill of the process, has left; and no faults."""
        if power_lost:
            self.crash()
        self.unlock()
        self.crashed, self._left, self._full, self._bad_syncs = False, None, 0, 0

    # What MemoryDisk asks.

    def before(self, operation: str, name: str, size: int) -> None:
        """As MemoryDisk."""
        if self.crashed:
            raise Crash(operation)
        if self._calm:
            return
        self.operations += 1
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                self.crashed = True
                raise Crash(operation)
        if self._full > 0:
            self._full -= 1
            if operation in _GROWING:
                self._refuse(errno.ENOSPC, name)

    def surviving_names(self, namings: Sequence[Naming]) -> Sequence[Naming]:
        """As MemoryDisk."""
        return [naming for naming in namings if self._chance.random() < 0.5]

    def survivors(self, name: str, writes: Sequence[Write]) -> Sequence[Write]:
        """As MemoryDisk."""
        for write in writes:
            self._tear(name, write.offset)
        return [part for write in writes for part in self._part(write)]

    def _tear(self, name: str, offset: int) -> None:
        self.torn[name] = min(offset, self.torn.get(name, offset))

    def _part(self, write: Write) -> Sequence[Write]:
        fate = self._chance.random()
        if fate < 0.35:
            return []
        if fate < 0.65 or not write.content:
            return [write]
        if fate < 0.85:
            return [Write(write.offset, write.content[:self._chance.randrange(len(write.content))])]
        content, offset, kept = write.content, write.offset, []
        while content:
            length = _SECTOR_BYTES - offset % _SECTOR_BYTES
            if self._chance.random() < 0.5:
                kept.append(Write(offset, content[:length]))
            content, offset = content[length:], offset + length
        return kept

    def _refuse(self, number: int, name: str) -> None:
        self.refusals += 1
        raise OSError(number, os.strerror(number), name)

    # The protocol, where faults leave traces.

    def reserve(self, name: str, size: int) -> None:
        """As MemoryDisk, where the file system can."""
        if self._reserves:
            super().reserve(name, size)
        else:
            self.before("reserve", name, size)

    def write(self, name: str, offset: int, content: bytes) -> None:
        """As MemoryDisk; what is cut off has got somewhere."""
        was_off = self.crashed
        try:
            super().write(name, offset, content)
        except (Crash, OSError):
            if not was_off and content and name in self._files:
                self._tear(name, offset)
                self._change(name, Write(offset, content[:self._chance.randrange(len(content))]))
            raise

    def sync(self, name: str) -> None:
        """As MemoryDisk; a lying disk only says that it did."""
        if self._lying:
            self.before("sync", name, 0)
            return
        if self._bad_syncs == 0 or self._calm:
            super().sync(name)
            return
        file = self._file(name)
        whole = file.unsynced
        file.unsynced = list(self.survivors(name, whole))
        try:
            super().sync(name)
        except Crash:
            file.unsynced = whole
            raise
        self._bad_syncs -= 1
        self._refuse(errno.EIO, name)
