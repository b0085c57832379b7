"""`hippo stdio`: MCP messages from stdin to the daemon's `/mcp`, and its answers to stdout. Nothing else on stdout.

1. It starts fast: no MCP library, no brain; what it relays it hardly looks at.
2. Every request gets exactly one answer: the daemon's, or an error that says why there is none. A notification gets
   none. A cancelled request gets none either: its connection is closed, which is how HTTP says so in both eras.
3. Requests run side by side, each on a connection of its own while it lasts; connections are used again.
4. A connection that the daemon has closed meanwhile is noticed before it is used, so that no request is ever sent
   twice: a daemon that went away after it had read one may have done what was asked.
5. A daemon that was started again may listen elsewhere: before a new connection is made it is looked up where it is. If
   none comes back within `limits.stdio_connect_seconds` one is started, where that is for the relay to do.
6. The client closing its end ends the relay: what is pending may finish, for a bounded time. So do SIGINT, SIGTERM and
   a client that no longer reads, at once.

Of the two protocol eras the newer says its version in each request, and wants method and name in headers; the older
agrees on one version in the answer to `initialize`, and wants it in a header from then on.
"""

from __future__ import annotations

import base64
import json
import os
import re
import select
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Protocol
from urllib.parse import urlsplit

import h11
import trio

from hippo import limits
from hippo.errors import DaemonUnreachable, HippoError

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
NAME_IN = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603

_receive_bytes = 64 * 1024
_plain = re.compile(r"[\x20-\x7e]*")


class Whereabouts(Protocol):
    """Who knows where the daemon is (rule 5)."""

    def look(self) -> str | None:
        """Its address as far as it is known now."""
        ...

    def start(self) -> str:
        """The address of a daemon that is started now, if none runs. It blocks.

        Raises:
            HippoError: none could be started.
        """
        ...


async def relay(
    url: str, stdin: trio.abc.ReceiveStream, stdout: trio.abc.SendStream, whereabouts: Whereabouts | None = None
) -> None:
    """Relays until the client closes its end (rule 6).

    Args:
        url: of the daemon, such as http://127.0.0.1:3000.
        stdin: where the client's messages come from, one a line.
        stdout: where the daemon's go, one a line.
        whereabouts: asked where the daemon is by now; without, it stays where it was.
    """
    await _Relay(_Daemon(url, whereabouts), stdout).run(stdin)


async def relay_here(url: str, whereabouts: Whereabouts | None = None) -> None:
    """The same over this process's stdin and stdout, until a signal ends it too.

    Whatever else would print to stdout is sent to stderr instead.
    """
    stdin, stdout = trio.lowlevel.FdStream(os.dup(0)), trio.lowlevel.FdStream(os.dup(1))
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    async with stdin, stdout, trio.open_nursery() as nursery:

        async def until_signal() -> None:
            with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

        nursery.start_soon(until_signal)
        await relay(url, stdin, stdout, whereabouts)
        nursery.cancel_scope.cancel()


class ClientGoneError(Exception):
    """The client does not read any more."""


class _Relay:
    """One client and its requests."""

    def __init__(self, daemon: _Daemon, stdout: trio.abc.SendStream) -> None:
        self._daemon = daemon
        self._stdout = stdout
        self._write_lock = trio.Lock()
        self._room = trio.Semaphore(limits.stdio_requests_max)
        self._pending: dict[str | int, trio.CancelScope] = {}
        self._version: str | None = None  # what the older era has agreed on

    async def run(self, stdin: trio.abc.ReceiveStream) -> None:
        try:
            async with trio.open_nursery() as nursery:
                async with aclosing(_lines(stdin)) as lines:
                    async for line in lines:
                        await self._take(line, nursery)
                nursery.cancel_scope.deadline = trio.current_time() + limits.stdio_drain_seconds
        except* ClientGoneError:
            pass
        finally:
            self._daemon.close()

    async def _take(self, line: bytes | None, nursery: trio.Nursery) -> None:
        """Sends one message on its way."""
        if line is None:
            what = f"A message has at most {limits.stdio_line_bytes_max} bytes."
            await self._write_error(None, INVALID_REQUEST, what)
            return
        try:
            message = json.loads(line.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            await self._write_error(None, PARSE_ERROR, "This line is not JSON.")
            return
        if not isinstance(message, dict):
            await self._write_error(None, INVALID_REQUEST, "One message is one JSON object.")
            return
        method, id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            if "result" not in message and "error" not in message:
                await self._write_error(id, INVALID_REQUEST, "This message has no method.")
            return  # an answer: the daemon, which keeps no sessions, asks nothing
        if method == "notifications/cancelled":
            params = message.get("params")
            named = params.get("requestId") if isinstance(params, dict) else None
            if isinstance(named, str | int) and named in self._pending:
                self._pending[named].cancel()
            return
        scope = trio.CancelScope()
        if isinstance(id, str | int):
            self._pending[id] = scope
        await self._room.acquire()
        nursery.start_soon(self._forward, line, message, scope)

    async def _forward(self, line: bytes, message: dict[str, Any], scope: trio.CancelScope) -> None:
        """One message and its answer (rule 2)."""
        id, answered = message.get("id"), False
        try:
            with scope:
                async with aclosing(self._daemon.post(line, self._headers(message))) as answers:
                    async for answer in answers:
                        answered |= await self._pass_on(answer, message)
                if not answered and "id" in message:
                    await self._write_error(id, INTERNAL_ERROR, "The daemon ended its answer before the result.")
        except HttpRefusedError as refused:
            if "id" in message and not await self._pass_on(refused.body, message):
                await self._write_error(id, INTERNAL_ERROR, refused.words)
        except HippoError as error:
            if "id" in message:
                await self._write_error(id, INTERNAL_ERROR, f"{error.message} {error.advice}".strip())
        finally:
            self._room.release()
            if isinstance(id, str | int) and self._pending.get(id) is scope:
                del self._pending[id]

    async def _pass_on(self, answer: bytes, asked: dict[str, Any]) -> bool:
        """Writes one message of the daemon, if it is one. Returns whether it was the answer."""
        try:
            message = json.loads(answer)
        except ValueError:
            return False
        if not isinstance(message, dict) or "jsonrpc" not in message:
            return False
        if asked["method"] == "initialize" and isinstance(message.get("result"), dict):
            self._version = message["result"].get("protocolVersion")
        await self._write(answer if b"\n" not in answer and b"\r" not in answer else _encoded(message))
        return "method" not in message

    def _headers(self, message: dict[str, Any]) -> list[tuple[str, str]]:
        """The headers that say what the message is, each era's own way."""
        method, params = message["method"], message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        stated = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
        if isinstance(stated, str):
            headers += [("MCP-Protocol-Version", _header(stated)), ("Mcp-Method", _header(method))]
            name = params.get(NAME_IN.get(method, ""))
            if isinstance(name, str):
                headers.append(("Mcp-Name", _header(name)))
        elif self._version is not None and method != "initialize":
            headers.append(("MCP-Protocol-Version", _header(self._version)))
        return headers

    async def _write_error(self, id: Any, code: int, what: str) -> None:
        await self._write(_encoded({"jsonrpc": "2.0", "id": id if isinstance(id, str | int) else None,
                                    "error": {"code": code, "message": what}}))

    async def _write(self, message: bytes) -> None:
        async with self._write_lock:
            try:
                await self._stdout.send_all(message + b"\n")
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise ClientGoneError from None


async def _lines(stdin: trio.abc.ReceiveStream) -> AsyncGenerator[bytes | None, None]:
    """The lines that are not blank; None for one that is too long."""
    rest, too_long = bytearray(), False
    while True:
        try:
            piece = await stdin.receive_some(_receive_bytes)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
        *whole, last = piece.split(b"\n")
        for part in whole:
            line, skipped = bytes(rest + part), too_long
            rest, too_long = bytearray(), False
            if skipped or len(line) > limits.stdio_line_bytes_max:
                yield None
            elif line.strip():
                yield line
        rest += last
        if len(rest) > limits.stdio_line_bytes_max:
            rest, too_long = bytearray(), True
        if not piece:
            if rest.strip():
                yield bytes(rest)
            return


class HttpRefusedError(Exception):
    """The daemon answered with an HTTP error."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body
        super().__init__(status)

    @property
    def words(self) -> str:
        """What the daemon said, or the bare status."""
        try:
            error = json.loads(self.body)["error"]
            return f"{error['message']} {error['hint']}".strip()
        except (ValueError, KeyError, TypeError):
            return f"The daemon answered with HTTP status {self.status}."


class _Daemon:
    """The connections to the daemon."""

    def __init__(self, url: str, whereabouts: Whereabouts | None) -> None:
        self._whereabouts = whereabouts
        self._starting = trio.Lock()
        self._idle: list[tuple[h11.Connection, trio.SocketStream]] = []
        self._move(url)

    def _move(self, url: str) -> None:
        parts = urlsplit(url)
        self._url = url
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._target = parts.path.rstrip("/") + "/mcp"
        self._authority = parts.netloc

    def close(self) -> None:
        """Closes what is idle."""
        for _, stream in self._idle:
            stream.socket.close()
        self._idle.clear()

    async def post(self, body: bytes, headers: list[tuple[str, str]]) -> AsyncGenerator[bytes, None]:
        """The messages that answer one.

        Raises:
            DaemonUnreachable: there is no daemon, or it went away before its answer was complete.
            HttpRefusedError: it answered with an error.
        """
        connection, stream = await self._connection()
        kept = False
        try:
            head = h11.Request(method="POST", target=self._target, headers=[
                ("Host", self._authority), ("Content-Length", str(len(body))), *headers])
            await stream.send_all(b"".join(filter(None, (
                connection.send(head), connection.send(h11.Data(data=body)), connection.send(h11.EndOfMessage())))))
            async with aclosing(self._answers(connection, stream)) as answers:
                async for message in answers:
                    yield message
            if connection.our_state is h11.DONE and connection.their_state is h11.DONE:
                connection.start_next_cycle()
                self._idle.append((connection, stream))
                kept = True
        except (trio.BrokenResourceError, h11.RemoteProtocolError):
            why = "it went away before it answered, and may have done what was asked"
            raise DaemonUnreachable(url=self._url, why=why) from None
        finally:
            if not kept:
                stream.socket.close()

    async def _answers(self, connection: h11.Connection, stream: trio.SocketStream) -> AsyncGenerator[bytes, None]:
        status, events, collected = 0, False, bytearray()
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await stream.receive_some(_receive_bytes))
            elif isinstance(event, h11.Response):
                status = event.status_code
                events = dict(event.headers).get(b"content-type", b"").startswith(b"text/event-stream")
            elif isinstance(event, h11.Data):
                collected += event.data
                if events:
                    *complete, rest = collected.replace(b"\r\n", b"\n").split(b"\n\n")
                    collected = bytearray(rest)
                    for block in complete:
                        if (message := _event_message(bytes(block))) is not None:
                            yield message
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                raise h11.RemoteProtocolError("the connection was closed")
        if status >= 400:
            raise HttpRefusedError(status, bytes(collected))
        if collected.strip() and not events:
            yield bytes(collected)

    async def _connection(self) -> tuple[h11.Connection, trio.SocketStream]:
        """One that is idle and still open (rule 4), or a new one.

        Raises:
            HippoError: there is no daemon (rule 5).
        """
        while self._idle:
            connection, stream = self._idle.pop()
            if not select.select([stream.socket.fileno()], [], [], 0)[0]:  # readable would be its end
                return connection, stream
            stream.socket.close()
        until, started = trio.current_time() + limits.stdio_connect_seconds, False
        while True:  # a daemon that is just starting again deserves a moment
            if self._whereabouts is not None and (url := self._whereabouts.look()) is not None:
                self._move(url)
            try:
                return h11.Connection(h11.CLIENT), await trio.open_tcp_stream(self._host, self._port)
            except OSError as fault:
                why = str(fault) or type(fault).__name__
            if trio.current_time() >= until:
                if self._whereabouts is None or started:
                    raise DaemonUnreachable(url=self._url, why=why)
                await self._start(self._whereabouts)
                until, started = trio.current_time() + limits.stdio_connect_seconds, True
            else:
                await trio.sleep(0.1)

    async def _start(self, whereabouts: Whereabouts) -> None:
        async with self._starting:  # requests that found no daemon at the same time start one
            self._move(await trio.to_thread.run_sync(whereabouts.start))


def _event_message(block: bytes) -> bytes | None:
    """The data of one server-sent event; None for a comment."""
    data = [line[5:].removeprefix(b" ") for line in block.split(b"\n") if line.startswith(b"data:")]
    return b"\n".join(data) if any(data) else None


def _header(value: str) -> str:
    """A value as the newer era writes it into a header: as it is, or marked and in base64."""
    if _plain.fullmatch(value) and value == value.strip() and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}?="


def _encoded(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii")
