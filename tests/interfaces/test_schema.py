"""Schemas are what strict clients accept, and what the structs mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import msgspec
import pytest

import hippo.model.knowledge_verb as knowledge
import hippo.model.verb as verbs
from hippo.interfaces.mcp.table import SETS
from hippo.interfaces.rest import ROUTES
from hippo.interfaces.schema import answer_schema, argument_schema, shown_answer, shown_arguments
from hippo.interfaces.wire import to_wire
from hippo.model.memory import Fidelity
from hippo.model.recollection import Answer, Recollection, Why

VERBS = [kind for module in (verbs, knowledge) for kind in vars(module).values()
         if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct]
ANSWERS = [route.result for route in ROUTES if route.result is not None] + [row.result for row in SETS["all"]]


def positions(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            for inner in value.values() if key == "properties" else [value]:
                yield from positions(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from positions(inner)


@pytest.mark.parametrize("verb", VERBS)
def test_arguments_have_the_plain_form_that_strict_clients_accept(verb: type) -> None:
    schema = argument_schema(verb)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["properties"]
    assert schema.get("additionalProperties") is not True
    for place in positions(schema):
        assert "$ref" not in place
        assert "anyOf" not in place
        assert place.get("default", "") is not None
        assert isinstance(place.get("type", "string"), str)
        if place.get("type") == "array":
            assert place["items"]
        if "enum" in place:
            assert place["type"] == "string"


@pytest.mark.parametrize("result", ANSWERS)
def test_answers_are_plain_too(result: Any) -> None:
    schema = answer_schema(result)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "anyOf" not in schema
    for place in positions(schema):
        assert "$ref" not in place
        assert place.get("type") != "array" or "items" in place


def test_an_answer_holds_to_its_schema() -> None:
    row = Recollection(
        id="A", text="x", activation=1.0, confidence=0.123456, why=Why("seed", 0.5), tier="cold", lossless=False,
        fidelity=Fidelity(0.9, 0.9, 0.9), created_at=1_767_225_600_000, entity=None, kind="fact", tags=("a",))
    shown = to_wire(Answer(results=[row]))
    jsonschema.validate(shown, answer_schema(Answer))
    assert shown["results"][0]["created_at"] == "2026-01-01T00:00:00.000Z"
    assert shown["results"][0]["confidence"] == 0.1235
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**shown, "results": [{**shown["results"][0], "created_at": 7}]}, answer_schema(Answer))


def test_what_may_be_left_out_is_not_required() -> None:
    assert argument_schema(verbs.Remember)["required"] == ["text"]
    assert "required" not in argument_schema(verbs.Recall)


def test_a_time_is_shown_as_text() -> None:
    since = argument_schema(verbs.Recall)["properties"]["since"]
    assert since["type"] == "string"
    assert "yesterday" in since["description"]


def test_a_tool_shows_its_arguments_without_what_some_client_refuses() -> None:
    shown = shown_arguments(verbs.Remember)
    assert shown["required"] == ["text"]
    assert set(argument_schema(verbs.Remember)["properties"]) - set(shown["properties"]) == {"importance"}
    assert shown["properties"]["retention"] == {
        "type": "string", "enum": ["critical", "reference", "standard", "temporary"], "description": "How long it stays relevant"}
    for place in positions(shown):
        assert "default" not in place
        assert "additionalProperties" not in place


def test_a_tool_explains_each_thing_once() -> None:
    shown = shown_arguments(verbs.Recall)["properties"]
    assert "yesterday" in shown["since"]["description"]
    assert shown["until"] == {"type": "string"}
    assert shown_arguments(knowledge.RecallConversation)["properties"]["since"] == shown["since"]


def test_a_tool_shows_what_is_in_a_list() -> None:
    rows = shown_arguments(knowledge.LogMessages)["properties"]["messages"]["items"]
    assert rows["required"] == ["role", "text"]
    assert list(rows["properties"]) == ["role", "text", "conversation", "created_at"]


def test_a_tool_shows_its_answer_one_level_deep() -> None:
    shown = shown_answer(Answer)
    assert shown == {"type": "object", "properties": {
        "results": {"type": "array", "items": {"type": "object"}}, "weak": {"type": "boolean"}, "degraded": {"type": "boolean"}}}
