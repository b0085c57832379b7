"""Work that must not run in the event loop: in threads, or inline where virtual time must not leap over it.

Trio's autojump clock moves on when every task sleeps, and a thread looks like sleep to it: simulations run inline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import trio

from hippo import limits

P = ParamSpec("P")
R = TypeVar("R")


class Offload:
    """Runs blocking calls.

    Args:
        threads: how many at once; 0 runs them inline.
    """

    def __init__(self, threads: int = 4) -> None:
        self._limiter = trio.CapacityLimiter(threads) if threads else None

    @property
    def inline(self) -> bool:
        """Whether calls are made in place."""
        return self._limiter is None

    async def run(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the call. A thread cannot be stopped: a cancelled caller waits for it to end."""
        if self._limiter is None:
            await trio.lowlevel.checkpoint()
            return call(*args, **kwargs)
        return await trio.to_thread.run_sync(lambda: call(*args, **kwargs), limiter=self._limiter)

    async def over(self, memories: int, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of a call that goes through so many memories: made in place where they are few."""
        if memories < limits.scan_thread_memories:
            return call(*args, **kwargs)
        return await self.run(call, *args, **kwargs)
