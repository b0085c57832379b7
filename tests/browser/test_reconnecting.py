"""The daemon goes away and comes back on the same address; the page shows what happened meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from selenium.webdriver.common.keys import Keys

from hippo.limits import subscriber_events
from sims.chromium import Page, chromium
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import household
from tests.browser.relay import Relay

AGENT = "waiting"
CONNECTIONS_OF_A_BROWSER = 6  # to one server
CUT_OFF = [r"net::ERR_CONNECTION_REFUSED", r"net::ERR_INCOMPLETE_CHUNKED_ENCODING", r"net::ERR_CONNECTION_RESET",
           r"net::ERR_EMPTY_RESPONSE"]


def last_event_ids(page: Page) -> set[str]:
    """What the page's streams of events said they had seen: the browser in a header, the page itself in its question."""
    streams = [one for one in page.asked if urlsplit(one.url).path == "/api/events"]
    asked = [*(one.headers.get("last-event-id", "") for one in streams),
             *(parse_qs(urlsplit(one.url).query).get("last_event_id", [""])[0] for one in streams)]
    return set(asked) - {""}


@pytest.mark.parametrize("way", ["killed", "stopped"])
def test_what_was_stored_meanwhile_is_shown(
    way: str, brain: Brain, page: Page, own_daemon: Callable[..., Living], forgiven: list[str]
) -> None:
    forgiven += CUT_OFF
    daemon = own_daemon()
    daemon.fill(household(AGENT, 12))
    brain.open(daemon.url, AGENT, 12)
    daemon.remember("The first that the stream told of.", agent_id=AGENT)
    page.wait(lambda: brain.counts()["nodes"] == 13, "an event")
    daemon.kill() if way == "killed" else daemon.stop()
    page.wait(lambda: page.value("#connection", "data-state") == "waiting", "the page to notice")
    with daemon.elsewhere() as other:
        other.remember("Stored by another client before the page was back.", agent_id=AGENT)
    daemon.start()
    brain.live()
    page.wait(lambda: brain.counts()["nodes"] == 14, "what was stored meanwhile")
    page.wait(lambda: last_event_ids(page), "the id of the last event that it saw")
    daemon.remember("And it goes on.", agent_id=AGENT)
    page.wait(lambda: brain.counts()["nodes"] == 15, "what is stored from then on")
    brain.search("before the page was back")
    assert "another client" in page.text("#results")


def test_a_page_that_had_seen_no_event_shows_it_too(
    brain: Brain, page: Page, own_daemon: Callable[..., Living], forgiven: list[str]
) -> None:
    forgiven += CUT_OFF
    daemon = own_daemon()
    one, *_ = daemon.fill(household(AGENT, 12))
    brain.open(daemon.url, AGENT, 12)
    daemon.kill()
    page.wait(lambda: page.value("#connection", "data-state") == "waiting", "the page to notice")
    with daemon.elsewhere() as other:
        other.ask("DELETE", f"/api/memories/{one}", agent_id=AGENT)
    daemon.start()
    brain.live()
    page.wait(lambda: brain.counts()["nodes"] == 11, "what was forgotten meanwhile to go")


def test_a_page_whose_daemon_is_away_says_so_and_keeps_what_it_shows(
    brain: Brain, page: Page, own_daemon: Callable[..., Living], forgiven: list[str]
) -> None:
    forgiven += CUT_OFF
    daemon = own_daemon()
    daemon.fill(household(AGENT, 12))
    brain.open(daemon.url, AGENT, 12)
    daemon.kill()
    page.wait(lambda: page.value("#connection", "data-state") == "waiting", "the page to notice")
    assert page.text("#connection").strip()
    assert brain.counts()["nodes"] == 12
    page.type("#cue", "Where is the spare key?")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.shows("#ticker") and page.text("#ticker").strip(), "a word about it")


@pytest.mark.parametrize("many", [3, subscriber_events + 44])
def test_a_page_that_was_cut_off_from_a_living_daemon_shows_all_that_came_meanwhile(
    many: int, brain: Brain, page: Page, daemon: Living, agent: str, relay: Relay, forgiven: list[str]
) -> None:
    forgiven += CUT_OFF
    daemon.fill(household(agent, 12))
    brain.open(relay.url, agent, 12)
    daemon.remember("The first that the stream told of.", agent_id=agent)
    page.wait(lambda: brain.counts()["nodes"] == 13, "an event")
    relay.cut()
    page.wait(lambda: page.value("#connection", "data-state") == "waiting", "the page to notice")
    daemon.fill([{"text": f"Parcel {number} of the move lies in room {number % 7}.", "agent_id": agent}
                 for number in range(many)])  # more events than are kept for a page, or few that are told again
    relay.mend()
    brain.live()
    page.wait(lambda: brain.counts()["nodes"] == 13 + many, "all that came meanwhile")
    assert last_event_ids(page)


def test_pages_that_are_left_hold_no_connection_and_show_what_is_new_when_one_comes_back(
    tmp_path: Path, browser: Page, own_daemon: Callable[..., Living]
) -> None:
    daemon = own_daemon()
    agents = [f"agent-{number}" for number in range(CONNECTIONS_OF_A_BROWSER - 1)]
    for agent in agents:
        daemon.remember("What is known.", agent_id=agent)
    with chromium(tmp_path, "--disable-features=Translate") as page:  # one that keeps pages for the way back
        brain = Brain(page)
        for agent in agents:
            brain.open(daemon.url, agent)
        page.wait(lambda: open_streams(daemon) == 1, "the streams of pages that were left to end")
        daemon.remember("What is new.", agent_id=agents[-2])
        page.run("setTimeout(() => history.back())")  # a script whose page goes before it has returned is run again
        page.wait(lambda: agents[-2] in page.run("return location.href"), "the way back")
        page.wait(lambda: brain.counts()["nodes"] == 2, "what is new")
        brain.live()
        assert page.complaints == []


def open_streams(daemon: Living) -> int:
    """How many streams of events the daemon sends."""
    [found] = re.findall(r"^hippo_event_streams (\d+)", httpx.get(f"{daemon.url}/metrics").text, re.MULTILINE)
    return int(found)
