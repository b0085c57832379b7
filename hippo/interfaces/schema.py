"""JSON Schema from the structs, in the plain form that strict clients accept.

1. Everything is inline: no `$ref`, no `$defs`.
2. Every array has `items`, every struct has `properties`.
3. What may be left out is simply not required: no null default. An argument is never null: leaving it out says so.
4. An argument that takes text or a number is shown as text; both are accepted (`arguments.py`).
5. In answers, an instant is text (`wire.py`), what may be missing may be null, and names speak for themselves: no
   descriptions, which every client would have to keep in its model's sight.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from hippo.interfaces.wire import INSTANTS

Schema = dict[str, Any]


@cache
def argument_schema(verb: type) -> Schema:
    """The schema of a verb's arguments (rules 1 to 4). Do not change what this returns: it is shared."""
    return _struct_schema(verb, answer=False)


@cache
def answer_schema(result: Any) -> Schema:
    """The schema of a result as `wire.py` writes it (rules 1, 2 and 5). Do not change what this returns."""
    return _struct_schema(result, answer=True)


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
                name: _instant(inner) if answer and name in INSTANTS else _plain(inner, definitions, answer=answer)
                for name, inner in value.items()
            }
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            plain[key] = _plain(value, definitions, answer=answer)
        elif key == "prefixItems":
            plain["items"] = _plain(value[0], definitions, answer=answer)
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
