"""Everything can be done without a mouse."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import BEES, CUE, HOUSEHOLD, household, path

TABS_MAX = 200


def focused(page: Page) -> str:
    """The id of what has the focus, or what it is."""
    return str(page.run("const one = document.activeElement; return one.id || one.dataset.id || one.tagName"))


def test_a_slash_goes_to_the_search_and_enter_asks(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    page.keys("/")
    page.wait(lambda: focused(page) == "cue", "the search to have the focus")
    assert page.run("return document.querySelector('#cue').value") == ""
    page.keys(CUE, Keys.ENTER)
    page.wait(lambda: way[0] in brain.results(), "what comes to mind")


def test_results_are_walked_with_arrows_and_opened_with_enter_and_escape_closes(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    page.keys("/", CUE, Keys.ENTER)
    first, second, *_ = page.wait(lambda: brain.results(), "what comes to mind")
    page.keys(Keys.ARROW_DOWN)
    page.wait(lambda: focused(page) == first, "the first result")
    page.keys(Keys.ARROW_DOWN)
    page.wait(lambda: focused(page) == second, "the second")
    page.keys(Keys.ARROW_UP)
    page.wait(lambda: focused(page) == first, "the first again")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.shows("#panel") and BEES in page.text("#panel-text"), "its panel")
    page.keys(Keys.ESCAPE)
    page.wait(lambda: not page.shows("#panel"), "the panel to close")


def test_arrows_walk_the_brain_itself(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    daemon.fill(household(agent))
    brain.open(daemon.url, agent, HOUSEHOLD)
    brain.tells("settle")
    page.run("document.querySelector('#brain').focus()")
    assert focused(page) == "brain"
    page.keys(Keys.ARROW_RIGHT)
    page.keys(Keys.ENTER)
    page.wait(lambda: page.shows("#panel") and page.text("#panel-text"), "a memory")
    shown = {page.text("#panel-text")}
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP):
        page.run("document.querySelector('#brain').focus()")
        page.keys(key, Keys.ENTER)
        shown.add(page.wait(lambda: page.text("#panel-text"), "a memory"))
    page.wait(lambda: len(shown | {page.text("#panel-text")}) > 1, "another memory")


def test_tab_reaches_everything_that_can_be_used_and_is_never_caught(
    brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    brain.select(way[0], CUE)
    page.run("window.__tabbed = new Set()")
    for _ in range(TABS_MAX):
        page.keys(Keys.TAB)
        if page.run(_NOTE_FOCUS):
            break
    left: list[str] = page.run(_NOT_REACHED)
    assert left == []
    assert page.run("return window.__unseen ?? []") == [], "what has the focus shows it"


# How a thing looks while it has the focus is compared with how it looks without; its frame may show it. The body has the
# focus between the last and the first.
_NOTE_FOCUS = """
const look = (one) => {
  for (const change of document.getAnimations()) change.finish();
  return [one, one.parentElement].map((each) => {
    const { outline, outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
    const ring = outlineStyle === "none" || parseFloat(outlineWidth) === 0 ? "" : outline;
    return [ring, boxShadow, borderColor, backgroundColor].join();
  }).join(";");
};
const one = document.activeElement;
if (one === document.body) return false;
if (window.__tabbed.has(one)) return true;
window.__tabbed.add(one);
const focused = look(one);
one.blur();
if (focused === look(one)) (window.__unseen ??= []).push(one.id || one.outerHTML.slice(0, 80));
one.focus();
return false;
"""
_NOT_REACHED = """
return [...document.querySelectorAll("button, input, select, textarea, a[href], canvas[tabindex]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length && !one.disabled
    && one.tabIndex >= 0 && !window.__tabbed.has(one))
  .map((one) => one.id || one.outerHTML.slice(0, 80));
"""


def test_a_dialog_keeps_the_focus_and_gives_it_back(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    brain.select(way[0], CUE)
    page.run("document.querySelector('#forget').focus()")
    page.keys(Keys.ENTER)
    page.wait(lambda: page.shows("#forget-dialog"), "the question")
    assert page.run("return document.querySelector('#forget-dialog').contains(document.activeElement)")
    assert focused(page) != "forget-confirm", "Enter alone must not erase"
    page.keys(Keys.ESCAPE)
    page.wait(lambda: not page.shows("#forget-dialog"), "the question to go")
    page.wait(lambda: focused(page) == "forget", "the focus to come back")
    assert page.shows("#panel"), "Escape closes one thing at a time"
    assert daemon.inspect(way[0], agent)["text"] == BEES
