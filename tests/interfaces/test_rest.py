"""The REST API over a real store."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from hippo import limits
from hippo.interfaces.rest import ROUTES
from hippo.interfaces.schema import answer_schema
from hippo.model.drawing import Drawing
from hippo.model.health import Health
from hippo.model.inspection import Inspection
from hippo.model.page import Page
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from tests.interfaces.serving import client, hippo_at, served


async def test_what_was_remembered_is_recalled_byte_for_byte(tmp_path: Path) -> None:
    text = "Anna's \u0000 tab\t\r\n émoji 😀 漢字 \\ud83d %_\\ Ⅸ"
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        stored = (await http.post("/api/remember", json={"text": text, "tags": ["a", "b"], "entity": "Anna"})).json()
        assert stored["action"] == "stored"
        answer = (await http.post("/api/recall", json={"cue": "Anna's tab", "peek": True})).json()
        jsonschema.validate(answer, answer_schema(Answer))
        assert answer["results"][0]["id"] == stored["id"]
        assert answer["results"][0]["text"] == text
        assert answer["results"][0]["tags"] == ["a", "b"]
        one = (await http.get(f"/api/memories/{stored['id'].lower()}")).json()
        jsonschema.validate(one, answer_schema(Inspection))
        assert one["text"] == text


async def test_an_answer_names_its_action_and_all_that_the_specification_names(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        stored = (await http.post("/api/remember", json={"text": "x y z"})).json()
        assert {"id", "action", "novelty", "near_matches"} <= set(stored)


async def test_a_batch_answers_row_by_row(tmp_path: Path) -> None:
    rows = [{"text": "one"}, {"txt": "two"}, {"text": ""}, 7, None, {"text": "x" * 50_001}, {"text": "six"}]
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        reply = await http.post("/api/remember", json={"memories": rows})
        assert reply.status_code == 200
        results = reply.json()["results"]
        codes = [row.get("error", {}).get("code", "ok") for row in results]
        assert codes == ["ok", "unknown_argument", "empty_text", "invalid_argument", "invalid_argument",
                         "text_too_long", "ok"]
        assert "Did you mean text?" in results[1]["error"]["hint"]
        assert (await http.post("/api/remember", json={"memories": []})).json() == {"results": []}


async def test_a_batch_has_a_limit_and_takes_nothing_beside_it(tmp_path: Path) -> None:
    too_many = {"memories": [{"text": "x"}] * (limits.batch_memories_max + 1)}
    async with hippo_at(tmp_path) as (url, service), client(url) as http:
        for body in (too_many, {"memories": [], "agent_id": "a"}, {"memories": {"text": "x"}}):
            reply = await http.post("/api/remember", json=body)
            assert reply.status_code == 400
        assert (await service.health()).memories == 0


@pytest.mark.parametrize(("body", "text", "mended"), [
    (b'{"text": "\\ud83d\\ude00"}', "😀", False),
    (b'{"text": "a \\ud83d b"}', "a \ufffd b", True),
    (b'{"text": "\xed\xa0\xbd\xed\xb8\x80"}', "😀", False),
    (b'{"text": "\xed\xa0\xbd"}', "\ufffd", True),
    (b'{"text": "was \\ufffd before"}', "was \ufffd before", False),
])
async def test_halves_of_characters_are_joined_or_replaced_and_said(
    body: bytes, text: str, mended: bool, tmp_path: Path
) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        stored = (await http.post("/api/remember", content=body)).json()
        assert ("U+FFFD" in (stored.get("note") or "")) == mended
        assert (await http.get(f"/api/memories/{stored['id']}")).json()["text"] == text


async def test_memories_are_listed_page_by_page(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        await http.post("/api/remember", json={"memories": [
            {"text": f"number {n}", "tags": ["odd"] if n % 2 else [], "scope": "s"} for n in range(7)]})
        first = (await http.get("/api/memories", params={"limit": 4})).json()
        jsonschema.validate(first, answer_schema(Page))
        second = (await http.get("/api/memories", params={"limit": 4, "before": first["next"]})).json()
        seen = [row["text"] for row in first["memories"] + second["memories"]]
        assert seen == [f"number {n}" for n in range(6, -1, -1)]
        assert second["next"] is None
        odd = (await http.get("/api/memories?tags=odd&scope=s&scope=t")).json()["memories"]
        assert [row["text"] for row in odd] == ["number 5", "number 3", "number 1"]
        assert (await http.get("/api/memories?scope=")).json()["memories"] == []


async def test_every_figure_holds_to_its_schema(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        assert (await http.get("/api/report")).json() is None
        await http.post("/api/remember", json={"text": "x"})
        for path, result in (("/api/stats?verify=1", Stats), ("/health", Health), ("/api/preview", Report)):
            jsonschema.validate((await http.get(path)).json(), answer_schema(result))
        report = await http.post("/api/sleep")
        jsonschema.validate(report.json(), answer_schema(Report))
        assert (await http.get("/api/report")).json()["cause"] == "sleep"
        assert (await http.get("/api/agents")).json() == {"agents": [{"agent_id": "default", "memories": 1}]}
        jsonschema.validate((await http.get("/api/graph?limit=10")).json(), answer_schema(Drawing))
        assert (await http.get("/api/stats")).json()["last_report"]["at"].endswith("Z")


async def test_time_is_skipped_only_in_a_demo(tmp_path: Path) -> None:
    async with hippo_at(tmp_path / "real") as (url, _), client(url) as http:
        assert (await http.post("/api/timeskip", json={"days": 1})).status_code == 403
        assert (await http.get("/health")).json()["timeskip"] is False
    async with hippo_at(tmp_path / "demo", demo=True) as (url, _), client(url) as http:
        assert (await http.post("/api/timeskip", json={"days": "1"})).status_code == 200
        assert (await http.get("/health")).json()["timeskip"] is True


async def test_health_is_503_while_it_cannot_write() -> None:
    class Sick:
        async def health(self) -> Health:
            return Health(status="degraded", version="0", uptime_s=1.0, memories=3, writable=False, timeskip=False)

    async with served(Sick()) as url, client(url) as http:
        reply = await http.get("/health")
        assert reply.status_code == 503
        assert reply.json()["writable"] is False


@pytest.mark.parametrize(("method", "path", "status", "code"), [
    ("GET", "/api/nowhere", 404, "no_such_route"),
    ("GET", "/api/memories/", 404, "no_such_route"),
    ("GET", "/../etc/passwd", 404, "no_such_route"),
    ("GET", "/api/memories/00000000", 404, "not_found"),
    ("PUT", "/api/recall", 405, "method_not_allowed"),
    ("DELETE", "/mcp", 405, "method_not_allowed"),
    ("GET", "/mcp", 405, "method_not_allowed"),
    ("POST", "/", 405, "method_not_allowed"),
    ("POST", "/metrics", 405, "method_not_allowed"),
    ("GET", "/api/memories?limit=0", 400, "invalid_argument"),
    ("GET", "/api/memories?limt=5", 400, "unknown_argument"),
    ("GET", "/api/memories?since=2026-02-30", 400, "not_an_instant"),
    ("POST", "/api/remember", 400, "invalid_argument"),
])
async def test_whatever_is_refused_is_json(method: str, path: str, status: int, code: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        reply = await http.request(method, path)
        assert reply.status_code == status
        error = reply.json()["error"]
        assert set(error) == {"code", "message", "hint"}
        assert error["code"] == code
        if status == 405:
            assert reply.headers["allow"]


async def test_head_is_get_without_a_body_and_options_says_what_is_allowed(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        for path in ("/health", "/", "/metrics", "/api/stats"):
            reply = await http.head(path)
            assert reply.status_code == 200
            assert reply.content == b""
        assert (await http.options("/api/stats")).headers["allow"] == "GET, HEAD, OPTIONS"


def test_every_route_of_the_specification_so_far_is_there() -> None:
    routes = {
        "POST": {"/api/remember", "/api/recall", "/api/sleep", "/api/timeskip", "/api/memories/{id}/restore", "/api/forget",
                 "/api/purge", "/api/merge", "/api/merge-entities", "/api/relate", "/api/facts", "/api/messages", "/api/import",
                 "/api/blocks/{key}"},
        "GET": {"/api/graph", "/api/stats", "/api/preview", "/api/agents", "/api/memories", "/api/report", "/api/events",
                "/api/memories/{id}", "/health", "/api/export", "/api/conversation", "/api/context", "/api/consolidate",
                "/api/version", "/api/onboard", "/api/blocks", "/api/blocks/{key}"},
        "PATCH": {"/api/memories/{id}", "/api/blocks/{key}"},
        "DELETE": {"/api/memories/{id}", "/api/blocks/{key}"},
    }
    assert {method: {route.path for route in ROUTES if route.method == method} for method in routes} == routes
    assert {route.method for route in ROUTES} == set(routes)
