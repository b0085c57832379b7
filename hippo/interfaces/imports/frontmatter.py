"""The fields that a note begins with, between two lines of `---`: the part of YAML that programs write there.

1. A field is a text or a list of texts: plain, quoted, over several lines, in brackets or one a line. Nested mappings,
   anchors and the like are passed over; nothing is an error.
2. Numbers, dates and switches stay as they are written.
3. Where the second line of `---` is missing, there are no fields and all is text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Field = str | list[str]

_FENCE = re.compile(r"---\s*")
_END = re.compile(r"(?:---|\.\.\.)\s*")
_NAME = re.compile(r"[^\W\d][\w .-]{0,60}")
_ITEM = re.compile(r"\s*-(?:\s+(?P<value>.*)|\s*)")
_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_SINGLE = re.compile(r"'((?:[^']++|'')*+)'")
_DOUBLE = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_LISTED = re.compile(r"""\s*("(?:[^"\\]++|\\.)*+"|'(?:[^']++|'')*+'|[^,]*)\s*(?:,|$)""")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_ESCAPED = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
            "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}
_NOTHING = ("", "~", "null", "Null", "NULL")


class Front(NamedTuple):
    """The fields of a note by name in lower case, what follows them, and its first line, from 1."""

    fields: dict[str, Field]
    body: str
    line: int


def read_front(text: str) -> Front:
    """The fields of a note and the rest.

    Args:
        text: the whole note.
    """
    lines = text.split("\n")
    if _FENCE.fullmatch(lines[0]) is None:
        return Front({}, text, 1)
    end = next((at for at, line in enumerate(lines[1:], 1) if _END.fullmatch(line)), None)
    if end is None:
        return Front({}, text, 1)
    return Front(_fields(lines[1:end]), "\n".join(lines[end + 1:]), end + 2)


def listed(field: Field | None) -> list[str]:
    """A field as a list: a text is split at its commas."""
    if isinstance(field, str):
        field = field.split(",")
    return [name for name in (part.strip() for part in field or ()) if name]


def single(field: Field | None) -> str | None:
    """A field as one text, None where it is absent or blank."""
    text = ", ".join(field) if isinstance(field, list) else field
    return text if text and text.strip() else None


def _fields(lines: list[str]) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    at = 0
    while at < len(lines):
        name, colon, first = lines[at].rstrip().partition(":")
        at += 1
        name = name.rstrip()
        if not colon or _NAME.fullmatch(name) is None or first[:1] not in ("", " ", "\t"):
            continue
        more = []
        while at < len(lines) and (lines[at][:1] in (" ", "\t") or _ITEM.fullmatch(lines[at]) or not lines[at].strip()):
            more.append(lines[at].rstrip())
            at += 1
        value = _value(first.strip(), more)
        if value is not None:
            fields[name.lower()] = value
    return fields


def _value(first: str, more: list[str]) -> Field | None:
    if first[:1] in ("|", ">"):
        return (" " if first[0] == ">" else "\n").join(line.strip() for line in more).strip()
    items = [match["value"] or "" for match in map(_ITEM.fullmatch, more) if match is not None]
    if not first and items:
        return [text for text in map(_scalar, items) if text is not None]
    whole = " ".join([first, *(line.strip() for line in more if line.strip())]).strip()
    if whole.startswith("["):
        inner = whole[1:whole.rindex("]")] if "]" in whole else whole[1:]
        return [text for match in _LISTED.finditer(inner) if (text := _scalar(match[1])) is not None]
    if whole.startswith(("{", "&", "*", "!")) or not first:
        return None
    # A quoted line that was broken at a space ends with a backslash, and the next begins with an escaped space.
    return _scalar(whole.replace("\\ \\ ", "\\ ") if first[0] == '"' else whole)


def _scalar(written: str) -> str | None:
    written = written.strip()
    if (quoted := _SINGLE.match(written)) is not None:
        return quoted[1].replace("''", "'")
    if (quoted := _DOUBLE.match(written)) is not None:
        return _ESCAPE.sub(_unescaped, quoted[1])
    plain = _COMMENT.sub("", written).strip()
    return None if plain in _NOTHING else plain


def _unescaped(match: re.Match[str]) -> str:
    number = match[1] or match[2] or match[3]
    if number is None:
        return _ESCAPED.get(match[4], match[4])
    return chr(int(number, 16)) if int(number, 16) <= 0x10FFFF else match[0]
