"""The brain view as a test sees it: its elements by what they are, and what it tells of itself in `window.__brain`."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from selenium.webdriver.common.keys import Keys

from sims.chromium import Page

# Notes, frame by frame, what changed: what is lit, the camera, the stage of sleep, the byte counter, the bars.
_WATCH = """
const seen = window.__seen = [];
let before = "";
const look = () => {
  const brain = window.__brain;
  const bars = {};
  for (const bar of document.querySelectorAll("#tiers [data-tier]")) bars[bar.dataset.tier] = Number(bar.dataset.count);
  const bytes = document.querySelector("#bytes")?.dataset.bytes;
  const now = { lit: [...brain.lit()], camera: brain.camera(), stage: brain.stage(),
                bytes: bytes === undefined ? null : Number(bytes), bars };
  const written = JSON.stringify(now);
  if (written !== before) seen.push(now);
  before = written;
  window.__watching = requestAnimationFrame(look);
};
cancelAnimationFrame(window.__watching ?? 0);
look();
"""


class Brain:
    """The brain view in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, url: str, agent: str | None = None, nodes: int | None = 1) -> Brain:
        """Opens it, and waits until it has at least so many nodes and hears the daemon."""
        self.page.open(f"{url}/" + (f"?agent={quote(agent)}" if agent else ""))
        self.live()
        if nodes:
            self.page.wait(lambda: self.counts()["nodes"] >= nodes, f"{nodes} nodes")
        return self

    def live(self) -> None:
        """Waits until it hears the daemon."""
        self.page.wait(lambda: self.page.value("#connection", "data-state") == "live", "the connection")

    def tells(self, call: str) -> Any:
        """What a function of `window.__brain` answers."""
        return self.page.run(f"return window.__brain?.{call}()")

    def counts(self) -> dict[str, int]:
        """How many nodes, edges, and folded memories there are."""
        return self.tells("counts") or {"nodes": 0, "edges": 0, "folded": 0}

    def watch(self) -> None:
        """From now on notes what changes."""
        self.page.run(_WATCH)

    @property
    def seen(self) -> list[dict[str, Any]]:
        """What changed since, in the order of time."""
        seen: list[dict[str, Any]] = self.page.run("return window.__seen")
        return seen

    def first_lit(self, memory: str) -> int | None:
        """The place in `seen` at which a memory was first lit."""
        return next((at for at, one in enumerate(self.seen) if memory in one["lit"]), None)

    def pause(self, ms: int) -> None:
        """Lets so much time pass in the page."""
        self.page.run_until_told("setTimeout(arguments[1], arguments[0])", ms)

    def rests(self) -> bool:
        """Whether nothing has been drawn for a while."""
        before = self.tells("frames")
        self.pause(300)
        return bool(self.tells("frames") == before)

    def search(self, cue: str) -> None:
        """Asks for a cue, and waits for what comes to mind."""
        self.page.type("#cue", cue)
        self.page.keys(Keys.ENTER)
        self.page.wait(lambda: self.results(), "results")

    def results(self) -> list[str]:
        """The ids of what came to mind."""
        ids: list[str] = self.page.run("return [...document.querySelectorAll('#results [data-id]')].map((one) => one.dataset.id)")
        return ids

    def select(self, memory: str, cue: str) -> None:
        """Opens a memory's panel by way of a search."""
        self.search(cue)
        self.page.click(f"#results [data-id='{memory}']")
        self.page.wait(lambda: self.page.shows("#panel") and self.page.text("#panel-text"), "the panel")
