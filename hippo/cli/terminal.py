"""What a person sees: text on stdout, remarks on stderr.

1. stdout carries the answer and nothing else; everything said about it goes to stderr.
2. Characters that would steer a terminal (controls, bidirectional overrides) are shown escaped, also within JSON.
3. A stream that cannot encode a character gets its escape; a mark such as ✔ has a spelling in ASCII.
4. Colours and progress appear on a terminal only, and never when NO_COLOR is set.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from types import TracebackType
from typing import Any, Self, TextIO

import click

_steering = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f"
_unsafe = re.compile(f"[{_steering}]")
_unsafe_in_line = re.compile(f"[{_steering}\t\n]")
_ascii_marks = {"✔": "ok", "✘": "XX", "⚠": "!", "…": "...", "→": "->", "·": "-"}


def prepare_streams() -> None:
    """Make stdout and stderr take every character: what the console cannot encode is written as its escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def escaped(text: str, *, lines: bool = False) -> str:
    """The text with whatever would steer a terminal written out.

    Args:
        text: any text.
        lines: keep line ends and tabs; else the result is one line.
    """
    return (_unsafe if lines else _unsafe_in_line).sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character) or character.encode(
        "unicode_escape", "surrogatepass").decode("ascii")


def paint(text: str, stream: TextIO | None = None, **style: Any) -> str:
    """The text in a colour (as click.style), where the stream is a terminal and NO_COLOR is not set."""
    if not (stream or sys.stdout).isatty() or os.environ.get("NO_COLOR"):
        return text
    return click.style(text, **style)


def say(line: str = "") -> None:
    """Write a line of the answer."""
    _write(sys.stdout, line)


def remark(line: str) -> None:
    """Write a line about the answer."""
    _write(sys.stderr, line)


def _write(stream: TextIO, line: str) -> None:
    encoding = stream.encoding or "ascii"
    for mark, spelled in _ascii_marks.items():
        if mark in line and not _encodes(mark, encoding):
            line = line.replace(mark, spelled)
    stream.write(line + "\n")
    stream.flush()


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def say_json(value: Any) -> None:
    """Write a value as JSON that any terminal can show and any reader takes back unchanged."""
    plain = json.dumps(value, indent=2, ensure_ascii=not _encodes("é✔", sys.stdout.encoding or "ascii"))
    say(_unsafe.sub(lambda match: json.dumps(match[0])[1:-1], plain.replace("\x7f", "\\u007f")))


def say_table(head: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> None:
    """Write rows in aligned columns under a head; the columns numbered in `right` are set to the right."""
    cells = [list(head), *([escaped(str(cell)) for cell in row] for row in rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        padded = [" " * (widths[at] - _width(cell)) + cell if at in right else cell + " " * (widths[at] - _width(cell))
                  for at, cell in enumerate(row)]
        line = "  ".join(padded).rstrip()
        say(paint(line, bold=True) if number == 0 else line)


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
               for character in text)


def cut(text: str, width: int) -> str:
    """The text on one line, at most so many characters, with … where something was left out."""
    line = escaped(" ".join(text.split()))
    return line if len(line) <= width else line[:width - 1] + "…"


def size(count: float) -> str:
    """A number of bytes for people, such as 1.4 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(count) < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def moment(iso: str | None, zone: tzinfo) -> str:
    """An instant of the wire by the clock of a zone, to the minute; a dash where there is none."""
    if not iso:
        return "-"
    try:
        return datetime.fromisoformat(iso).astimezone(zone).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return iso


class Waiting:
    """Shows on a terminal that something takes time, and for how long it has: `with Waiting("sleeping"):`."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._over = threading.Event()
        self._shown = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._shown.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._over.set()
        if self._shown.is_alive():
            self._shown.join()
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _show(self) -> None:
        started = time.monotonic()
        while not self._over.wait(0.5):
            sys.stderr.write(f"\r{self._what}, {time.monotonic() - started:.0f} s ")
            sys.stderr.flush()


class Progress:
    """A bar on stderr, on a terminal only: `with Progress("remembering", total) as advance: advance(20)`."""

    def __init__(self, what: str, total: int) -> None:
        self._bar = click.progressbar(length=total, label=what, file=sys.stderr, hidden=not sys.stderr.isatty())

    def __enter__(self) -> Callable[[int], None]:
        return self._bar.__enter__().update

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._bar.__exit__(kind, fault, trace)
