"""Server-sent events as a plain ASGI callable: ends in milliseconds at shutdown, whoever is listening.

1. Each event has an `id:`; a client that comes back with Last-Event-ID goes on from there.
2. A comment is sent every `limits.heartbeat_seconds`, so that proxies keep the stream and dead clients are noticed.
3. What already waits for a client is sent at once, and an event is written once for all who hear it: else many
   listeners would take the time of those who ask.
4. A stream ends when the client leaves, when the service ends it, or when the daemon closes them all; the last two
   end the answer properly, so that the client sees its end and comes back later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import trio

from hippo import limits
from hippo.errors import InvalidArgument
from hippo.interfaces.answers import Receive, Send
from hippo.interfaces.wire import to_json

if TYPE_CHECKING:
    from hippo.interfaces.service import Service
    from hippo.runtime.messages import Event

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),  # or nginx holds events back
]
RETRY_MS = 2_000


class Streams:
    """Every open event stream of the daemon."""

    def __init__(self) -> None:
        self._scopes: set[trio.CancelScope] = set()
        self._closed = False
        self._written: OrderedDict[int, tuple[Event, bytes]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._scopes)

    def close(self) -> None:
        """Ends every stream, also those to come. Done before the HTTP server is told to stop."""
        self._closed = True
        for scope in self._scopes:
            scope.cancel()

    async def serve(
        self, service: Service, agent_id: str | None, after: int | None, receive: Receive, send: Send
    ) -> None:
        """Answers one request with the events of an agent, from the one after `after` on."""
        async with service.subscribe(agent_id, after) as events:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": b"retry: %d\n\n" % RETRY_MS, "more_body": True})
            async with trio.open_nursery() as nursery:
                self._scopes.add(nursery.cancel_scope)
                try:
                    if self._closed:
                        nursery.cancel_scope.cancel()
                    nursery.start_soon(_until_gone, receive, nursery.cancel_scope)
                    nursery.start_soon(_keep_alive, send)
                    async for event in events:
                        frames = [self._frame(one) for one in (event, *_waiting(events))]
                        await send({"type": "http.response.body", "body": b"".join(frames), "more_body": True})
                    nursery.cancel_scope.cancel()
                finally:
                    self._scopes.discard(nursery.cancel_scope)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _frame(self, event: Event) -> bytes:
        known = self._written.get(event.id)
        if known is not None and known[0] is event:
            return known[1]
        self._written[event.id] = event, (written := frame(event))
        if len(self._written) > limits.subscriber_events:
            self._written.popitem(last=False)
        return written


def _waiting(events: trio.MemoryReceiveChannel[Event]) -> Iterator[Event]:
    """What can be had without waiting."""
    with suppress(trio.WouldBlock, trio.EndOfChannel):
        while True:
            yield events.receive_nowait()


def frame(event: Event) -> bytes:
    """One event as its lines. JSON holds no line breaks, so the data is one line."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.id, event.name.encode(), to_json(event.data))


def last_event_id(written: str | None) -> int | None:
    """The id in a Last-Event-ID header.

    Raises:
        InvalidArgument: it is not one of ours.
    """
    if written is None or not written.strip():
        return None
    if not written.strip().isdecimal():
        raise InvalidArgument(what="Last-Event-ID is a number.")
    return int(written)


async def _until_gone(receive: Receive, scope: trio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _keep_alive(send: Send) -> None:
    while True:
        await trio.sleep(limits.heartbeat_seconds)
        await send({"type": "http.response.body", "body": b": still here\n\n", "more_body": True})
