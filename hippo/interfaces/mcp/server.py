"""The MCP server: built once from a table of tools and shared by all requests.

1. Both protocol eras are served from one endpoint: 2026-07-28, where each request stands alone, and the sessions of
   2025-11-25 and before, of which none is kept either (a restart needs no reconnect).
2. A tool's expected error is its result, marked as an error, with what to do: the model can mend its call. A tool that
   does not exist is a protocol error. Anything else is a bug: its traceback is logged, the client is told so.
3. Resources and prompts come as ready handlers, so that a test can bring its own.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import x_mcp_header_map

from hippo import limits
from hippo.errors import HippoError, InternalError, MethodNotAllowed
from hippo.interfaces.answers import JSON, Receive, Scope, Send, answer_error, error_shape, header
from hippo.interfaces.arguments import mend

log = logging.getLogger("hippo.mcp")

Context = ServerRequestContext[Any, Any]
Call = Callable[[Context, Mapping[str, Any]], Awaitable[types.CallToolResult | types.InputRequiredResult]]

NAME = "hippo"
LISTS: tuple[CacheableMethod, ...] = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
LISTS_CACHED = CacheHint(ttl_ms=3_600_000, scope="public")  # they are the same for everyone until the next release
MENDED = "hippo.mended"  # in the ASGI scope: the request held halves of characters


class Tool(NamedTuple):
    """A tool as clients see it, and what answers a call of it."""

    shown: types.Tool
    call: Call


def make_server(tools: Iterable[Tool], *, version: str, instructions: str = "", **more: Any) -> Server[Any]:
    """One server for all requests.

    Args:
        tools: what clients are shown, in this order.
        version: of this release.
        instructions: for models, said once by clients that pass it on.
        more: further handlers by the SDK's names, such as `on_list_resources` (rule 3).
    """
    known = {tool.shown.name: tool for tool in tools}
    # Only these have arguments that are repeated in headers; for the others there is nothing to compare on each call.
    in_headers = {name: tool.shown.input_schema for name, tool in known.items()
                  if x_mcp_header_map(tool.shown.input_schema)}
    shown = types.ListToolsResult(tools=[tool.shown for tool in known.values()])

    async def list_tools(_: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "There is only one page of tools.")
        return shown

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = known.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool named {params.name}. Known: {', '.join(known)}.")
        try:
            return await tool.call(context, params.arguments or {})
        except HippoError as refused:
            return refusal(refused)
        except MCPError:
            raise
        except Exception:
            log.exception("the tool %s failed", params.name)
            raise MCPError(types.INTERNAL_ERROR, InternalError().message) from None

    server: Server[Any] = Server(
        NAME, version=version, title="hippo", instructions=instructions or None,
        get_tool_input_schema=in_headers.get,
        cache_hints=dict.fromkeys(LISTS, LISTS_CACHED), on_list_tools=list_tools, on_call_tool=call_tool, **more)
    server.middleware.clear()  # its tracing costs time on each call and reports to nobody here
    return server


def refusal(error: HippoError) -> types.CallToolResult:
    """An expected error as a tool's result (rule 2)."""
    words = error_shape(error)["error"]
    said = " ".join(filter(None, (words["message"], words["hint"])))
    return types.CallToolResult(content=[types.TextContent(text=said)], is_error=True)


class Endpoint:
    """`/mcp` as an ASGI app. Serves inside `running`.

    Args:
        server: what `make_server` returned.
    """

    def __init__(self, server: Server[Any]) -> None:
        # Host and Origin are the gate's to check, for every route alike. Without JSON answers only, progress gets
        # through; a call that reports none is still answered with plain JSON in the 2026 era.
        self._sessions = StreamableHTTPSessionManager(
            server, stateless=True, json_response=False, max_request_body_size=limits.body_bytes_max)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Until this is left, requests are answered; leaving it cancels those that are not yet."""
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["method"] != "POST":
            # A stateless server has nothing to say on a stream of its own, and no session to end.
            raise MethodNotAllowed(path=scope["path"], method=scope["method"], allowed="POST")
        message = await receive()
        body, mended = mend(message.get("body", b""))
        if mended:
            scope = {**scope, MENDED: True}
        unread = True

        async def receive_mended() -> Any:
            nonlocal unread
            if not unread:
                return await receive()
            unread = False
            return {**message, "body": body}

        await self._sessions.handle_request(scope, receive_mended, _in_json(scope, send))


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
