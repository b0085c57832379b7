"""The official conformance suites against fixtures on the product's server factory, gate and HTTP server."""

from __future__ import annotations

import re

import trio

from tests.clients import node
from tests.conformance.fixture_server import fixture_server
from tests.interfaces.serving import served

# They push a request to the client, for which a stateless server has no way.
NEED_A_SESSION = {
    "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
}
_summary = re.compile(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)


async def _run(package: str, *more: str) -> dict[str, tuple[int, int]]:
    folder = node.installed(package, node.NODE)
    program = folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    async with served(None, server=fixture_server()) as url:
        done = await trio.run_process(
            [node.newer_node(folder), str(program), "server", "--url", f"{url}/mcp", "--suite", "all", *more],
            capture_stdout=True, capture_stderr=True, check=False, cwd=folder)
    said = done.stdout.decode()
    outcome = {name: (int(passed), int(failed)) for name, passed, failed in _summary.findall(said)}
    assert outcome, said + done.stderr.decode()
    return outcome


async def test_every_scenario_of_2026_07_28_passes() -> None:
    outcome = await _run(node.CONFORMANCE_2026, "--spec-version", "2026-07-28")
    assert {name for name, (_, failed) in outcome.items() if failed} == set()
    assert len(outcome) >= 40
    assert sum(passed for passed, _ in outcome.values()) >= 152


async def test_of_2025_11_25_only_what_pushes_to_the_client_fails() -> None:
    outcome = await _run(node.CONFORMANCE_2025)
    assert {name for name, (_, failed) in outcome.items() if failed} == NEED_A_SESSION
    assert len(outcome) >= 32


