"""Texts inside Markdown: what someone said never becomes part of the page around it. Pure.

1. Nothing of a text reaches beyond it: no heading, list, quotation, fence, table, HTML, comment, definition of a link.
2. Nothing of it acts: no picture is loaded, no note linked or shown within another, no tag given.
3. Emphasis, code spans and links within a line go on to mean what they mean.
4. A text with a fence, or with lines that are indented, is code and the like: it stands as it is, in a longer fence.
5. Control characters, overrides of the direction and invisible tags are written out, such as `\\x07` and `\\u202e`.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]")
_GAP = re.compile(r"\n(?:[ \t]*\n)+")
_AS_IT_IS = re.compile(r"^(?: {4}|\t| {1,3}\t| {0,3}(?:```|~~~))", re.MULTILINE)
_INLINE = re.compile(
    r"""\\[!-/:-@\[-`{-~]|(`+)(?!`).*?(?<!`)\1(?!`)|`+"""  # what stays: an escape, a code span, loose backticks
    r"""|<(?=[A-Za-z/!?])|!(?=\[)|\[(?=\[)|(?<=\[)\[|%(?=%)|(?<=%)%|\$(?=\$)|(?<=\$)\$|(?<!\S)\#(?=\S)""", re.DOTALL)
_LINE_START = re.compile(
    r"""(?=[>|]|<[A-Za-z/!?]|%%|\$\$|--|:-|~~~|`{3,}[^`]*$|[-+*](?:\s|$)|(?:[*\s]+|[_\s]+|=[=\s]*)$|\#{1,6}(?:\s|$)"""
    r"""|\[(?![^\]]*\]\())""")
_NUMBERED = re.compile(r"(\d{1,9})([.)](?:\s|$))")
_TICKS = re.compile("`+")
_CLOSING = re.compile(r"(?<=\s)#$")  # of a heading, where it would be left out


def visible(text: str) -> str:
    """The text with `\\n` as its only line end, and whatever cannot be seen written out (rule 5)."""
    return _UNSEEN.sub(_written_out, text.replace("\r\n", "\n").replace("\r", "\n"))


def line(text: str) -> str:
    """The text as one line of Markdown, its white space made single spaces."""
    return _start(_inline(" ".join(visible(text).split())))


def blocks(text: str) -> list[str]:
    """The text as blocks of Markdown: its paragraphs, or one fence (rule 4). There is at least one; none opens or ends
    with an empty line, unless there is nothing else."""
    seen = visible(text).rstrip(" \t\n")
    opens = len(seen) - len(seen.lstrip(" \t\n"))
    seen = seen[seen.rfind("\n", 0, opens) + 1:]
    if _AS_IT_IS.search(seen):
        fence = "`" * max(3, 1 + max((len(ticks) for ticks in _TICKS.findall(seen)), default=0))
        return [f"{fence}\n{seen}\n{fence}"]
    return ["  \n".join(_start(row.strip(" \t")) for row in _inline(paragraph).split("\n"))
            for paragraph in _GAP.split(seen)]


def bullet(text: str, about: str) -> str:
    """The text as one bullet of a list, with what is to be said about it in a line behind or below it.

    Args:
        text: As it was said.
        about: One line of Markdown.
    """
    parts = blocks(text)
    if len(parts) == 1 and "\n" not in parts[0]:
        parts = [f"{parts[0]} {about}"]
    else:
        parts.append(about)
    return "- " + "\n".join(f"  {row}" if row else row for row in "\n\n".join(parts).split("\n"))[2:]


def heading(level: int, text: str) -> str:
    """The text as a heading, levels 1 to 6."""
    return "#" * level + " " + _CLOSING.sub(r"\#", line(text))


def _inline(text: str) -> str:
    return _INLINE.sub(lambda match: match[0] if match[0][0] in "\\`" else "\\" + match[0], text)


def _start(row: str) -> str:
    if row and _LINE_START.match(row):
        return "\\" + row
    return _NUMBERED.sub(r"\1\\\2", row, count=1) if _NUMBERED.match(row) else row


def _written_out(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")
