"""Everything readable of an agent as one Markdown document. Pure.

Blocks first, then a section for each entity, then the rest by day, then what was said in conversations. What does not
hold any more is left to the complete export.
"""

from __future__ import annotations

from collections.abc import Iterator

from hippo.interfaces.exports.arrangement import Entity, about, by_day, by_entity, nothing
from hippo.interfaces.exports.marks import blocks, bullet, heading, line
from hippo.model.dump import AgentDump, MemoryDump, MessageDump
from hippo.text.instants import format_instant

_TITLE = "# What hippo remembers\n"
_WITHOUT_CONVERSATION = "Without a conversation"


def document(dump: AgentDump) -> Iterator[str]:
    """The document in pieces, with its line ends."""
    yield _TITLE
    entities = [entity for entity in by_entity(dump) if entity.memories or entity.relations]
    days = by_day(dump)
    if not (entities or days or dump.blocks or dump.messages):
        yield f"\n{nothing(dump)}\n"
    if dump.blocks:
        yield "\n## Blocks\n"
    for name, text in sorted(dump.blocks.items()):
        yield f"\n{heading(3, name)}\n\n" + "\n\n".join(blocks(text)) + "\n"
    if entities:
        yield "\n## Entities\n"
    for entity in entities:
        yield from _section(entity)
    if days:
        yield "\n## Days\n"
    for name, memories in days.items():
        yield f"\n### {name}\n\n"
        yield from map(_memory, memories)
    if dump.messages:
        yield "\n## Conversations\n"
    for conversation, messages in _conversations(dump.messages).items():
        yield f"\n{heading(3, conversation)}\n\n"
        yield from map(_message, messages)


def _section(entity: Entity) -> Iterator[str]:
    title = f"{entity.name} ({entity.type})" if entity.type else entity.name
    yield f"\n{heading(3, title)}\n\n"
    for relation, other in entity.relations:
        yield f"- {line(relation)} → {line(other)}\n"
    yield from map(_memory, entity.memories)


def _memory(memory: MemoryDump) -> str:
    return bullet(memory.text, about(memory, memory.id)) + "\n"


def _message(message: MessageDump) -> str:
    return bullet(message.text, f"({line(message.role)} · {format_instant(message.created_at)})") + "\n"


def _conversations(messages: list[MessageDump]) -> dict[str, list[MessageDump]]:
    found: dict[str, list[MessageDump]] = {}
    for message in messages:
        found.setdefault(message.conversation or _WITHOUT_CONVERSATION, []).append(message)
    return found
