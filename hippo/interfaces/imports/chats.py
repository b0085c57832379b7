"""What exports of conversations have in common: the files that hold them, and how a value of theirs is read.

A conversation is decoded by itself, and each of its messages by itself: one that is not as it should be is a `BadRow`,
and keeps no other back. So no more is held than one conversation (see `elements.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.arguments import mend
from hippo.interfaces.imports.bundle import Bundle
from hippo.interfaces.imports.elements import Broken, elements
from hippo.interfaces.imports.rows import BadRow

CONVERSATIONS = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.jsonl?", re.DOTALL)
_title_characters_max = 60

T = TypeVar("T")


def conversations(bundle: Bundle, name: str, kind: type[T]) -> Iterator[tuple[int, T] | BadRow]:
    """The objects of one file of an export, each with its number from 1.

    Args:
        bundle: the export. name: of the file in it. kind: a struct of what is needed of an object.
    """
    try:
        with bundle.open(name) as stream:
            for number, element in enumerate(elements(stream), 1):
                yield _object(f"{name}, number {number}", number, element, kind)
    except SourceUnreadable as refused:
        yield BadRow(name, refused.message)


def _object(where: str, number: int, element: bytes | Broken, kind: type[T]) -> tuple[int, T] | BadRow:
    if isinstance(element, Broken):
        return BadRow(where, element.why)
    try:
        return number, decoded(element, kind)
    except ValueError as refused:
        return BadRow(where, str(refused))


def decoded(raw: bytes | msgspec.Raw, kind: type[T]) -> T:
    """A value as a struct.

    Raises:
        ValueError: what is wrong with it, in words.
    """
    try:
        return msgspec.json.decode(mend(bytes(raw))[0], type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as refused:
        raise ValueError(f"It is not as it should be: {refused}.") from None


def title_of(title: Any, number: int) -> str:
    """A conversation as people know it."""
    if not isinstance(title, str) or not title.strip():
        return f"conversation {number}"
    short = " ".join(title.split())
    if len(short) > _title_characters_max:
        short = short[:_title_characters_max] + "…"
    return f"conversation {number} “{short}”"


def identity_of(*candidates: Any) -> str | None:
    """The first of these that can name a conversation or a message."""
    return next((name for name in candidates if isinstance(name, str) and name.strip()
                 and len(name) <= limits.conversation_characters_max), None)
