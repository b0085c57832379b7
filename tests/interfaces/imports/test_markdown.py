"""Folders of Markdown and text as memories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippo.interfaces.imports.markdown import read
from hippo.interfaces.imports.rows import BadRow, MemoryRow, RelationRow, Row, SkippedRow


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "garden").mkdir()
    (tmp_path / "CLAUDE.md").write_text("# Rules\n\n- Use tabs\n- Never push to main\n", "utf-8")
    (tmp_path / "garden" / "Roses.md").write_text(
        "---\ntags: [plant]\ncreated: 2024-02-29\n---\n# Roses\n\nThey like the [[South wall]]. 薔薇 🌹\n\n"
        "## Care\n- Prune in March #spring\n- [[Herbs]]\n- see [[South wall]]\n", "utf-8")
    (tmp_path / "garden" / "log.txt").write_text("Rained.\n\nSun.", "utf-8")
    (tmp_path / "garden" / "rose.png").write_bytes(b"\x89PNG\x00")
    return tmp_path


def memories(rows: list[Row]) -> list[MemoryRow]:
    return [row for row in rows if isinstance(row, MemoryRow)]


def test_each_passage_is_a_memory_of_its_note(vault: Path) -> None:
    rows = list(read(vault))
    assert [(row.where, row.remember.text) for row in memories(rows)] == [
        ("CLAUDE.md, line 3", "Use tabs"),
        ("CLAUDE.md, line 4", "Never push to main"),
        ("garden/Roses.md, line 7", "They like the [[South wall]]. 薔薇 🌹"),
        ("garden/Roses.md, line 10", "Prune in March #spring"),
        ("garden/Roses.md, line 12", "see [[South wall]]"),
        ("garden/log.txt, line 1", "Rained."),
        ("garden/log.txt, line 3", "Sun.")]
    prune = memories(rows)[3].remember
    assert (prune.entity, prune.tags, prune.kind, prune.source) == (
        "Roses", ["plant", "spring", "Care"], "fact", "markdown")
    assert prune.created_at == 1709164800000
    assert memories(rows)[0].remember.entity == "Rules"


def test_links_relate_notes_once(vault: Path) -> None:
    assert [row for row in read(vault) if isinstance(row, RelationRow)] == [
        RelationRow("garden/Roses.md, line 7", "Roses", "links_to", "South wall"),
        RelationRow("garden/Roses.md, line 11", "Roses", "links_to", "Herbs")]


def test_the_passages_of_a_note_share_a_conversation(vault: Path) -> None:
    found: dict[str | None, set[str]] = {}
    for row in memories(list(read(vault))):
        found.setdefault(row.remember.conversation, set()).add(row.where.partition(",")[0])
    assert sorted(map(sorted, found.values())) == [["CLAUDE.md"], ["garden/Roses.md"], ["garden/log.txt"]]


def test_keys_stay_when_the_folder_moves_and_other_passages_change(vault: Path, tmp_path: Path) -> None:
    before = {row.remember.text: row.remember.key for row in memories(list(read(vault)))}
    (vault / "CLAUDE.md").write_text("A new line.\n\n- Use tabs\n", "utf-8")
    moved = vault.rename(tmp_path.with_name("elsewhere"))
    after = {row.remember.text: row.remember.key for row in memories(list(read(moved)))}
    assert after["Use tabs"] == before["Use tabs"]
    assert len(set(after.values())) == len(after)


def test_what_is_wrong_with_one_note_keeps_no_other_back(vault: Path) -> None:
    (vault / "binary.md").write_bytes(b"\x7fELF\x00\x01")
    (vault / "empty.md").write_bytes(b"")
    (vault / "latin.txt").write_bytes(b"Z\xfcrich")
    (vault / "loop").symlink_to(vault, target_is_directory=True)
    (vault / "undated.md").write_text("---\ncreated: 2024-13-01\n---\nx", "utf-8")
    os.mkfifo(vault / "pipe.md")
    rows = list(read(vault))
    assert len(memories(rows)) == 7
    assert [row.where for row in rows if isinstance(row, BadRow)] == [
        "binary.md", "latin.txt", "loop", "pipe.md", "undated.md"]
    assert [row for row in rows if isinstance(row, SkippedRow)] == [SkippedRow("empty.md", "It holds no text.")]


def test_one_note_is_a_source_too(vault: Path) -> None:
    assert [row.where for row in read(vault / "garden" / "log.txt")] == ["log.txt, line 1", "log.txt, line 3"]
