"""The relay between a client on stdin and stdout and the daemon."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp
import pytest
import trio
from mcp.client.stdio import StdioServerParameters, stdio_client
from trio.testing import memory_stream_one_way_pair

from hippo import limits
from hippo.interfaces.answers import JSON, Receive, Scope, Send, answer
from hippo.interfaces.mcp.table import SETS
from hippo.interfaces.stdio import relay
from tests.clients.calls import CALLS
from tests.interfaces.serving import hippo_at, served

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
HERE = "import sys, trio; from hippo.interfaces.stdio import relay_here; trio.run(relay_here, sys.argv[1])"


class Talk:
    """A client's end of a relay."""

    def __init__(self, send: trio.abc.SendStream, receive: trio.abc.ReceiveStream) -> None:
        self._send, self._receive, self._rest = send, receive, b""

    async def say(self, message: Any) -> None:
        await self.say_raw(json.dumps(message).encode() + b"\n")

    async def say_raw(self, raw: bytes) -> None:
        await self._send.send_all(raw)

    async def hang_up(self) -> None:
        await self._send.aclose()

    async def hear(self) -> Any:
        """The next message; None at the end."""
        while b"\n" not in self._rest:
            piece = await self._receive.receive_some()
            if not piece:
                assert self._rest == b""
                return None
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    async def ask(self, id: Any, method: str, params: Any = None) -> Any:
        await self.say({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})
        heard = await self.hear()
        assert heard["id"] == id
        return heard


@asynccontextmanager
async def talking(url: str) -> AsyncIterator[Talk]:
    """A client over a relay that has ended when this is left."""
    to_relay, stdin = memory_stream_one_way_pair()
    stdout, from_relay = memory_stream_one_way_pair()
    async with trio.open_nursery() as nursery:

        async def run() -> None:
            await relay(url, stdin, stdout)
            await stdout.aclose()

        nursery.start_soon(run)
        yield Talk(to_relay, from_relay)
        await to_relay.aclose()


class Pretended:
    """An app of a few lines in place of the daemon's `/mcp`, and what it was asked."""

    def __init__(self, serve: Callable[[Any, Receive, Send], Any]) -> None:
        self._serve = serve
        self.headers: list[dict[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.headers.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await self._serve(json.loads((await receive())["body"]), receive, send)


@asynccontextmanager
async def pretending(app: Pretended, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    monkeypatch.setattr("hippo.interfaces.mcp.endpoint.Endpoint.__call__",
                        lambda self, scope, receive, send: app(scope, receive, send))
    async with served(None) as url:
        yield url


async def _result(send: Send, message: Any, result: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}, indent=1).encode()
    await answer(send, 200, body, JSON)


# -- the real daemon ------------------------------------------------------------------------------------------------


async def test_the_older_era_agrees_on_a_version_and_works(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        hello = await talk.ask(1, "initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        assert hello["result"]["serverInfo"]["name"] == "hippo"
        await talk.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = await talk.ask("two", "tools/list")
        assert len(tools["result"]["tools"]) == len(SETS["standard"])
        stored = await talk.ask(3, "tools/call", {"name": "remember", "arguments": {"text": "über 😀\nline"}})
        assert stored["result"]["structuredContent"]["id"]


async def test_the_newer_era_works_with_names_that_no_header_can_hold(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        assert (await talk.ask(1, "server/discover", {"_meta": META}))["result"]["supportedVersions"] == ["2026-07-28"]
        params = {"name": "remember", "arguments": {"text": "x"}, "_meta": META}
        assert (await talk.ask(2, "tools/call", params))["result"]["structuredContent"]["id"]
        unknown = await talk.ask(3, "tools/call", {"name": "ünknown ", "arguments": {}, "_meta": META})
        assert "There is no tool named ünknown" in unknown["error"]["message"]
        assert (await talk.ask(4, "no/such", {"_meta": META}))["error"]["code"] == -32601


async def test_progress_comes_before_the_result(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        params = {"name": "sleep", "arguments": {}, "_meta": {**META, "progressToken": "p"}}
        await talk.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        heard = [await talk.hear()]
        while "id" not in heard[-1]:
            heard.append(await talk.hear())
        assert len(heard) > 1
        assert all(message["method"] == "notifications/progress" for message in heard[:-1])
        assert heard[-1]["result"]["structuredContent"]["cause"] == "sleep"


async def test_many_requests_at_once_are_each_answered_once(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, service), talking(url) as talk:
        for id in range(100):
            await talk.say({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                            "params": {"name": "remember", "arguments": {"text": f"note {id}"}}})
        assert {(await talk.hear())["id"] for _ in range(100)} == set(range(100))
        assert (await service.health()).memories == 100


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
async def test_the_python_client_speaks_through_a_real_process(era: str, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _):
        server = StdioServerParameters(command=sys.executable, args=["-c", HERE, url])
        async with mcp.Client(stdio_client(server), mode=era) as speaker:
            id = ""
            for name, arguments in CALLS.items():
                result = await speaker.call_tool(name, json.loads(json.dumps(arguments).replace("$id", id)))
                assert not result.is_error
                id = result.structured_content.get("id", id)


# -- what may go wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "code"), [
    (b"not json\n", -32700), (b"[]\n", -32600), (b"7\n", -32600), (b'{"jsonrpc":"2.0","id":1}\n', -32600),
    (b"[" * 100_000 + b"\n", -32700),
])
async def test_a_line_that_is_no_message_is_an_error(line: bytes, code: int, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        await talk.say_raw(b"\n \n" + line)
        assert (await talk.hear())["error"]["code"] == code
        assert len((await talk.ask(2, "tools/list"))["result"]["tools"]) == len(SETS["standard"])


async def test_a_line_without_an_end_is_refused_and_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(limits, "stdio_line_bytes_max", 10_000)
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        await talk.say_raw(b"x" * 200_000 + b"\n")
        assert (await talk.hear())["error"]["code"] == -32600
        assert "result" in await talk.ask(2, "tools/list")


async def test_a_message_that_the_daemon_finds_too_large_is_an_error_with_its_words(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), talking(url) as talk:
        params = {"name": "remember", "arguments": {"text": "x" * 2_000_000}}
        refused = await talk.ask(1, "tools/call", params)
        assert "larger than" in refused["error"]["message"]


async def test_no_daemon_is_an_error_and_never_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "stdio_connect_seconds", 0.0)
    async with talking("http://127.0.0.1:9") as talk:
        refused = await talk.ask(1, "tools/list")
        assert refused["error"]["code"] == -32603
        assert "No daemon answers" in refused["error"]["message"]
        await talk.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        await talk.hang_up()
        assert await talk.hear() is None


async def test_a_daemon_that_comes_back_is_found_again(tmp_path: Path) -> None:
    to_relay, stdin = memory_stream_one_way_pair()
    stdout, from_relay = memory_stream_one_way_pair()
    talk = Talk(to_relay, from_relay)
    async with trio.open_nursery() as nursery:
        async with hippo_at(tmp_path) as (url, _):
            nursery.start_soon(relay, url, stdin, stdout)
            assert "result" in await talk.ask(1, "tools/list")
        port = int(url.rpartition(":")[2])
        async with hippo_at(tmp_path, port=port) as (url, _):
            assert "result" in await talk.ask(2, "tools/list")
            await talk.hang_up()


async def test_a_daemon_that_dies_in_the_middle_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(message: Any, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        raise OSError

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        refused = await talk.ask(1, "tools/call", {"name": "remember"})
        assert "may have done what was asked" in refused["error"]["message"]


async def test_an_answer_that_never_comes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(message: Any, receive: Receive, send: Send) -> None:
        await answer(send, 202, b"", JSON)

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        assert "ended its answer" in (await talk.ask(1, "tools/list"))["error"]["message"]


async def test_each_message_becomes_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(message: Any, receive: Receive, send: Send) -> None:
        await _result(send, message, {"text": "a\nb\u2028c"})

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        assert (await talk.ask(1, "tools/list"))["result"] == {"text": "a\nb\u2028c"}


async def test_headers_say_what_each_era_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(message: Any, receive: Receive, send: Send) -> None:
        await _result(send, message, {"protocolVersion": "2025-11-25"})

    app = Pretended(serve)
    async with pretending(app, monkeypatch) as url, talking(url) as talk:
        await talk.ask(1, "initialize")
        await talk.ask(2, "tools/list")
        await talk.ask(3, "tools/call", {"name": "Zürich", "_meta": META})
        await talk.ask(4, "resources/read", {"uri": "a://b", "_meta": META})
    shown = [{name: value for name, value in row.items() if name.startswith("mcp")} for row in app.headers]
    new = {"mcp-protocol-version": "2026-07-28"}
    assert shown == [
        {}, {"mcp-protocol-version": "2025-11-25"},
        {**new, "mcp-method": "tools/call", "mcp-name": "=?base64?WsO8cmljaA==?="},
        {**new, "mcp-method": "resources/read", "mcp-name": "a://b"},
    ]


async def test_a_cancelled_request_is_given_up_and_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, asked = trio.Event(), trio.Event()

    async def serve(message: Any, receive: Receive, send: Send) -> None:
        if message["id"] == 1:
            asked.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()
        else:
            await _result(send, message, {})

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        await talk.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "sleep"}})
        await asked.wait()
        await talk.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        await gone.wait()
        assert (await talk.ask(2, "tools/list"))["result"] == {}


async def test_the_client_closing_its_end_lets_what_is_pending_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, go = trio.Event(), trio.Event()

    async def serve(message: Any, receive: Receive, send: Send) -> None:
        asked.set()
        await go.wait()
        await _result(send, message, {})

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        await talk.say_raw(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')  # even without a line's end
        await talk.hang_up()
        await asked.wait()
        go.set()
        assert (await talk.hear())["id"] == 1
        assert await talk.hear() is None


async def test_what_stays_pending_does_not_outlive_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "stdio_drain_seconds", 0.05)
    monkeypatch.setattr(limits, "grace_seconds", 0.1)

    async def serve(message: Any, receive: Receive, send: Send) -> None:
        await trio.sleep_forever()

    async with pretending(Pretended(serve), monkeypatch) as url, talking(url) as talk:
        await talk.say({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        await talk.hang_up()
        assert await talk.hear() is None


async def test_a_client_that_reads_no_more_ends_the_relay(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _):
        to_relay, stdin = memory_stream_one_way_pair()
        stdout, from_relay = memory_stream_one_way_pair()
        await from_relay.aclose()
        await to_relay.send_all(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        await relay(url, stdin, stdout)
        await to_relay.aclose()


# -- a process of its own -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_process_at_once(number: signal.Signals, tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), trio.open_nursery() as nursery:
        process = await nursery.start(lambda task_status: trio.run_process(
            [sys.executable, "-c", HERE, url], stdin=subprocess.PIPE, capture_stdout=False, stdout=subprocess.PIPE,
            task_status=task_status))
        talk = Talk(process.stdin, process.stdout)
        assert "result" in await talk.ask(1, "tools/list")
        process.send_signal(number)
        with trio.fail_after(5):
            assert await process.wait() == 0


async def test_nothing_but_messages_is_on_stdout(tmp_path: Path) -> None:
    noisy = HERE.replace("trio.run(", "print_later = __import__('atexit').register(print, 'noise'); trio.run(")
    lines = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    async with hippo_at(tmp_path) as (url, _):
        done = await trio.run_process([sys.executable, "-c", noisy, url], stdin=lines, capture_stdout=True,
                                      capture_stderr=True)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1]
    assert b"noise" in done.stderr


def test_it_loads_neither_the_protocol_library_nor_the_brain() -> None:
    look = "import hippo.interfaces.stdio, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"mcp", "mcp_types", "pydantic", "numpy", "starlette", "httpx", "msgspec", "hypercorn", "asyncio"}
    assert heavy.isdisjoint(loaded)
