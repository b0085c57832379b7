"""The data export of ChatGPT: `conversations.json`, or several `conversations-000.json`, in a zip archive or unpacked.

1. A conversation is a tree: whoever edits a message or asks again begins a branch. What is imported is the branch that
   ends at `current_node`, which is the one that ChatGPT shows; where that is missing, all messages as they are listed.
2. What the person and the assistant said to each other is logged: plain texts, the texts among pictures, and what was
   spoken. What the assistant thought, wrote to its tools or got from them, and hidden messages, are skipped.
3. What the assistant wrote to its tool `bio` is what it was asked to remember: each is a memory of kind `fact`.
4. Times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct

from hippo.errors import NotAnInstant
from hippo.interfaces.imports.bundle import Bundle
from hippo.interfaces.imports.chats import CONVERSATIONS, conversations, decoded, identity_of, title_of
from hippo.interfaces.imports.moments import moment
from hippo.interfaces.imports.rows import BadRow, MessageRow, Row, SkippedRow, key_of, memory_rows, message_rows
from hippo.model.verb import Remember

NAME = "chatgpt"

_SPEAKERS = ("user", "assistant")
_SAID = ("text", "multimodal_text")
_MEMORY_TOOL = "bio"
_NULL = Raw(b"null")


class Conversation(Struct):
    """What is needed of a conversation."""

    mapping: dict[str, Raw]
    title: Any = None
    conversation_id: Any = None
    id: Any = None
    current_node: Any = None


class _Node(Struct):
    message: Raw = _NULL
    parent: Any = None


class _Message(Struct):
    id: Any = None
    author: dict[str, Any] | None = None
    create_time: Any = None
    content: dict[str, Any] | None = None
    recipient: Any = None
    metadata: dict[str, Any] | None = None


def read(source: Path) -> Iterator[Row]:
    """The rows of an export.

    Args:
        source: the archive, the folder it was unpacked to, or a file of conversations.
    Raises:
        SourceUnreadable: it is none of these.
    """
    with Bundle(source) as bundle:
        for name in bundle.names:
            if len(bundle.names) > 1 and CONVERSATIONS.fullmatch(name) is None:
                continue
            for found in conversations(bundle, name, Conversation):
                if isinstance(found, BadRow):
                    yield found
                else:
                    yield from _of_conversation(*found)


def _of_conversation(number: int, conversation: Conversation) -> Iterator[Row]:
    title = title_of(conversation.title, number)
    name = identity_of(conversation.conversation_id, conversation.id)
    if name is None:
        yield BadRow(title, "It has no id.")
        return
    count = 0
    for at, node in _branch(conversation, title):
        if isinstance(node, BadRow):
            yield node
        elif node.message != _NULL:
            count += 1
            where = f"{title}, message {count}"
            try:
                yield from _of_message(where, name, at, decoded(node.message, _Message))
            except (ValueError, NotAnInstant) as refused:
                yield BadRow(where, str(refused))


def _branch(conversation: Conversation, title: str) -> Iterator[tuple[str, _Node | BadRow]]:
    """The nodes of the branch that is shown, from its beginning (rule 1)."""
    mapping = conversation.mapping
    shown: dict[str, _Node | BadRow] = {}
    at = conversation.current_node
    while isinstance(at, str) and at in mapping and at not in shown:
        shown[at] = node = _node(mapping[at], title)
        if isinstance(node, BadRow):
            break
        at = node.parent
    if shown and not (isinstance(at, str) and at in shown):
        yield from reversed(shown.items())
    else:  # the way back is missing, damaged or a circle: nobody knows what was shown
        yield from ((name, _node(raw, title)) for name, raw in mapping.items())


def _node(raw: Raw, title: str) -> _Node | BadRow:
    try:
        return decoded(raw, _Node)
    except ValueError as refused:
        return BadRow(title, str(refused))


def _of_message(where: str, conversation: str, node: str, message: _Message) -> Iterator[Row]:
    content, role = message.content or {}, (message.author or {}).get("role")
    text = _text(content)
    if role == "system" and not text.strip():
        return  # every conversation begins with one
    created_at = moment(message.create_time)
    key = key_of(NAME, conversation, identity_of(message.id) or node)
    if message.recipient == _MEMORY_TOOL and role == "assistant":
        yield from memory_rows(where, Remember(
            text=text, kind="fact", source=NAME, conversation=conversation, created_at=created_at, key=key))
    elif role not in _SPEAKERS:
        yield SkippedRow(where, f"It is from {str(role)[:40]}, neither from the person nor from the assistant.")
    elif message.recipient not in (None, "all"):
        yield SkippedRow(where, "It is to a tool.")
    elif content.get("content_type") not in _SAID:
        yield SkippedRow(where, f"It is no speech, but {str(content.get('content_type'))[:40]}.")
    elif (message.metadata or {}).get("is_visually_hidden_from_conversation") is True:
        yield SkippedRow(where, "It is hidden.")
    else:
        yield from message_rows(MessageRow(where, str(role), text, conversation, created_at, key))


def _text(content: dict[str, Any]) -> str:
    parts = content.get("parts")
    if not isinstance(parts, list):
        text = content.get("text")  # of code and the like
        return text if isinstance(text, str) else ""
    texts = [part if isinstance(part, str) else part.get("text") if isinstance(part, dict) else None for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str) and text)
