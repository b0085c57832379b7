"""What is installed is what is in the repository: every package, and the pages with them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hippo.interfaces.pages import KINDS

ROOT = Path(__file__).resolve().parents[2]
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]


def test_every_package_is_listed() -> None:
    found = {".".join(file.parent.relative_to(ROOT).parts) for file in (ROOT / "hippo").rglob("__init__.py")}
    assert set(SETUPTOOLS["packages"]) == found | {"hippo.ui"}


def test_every_page_goes_along() -> None:
    assert SETUPTOOLS["package-dir"] == {"hippo.ui": "ui"}
    patterns = SETUPTOOLS["package-data"]["hippo.ui"]
    assert {f"*{kind}" for kind in KINDS} == set(patterns)
    assert {file.suffix for file in (ROOT / "ui").iterdir()} <= set(KINDS)
