"""The official conformance suites against fixtures on the product's server factory, gate and HTTP server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trio

from tests.clients import node
from tests.conformance.fixture_server import fixture_server
from tests.interfaces.serving import served

# They push a request to the client, for which a stateless server has no way.
NEED_A_SESSION = {
    "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
}
_summary = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)


@pytest.fixture(scope="module")
def newer() -> Path:
    """The suite of 2026-07-28, installed outside the time that a test has."""
    return node.installed(node.CONFORMANCE_2026, node.NODE)


@pytest.fixture(scope="module")
def older() -> Path:
    """The suite of 2025-11-25."""
    return node.installed(node.CONFORMANCE_2025, node.NODE)


async def _run(folder: Path, *more: str) -> dict[str, tuple[int, int]]:
    """The scenarios by name, with how many of their checks passed and failed."""
    program = folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    async with served(None, server=fixture_server()) as url:
        done = await trio.run_process(
            [node.newer_node(folder), str(program), "server", "--url", f"{url}/mcp", "--suite", "all", *more],
            capture_stdout=True, capture_stderr=True, check=False, cwd=folder)
    said = done.stdout.decode()
    outcome = {name: (int(passed), int(failed)) for name, passed, failed in _summary.findall(said)}
    assert outcome, said + done.stderr.decode()
    return outcome


async def test_every_scenario_of_2026_07_28_passes(newer: Path) -> None:
    outcome = await _run(newer, "--spec-version", "2026-07-28")
    assert {name for name, (_, failed) in outcome.items() if failed} == set()
    assert len(outcome) >= 40
    assert sum(passed for passed, _ in outcome.values()) >= 152


async def test_of_2025_11_25_only_what_pushes_to_the_client_fails(older: Path) -> None:
    outcome = await _run(older)
    assert {name for name, (_, failed) in outcome.items() if failed} <= NEED_A_SESSION
    assert len(outcome) >= 32
