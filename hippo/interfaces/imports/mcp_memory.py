"""The knowledge graph of the MCP server `memory`: one JSON object a line, an entity or a relation.

1. `{"type": "entity", "name", "entityType", "observations": [...]}`: each observation is one memory of kind `fact`
   about the entity. It has no time of its own, so it gets that of the import; those of an entity share a conversation.
2. `{"type": "relation", "from", "to", "relationType"}` relates two entities.
3. A line is held whole: it has `limits.import_line_bytes_max` bytes at most. What is wrong with a line ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from hippo import limits
from hippo.interfaces.arguments import mend
from hippo.interfaces.imports.rows import BadRow, RelationRow, Row, SkippedRow, key_of, memory_rows
from hippo.interfaces.imports.sources import Readable, open_source
from hippo.model.verb import Remember

NAME = "mcp-memory"

_piece_bytes = 64 * 1024
_MARK = b"\xef\xbb\xbf"


def read(source: Path) -> Iterator[Row]:
    """The rows of the server's file.

    Args:
        source: the file, `memory.jsonl`.
    """
    with open_source(source) as stream:
        for number, line in enumerate(_lines(stream), 1):
            if line is None:
                yield BadRow(f"line {number}", f"It has more than {limits.import_line_bytes_max} bytes.")
            elif line.strip():
                yield from _of_line(f"line {number}", line)


def _of_line(where: str, line: bytes) -> Iterator[Row]:
    try:
        entry = msgspec.json.decode(mend(line)[0])
    except (msgspec.DecodeError, RecursionError) as refused:
        yield BadRow(where, f"It is not JSON: {refused}.")
        return
    match entry:
        case {"type": "entity", "name": str(name), "observations": list(observations)} if name.strip():
            yield from _of_entity(where, name, entry.get("entityType"), observations)
        case {"type": "relation", "from": str(source), "to": str(target), "relationType": str(relation)}:
            yield RelationRow(where, source, relation, target)
        case {"type": "entity" | "relation" as kind}:
            yield BadRow(where, f"Its {kind} is not as the server writes it.")
        case _:
            yield BadRow(where, "It is neither an entity nor a relation.")


def _of_entity(where: str, name: str, kind: Any, observations: list[Any]) -> Iterator[Row]:
    if not observations:
        yield SkippedRow(where, "The entity has no observations.")
    for number, observation in enumerate(observations, 1):
        place = f"{where}, observation {number}"
        if isinstance(observation, str):
            yield from memory_rows(place, Remember(
                text=observation, kind="fact", entity=name, entity_type=kind if isinstance(kind, str) else None,
                source=NAME, conversation=key_of(NAME, name), key=key_of(NAME, name, observation)))
        else:
            yield BadRow(place, "It is not a text.")


def _lines(stream: Readable) -> Iterator[bytes | None]:
    """The lines of a file, None for one that is too long to be held."""
    held, passed_over = bytearray(), False
    first = True
    while piece := stream.read(_piece_bytes):
        *ended, rest = (piece.removeprefix(_MARK) if first else piece).split(b"\n")
        first = False
        for line in ended:
            yield None if passed_over else bytes(held) + line
            held.clear()
            passed_over = False
        held += rest
        if len(held) > limits.import_line_bytes_max:
            held.clear()
            passed_over = True
    if held or passed_over:
        yield None if passed_over else bytes(held)
