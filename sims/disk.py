"""A faulty disk, from one seed: it stops the machine at any write, tears or loses what was not synced, and fills up.

1. `crash_after` counts mutating operations; at that one, and at every later one until `restart`, `Crash` is raised.
2. After a crash any subset of a file's unsynced writes may be there, each whole or cut off in the middle.
3. A full disk refuses to grow for a number of operations, then has room again.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Sequence

from hippo.store.memory_disk import MemoryDisk, Write

_GROWING = frozenset({"create", "reserve", "write"})


class Crash(Exception):
    """The machine has stopped."""


class FaultyDisk(MemoryDisk):
    """A MemoryDisk with the faults of its seed.

    Args:
        seed: of the faults. lying: `sync` does nothing, so that the oracle has something to find.
    """

    def __init__(self, seed: int, *, lying: bool = False) -> None:
        super().__init__("simulated")
        self._chance = random.Random(seed)
        self._lying = lying
        self._left: int | None = None
        self._full = 0
        self.crashed = False
        self.operations = 0

    def crash_after(self, operations: int | None) -> None:
        """Stops the machine at that many operations from now; None: not at all."""
        self._left = operations

    def fill_up(self, operations: int) -> None:
        """Has no room for that many operations."""
        self._full = operations

    def restart(self) -> None:
        """The machine is on again, with what the crash has left."""
        self.crash()
        self.crashed, self._left, self._full = False, None, 0

    def before(self, operation: str, name: str, size: int) -> None:
        """As MemoryDisk."""
        self.operations += 1
        if self._left is not None:
            self._left -= 1
            self.crashed = self.crashed or self._left < 0
        if self.crashed:
            raise Crash(operation)
        if self._full > 0:
            self._full -= 1
            if operation in _GROWING:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    def sync(self, name: str) -> None:
        """As MemoryDisk; a lying disk says that it did."""
        if self._lying:
            self.before("sync", name, 0)
        else:
            super().sync(name)

    def survivors(self, name: str, writes: Sequence[Write]) -> Sequence[Write]:
        """As MemoryDisk."""
        kept = []
        for write in writes:
            fate = self._chance.random()
            if fate < 0.4:
                continue
            if fate < 0.6 and write.content:
                write = Write(write.offset, write.content[:self._chance.randrange(len(write.content))])
            kept.append(write)
        return kept
