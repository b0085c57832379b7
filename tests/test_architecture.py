"""The house: who may import whom, and what a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "hippo").rglob("*.py"))
_LINES_MAX = 400
_AVOIDED = re.compile(r"manager|helper|utils|common|smart", re.IGNORECASE)
_PURE = ("mind", "text", "codec", "model")
_CLOCKS_AND_CHANCE = re.compile(r"\b(?:now|utcnow|today|default_rng|urandom|environ|getenv)\(|np\.random|numpy\.random")


def test_imports_go_downwards_only():
    ended = subprocess.run([str(Path(sys.executable).with_name("lint-imports")), "--no-cache"], cwd=ROOT,
                           capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_every_room_has_its_floor():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    floors = {room.strip() for layer in layers for room in re.split(r"[|:]", layer)}
    rooms = {f"hippo.{path.stem}" for path in (ROOT / "hippo").iterdir()
             if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - {"hippo.__init__"} == floors


def test_a_pure_room_asks_neither_a_clock_nor_chance():
    for room in _PURE:
        for file in sorted((ROOT / "hippo" / room).rglob("*.py")):
            found = _CLOCKS_AND_CHANCE.search(file.read_text("utf-8"))
            assert found is None, f"{room}/{file.name}: {found[0]}"


def test_no_file_is_longer_than_a_reader_likes():
    long = {str(file.relative_to(ROOT)): count for file in SOURCES
            if (count := len(file.read_text("utf-8").splitlines())) > _LINES_MAX}
    assert not long


def test_names_say_what_they_mean():
    for file in SOURCES:
        assert not _AVOIDED.search(str(file.relative_to(ROOT))), file.name
        for part in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                assert not _AVOIDED.search(part.name), f"{file.name}: {part.name}"


def test_the_page_asks_nobody_but_the_daemon():
    for file in (ROOT / "ui").iterdir():
        remote = re.findall(r"https?://(?!127\.0\.0\.1|localhost|www\.w3\.org)[\w.]+", file.read_text("utf-8"))
        assert not remote, f"{file.name}: {remote}"


def test_types_and_style_are_clean():
    for command in (["-m", "ruff", "check", "hippo", "sims", "tests"], ["-m", "mypy"]):
        ended = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=600,
                               check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
