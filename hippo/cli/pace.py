"""How far long work is, on one line of stderr that is written anew. On a terminal only.

Work has steps: each begins with its name, and with its total where that is known. A thread writes the line, so that the
seconds go on while nothing is told.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from hippo.cli.terminal import remark

_seconds_between_lines = 0.25
_bar_characters = 30


class Pace:
    """Shows the steps of long work: `with Pace() as pace: pace.begin("sending", total); pace.advance(20)`."""

    def __init__(self) -> None:
        self._what, self._total, self._done = "", 0, 0
        self._unit: Callable[[float], str] = str
        self._started = time.monotonic()
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

    def begin(self, what: str, total: int = 0, *, unit: Callable[[float], str] = str) -> None:
        """A step begins.

        Args:
            what: it is, such as `sending`.
            total: of what will be done; 0 where that is not known.
            unit: writes a count of it, such as `terminal.size`.
        """
        self._what, self._total, self._done, self._unit = what, total, 0, unit
        self._started = time.monotonic()

    def advance(self, count: int) -> None:
        """So much more is done."""
        self._done += count

    def remark(self, line: str) -> None:
        """Write a line about the answer, in place of what is shown."""
        if self._shown.is_alive():
            sys.stderr.write("\r\x1b[K")
        remark(line)

    def line(self) -> str:
        """How far it is."""
        seconds = f"{time.monotonic() - self._started:.0f} s"
        if self._total:
            full = min(self._done, self._total) * _bar_characters // self._total
            return f"{self._what} [{'#' * full}{'-' * (_bar_characters - full)}] {self._unit(self._total)}, {seconds}"
        done = f", {self._unit(self._done)}" if self._done else ""
        return f"{self._what}{done}, {seconds}"

    def _show(self) -> None:
        while not self._over.wait(_seconds_between_lines):
            if self._what:
                sys.stderr.write(f"\r\x1b[K{self.line()} ")
                sys.stderr.flush()
