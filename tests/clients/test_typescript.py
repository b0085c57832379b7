"""The official TypeScript client lists and calls every tool; it checks each result against its output schema."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import trio

from tests.clients import node
from tests.clients.calls import CALLS
from tests.interfaces.serving import hippo_at

SCRIPT = Path(__file__).with_name("list_and_call.mjs")


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_the_typescript_client_lists_and_calls_every_tool(era: str, tmp_path: Path) -> None:
    folder = node.installed(node.CLIENT)
    shutil.copy(SCRIPT, folder)  # a module finds its imports beside itself
    async with hippo_at(tmp_path) as (url, _):
        done = await trio.run_process(
            ["node", str(folder / SCRIPT.name), f"{url}/mcp", era, json.dumps(CALLS)],
            capture_stdout=True, capture_stderr=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert set(told["tools"]) == set(CALLS)
    assert [name for name, result in told["results"].items() if result["error"]] == []
    assert "window seat" in told["results"]["recall"]["text"]
    assert told["results"]["recall"]["structured"]["results"][0]["id"] == told["results"]["inspect"]["structured"]["id"]
