"""Whatever a memory says is shown as text: it is neither obeyed nor lost."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import HOSTILE

OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_FOREIGN = ":is(#panel, #results, #list, #ticker) :is(img, b, script, style, iframe, title, [onload], [onerror])"


@pytest.mark.parametrize("kind", HOSTILE)
def test_it_is_text_wherever_it_stands(kind: str, brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    text = HOSTILE[kind]
    memory = daemon.remember(text, agent_id=agent, entity=text[:60].strip(), tags=[text[:40].strip()], kind=text[:30].strip())
    daemon.remember("A quiet neighbour.", agent_id=agent)
    stored = daemon.inspect(memory, agent)["text"]
    brain.open(daemon.url, agent, 2)
    title = page.run("return document.title")
    brain.select(memory, stored[:200])
    page.click("#list-toggle")
    page.wait(lambda: page.shows("#list"), "the list")
    page.wait(lambda: words(page.text("#panel-text")) == words(stored), "the whole text")
    for place in ("#panel", "#results", "#list", "#ticker"):
        assert OBEYED.search(page.text(place)) is None, place
    assert page.find(_FOREIGN) == []
    assert page.run("return document.title") == title
    assert spilling(page) == []


def words(text: str) -> list[str]:
    """What both forms share: letters and digits, but for those that stand for characters that must not be obeyed."""
    return re.findall(r"\w+", OBEYED.sub(" ", re.sub(r"\\u[0-9a-f]{4}|\\u\{[0-9a-f]+\}|[\u2400-\u2426\u2421]", " ", text)))


def spilling(page: Page) -> list[Any]:
    """Where something is wider than its place."""
    found: list[Any] = page.run("""
      return [document.documentElement, ...document.querySelectorAll("#panel, #panel-text, #results, #list, #ticker")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "hidden"
          && one.clientWidth > 0)
        .map((one) => `${one.id || one.tagName}: ${one.scrollWidth} in ${one.clientWidth}`);""")
    return found
