"""axe-core in the page: what it finds that keeps people out. From npm, for the tests only."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sims.chromium import Page
from tests.clients.node import installed

AXE = "axe-core@4.14.1"
_GRAVE = ("serious", "critical")
_RUN = """
const told = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations", "incomplete"], preload: false }).then(
  (found) => told(found.violations.map((one) => ({ id: one.id, impact: one.impact, help: one.help,
    where: one.nodes.map((node) => `${node.target.join(" ")}: ${node.failureSummary}`) }))),
  (error) => told([{ id: "axe", impact: "critical", help: String(error), where: [] }]));
"""


@cache
def source() -> str:
    """axe-core itself."""
    return (installed(AXE) / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def findings(page: Page) -> list[dict[str, Any]]:
    """Every finding in the page as it is."""
    page.run(source())
    found = page.run_until_told(_RUN)
    assert isinstance(found, list)
    return found


def grave(page: Page) -> list[dict[str, Any]]:
    """The serious and critical ones."""
    return [one for one in findings(page) if one["impact"] in _GRAVE]


@pytest.fixture(scope="session")
def axe() -> None:
    """axe-core is there: installed outside the time that a test has."""
    source()
