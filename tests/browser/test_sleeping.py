"""Sleep as the page shows it, and time that is skipped."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from sims.chromium import Page
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import HOUSEHOLD, household

AGENT = "sleeper"


def asleep(own_daemon: Callable[..., Living], brain: Brain) -> Living:
    """A daemon whose memories have aged since they were stored, and the page on it."""
    daemon = own_daemon(demo="on")
    daemon.fill(household(AGENT, HOUSEHOLD, 30))
    daemon.ask("POST", "/api/timeskip", {"days": 12})
    brain.open(daemon.url, AGENT, HOUSEHOLD)
    brain.watch()
    return daemon


def stages(brain: Brain) -> list[str]:
    """The stages that were seen, in their order."""
    return [stage for stage, _ in groupby(one["stage"] for one in brain.seen) if stage is not None]


def assert_it_ends_right(brain: Brain, page: Page, daemon: Living) -> None:
    page.wait(lambda: stages(brain) and brain.tells("stage") is None, "sleep to end")
    assert stages(brain) == ["replay", "fold", "condense"]
    stats = daemon.ask("GET", "/api/stats")
    counts = {name: figures["count"] for name, figures in stats["tiers"].items()}
    page.wait(lambda: brain.seen[-1]["bars"] == counts, f"the bars at {counts}")
    page.wait(lambda: brain.seen[-1]["bytes"] == stats["last_report"]["after"]["total_bytes"], "the byte counter")
    condensing = [one["stage"] for one in brain.seen].index("condense")  # after a long pass the counter runs on awake
    counted = {one["bytes"] for one in brain.seen[condensing:]} - {stats["last_report"][when]["total_bytes"] for when in ("before", "after")}
    assert counted, "the counter runs down"
    assert any(one["lit"] for one in brain.seen if one["stage"] == "replay"), "memories pulse"


def test_a_pass_is_replayed_folded_and_condensed_and_ends_with_the_right_figures(
    brain: Brain, page: Page, own_daemon: Callable[..., Living]
) -> None:
    daemon = asleep(own_daemon, brain)
    page.click("#sleep")
    assert_it_ends_right(brain, page, daemon)
    assert page.text("#ticker").strip()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not show who works for whom")
def test_a_pass_that_takes_longer_than_its_picture_ends_with_the_right_figures_too(
    brain: Brain, page: Page, own_daemon: Callable[..., Living]
) -> None:
    daemon = asleep(own_daemon, brain)
    page.click("#sleep")
    worker = page.wait(daemon.worker, "the worker")
    os.kill(worker, signal.SIGSTOP)
    try:
        page.wait(lambda: brain.tells("stage") == "condense", "the last stage")
        page.run_until_told("setTimeout(arguments[0], 3500)")  # longer than it is shown
    finally:
        with suppress(ProcessLookupError):  # hippo lost its patience with it
            os.kill(worker, signal.SIGCONT)
    assert_it_ends_right(brain, page, daemon)


def test_a_pass_that_another_client_asked_for_is_shown_as_well_without_motion_too(
    brain: Brain, page: Page, own_daemon: Callable[..., Living]
) -> None:
    page.emulate(prefers_reduced_motion="reduce")
    daemon = asleep(own_daemon, brain)
    daemon.ask("POST", "/api/sleep", {})
    page.wait(lambda: stages(brain) and brain.tells("stage") is None, "sleep to end")
    stats = daemon.ask("GET", "/api/stats")
    page.wait(lambda: brain.seen[-1]["bytes"] == stats["last_report"]["after"]["total_bytes"], "the byte counter")


def test_time_is_skipped_where_that_is_allowed(brain: Brain, page: Page, own_daemon: Callable[..., Living]) -> None:
    daemon = own_daemon(demo="on")
    [memory, *_] = daemon.fill(household(AGENT))
    brain.open(daemon.url, AGENT, HOUSEHOLD)
    page.wait(lambda: page.shows("[data-skip='30']"), "the skips")
    before = daemon.inspect(memory, AGENT)["retention_now"]
    seen = [before]
    for days in (1, 7, 30):
        page.click(f"[data-skip='{days}']")
        page.wait(lambda: daemon.inspect(memory, AGENT)["retention_now"] < seen[-1], f"{days} days to pass")
        seen.append(daemon.inspect(memory, AGENT)["retention_now"])
        page.wait(lambda: not page.find("[data-skip]:disabled"), "the page to be ready")


def test_a_preview_shows_what_a_pass_would_do_and_does_nothing(
    brain: Brain, page: Page, own_daemon: Callable[..., Living]
) -> None:
    daemon = asleep(own_daemon, brain)
    before = daemon.ask("GET", "/api/stats")["total_bytes"]
    page.click("#preview")
    page.wait(lambda: page.shows("#preview-dialog") and "cold" in page.text("#preview-dialog").lower(), "the preview")
    foreseen = daemon.ask("GET", "/api/preview")
    figures = "".join(page.text("#preview-dialog").split()).replace(",", "")
    for name, tier in foreseen["tiers"].items():
        assert str(tier["expected"]["count"]) in figures, name
    page.keys(Keys.ESCAPE)
    page.wait(lambda: not page.shows("#preview-dialog"), "it to close")
    assert daemon.ask("GET", "/api/stats")["total_bytes"] == before
    assert stages(brain) == []
