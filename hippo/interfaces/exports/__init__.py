"""What an agent remembers as bytes to keep or to read elsewhere: one table of formats, one file for each.

1. An export is of one agent: whatever else the dump holds is not in it. (`complete.encode` writes a whole store.)
2. The same dump gives the same bytes.
3. Where there is nothing to show, the readable formats say so in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from hippo.interfaces.exports import claude_md, complete, markdown, obsidian, wire
from hippo.limits import send_piece_bytes
from hippo.model.dump import AgentDump, Dump

_MARKDOWN = "text/markdown; charset=utf-8"


class Format(NamedTuple):
    """How an export is written: what the name of its file ends with, its media type, and what writes a dump's agent."""

    suffix: str
    media_type: str
    write: Callable[[Dump, str], Iterator[bytes]]


def _claude_md(dump: Dump, agent: str) -> Iterator[bytes]:
    return _encoded([claude_md.digest(_of(dump, agent))])


def _markdown(dump: Dump, agent: str) -> Iterator[bytes]:
    return _encoded(markdown.document(_of(dump, agent)))


def _json(dump: Dump, agent: str) -> Iterator[bytes]:
    return complete.encode(replace(dump, agents={agent: _of(dump, agent)}))


def _wire(dump: Dump, agent: str) -> Iterator[bytes]:
    return _encoded(wire.lines(_of(dump, agent)))


def _obsidian(dump: Dump, agent: str) -> Iterator[bytes]:
    return obsidian.as_zip(obsidian.vault(_of(dump, agent)))


FORMATS = {
    "claude-md": Format(".md", _MARKDOWN, _claude_md),
    "markdown": Format(".md", _MARKDOWN, _markdown),
    "json": Format(".json", "application/json", _json),
    "wire": Format(".txt", "text/plain; charset=utf-8", _wire),
    "obsidian": Format(".zip", "application/zip", _obsidian),
}


def _of(dump: Dump, agent: str) -> AgentDump:
    return dump.agents.get(agent, AgentDump())


def _encoded(texts: Iterable[str]) -> Iterator[bytes]:
    """Texts as bytes, in pieces of some `limits.send_piece_bytes`."""
    piece = bytearray()
    for text in texts:
        piece += text.encode()
        if len(piece) >= send_piece_bytes:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)
