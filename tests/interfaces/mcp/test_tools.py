"""The tools over a service that a test plays: what each asks, answers, and says."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import jsonschema
import msgspec
import pytest

from hippo.errors import InvalidArgument, UnknownArgument
from hippo.interfaces.mcp.server import MENDED, Context
from hippo.interfaces.mcp.table import SETS
from hippo.interfaces.mcp.tools import memory_tools
from hippo.interfaces.schema import answer_schema
from hippo.interfaces.service import Service
from hippo.model.knowledge_verb import Forget, LogMessages, Message, Update
from tests.interfaces.playing import ANSWERS, Playing


def heard(**scope: Any) -> Context:
    """The context of a call by a client that wants no progress."""
    return cast(Context, SimpleNamespace(meta=None, request=SimpleNamespace(scope=scope)))


ROWS = {row.name: row for row in SETS["all"]}
names = pytest.mark.parametrize("name", ROWS)


async def call(service: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    known = {tool.shown.name: tool for tool in memory_tools(cast(Service, service), "all")}
    result: dict[str, Any] = await known[tool].call(heard(), arguments)
    return result


def example(name: str) -> dict[str, Any]:
    """The arguments of a tool's own example."""
    said = ROWS[name].description
    given: dict[str, Any] = json.loads(said[said.index("Example: ") + 9:])
    return given


@names
async def test_a_tool_asks_its_verb_and_answers_in_text_and_structure(name: str) -> None:
    service, row = Playing(), ROWS[name]
    result = await call(service, name, **example(name))
    [(asked, verb)] = service.asked
    assert asked == row.ask
    assert isinstance(verb, row.verb)
    assert result["content"][0]["text"]
    shown = next(tool.shown for tool in memory_tools(cast(Service, service), "all") if tool.shown.name == name)
    jsonschema.validate(result["structuredContent"], shown.output_schema)
    jsonschema.validate(result["structuredContent"], answer_schema(row.result))


@names
async def test_an_alert_of_the_store_is_the_last_line_whatever_the_tool(name: str) -> None:
    result = await call(Playing(alert="over its budget"), name, **example(name))
    assert result["content"][0]["text"].splitlines()[-1] == "⚠ over its budget"
    assert result["structuredContent"]["alert"] == "over its budget"


@names
async def test_an_argument_that_no_tool_has_is_refused_by_name(name: str) -> None:
    service = Playing()
    with pytest.raises(UnknownArgument, match=f"{name} has no argument named confirmed"):
        await call(service, name, **example(name), confirmed=True)
    assert not service.asked


@pytest.mark.parametrize("arguments", [
    {"id": "0K7QF3M2", "dryrun": True}, {"entity": "Anna", "texts": "x"}, {"entity": "Anna", "agent": "b"},
    {"description": "x", "dry_run": "maybe"}, {"entity": "Anna", "dry_run": True, "dryRun": False},
])
async def test_nothing_that_is_mistyped_widens_what_is_forgotten(arguments: dict[str, Any]) -> None:
    service = Playing()
    for tool in ("forget", "forget_memory"):
        with pytest.raises(InvalidArgument):
            await call(service, tool, **arguments)
    assert not service.asked


async def test_lenient_arguments_reach_the_new_verbs_too() -> None:
    service = Playing()
    await call(service, "update", id="0K7QF3M2", newEntity="Anna", tags="a, b", protected="yes")
    await call(service, "forget", description="tea", dryRun="true", agentId=None)
    assert [verb for _, verb in service.asked] == [
        Update(id="0K7QF3M2", new_entity="Anna", tags=["a", "b"], protected=True), Forget(description="tea", dry_run=True)]


async def test_an_export_that_is_longer_than_its_text_links_to_the_whole() -> None:
    class Long(Playing):
        def __getattr__(self, name: str) -> Any:
            async def export(verb: Any) -> Any:
                return msgspec.structs.replace(ANSWERS["export"], characters=90_000)

            return export

    result = await call(Long(), "export")
    assert result["content"][1] == {
        "type": "resource_link", "uri": "hippocampus://export/markdown", "name": "export.markdown",
        "mimeType": "text/markdown", "description": "All 1 memory"}
    assert "GET /api/export?format=markdown" in result["content"][0]["text"]
    assert len((await call(Playing(), "export"))["content"]) == 1


async def test_a_text_with_half_a_character_is_said_to_be_mended() -> None:
    service = cast(Service, Playing())
    known = {tool.shown.name: tool for tool in memory_tools(service, "all")}
    for tool in ("remember", "update", "remember_facts"):
        result = await known[tool].call(heard(**{MENDED: True}), {"text": "a \ufffd"})
        assert "U+FFFD" in result["structuredContent"]["note"]
        assert "U+FFFD" in result["content"][0]["text"]


@pytest.mark.parametrize("messages", [
    [{"role": "user", "text": "hi", "createdAt": "2026-01-02"}], '[{"role": "user", "text": "hi", "created_at": "2026-01-02"}]',
    {"role": "user", "text": "hi", "created-at": "2026-01-02", "conversation": None},
])
async def test_messages_are_read_as_leniently_as_arguments(messages: Any) -> None:
    service = Playing()
    await call(service, "log_messages", messages=messages)
    assert service.asked == [("log_messages", LogMessages(messages=[Message(role="user", text="hi", created_at="2026-01-02")]))]


@pytest.mark.parametrize(("messages", "said"), [
    ("hi", "log_messages: messages takes a list of objects, not hi."),
    ([1], r"log_messages: messages takes a list of objects, not \[1\]."),
    ([{"role": "user"}], "a row of messages needs text."),
    ([{"role": "user", "text": "x", "texte": "y"}], "a row of messages has no argument named texte."),
    ([{"role": "user", "text": ["x"]}], r"a row of messages: text takes text, not \['x'\]."),
])
async def test_a_message_that_is_wrong_is_named(messages: Any, said: str) -> None:
    service = Playing()
    with pytest.raises(InvalidArgument, match=said):
        await call(service, "log_messages", messages=messages)
    assert service.asked == []
