"""A note: its title, time, tags and links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippo.interfaces.imports.notes import Note, link_target, links_in, notes, tags_in
from hippo.interfaces.imports.rows import BadRow

WRITTEN = 1_700_000_000  # when the files of these tests were written, seconds


def note(folder: Path, name: str, text: str) -> Note | BadRow:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (WRITTEN, WRITTEN))
    return next(found for found in notes(folder) if name in (getattr(found, "name", ""), getattr(found, "where", "")))


def good(folder: Path, name: str, text: str) -> Note:
    found = note(folder, name, text)
    assert isinstance(found, Note), found
    return found


def test_the_title_is_what_links_name(tmp_path: Path) -> None:
    assert good(tmp_path, "Night trains.md", "x").title == "Night trains"
    assert good(tmp_path, "a.md", "---\ntitle: '東京: the city'\n---\nx").title == "東京: the city"


def test_a_name_that_every_folder_may_have_says_nothing(tmp_path: Path) -> None:
    assert good(tmp_path, "garden/README.md", "# The garden\nx").title == "The garden"
    assert good(tmp_path, "garden/CLAUDE.md", "# CLAUDE.md\nx").title == "garden"
    assert good(tmp_path, "CLAUDE.md", "x").title == tmp_path.name
    assert good(tmp_path, "garden/index.md", "---\ntitle: Index\n---\nx").title == "Index"


@pytest.mark.parametrize(("name", "text", "meant"), [
    ("a.md", "x", WRITTEN * 1000),
    ("a.md", "---\ncreated: 2024-02-29T10:00:00+01:00\n---\nx", 1709197200000),
    ("a.md", "---\ndate: 2024-02-29\n---\nx", 1709164800000),
    ("a.md", "---\ncreated:\n---\nx", WRITTEN * 1000),
    ("2024-02-29.md", "x", 1709164800000),
    ("2024-02-29.md", "---\ncreated: 2024-03-01\n---\nx", 1709251200000),
    ("2024-02-29 Walk.md", "x", WRITTEN * 1000),
])
def test_the_time_is_of_the_field_else_the_name_else_the_file(name: str, text: str, meant: int, tmp_path: Path) -> None:
    assert good(tmp_path, name, text).created_at == meant


@pytest.mark.parametrize(("name", "text"), [
    ("a.md", "---\ncreated: 2023-02-29\n---\nx"), ("a.md", "---\ndate: '{{date}}'\n---\nx"), ("2023-02-29.md", "x")])
def test_a_time_that_means_none_is_named(name: str, text: str, tmp_path: Path) -> None:
    found = note(tmp_path, name, text)
    assert isinstance(found, BadRow)
    assert found.where == name
    assert "is not an instant in time" in found.why


def test_labels_are_tags_in_the_fields_in_the_text_and_headings_as_far_as_they_fit(tmp_path: Path) -> None:
    text = f"---\ntags: [garden, '#rose', {'x' * 101}]\n---\n# a\n## Care\nPrune #rose and #春/早 in `#code` #2024."
    found = good(tmp_path, "a.md", text)
    assert found.labels(next(found.passages())) == ["garden", "rose", "春/早", "Care"]
    many = good(tmp_path, "b.md", "# Top\n" + " ".join(f"#t{n}" for n in range(60)))
    assert many.labels(next(many.passages())) == [f"t{n}" for n in range(50)]


def test_links_name_titles() -> None:
    text = ("See [[Roses|the roses]], [[garden/Herbs#Mint]], [[Roses]], ![[picture.png]], [walls](../walls/South%20wall.md), "
            "[web](https://example.com/x.md), [readme](README.md), `[[code]]` and [[]].")
    assert links_in(text) == ["Roses", "Herbs", "South wall"]


def test_a_title_may_hold_a_slash_where_it_says_so() -> None:
    assert link_target("TCP/IP", slashes=True) == "TCP/IP"
    assert link_target("main/garden/herb-beds", slashes=True) == "herb-beds"
    assert link_target("Folder/Note") == "Note"


def test_tags_are_words() -> None:
    assert tags_in("#a #b-c/d (#e) x#no # no #1 #1st a.#no") == ["a", "b-c/d", "e", "1st"]


def test_a_type_that_is_no_type_is_left_out(tmp_path: Path) -> None:
    assert good(tmp_path, "a.md", "---\ntype: person\n---\nx").kind == "person"
    assert good(tmp_path, "a.md", f"---\ntype: {'x' * 51}\n---\nx").kind is None
