"""Texts as people give them to a command: words on the command line, or all that is piped in."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hippo.errors import EmptyText

STDIN = "-"


def typed(words: Sequence[str]) -> str:
    """The text that is meant: the words, or stdin where they are `-` or none.

    Args:
        words: of the command line.
    Raises:
        EmptyText: it says nothing, or there are no words and nobody pipes anything in.
    """
    if words and tuple(words) != (STDIN,):
        text = " ".join(words)
    elif sys.stdin is None or (not words and sys.stdin.isatty()):
        raise EmptyText
    else:
        text = decoded(sys.stdin.buffer.read().removesuffix(b"\n").removesuffix(b"\r"))
    if not text.strip():
        raise EmptyText
    return text


def decoded(raw: bytes) -> str:
    """Piped bytes as the command line would give them: what is no UTF-8 becomes halves of surrogates, which the service
    makes known."""
    return raw.decode("utf-8", "surrogateescape")
