"""A text as pieces that give it back byte for byte: the unit in which memories are compared, abridged and diffed.

1. A piece is a word (with the apostrophes and hyphens inside it), a number (with the marks inside it), a run of white
   space, or one mark. Every character of a text belongs to exactly one piece.
2. In scripts written without spaces a word has no end to be seen: each character is a piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hippo.text.tokens import SPACELESS

_LETTER = rf"[^\W{SPACELESS}]"
_PIECE = re.compile(
    rf"\s+|\d+(?:[.,:/-]\d+)*{_LETTER}*|{_LETTER}+(?:['\u2019\u2010\u2011-]{_LETTER}+)*|.", re.DOTALL)


def pieces(text: str) -> list[str]:
    """The pieces of a text in their order; joined they are the text.

    Args:
        text: Any text, also an empty one or one with lone surrogates.
    """
    return _PIECE.findall(text)


def words(parts: Iterable[str]) -> list[str]:
    """The pieces that say something: words and numbers, or where there are none, every piece but white space.

    Args:
        parts: The pieces of one text.
    """
    told = [piece for piece in parts if not piece.isspace()]
    return [piece for piece in told if piece[0].isalnum() or piece[0] == "_"] or told
