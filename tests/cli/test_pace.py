"""How far long work is."""

from __future__ import annotations

import sys
import threading

from hippo.cli import pace as module
from hippo.cli.pace import Pace
from hippo.cli.terminal import size
from tests.cli.scripted import Terminal


def test_a_step_of_known_length_is_a_bar():
    pace = Pace()
    pace.begin("sending", 2_000_000, unit=size)
    pace.advance(500_000)
    pace.advance(500_000)
    assert pace.line() == f"sending [{'#' * 15}{'-' * 15}] 2.0 MB, 0 s"
    pace.advance(5_000_000)  # more than was promised does not run over the edge
    assert pace.line() == f"sending [{'#' * 30}] 2.0 MB, 0 s"


def test_a_step_of_unknown_length_counts():
    pace = Pace()
    pace.begin("importing", unit=lambda count: f"{count:.0f} rows")
    assert pace.line() == "importing, 0 s"
    pace.advance(100)
    assert pace.line() == "importing, 100 rows, 0 s"
    pace.begin("resting")
    assert pace.line() == "resting, 0 s"


def test_without_a_terminal_nothing_is_written(capsys):
    with Pace() as pace:
        pace.begin("sending", 10)
        pace.advance(10)
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_the_line_comes_and_goes(monkeypatch):
    written = threading.Event()

    class Watched(Terminal):
        def write(self, text: str) -> int:
            if "sending" in text:
                written.set()
            return super().write(text)

    shown = Watched()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(module, "_seconds_between_lines", 0.01)
    with Pace() as pace:
        pace.begin("sending", 10)
        assert written.wait(10)
        pace.remark("One link is not followed.")
    assert shown.getvalue().startswith("\r\x1b[Ksending [")
    assert "\x1b[KOne link is not followed.\n" in shown.getvalue()
    assert shown.getvalue().endswith("\r\x1b[K")
