"""What a person sees on a terminal, and what no text may do to it."""

from __future__ import annotations

import io
import json
import sys
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.cli import terminal


class Console(io.TextIOWrapper):
    """A stream with an encoding, on a terminal or not."""

    def __init__(self, encoding: str = "utf-8", *, on_terminal: bool = False) -> None:
        self.raw_bytes = io.BytesIO()
        self._on_terminal = on_terminal
        super().__init__(self.raw_bytes, encoding=encoding, newline="\n")

    def isatty(self) -> bool:
        return self._on_terminal

    @property
    def written(self) -> str:
        self.flush()
        return self.raw_bytes.getvalue().decode(self.encoding)


@pytest.fixture
def on(monkeypatch):
    def make(encoding: str = "utf-8", *, on_terminal: bool = False) -> Console:
        console = Console(encoding, on_terminal=on_terminal)
        monkeypatch.setattr(sys, "stdout", console)
        monkeypatch.setattr(sys, "stderr", console)
        terminal.prepare_streams()
        return console

    return make


@pytest.mark.parametrize(("text", "shown"), [
    ("plain ☕ 東京", "plain ☕ 東京"),
    ("\x1b[2J\x07", "\\x1b[2J\\x07"),
    ("a\r\nb\tc", "a\\r\\nb\\tc"),
    ("\u202eevil", "\\u202eevil"),
    ("\x9b31m", "\\x9b31m"),
    ("\ud83d", "\\ud83d"),
    ("family 👨‍👩‍👧", "family 👨‍👩‍👧"),
])
def test_what_would_steer_a_terminal_is_written_out(text, shown):
    assert terminal.escaped(text) == shown


def test_line_ends_may_be_kept():
    assert terminal.escaped("a\nb\x00", lines=True) == "a\nb\\x00"


@given(st.text())
def test_an_escaped_text_holds_nothing_that_steers(text):
    shown = terminal.escaped(text)
    assert all(character.isprintable() or ord(character) >= 0xA0 for character in shown)
    assert not set(shown) & set("\n\r\t\x1b\x07\x08\u202e\u2066\u2028")


@given(st.recursive(st.text() | st.integers() | st.booleans(), lambda inner: st.lists(inner) | st.dictionaries(
    st.text(), inner), max_leaves=5))
def test_json_comes_back_unchanged_and_steers_nothing(value):
    console = Console()
    real, sys.stdout = sys.stdout, console
    try:
        terminal.say_json(value)
    finally:
        sys.stdout = real
    assert json.loads(console.written) == value
    assert not set(console.written) & set("\x1b\x7f\x9b\u202e\r")


def test_a_console_that_cannot_encode_gets_escapes_and_marks_in_ascii(on):
    console = on("cp1252")
    terminal.say("✔ 東京 ☕ → é · x…")
    terminal.say_json({"text": "東京"})
    assert console.written.splitlines()[0] == "ok \\u6771\\u4eac \\u2615 -> é · x…"
    assert "\\u6771" in console.written


@pytest.mark.parametrize(("on_terminal", "no_color", "coloured"), [
    (True, "", True), (True, "1", False), (False, "", False)])
def test_colours_only_on_a_terminal_and_never_against_no_color(on, monkeypatch, on_terminal, no_color, coloured):
    monkeypatch.setenv("NO_COLOR", no_color)
    on(on_terminal=on_terminal)
    assert ("\x1b[" in terminal.paint("x", fg="red")) is coloured


def test_columns_are_aligned_by_what_characters_take_on_a_terminal(on):
    console = on()
    terminal.say_table(("name", "n"), [("東京", 5), ("Graz\n", 12)], right=[1])
    assert console.written.splitlines() == ["name     n", "東京     5", "Graz\\n  12"]


@pytest.mark.parametrize(("count", "words"), [(0, "0 B"), (999, "999 B"), (1400, "1.4 kB"), (2.5e9, "2.5 GB"),
                                              (7e12, "7.0 TB")])
def test_bytes_are_said_for_people(count, words):
    assert terminal.size(count) == words


def test_a_moment_is_shown_by_the_person_s_clock():
    zone = timezone(timedelta(hours=2))
    assert terminal.moment("2026-01-02T23:04:05.678Z", zone) == "2026-01-03 01:04"
    assert terminal.moment(None, zone) == "-"


def test_a_long_text_is_cut_to_one_line():
    assert terminal.cut("one\ntwo  three", 9) == "one two …"


def test_progress_is_silent_where_nobody_looks(on):
    console = on()
    with terminal.Progress("x", 3) as advance:
        advance(3)
    with terminal.Waiting("x"):
        pass
    assert console.written == ""


def test_progress_is_shown_on_a_terminal(on):
    console = on(on_terminal=True)
    with terminal.Progress("remembering", 2) as advance:
        advance(2)
    assert "remembering" in console.written
    assert "100%" in console.written
