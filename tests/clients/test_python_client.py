"""The official Python client lists and calls every tool, in both eras, over HTTP and over stdin and stdout."""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters

from tests.clients.calls import CALLS
from tests.daemon_fixture import Daemon, environment

# The client's HTTP library leaves its own generators to the garbage collector once an event stream has ended.
pytestmark = pytest.mark.filterwarnings(r"ignore:Async generator '(httpx2|httpcore2)\.:ResourceWarning")

Era = Literal["auto", "legacy"]
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


async def _list_and_call_everything(server: str | StdioServerParameters, era: Era) -> None:
    async with Client(server, mode=era) as client:
        assert client.protocol_version == VERSIONS[era]
        assert {tool.name for tool in (await client.list_tools()).tools} == set(CALLS)
        results: dict[str, dict[str, Any]] = {}
        for name, written in CALLS.items():
            stored = results.get("remember", {}).get("id", "")
            result = await client.call_tool(name, json.loads(json.dumps(written).replace("$id", stored)))
            assert not result.is_error, result.content
            assert result.structured_content is not None, name
            results[name] = result.structured_content
            if name == "recall":
                assert "window seat" in result.content[0].text
        assert results["recall"]["results"][0]["id"] == results["inspect"]["id"] == results["remember"]["id"]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_python_client_lists_and_calls_every_tool(era: Era, daemon: Daemon) -> None:
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
