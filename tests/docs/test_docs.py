"""The docs say what the code says."""

from __future__ import annotations

import re

import pytest

from hippo.settings import describe
from tests.docs.regenerate import DOCS, EVENTS, PAGES, ROOT


@pytest.mark.parametrize("page", PAGES)
def test_a_page_made_from_a_table_is_up_to_date(page):
    made = PAGES[page]()
    assert (DOCS / page).read_text("utf-8") == made, "run python -m tests.docs.regenerate"


def test_every_event_that_is_told_is_documented():
    told = set()
    for file in (ROOT / "hippo" / "actors").glob("*.py"):
        source = file.read_text("utf-8")
        told |= set(re.findall(r'(?:_tell|Announce|_announce)\(\s*"([\w.]+)"', source))
        told |= {"lagged"} if '"lagged"' in source else set()
    assert told == set(EVENTS)


def test_every_setting_that_a_page_names_is_one():
    known = {name for row in describe() for name in (row.variable, *row.other_names)}
    for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        assert set(re.findall(r"\bHIPPO_[A-Z_]+\b", page.read_text("utf-8"))) <= known, page.name


def test_links_of_the_readme_lead_somewhere():
    readme = (ROOT / "README.md").read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", readme):
        assert (ROOT / target).exists(), target


def test_the_readme_names_its_two_commands():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "bin/hippo serve" in readme
    assert "-m pytest" in readme
