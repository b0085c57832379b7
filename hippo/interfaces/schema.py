"""JSON Schema from the structs, in the plain form that strict clients accept.

1. Everything is inline: no `$ref`, no `$defs`.
2. Every array has `items`, every struct has `properties`.
3. What may be left out is simply not required: no null default. An argument is never null: leaving it out says so.
4. An argument that takes text or a number is shown as text; both are accepted (`arguments.py`).
5. In answers, an instant is text (`wire.py`), what may be missing may be null, and names speak for themselves: no
   descriptions.
6. What a tool shows of both (`shown_arguments`, `shown_answer`) is leaner still: clients keep it in their model's
   sight, and each refuses something else. An argument has no default (OpenAI's strict mode does not permit one), and
   there is no `additionalProperties` (Gemini's subset of OpenAPI lacks it, and its own client fails on `false`; names
   that are not known are refused when they come). An explanation is not repeated, another name of an argument is
   understood but not shown. An answer is shown one level deep: what is inside its objects, and that it may have a note
   and an alert, OpenAPI says.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from hippo.interfaces.wire import INSTANTS

Schema = dict[str, Any]

OTHER_NAMES = frozenset({"importance"})
SHORTER = {"agent_id": "Leave out unless told"}  # it is an argument of nearly every tool
IN_EVERY_ANSWER = frozenset({"note", "alert"})


@cache
def argument_schema(verb: type) -> Schema:
    """The schema of a verb's arguments (rules 1 to 4). Do not change what this returns: it is shared."""
    return _struct_schema(verb, answer=False)


@cache
def answer_schema(result: Any) -> Schema:
    """The schema of a result as `wire.py` writes it (rules 1, 2 and 5). Do not change what this returns."""
    return _struct_schema(result, answer=True)


@cache
def shown_arguments(verb: type) -> Schema:
    """What a tool shows of a verb's arguments (rule 6). Do not change what this returns: it is shared."""
    arguments = argument_schema(verb)
    shown = _shown(arguments, {arguments.get("description")})
    shown["properties"] = {name: schema for name, schema in shown["properties"].items() if name not in OTHER_NAMES}
    return shown


@cache
def shown_answer(result: Any) -> Schema:
    """What a tool shows of a result (rule 6). Do not change what this returns: it is shared."""
    fields = answer_schema(result)["properties"]
    return {"type": "object",
            "properties": {name: _outline(schema) for name, schema in fields.items() if name not in IN_EVERY_ANSWER}}


def _shown(schema: Schema, said: set[str | None]) -> Schema:
    """An argument's schema without what rule 6 leaves out. `said`: the explanations so far, extended."""
    shown: Schema = {}
    for key, value in schema.items():
        if key in ("default", "additionalProperties") or (key == "description" and value in said):
            continue
        if key == "description":
            said.add(value)
        if key == "properties":
            value = {name: _shown({**inner, "description": SHORTER[name]}, set()) if name in SHORTER
                     else _shown(inner, said) for name, inner in value.items()}
        elif key == "items":
            value = _shown(value, said)
        shown[key] = value
    return shown


def _outline(schema: Schema) -> Schema:
    """A result's field without what is inside it."""
    kind = schema.get("type", ["object", "null"])  # two schemas at once: a struct that may be missing
    outline: Schema = {"type": kind}
    if kind == "array":
        outline["items"] = _outline(schema["items"])
    return outline


def _struct_schema(kind: Any, *, answer: bool) -> Schema:
    raw = msgspec.json.schema(kind)
    return _plain(raw, raw.get("$defs", {}), answer=answer)


def _plain(schema: Schema, definitions: dict[str, Schema], *, answer: bool) -> Schema:
    """One schema position, flattened."""
    if "$ref" in schema:
        target = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    if "anyOf" in schema:
        return _union(schema, definitions, answer=answer)
    plain: Schema = {}
    for key, value in schema.items():
        if key in ("title", "$defs") or (key == "default" and (value is None or answer)):
            continue
        if (key == "description" and answer) or (key == "required" and not value):
            continue
        if key == "properties":
            plain[key] = {
                name: _instant(inner) if answer and name in INSTANTS and "format" not in inner
                else _plain(inner, definitions, answer=answer)
                for name, inner in value.items()
            }
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            plain[key] = _plain(value, definitions, answer=answer)
        elif key == "prefixItems":
            rows = [_plain(row, definitions, answer=answer) for row in value]
            distinct = [row for at, row in enumerate(rows) if row not in rows[:at]]
            plain["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        elif key != "items":
            plain[key] = value
    if "enum" in plain:
        plain.setdefault("type", "string")
    if plain.get("type") == "array":
        plain.setdefault("items", {})
    if plain.get("type") == "object" and "additionalProperties" not in plain:
        plain.setdefault("properties", {})
    return plain


def _union(schema: Schema, definitions: dict[str, Schema], *, answer: bool) -> Schema:
    rows = [_plain(row, definitions, answer=answer) for row in schema["anyOf"]]
    beside = {key: value for key, value in schema.items()
              if key not in ("anyOf", "title") and not (key == "default" and (value is None or answer))
              and not (key == "description" and answer)}
    real = [row for row in rows if row.get("type") != "null"]
    if not answer:
        text = [row for row in real if row.get("type") == "string"]
        return {**(text or real)[0], **beside}
    if len(real) == len(rows):
        return {"anyOf": real, **beside}
    if len(real) == 1 and isinstance(real[0].get("type"), str) and "enum" not in real[0]:
        return {**real[0], "type": [real[0]["type"], "null"], **beside}
    return {"anyOf": [*real, {"type": "null"}], **beside}


def _instant(schema: Schema) -> Schema:
    kinds = {row.get("type") for row in schema.get("anyOf", [schema])}
    return {"type": ["string", "null"] if "null" in kinds else "string", "format": "date-time"}
