"""The MCP Inspector's command line lists every tool and calls some: it takes a second for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo.interfaces.mcp.table import SETS
from tests.clients import node
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


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("remember", {"text": "Anna prefers the window seat on trains.", "tags": ["travel"], "entity": "Anna"}, "Stored as"),
    ("recall", {"cue": "Where does Anna like to sit?", "k": 3}, "window seat"),
    ("append_memory_block", {"key": "persona", "text": "Speaks plainly."}, "Speaks plainly."),
    ("update", {"id": "$id", "text": "Anna prefers the aisle seat."}, "aisle"),
    ("forget", {"id": "$id"}, "Forgot 1 memory"),
]


async def test_the_inspector_lists_every_tool_and_calls_some(inspector: Path, daemon: Daemon) -> None:
    listed = await _ask(inspector, daemon.url, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == [row.name for row in SETS["all"]]
    stored = ""
    for name, arguments, said in CALLS:
        words = [f"{key}={json.dumps(value) if not isinstance(value, str) else value.replace('$id', stored)}"
                 for key, value in arguments.items()]
        result = await _ask(inspector, daemon.url, "--method", "tools/call", "--tool-name", name,
                            *(word for pair in words for word in ("--tool-arg", pair)))
        assert not result.get("isError"), result
        stored = result["structuredContent"].get("id", stored)
        assert said in result["content"][0]["text"]
