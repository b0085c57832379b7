"""Which format a source is in, by what is in it and not by what it is called; and how it is read.

1. A file: hippo's own export begins with its format; a database begins with SQLite's signature; of JSON, the first
   objects tell; a file named as a note is one.
2. A zip archive or a folder: an export where it has the files of one, else in a folder the database, else notes. Notes
   are basic-memory's where one of the first has its fields (a `type`, and a `permalink` or an observation or relation).
3. What is none of these is an error that lists what is understood. Only the beginning of a source is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from hippo.errors import InvalidArgument, SourceUnreadable, UnknownFormat
from hippo.interfaces.arguments import mend
from hippo.interfaces.imports import basic_memory, chatgpt, claude, markdown, mcp_memory, mcp_memory_service
from hippo.interfaces.imports.bundle import ARCHIVE, Bundle
from hippo.interfaces.imports.chats import CONVERSATIONS
from hippo.interfaces.imports.elements import Broken, elements
from hippo.interfaces.imports.notes import Note, notes
from hippo.interfaces.imports.rows import Row
from hippo.interfaces.imports.sources import SUFFIXES, open_source, shown

OWN = "hippo"

READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    mcp_memory.NAME: mcp_memory.read, mcp_memory_service.NAME: mcp_memory_service.read,
    basic_memory.NAME: basic_memory.read, chatgpt.NAME: chatgpt.read, claude.NAME: claude.read,
    markdown.NAME: markdown.read,
}
"""How each format but hippo's own is read."""

UNDERSTOOD = {
    OWN: "an export of hippo (JSON)",
    mcp_memory.NAME: "the file of the MCP server `memory` (JSON lines)",
    mcp_memory_service.NAME: "the database of mcp-memory-service (SQLite)",
    basic_memory.NAME: "a folder of basic-memory notes",
    chatgpt.NAME: "a data export of ChatGPT (zip, folder or conversations.json)",
    claude.NAME: "a data export of Claude (zip, folder or conversations.json)",
    markdown.NAME: "a note or a folder of notes (Markdown or text)",
}
"""The formats in words."""

_OWN_HEAD = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"hippo"')
_head_bytes = 4_096
_objects_max = 10  # looked at: the first may be damaged
_notes_max = 200  # looked at for what basic-memory writes
_MARKS_16 = (b"\xff\xfe", b"\xfe\xff")


def detect(source: Path) -> str:
    """The format of a source.

    Args:
        source: a file or a folder.
    Returns:
        A name of `UNDERSTOOD`.
    Raises:
        UnknownFormat: it is none. SourceUnreadable: it cannot be read.
    """
    return _of_folder(source) if os.path.isdir(source) else _of_file(source)


def read(source: Path, form: str | None = None) -> Iterator[Row]:
    """The rows of a source.

    Args:
        source: a file or a folder. form: its format, a name of `READERS`; detected where it is None.
    Raises:
        UnknownFormat, SourceUnreadable: as `detect`.
    """
    form = form or detect(source)
    if form not in READERS:
        raise InvalidArgument(what=f"The format is one of {', '.join(READERS)}, not {form}.")
    return READERS[form](source)


def _of_file(source: Path) -> str:
    with open_source(source) as stream:
        head = stream.read(_head_bytes)
    if not head.strip():
        _refuse(source, "it is empty")
    if head.startswith(mcp_memory_service.SIGNATURE):
        if mcp_memory_service.is_one(source):
            return mcp_memory_service.NAME
        _refuse(source, "the database has no table of memories")
    if head.startswith(ARCHIVE):
        return _of_bundle(source) or _refuse(source, "the archive holds no conversations, memories or projects")
    if _OWN_HEAD.match(head):
        return OWN
    if source.name.lower().endswith(SUFFIXES):
        return _of_notes(source) or markdown.NAME
    if head.startswith(_MARKS_16):
        _refuse(source, "it is UTF-16, where JSON is UTF-8")
    with Bundle(source) as bundle:
        form = _of_objects(bundle, bundle.names[0])
    return form or _refuse(source, "none of its first objects is one that is known")


def _of_folder(source: Path) -> str:
    database = source / mcp_memory_service.FILE
    if os.path.isfile(database) and mcp_memory_service.is_one(database):
        return mcp_memory_service.NAME
    return _of_bundle(source) or _of_notes(source) or _refuse(source, "the folder holds no notes and no export")


def _of_bundle(source: Path) -> str | None:
    with Bundle(source) as bundle:
        told = [name for kind in (CONVERSATIONS, claude.MEMORIES, claude.PROJECTS)
                for name in bundle.names if kind.fullmatch(name)]
        return next((form for name in told if (form := _of_objects(bundle, name)) is not None), None)


def _of_objects(bundle: Bundle, name: str) -> str | None:
    try:
        with bundle.open(name) as stream:
            found = islice(elements(stream), _objects_max)
            return next((form for one in found if (form := _of_object(one)) is not None), None)
    except SourceUnreadable:
        return None


def _of_object(raw: bytes | Broken) -> str | None:
    try:
        one = {} if isinstance(raw, Broken) else msgspec.json.decode(mend(raw)[0], type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return None
    if "mapping" in one:
        return chatgpt.NAME
    if "chat_messages" in one or "conversations_memory" in one or {"uuid", "name", "docs"} <= set(one):
        return claude.NAME
    return mcp_memory.NAME if _type_of(one) in ("entity", "relation") else None


def _type_of(one: dict[str, msgspec.Raw]) -> Any:
    try:
        return msgspec.json.decode(one.get("type", b"null"))
    except (msgspec.DecodeError, RecursionError):
        return None


def _of_notes(source: Path) -> str | None:
    first = list(islice(notes(source), _notes_max))
    if any(isinstance(note, Note) and _is_basic_memory(note) for note in first):
        return basic_memory.NAME
    return markdown.NAME if first else None


def _is_basic_memory(note: Note) -> bool:
    if "type" not in note.fields:
        return False
    return "permalink" in note.fields or any(
        basic_memory.observation(passage) or basic_memory.relation(passage) for passage in note.passages(nested=True))


def _refuse(source: Path, why: str) -> NoReturn:
    raise UnknownFormat(source=shown(source) or ".", why=why, understood="; ".join(UNDERSTOOD.values()))
