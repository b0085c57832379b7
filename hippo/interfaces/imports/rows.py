"""What a reader yields: a row for each thing it found, and how long texts become several of them."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from msgspec import Struct, structs

from hippo import limits
from hippo.interfaces.imports.portions import portions
from hippo.model.verb import Remember

_NO_TEXT = "It holds no text."


class MemoryRow(Struct, frozen=True):
    """A memory. `where` it was found, for people: `line 12`, `notes/a.md, line 3`."""

    where: str
    remember: Remember


class MessageRow(Struct, frozen=True):
    """What somebody said in a conversation: it goes to the log, where it can be found, and is no memory.

    `role` is user, assistant or whatever else the source names. `created_at` is UTC milliseconds, None where the source
    has none. `key` names the message for good.
    """

    where: str
    role: str
    text: str
    conversation: str
    created_at: int | None
    key: str


class RelationRow(Struct, frozen=True):
    """A typed relation between two entities; either may come later in the source, or never."""

    where: str
    source: str
    relation: str
    target: str


class BlockRow(Struct, frozen=True):
    """A named text of the agent."""

    where: str
    key: str
    text: str


class SkippedRow(Struct, frozen=True):
    """What was left out on purpose, and why."""

    where: str
    why: str


class BadRow(Struct, frozen=True):
    """What could not be read, and why."""

    where: str
    why: str


Row = MemoryRow | MessageRow | RelationRow | BlockRow | SkippedRow | BadRow


def key_of(form: str, *identity: str) -> str:
    """The idempotency key of what a format names so.

    Args:
        form: the format's name. identity: what stays the same whenever the source is read.
    """
    digest = blake2b(digest_size=16)
    for part in identity:
        # Each part is preceded by its length, so that no two identities are spelled alike.
        spelled = part.encode("utf-8", "surrogatepass")
        digest.update(len(spelled).to_bytes(8, "little") + spelled)
    return f"{form}:{digest.hexdigest()}"


def memory_rows(where: str, remember: Remember) -> Iterator[Row]:
    """The row of a memory: several of one conversation where its text is too long for one, none where it says nothing.

    Args:
        where: shown with every row. remember: the whole memory; it has a key.
    """
    assert remember.key is not None
    for place, text, part in _parted(where, remember.text):
        if part is None:
            yield MemoryRow(place, remember)
        else:
            yield MemoryRow(place, structs.replace(
                remember, text=text, key=f"{remember.key}:{part}",
                conversation=remember.conversation or remember.key))
    if not remember.text.strip():
        yield SkippedRow(where, _NO_TEXT)


def message_rows(message: MessageRow) -> Iterator[Row]:
    """The row of a message: several where its text is too long for one, none where it says nothing."""
    for place, text, part in _parted(message.where, message.text):
        changes: dict[str, Any] = {} if part is None else {"text": text, "key": f"{message.key}:{part}"}
        yield structs.replace(message, where=place, **changes)
    if not message.text.strip():
        yield SkippedRow(message.where, _NO_TEXT)


def or_skipped(rows: Iterator[Row], where: str) -> Iterator[Row]:
    """The rows, or where there are none, one that says so."""
    first = next(rows, None)
    yield SkippedRow(where, _NO_TEXT) if first is None else first
    yield from rows


def _parted(where: str, text: str) -> Iterator[tuple[str, str, int | None]]:
    """A text as what fits one row each: where, text, and which part it is if it is one of several."""
    parts = [part for part in portions(text, limits.text_characters_max) if part.strip()]
    if len(parts) == 1 and parts[0] == text:
        yield where, text, None
        return
    for number, part in enumerate(parts, 1):
        yield f"{where}, part {number} of {len(parts)}", part, number
