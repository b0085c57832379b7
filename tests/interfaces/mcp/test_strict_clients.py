"""Every tool is one that strict clients take: one that is not makes them refuse the whole list.

1. MCP: names of letters, digits and a few signs; both schemas are valid JSON Schema of an object.
2. All: types are known and single, every array has `items`, every object has `properties`, a tool has at least one
   argument, no `$ref` and so no circle, no default at all (least of all null).
3. Claude: no `anyOf`, `oneOf`, `allOf` at the top, no `$ref` anywhere; names of arguments of at most 64 letters, digits,
   underscores, dots, hyphens.
4. OpenAI's strict mode (Structured Outputs), once its clients have closed each object and required each property, as
   they do by themselves: only its keywords, at most 5,000 properties, 10 levels, 1,000 enum values, 120,000 characters
   of names and enum values. `default` is not permitted; an object must not say that it takes more.
5. Gemini's subset of OpenAPI 3.0, as its `FunctionDeclaration.parameters` takes it: only its keywords (so neither
   `additionalProperties` nor `exclusiveMinimum`), enums of text, names of arguments that begin with a letter; `required`
   names what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest

from hippo.interfaces.mcp.tools import memory_tools
from hippo.interfaces.service import Service
from tests.interfaces.playing import Playing

Schema = dict[str, Any]
SIMPLE = {"string", "number", "integer", "boolean"}
COMBINING = {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$defs", "definitions"}
OPENAI = {"type", "description", "properties", "required", "additionalProperties", "items", "enum", "pattern", "format",
          "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"}
GEMINI = {"type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
          "required", "propertyOrdering", "minProperties", "maxProperties", "minimum", "maximum", "minLength",
          "maxLength", "pattern", "example", "anyOf", "default"}

TOOLS = [tool.shown for tool in memory_tools(cast(Service, Playing()), "all")]
tools = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def places(schema: Schema, depth: int = 1) -> Iterator[tuple[Schema, int]]:
    """Every schema inside one, with how deep it lies."""
    yield schema, depth
    for inner in schema.get("properties", {}).values():
        yield from places(inner, depth + 1)
    if "items" in schema:
        yield from places(schema["items"], depth + 1)


@tools
def test_arguments_are_plain(tool: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.input_schema)
    assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", tool.name)
    assert tool.input_schema["type"] == "object"
    assert tool.input_schema["properties"]
    for place, _ in places(tool.input_schema):
        assert not COMBINING & set(place)
        assert "default" not in place
        assert place["type"] in SIMPLE | {"array", "object"}
        assert place["type"] != "array" or place["items"]
        assert place["type"] != "object" or place["properties"]
        assert all(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", name) for name in place.get("properties", {}))


@tools
def test_openai_takes_the_arguments_in_strict_mode(tool: Any) -> None:
    strict = [(closed(place), depth) for place, depth in places(tool.input_schema)]
    for place, depth in strict:
        assert set(place) <= OPENAI
        assert depth <= 10
        if place["type"] == "object":
            assert place["additionalProperties"] is False
            assert place["required"] == list(place["properties"])
    words = [word for place, _ in strict for word in (*place.get("properties", ()), *place.get("enum", ()))]
    assert sum(len(place.get("properties", ())) for place, _ in strict) <= 5_000
    assert sum(len(place.get("enum", ())) for place, _ in strict) <= 1_000
    assert sum(map(len, words)) <= 120_000


def closed(schema: Schema) -> Schema:
    """A schema as a client of OpenAI's closes it. What says that it takes more it cannot close."""
    assert not schema.get("additionalProperties")
    return schema if schema["type"] != "object" else {
        **schema, "additionalProperties": False, "required": list(schema["properties"])}


@tools
def test_gemini_takes_the_arguments(tool: Any) -> None:
    for place, _ in places(tool.input_schema):
        assert set(place) <= GEMINI
        assert "enum" not in place or (place["type"] == "string" and all(isinstance(word, str) for word in place["enum"]))
        assert set(place.get("required", ())) <= set(place.get("properties", ()))
        assert place.get("required", ["x"])  # an empty list is one too many


@tools
def test_answers_are_plain(tool: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(tool.output_schema)
    assert tool.output_schema["type"] == "object"
    assert tool.output_schema["properties"]
    for place, _ in places(tool.output_schema):
        assert not COMBINING & set(place)
        kinds = place["type"] if isinstance(place["type"], list) else [place["type"]]
        assert set(kinds) <= SIMPLE | {"array", "object", "null"}
        assert "array" not in kinds or place["items"]
        assert "description" not in place


@tools
def test_a_tool_says_what_it_does_to_the_world(tool: Any) -> None:
    assert tool.title
    hints = tool.annotations
    assert isinstance(hints.read_only_hint, bool) and isinstance(hints.destructive_hint, bool)
    assert hints.open_world_hint is False
    assert not (hints.read_only_hint and hints.destructive_hint)
