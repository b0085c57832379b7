"""The pictures of the docs, from the real page: `python -m tests.browser.pictures [FOLDER]`.

The daemon's clock is frozen, what is stored has one seed, and the layout is seeded, so the same page gives nearly the
same pictures; what moves is caught at the same moment of its course, not at the same millisecond.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from sims.chromium import Page, chromium
from sims.corpus import START_MS, corpus
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import row

DOCS = Path(__file__).resolve().parents[2] / "docs"
AGENT, COUNT, DAYS, SEED = "home", 150, 30, 7
SIZE = (1280, 800)
CUE = "When does the chimney sweep come?"
STAGES = ("replay", "fold", "condense")
GLIDE_MS, MIDWAY_MS = 2_000, 1_300


def filled(folder: Path) -> Living:
    """A daemon whose store has a household's month in it, slept on and asked as in life."""
    home = corpus(COUNT, DAYS, SEED)
    daemon = Living(folder, demo="on", epoch=str(START_MS), tz="UTC").start()
    for day in range(DAYS):
        heard, asked = home.of_day(day)
        if heard:
            daemon.fill([row(one, AGENT) for one in heard])
        for one in asked:
            daemon.ask("POST", "/api/recall", {"cue": one.cue, "agent_id": AGENT, "k": 3})
        daemon.ask("POST", "/api/timeskip", {"days": 1})
        if day % 10 == 9 and day < DAYS - 1:
            daemon.ask("POST", "/api/sleep", {})
    return daemon


def main(folder: Path) -> None:
    """Writes all of them."""
    with tempfile.TemporaryDirectory() as store, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, chromium(Path(profile)) as page:
        daemon = filled(Path(store) / "store")
        try:
            _take(page, daemon, folder)
        finally:
            daemon.close()


def _take(page: Page, daemon: Living, folder: Path) -> None:
    brain = Brain(page)

    def keep(name: str) -> None:
        (folder / f"brain-{name}.jpg").write_bytes(page.picture())
        print(f"brain-{name}.jpg")

    def open_at_rest() -> None:
        brain.open(daemon.url, AGENT, COUNT)
        brain.tells("settle")
        page.wait(brain.rests, "rest")

    page.size(*SIZE)
    page.emulate(prefers_color_scheme="dark")
    open_at_rest()
    keep("dark")
    page.click("#theme")
    page.wait(brain.rests, "rest")
    keep("light")
    page.click("#theme")

    page.type("#cue", CUE)
    page.keys(Keys.ENTER)
    page.wait(lambda: brain.tells("lit"), "light")
    brain.pause(GLIDE_MS)
    keep("recall")
    page.click(f"#results [data-id='{brain.results()[0]}']")
    page.wait(lambda: page.text("#panel-text"), "the panel")
    brain.pause(GLIDE_MS)
    keep("panel")

    daemon.ask("POST", "/api/timeskip", {"days": 25})
    open_at_rest()
    page.click("#sleep")
    for stage in STAGES:
        page.wait(lambda stage=stage: brain.tells("stage") == stage, stage)  # type: ignore[misc]
        brain.pause(MIDWAY_MS)
        keep(f"sleep-{stage}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=DOCS)
    main(parser.parse_args().folder)
