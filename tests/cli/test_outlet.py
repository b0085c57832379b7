"""Where an export goes."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from hippo.cli.outlet import outlet
from hippo.errors import InTheWay, InvalidArgument, Unwritable
from tests.cli.scripted import Terminal


def written(output: str | None, *pieces: bytes, name: str = "hippo-default.md", archive: bool = False, force: bool = False) -> Path | None:
    with outlet(output, archive=archive, force=force) as out:
        for piece in pieces:
            out.write(piece)
        return out.finish(name)


def fails(output: str, piece: bytes, *, archive: bool = False, force: bool = False) -> None:
    """What makes the export fails after its first piece."""
    def export() -> None:
        with outlet(output, archive=archive, force=force) as out:
            out.write(piece)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        export()


def zipped(**notes: str) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, text in notes.items():
            archive.writestr(ZipInfo(name.replace("__", "/") + ".md"), text)  # of no moment: test runners agree on ids
    return packed.getvalue()


def tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.is_file()}


def test_without_a_place_it_is_a_file_of_its_own_name_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert written(None, b"one ", b"two") == tmp_path / "hippo-default.md"
    assert tree(tmp_path) == {"hippo-default.md": "one two"}


def test_a_file_a_folder_and_a_link_are_what_they_say(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "link.md").symlink_to("real.md")
    assert written(str(tmp_path / "mine.txt"), b"a") == tmp_path / "mine.txt"
    assert written(str(tmp_path / "below"), b"b") == tmp_path / "below" / "hippo-default.md"
    assert written(str(tmp_path / "link.md"), b"c") == tmp_path / "real.md"
    assert tree(tmp_path) == {"mine.txt": "a", "below/hippo-default.md": "b", "real.md": "c", "link.md": "c"}
    assert (tmp_path / "link.md").is_symlink()


def test_only_its_owner_can_read_it_and_what_is_replaced_keeps_its_mode(tmp_path):
    place = tmp_path / "mine.md"
    written(str(place), b"a")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    place.chmod(0o644)
    written(str(place), b"b", force=True)
    assert (place.read_bytes(), stat.S_IMODE(place.stat().st_mode)) == (b"b", 0o644)


def test_nothing_is_overwritten_unless_it_is_said(tmp_path):
    place = tmp_path / "mine.md"
    place.write_text("old")
    with pytest.raises(InTheWay) as refused:
        written(str(place), b"new")
    assert refused.value.message == f"{place} is there already."
    assert "--force" in refused.value.advice
    assert tree(tmp_path) == {"mine.md": "old"}
    written(str(place), b"new", force=True)
    assert tree(tmp_path) == {"mine.md": "new"}


def test_what_came_in_between_is_not_overwritten_either(tmp_path):
    with outlet(str(tmp_path / "mine.md"), archive=False, force=False) as out:
        out.write(b"new")
        (tmp_path / "mine.md").write_text("theirs")
        with pytest.raises(InTheWay):
            out.finish("")
    assert tree(tmp_path) == {"mine.md": "theirs"}


def test_what_was_there_stays_where_the_export_fails(tmp_path):
    (tmp_path / "mine.md").write_text("old")
    fails(str(tmp_path / "mine.md"), b"ne", force=True)
    assert tree(tmp_path) == {"mine.md": "old"}


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_file_is_never_replaced(tmp_path, force):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InTheWay, match="is no file"):
        written(str(tmp_path / "pipe"), b"x", force=force)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("output", ["none/mine.md", "none/", "file/mine.md"])
@pytest.mark.parametrize("archive", [False, True])
def test_where_it_cannot_be_written_is_named(tmp_path, output, archive):
    (tmp_path / "file").touch()
    with pytest.raises(Unwritable, match=str(tmp_path)):
        written(str(tmp_path) + "/" + ("none/" if archive else "") + output, zipped(a="a") if archive else b"x", archive=archive)
    assert tree(tmp_path) == {"file": ""}


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match="No space left"):
        written(str(tmp_path / "mine.md"), b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "kept"), [
    ("../../etc/passwd", "_.._etc_passwd"), ("/root/x.md", "_root_x.md"), (".bashrc", "bashrc"), ("", "hippo-export"),
    ("..", "hippo-export"), ("größe ☕.md", "größe ☕.md"), ("a\nb\x1b.md", "a_b_.md"), ("C:\\x", "C__x")])
def test_the_name_that_a_daemon_proposes_stays_in_this_folder(tmp_path, monkeypatch, name, kept):
    monkeypatch.chdir(tmp_path)
    assert written(None, b"x", name=name) == tmp_path / kept


# -- stdout -------------------------------------------------------------------------------------------------------------


def test_stdout_gets_the_very_bytes(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", stream)
    assert written("-", "☕\n\x1b[2J".encode(), b"\xff") is None
    assert stream.buffer.getvalue() == "☕\n\x1b[2J".encode() + b"\xff"


def test_a_terminal_gets_text_that_cannot_steer_it_whatever_the_pieces(monkeypatch):
    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    raw = "a ☕\n\x1b[2J \u202e".encode()
    written("-", *(raw[at:at + 1] for at in range(len(raw))))
    assert shown.getvalue() == "a ☕\n\\x1b[2J \\u202e"


def test_an_archive_is_not_shown_on_a_terminal_but_can_be_piped(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    with pytest.raises(InvalidArgument):
        written("-", b"PK", archive=True)
    stream = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stream)
    written("-", b"PK", archive=True)
    assert stream.buffer.getvalue() == b"PK"


# -- vaults -------------------------------------------------------------------------------------------------------------


def test_a_vault_is_an_archive_where_its_name_says_so_or_has_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raw = zipped(Index="all")
    assert written(str(tmp_path / "mine.ZIP"), raw, archive=True) == tmp_path / "mine.ZIP"
    assert written(None, raw, name="hippo-default.zip", archive=True) == tmp_path / "hippo-default.zip"
    assert (tmp_path / "mine.ZIP").read_bytes() == (tmp_path / "hippo-default.zip").read_bytes() == raw


@pytest.mark.parametrize("made", [False, True])
def test_else_it_is_a_folder_new_or_empty(tmp_path, made):
    if made:
        (tmp_path / "vault").mkdir()
    notes = {"Index": "all", "Entities__Größe ☕": "about", "Days__2026-01-02": "then"}
    assert written(str(tmp_path / "vault"), zipped(**notes), archive=True) == tmp_path / "vault"
    assert tree(tmp_path / "vault") == {name.replace("__", "/") + ".md": text for name, text in notes.items()}
    assert list(tmp_path.iterdir()) == [tmp_path / "vault"]


def test_a_folder_with_other_files_keeps_them_and_needs_a_word(tmp_path):
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "app.json").write_text("{}")
    (vault / "Index.md").write_text("old")
    with pytest.raises(InTheWay, match="not empty"):
        written(str(vault), zipped(Index="new", Days__a="a"), archive=True)
    assert tree(vault) == {".obsidian/app.json": "{}", "Index.md": "old"}
    written(str(vault), zipped(Index="new", Days__a="a"), archive=True, force=True)
    assert tree(vault) == {".obsidian/app.json": "{}", "Days/a.md": "a", "Index.md": "new"}


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "vault").write_text("mine")
    with pytest.raises(InTheWay, match="no folder"):
        written(str(tmp_path / "vault"), zipped(Index="new"), archive=True, force=True)
    assert tree(tmp_path) == {"vault": "mine"}


@pytest.mark.parametrize("raw", [b"no archive", zipped(Index="x")[:-30], b"", zipped(Index="x", **{"..__..__x": "y"}), zipped(**{"__etc": "y"}),
                                 zipped(**{"a\\..\\b": "y"}), zipped(**{"C:x": "y"})])
@pytest.mark.parametrize("made", [False, True])
def test_what_is_no_vault_changes_nothing(tmp_path, raw, made):
    if made:
        (tmp_path / "vault").mkdir()
    with pytest.raises(Unwritable):
        written(str(tmp_path / "vault"), raw, archive=True)
    assert [path for path in tmp_path.rglob("*") if path != tmp_path / "vault"] == []
    assert (tmp_path / "vault").exists() == made


def test_a_vault_that_is_cut_short_leaves_the_folder_as_it_was(tmp_path):
    fails(str(tmp_path / "vault"), zipped(Index="x")[:20], archive=True)
    assert list(tmp_path.iterdir()) == []
