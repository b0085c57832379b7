"""The short way of a quiet call, against the SDK's whole way."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

import httpx
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from hippo.errors import InvalidArgument
from hippo.interfaces.mcp.exchange import read_call
from hippo.interfaces.mcp.server import Context, Tool, make_server
from tests.interfaces.serving import client, served
from tests.interfaces.test_mcp import in_reply

SHORT = {"accept": "application/json, text/event-stream"}
WHOLE = {"accept": "*/*"}  # as good, but not plainly what the short way takes
HEADERS = [(b"accept", SHORT["accept"].encode()), (b"content-type", b"application/json")]


async def _act(context: Context, given: Mapping[str, Any]) -> Any:
    match given.get("do"):
        case "refuse":
            raise InvalidArgument(what="Not like this.")
        case "protocol":
            raise MCPError(types.INVALID_PARAMS, "Not so.", data={"why": 1})
        case "bug":
            raise ZeroDivisionError
        case "wrong":
            return {"content": 7}
        case "typed":
            return types.CallToolResult(content=[types.TextContent(text="typed")], structured_content={"a": None})
    assert context.meta is None or "progress_token" in context.meta
    return {"content": [{"type": "text", "text": f"é😀 {dict(given)}"}], "structuredContent": {"given": dict(given)},
            "resultType": "complete"}


def _server(*, quiet: bool = True) -> Any:
    shown = types.Tool(name="act", description="Acts.", input_schema={"type": "object", "properties": {}})
    return make_server([Tool(shown, _act, quiet=quiet)], version="1")


def call(id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "act", **params}}


@pytest.mark.parametrize("message", [
    call(arguments={"a": [1, 2.5, None, {"b": "c"}]}), call("id", arguments={}), call(arguments=None), call(),
    call(arguments={"do": "refuse"}), call(arguments={"do": "protocol"}), call(arguments={"do": "bug"}),
    call(arguments={"do": "wrong"}), call(arguments={"do": "typed"}), call(arguments=[1]), call(arguments="x"),
    call(_meta={"progressToken": "p"}, arguments={}), call(_meta=[], arguments={}), call(_meta=7),
])
@pytest.mark.parametrize("version", [None, "2025-06-18", "2025-11-25"])
async def test_both_ways_give_the_same_answer(
    message: dict[str, Any], version: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "hippo")
    more = {} if version is None else {"mcp-protocol-version": version}
    async with served(None, server=_server()) as url, client(url) as http:
        short = await http.post("/mcp", json=message, headers={**SHORT, **more})
        whole = await http.post("/mcp", json=message, headers={**WHOLE, **more})
    assert (short.status_code, short.json()) == (whole.status_code, whole.json())
    assert short.headers["content-type"] == whole.headers["content-type"] == "application/json"
    assert short.json()["id"] == message["id"]


async def test_a_tool_that_is_not_quiet_answers_over_a_stream() -> None:
    async with served(None, server=_server(quiet=False)) as url, client(url) as http:
        reply = await http.post("/mcp", json=call(arguments={}), headers=SHORT)
        assert reply.headers["content-type"].startswith("text/event-stream")
        assert in_reply(reply)["result"]["structuredContent"] == {"given": {}}


@pytest.mark.parametrize(("body", "headers"), [
    (call(), [(b"accept", b"application/json"), HEADERS[1]]), (call(), [HEADERS[0], (b"content-type", b"text/plain")]),
    (call(), [*HEADERS, (b"mcp-protocol-version", b"2026-07-28")]), (call(), HEADERS[1:]),
    (call(), [*HEADERS, (b"mcp-protocol-version", b"1999")]), ({**call(), "jsonrpc": "1.0"}, HEADERS),
    ({**call(), "id": None}, HEADERS), ({**call(), "id": 1.5}, HEADERS), ({**call(), "id": True}, HEADERS),
    ({**call(), "params": None}, HEADERS), ({**call(), "method": "tools/list"}, HEADERS), ([call()], HEADERS),
    ("[" * 100_000, HEADERS), ("", HEADERS), ("nonsense", HEADERS),
])
def test_only_what_is_plainly_such_a_call_takes_the_short_way(body: Any, headers: list[tuple[bytes, bytes]]) -> None:
    written = body if isinstance(body, str) else json.dumps(body)
    assert read_call({"headers": headers}, written.encode()) is None


def test_a_call_with_whatever_else_clients_write_takes_the_short_way() -> None:
    headers = [(b"accept", b"text/event-stream,application/json;q=0.9"),
               (b"content-type", b"application/json; charset=utf-8"), (b"mcp-session-id", b"long-gone")]
    asked = read_call({"headers": headers}, json.dumps({**call("x", arguments={"a": 1}), "extra": 1}).encode())
    assert asked is not None
    assert (asked.id, asked.params) == ("x", {"name": "act", "arguments": {"a": 1}})


async def test_a_client_that_leaves_meanwhile_is_no_trouble() -> None:
    async with served(None, server=_server()) as url, client(url) as http:
        with pytest.raises(httpx.TimeoutException):
            await http.post("/mcp", json=call(arguments={}), headers=SHORT, timeout=1e-6)
        assert (await http.post("/mcp", json=call(arguments={}), headers=SHORT)).status_code == 200
