"""A vault of notes that link to each other, for Obsidian and what reads such a folder. Pure.

1. One note for each entity, with its relations and its memories; one for each day, with the memories that have no
   entity; one for each block; and `Index.md`, which links to them all.
2. A memory that names an entity links to it. Each memory can be linked to by its id: `[[Entities/Anna#^0123ABCD]]`.
3. Links name the whole path, so that a day and an entity of one name are two.
4. Only what holds now is in the vault; what does not, and the conversation log, are in the complete export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hippo.interfaces.exports.arrangement import Entity, about, by_day, by_entity, nothing
from hippo.interfaces.exports.file_names import file_names
from hippo.interfaces.exports.marks import blocks, bullet, heading, line
from hippo.model.dump import AgentDump, MemoryDump
from hippo.text.entities import Mentions, fold_name

_INDEX = "Index.md"
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP archive knows
_ZIP_MODE = 0o100644 << 16
_ZIP_UNIX = 3
_UNTAGGABLE = re.compile(r"[\s\x00-\x2c.:-@\[-^`{-\x9f\u2000-\u206f\u2e00-\u2e7f]+")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # in YAML


def vault(dump: AgentDump) -> Iterator[tuple[str, str]]:
    """The notes: (path within the vault, with `/`, and text). No two paths are one file, wherever they are written."""
    entities, days = by_entity(dump), by_day(dump)
    links, names = _Links(entities), file_names(sorted(dump.blocks))
    yield _INDEX, _index(dump, [links.to(entity.name) for entity in entities], list(days), list(names.values()))
    for entity in entities:
        yield f"Entities/{links.files[entity.name]}.md", _entity_note(entity, links)
    for day, memories in days.items():
        yield f"Days/{day}.md", f"{_front({'date': day}, memories)}# {day}\n\n{_list(memories, links)}"
    for name, file_name in names.items():
        text = "\n\n".join(blocks(dump.blocks[name]))
        yield f"Blocks/{file_name}.md", f"{_front({'block': name})}{heading(1, name)}\n\n{text}\n"


def as_zip(files: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """Files as a ZIP archive, piece by piece: the same files give the same bytes, whenever and wherever.

    Args:
        files: (path, text), such as `vault` gives.
    """
    sink = _Sink()
    with ZipFile(sink, "w") as archive:  # type: ignore[call-overload]  # it asks for no more than a sink has
        for path, text in files:
            entry = ZipInfo(path, _ZIP_TIME)
            entry.compress_type, entry.create_system, entry.external_attr = ZIP_DEFLATED, _ZIP_UNIX, _ZIP_MODE
            archive.writestr(entry, text.encode())
            yield sink.taken()
    yield sink.taken()


class _Sink:
    """Takes what an archive writes until it is taken on; without `tell` and `seek`, nothing is written twice."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, piece: bytes) -> int:
        self._held += piece
        return len(piece)

    def flush(self) -> None:
        """Nothing waits here."""

    def taken(self) -> bytes:
        piece = bytes(self._held)
        self._held.clear()
        return piece


class _Links:
    """Where the note of each entity lies, and which entities a text names."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.files = file_names(entity.name for entity in entities)
        self._links = {fold_name(name): f"[[Entities/{file}|{file}]]" for name, file in self.files.items()}
        self._mentions = Mentions()
        for name in self.files:
            self._mentions.add(name)

    def to(self, name: str) -> str:
        return self._links[fold_name(name)]

    def within(self, memory: MemoryDump) -> list[str]:
        """Links to the entities that a memory names besides its own."""
        own = fold_name(memory.entity or "")
        return [self._links[name] for name in self._mentions.found_in(memory.text) if name != own]


def _index(dump: AgentDump, entities: list[str], days: list[str], names: list[str]) -> str:
    """The note that links to all others."""
    sections = {"Entities": entities, "Days": [f"[[Days/{day}|{day}]]" for day in days],
                "Blocks": [f"[[Blocks/{name}|{name}]]" for name in names]}
    told = [f"\n## {title}\n\n" + "".join(f"- {link}\n" for link in links)
            for title, links in sections.items() if links]
    return "# What hippo remembers\n" + ("".join(told) or f"\n{nothing(dump)}\n")


def _entity_note(entity: Entity, links: _Links) -> str:
    fields = {"entity": entity.name, "type": entity.type}
    relations = "".join(f"- {line(relation)} → {links.to(other)}\n" for relation, other in entity.relations)
    parts = (_front(fields, entity.memories) + heading(1, entity.name) + "\n",
             relations and f"## Relations\n\n{relations}",
             entity.memories and f"## Memories\n\n{_list(entity.memories, links)}")
    return "\n".join(part for part in parts if part)


def _list(memories: Iterable[MemoryDump], links: _Links) -> str:
    return "".join(f"{bullet(memory.text, about(memory, *links.within(memory)))} ^{memory.id}\n" for memory in memories)


def _front(fields: dict[str, str], memories: Iterable[MemoryDump] = ()) -> str:
    """The properties of a note, as YAML: the fields, and the kinds, tags and ids of its memories."""
    listed = {
        "aliases": [fields["entity"]] if "entity" in fields else [],
        "kinds": sorted({memory.kind for memory in memories}),
        "tags": sorted({tag for memory in memories for label in memory.tags if (tag := _tag(label))}),
        "ids": [memory.id for memory in memories],
    }
    rows = [f"{name}: {_quoted(value)}\n" for name, value in fields.items() if value]
    rows += [f"{name}:\n" + "".join(f"  - {_quoted(value)}\n" for value in values)
             for name, values in listed.items() if values]
    return f"---\n{''.join(rows)}---\n"


def _quoted(value: str) -> str:
    """A string of JSON is one of YAML, once what YAML does not print is escaped."""
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _tag(label: str) -> str:
    """A label as a tag: of letters, digits, `_`, `-` and `/`, not of digits alone; empty where nothing is left."""
    tag = re.sub("/+", "/", _UNTAGGABLE.sub("-", label)).strip("-/")
    return f"_{tag}" if tag.isdigit() else tag
