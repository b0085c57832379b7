"""The gate in front of every route, `/mcp` included. Plain ASGI.

1. Host (against DNS rebinding): names of this machine with any port, and those of `allowed_hosts`; else 421.
2. Origin (against other people's pages): none, this machine's, the daemon's own, or one of `cors_origins`; else 403.
   The last may read the answers too: they get CORS headers, and their preflight is answered here.
3. A body is read here, whole, and measured by its bytes as they come, whatever Content-Length says; but that of an
   upload is left to its route (`uploads.py`). What is left of one that is refused is read and thrown away, so that a
   client that is still sending lives to read why.
4. What a handler did not expect becomes a 500 in JSON and a traceback in the log: the HTTP server below would swallow
   it. An answer that has begun cannot be taken back: its connection is cut instead.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

import trio

from hippo import limits
from hippo.errors import BodyTooLarge, HippoError, HostRefused, InternalError, MethodNotAllowed, OriginRefused
from hippo.interfaces.answers import App, Message, Receive, Scope, Send, answer, answer_error, header
from hippo.interfaces.uploads import is_upload

log = logging.getLogger("hippo.http")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "localhost."})
METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS"
EXPOSED = "content-disposition, mcp-session-id, mcp-protocol-version"


class Gate:
    """The four rules around an app, and a count of what passed.

    Args:
        app: what answers once a request is let through.
        allowed_hosts: further names, with or without a port.
        cors_origins: origins whose pages may call; `*` lets any.
    """

    def __init__(self, app: App, allowed_hosts: Iterable[str] = (), cors_origins: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = {host.lower() for host in allowed_hosts}
        self._origins = {origin.lower() for origin in cors_origins}
        self.answered: Counter[int] = Counter()  # by status
        self.seconds = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] != "http":
            return
        exchange = _Exchange(receive, send)
        try:
            await self._pass(scope, exchange)
        except HippoError as refused:
            await self._refuse(exchange, refused)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            await self._refuse(exchange, InternalError())
        finally:
            self.answered[exchange.status] += 1
            self.seconds += exchange.seconds

    async def _pass(self, scope: Scope, exchange: _Exchange) -> None:
        host, origin = header(scope, b"host"), header(scope, b"origin")
        if not self._host_allowed(host):
            raise HostRefused(host=host or "(none)")
        if origin is not None:
            try:
                allowed = _same_site(origin, host or "", scope.get("scheme", "http")) or self._origin_allowed(origin)
            except ValueError:  # it is no URL at all
                allowed = False
            if not allowed:
                raise OriginRefused(origin=origin)
            exchange.origin = origin
            if scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method"):
                await _answer_preflight(scope, exchange.send)
                return
        if not is_upload(scope) and not await exchange.read_body():
            return  # the client has gone
        await self._app(scope, exchange.receive, exchange.send)

    async def _refuse(self, exchange: _Exchange, error: HippoError) -> None:
        if exchange.status:
            # Too late for another answer. Leaving it unended makes the HTTP server cut the connection.
            log.warning("an answer that had begun was cut short: %s", error.message)
            return
        await exchange.drain()
        more = {}
        if isinstance(error, MethodNotAllowed):
            more["allow"] = str(error.words["allowed"])
        if exchange.unread or isinstance(error, BodyTooLarge):
            more["connection"] = "close"
        await answer_error(exchange.send, error, more)

    def _host_allowed(self, host: str | None) -> bool:
        if not host:
            return False
        host = host.lower()
        return host in self._hosts or (name := _name(host)) in LOOPBACK or name in self._hosts

    def _origin_allowed(self, origin: str) -> bool:
        origin = origin.lower().rstrip("/")
        if origin in self._origins or "*" in self._origins:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and self._host_allowed(parts.netloc)


class _Exchange:
    """One request and its answer: reads the body, keeps the status, adds CORS headers."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._body: bytes | None = None
        self.unread = True  # more of the body is to come
        self.status = 0
        self._began, self._ended = time.perf_counter(), 0.0
        self.origin: str | None = None

    @property
    def seconds(self) -> float:
        """From when it began until its answer was sent, or until now."""
        return (self._ended or time.perf_counter()) - self._began

    async def read_body(self) -> bool:
        """Reads the whole body (rule 3). Returns False when the client left meanwhile.

        Raises:
            BodyTooLarge: it has more than `limits.body_bytes_max` bytes.
        """
        pieces: list[bytes] = []
        counted = 0
        while self.unread:
            message = await self._take()
            if message["type"] == "http.disconnect":
                return False
            pieces.append(message.get("body", b""))
            counted += len(pieces[-1])
            if counted > limits.body_bytes_max:
                raise BodyTooLarge(limit=limits.body_bytes_max)
        self._body = b"".join(pieces)
        return True

    async def drain(self) -> None:
        """Throws away what is left of the body, as far as it comes and is not boundless."""
        left = limits.body_drain_bytes_max
        while self.unread and left > 0:
            with trio.move_on_after(limits.send_stall_seconds) as stalled:
                left -= len((await self._take()).get("body", b""))
            if stalled.cancelled_caught:
                return

    async def _take(self) -> Message:
        message = await self._receive()
        self.unread = message.get("more_body", False)
        return message

    async def receive(self) -> Message:
        """The body as one message, that of an upload piece by piece, then whatever the HTTP server says."""
        if self._body is None:
            return await self._take()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", []), (b"x-content-type-options", b"nosniff")]
            if self.origin is not None:
                headers += [(b"access-control-allow-origin", self.origin.encode("latin-1")), (b"vary", b"origin"),
                            (b"access-control-expose-headers", EXPOSED.encode())]
            message = {**message, "headers": headers}
        # With the last piece the HTTP server also tells the app that the client is through, and makes the connection
        # ready for the next request. An app that ends itself when it hears so must not cut the second short.
        last = message["type"] == "http.response.body" and not message.get("more_body", False)
        with trio.CancelScope(shield=last):
            if last and self.unread:
                await self._send_and_discard(message)
            else:
                await self._send(message)
        if last:
            self._ended = time.perf_counter()

    async def _send_and_discard(self, message: Message) -> None:
        """Sends the end of an answer. Behind it the HTTP server puts the end of the request, and would wait for as long
        as nobody takes the pieces that it has read."""
        async def discard() -> None:
            while True:
                await self._receive()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(discard)
            await self._send(message)
            nursery.cancel_scope.cancel()


async def _answer_preflight(scope: Scope, send: Send) -> None:
    more = {
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": header(scope, b"access-control-request-headers") or "content-type",
        "access-control-max-age": "86400",
    }
    if header(scope, b"access-control-request-private-network"):
        more["access-control-allow-private-network"] = "true"  # a public page calls a daemon at home
    await answer(send, 204, b"", "text/plain", more)


def _name(host: str) -> str:
    """A host without its port: `[::1]:3000` is `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _same_site(origin: str, host: str, scheme: str) -> bool:
    # Behind a proxy that ends TLS the scheme here is http while the page's is https: the host decides.
    parts = urlsplit(origin)
    return bool(host) and parts.netloc.lower() == host.lower() and parts.scheme in (scheme, "https")
