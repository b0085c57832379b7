"""Programs from npm for the tests: pinned exactly, installed once into a folder outside the repository."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

CONFORMANCE_2025 = "@modelcontextprotocol/conformance@0.1.16"
CONFORMANCE_2026 = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@1.0.3"
CLIENT = "@modelcontextprotocol/client@2.4.0"
NODE = "node@22.23.3"  # the conformance suites need a newer Node than some systems have


@cache
def installed(*packages: str) -> Path:
    """The folder whose `node_modules` holds exactly these packages; skips the test where there is no npx."""
    if shutil.which("npx") is None or shutil.which("npm") is None:
        pytest.skip("npx is not installed")
    name = hashlib.blake2b(" ".join(packages).encode(), digest_size=6).hexdigest()
    folder = Path(tempfile.gettempdir()) / f"hippo-tests-node-{name}"
    if not folder.exists():
        # Made elsewhere and moved there whole: another run of the tests may be doing the same.
        with tempfile.TemporaryDirectory(prefix=f"{folder.name}-", ignore_cleanup_errors=True) as parent:
            fresh = Path(parent) / "complete"
            fresh.mkdir()
            done = subprocess.run(
                ["npm", "install", "--prefix", str(fresh), "--no-save", "--no-package-lock", "--no-audit", "--no-fund",
                 "--loglevel=error", *packages], check=False, timeout=300, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            try:
                fresh.rename(folder)
            except OSError:
                assert folder.exists()  # the other run was faster
    return folder


def newer_node(folder: Path) -> str:
    """The Node 22 that was installed along."""
    return str(folder / "node_modules" / "node" / "bin" / "node")
