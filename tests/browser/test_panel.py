"""The panel of one memory: what it tells, and what can be done there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import trio

from hippo.daemon import awake
from hippo.interfaces.service import Service
from hippo.model.verb import Sleep
from hippo.runtime.offload import Offload
from hippo.store.disk import FolderDisk
from sims.chromium import Page
from tests.actors.test_night import chatter, settings
from tests.browser.brain import Brain
from tests.browser.living import Living
from tests.browser.materials import BEES, CUE, path

LATER = "Anna keeps bees behind the old mill since June."


@pytest.fixture
def bees(brain: Brain, daemon: Living, agent: str) -> list[str]:
    """A path of memories, the panel of whose first is open."""
    way = path(daemon, agent)
    brain.open(daemon.url, agent, len(way))
    brain.select(way[0], CUE)
    return way


def test_it_tells_everything_about_a_memory(brain: Brain, page: Page, daemon: Living, agent: str) -> None:
    way = path(daemon, agent)
    daemon.ask("PATCH", f"/api/memories/{way[1]}", {"text": "Борис чинит старые часы.", "agent_id": agent})
    brain.open(daemon.url, agent, len(way))
    brain.select(way[1], "Борис чинит старые часы.")
    page.wait(lambda: "чинит старые часы" in page.text("#panel-text"), "its text")
    told = daemon.inspect(way[1], agent)
    assert told["tier"] in page.text("#panel-tier").lower()
    assert page.text("#panel-fidelity").strip()
    assert "Борис чинит часы." in page.text("#panel-history")
    assert told["associations"]
    shown = page.run("return document.querySelectorAll('#panel-associations > li').length")
    assert shown >= len(told["associations"])
    assert curve_is_drawn(page)


def curve_is_drawn(page: Page) -> bool:
    """Whether there is a curve: a path that falls, or a canvas with more than one colour."""
    return bool(page.run("""
      const curve = document.querySelector("#panel-curve");
      if (curve instanceof HTMLCanvasElement)
        return new Set(new Uint32Array(curve.getContext("2d").getImageData(0, 0, curve.width, curve.height).data.buffer)).size > 3;
      return [...curve.querySelectorAll("path, polyline")].some((one) => one.getTotalLength() > 20);"""))


def test_an_association_leads_to_the_other_memory(bees: list[str], page: Page, daemon: Living, agent: str) -> None:
    other = daemon.inspect(bees[0], agent)["associations"][0]["id"]
    page.click(f"#panel-associations [data-id='{other}'], #panel-associations [data-id='{other}'] button")
    text = daemon.inspect(other, agent)["text"]
    page.wait(lambda: text[:20] in page.text("#panel-text"), "the other memory")


def test_an_edit_changes_what_it_says_and_keeps_what_it_said(
    bees: list[str], page: Page, daemon: Living, agent: str
) -> None:
    page.click("#edit")
    page.wait(lambda: page.shows("#edit-text"), "the field")
    assert page.run("return document.querySelector('#edit-text').value") == BEES
    page.type("#edit-text", LATER)
    page.click("#edit-save")
    page.wait(lambda: LATER in page.text("#panel-text"), "the new text")
    page.wait(lambda: BEES in page.text("#panel-history"), "the old one in its history")
    assert not page.shows("#edit-text")
    told = daemon.inspect(bees[0], agent)
    assert (told["text"], [one["text"] for one in told["history"]]) == (LATER, [BEES])


def test_an_edit_that_is_given_up_changes_nothing(bees: list[str], page: Page, daemon: Living, agent: str) -> None:
    page.click("#edit")
    page.wait(lambda: page.shows("#edit-text"), "the field")
    page.type("#edit-text", LATER)
    page.click("#edit-cancel")
    page.wait(lambda: not page.shows("#edit-text"), "the field to go")
    assert BEES in page.text("#panel-text")
    assert daemon.inspect(bees[0], agent)["text"] == BEES


def test_what_another_client_corrects_changes_in_the_open_panel(
    bees: list[str], page: Page, daemon: Living, agent: str
) -> None:
    daemon.ask("PATCH", f"/api/memories/{bees[0]}", {"text": LATER, "agent_id": agent})
    page.wait(lambda: LATER in page.text("#panel-text"), "the new text")


def test_forgetting_asks_first(bees: list[str], page: Page, daemon: Living, agent: str) -> None:
    page.click("#forget")
    page.wait(lambda: page.shows("#forget-dialog"), "the question")
    page.click("#forget-cancel")
    page.wait(lambda: not page.shows("#forget-dialog"), "the question to go")
    assert daemon.inspect(bees[0], agent)["text"] == BEES
    assert page.shows("#panel")


def test_what_is_forgotten_is_gone_from_the_store_and_from_the_page(
    bees: list[str], brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    before = brain.counts()["nodes"]
    page.click("#forget")
    page.wait(lambda: page.shows("#forget-dialog"), "the question")
    page.click("#forget-confirm")
    page.wait(lambda: brain.counts()["nodes"] == before - 1, "it to be gone")
    page.wait(lambda: not page.shows("#panel"), "the panel to close")
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        daemon.inspect(bees[0], agent)
    page.wait(lambda: not page.run(
        "return document.documentElement.outerHTML.includes(arguments[0])", bees[0]), "its id to be nowhere")
    assert BEES not in page.run("return document.body.textContent")


def test_what_another_client_forgets_goes_from_the_page(
    bees: list[str], brain: Brain, page: Page, daemon: Living, agent: str
) -> None:
    before = brain.counts()["nodes"]
    daemon.ask("DELETE", f"/api/memories/{bees[0]}", agent_id=agent)
    page.wait(lambda: brain.counts()["nodes"] == before - 1, "it to be gone")
    page.wait(lambda: not page.shows("#panel"), "the panel to close")
    page.wait(lambda: BEES not in page.run("return document.body.textContent"), "its text to be nowhere")


def test_an_abridged_memory_says_so_and_is_restored(
    brain: Brain, page: Page, tmp_path: Path, own_daemon: Callable[..., Living]
) -> None:
    folder = tmp_path / "store"

    async def age() -> dict[str, str]:
        kept = settings(dir=str(folder), sleep_preserve_originals="on", fact_guard="off")
        async with awake(kept, FolderDisk(folder), Offload(0)) as service:
            return await _abridged(service)

    originals = trio.run(age)
    daemon = own_daemon(folder, embedder="term-frequency")
    memory, original = next(iter(originals.items()))
    told = daemon.inspect(memory, "default")
    assert not told["lossless"]
    brain.open(daemon.url)
    brain.select(memory, told["text"])
    page.wait(lambda: page.shows("#restore"), "the way back")
    assert re.search(r"\d", page.text("#panel-fidelity")), "how faithful it is"
    page.click("#restore")
    page.wait(lambda: original in page.text("#panel-text"), "the exact text")
    page.wait(lambda: not page.shows("#restore") or page.value("#restore", "disabled") is not None, "nothing to restore")
    told = daemon.inspect(memory, "default")
    assert (told["text"], told["lossless"]) == (original, True)


async def _abridged(service: Service) -> dict[str, str]:
    """The exact texts of memories that two passes abridged, by id."""
    from tests.actors.test_night import everything

    texts = await chatter(service, 120)
    await service.sleep(Sleep())
    await service.sleep(Sleep())
    faded = {one.id: texts[one.id] for one in (await everything(service)).values() if not one.lossless}
    assert faded
    return faded
