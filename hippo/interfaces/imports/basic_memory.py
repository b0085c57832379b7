"""The notes of basic-memory: Markdown with observations and relations in it, as its note format says.

1. A note is an entity: its title is the name, its type the entity's. `- [category] observation #tag (context)` is one
   memory whose kind is the category.
2. `- relation_type [[Target]] (context)`, with quotes around a type that has spaces, relates two entities; any other
   `[[Target]]` is `links_to`, as basic-memory has it. What a context adds is kept: as a memory of the whole line.
3. What is neither is prose: a memory of kind `fact`. Tasks, `- [ ]` and the like, are prose too, and so are categories
   that are times, which transcripts have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hippo.interfaces.imports.notes import Note, link_target, links_in, notes
from hippo.interfaces.imports.passages import Passage
from hippo.interfaces.imports.rows import BadRow, RelationRow, Row, key_of, memory_rows, or_skipped
from hippo.model.verb import Remember

NAME = "basic-memory"

_OBSERVATION = re.compile(r"\[(?P<category>[^\[\]()\n]{2,50}|[^\W_xX])\]\s+(?P<text>\S.*)", re.DOTALL)
_TIME = re.compile(r"[\d:.,\s-]*\d:\d\d[\d:.,\s-]*")
_RELATION = re.compile(
    r"""(?:"(?P<double>[^"\n]+)"|'(?P<single>[^'\n]+)'|(?P<bare>[^\s\[\]"']\S{0,99}))\s*"""
    r"""\[\[(?P<target>[^\[\]\n]{1,300})\]\]\s*(?P<context>\(.*\))?""")
_CONVENTIONAL = ("observations", "relations")


class Relation(NamedTuple):
    """What an item says that relates the note to another."""

    name: str
    target: str
    context: str | None


def read(source: Path) -> Iterator[Row]:
    """The rows of a project of basic-memory.

    Args:
        source: its folder, or one note.
    """
    for note in notes(source):
        yield from (note,) if isinstance(note, BadRow) else or_skipped(_of_note(note), note.name)


def observation(passage: Passage) -> tuple[str, str] | None:
    """The category and the text of an item that is an observation."""
    match = _OBSERVATION.fullmatch(passage.text) if passage.is_item else None
    if match is None or _TIME.fullmatch(match["category"]):
        return None
    return match["category"].strip(), match["text"]


def relation(passage: Passage) -> Relation | None:
    """What an item says, where it is a relation and nothing else."""
    match = _RELATION.fullmatch(passage.text) if passage.is_item else None
    if match is None or not (target := link_target(match["target"], slashes=True)):
        return None
    return Relation(match["double"] or match["single"] or match["bare"], target, match["context"])


def _of_note(note: Note) -> Iterator[Row]:
    related: set[tuple[str, str]] = set()
    for passage in note.passages(nested=True):
        explicit = relation(passage)
        found = [(explicit.name, explicit.target)] if explicit else [
            ("links_to", target) for target in links_in(passage.text, slashes=True)]
        if explicit.context if explicit else not _is_link(passage):
            yield from _memory(note, passage)
        for name, target in found:
            if (name, target) not in related:
                related.add((name, target))
                yield RelationRow(note.where(passage), note.title, name, target)


def _memory(note: Note, passage: Passage) -> Iterator[Row]:
    kind, text = observation(passage) or ("fact", passage.text)
    return memory_rows(note.where(passage), Remember(
        text=text, kind=kind, entity=note.title, entity_type=note.kind,
        tags=note.labels(passage, besides=_CONVENTIONAL), source=NAME, conversation=key_of(NAME, note.name),
        created_at=note.created_at, key=key_of(NAME, note.name, kind, text)))


def _is_link(passage: Passage) -> bool:
    return passage.is_item and passage.text.startswith("[[") and passage.text.endswith("]]")
