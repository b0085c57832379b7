"""The page's pure modules pass Node's own tests, and what the page may not do is in none of its files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "ui"
PAGE_BYTES_MAX = 150 * 1024
PURE = ("activation", "camera", "forgetting", "labels", "layout", "model", "night", "palette", "pick", "quadtree",
        "rings", "seed", "wording")
_MODULES = sorted(UI.glob("*.js"))


def test_the_modules_do_what_their_tests_say() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    files = sorted(str(file) for file in Path(__file__).parent.glob("*.test.mjs"))
    ended = subprocess.run([node, "--test", "--test-reporter=tap", *files], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout[-8000:] + ended.stderr[-2000:]
    assert re.search(r"^# pass [1-9]", ended.stdout, re.MULTILINE), ended.stdout[-2000:]


def test_the_whole_page_is_light() -> None:
    assert sum(file.stat().st_size for file in UI.iterdir()) <= PAGE_BYTES_MAX


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_knows_neither_page_nor_clock_nor_chance(name: str) -> None:
    text = _code(UI / f"{name}.js")
    assert not re.search(r"\b(document|window|fetch|performance|requestAnimationFrame|setTimeout)\b", text)
    assert not re.search(r"Math\.random|Date\.now|new Date\(\)", text)
    assert {*re.findall(r'from "\./(\w+)\.js"', text)} <= set(PURE)


@pytest.mark.parametrize("module", _MODULES, ids=lambda file: file.stem)
def test_nothing_a_memory_says_becomes_markup_or_code(module: Path) -> None:
    text = _code(module)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)
    assert not re.search(r"\bimport\(", text)
    assert not re.search(r'setAttribute\("style"|\bstyle:', text)  # the policy would ignore it
    assert "Math.random" not in text


@pytest.mark.parametrize("module", _MODULES, ids=lambda file: file.stem)
def test_a_module_imports_what_is_there(module: Path) -> None:
    for name, source in re.findall(r'import \{([^}]*)\} from "\./([\w.]+)"', module.read_text("utf-8")):
        exported = (UI / source).read_text("utf-8")
        for wanted in (part.strip() for part in name.split(",")):
            assert re.search(rf"export (async )?(class|function|const) {wanted}\b|export const \$ =", exported), wanted


def test_every_element_that_a_module_asks_for_is_on_the_page() -> None:
    there = {*re.findall(r'\bid="([\w-]+)"', (UI / "index.html").read_text("utf-8"))}
    for module in _MODULES:
        missing = {*re.findall(r'\$\("([\w-]+)"\)', module.read_text("utf-8"))} - there
        assert not missing, f"{module.name}: {missing}"


def _code(file: Path) -> str:
    """A module without its comments."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"(^|\s)//.*$", "", text, flags=re.MULTILINE)
