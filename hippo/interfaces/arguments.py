"""What clients really send, read as the verbs' structs: the one place where MCP and REST are lenient.

1. A name may be written as camelCase or with hyphens. A name no field has is an error that suggests the nearest.
2. null for something that may be left out counts as left out.
3. A list may come as a JSON string, as one string ("a, b" for tags), or with numbers in it. One of objects is read by
   the same rules, row by row; one object alone is a list of one.
4. A number or a switch may come as a string, a string as a number.
5. Anything else of the wrong type, or out of bounds, is an error that names the argument.
6. A text holds whole characters only: half of a surrogate pair becomes U+FFFD before it is read, and the answer says
   so where it was a memory's text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from hippo.errors import InvalidArgument, UnknownArgument
from hippo.text.surrogates import whole

WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_shown_characters_max = 60

# Every escape is matched, so that the backslash of one never counts for the next.
_escape = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
                     rb"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)
_raw_half = re.compile(rb"\xed[\xa0-\xbf]")

MENDED_NOTE = "A half of a surrogate pair cannot be stored; it became U+FFFD."

Read = Callable[[Any], Any]
Verb = TypeVar("Verb", bound=msgspec.Struct)
Answer = TypeVar("Answer", bound=msgspec.Struct)


def read_arguments(verb: type[Verb], given: object, name: str) -> Verb:
    """The struct that the arguments mean.

    Args:
        verb: a struct of `model/verb.py`.
        given: what the client sent: a mapping, or None for nothing.
        name: what the client calls the verb, for messages.
    Returns:
        An instance of `verb`.
    Raises:
        UnknownArgument: the verb has no argument of that name.
        InvalidArgument: an argument is missing, of another type, out of bounds, or there are no arguments at all.
    """
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise InvalidArgument(what=f"The arguments of {name} are an object, not {_shown(given)}.")
    fields = _fields(verb)
    values: dict[str, Any] = {}
    for written, value in given.items():
        field = written if written in fields else _snake(str(written))
        if field not in fields:
            raise _unknown(name, str(written), list(fields))
        if value is None:
            continue
        if field in values:
            raise InvalidArgument(what=f"{name}: {field} is given twice.")
        values[field] = _read(fields[field], value, name, field)
    try:
        return msgspec.convert(values, verb)
    except msgspec.ValidationError as refused:
        raise InvalidArgument(what=_in_words(str(refused), name)) from None


def decode_body(body: bytes) -> Any:
    """A JSON body, already mended; an empty one is None.

    Raises:
        InvalidArgument: it is not JSON.
    """
    body = body.removeprefix(b"\xef\xbb\xbf")  # what some editors put in front of UTF-8
    if not body.strip():
        return None
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError as refused:
        raise InvalidArgument(what=f"The body is not JSON: {refused}.") from None
    except RecursionError:
        raise InvalidArgument(what="The body is not JSON: it is nested too deeply.") from None


def mend(body: bytes) -> tuple[bytes, bool]:
    """JSON in which every character is whole (rule 6), and whether halves of characters had to be replaced.

    Clients that cut their strings by UTF-16 units send halves of pairs, escaped or as bytes that are not UTF-8.
    """
    halves = 0

    def replaced(match: re.Match[bytes]) -> bytes:
        nonlocal halves
        halves += match.lastgroup == "half"
        return b"\\ufffd" if match.lastgroup == "half" else match[0]

    if _raw_half.search(body):
        try:
            mended = whole(body.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            return body, False  # other bytes are wrong too: it is refused as not JSON
        halves += "\ufffd" in mended
        body = mended.encode()
    if b"\\ud" in body or b"\\uD" in body:
        body = _escape.sub(replaced, body)
    return body, halves > 0


def noted(answer: Answer, asked: msgspec.Struct, mended: bool) -> Answer:
    """An answer, with a note where the text of what was asked was mended on the way in (rule 6)."""
    text = getattr(asked, "text", None)
    if not mended or not isinstance(text, str) or "\ufffd" not in text or not hasattr(answer, "note"):
        return answer
    return msgspec.structs.replace(answer, note=" ".join(filter(None, (answer.note, MENDED_NOTE))))


# -- one argument ---------------------------------------------------------------------------------------------------


def _read(read: Read, value: Any, name: str, field: str) -> Any:
    try:
        return read(value)
    except (ValueError, OverflowError, RecursionError) as refused:
        raise InvalidArgument(what=f"{name}: {field} takes {refused}, not {_shown(value)}.") from None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("text")
    return str(value)


def _whole_number(value: Any) -> int:
    number = _number(value)
    if number != int(number):
        raise ValueError("a whole number")
    return int(number)


def _number(value: Any) -> float | int:
    if isinstance(value, str):
        text = value.strip()
        try:
            value = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else float(text)
        except ValueError:
            raise ValueError("a number") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("a number")
    return value


def _switch(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    if word not in WORDS:
        raise ValueError("true or false")
    return WORDS[word]


def _instant(value: Any) -> str | int:
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"[0-9]{11,15}", value.strip()) else whole(value)
    if isinstance(value, bool):
        raise ValueError("a time")
    try:
        return _whole_number(value)
    except ValueError:
        raise ValueError("a time") from None


def _list(value: Any, *, split: bool) -> list[str]:
    if isinstance(value, str):
        value = _listed(value, split=split)
    elif isinstance(value, int | float):
        value = [value]
    if not isinstance(value, list | tuple):
        raise ValueError("a list of texts")
    try:
        return [_text(row) for row in value]
    except ValueError:
        raise ValueError("a list of texts") from None


def _listed(text: str, *, split: bool) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text)
        except ValueError:
            rows = None
        if isinstance(rows, list):
            return rows
    if not split:
        return [text]
    return [row for row in (part.strip() for part in text.split(",")) if row]


def _rows(value: Any, kind: type[msgspec.Struct], field: str) -> list[msgspec.Struct]:
    if isinstance(value, str):
        with suppress(ValueError):
            value = json.loads(value)
    rows = [value] if isinstance(value, Mapping) else value
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError("a list of objects")
    return [read_arguments(kind, row, f"a row of {field}") for row in rows]


def _one_of(words: tuple[str, ...]) -> Read:
    def read(value: Any) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word not in words:
            raise ValueError(", ".join(words[:-1]) + " or " + words[-1])
        return word

    return read


# -- the fields of a verb -------------------------------------------------------------------------------------------


@cache
def _fields(verb: type[msgspec.Struct]) -> dict[str, Read]:
    return {field: _reader(field, kind) for field, kind in get_type_hints(verb).items()}


def _reader(field: str, kind: Any) -> Read:
    kinds = {row for row in (get_args(kind) or (kind,)) if row not in (type(None), msgspec.UnsetType)}
    for form in (kind, *kinds):
        if get_origin(form) is Literal:
            return _one_of(get_args(form))
        if get_origin(form) is list:
            row_kind = get_args(form)[0]
            if issubclass(row_kind, msgspec.Struct):
                return lambda value: _rows(value, row_kind, field)
            return lambda value: _list(value, split=field == "tags")
    if {str, int} <= kinds:
        return _instant
    for row, read in ((bool, _switch), (int, _whole_number), (float, _number), (str, _text)):
        if row in kinds:
            return read
    raise TypeError(f"{field}: no way to read {kind}")


def _snake(written: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", written.strip().replace("-", "_")).lower()


# -- what is wrong, in words ----------------------------------------------------------------------------------------


def _unknown(verb: str, name: str, known: list[str]) -> UnknownArgument:
    from rapidfuzz import fuzz, process  # 20 ms to import, and needed only now

    best = process.extractOne(_snake(name), known, scorer=fuzz.ratio, score_cutoff=50)
    nearest = f"Did you mean {best[0]}? " if best else ""
    return UnknownArgument(verb=verb, name=_shown(name), nearest=nearest, known=", ".join(known))


def _in_words(refused: str, name: str) -> str:
    """msgspec's message, naming the argument first."""
    if (missing := re.search(r"missing required field `(\w+)`", refused)) is not None:
        return f"{name} needs {missing[1]}."
    if (bound := re.fullmatch(r"Expected `\w+` (<=|>=|<|>) (\S+) - at `\$\.(\w+)`", refused)) is not None:
        words = {"<=": "at most", ">=": "at least", "<": "below", ">": "above"}
        return f"{name}: {bound[3]} is {words[bound[1]]} {bound[2].removesuffix('.0')}."
    if (length := re.fullmatch(r"Expected `array` of length (<=|>=) (\d+) - at `\$\.(\w+)`", refused)) is not None:
        return f"{name}: {length[3]} takes {'at most' if length[1] == '<=' else 'at least'} {length[2]}."
    said, _, path = refused.partition(" - at `$.")
    return f"{name}: {path.rstrip('`')}: {said}." if path else f"{name}: {said}."


def _shown(value: object) -> str:
    text = whole(value if isinstance(value, str) else repr(value))
    return text if len(text) <= _shown_characters_max else text[:_shown_characters_max] + "…"
