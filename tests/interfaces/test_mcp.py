"""The memory over MCP, as the official Python client sees it, in both protocol eras."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import mcp
import mcp_types as types
import msgspec
import pytest
import trio
from mcp.shared.exceptions import MCPError

from hippo.interfaces.mcp.table import SETS
from hippo.model.knowledge import Exported
from hippo.model.recollection import Answer, Recollection, Why
from hippo.model.stored import Stored
from tests.clients.calls import CALLS
from tests.interfaces.playing import ANSWERS, Playing
from tests.interfaces.serving import client, hippo_at, served

# The SDK's client leaves generators of its HTTP library unfinished when an answer comes as events: not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Async generator 'http(core|x)2:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <async_gen:pytest.PytestUnraisableExceptionWarning"),
]

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
MODERN = {"mcp-protocol-version": "2026-07-28"}
ACCEPT = {"accept": "application/json, text/event-stream"}
META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {}}}


@asynccontextmanager
async def speaking(url: str, era: str) -> AsyncIterator[mcp.Client]:
    async with mcp.Client(f"{url}/mcp", mode=era) as speaker:
        yield speaker


def said(result: Any) -> str:
    assert isinstance(result, types.CallToolResult)
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


async def post(http: httpx.AsyncClient, message: Any, **headers: str) -> httpx.Response:
    return await http.post("/mcp", json=message, headers={**ACCEPT, **headers})


def in_reply(reply: httpx.Response) -> Any:
    """The JSON-RPC message of an answer, whichever way it came."""
    if reply.headers["content-type"].startswith("text/event-stream"):
        data = [line[6:] for line in reply.text.splitlines() if line.startswith("data: ")]
        return json.loads(data[-1])
    return reply.json()


@ERAS
async def test_the_standard_tools_are_listed_and_the_core_answers(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        tools = (await speaker.list_tools()).tools
        assert [tool.name for tool in tools] == [row.name for row in SETS["standard"]]
        id = ""
        for name, arguments in CALLS.items():
            result = await speaker.call_tool(name, json.loads(json.dumps(arguments).replace("$id", id)))
            assert not result.is_error, said(result)
            assert said(result)
            id = result.structured_content.get("id", id)


@ERAS
async def test_every_tool_says_what_it_is_for(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        for tool in (await speaker.list_tools()).tools:
            assert tool.title
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is not None
            assert tool.description is not None
            assert "Example: {" in tool.description
            assert len(tool.description) < 600
            assert tool.input_schema["type"] == "object"
            assert tool.input_schema["properties"]
            assert tool.output_schema is not None
            assert tool.output_schema["type"] == "object"


@ERAS
async def test_an_expected_error_is_a_result_that_says_what_to_do(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        result = await speaker.call_tool("recall", {"cuee": "x"})
        assert result.is_error
        assert said(result).startswith("recall has no argument named cuee. Did you mean cue?")
        missing = await speaker.call_tool("inspect", {"id": "00000000"})
        assert missing.is_error
        assert "`recall` and `memories` list them" in said(missing)


@ERAS
async def test_an_unknown_tool_is_a_protocol_error(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        with pytest.raises(MCPError) as refused:
            await speaker.call_tool("forget_everything", {})
        assert refused.value.error.code == types.INVALID_PARAMS


@ERAS
async def test_lenient_arguments_work_through_a_client(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        await speaker.call_tool("remember", {"text": "tagged", "tags": "a, b", "createdAt": "2026-01-02"})
        result = await speaker.call_tool("recall", {"cue": "tagged", "tags": '["a"]', "k": "3", "agentId": None})
        row = result.structured_content["results"][0]
        assert row["tags"] == ["a", "b"]
        assert row["created_at"] == "2026-01-02T00:00:00.000Z"


@ERAS
async def test_a_long_answer_is_cut_in_text_and_structure_alike(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        for number in range(6):
            await speaker.call_tool("remember", {"text": f"train {number} " + "x" * 300})
        result = await speaker.call_tool("recall", {"cue": "train", "k": 6, "max_chars": 1_300})
        assert len(said(result)) <= 1_300
        assert 0 < len(result.structured_content["results"]) < 6
        assert "left out" in result.structured_content["note"]


@ERAS
async def test_an_alert_of_the_store_is_in_every_text(era: str) -> None:
    class Alarmed:
        async def remember_one(self, asked: Any) -> Stored:
            return Stored(id="A", alert="over its budget")

        async def recall(self, asked: Any) -> Answer:
            row = Recollection(
                id="A", text="x", activation=1, confidence=1, why=Why("seed"), tier="hot", lossless=True,
                fidelity=None, created_at=0, entity=None, kind="fact", tags=())
            return Answer(results=[row], alert="over its budget")

    async with served(Alarmed()) as url, speaking(url, era) as speaker:
        for name, arguments in (("remember", {"text": "x"}), ("recall", {"cue": "x"})):
            result = await speaker.call_tool(name, arguments)
            assert said(result).splitlines()[-1] == "⚠ over its budget"
            assert result.structured_content["alert"] == "over its budget"


@ERAS
async def test_a_long_call_reports_progress(era: str, tmp_path: Path) -> None:
    steps: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    async with hippo_at(tmp_path) as (url, _), speaking(url, era) as speaker:
        await speaker.call_tool("remember", {"text": "something to sleep on"})
        result = await speaker.call_tool("sleep", {}, progress_callback=heard)
        assert not result.is_error
        assert steps == sorted(steps)
        assert len(steps) >= 1


@ERAS
async def test_a_bug_is_told_without_its_insides_and_logged(era: str, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        async def recall(self, asked: Any) -> Answer:
            raise ZeroDivisionError("a private matter")

    async with served(Broken()) as url, speaking(url, era) as speaker:
        with caplog.at_level(logging.ERROR), pytest.raises(MCPError) as told:
            await speaker.call_tool("recall", {"cue": "x"})
        assert told.value.error.code == types.INTERNAL_ERROR
        assert "private" not in told.value.error.message
        assert "ZeroDivisionError" in caplog.text


async def test_a_restart_needs_no_new_session(tmp_path: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory_stats", "arguments": {}}}
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        reply = in_reply(await post(http, call, **{"mcp-session-id": "of-a-daemon-long-gone"}))
        assert reply["result"]["structuredContent"]["memories"] == 0


async def test_a_notification_gets_no_reply(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        for headers in ({}, MODERN):
            reply = await post(http, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **headers)
            assert reply.status_code == 202
            assert reply.content in (b"", b"null")


async def test_both_spellings_of_the_path_answer_without_a_redirect(tmp_path: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    async with hippo_at(tmp_path) as (url, _), client(url, follow_redirects=False) as http:
        for path in ("/mcp", "/mcp/"):
            reply = await http.post(path, json=call, headers=ACCEPT)
            assert len(in_reply(reply)["result"]["tools"]) == len(SETS["standard"])


@pytest.mark.parametrize("headers", [{}, MODERN])
async def test_whatever_the_protocol_refuses_is_json(headers: dict[str, str], tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        wrong = [
            await http.post("/mcp", content=b"{}", headers={**ACCEPT, **headers}),
            await http.post("/mcp", json={}, headers={"accept": "text/html", **headers}),
            await http.post("/mcp", content=b"{", headers={**ACCEPT, "content-type": "application/json", **headers}),
            await http.post("/mcp", json=[], headers={**ACCEPT, **headers}),
        ]
        for reply in wrong:
            assert 400 <= reply.status_code < 500
            assert reply.json()["error"]["message"]


@pytest.mark.parametrize("era", ["older", "newer"])
async def test_halves_of_characters_never_crash_a_call(era: str, tmp_path: Path) -> None:
    params = b'"name":"remember","arguments":{"text":"pair \\ud83d\\ude00 half \\ud83d","entity":"\\udc00"}'
    meta = b"" if era == "older" else b"," + json.dumps(META).encode()[1:-1]
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{' + params + meta + b"}}"
    headers = {**ACCEPT, "content-type": "application/json"}
    if era == "newer":
        headers |= {**MODERN, "mcp-method": "tools/call", "mcp-name": "remember"}
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        result = in_reply(await http.post("/mcp", content=body, headers=headers))["result"]
        assert "U+FFFD" in result["structuredContent"]["note"]
        memories = (await http.get("/api/memories")).json()["memories"]
        assert memories[0]["text"] == "pair 😀 half \ufffd"


@ERAS
async def test_twenty_calls_at_once_on_one_client_are_all_applied(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, service), speaking(url, era) as speaker:
        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(speaker.call_tool, "remember", {"text": f"note {number}"})
        assert (await service.health()).memories == 20


@pytest.mark.parametrize("chosen", ["core", "all"])
async def test_another_set_of_tools_can_be_chosen(chosen: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path, tools=chosen) as (url, _), speaking(url, "legacy") as speaker:
        assert [tool.name for tool in (await speaker.list_tools()).tools] == [row.name for row in SETS[chosen]]


@ERAS
async def test_a_long_export_comes_with_a_link_to_the_whole(era: str) -> None:
    class Exporting(Playing):
        async def export(self, asked: Any) -> Exported:
            long: Exported = msgspec.structs.replace(ANSWERS["export"], characters=90_000, alert="full")
            return long

    async with served(Exporting()) as url, speaking(url, era) as speaker:
        result = await speaker.call_tool("export", {})
        link = result.content[1]
        assert isinstance(link, types.ResourceLink)
        assert str(link.uri) == "hippocampus://export/markdown"
        assert said(result).splitlines()[-1] == "⚠ full"
