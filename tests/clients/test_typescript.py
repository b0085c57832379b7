"""The official TypeScript client calls every tool in every way; it checks each result against its output schema."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo.interfaces.mcp.table import SETS
from tests.clients import node
from tests.clients.calls import TRIES, assert_all_came_out, outcome
from tests.daemon_fixture import Daemon

SCRIPT = Path(__file__).with_name("list_and_call.mjs")


@pytest.fixture(scope="module")
def script() -> Path:
    """The script beside the client it imports, installed outside the time that a test has."""
    return Path(shutil.copy(SCRIPT, node.installed(node.CLIENT)))


async def outcomes(script: Path, url: str, era: str) -> tuple[list[str], list[Any]]:
    """The tools that the client is told, and what came of each of `TRIES`."""
    calls = [(tried.tool, tried.arguments, tried.name) for tried in TRIES]
    done = await trio.run_process(["node", str(script), f"{url}/mcp", era, json.dumps(calls)],
                                  capture_stdout=True, capture_stderr=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    return told["tools"], [(tried, outcome(result["refused"], result["text"], result.get("structured")))
                           for tried, result in zip(TRIES, told["results"], strict=True)]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_typescript_client_calls_every_tool_in_every_way(era: str, script: Path, daemon: Daemon) -> None:
    tools, came = await outcomes(script, daemon.url, era)
    assert tools == [row.name for row in SETS["all"]]
    assert_all_came_out(came, tools)
