"""One browser and one daemon for each worker; after each test the page must have complained of nothing and asked nobody
but daemons of this test."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sims.chromium import Page, chromium, missing
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.relay import Relay

_agents = itertools.count(1)
_origins: set[str] = set()  # of the daemons that this worker started: nobody else may be asked


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Chromium, headless."""
    if (program := missing()) is not None:
        pytest.skip(f"{program} is not installed (Debian: chromium and chromium-driver)")
    with chromium(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture
def forgiven() -> list[str]:
    """Complaints that a test expects, as patterns: what it cuts off on purpose."""
    return []


@pytest.fixture
def page(browser: Page, forgiven: list[str], own_daemon: Callable[..., Living]) -> Iterator[Page]:
    """A page as new; it is left before the daemons of the test end."""
    yield browser
    complaints = [said for said in browser.complaints if not any(re.search(known, said.text) for known in forgiven)]
    asked = {one.url for one in browser.asked}
    browser.leave()
    assert not complaints
    outside = {url for url in asked if not url.startswith(("data:", "blob:", *(f"{origin}/" for origin in _origins)))}
    assert not outside


@pytest.fixture
def brain(page: Page) -> Brain:
    """The brain view in a page."""
    return Brain(page)


@pytest.fixture(scope="session")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """A daemon in demo mode that the tests of a worker share: each has an agent of its own, and none sleeps or skips."""
    living = Living(tmp_path_factory.mktemp("shared") / "store", demo="on")
    try:
        _origins.add(living.start().url)
        yield living
    finally:
        living.close()


@pytest.fixture
def agent() -> str:
    """An agent that nobody else has."""
    return f"agent {next(_agents)}"


@pytest.fixture
def own_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Living]]:
    """Starts a daemon for this test alone, on an empty store unless it is told a folder; settings as for `Living`."""
    started: list[Living] = []

    def start(folder: Path | None = None, **settings: str) -> Living:
        living = Living(folder or tmp_path_factory.mktemp("own") / "store", **settings)
        started.append(living)
        _origins.add(living.start().url)
        return living

    yield start
    for living in started:
        living.close()


@pytest.fixture
def relay(daemon: Living) -> Iterator[Relay]:
    """A way to the shared daemon that can be cut."""
    relay = Relay(daemon.port)
    _origins.add(relay.url)
    yield relay
    relay.close()
