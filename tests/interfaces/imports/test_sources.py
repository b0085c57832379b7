"""Folders of notes as they are found: links, loops, pipes, and files that are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.imports.sources import notes_in, notes_of, open_source, read_note


def test_notes_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b/2.md", "b/10.md", "a.TXT", "c.markdown", "b/deep/er/x.md", "picture.png", ".obsidian/app.md", ".h.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    assert [found.name for found in notes_in(tmp_path)] == ["a.TXT", "c.markdown", "b/10.md", "b/2.md", "b/deep/er/x.md"]
    assert [found.name for found in notes_of(tmp_path / "a.TXT")] == ["a.TXT"]


def test_links_are_named_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", "utf-8")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "outside.md").symlink_to("/etc/hostname")
    (tmp_path / "nowhere.png").symlink_to("missing")
    assert [(found.name, found.trouble) for found in notes_in(tmp_path)] == [
        ("a.md", None),
        ("loop", "it is a symbolic link, which is not followed"),
        ("outside.md", "it is a symbolic link, which is not followed")]


def test_a_folder_that_may_not_be_read_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "z.md").write_text("x", "utf-8")
    scandir = os.scandir

    def refusing(place: Path) -> object:
        if Path(place).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refusing)
    assert [(found.name, found.trouble) for found in notes_in(tmp_path)] == [
        ("z.md", None), ("closed", "Permission denied")]


def test_a_folder_as_deep_as_paths_go_is_walked(tmp_path: Path) -> None:
    place = tmp_path
    for _ in range(300):
        place = place / "d"
    place.mkdir(parents=True)
    (place / "a.md").write_text("x", "utf-8")
    assert len(list(notes_in(tmp_path))) == 1


def test_a_pipe_or_a_folder_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    for path in (tmp_path / "pipe.md", tmp_path, Path("/dev/null")):
        with pytest.raises(SourceUnreadable, match="no regular file"):
            open_source(path)
    with pytest.raises(SourceUnreadable, match=r"missing\.md cannot be read: No such file or directory\."):
        open_source(tmp_path / "missing.md")
    with pytest.raises(SourceUnreadable, match="null"):
        open_source(Path("a\x00b"))


@pytest.mark.parametrize(("raw", "text"), [
    (b"plain", "plain"),
    (b"\xef\xbb\xbfmarked", "marked"),
    ("東京".encode("utf-16"), "東京"),
    (b"\xfe\xff" + "東京".encode("utf-16-be"), "東京"),
])
def test_a_note_says_in_its_first_bytes_how_it_is_written(raw: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(raw)
    assert read_note(tmp_path / "a.md")[0] == text


@pytest.mark.parametrize(("raw", "why"), [
    ("Zürich".encode("latin-1"), "not UTF-8 text: invalid start byte at byte 1"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8 text"),
    (b"MZ\x00\x00", "U\\+0000"),
    (b"\xff\xfea", "not UTF-16 text: truncated data"),
])
def test_what_is_no_text_is_named(raw: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(raw)
    with pytest.raises(SourceUnreadable, match=why):
        read_note(tmp_path / "a.md")


def test_a_note_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_note_bytes_max", 10)
    (tmp_path / "a.md").write_text("x" * 10, "utf-8")
    (tmp_path / "b.md").write_text("x" * 11, "utf-8")
    assert read_note(tmp_path / "a.md")[0] == "x" * 10
    with pytest.raises(SourceUnreadable, match="larger than 10 bytes"):
        read_note(tmp_path / "b.md")


def test_a_name_that_is_no_text_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.md")).write_text("x", "utf-8")
    assert [found.name for found in notes_in(tmp_path)] == ["\ufffd.md"]
