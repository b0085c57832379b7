"""A recall, whoever asks, lights its path hop by hop, and the camera goes there."""

from __future__ import annotations

import math

import pytest
import trio
from mcp import Client
from selenium.webdriver.common.keys import Keys

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import CUE, HOUSEHOLD, PHONE, household, path

# The client's HTTP library leaves its own generators to the garbage collector once an event stream has ended.
pytestmark = pytest.mark.filterwarnings(r"ignore:Async generator '(httpx2|httpcore2)\.:ResourceWarning")


async def _ask(url: str, agent: str) -> None:
    async with Client(f"{url}/mcp") as client:
        answer = await client.call_tool("recall", {"cue": CUE, "k": 10, "agent_id": agent})
        assert not answer.is_error


def test_what_another_client_recalls_lights_up_hop_by_hop_and_the_camera_goes_there(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    brain.tells("settle")
    assert brain.tells("lit") == []
    brain.watch()
    trio.run(_ask, daemon.url, agent)
    page.wait(lambda: brain.first_lit(way[-1]) is not None, "the end of the path")
    lit = [at for memory in way if (at := brain.first_lit(memory)) is not None]
    assert len(lit) == len(way)
    assert lit == sorted(set(lit)), "one after the other"
    page.wait(lambda: brain.tells("lit") == [], "the light to fade")
    cameras = [tuple(one["camera"].values()) for one in brain.seen]
    assert len(set(cameras)) > 4, "it glides"
    assert math.dist(cameras[0][:2], cameras[-1][:2]) > 0 or cameras[0][2] != cameras[-1][2]
    assert all(math.isfinite(figure) for camera in cameras for figure in camera)


def test_who_prefers_less_motion_sees_the_same_light_without_a_glide(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    page.emulate(prefers_reduced_motion="reduce")
    brain.open(daemon.url, agent, len(way))
    brain.tells("settle")
    brain.watch()
    daemon.ask("POST", "/api/recall", {"cue": CUE, "k": 10, "agent_id": agent})
    page.wait(lambda: all(brain.first_lit(memory) is not None for memory in way), "the whole path")
    page.wait(lambda: brain.tells("lit") == [], "the light to go")
    assert len({tuple(one["camera"].values()) for one in brain.seen}) <= 3


def test_a_recall_of_another_agent_lights_nothing(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.fill([*household(agent), *household(f"{agent} other")])
    brain.open(daemon.url, agent, HOUSEHOLD)
    brain.watch()
    daemon.ask("POST", "/api/recall", {"cue": "the train", "k": 5, "agent_id": f"{agent} other"})
    daemon.ask("POST", "/api/recall", {"cue": "the train", "k": 1, "agent_id": agent})
    page.wait(lambda: any(one["lit"] for one in brain.seen), "its own recall")
    own = {node["id"] for node in daemon.ask("GET", "/api/graph", agent_id=agent)["nodes"]}
    assert {memory for one in brain.seen for memory in one["lit"]} <= own


def test_a_search_shows_what_comes_to_mind_and_lights_it(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    brain.watch()
    brain.search(CUE)
    assert brain.results()[0] == way[0]
    assert "Anna keeps bees" in page.text("#results")
    page.wait(lambda: brain.first_lit(way[0]) is not None, "the light")
    page.wait(lambda: page.text("#ticker").strip(), "the ticker")


@pytest.mark.parametrize("phone", [False, True])
def test_nothing_of_the_page_covers_what_lights_up_or_is_selected(
    phone: bool, brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    if phone:
        page.size(*PHONE, phone=True)
    brain.open(daemon.url, agent, len(way))
    brain.tells("settle")
    brain.search(CUE)
    page.wait(lambda: set(brain.results()) <= set(brain.tells("lit")), "the light")
    page.wait(lambda: page.run(_COVERED, brain.results()) == [], "all that is lit to be in sight")
    page.click(f"#results [data-id='{way[1]}']")
    page.wait(lambda: page.shows("#panel") and page.text("#panel-text"), "the panel")
    page.wait(lambda: page.run(_COVERED, [way[1]]) == [], "the selected memory to be in sight")


# Those of some memories at whose place in the window something else than the picture lies.
_COVERED = """
const canvas = document.querySelector("#brain"), frame = canvas.getBoundingClientRect();
return arguments[0].filter((id) => {
  const [x, y] = window.__brain.where(id);
  return document.elementFromPoint(frame.left + x, frame.top + y) !== canvas;
});
"""


def test_a_search_that_finds_nothing_says_so(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.remember("The spare key hangs behind the barn door.", agent_id=agent)
    brain.open(daemon.url, agent)
    daemon.ask("DELETE", f"/api/memories/{daemon.ask('GET', '/api/memories', agent_id=agent)['memories'][0]['id']}",
               agent_id=agent)
    page.wait(lambda: brain.counts()["nodes"] == 0, "it to be gone")
    page.type("#cue", "quantum chromodynamics")
    page.click("#search button[type=submit], #search button") if page.shows("#search button") else page.keys(Keys.ENTER)
    page.wait(lambda: (page.text("#results") + page.text("#ticker")).strip(), "an answer in words")
    assert brain.results() == []
