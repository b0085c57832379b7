"""An export read line by line, as `complete.py` lays it out: each row is decoded by itself. Pure.

1. So not all of it is held as bytes, and whoever reads it in a thread holds the interpreter for a line at a time: of a
   large export read in one go everything else would stand still.
2. What is laid out otherwise in any place is for others to read, and to name what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple, get_args, get_type_hints

import msgspec

from hippo.model.dump import VERSION, AgentDump, Dump

_kinds = {field.name: get_args(field.type)[-1] for field in msgspec.structs.fields(AgentDump)}
_END = b"]}}}\n"
_name = msgspec.json.Decoder(get_args(get_type_hints(Dump, include_extras=True)["agents"])[0]).decode


class _Section(NamedTuple):
    """How a section of an agent opens, how each of its rows ends, how the last one closes it, and what a row is."""

    name: str
    opens: bytes
    row_ends: bytes
    closes: tuple[bytes, ...]
    decode: Callable[[bytes], Any]


def _section(name: str, row_ends: bytes, *closes: bytes) -> _Section:
    return _Section(name, b'"%s":[' % name.encode(), row_ends, closes, msgspec.json.Decoder(_kinds[name]).decode)


_block = msgspec.json.Decoder(dict[str, str]).decode
_SECTIONS = (
    _section("memories", b"}", b"],\n"), _section("associations", b"]", b"],\n"),
    _Section("blocks", b'"blocks":{', b'"', (b"},\n",), lambda row: _block(b"{" + row + b"}")),
    _section("relations", b"]", b"],\n"), _section("messages", b"}", b"]},\n", _END))


class _Otherwise(Exception):
    """A line is not as it would be."""


def read_lines(stream: BinaryIO) -> Dump | None:
    """A dump as it was written; None where anything is laid out otherwise."""
    try:
        return _dump(stream)
    except (msgspec.DecodeError, _Otherwise):
        return None


def _dump(stream: BinaryIO) -> Dump:
    head = msgspec.json.decode(stream.readline().removesuffix(b"\n") + b"}}", type=Dump)
    if head.version != VERSION or head.agents:
        raise _Otherwise
    agents: dict[str, AgentDump] = {}
    closed = b""
    while closed != _END:
        name, _, line = stream.readline().partition(b":{")
        while not line.startswith(_SECTIONS[0].opens):  # a name may hold the same signs
            more, separator, line = line.partition(b":{")
            if not separator:
                raise _Otherwise
            name += b":{" + more
        held: dict[str, Any] = {}
        for section in _SECTIONS:
            held[section.name], closed = _rows(stream, line or stream.readline(), section)
            line = b""
        held["blocks"] = {key: text for block in held["blocks"] for key, text in block.items()}
        agents[_name(name)] = AgentDump(**held)
    if stream.read(1):
        raise _Otherwise
    return msgspec.structs.replace(head, agents=agents)


def _rows(stream: BinaryIO, opening: bytes, section: _Section) -> tuple[list[Any], bytes]:
    """The rows of a section, and what closed it."""
    if not opening.startswith(section.opens):
        raise _Otherwise
    rest = opening.removeprefix(section.opens)
    if rest in section.closes:
        return [], rest
    if rest != b"\n":
        raise _Otherwise
    rows: list[Any] = []
    for line in stream:
        closed = next((ends for ends in (*section.closes, b",\n") if line.endswith(section.row_ends + ends)), None)
        if closed is None:
            raise _Otherwise
        rows.append(section.decode(line.removesuffix(closed)))
        if closed in section.closes:
            return rows, closed
    raise _Otherwise
