"""axe finds nothing serious, wherever one is in the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.webdriver.common.keys import Keys

from sims.chromium import Page
from tests.browser.axe import axe, grave
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import CUE, PHONE, path

__all__ = ["axe"]
pytestmark = pytest.mark.usefixtures("axe")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_an_empty_store(theme: str, brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    brain.open(daemon.url, agent, nodes=None)
    page.wait(lambda: page.shows("#empty"), "the lesson")
    _in(theme, page)
    assert grave(page) == []


@pytest.mark.parametrize("place", ["dark", "light", "phone", "phone, light"])
def test_a_filled_store_its_panel_its_list_and_its_dialogs(
    place: str, brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    if "phone" in place:
        page.size(*PHONE, phone=True)
    brain.open(daemon.url, agent, len(way))
    _in("light" if "light" in place else "dark", page)
    found: dict[str, list[object]] = {"filled": [*grave(page)]}

    def look(name: str, shown: Callable[[], object]) -> None:
        page.wait(shown, name)
        found[name] = [*grave(page)]

    brain.select(way[0], CUE)
    look("panel", lambda: page.text("#panel-text"))
    page.click("#edit")
    look("edit", lambda: page.shows("#edit-text"))
    page.click("#edit-cancel")
    page.click("#forget")
    look("forget", lambda: page.shows("#forget-dialog"))
    page.click("#forget-cancel")
    page.click("#close")
    page.click("#preview")
    look("preview", lambda: page.shows("#preview-dialog"))
    page.keys(Keys.ESCAPE)
    page.wait(lambda: not page.shows("#preview-dialog"), "the dialog to close")
    page.click("#list-toggle")
    look("list", lambda: page.shows("#list"))
    assert {name: some for name, some in found.items() if some} == {}


def _in(theme: str, page: Page) -> None:
    if theme == "light":
        page.click("#theme")
        page.run("for (const one of document.getAnimations()) one.finish();")
