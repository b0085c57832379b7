"""The wire format: one memory a line, its fields between pipes. Pure.

1. A backslash, and whatever would end a line, is escaped, such as `\\n`, `\\r`, `\\x85` and `\\u2028`.
2. A pipe in a name is shown as `/`; the text stands last, so that the pipes in it are its own.
3. A memory that is listed, not recalled, has the confidence 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippo.interfaces.exports.arrangement import current, day, nothing
from hippo.model.dump import AgentDump

WIRE_COLUMNS = "id|created|confidence|kind|entity|text"
_ESCAPED = re.compile(r"[\\\n-\r\x1c-\x1e\x85\u2028\u2029]")


def wire_line(id: str, created_at: int, confidence: float, kind: str, entity: str | None, text: str) -> str:
    """One memory as a line, without its end.

    Args:
        id, kind, entity, text: Of the memory. created_at: UTC milliseconds, shown as its day.
        confidence: 0..1, shown with two decimals.
    """
    names = (id, day(created_at), f"{confidence:.2f}", kind.replace("|", "/"), (entity or "").replace("|", "/"), text)
    return "|".join(_ESCAPED.sub(_escape, name) for name in names)


def lines(dump: AgentDump) -> Iterator[str]:
    """What holds now of an agent, with its line ends: the columns first, then a line for each memory; or a sentence."""
    memories = current(dump)
    yield (WIRE_COLUMNS if memories else nothing(dump)) + "\n"
    for memory in memories:
        yield wire_line(memory.id, memory.created_at, 1.0, memory.kind, memory.entity, memory.text) + "\n"


def _escape(match: re.Match[str]) -> str:
    return "\\\\" if match[0] == "\\" else match[0].encode("unicode_escape").decode("ascii")
