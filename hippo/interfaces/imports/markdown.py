"""Folders of Markdown and text: an Obsidian vault, CLAUDE.md, any notes.

1. Each paragraph, and each item of a list with what is indented below it, becomes one memory of kind `fact` about the
   entity that the note's title names, tagged with the note's tags, those written into it, and its headings.
2. The passages of a note share one conversation, so that one brings the next to mind.
3. A link to another note relates the two entities: `links_to`. A passage that is only links is no memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hippo.interfaces.imports.notes import Note, links_in, notes
from hippo.interfaces.imports.passages import Passage
from hippo.interfaces.imports.rows import BadRow, RelationRow, Row, key_of, memory_rows, or_skipped
from hippo.model.verb import Remember

NAME = "markdown"


def read(source: Path) -> Iterator[Row]:
    """The rows of a folder of notes, or of one note.

    Args:
        source: the folder or the file.
    """
    for note in notes(source):
        yield from (note,) if isinstance(note, BadRow) else or_skipped(_of_note(note), note.name)


def _of_note(note: Note) -> Iterator[Row]:
    linked: set[str] = set()
    for passage in note.passages():
        targets = links_in(passage.text)
        if not _is_link(passage, targets):
            yield from memory_rows(note.where(passage), Remember(
                text=passage.text, kind="fact", entity=note.title, entity_type=note.kind, tags=note.labels(passage),
                source=NAME, conversation=key_of(NAME, note.name), created_at=note.created_at,
                key=key_of(NAME, note.name, passage.text)))
        for target in targets:
            if target not in linked and target != note.title:
                linked.add(target)
                yield RelationRow(note.where(passage), note.title, "links_to", target)


def _is_link(passage: Passage, targets: list[str]) -> bool:
    return len(targets) == 1 and passage.text.startswith("[[") and passage.text.endswith("]]")
