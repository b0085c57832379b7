"""Starting and ending the HTTP server."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import trio

from hippo import limits
from hippo.errors import AddressInUse, BadSetting
from hippo.interfaces import server
from hippo.interfaces.server import serve_http
from hippo.model.health import Health
from tests.interfaces.serving import client, served, settings_for


class Slow:
    """A service whose health takes as long as a test wants."""

    def __init__(self) -> None:
        self.asked, self.answer = trio.Event(), trio.Event()

    async def health(self) -> Health:
        self.asked.set()
        await self.answer.wait()
        return Health(status="ok", version="0", uptime_s=0.0, memories=0, writable=True, timeskip=False)


@asynccontextmanager
async def taken_port() -> AsyncIterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


async def test_a_port_that_is_taken_is_a_clear_error() -> None:
    async with taken_port() as port:
        with pytest.raises(AddressInUse) as refused:
            await serve_http(cast(Any, None), settings_for(port=port), trio.Event())
        assert str(port) in refused.value.message
        assert "--port" in refused.value.advice


async def test_an_address_of_another_machine_is_a_clear_error() -> None:
    with pytest.raises(BadSetting):
        await serve_http(cast(Any, None), settings_for(host="192.0.2.1"), trio.Event())


async def test_it_listens_on_the_other_loopback_too() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    async with served(None, settings_for(host="::1")) as url, client(url) as http:
        assert url.startswith("http://[::1]:")
        assert (await http.get("/")).status_code == 200


async def test_a_running_request_is_answered_while_the_daemon_ends() -> None:
    slow = Slow()
    async with trio.open_nursery() as nursery:
        statuses: list[int] = []

        async def ask(url: str) -> None:
            async with client(url) as http:
                statuses.append((await http.get("/health")).status_code)

        async def answer() -> None:
            await trio.sleep(0.05)
            slow.answer.set()

        async with served(slow) as url:
            nursery.start_soon(ask, url)
            await slow.asked.wait()
            nursery.start_soon(answer)
    assert statuses == [200]


async def test_a_request_that_takes_too_long_is_cut_off_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "grace_seconds", 0.1)
    slow = Slow()
    async with trio.open_nursery() as nursery:
        async with served(slow) as url:
            host, _, port = url.removeprefix("http://").partition(":")
            stream = await trio.open_tcp_stream(host, int(port))
            await stream.send_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            await slow.asked.wait()
        nursery.cancel_scope.cancel()
    await stream.aclose()


async def test_it_listens_when_mcp_can_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bool] = []
    make = server._open_endpoint
    monkeypatch.setattr(server, "_open_endpoint", lambda *args: opened.append(True) or make(*args))
    async with served(None):
        assert opened == [True]


def test_a_command_needs_no_mcp_library() -> None:
    look = "import hippo.interfaces.server, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout.split()
    assert {"mcp", "mcp_types", "pydantic", "starlette"}.isdisjoint(loaded)


@pytest.mark.parametrize("path", ["/", "/mark.svg", "/api/openapi.json", "/nowhere"])
async def test_an_answer_leaves_in_one_piece(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[bytes] = []
    send_all = trio.SocketStream.send_all

    async def noted(self: trio.SocketStream, data: bytes) -> None:
        if data.startswith(b"HTTP/1.1") or pieces:
            pieces.append(bytes(data))
        await send_all(self, data)

    monkeypatch.setattr(trio.SocketStream, "send_all", noted)
    async with served(None) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        async with await trio.open_tcp_stream(host, int(port)) as stream:
            for method in ("GET", "HEAD"):
                pieces.clear()
                await stream.send_all(f"{method} {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
                seen = b""
                while b"\r\n\r\n" not in seen:
                    seen += await stream.receive_some()
                head, _, body = pieces[0].partition(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split()[0])
                assert len(body) == min(length if method == "GET" else 0, limits.send_piece_bytes - len(head) - 4)


async def test_one_connection_serves_thousands_of_requests() -> None:
    async with served(None) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        stream = await trio.open_tcp_stream(host, int(port))
        for _ in range(1_200):
            await stream.send_all(b"GET /mark.svg HTTP/1.1\r\nhost: localhost\r\nif-none-match: x\r\n\r\n")
            seen = b""
            while b"</svg>" not in seen:
                piece = await stream.receive_some()
                assert piece
                seen += piece
            assert b"connection: close" not in seen.lower()
        await stream.aclose()


@pytest.mark.parametrize("headers", [{}, {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"}])
async def test_an_idle_connection_does_not_delay_the_end(headers: dict[str, str]) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta} if headers else {}}
    async with served(None) as url:
        http = client(url, headers={"accept": "application/json, text/event-stream", **headers})
        assert (await http.get("/")).status_code == 200
        assert (await http.post("/mcp", json=call)).status_code == 200
        began = trio.current_time()
    assert trio.current_time() - began < limits.grace_seconds / 2
    await http.aclose()
