"""A Markdown note, read whole: its title, tags, time and passages, and what it links to.

1. The title is what links name: the field `title`, else the file's name. A name that every folder may have (README,
   CLAUDE, …) says nothing: then it is the first heading, or if that says no more, the folder's name.
2. The time is that of the field `created` or `date`, else the day that names the file, else when the file was written.
3. A link is `[[Target]]`, `[[Target#Heading|shown as]]`, `[[folder/Target]]` or `[shown as](folder/Target.md)`; an
   embedded file is none, and none is to a name that says nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from hippo import limits
from hippo.errors import HippoError
from hippo.interfaces.imports.frontmatter import Field, listed, read_front, single
from hippo.interfaces.imports.moments import moment
from hippo.interfaces.imports.passages import Passage, passages
from hippo.interfaces.imports.rows import BadRow
from hippo.interfaces.imports.sources import Found, notes_of, read_note

_EVERYWHERE = ("readme", "claude", "agents", "gemini", "memory", "index", "notes")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINK = re.compile(r"(?<!!)\[\[([^\[\]\n]{1,300})\]\]")
_FILE_LINK = re.compile(
    r"(?<!!)\[[^\[\]\n]{0,300}\]\((?![a-z]{1,20}:)([^()\s#]{1,300})\.md(?:#[^()\s]{0,300})?\)", re.IGNORECASE)
_TAG = re.compile(r"(?:^|(?<=[\s(]))#([\w/-]+)")
_PERMALINK = re.compile(r"[^\sA-Z]+")
_CODE = re.compile(r"```.*?(?:```|$)|`[^`\n]{0,500}`", re.DOTALL)


class Note(NamedTuple):
    """One note. `name` is its path below what is imported, `created_at` UTC milliseconds, `line` that of the body."""

    name: str
    title: str
    kind: str | None
    tags: list[str]
    created_at: int
    fields: dict[str, Field]
    body: str
    line: int

    def passages(self, *, nested: bool = False) -> Iterator[Passage]:
        """What it says; `nested`: an item below another by itself."""
        return passages(self.body, line=self.line, nested=nested)

    def where(self, passage: Passage) -> str:
        """Where a passage stands, for people."""
        return f"{self.name}, line {passage.line}"

    def labels(self, passage: Passage, *, besides: tuple[str, ...] = ()) -> list[str]:
        """The tags of a memory made of a passage: the note's, those in it, its headings; as many as fit, and as fit.

        Args:
            passage: of this note. besides: headings that say nothing, in lower case.
        """
        above = [heading for heading in passage.headings if heading != self.title and heading.lower() not in besides]
        names = _once([*self.tags, *tags_in(passage.text), *reversed(above)])
        return [name for name in names if len(name) <= limits.tag_characters_max][:limits.tags_max]


def notes(source: Path) -> Iterator[Note | BadRow]:
    """The notes of a folder in the order of their names, or the one note that a source is.

    Args:
        source: a folder or a file.
    """
    for found in notes_of(source):
        try:
            yield BadRow(found.name, f"{found.trouble}.") if found.trouble else read(found, source)
        except HippoError as refused:
            yield BadRow(found.name, refused.message)


def read(found: Found, source: Path) -> Note:
    """One note.

    Args:
        found: in the source. source: what is imported: a folder, or the note itself.
    Raises:
        HippoError: it cannot be read, or its time means none.
    """
    text, written_at = read_note(found.path)
    front = read_front(text)
    written = moment(single(front.fields.get("created")) or single(front.fields.get("date")))
    stem = PurePosixPath(found.name).stem
    if written is None and _DAY.fullmatch(stem):
        written = moment(stem)
    if written is None:
        written = written_at
    title = single(front.fields.get("title"))
    if title is None:
        title = stem if _tells(stem) else _heading(front.body) or _folder(found, source) or stem
    kind = single(front.fields.get("type"))
    if kind is not None and len(kind) > limits.entity_type_characters_max:
        kind = None
    return Note(name=found.name, title=title, kind=kind,
                tags=_once([tag.lstrip("#") for tag in listed(front.fields.get("tags"))]), created_at=written,
                fields=front.fields, body=front.body, line=front.line)


def links_in(text: str, *, slashes: bool = False) -> list[str]:
    """What a text links to, outside its code, each once; `slashes` as for `link_target`."""
    prose = _CODE.sub(" ", text)
    targets = [link_target(match[1], slashes=slashes) for match in _LINK.finditer(prose)]
    files = [link_target(unquote(match[1])) for match in _FILE_LINK.finditer(prose)]
    return _once([*targets, *(name for name in files if _tells(name))])


def link_target(link: str, *, slashes: bool = False) -> str:
    """The title that a link names, of a path its last part: entities are matched without case and hyphens.

    Args:
        link: what stands between the brackets.
        slashes: whether a title may hold one: then only what has neither capitals nor spaces is a path.
    """
    target = link.partition("|")[0].partition("#")[0].strip().removesuffix(".md")
    return target if slashes and not _PERMALINK.fullmatch(target) else target.rpartition("/")[2]


def tags_in(text: str) -> list[str]:
    """The tags written into a text, outside its code, each once; a number is none."""
    return _once([tag for tag in _TAG.findall(_CODE.sub(" ", text)) if not tag.isdigit()])


def _tells(title: str) -> bool:
    return title.lower().removesuffix(".md") not in _EVERYWHERE


def _heading(body: str) -> str | None:
    first = next(passages(body), None)
    return first.headings[0] if first is not None and first.headings and _tells(first.headings[0]) else None


def _folder(found: Found, source: Path) -> str:
    above = PurePosixPath(found.name).parent.name
    return above or (source if os.path.isdir(source) else source.absolute().parent).resolve().name


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))
