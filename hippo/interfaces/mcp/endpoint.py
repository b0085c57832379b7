"""`/mcp` as an ASGI app: over the SDK's session manager, or the short way (`exchange.py`).

1. Which tool a message calls is read before anything else of it: a call of one that writes waits for its turn first.
2. A call of a quiet tool is answered with plain JSON in both eras; any other may report progress, over a stream in the
   era of sessions.
3. Whatever is refused is refused in JSON.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from hippo import limits
from hippo.errors import HippoError, MethodNotAllowed
from hippo.interfaces.answers import JSON, Receive, Scope, Send, answer, answer_error, header
from hippo.interfaces.arguments import mend
from hippo.interfaces.mcp.exchange import answered, read_call
from hippo.interfaces.mcp.server import MENDED, Tool, ToolServer
from hippo.interfaces.turns import Turns


class _Params(msgspec.Struct):
    name: str = ""


class _Called(msgspec.Struct):
    """As much of a message as says which tool it calls; the rest is passed over unread."""

    method: str = ""
    params: _Params | None = None


_called = msgspec.json.Decoder(_Called)


class Endpoint:
    """`/mcp`. Serves inside `running`.

    Args:
        server: what `make_server` returned.
        turns: of the daemon.
    """

    def __init__(self, server: ToolServer, turns: Turns) -> None:
        self._server, self._turns = server, turns
        # Host and Origin are the gate's to check, for every route alike.
        self._sessions, self._plain = (StreamableHTTPSessionManager(
            server, stateless=True, json_response=plain, max_request_body_size=limits.body_bytes_max)
            for plain in (False, True))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Until this is left, requests are answered; leaving it cancels those that are not yet."""
        async with self._sessions.run(), self._plain.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["method"] != "POST":
            # A stateless server has nothing to say on a stream of its own, and no session to end.
            raise MethodNotAllowed(path=scope["path"], method=scope["method"], allowed="POST")
        body = (await receive()).get("body", b"")
        tool = self._tool(body)
        if tool is None or tool.turn is None:
            await self._serve(tool, scope, body, receive, send)
            return
        async with self._turns.one(tool.turn) as turn:
            await self._serve(tool, scope, body, receive, turn.until_sent(send))

    def _tool(self, body: bytes) -> Tool | None:
        """The tool that a message calls, if it is a call of one."""
        try:
            called = _called.decode(body)
        except (msgspec.DecodeError, RecursionError):
            return None  # whoever reads it whole says what is wrong
        if called.method != "tools/call" or called.params is None:
            return None
        return self._server.tools.get(called.params.name)

    async def _serve(self, tool: Tool | None, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        body, mended = mend(body)
        if mended:
            scope = {**scope, MENDED: True}
        quiet = tool is not None and tool.quiet
        if quiet and (asked := read_call(scope, body)) is not None:
            await answer(send, 200, await answered(self._server, asked, scope), JSON)
            return
        unread = True

        async def receive_mended() -> Any:
            nonlocal unread
            if not unread:
                return await receive()
            unread = False
            return {"type": "http.request", "body": body, "more_body": False}

        sessions = self._plain if quiet else self._sessions
        await sessions.handle_request(scope, receive_mended, _in_json(scope, send))


def _in_json(scope: Scope, send: Send) -> Send:
    """The SDK refuses some requests (406, a wrong content type) with plain text or nothing: errors are JSON here."""
    held: dict[str, Any] | None = None

    async def sending(message: Any) -> None:
        nonlocal held
        if message["type"] == "http.response.start" and message["status"] >= 400:
            kind = dict(message.get("headers", [])).get(b"content-type", b"")
            if not kind.startswith(JSON.encode()):
                held = {"status": message["status"], "body": b""}
                return
        if held is None:
            await send(message)
            return
        held["body"] += message.get("body", b"")
        if not message.get("more_body", False):
            await answer_error(send, BadMcpRequestError(held["status"], held["body"].decode("utf-8", "replace"), scope))

    return sending


class BadMcpRequestError(HippoError):
    """{what}"""

    code = "bad_mcp_request"
    hint = ("POST one JSON-RPC message, with content-type: application/json and "
            "accept: application/json, text/event-stream.")

    def __init__(self, status: int, said: str, scope: Scope) -> None:
        accepts = f"accept is {header(scope, b'accept') or 'missing'}"
        super().__init__(what=f"{said or 'This request is not acceptable'} ({accepts}).")
        self.http_status = status  # type: ignore[misc]
