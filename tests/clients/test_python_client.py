"""The official Python client calls every tool in every way, in both eras, over HTTP and over stdin and stdout."""

from __future__ import annotations

import sys
from typing import Literal

import pytest
from mcp import Client, StdioServerParameters

from hippo.interfaces.mcp.table import SETS
from tests.clients.calls import TRIES, assert_all_came_out, filled, outcome
from tests.daemon_fixture import Daemon, environment

# The client's HTTP library leaves its own generators to the garbage collector once an event stream has ended.
pytestmark = pytest.mark.filterwarnings(r"ignore:Async generator '(httpx2|httpcore2)\.:ResourceWarning")

Era = Literal["auto", "legacy"]
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


async def _list_and_call_everything(server: str | StdioServerParameters, era: Era) -> None:
    async with Client(server, mode=era) as client:
        assert client.protocol_version == VERSIONS[era]
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert tools == [row.name for row in SETS["all"]]
        ids: dict[str, str] = {}
        came = []
        for tried in TRIES:
            result = await client.call_tool(tried.tool, filled(tried.arguments, ids))
            [text, *_] = result.content
            came.append((tried, outcome(result.is_error, getattr(text, "text", ""), result.structured_content)))
            if tried.name is not None:
                ids[tried.name] = came[-1][1].id or ""
        assert_all_came_out(came, tools)


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_python_client_calls_every_tool_in_every_way(era: Era, daemon: Daemon) -> None:
    await _list_and_call_everything(f"{daemon.url}/mcp", era)


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_python_client_does_so_over_stdin_and_stdout(era: Era, daemon: Daemon) -> None:
    relay = StdioServerParameters(
        command=sys.executable, args=["-m", "hippo", "stdio", "--dir", str(daemon.folder)], env=environment())
    await _list_and_call_everything(relay, era)


async def test_clients_of_both_eras_and_both_ways_share_one_memory(daemon: Daemon) -> None:
    relay = StdioServerParameters(
        command=sys.executable, args=["-m", "hippo", "stdio", "--dir", str(daemon.folder)], env=environment())
    async with Client(f"{daemon.url}/mcp", mode="legacy") as one, Client(relay, mode="auto") as other:
        stored = await one.call_tool("remember", {"text": "The spare key hangs behind the clock."})
        found = await other.call_tool("recall", {"cue": "Where is the spare key?"})
    assert stored.structured_content is not None
    assert found.structured_content is not None
    assert [row["id"] for row in found.structured_content["results"]] == [stored.structured_content["id"]]
