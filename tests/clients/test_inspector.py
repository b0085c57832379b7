"""The MCP Inspector's command line lists and calls every tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.clients import node
from tests.clients.calls import CALLS
from tests.daemon_fixture import Daemon


@pytest.fixture(scope="module")
def inspector() -> Path:
    """The program, installed outside the time that a test has."""
    return node.installed(node.INSPECTOR) / "node_modules" / ".bin" / "mcp-inspector"


async def _ask(program: Path, url: str, *words: str) -> Any:
    done = await trio.run_process(
        [str(program), "--cli", f"{url}/mcp", "--transport", "http", *words],
        capture_stdout=True, capture_stderr=True, check=False)
    said = done.stdout.decode()
    assert done.returncode == 0, said + done.stderr.decode()
    return json.loads(said[said.index("{"):])


async def test_the_inspector_lists_and_calls_every_tool(inspector: Path, daemon: Daemon) -> None:
    listed = await _ask(inspector, daemon.url, "--method", "tools/list")
    assert {tool["name"] for tool in listed["tools"]} == set(CALLS)
    stored = ""
    for name, arguments in CALLS.items():
        words = [f"{key}={json.dumps(value) if not isinstance(value, str) else value.replace('$id', stored)}"
                 for key, value in arguments.items()]
        result = await _ask(inspector, daemon.url, "--method", "tools/call", "--tool-name", name,
                            *(word for pair in words for word in ("--tool-arg", pair)))
        assert not result.get("isError"), result
        stored = result["structuredContent"].get("id", stored)
        if name == "recall":
            assert "window seat" in result["content"][0]["text"]
