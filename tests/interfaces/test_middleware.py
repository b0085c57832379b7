"""Host, Origin and size are checked in front of every route; whatever goes wrong is JSON."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from hippo.interfaces.answers import Receive, Scope, Send, answer
from hippo.interfaces.middleware import Gate
from hippo.limits import body_bytes_max
from tests.interfaces.serving import client, served, settings_for

PATHS = ["/", "/health", "/mcp", "/metrics", "/api/recall", "/api/openapi.json", "/nowhere"]


@asynccontextmanager
async def gated(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with served(None, settings_for(**settings)) as url, client(url) as http:
        yield http


@pytest.mark.parametrize("path", PATHS)
async def test_an_unknown_host_is_refused_on_every_route(path: str) -> None:
    async with gated() as http:
        for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:3000", "evil.example:80"):
            reply = await http.get(path, headers={"host": host})
            assert reply.status_code == 421
            assert reply.json()["error"]["code"] == "host_refused"
            assert "HIPPO_ALLOWED_HOSTS" in reply.json()["error"]["hint"]


async def test_names_of_this_machine_are_welcome_with_any_port() -> None:
    async with gated() as http:
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:3000", "[::1]"):
            assert (await http.get("/", headers={"host": host})).status_code == 200


async def test_an_allowed_host_is_welcome() -> None:
    async with gated(allowed_hosts=("hippo.example", "other.example:8443")) as http:
        for host, status in (("hippo.example", 200), ("hippo.example:444", 200), ("HIPPO.example", 200),
                             ("other.example:8443", 200), ("other.example", 421)):
            assert (await http.get("/", headers={"host": host})).status_code == status


@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_page_is_refused_on_every_route(path: str) -> None:
    async with gated() as http:
        for origin in ("https://evil.example", "null", "https://claude.ai.evil.example", "file://", "http://[bad"):
            for method in ("GET", "POST", "OPTIONS"):
                reply = await http.request(method, path, headers={
                    "origin": origin, "access-control-request-method": "POST"})
                assert reply.status_code == 403
                assert reply.json()["error"]["code"] == "origin_refused"
                assert "access-control-allow-origin" not in reply.headers


async def test_a_known_page_may_call_and_read() -> None:
    async with gated() as http:
        asked = {"origin": "https://claude.ai", "access-control-request-method": "POST",
                 "access-control-request-headers": "content-type, mcp-protocol-version",
                 "access-control-request-private-network": "true"}
        preflight = await http.options("/mcp", headers=asked)
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == "https://claude.ai"
        assert "POST" in preflight.headers["access-control-allow-methods"]
        assert "mcp-protocol-version" in preflight.headers["access-control-allow-headers"]
        assert preflight.headers["access-control-allow-private-network"] == "true"
        reply = await http.get("/api/nowhere", headers={"origin": "https://claude.ai"})
        assert reply.status_code == 404
        assert reply.headers["access-control-allow-origin"] == "https://claude.ai"
        assert reply.headers["vary"] == "origin"


async def test_pages_of_this_machine_and_its_own_page_may_call() -> None:
    async with gated(allowed_hosts=("hippo.example",)) as http:
        for origin in ("http://localhost:5173", "http://127.0.0.1:8000", "https://hippo.example"):
            assert (await http.get("/", headers={"origin": origin})).status_code == 200


@pytest.mark.parametrize("path", ["/api/recall", "/mcp", "/api/remember", "/nowhere"])
@pytest.mark.parametrize("chunked", [True, False])
async def test_a_body_is_measured_by_its_bytes(path: str, chunked: bool) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(2 * body_bytes_max // 65_536):
            yield bytes(65_536)

    async with gated() as http:
        body: Any = pieces() if chunked else bytes(2 * body_bytes_max)
        reply = await http.post(path, content=body, headers={"content-type": "application/json"})
        assert reply.status_code == 413
        assert reply.json()["error"]["code"] == "body_too_large"
        assert (await http.get("/")).status_code == 200


async def test_what_nobody_expected_is_json_and_a_traceback_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        async def health(self) -> None:
            raise ZeroDivisionError("a private matter")

    async with served(Broken()) as url, client(url) as http:
        with caplog.at_level(logging.ERROR):
            reply = await http.get("/health")
        assert reply.status_code == 500
        assert reply.json()["error"]["code"] == "internal"
        assert "private" not in reply.text
        assert "ZeroDivisionError" in caplog.text


async def test_a_bug_after_the_answer_began_cuts_the_connection() -> None:
    sent: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")], "scheme": "http"}
    await Gate(app)(scope, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start"]


async def test_a_websocket_is_closed() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(send, 200, b"", "text/plain")

    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await Gate(app)({"type": "websocket", "path": "/", "headers": []}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1000}]
