"""The relay behind `hippo stdio`: JSON-RPC lines from stdin go to the daemon's `/mcp`, its answers to stdout.

1. Nothing but JSON-RPC is ever written to stdout.
2. A request that the daemon cannot answer gets a JSON-RPC error: never silence. A notification gets nothing.
3. Requests run side by side, each on its own connection of a small pool; a cancelled one is broken off.
4. At the end of stdin what is under way is finished, then the relay ends.
5. An event stream is held open as long as the relay lives, so that a daemon that only serves stdio stays awake.

It imports no MCP library, so that it is up at once: what it relays it need not understand.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import h11
import trio

from hippo import limits

_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_FAILED = -32000
_PARSE_ERROR = -32700
Message = dict[str, Any]


class Unreachable(Exception):
    """The daemon did not answer."""


class Relay:
    """One client's relay.

    Args:
        url: of the daemon. rejoin: finds or starts a daemon when it has gone; blocks.
    """

    def __init__(self, url: str, rejoin: Callable[[], str]) -> None:
        self._url, self._rejoin = url, rejoin
        self._idle: list[tuple[trio.SocketStream, h11.Connection]] = []
        self._pending: dict[str, trio.CancelScope] = {}
        self._version: str | None = None
        self._out = trio.Lock()

    async def run(self) -> None:
        """Relays until stdin ends."""
        async with trio.open_nursery() as background:
            background.start_soon(self._stay_present)
            async with trio.open_nursery() as nursery:
                async for line in _lines():
                    self._take(line, nursery)
            background.cancel_scope.cancel()

    def _take(self, line: bytes, nursery: trio.Nursery) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            nursery.start_soon(self._say, _error(None, _PARSE_ERROR, f"This line is not JSON: {error}"))
            return
        if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            asked = self._pending.get(json.dumps((message.get("params") or {}).get("requestId")))
            if asked is not None:
                asked.cancel()
        nursery.start_soon(self._relay, message)

    async def _relay(self, message: Any) -> None:
        known = isinstance(message, dict)
        number = message.get("id") if known else None
        expects = known and "method" in message and "id" in message
        name = json.dumps(number)
        with trio.CancelScope() as scope:
            if expects:
                self._pending[name] = scope
            try:
                answered = await self._exchange(message)
            except Unreachable as error:
                answered = False
                if expects:
                    await self._say(_error(number, _FAILED, f"The memory daemon does not answer: {error}"))
                    return
            finally:
                if self._pending.get(name) is scope:
                    del self._pending[name]
            if expects and not answered:
                await self._say(_error(number, _FAILED, "The memory daemon gave no answer."))

    async def _exchange(self, message: Any) -> bool:
        """Sends one message and writes what comes back. Returns whether an answer came."""
        body = json.dumps(message).encode()
        for attempt in range(2):
            try:
                return await self._post(body, self._headers(message), number=message.get("id")
                                        if isinstance(message, dict) else None)
            except (OSError, trio.BrokenResourceError, trio.ClosedResourceError, h11.RemoteProtocolError) as error:
                if attempt:
                    raise Unreachable(str(error) or type(error).__name__) from None
                await self._reconnect()
        raise AssertionError

    async def _reconnect(self) -> None:
        """The daemon went away, perhaps to restart: its store knows where it is now. A repeated write is safe only
        with a key, but a request whose connection broke before any answer is tried once more all the same when the
        daemon did not even accept it."""
        for stream, _ in self._idle:
            await trio.aclose_forcefully(stream)
        self._idle.clear()
        try:
            self._url = await trio.to_thread.run_sync(self._rejoin)
        except Exception as error:  # whatever keeps the daemon from starting is said to the client
            raise Unreachable(str(error)) from None

    def _headers(self, message: Any) -> list[tuple[str, str]]:
        headers = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
        if not isinstance(message, dict):
            return headers
        params = message.get("params")
        meta = (params.get("_meta") or {}) if isinstance(params, dict) else {}
        stated = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        version = stated or self._version
        if version:
            headers.append(("mcp-protocol-version", str(version)))
        if stated and "method" in message:
            headers.append(("mcp-method", str(message["method"])))
            named = _NAMED_BY.get(message["method"])
            if named and isinstance(params, dict) and isinstance(params.get(named), str):
                headers.append(("mcp-name", params[named]))
        return headers

    async def _post(self, body: bytes, headers: list[tuple[str, str]], number: Any) -> bool:
        host = urlsplit(self._url).netloc
        stream, line = await self._connection()
        answered = False
        try:
            request = h11.Request(method="POST", target="/mcp", headers=[
                ("host", host), ("content-length", str(len(body))), *headers])
            await stream.send_all(line.send(request) + line.send(h11.Data(data=body)) + line.send(h11.EndOfMessage()))
            async for kind, content in _answer(stream, line):
                for answer in _messages(kind, content):
                    self._notice(answer)
                    answered = answered or answer.get("id") == number
                    await self._say(answer)
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        line.start_next_cycle()
        self._idle.append((stream, line))
        return answered

    def _notice(self, answer: Message) -> None:
        result = answer.get("result")
        if isinstance(result, dict) and isinstance(result.get("protocolVersion"), str):
            self._version = result["protocolVersion"]

    async def _connection(self) -> tuple[trio.SocketStream, h11.Connection]:
        if self._idle:
            return self._idle.pop()
        parts = urlsplit(self._url)
        stream = await trio.open_tcp_stream(parts.hostname or "127.0.0.1", parts.port or 80)
        return stream, h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.body_bytes_max)

    async def _stay_present(self) -> None:
        """Rule 5."""
        while True:
            try:
                parts = urlsplit(self._url)
                stream = await trio.open_tcp_stream(parts.hostname or "127.0.0.1", parts.port or 80)
                async with stream:
                    await stream.send_all(b"GET /api/events?agent_id=hippo-stdio HTTP/1.1\r\nhost: %s\r\n\r\n"
                                          % parts.netloc.encode())
                    while await stream.receive_some(4096):
                        pass
            except (OSError, trio.BrokenResourceError):
                pass
            await trio.sleep(1.0)

    async def _say(self, message: Message) -> None:
        line = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        async with self._out:
            await trio.to_thread.run_sync(_write, line)


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _error(number: Any, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


async def _answer(stream: trio.SocketStream, line: h11.Connection) -> AsyncIterator[tuple[str, bytes]]:
    """The body of an answer in whole pieces: each event of a stream, or all of a JSON body. Yields (kind, content)."""
    kind, held = "", b""
    while True:
        event = line.next_event()
        if event is h11.NEED_DATA:
            line.receive_data(await stream.receive_some(65536))
        elif isinstance(event, h11.Response):
            kind = next((value.decode() for name, value in event.headers if name == b"content-type"), "")
        elif isinstance(event, h11.Data):
            held += event.data
            while kind.startswith("text/event-stream") and (at := _end_of_event(held)):
                yield kind, held[:at]
                held = held[at:]
        elif isinstance(event, h11.EndOfMessage):
            if held.strip():
                yield kind, held
            return
        else:
            raise h11.RemoteProtocolError("the daemon closed the connection")


def _end_of_event(held: bytes) -> int:
    ends = [held.find(mark) + len(mark) for mark in (b"\n\n", b"\r\n\r\n") if mark in held]
    return min(ends) if ends else 0


def _messages(kind: str, content: bytes) -> list[Message]:
    if kind.startswith("text/event-stream"):
        lines = [line[5:].strip() for line in content.splitlines() if line.startswith(b"data:")]
        content = b"\n".join(lines)
    if not content.strip():
        return []
    found = json.loads(content)
    if isinstance(found, dict) and "error" in found and "jsonrpc" not in found:
        told = found["error"]  # the daemon's own error shape
        return [_error(None, _FAILED, f"{told.get('message', '')} {told.get('hint', '')}".strip())]
    return found if isinstance(found, list) else [found]


async def _lines() -> AsyncIterator[bytes]:
    """Lines of stdin until it ends."""
    stream = trio.lowlevel.FdStream(os.dup(sys.stdin.fileno()))
    held = b""
    async with stream:
        while some := await stream.receive_some(65536):
            *whole, held = (held + some).split(b"\n")
            for line in whole:
                if line.strip():
                    yield line
    if held.strip():
        yield held


async def relay(url: str, rejoin: Callable[[], str]) -> None:
    """Relays stdin and stdout until stdin ends or a signal comes."""
    async with trio.open_nursery() as nursery:

        async def until_signal() -> None:
            with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

        nursery.start_soon(until_signal)
        await Relay(url, rejoin).run()
        nursery.cancel_scope.cancel()
