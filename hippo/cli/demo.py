"""`hippo demo`: a daemon on a store of its own, the page, and an assistant that lives through two weeks.

1. The daemon runs in this process and its main thread, so that Ctrl-C ends it in order; the assistant is a client in
   another thread.
2. The clock may be moved on, which ages for good whatever a store holds: it is a new store, or none.
3. Settings of the environment are left aside: everybody sees the same.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from hippo import limits
from hippo.cli.terminal import escaped, paint, remark, say
from hippo.errors import InTheWay
from hippo.settings import Settings, load

_seconds_to_end = 10.0
_seconds_between_looks = 0.2


@click.command()
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
@click.option("--dir", "folder", metavar="FOLDER", help="Keep the store, in this new folder; else it is removed.")
@click.option("--pace", type=float, default=1.0, hidden=True, help="How slowly: 0 waits for nothing.")
def demo(no_browser: bool, folder: str | None, pace: float) -> int:
    """Watch a memory live: an assistant, two weeks of a household, and the page.

    The assistant tells the memory what it hears, asks, corrects, and lets it sleep; each thing it does is said here in
    a line while the page shows it. It all runs on a store of its own. Ctrl-C ends it.
    """
    with _place(folder) as kept:
        settings, _ = load({"dir": str(kept), "port": 0, "demo": "on", "tools": "all", "sleep_enabled": "off"}, {})
        return _Show(settings, pace, opens=not no_browser).run()


@contextmanager
def _place(folder: str | None) -> Iterator[Path]:
    """The folder of the store; one that nobody named goes at the end."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="hippo-demo-") as made:
            yield Path(made)
        say("The demo has ended, and its store is removed.")
        return
    kept = Path(folder).expanduser()
    if kept.exists() and (not kept.is_dir() or any(kept.iterdir())):
        raise InTheWay(path=kept, what=", and is not empty", advice="The demo moves the clock on, which would age what "
                       "is there for good: name a new folder.")
    yield kept
    say(f"The demo has ended; its store is in {escaped(str(kept))}.")


class _Show:
    """The daemon, and the assistant beside it.

    Args:
        settings: of the daemon. pace: how slowly. opens: whether to open the page.
    """

    def __init__(self, settings: Settings, pace: float, *, opens: bool) -> None:
        self._settings, self._pace, self._opens = settings, pace, opens
        self._ends = threading.Event()
        self._assistant: threading.Thread | None = None

    def run(self) -> int:
        """Until somebody ends it; the exit code."""
        from hippo.daemon import run

        try:
            return run(self._settings, self._begin)
        finally:
            self._ends.set()
            if self._assistant is not None:
                self._assistant.join(_seconds_to_end)

    def _begin(self, url: str) -> None:
        self._assistant = threading.Thread(target=self._play, args=(url,), daemon=True)
        self._assistant.start()

    def _play(self, url: str) -> None:
        from hippo.demo.assistant import Assistant
        from hippo.demo.player import Player
        from hippo.demo.story import STORY

        say(paint("One household, two weeks, and an assistant that remembers.", bold=True))
        say(f"The page is at {url}/ and shows what happens while it happens.")
        assistant = Assistant(url)
        try:
            self._wait_for_the_page(url)
            Player(assistant, lambda line: say(escaped(line)), self._wait).play(STORY)
            if not self._ends.is_set():
                self._stay(url)
        except Exception as fault:
            # A daemon that ends hangs up on the assistant: that is no fault of either.
            if not self._ends.wait(_seconds_to_end):
                remark(f"The assistant stopped: {escaped(str(_innermost(fault)))}")

    def _wait_for_the_page(self, url: str) -> None:
        """Opens the page where that can be, and gives it time to listen."""
        if self._opens and not _open(url):
            say("No browser could be opened here: open that address in one.")
        until = time.monotonic() + limits.demo_page_seconds * min(self._pace, 1.0)
        while time.monotonic() < until and not self._ends.is_set() and not _is_watched(url):
            time.sleep(_seconds_between_looks)

    def _wait(self, seconds: float) -> bool:
        return not self._ends.wait(seconds * self._pace)

    def _stay(self, url: str) -> None:
        say()
        say("That is the story. The page goes on: ask it, edit, forget, let it sleep, skip a month.")
        say(f"An assistant of your own can join: claude mcp add --transport http hippo {url}/mcp")
        say("Ctrl-C ends the demo.")


def _open(url: str) -> bool:
    """Opens an address in a browser that has a window: one within the terminal would cover what is told."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(f"{url}/")


def _is_watched(url: str) -> bool:
    """Whether a page listens to what happens."""
    import httpx2

    return "hippo_event_streams 0" not in httpx2.get(f"{url}/metrics").text


def _innermost(fault: BaseException) -> BaseException:
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return fault
