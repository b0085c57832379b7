"""The complete export: JSON that gives the same memories back. Pure.

1. `format` comes first, then the version. Each memory, association and message is a line of its own, so that two
   exports of one store can be compared line by line.
2. The same dump gives the same bytes: agents and blocks by name, everything else in its order; what has its default is
   left out; a float is written with the digits that give the very same float back.
3. Writing holds a piece at a time, never the whole.
4. What was written so is read line by line (`lines.py`), what is laid out otherwise as any JSON.
5. Reading is strict: a wrong type, an unknown field, an id that comes twice, what no memory, message, block or relation
   may be is refused by name, and nothing is read.
   What was written is read back equal, and written again byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from math import isfinite
from typing import Annotated, Any, BinaryIO, get_args

import msgspec

from hippo import limits
from hippo.errors import ExportDamaged, ExportTooNew, NotAnExport
from hippo.interfaces.exports.lines import read_lines
from hippo.model.dump import VERSION, AgentDump, Dump, EntityName, Id, Instant, MemoryDump, Text

_defaults = {field.name: field.default for field in msgspec.structs.fields(MemoryDump)}
_floats = frozenset({"salience", "intensity", "stability"})
_json = msgspec.json.Encoder().encode
_rows = {  # how a row of each section is called
    "memories": "memory", "associations": "association", "blocks": "block", "relations": "relation",
    "messages": "message",
}
_kinds = {field.name: get_args(field.type)[-1] for field in msgspec.structs.fields(AgentDump)}


def _name(characters_max: int, characters_min: int = 0) -> msgspec.Meta:
    return msgspec.Meta(min_length=characters_min, max_length=characters_max, pattern=r"\A[^\x1f]*\Z")


class _Message(msgspec.Struct):
    """A message as one may be."""

    id: Id
    role: Annotated[str, _name(limits.kind_characters_max, 1)]
    text: Text
    created_at: Instant
    conversation: Annotated[str, _name(limits.conversation_characters_max)] | None = None
    key: Annotated[str, _name(limits.key_characters_max)] | None = None
    part_of: Annotated[str, _name(limits.scope_characters_max)] | None = None


_Block = tuple[Annotated[str, _name(limits.block_key_characters_max, 1)],
               Annotated[str, msgspec.Meta(max_length=limits.block_characters_max)]]
_Relation = tuple[EntityName, Annotated[str, _name(limits.relation_characters_max, 1)], EntityName]


class _Head(msgspec.Struct):
    format: Any = None
    version: Any = None


class _RawAgent(msgspec.Struct):
    memories: list[msgspec.Raw] = []
    associations: list[msgspec.Raw] = []
    blocks: dict[str, msgspec.Raw] = {}
    relations: list[msgspec.Raw] = []
    messages: list[msgspec.Raw] = []


class _Raw(msgspec.Struct):
    agents: dict[str, _RawAgent]


class _Named(msgspec.Struct):
    id: str


def encode(dump: Dump) -> Iterator[bytes]:
    """A dump as JSON, in pieces of some `limits.send_piece_bytes`.

    Args:
        dump: Of a whole store or of one agent. It must not change before the last piece is taken.
    """
    piece = bytearray()
    for line in _lines(dump):
        piece += line
        if len(piece) >= limits.send_piece_bytes:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


def decode(source: BinaryIO | bytes) -> Dump:
    """What an export holds.

    Args:
        source: The whole export, or an open file of it.

    Raises:
        NotAnExport: it is not JSON, or not ours. ExportTooNew: a later release wrote it. ExportDamaged: something in it
            is wrong, which is named by its agent, its position and its id.
    """
    stream = BytesIO(source) if isinstance(source, bytes) else source
    dump = read_lines(stream)
    if dump is None:
        stream.seek(0)
        dump = _whole(stream.read())
    for name, agent in dump.agents.items():
        _check_rows(name, agent)
    _refuse_repeats(dump)
    return dump


def _whole(content: bytes) -> Dump:
    """A dump, however it is laid out."""
    _check_head(content)
    try:
        return msgspec.json.decode(content, type=Dump)
    except msgspec.ValidationError as wrong:
        raise ExportDamaged(why=_place(content) or str(wrong)) from wrong
    except msgspec.DecodeError as wrong:
        raise NotAnExport(why=f"it is not JSON ({wrong})") from wrong


def _lines(dump: Dump) -> Iterator[bytes]:
    yield (b'{"format":"hippo","version":%d,"seed":%d,"next_ordinal":%d,"agents":{'
           % (dump.version, dump.seed, dump.next_ordinal))
    separator = b"\n"
    for name in sorted(dump.agents):
        agent = dump.agents[name]
        yield separator + _json(name) + b':{"memories":['
        yield from _separated(_json(_lean(memory)) for memory in agent.memories)
        yield b'],\n"associations":['
        yield from _separated(_json((one, other, _exact(weight), set_at))
                              for one, other, weight, set_at in agent.associations)
        yield b'],\n"blocks":{'
        yield from _separated(_json(block) + b":" + _json(agent.blocks[block]) for block in sorted(agent.blocks))
        yield b'},\n"relations":['
        yield from _separated(map(_json, agent.relations))
        yield b'],\n"messages":['
        yield from _separated(map(_json, agent.messages))
        yield b"]}"
        separator = b",\n"
    yield b"}}\n"


def _separated(rows: Iterable[bytes]) -> Iterator[bytes]:
    separator = b"\n"
    for row in rows:
        yield separator + row
        separator = b",\n"


def _lean(memory: MemoryDump) -> dict[str, Any]:
    """What differs from the defaults by its value: msgspec would keep an equal default that is another object."""
    row = {name: value for name, default in _defaults.items() if (value := getattr(memory, name)) != default}
    for name in _floats & row.keys():
        row[name] = _exact(row[name])
    return row


def _exact(number: float) -> float:
    """A float also where a whole number was given; JSON knows no infinity, and `null` could not be read back."""
    assert isfinite(number)
    return float(number)


def _check_head(content: bytes) -> None:
    """Whose it is, and of which version: asked first, since a later version may have what this release refuses."""
    try:
        head = msgspec.json.decode(content, type=_Head)
    except msgspec.ValidationError as wrong:
        raise NotAnExport(why="it is JSON, but no object") from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise NotAnExport(why=f"it is not JSON ({wrong})") from wrong
    if head.format != "hippo":
        raise NotAnExport(why='its "format" is not "hippo"')
    if type(head.version) is not int or head.version < 1:
        raise ExportDamaged(why="its `version` is not a whole number from 1 on")
    if head.version > VERSION:
        raise ExportTooNew(found=head.version, known=VERSION)


def _place(content: bytes) -> str:
    """Which row is wrong, and why; empty where none is, so that it must be something around them."""
    try:
        agents = msgspec.json.decode(content, type=_Raw).agents
    except msgspec.DecodeError:
        return ""
    for agent, sections in agents.items():
        for section, called in _rows.items():
            held = getattr(sections, section)
            rows = held.items() if isinstance(held, dict) else enumerate(held, 1)
            for position, row in rows:
                try:
                    msgspec.json.decode(row, type=_kinds[section])
                except msgspec.DecodeError as wrong:
                    return f"{called} {position}{_id(row)} of agent {agent}: {wrong}"
    return ""


def _id(row: msgspec.Raw) -> str:
    try:
        return f" (id {msgspec.json.decode(row, type=_Named).id})"
    except msgspec.DecodeError:
        return ""


def _check_rows(name: str, agent: AgentDump) -> None:
    """What the structs leave open."""
    for place, message in enumerate(agent.messages, 1):
        _check_row(message, _Message, f"message {place} (id {message.id}) of agent {name}")
    for key, text in agent.blocks.items():
        _check_row((key, text), _Block, f"block {key} of agent {name}")
    for place, relation in enumerate(agent.relations, 1):
        _check_row(relation, _Relation, f"relation {place} of agent {name}")


def _check_row(row: Any, kind: Any, called: str) -> None:
    try:
        msgspec.convert(row, kind, from_attributes=True)
    except msgspec.ValidationError as wrong:
        raise ExportDamaged(why=f"{called}: {wrong}") from wrong


def _refuse_repeats(dump: Dump) -> None:
    seen = set[str]()
    for name, agent in dump.agents.items():
        memories, messages = [row.id for row in agent.memories], [row.id for row in agent.messages]
        for called, ids in (("memory", memories), ("message", messages)):
            for position, one in enumerate(ids, 1):
                if one in seen:
                    raise ExportDamaged(why=f"{called} {position} of agent {name}: the id {one} comes twice")
                seen.add(one)
