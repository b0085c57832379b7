"""A text too long for one memory as several, each of which ends where something ends.

1. Joined, the portions are the text.
2. A portion ends after the last paragraph that fits, else after the last line, sentence or word, but fills half of what
   is allowed; where not even a word ends there, it ends where it is full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENDS = (
    re.compile(r"\n[^\S\n]*\n\s*"),  # of a paragraph
    re.compile(r"\n"),
    re.compile("[.!?…]['\"”’)\\]]*\\s+|[\u3002\uff01\uff1f]"),  # of a sentence
    re.compile(r"\s+"),
)


def portions(text: str, characters_max: int) -> Iterator[str]:
    """The text in portions.

    Args:
        text: any text. characters_max: what a portion may have, two at least.
    """
    start = 0
    while len(text) - start > characters_max:
        end = _end(text, start + characters_max // 2, start + characters_max)
        yield text[start:end]
        start = end
    yield text[start:]


def _end(text: str, least: int, most: int) -> int:
    for kind in _ENDS:
        ends = [match.end() for match in kind.finditer(text, least, most)]
        if ends:
            return ends[-1]
    return most
