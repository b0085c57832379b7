"""Every client here talks to the real daemon, which has all tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.daemon_fixture import STORE, daemon

__all__ = ["daemon"]


@pytest.fixture(autouse=True)
def _all_tools(tmp_path: Path) -> None:
    folder = tmp_path / STORE
    folder.mkdir()
    (folder / "hippo.toml").write_text('tools = "all"\n', "utf-8")
