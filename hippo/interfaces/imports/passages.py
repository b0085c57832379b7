"""A note as what it says: passages that can each be a memory, with the headings they stand under.

1. A paragraph is a passage, and so is an item of a list with all that is indented below it, a quotation, a table. Code
   belongs to what it follows without a blank line, and to a paragraph before it that ends in a colon.
2. Headings are no passages: they are what a passage is about. A line that is bold as a whole is a heading of the lowest
   kind. Rules, comments and embedded pictures say nothing.
3. An item comes without its bullet, but with its number: that says something. Inside a passage every character is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[^`]*")
_HEADING = re.compile(r"(?P<marks>#{1,6})(?:\s(?P<text>.*))?")
_UNDERLINE = re.compile(r"(?P<first>={2,}|-{2,})")
_RULE = re.compile(r"(?:\*\s*+){3,}|(?:-\s*+){3,}|(?:_\s*+){3,}")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*+]|\d{1,9}[.)])(?:[ \t]+(?P<text>.*))?")
_BOLD = re.compile(r"(?:\*\*|__)(?P<text>[^*_]+)(?:\*\*|__):?")
_PICTURE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,1000}\)|!\[\[[^\]\n]{0,300}\]\]")
_BOLD_LEVEL = 7  # below the six that are written with marks
_TAB = 4


class Passage(NamedTuple):
    """What one passage says: its first line in the note, its headings from the outermost, whether it is an item."""

    line: int
    headings: tuple[str, ...]
    text: str
    is_item: bool


def passages(text: str, *, line: int = 1, nested: bool = False) -> Iterator[Passage]:
    """The passages of a note, in their order.

    Args:
        text: Markdown, or plain text. line: of its first line in the note.
        nested: whether an item below another is a passage of its own.
    """
    reading = _Reading(nested)
    for number, written in enumerate(text.split("\n"), line):
        yield from reading.take(number, written.rstrip("\r"))
    yield from reading.close()


class _Reading:
    def __init__(self, nested: bool) -> None:
        self._nested = nested
        self._headings: list[tuple[int, str]] = []
        self._block: list[str] = []
        self._line = 0
        self._indent: int | None = None  # of the item that is open
        self._fence: str | None = None  # of the code that is open
        self._gap = 0  # blank lines since
        self._comment = False

    def take(self, number: int, line: str) -> Iterator[Passage]:
        """What a line completes."""
        told = line.strip()
        indent = len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip())
        if self._fence is not None:
            self._block.append(line)
            if told.startswith(self._fence) and not told.strip(self._fence[0]):
                self._fence = None
        elif self._comment:
            self._comment = "-->" not in told
        elif not told:
            self._gap += 1
        elif told.startswith("<!--"):
            self._comment = "-->" not in told
        elif (fence := _FENCE.fullmatch(told)) is not None:
            yield from self._make_room(number, indent, joins=bool(self._block) and self._block[-1].endswith(":"))
            self._block.append(line)
            self._fence = fence["fence"]
        elif self._is_underlined(told):
            self._head(1 if told[0] == "=" else 2, self._block.pop().strip())
        elif indent < _TAB and (heading := _HEADING.fullmatch(told)) is not None:
            yield from self.close()
            self._head(len(heading["marks"]), _unclosed(heading["text"] or ""))
        elif _RULE.fullmatch(told):
            yield from self.close()
        elif (item := _ITEM.fullmatch(line)) is not None and not self._is_below(indent):
            yield from self.close()
            self._line, self._indent = number, indent
            marker = "" if item["marker"] in "-*+" else item["marker"] + " "
            self._block.append(marker + (item["text"] or ""))
        else:
            yield from self._make_room(number, indent, joins=False)
            self._block.append(line)

    def close(self) -> Iterator[Passage]:
        """What is open ends."""
        block, self._block, self._gap, self._fence = self._block, [], 0, None
        is_item, self._indent = self._indent is not None, None
        if not block:
            return
        text = "\n".join(filter(None, (block[0], dedent("\n".join(block[1:]))))) if is_item else "\n".join(block)
        text = text.strip("\n").rstrip()
        if not is_item and (bold := _BOLD.fullmatch(text.strip())) is not None:
            self._head(_BOLD_LEVEL, bold["text"])
        elif any(character.isalnum() for character in _PICTURE.sub("", text)):
            yield Passage(self._line, tuple(name for _, name in self._headings), text, is_item)

    def _make_room(self, number: int, indent: int, *, joins: bool) -> Iterator[Passage]:
        """Before a line that begins nothing new by itself: it goes on with what is open, or that ends."""
        goes_on = joins or not self._gap or (self._indent is not None and indent > self._indent)
        if self._block and not goes_on:
            yield from self.close()
        if self._block:
            self._block += [""] * self._gap
        else:
            self._line = number
        self._gap = 0

    def _is_below(self, indent: int) -> bool:
        """Whether an item so far in belongs to the one that is open."""
        return self._indent is not None and indent > self._indent + 1 and not self._nested

    def _is_underlined(self, told: str) -> bool:
        return len(self._block) == 1 and self._indent is None and not self._gap and bool(_UNDERLINE.fullmatch(told))

    def _head(self, level: int, text: str) -> None:
        self._headings = [(above, name) for above, name in self._headings if above < level]
        if text.strip():
            self._headings.append((level, text.strip()))


def _unclosed(heading: str) -> str:
    """A heading without the marks that may close it."""
    bare = heading.rstrip().rstrip("#")
    return bare if not bare or bare[-1].isspace() else heading
