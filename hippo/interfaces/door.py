"""The door to the writer: memories of another store go through it alone.

The writer gives each new memory the next ordinal, and those of an agent ascend. Who brings ordinals along has to know
which are free, and that nobody takes one in between: while the door is closed, what would store something new waits.
What came before stands before it in the mailbox, so it is stored by the time the writer answers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import trio

from hippo.runtime import knowing
from hippo.runtime.mailbox import Address, Request

R = TypeVar("R")

_STORING = (knowing.Store, knowing.Rewrite)


class Door(Address):
    """The writer's address for the verbs of one daemon.

    Args:
        writer: the address itself; it is closed with the door.
    """

    def __init__(self, writer: Address) -> None:
        self._writer = writer
        self._closing = trio.Lock()
        self._opens: trio.Event | None = None

    async def ask(self, request: Request[R]) -> R:
        """As `Address.ask`; what would store something new waits until the door is open."""
        while self._opens is not None and isinstance(request, _STORING):
            await self._opens.wait()
        return await self._writer.ask(request)

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        """Until this is left, nobody else stores anything new."""
        async with self._closing:
            opens = self._opens = trio.Event()
            try:
                yield
            finally:
                self._opens = None
                opens.set()

    def tell_nowait(self, request: Request[object]) -> bool:
        """As `Address.tell_nowait`."""
        return self._writer.tell_nowait(request)

    def clone(self) -> Address:
        """Another address of the writer, without a door."""
        return self._writer.clone()

    def close(self) -> None:
        """Says that the verbs ask no more."""
        self._writer.close()
