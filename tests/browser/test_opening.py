"""The page as it is opened: what an empty store teaches, what a full one shows, what it weighs, how it looks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import HOUSEHOLD, PHONE, household

WEIGHT_BYTES_MAX = 150_000


def test_an_empty_store_teaches_how_to_connect_and_takes_a_first_memory(
    brain: Brain, page: Page, own_daemon: Callable[..., Living]
) -> None:
    daemon = own_daemon()
    brain.open(daemon.url, nodes=None)
    page.wait(lambda: page.shows("#empty"), "the lesson")
    assert f"{daemon.url}/mcp" in page.text("#empty")
    page.type("#first-text", "The spare key hangs behind the barn door.")
    page.click("#first button")
    page.wait(lambda: brain.counts()["nodes"] == 1, "the first memory")
    page.wait(lambda: not page.shows("#empty"), "the lesson to go")
    [stored] = daemon.ask("GET", "/api/memories")["memories"]
    assert stored["text"] == "The spare key hangs behind the barn door."
    assert not page.shows("[data-skip]")  # the clock is the real one


def test_a_filled_store_shows_what_it_holds(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.fill(household(agent))
    brain.open(daemon.url, agent, HOUSEHOLD)
    counts, told = brain.counts(), daemon.ask("GET", "/api/graph", agent_id=agent)
    assert (counts["nodes"], counts["edges"], counts["folded"]) == (len(told["nodes"]), len(told["edges"]), told["folded"])
    assert not page.shows("#empty")
    assert not page.shows("#panel")
    page.wait(lambda: len(brain.tells("frames")) > 5, "frames")
    page.wait(lambda: drawn(page) > HOUSEHOLD, "the picture")


def drawn(page: Page) -> int:
    """How many points of the canvas differ from its corner, of a grid of 40,000."""
    return int(page.run("""
      const canvas = document.querySelector("#brain");
      const copy = Object.assign(document.createElement("canvas"), { width: 200, height: 200 });
      const pen = copy.getContext("2d");
      pen.fillStyle = getComputedStyle(document.body).backgroundColor;
      pen.fillRect(0, 0, 200, 200);
      pen.drawImage(canvas, 0, 0, 200, 200);
      const points = pen.getImageData(0, 0, 200, 200).data;
      let count = 0;
      for (let at = 0; at < points.length; at += 4)
        if ([0, 1, 2].some((one) => Math.abs(points[at + one] - points[one]) > 24)) count += 1;
      return count;"""))


def test_what_another_client_stores_appears(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.fill(household(agent))
    brain.open(daemon.url, agent, HOUSEHOLD)
    daemon.remember("The piano tuner comes on the ninth.", agent_id=agent)
    page.wait(lambda: brain.counts()["nodes"] == HOUSEHOLD + 1, "the new memory")
    daemon.remember("Somebody else's secret.", agent_id=f"{agent} other")
    daemon.remember("The piano tuner charges ninety.", agent_id=agent)
    page.wait(lambda: brain.counts()["nodes"] == HOUSEHOLD + 2, "the second")


def test_the_whole_page_weighs_little(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.fill(household(agent))
    brain.open(daemon.url, agent, HOUSEHOLD)
    weights: dict[str, int] = page.run(_WEIGHTS)
    assert {"/", "/brain.css", "/main.js", "/brain.js"} <= weights.keys()
    assert all(weights.values())
    assert sum(weights.values()) <= WEIGHT_BYTES_MAX, weights


# What the page consists of, unpacked, without heads: every file but the answers of the daemon.
_WEIGHTS = """
const parts = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return Object.fromEntries(parts.map((one) => [new URL(one.name).pathname, one.decodedBodySize])
  .filter(([path]) => !path.startsWith("/api/") && path !== "/health"));
"""


def test_it_is_dark_unless_one_asks_for_light_and_stays_as_asked(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    daemon.remember("One.", agent_id=agent)
    for scheme in ("light", "dark"):
        page.emulate(prefers_color_scheme=scheme)
        brain.open(daemon.url, agent)
        assert brightness(page) < 0.2
    page.click("#theme")
    page.wait(lambda: brightness(page) > 0.7, "light")
    brain.open(daemon.url, agent)
    assert brightness(page) > 0.7
    page.click("#theme")
    page.wait(lambda: brightness(page) < 0.2, "dark")


def brightness(page: Page) -> float:
    """Of the ground, 0..1."""
    return float(page.run("""
      const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;"""))


def test_the_list_says_everything_in_words(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    rows = household(agent)
    daemon.fill(rows)
    brain.open(daemon.url, agent, HOUSEHOLD)
    page.click("#list-toggle")
    page.wait(lambda: page.shows("#list"), "the list")
    newest = max(rows, key=lambda one: one["created_at"])
    page.wait(lambda: newest["text"][:30] in page.text("#list"), "the newest memory in the list")
    page.click("#list button[data-id], #list [data-id] button")
    page.wait(lambda: page.shows("#panel") and page.text("#panel-text"), "the panel")
    page.click("#close")
    page.click("#list-toggle")
    page.wait(lambda: not page.shows("#list"), "the list to go")


@pytest.mark.parametrize("filled", [True, False])
def test_on_a_phone_nothing_hangs_over_the_edge(
    filled: bool, brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    if filled:
        daemon.fill(household(agent))
    page.size(*PHONE, phone=True)
    brain.open(daemon.url, agent, HOUSEHOLD if filled else None)
    page.wait(lambda: page.shows("#brain" if filled else "#empty"), "the page")
    assert overhanging(page) == []
    if filled:
        [first, *_] = daemon.ask("GET", "/api/memories", agent_id=agent)["memories"]
        brain.select(first["id"], first["text"])
        assert overhanging(page) == []
        assert page.shows("#forget")
        page.click("#close")
        assert page.shows("#brain")


def overhanging(page: Page) -> list[str]:
    """Buttons and fields that are displayed and not wholly within the width of the window, and the page if it scrolls
    sideways."""
    found: list[str] = page.run("""
      const wide = document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : [];
      const shown = [...document.querySelectorAll("button, input, select, textarea, canvas, #ticker, #bytes")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length);
      return wide.concat(shown.filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1);
      }).map((one) => one.id || one.outerHTML.slice(0, 80)));""")
    return found
