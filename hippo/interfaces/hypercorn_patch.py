"""What is repaired in hypercorn (0.18) on trio, until it is made there.

1. It shields the sending of an answer from cancellation, without any limit. A client that stops reading while its
   connection stays open (a suspended laptop, a paused debugger) lets the kernel's buffer fill up; from then on the send
   never returns, and neither does the daemon's shutdown, which waits for it. Here the shield has a limit: an answer is
   sent in pieces, and a client that takes none of a piece for `limits.send_stall_seconds` is taken for gone. The shield
   itself stays: it keeps answers from being cut short by an ordinary shutdown.
2. It sends the head of an answer, its body and its end one by one, and gives way to every other task several times in
   between, so that on a busy daemon a recall that is done still waits for many others. Here a head that states the
   body's length waits for it, they are sent as one, and an end that takes no bytes is not sent.
3. It gives way likewise with each piece of a request that it hands to the app, and with each that the app takes. Here
   neither waits where there is room and something to take.
4. Between two requests on one connection it starts a task that ends the connection if it stays idle, waits until that
   task has started, and for a lock before that. Here the task is started and given up without waiting for anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import h11
import trio
from hypercorn.config import Config
from hypercorn.events import Closed, Event, RawData
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.task_group import TaskGroup, _handle
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import TrioSingleTask
from hypercorn.typing import AppWrapper, ASGIReceiveEvent, ASGISendEvent, Scope

from hippo import limits

Sendable = h11.Data | h11.EndOfMessage | h11.InformationalResponse | h11.Response

_original = TCPServer.protocol_send


async def _protocol_send(self: TCPServer, event: Event) -> None:
    if not isinstance(event, RawData):
        await _original(self, event)
        return
    try:
        self.send_lock.acquire_nowait()
    except trio.WouldBlock:
        await self.send_lock.acquire()
    try:
        for start in range(0, len(event.data), limits.send_piece_bytes):
            piece = event.data[start:start + limits.send_piece_bytes]
            with trio.CancelScope(shield=True, deadline=trio.current_time() + limits.send_stall_seconds) as scope:
                await self.stream.send_all(piece)
            if scope.cancelled_caught:
                await self.stream.aclose()  # wakes the reading side too
                raise trio.ClosedResourceError
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        await self.protocol.handle(Closed())
    finally:
        self.send_lock.release()


async def _send_h11_event(self: H11Protocol, event: Sendable) -> None:
    try:
        data = self.connection.send(event)
    except h11.LocalProtocolError:
        if self.connection.their_state != h11.ERROR:
            raise
        return
    data = getattr(self, "_held_head", b"") + (data or b"")
    waits = isinstance(event, h11.Response) and any(name == b"content-length" for name, _ in event.headers)
    self._held_head = data if waits else b""  # type: ignore[attr-defined]
    if data and not waits:
        await self.send(RawData(data=data))


async def _spawn_app(
    self: TaskGroup, app: AppWrapper, config: Config, scope: Scope,
    send: Callable[[ASGISendEvent | None], Awaitable[None]],
) -> Callable[[ASGIReceiveEvent], Awaitable[None]]:
    to_app, from_server = trio.open_memory_channel[ASGIReceiveEvent](config.max_app_queue_size)

    async def receive() -> ASGIReceiveEvent:
        try:
            return from_server.receive_nowait()
        except trio.WouldBlock:
            return await from_server.receive()

    async def put(event: ASGIReceiveEvent) -> None:
        try:
            to_app.send_nowait(event)
        except trio.WouldBlock:
            await to_app.send(event)

    self.spawn(_handle, app, config, scope, receive, send, trio.to_thread.run_sync, trio.from_thread.run)
    return put


async def _restart(self: TrioSingleTask, task_group: TaskGroup, action: Callable[[], Awaitable[None]]) -> None:
    await _stop(self)
    self._handle = trio.CancelScope()
    task_group.spawn(_within, self._handle, action)


async def _stop(self: TrioSingleTask) -> None:
    if self._handle is not None:
        self._handle.cancel()
        self._handle = None


async def _within(scope: trio.CancelScope, action: Callable[[], Awaitable[None]]) -> None:
    with scope:
        await action()


def apply() -> None:
    """Puts the repaired methods in place; doing it again changes nothing."""
    TCPServer.protocol_send = _protocol_send  # type: ignore[method-assign]
    H11Protocol._send_h11_event = _send_h11_event  # type: ignore[method-assign]
    TaskGroup.spawn_app = _spawn_app  # type: ignore[method-assign]
    TrioSingleTask.restart, TrioSingleTask.stop = _restart, _stop  # type: ignore[method-assign, assignment]
