"""Rows: keys that stay, and long texts as several rows."""

from __future__ import annotations

from msgspec.structs import replace

from hippo import limits
from hippo.interfaces.imports.rows import (
    MemoryRow,
    MessageRow,
    SkippedRow,
    key_of,
    memory_rows,
    message_rows,
    or_skipped,
)
from hippo.model.verb import Remember

LONG = ("A sentence of the book. " * 40 + "\n\n") * 110
MESSAGE = MessageRow("message 1", "user", "hello", "c1", 5, "chatgpt:1")


def test_a_key_stays_and_tells_apart_what_is_spelled_alike() -> None:
    assert key_of("mcp-memory", "Ada", "tea") == "mcp-memory:058ed31a9ca37d51a26cdc380472abb1"
    keys = {key_of(*parts) for parts in [("f", "ab", "c"), ("f", "a", "bc"), ("f", "abc"), ("g", "abc"), ("f", "abc", "")]}
    assert len(keys) == 5
    assert len(key_of("mcp-memory-service", "\ud800")) <= limits.key_characters_max


def test_a_text_that_is_too_long_becomes_several_rows_of_one_conversation() -> None:
    assert len(LONG) > 2 * limits.text_characters_max
    whole = Remember(text=LONG, key="k", tags=["book"], created_at=7)
    rows = [row for row in memory_rows("notes/a.md", whole) if isinstance(row, MemoryRow)]
    assert [row.where for row in rows] == [f"notes/a.md, part {n} of 3" for n in (1, 2, 3)]
    assert "".join(row.remember.text for row in rows) == LONG
    assert all(len(row.remember.text) <= limits.text_characters_max for row in rows)
    assert [row.remember.key for row in rows] == ["k:1", "k:2", "k:3"]
    assert {row.remember.conversation for row in rows} == {"k"}
    assert {(row.remember.created_at, *row.remember.tags) for row in rows} == {(7, "book")}


def test_a_memory_that_fits_is_as_it_was() -> None:
    memory = Remember(text=" as it was \n", key="k")
    assert list(memory_rows("line 1", memory)) == [MemoryRow("line 1", memory)]


def test_a_long_message_becomes_several() -> None:
    rows = [row for row in message_rows(replace(MESSAGE, text=LONG)) if isinstance(row, MessageRow)]
    assert "".join(row.text for row in rows) == LONG
    assert [row.key for row in rows] == ["chatgpt:1:1", "chatgpt:1:2", "chatgpt:1:3"]
    assert list(message_rows(MESSAGE)) == [MESSAGE]


def test_what_says_nothing_is_skipped() -> None:
    assert list(memory_rows("line 1", Remember(text=" \n", key="k"))) == [SkippedRow("line 1", "It holds no text.")]
    assert list(message_rows(replace(MESSAGE, text=""))) == [SkippedRow("message 1", "It holds no text.")]
    blank = list(memory_rows("line 1", Remember(text="\n" * 60_000, key="k")))
    assert blank == [SkippedRow("line 1", "It holds no text.")]


def test_nothing_at_all_is_said() -> None:
    assert list(or_skipped(iter(()), "a.md")) == [SkippedRow("a.md", "It holds no text.")]
    assert list(or_skipped(iter((MESSAGE,)), "a.md")) == [MESSAGE]
