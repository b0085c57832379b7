"""The workshop: heavy work in one process of its own, so that it takes neither the interpreter nor a core from recall.

1. The process is spawned with the first call and runs at nice 19, with one thread for linear algebra, and only where a
   core is idle. A call that is not done in time is made again by a process that takes its share at nice 19, as are all
   until it is closed: on a machine that is always busy nothing would ever be done.
2. One call at a time. A call that is cancelled ends the process: what it was doing is of no use to anyone.
3. A process that dies (killed, out of memory) is an error of that call; the next one spawns another.
4. Where the offload is inline (virtual time), calls are made in place.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import trio

from hippo import limits
from hippo.errors import WorkerLost
from hippo.runtime.offload import Offload
from hippo.runtime.worker import LENGTH, THREADS, message, named

P = ParamSpec("P")
R = TypeVar("R")
_RECEIVE_BYTES = 256 * 1024


class Workshop:
    """Runs functions of modules in a worker process.

    Args:
        offload: runs the calls where it is inline, and waits for the process to end where it is not.
    """

    def __init__(self, offload: Offload) -> None:
        self._offload = offload
        self._worker: trio.Process | None = None
        self._turn = trio.Lock()
        self._insists = False

    @property
    def open(self) -> bool:
        """Whether its process runs."""
        return self._worker is not None

    async def run(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the call, whose arguments and result can be pickled, and which may be made twice.

        Raises:
            WorkerLost: the process died of it.
        """
        assert not kwargs  # they are not sent
        if self._offload.inline:
            return await self._offload.run(call, *args, **kwargs)
        async with self._turn:
            if not self._insists:
                with trio.move_on_after(limits.worker_patience_seconds):
                    return await self._ask(call, args)
                self._insists = True
            return await self._ask(call, args)

    async def _ask(self, call: Callable[..., R], args: tuple[Any, ...]) -> R:
        try:
            worker = self._worker = self._worker or await _spawn(idle=not self._insists)
            assert worker.stdin is not None and worker.stdout is not None
            await worker.stdin.send_all(message((named(call), args)))
            head = await _receive(worker.stdout, LENGTH.size)
            done, answer = pickle.loads(await _receive(worker.stdout, LENGTH.unpack(head)[0]))
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as error:
            await self._end()
            raise WorkerLost(why=str(error) or "its pipe broke") from error
        except BaseException:
            await self._end()
            raise
        if not done:
            raise answer
        return answer  # type: ignore[no-any-return]

    async def close(self) -> None:
        """Ends the process, if there is one; the next call spawns another, which waits for an idle core again."""
        self._insists = False
        await self._end()

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with trio.CancelScope(shield=True):
            worker.kill()
            await worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    await pipe.aclose()


async def _spawn(*, idle: bool) -> trio.Process:
    return await trio.lowlevel.open_process(
        [sys.executable, "-m", "hippo.runtime.worker", *(["idle"] if idle else [])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **THREADS})


async def _receive(pipe: trio.abc.ReceiveStream, length: int) -> bytes:
    parts = []
    while length:
        part = await pipe.receive_some(min(length, _RECEIVE_BYTES))
        if not part:
            raise OSError("it ended")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
