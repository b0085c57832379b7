"""The MCP server: built once from a table of tools and shared by all requests.

1. Both protocol eras are served from one endpoint: 2026-07-28, where each request stands alone, and the sessions of
   2025-11-25 and before, of which none is kept either (a restart needs no reconnect).
2. A tool's expected error is its result, marked as an error, with what to do: the model can mend its call. A tool that
   does not exist is a protocol error. Anything else is a bug: its traceback is logged, the client is told so.
3. Resources and prompts come as ready handlers, so that a test can bring its own. An expected error of those of the
   memory is a protocol error with the same words (`answering`).
4. A tool that is quiet says nothing before its result: its calls are answered the short way (`exchange.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import wraps
from typing import Any, NamedTuple

import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import x_mcp_header_map

from hippo.errors import HippoError, InternalError
from hippo.interfaces.answers import error_shape
from hippo.interfaces.turns import Kind

log = logging.getLogger("hippo.mcp")

Context = ServerRequestContext[Any, Any]
Handler = Callable[[Context, Any], Awaitable[Any]]
Call = Callable[[Context, Mapping[str, Any]], Awaitable[Any]]  # a result of the SDK's, or one as it is written

NAME = "hippo"
LISTS: tuple[CacheableMethod, ...] = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
LISTS_CACHED = CacheHint(ttl_ms=3_600_000, scope="public")  # they are the same for everyone until the next release
MENDED = "hippo.mended"  # in the ASGI scope: the request held halves of characters


class Tool(NamedTuple):
    """A tool as clients see it, and what answers a call of it.

    `quiet`: it says nothing before its result (rule 4). `turn`: of which kind its calls take one (`turns.py`).
    """

    shown: types.Tool
    call: Call
    quiet: bool = False
    turn: Kind | None = None


class ToolServer(Server[Any]):
    """The SDK's server, and the table its tools come from."""

    tools: Mapping[str, Tool]


def make_server(tools: Iterable[Tool], *, version: str, instructions: str = "", **more: Any) -> ToolServer:
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
        refuse_further_pages(params)
        return shown

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:
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

    server = ToolServer(
        NAME, version=version, title="hippo", instructions=instructions or None,
        get_tool_input_schema=in_headers.get,
        cache_hints=dict.fromkeys(LISTS, LISTS_CACHED), on_list_tools=list_tools, on_call_tool=call_tool, **more)
    server.tools = known
    server.middleware.clear()  # its tracing costs time on each call and reports to nobody here
    return server


def refusal(error: HippoError) -> types.CallToolResult:
    """An expected error as a tool's result (rule 2)."""
    return types.CallToolResult(content=[types.TextContent(text=_said(error))], is_error=True)


def answering(handler: Handler) -> Handler:
    """A handler whose expected errors are protocol errors (rule 3), and whose bugs are logged."""
    @wraps(handler)
    async def answered(context: Context, params: Any) -> Any:
        try:
            return await handler(context, params)
        except HippoError as refused:
            code = types.INVALID_PARAMS if refused.http_status < 500 else types.INTERNAL_ERROR
            raise MCPError(code, _said(refused)) from None
        except MCPError:
            raise
        except Exception:
            log.exception("%s failed", handler.__name__)
            raise MCPError(types.INTERNAL_ERROR, InternalError().message) from None

    return answered


def refuse_further_pages(params: types.PaginatedRequestParams | None) -> None:
    """Every list has one page."""
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "There is only one page.")


def _said(error: HippoError) -> str:
    words = error_shape(error)["error"]
    return " ".join(filter(None, (words["message"], words["hint"])))
