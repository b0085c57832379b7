"""Whose memory the page shows."""

from __future__ import annotations

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import household


def test_choosing_an_agent_shows_its_memories_and_only_these(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    other = f"{agent} <b>ö</b> & co"
    daemon.fill(household(agent, 20))
    [memory] = daemon.fill([{"text": "The lighthouse keeper is called Iris.", "agent_id": other}])
    brain.open(daemon.url, agent, 20)
    assert page.run("return document.querySelector('#agent').value") == agent
    page.run("""
      const select = document.querySelector("#agent");
      select.value = arguments[0];
      select.dispatchEvent(new Event("change", { bubbles: true }));""", other)
    page.wait(lambda: brain.counts()["nodes"] == 1, "the other's memories")
    brain.live()
    brain.select(memory, "Who keeps the lighthouse?")
    assert "Iris" in page.text("#panel-text")
    daemon.remember("Not for the other.", agent_id=agent)
    daemon.remember("The lamp is lit at dusk.", agent_id=other)
    page.wait(lambda: brain.counts()["nodes"] == 2, "what is stored for it")
    brain.open(daemon.url, other, 2)
    assert page.run("return document.querySelector('#agent').value") == other


def test_an_agent_that_remembers_nothing_is_taught(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.remember("Somebody has a memory.", agent_id=agent)
    brain.open(daemon.url, f"{agent} new", nodes=None)
    page.wait(lambda: page.shows("#empty"), "the lesson")
    page.type("#first-text", "The first of its own.")
    page.click("#first button")
    page.wait(lambda: brain.counts()["nodes"] == 1, "the first memory")
    [stored] = daemon.ask("GET", "/api/memories", agent_id=f"{agent} new")["memories"]
    assert stored["text"] == "The first of its own."
