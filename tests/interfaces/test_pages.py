"""The pages stand alone: no outside request, no inline script, and a policy that would forbid both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hippo.interfaces.pages import FOLDERS, KINDS, POLICY, read_pages
from tests.interfaces.serving import client, served

UI = Path(__file__).resolve().parents[2] / "ui"
FILES = sorted(file for file in UI.iterdir() if file.suffix in KINDS)


async def test_the_page_is_served_with_a_strict_policy() -> None:
    async with served(None) as url, client(url) as http:
        reply = await http.get("/")
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith("text/html")
        assert reply.headers["content-security-policy"] == POLICY
        assert "unsafe" not in POLICY
        assert "hippo" in reply.text
        paths = {*re.findall(r'(?:src|href)="(/[\w.]+)"', reply.text)} - {"/metrics"}
        assert len(paths) >= 3
        for path in paths:
            assert (await http.get(path)).status_code == 200


async def test_a_page_that_the_browser_has_is_not_sent_again() -> None:
    async with served(None) as url, client(url) as http:
        first = await http.get("/main.js")
        again = await http.get("/main.js", headers={"if-none-match": first.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""


@pytest.mark.parametrize(("accepted", "coding"), [
    ("gzip, deflate, br", "gzip"), ("GZIP;q=0.5", "gzip"), ("gzip; q=0.0, br", None), ("identity", None), ("", None)])
async def test_a_page_is_compressed_for_who_takes_it(accepted: str, coding: str | None) -> None:
    async with served(None) as url, client(url) as http:
        reply = await http.get("/main.js", headers={"accept-encoding": accepted})
        assert reply.headers.get("content-encoding") == coding
        assert reply.headers["vary"] == "accept-encoding"
        assert reply.content == (UI / "main.js").read_bytes()
        assert (int(reply.headers["content-length"]) < len(reply.content) / 2) == (coding == "gzip")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_asks_for_anything_outside(file: Path) -> None:
    text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//[a-z0-9-]+\.[a-z]{2,}|@import", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|javascript:|\sstyle=|<style", text)


def test_nothing_a_memory_says_becomes_markup() -> None:
    text = (UI / "main.js").read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


def test_pages_are_found_in_a_checkout_and_in_a_wheel(tmp_path: Path) -> None:
    assert FOLDERS[1] == UI
    assert set(read_pages()) >= {"/", "/index.html", "/brain.css", "/main.js"}
    inside = tmp_path / "ui"
    inside.mkdir()
    (inside / "index.html").write_text("x", "utf-8")
    assert set(read_pages((tmp_path / "missing", inside))) == {"/", "/index.html"}
    with pytest.raises(FileNotFoundError):
        read_pages((tmp_path,))
