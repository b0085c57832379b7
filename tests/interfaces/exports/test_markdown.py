"""Everything readable as one document."""

from __future__ import annotations

from hypothesis import given

from hippo.interfaces.exports.markdown import document
from hippo.model.dump import AgentDump, MessageDump
from tests.interfaces.exports.dumps import NEW_YEAR, agents, memory
from tests.interfaces.exports.page import kinds


def page(dump: AgentDump) -> str:
    return "".join(document(dump))


def test_entities_come_first_then_the_rest_by_day() -> None:
    dump = AgentDump(
        memories=[
            memory(30, "It rained"), memory(2, "reads a lot", entity="anna", source="chat", scope="home", tags=("books", "fun"), lossless=False),
            memory(1, entity="Anna", entity_type="person", kind="preference"), memory(3, "old", entity="Anna", superseded_by="00000001"),
            memory(4, "It\nsnowed")],
        blocks={"persona": "I am kind."}, relations=[("Anna", "likes", "Tea")],
        messages=[MessageDump(role="user", text="hi", conversation="c1", created_at=NEW_YEAR, id="m1"),
                  MessageDump(role="assistant", text="hello", created_at=NEW_YEAR, id="m2"),
                  MessageDump(role="user", text="bye", conversation="c1", created_at=NEW_YEAR + 1, id="m3")])
    assert page(dump) == """\
# What hippo remembers

## Blocks

### persona

I am kind.

## Entities

### anna (person)

- likes → Tea
- Anna likes tea (preference · 2026-01-01 · 00000001)
- reads a lot (episode · 2026-01-01 · scope home · tags books, fun · from chat · abridged · 00000002)

## Days

### 2026-01-01

- It\x20\x20
  snowed

  (episode · 2026-01-01 · 00000004)

### 2026-01-02

- It rained (episode · 2026-01-02 · 00000030)

## Conversations

### c1

- hi (user · 2026-01-01T00:00:00.000Z)
- bye (user · 2026-01-01T00:00:00.001Z)

### Without a conversation

- hello (assistant · 2026-01-01T00:00:00.000Z)
"""


def test_nothing_is_said_in_words() -> None:
    assert page(AgentDump()) == "# What hippo remembers\n\nNothing has been remembered here yet.\n"
    assert "superseded or archived" in page(AgentDump(memories=[memory(1, archived_at=5)]))
    assert "Nothing" not in page(AgentDump(blocks={"persona": "kind"}))


@given(agents())
def test_every_memory_that_holds_now_is_one_bullet(dump: AgentDump) -> None:
    text = page(dump)
    assert text == page(dump)
    now = [row for row in dump.memories if row.superseded_by is None and row.archived_at is None]
    assert all(f"· {row.id})" in text for row in now)
    assert kinds(text).count("list_item_open") == len(now) + len(dump.relations) + len(dump.messages)
    assert not {"html_block", "html_inline", "image", "hr", "table_open"} & set(kinds(text))
