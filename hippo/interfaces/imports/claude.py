"""The data export of Claude: `conversations.json`, `memories.json` and `projects.json`, in a zip archive or unpacked.

1. What was said in a conversation is logged: the texts of each message, without what the assistant thought or exchanged
   with its tools. What the person pasted as an attachment is a message of its own.
2. What Claude remembers of a person (`conversations_memory`) or a project (`project_memories`) becomes memories of kind
   `fact`, one a passage, tagged with its headings; those of a project are about it as an entity.
3. A project's description, instructions and documents become memories about it likewise. They may lie in one file, or
   one each in a folder `projects`; projects come first, for their names.
4. Times are ISO text in UTC. `human` is the role `user`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

from msgspec import Raw, Struct, structs

from hippo import limits
from hippo.errors import NotAnInstant
from hippo.interfaces.imports.bundle import Bundle
from hippo.interfaces.imports.chats import CONVERSATIONS, conversations, decoded, identity_of, title_of
from hippo.interfaces.imports.moments import moment
from hippo.interfaces.imports.passages import passages
from hippo.interfaces.imports.rows import (
    BadRow,
    MessageRow,
    Row,
    SkippedRow,
    key_of,
    memory_rows,
    message_rows,
    or_skipped,
)
from hippo.model.verb import Remember

NAME = "claude"
PROJECTS = re.compile(r"(?:.*/)?projects(?:/[^/]+)?\.json", re.DOTALL)
MEMORIES = re.compile(r"(?:.*/)?memories(?:/[^/]+)?\.json", re.DOTALL)

_SPOKEN = ("text", "voice_note")
_ROLES = {"human": "user"}


class Conversation(Struct):
    """What is needed of a conversation."""

    chat_messages: list[Raw]
    uuid: Any = None
    name: Any = None


class Memories(Struct):
    """What Claude remembers."""

    conversations_memory: Any = None
    project_memories: dict[str, Any] | None = None


class Project(Struct):
    """What is needed of a project."""

    uuid: str
    name: str
    description: Any = None
    prompt_template: Any = None
    docs: list[Raw] = []
    created_at: Any = None
    is_starter_project: Any = None


class _Document(Struct):
    filename: str
    content: str
    uuid: Any = None
    created_at: Any = None


class _Message(Struct):
    uuid: Any = None
    sender: Any = None
    text: Any = None
    content: list[Any] | None = None
    attachments: list[Any] | None = None
    created_at: Any = None


def read(source: Path) -> Iterator[Row]:
    """The rows of an export.

    Args:
        source: the archive, the folder it was unpacked to, or one of its files.
    Raises:
        SourceUnreadable: it is none of these.
    """
    with Bundle(source) as bundle:
        named: dict[str, str] = {}
        for name in filter(PROJECTS.fullmatch, bundle.names):
            for project in conversations(bundle, name, Project):
                if not isinstance(project, BadRow):
                    named[project[1].uuid] = project[1].name
                yield from (project,) if isinstance(project, BadRow) else _of_project(project[1])
        for name in filter(MEMORIES.fullmatch, bundle.names):
            for memories in conversations(bundle, name, Memories):
                yield from (memories,) if isinstance(memories, BadRow) else _of_memories(name, memories[1], named)
        for name in bundle.names:
            if CONVERSATIONS.fullmatch(name) or (
                    len(bundle.names) == 1 and not PROJECTS.fullmatch(name) and not MEMORIES.fullmatch(name)):
                for found in conversations(bundle, name, Conversation):
                    yield from (found,) if isinstance(found, BadRow) else _of_conversation(*found)


# -- what was said --------------------------------------------------------------------------------------------------


def _of_conversation(number: int, conversation: Conversation) -> Iterator[Row]:
    title = title_of(conversation.name, number)
    name = identity_of(conversation.uuid)
    if name is None:
        yield BadRow(title, "It has no uuid.")
        return
    for count, raw in enumerate(conversation.chat_messages, 1):
        where = f"{title}, message {count}"
        try:
            yield from _of_message(where, name, str(count), decoded(raw, _Message))
        except (ValueError, NotAnInstant) as refused:
            yield BadRow(where, str(refused))


def _of_message(where: str, conversation: str, number: str, message: _Message) -> Iterator[Row]:
    role = message.sender if isinstance(message.sender, str) else "unknown"
    said = MessageRow(
        where=where, role=_ROLES.get(role, role), text=_text(message), conversation=conversation,
        created_at=moment(message.created_at), key=key_of(NAME, conversation, identity_of(message.uuid) or number))
    pasted = [text for row in message.attachments or ()
              if isinstance(row, dict) and _is_text(text := row.get("extracted_content"))]
    if said.text.strip() or not pasted:
        yield from message_rows(said)
    for place, text in enumerate(pasted, 1):
        yield from message_rows(MessageRow(
            where=f"{where}, attachment {place}", role=said.role, text=text, conversation=conversation,
            created_at=said.created_at, key=f"{said.key}:attachment-{place}"))


def _text(message: _Message) -> str:
    blocks = [block for block in message.content or () if isinstance(block, dict)]
    if not blocks:  # older exports have no blocks
        return message.text if isinstance(message.text, str) else ""
    return "\n\n".join(block["text"] for block in blocks
                       if block.get("type") in _SPOKEN and _is_text(block.get("text")))


# -- what is remembered ---------------------------------------------------------------------------------------------


def _of_memories(name: str, memories: Memories, named: dict[str, str]) -> Iterator[Row]:
    if _is_text(memories.conversations_memory):
        about = Remember(text="", kind="fact", source=NAME)
        yield from _of_text(name, memories.conversations_memory, about, "person")
    for project, text in (memories.project_memories or {}).items():
        if _is_text(text):
            yield from _of_text(f"{name}, project {named.get(project, project)}", text,
                                _about(named.get(project, project), None), project)


def _of_project(project: Project) -> Iterator[Row]:
    where = f"project {project.name}"
    if project.is_starter_project is True:
        yield SkippedRow(where, "It comes with Claude.")
        return
    yield from or_skipped(_of_parts(where, project), where)


def _of_parts(where: str, project: Project) -> Iterator[Row]:
    try:
        about = _about(project.name, moment(project.created_at))
    except NotAnInstant as refused:
        yield BadRow(where, str(refused))
        return
    for part, text in (("description", project.description), ("instructions", project.prompt_template)):
        if _is_text(text):
            yield from _of_text(f"{where}, {part}", text, about, project.uuid, part)
    for number, raw in enumerate(project.docs, 1):
        place = f"{where}, document {number}"
        try:
            document = decoded(raw, _Document)
            written = moment(document.created_at)
        except (ValueError, NotAnInstant) as refused:
            yield BadRow(place, str(refused))
            continue
        tags = [document.filename] if 0 < len(document.filename.strip()) <= limits.tag_characters_max else []
        yield from _of_text(place, document.content, _about(project.name, written or about.created_at, tags),
                            project.uuid, identity_of(document.uuid) or document.filename)


def _about(project: str, created_at: Any, tags: list[str] | None = None) -> Remember:
    """The memory that a text about a project becomes, without the text."""
    return Remember(text="", kind="fact", entity=project, entity_type="project", tags=tags or [], source=NAME,
                    created_at=created_at)


def _of_text(where: str, text: str, like: Remember, *identity: str) -> Iterator[Row]:
    for passage in passages(text):
        headings = [name for name in passage.headings if len(name) <= limits.tag_characters_max]
        yield from memory_rows(f"{where}, line {passage.line}", _filled(like, passage.text, headings, identity))


def _filled(like: Remember, text: str, headings: list[str], identity: tuple[str, ...]) -> Remember:
    return structs.replace(like, text=text, tags=[*like.tags, *headings][:limits.tags_max],
                           conversation=key_of(NAME, *identity), key=key_of(NAME, *identity, text))


def _is_text(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip())
