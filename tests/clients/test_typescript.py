"""The official TypeScript client lists and calls every tool; it checks each result against its output schema."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import trio

from tests.clients import node
from tests.clients.calls import CALLS
from tests.daemon_fixture import Daemon

SCRIPT = Path(__file__).with_name("list_and_call.mjs")


@pytest.fixture(scope="module")
def script() -> Path:
    """The script beside the client it imports, installed outside the time that a test has."""
    return Path(shutil.copy(SCRIPT, node.installed(node.CLIENT)))


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_typescript_client_lists_and_calls_every_tool(era: str, script: Path, daemon: Daemon) -> None:
    done = await trio.run_process(
        ["node", str(script), f"{daemon.url}/mcp", era, json.dumps(CALLS)],
        capture_stdout=True, capture_stderr=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert set(told["tools"]) == set(CALLS)
    assert [name for name, result in told["results"].items() if result["error"]] == []
    assert "window seat" in told["results"]["recall"]["text"]
    assert told["results"]["recall"]["structured"]["results"][0]["id"] == told["results"]["inspect"]["structured"]["id"]
