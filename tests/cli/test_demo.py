"""hippo demo: what it tells, what it leaves behind, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hippo.cli import demo as module
from hippo.demo.story import STORY, Asked, Corrected, Told
from hippo.errors import InTheWay
from tests.cli.commands import environment, hippo

_SECONDS_MAX = 180


@contextmanager
def showing(tmp_path: Path, *arguments: str, pace: float = 0.0) -> Iterator[subprocess.Popen[str]]:
    """The demo as a process, with its temporary store below `tmp_path`."""
    # What the MCP client leaves to the garbage collector is a warning of its own, and none of ours.
    child = subprocess.Popen(
        [sys.executable, "-m", "hippo", "demo", "--no-browser", "--pace", str(pace), *arguments], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(TMPDIR=str(tmp_path), PYTHONWARNINGS="", HIPPO_TOOLS="core", HIPPO_DIR=str(tmp_path / "mine")))
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()


def until(child: subprocess.Popen[str], wanted: str) -> list[str]:
    """The lines up to one that holds some words."""
    lines = []
    assert child.stdout is not None
    for line in child.stdout:
        lines.append(line.rstrip("\n"))
        if wanted in line:
            return lines
    raise AssertionError("\n".join(lines))


def ended(child: subprocess.Popen[str], by: int = signal.SIGINT) -> tuple[int, str, str]:
    child.send_signal(by)
    out, err = child.communicate(timeout=_SECONDS_MAX)
    return child.returncode, out, err


def test_it_plays_the_story_stays_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with showing(tmp_path) as child:
        lines = until(child, "Ctrl-C ends the demo.")
        url = re.search(r"http://[\d.:]+", "".join(lines))
        assert url is not None
        with urllib.request.urlopen(f"{url[0]}/health") as reply:
            health = json.load(reply)
        assert health["timeskip"] is True
        assert health["memories"] == sum(isinstance(turn, Told) for turn in STORY)
        code, out, err = ended(child)
    assert (code, err) == (0, "")
    assert out == "The demo has ended, and its store is removed.\n"
    assert [file for file in tmp_path.iterdir() if file.name.startswith("hippo-demo")] == []
    assert not (tmp_path / "mine").exists()
    # Every statement, every question and what answers it is there to be read.
    told = "\n".join(lines)
    for turn in STORY:
        if isinstance(turn, Told):
            assert f"  hears     {turn.text}\n" in told
        elif isinstance(turn, Asked | Corrected):
            wanted = turn.answer if isinstance(turn, Asked) else turn.before
            assert re.search(rf"  asks      {re.escape(turn.cue)}\n(  recalls   .*\n)*"
                             rf"  (answers |leads to)  .*{re.escape(wanted)}", told), turn
    assert sum(line.startswith("  leads to ") for line in lines) >= 4
    assert [int(line[4:]) for line in lines if re.fullmatch(r"Day \d+", line)] == [*range(1, 14), 44, 164, 165]
    assert "found to be of a kind" in told


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_can_be_stopped_in_the_middle_of_a_day(tmp_path: Path, by: int) -> None:
    with showing(tmp_path, pace=1.0) as child:
        until(child, "  hears ")
        code, _, err = ended(child, by)
    assert (code, err) == (0, "")
    assert list(tmp_path.glob("hippo-demo*")) == []


def test_a_store_that_was_asked_for_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with showing(tmp_path, "--dir", str(folder)) as child:
        until(child, "Day 3")
        code, out, _ = ended(child)
    assert code == 0
    assert f"its store is in {folder}" in out
    assert hippo("recall", "Who has a spare key?", "--json", folder=folder).json["results"]
    assert hippo("check", folder=folder).code == 0


@pytest.mark.parametrize("name", ["file", "full"])
def test_a_folder_that_holds_something_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "index").write_text("x")
    ran = hippo("demo", "--no-browser", "--dir", str(tmp_path / name), folder=tmp_path / "mine")
    assert (ran.code, ran.out) == (InTheWay.exit_code, "")
    assert "age what is there" in ran.err


def test_a_browser_is_only_opened_where_it_has_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(module.webbrowser, "open", lambda url: opened.append(url) or True)
    monkeypatch.setattr(module.sys, "platform", "linux")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    assert module._open("http://127.0.0.1:1") is False
    monkeypatch.setenv("DISPLAY", ":0")
    assert module._open("http://127.0.0.1:1") is True
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setattr(module.sys, "platform", "darwin")
    assert module._open("http://127.0.0.1:2") is True
    assert opened == ["http://127.0.0.1:1/", "http://127.0.0.1:2/"]


def test_the_help_names_no_pace(tmp_path: Path) -> None:
    shown = hippo("demo", "--help", folder=tmp_path).out
    assert "--no-browser" in shown
    assert "pace" not in shown
