"""The routes of knowledge, over a service that a test plays and over a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
import trio

from hippo.errors import StoreUnwritable
from hippo.interfaces.downloads import disposition
from hippo.interfaces.rest import ROUTES
from hippo.interfaces.schema import answer_schema
from hippo.model.knowledge import Blocks, Forgot, Updated
from hippo.model.knowledge_verb import (
    AppendBlock,
    CheckVersion,
    Consolidate,
    Context,
    DeleteBlock,
    Forget,
    LogMessages,
    Merge,
    MergeEntities,
    Message,
    Onboard,
    Purge,
    RecallBlock,
    RecallConversation,
    Relate,
    RememberFacts,
    ReplaceBlock,
    Update,
)
from tests.interfaces.playing import Playing
from tests.interfaces.serving import client, hippo_at, served

REQUESTS: list[tuple[str, str, Any, str, Any]] = [
    ("PATCH", "/api/memories/0K7QF3M2", {"text": "x", "tags": "a, b"}, "update", Update(id="0K7QF3M2", text="x", tags=["a", "b"])),
    ("DELETE", "/api/memories/0K7QF3M2", None, "forget", Forget(id="0K7QF3M2")),
    ("DELETE", "/api/memories/0K7QF3M2?dry_run=1&agent_id=b", None, "forget", Forget(id="0K7QF3M2", dry_run=True, agent_id="b")),
    ("DELETE", "/api/memories/0K7QF3M2", {"dryRun": True}, "forget", Forget(id="0K7QF3M2", dry_run=True)),
    ("POST", "/api/forget", {"entity": "Anna", "text": "x"}, "forget", Forget(entity="Anna", text="x")),
    ("POST", "/api/forget?dry_run=true", {"entity": "Anna"}, "forget", Forget(entity="Anna", dry_run=True)),
    ("POST", "/api/purge", {"before": "2026-01-01", "dry_run": False}, "purge", Purge(before="2026-01-01", dry_run=False)),
    ("POST", "/api/purge", None, "purge", Purge()),
    ("POST", "/api/merge", {"ids": ["A", "B"], "text": "x"}, "merge", Merge(ids=["A", "B"], text="x")),
    ("POST", "/api/merge-entities", {"sources": ["a"], "target": "b"}, "merge_entities", MergeEntities(sources=["a"], target="b")),
    ("POST", "/api/relate", {"source": "a", "relation": "knows", "target": "b"}, "relate",
     Relate(source="a", relation="knows", target="b")),
    ("POST", "/api/facts", {"text": "x"}, "remember_facts", RememberFacts(text="x")),
    ("POST", "/api/messages", {"messages": [{"role": "user", "text": "hi"}], "conversation": "c"}, "log_messages",
     LogMessages(messages=[Message(role="user", text="hi")], conversation="c")),
    ("GET", "/api/conversation?query=hi&k=3", None, "recall_conversation", RecallConversation(query="hi", k=3)),
    ("GET", "/api/context?topic=the+move&depth=2&scope=a&scope=b", None, "context",
     Context(topic="the move", depth=2, scope=["a", "b"])),
    ("GET", "/api/consolidate?mode=sleep&age_days=7", None, "consolidate", Consolidate(mode="sleep", age_days=7)),
    ("GET", "/api/version?entity=Anna&hash=9f", None, "check_version", CheckVersion(entity="Anna", hash="9f")),
    ("GET", "/api/onboard", None, "onboard", Onboard()),
    ("GET", "/api/blocks", None, "recall_block", RecallBlock()),
    ("GET", "/api/blocks/persona?agent_id=b", None, "recall_block", RecallBlock(key="persona", agent_id="b")),
    ("GET", "/api/blocks/of%2Fwork%20%C3%A9", None, "recall_block", RecallBlock(key="of/work é")),
    ("POST", "/api/blocks/persona", {"text": "x"}, "append_block", AppendBlock(key="persona", text="x")),
    ("PATCH", "/api/blocks/persona", {"old": "x", "new": ""}, "replace_block", ReplaceBlock(key="persona", old="x", new="")),
    ("DELETE", "/api/blocks/persona", None, "delete_block", DeleteBlock(key="persona")),
    ("GET", "/api/export", None, "export_file", ("json", None)),
    ("GET", "/api/export?format=claude-md&agent_id=b", None, "export_file", ("claude-md", "b")),
]


@pytest.mark.parametrize(("method", "path", "body", "asked", "verb"), REQUESTS)
async def test_a_route_asks_its_verb(method: str, path: str, body: Any, asked: str, verb: Any) -> None:
    service = Playing(alert="over its budget")
    async with served(service) as url, client(url) as http:
        reply = await http.request(method, path, json=body) if body is not None else await http.request(method, path)
        assert reply.status_code == 200, reply.text
        assert service.asked == [(asked, verb)]
        if asked != "export_file":
            result = next(route.result for route in ROUTES if route.method == method and route.verb is type(verb))
            jsonschema.validate(reply.json(), answer_schema(result))
            assert reply.json()["alert"] == "over its budget"


@pytest.mark.parametrize(("method", "path", "body"), [
    ("DELETE", "/api/memories/0K7QF3M2?dryrun=1", None),
    ("DELETE", "/api/memories/0K7QF3M2?dry_run=1", {"dry_run": False}),
    ("DELETE", "/api/memories/0K7QF3M2", {"id": "0K7QF3M3"}),
    ("DELETE", "/api/memories/0K7QF3M2", ["dry_run"]),
    ("DELETE", "/api/memories/0K7QF3M2?id=0K7QF3M3", None),
    ("POST", "/api/forget?agent=b", {"entity": "Anna"}),
    ("POST", "/api/forget?dry_run=1", {"entity": "Anna", "dryRun": False}),
    ("POST", "/api/forget?dry_run=1", "Anna"),
    ("POST", "/api/forget", {"entity": "Anna", "dry_run": "perhaps"}),
    ("POST", "/api/purge?dryrun=1", None),
    ("DELETE", "/api/blocks/persona?agent=b", None),
])
async def test_nothing_that_is_said_beside_widens_what_is_erased(method: str, path: str, body: Any) -> None:
    service = Playing()
    async with served(service) as url, client(url) as http:
        reply = await (http.request(method, path) if body is None else http.request(method, path, json=body))
        assert reply.status_code == 400
        assert reply.json()["error"]["code"] in ("invalid_argument", "unknown_argument")
        assert service.asked == []


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/api/blocks/", 404), ("PUT", "/api/blocks/persona", 405), ("PATCH", "/api/memories", 405),
    ("GET", "/api/blocks/a/b", 404), ("DELETE", "/api/memories", 405), ("GET", "/api/forget", 405), ("PATCH", "/api/memories/x/restore", 405),
])
async def test_what_a_path_does_not_answer_is_refused(method: str, path: str, status: int) -> None:
    async with served(Playing()) as url, client(url) as http:
        assert (await http.request(method, path)).status_code == status


async def test_a_path_says_what_it_allows() -> None:
    async with served(Playing()) as url, client(url) as http:
        assert (await http.options("/api/memories/x")).headers["allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS"
        assert (await http.options("/api/blocks/x")).headers["allow"] == "GET, POST, PATCH, DELETE, HEAD, OPTIONS"


async def test_a_text_with_half_a_character_is_said_to_be_mended() -> None:
    headers = {"content-type": "application/json"}
    async with served(Playing()) as url, client(url) as http:
        for method, path in (("PATCH", "/api/memories/x"), ("POST", "/api/facts")):
            reply = await http.request(method, path, content=b'{"text": "a \\ud83d"}', headers=headers)
            assert "U+FFFD" in reply.json()["note"]


async def test_an_export_is_a_file_that_a_browser_saves() -> None:
    async with served(Playing()) as url, client(url) as http:
        reply = await http.get("/api/export")
        assert reply.json() == {"format": "hippo"}
        assert reply.headers["content-type"] == "application/json"
        assert reply.headers["content-disposition"] == (
            "attachment; filename=\"Zo_'s memory.json\"; filename*=UTF-8''Zo%C3%AB%27s%20memory.json")
        assert "content-length" not in reply.headers
        head = await http.head("/api/export")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-disposition"] == reply.headers["content-disposition"]


def test_a_file_name_cannot_leave_its_header() -> None:
    assert disposition('a"\r\nset-cookie: x/\\y.md') == (
        "attachment; filename=\"a___set-cookie: x__y.md\"; filename*=UTF-8''a%22%0D%0Aset-cookie%3A%20x%2F%5Cy.md")


class Endless(Playing):
    """An export without end; `ended` once nobody makes any more of it."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = trio.Event()

    async def _pieces(self) -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"x" * 65_536
                await trio.lowlevel.checkpoint()
        finally:
            self.ended.set()


async def test_a_client_that_leaves_ends_the_making_of_its_export() -> None:
    service = Endless()
    async with served(service) as url, client(url) as http:
        async with await trio.open_tcp_stream("127.0.0.1", int(url.rpartition(":")[2])) as leaving:
            await leaving.send_all(b"GET /api/export HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert (await leaving.receive_some()).startswith(b"HTTP/1.1 200")
        with trio.fail_after(10):
            await service.ended.wait()
        service.ended = trio.Event()
        await http.head("/api/export")
        with trio.fail_after(10):
            await service.ended.wait()


@pytest.mark.filterwarnings("ignore:Async generator 'http(core|x):ResourceWarning")
async def test_what_fails_before_the_first_byte_is_refused_and_what_fails_later_is_cut() -> None:
    class Failing(Playing):
        late = False

        async def _pieces(self) -> AsyncIterator[bytes]:
            if self.late:
                yield b"{"
            raise StoreUnwritable(folder="x", why="it is full")

    service = Failing()
    async with served(service) as url, client(url) as http:
        refused = await http.get("/api/export")
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "store_unwritable"
        service.late = True
        with pytest.raises(httpx.RemoteProtocolError):
            await http.get("/api/export")
        assert (await http.get("/api/export?format=pdf")).json()["error"]["message"] == (
            "export: format takes claude-md, markdown, json, wire or obsidian, not pdf.")


async def test_a_memory_is_corrected_and_erased_by_its_path(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        stored = (await http.post("/api/remember", json={"text": "Anna prefers the window seat."})).json()
        path = f"/api/memories/{stored['id']}"
        updated = (await http.patch(path, json={"text": "Anna prefers the aisle seat."})).json()
        jsonschema.validate(updated, answer_schema(Updated))
        assert (await http.get(path)).json()["text"] == "Anna prefers the aisle seat."
        shown = (await http.delete(path, params={"dry_run": True})).json()
        assert shown["dry_run"] is True
        forgot = (await http.delete(path)).json()
        jsonschema.validate(forgot, answer_schema(Forgot))
        assert [row["id"] for row in forgot["memories"]] == [stored["id"]]
        assert (await http.get(path)).status_code == 404


async def test_a_block_is_made_changed_and_erased_by_its_path(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        for text in ("Speaks plainly.", "Likes tea."):
            assert (await http.post("/api/blocks/of%2Fwork", json={"text": text})).status_code == 200
        assert (await http.patch("/api/blocks/of%2Fwork", json={"old": "tea", "new": "coffee"})).json()["text"] == (
            "Speaks plainly.\nLikes coffee.")
        listed = (await http.get("/api/blocks")).json()
        jsonschema.validate(listed, answer_schema(Blocks))
        assert [row["key"] for row in listed["blocks"]] == ["of/work"]
        assert (await http.delete("/api/blocks/of%2Fwork")).status_code == 200
        assert (await http.get("/api/blocks/of%2Fwork")).status_code == 404
