"""One repair of hypercorn on trio, until it is made there.

hypercorn (0.18) shields the sending of an answer from cancellation, without any limit. A client that stops reading
while its connection stays open (a suspended laptop, a paused debugger) lets the kernel's buffer fill up; from then on
the send never returns, and neither does the daemon's shutdown, which waits for it. Here the shield has a limit: an
answer is sent in pieces, and a client that takes none of a piece for `limits.send_stall_seconds` is taken for gone.
The shield itself stays: it keeps answers from being cut short by an ordinary shutdown.
"""

from __future__ import annotations

import trio
from hypercorn.events import Closed, Event, RawData
from hypercorn.trio.tcp_server import TCPServer

from hippo import limits

_original = TCPServer.protocol_send


async def _protocol_send(self: TCPServer, event: Event) -> None:
    if not isinstance(event, RawData):
        await _original(self, event)
        return
    async with self.send_lock:
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


def apply() -> None:
    """Puts the repaired method in place; doing it again changes nothing."""
    TCPServer.protocol_send = _protocol_send  # type: ignore[method-assign]
