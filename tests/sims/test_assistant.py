"""The assistant at home: it lives its days over MCP, leaves the same bytes twice, and can be talked to through a pipe."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hippo.demo.assistant import Assistant, Refused
from sims.assistant import awake, chat, is_question, live
from sims.checks import Witness
from sims.corpus import corpus
from sims.promises import PromiseBroken
from tests.daemon_fixture import environment

_ROOT = Path(__file__).resolve().parents[2]
_SECONDS_MAX = 300


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sims.assistant", *arguments], cwd=_ROOT, input=stdin, text=True,
                          capture_output=True, timeout=_SECONDS_MAX, check=False, env=environment())


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_two_lives_of_one_seed_leave_identical_stores(tmp_path: Path) -> None:
    told = []
    for name in ("one", "two"):
        ended = run("--full", "--memories", "24", "--days", "5", "--seed", "3", "--dir", str(tmp_path / name))
        assert ended.returncode == 0, ended.stdout + ended.stderr
        told.append(ended.stdout.splitlines()[:-1])  # the last line names the seconds it took
    assert told[0] == told[1]
    # One of the 24 says again, with a few words more, what was said a minute before.
    assert told[0][0] == "seed 3: 24 memories in 5 days"
    assert [line.split()[0] for line in told[0][2:7]] == ["1", "2", "3", "4", "5"]
    assert told[0][-1].startswith("all 23 memories are read as they were said, or abridged; 23 are recalled")
    one, two = files(tmp_path / "one"), files(tmp_path / "two")
    assert list(one) == list(two)
    assert [name for name in one if one[name] != two[name]] == []
    assert any(name.startswith("pack-") for name in one)


def test_another_seed_says_something_else(tmp_path: Path) -> None:
    ended = run("--video", "--memories", "6", "--days", "2", "--seed", "4", "--dir", str(tmp_path))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "every promise kept over 2 days" in ended.stdout


def test_a_conversation_through_a_pipe() -> None:
    ended = run("--chat", stdin="\n".join([
        "I live in Lyon.", "My sister Anna plays the cello.", "who plays the cello", "I live in Porto.",
        "Where do I live?", "Thanks!", "/stats", "/sleep", "/skip 40", "/skip soon", "x" * 50_001, "", "/quit",
        "never heard"]))
    assert (ended.returncode, ended.stderr) == (0, "")
    told = ended.stdout.splitlines()
    answers = {line[2:]: told[at + 1:] for at, line in enumerate(told) if line.startswith("> ")}
    assert answers["I live in Lyon."][0] == "  noted: I live in Lyon."
    assert answers["who plays the cello"][0].endswith("My sister Anna plays the cello.")
    assert answers["I live in Porto."][:2] == ["  noted: I live in Porto.", "  in place of: I live in Lyon."]
    assert answers["Where do I live?"][0].endswith("I live in Porto.")
    assert not any("Lyon" in line for line in answers["Where do I live?"])
    assert answers["Thanks!"][0] == "  Nothing in it is a statement that could be kept."
    assert answers["/stats"][0].startswith("  3 memories, ")
    assert answers["/sleep"][0].startswith("  3 memories: 3 hot")
    assert answers["/skip 40"][0].startswith("  3 memories: 0 hot")
    assert answers["/skip soon"][0].startswith("  Ask, or say")
    assert "50,000" in answers["x" * 50_001][0].replace("50000", "50,000")
    assert "never heard" not in ended.stdout


def test_a_conversation_goes_on_where_it_ended(tmp_path: Path) -> None:
    assert run("--chat", "--dir", str(tmp_path), stdin="The ladder is in the cellar.\n/skip 3").returncode == 0
    again = run("--chat", "--dir", str(tmp_path), stdin="Where is the ladder?\n")
    assert "The ladder is in the cellar." in again.stdout


@pytest.mark.parametrize(("said", "asks"), [
    ("Where is the ladder?", True), ("where is the ladder", True), ("is Anna allergic to nuts", True),
    ("What a day that was.", False), ("The ladder is in the cellar.", False), ("Whoever comes gets cake", False),
    ("Anna likes tea", False), ("Do not forget the milk!", False), ("Anna, right?", True)])
def test_a_question_is_told_from_a_statement(said: str, asks: bool) -> None:
    assert is_question(said) is asks


def test_without_a_way_it_says_which_there_are() -> None:
    ended = run()
    assert ended.returncode == 2
    assert "--full" in ended.stderr


class Lying(Assistant):
    """A memory of which some answers are not what they should be."""

    def __init__(self, url: str, tool: str, change: dict[str, Any] | None) -> None:
        super().__init__(url)
        self._tool, self._change = tool, change

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = super().call(tool, **arguments)
        if tool == self._tool and self._change is None:
            raise Refused("There is no memory of that id.")
        return answer | self._change if tool == self._tool and self._change is not None else answer


@pytest.mark.parametrize(("tool", "change", "says"), [
    ("inspect", {"text": "Something else."}, "instead of"), ("inspect", None, "was stored, and now"),
    ("recall", {"results": []}, "not recalled by what they say"), ("memory_stats", {"memories": 1}, "are counted"),
    ("memory_stats", {"unrecoverable": 1}, "cannot be read")])
def test_a_promise_that_does_not_hold_is_said(tmp_path: Path, tool: str, change: Any, says: str) -> None:
    with awake(tmp_path) as url, pytest.raises(PromiseBroken, match=says):
        live(Lying(url, tool, change), corpus(5, 2, seed=7), Witness(tmp_path))


def test_what_is_refused_ends_no_conversation() -> None:
    class Refusing(Assistant):
        def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
            raise Refused(f"{tool}: no")

    said: list[str] = []
    chat(Refusing("http://127.0.0.1:1"), ["one thing", "/sleep"], said.append)
    assert said == ["  remember_facts: no", "  sleep: no"]
