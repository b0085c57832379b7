"""What the readable exports show of an agent, and how it is arranged: by entity, the rest by day. Pure.

1. Only what holds now is shown: nothing superseded, archived or reworded.
2. Within an entity or a day, memories stand in the order of time; of one instant, in that of their making.
3. Names that are the same when folded are one entity, called as it was first written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hippo.interfaces.exports.marks import line
from hippo.model.dump import AgentDump, MemoryDump
from hippo.text.entities import fold_name
from hippo.text.instants import format_instant

_NOTHING = "Nothing has been remembered here yet."
_NOTHING_NOW = "Nothing that is remembered here holds now: all of it was superseded or archived."


class Entity(NamedTuple):
    """One entity: its name as first written, its type (empty: none), its memories, and its relations to others as
    (relation, name of the other)."""

    name: str
    type: str
    memories: list[MemoryDump]
    relations: list[tuple[str, str]]


def current(dump: AgentDump) -> list[MemoryDump]:
    """The memories that hold now (rule 1), in the order of the dump."""
    return [memory for memory in dump.memories
            if memory.superseded_by is None and memory.archived_at is None and not memory.revision]


def nothing(dump: AgentDump) -> str:
    """In words, that there is nothing to show."""
    return _NOTHING_NOW if dump.memories else _NOTHING


def called(memories: Iterable[MemoryDump]) -> dict[str, str]:
    """How each entity is called, by its folded name (rule 3)."""
    names: dict[str, str] = {}
    for memory in memories:
        if memory.entity is not None:
            names.setdefault(fold_name(memory.entity), memory.entity)
    return names


def by_entity(dump: AgentDump) -> list[Entity]:
    """The entities, in the order in which they were first named; those that only relations name come last."""
    found: dict[str, Entity] = {}
    types: dict[str, str] = {}
    for memory in current(dump):
        if memory.entity is not None:
            _entity(found, memory.entity).memories.append(memory)
            if memory.entity_type:
                types.setdefault(fold_name(memory.entity), memory.entity_type)
    for source, relation, target in dump.relations:
        _entity(found, source).relations.append((relation, _entity(found, target).name))
    return [entity._replace(type=types.get(key, ""), memories=_by_time(entity.memories))
            for key, entity in found.items()]


def by_day(dump: AgentDump) -> dict[str, list[MemoryDump]]:
    """The memories without an entity, by their UTC day, such as 2026-01-02, the earliest first."""
    days: dict[str, list[MemoryDump]] = {}
    for memory in _by_time(current(dump)):
        if memory.entity is None:
            days.setdefault(day(memory.created_at), []).append(memory)
    return days


def day(instant_ms: int) -> str:
    """The UTC day of an instant, such as 2026-01-02."""
    return format_instant(instant_ms)[:10]


def about(memory: MemoryDump, *more: str) -> str:
    """What is to be said of a memory besides its text, in one line of Markdown: (fact · 2026-01-02 · …)."""
    told = (memory.kind, day(memory.created_at), memory.scope and f"scope {memory.scope}",
            memory.tags and "tags " + ", ".join(memory.tags), memory.source and f"from {memory.source}",
            "" if memory.lossless else "abridged")
    return f"({' · '.join([*(line(fact) for fact in told if fact), *more])})"


def _entity(found: dict[str, Entity], name: str) -> Entity:
    return found.setdefault(fold_name(name), Entity(name, "", [], []))


def _by_time(memories: Iterable[MemoryDump]) -> list[MemoryDump]:
    return sorted(memories, key=lambda memory: memory.created_at)
