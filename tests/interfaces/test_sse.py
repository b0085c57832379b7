"""Events reach whoever listens, can be resumed, and never keep the daemon from ending."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo import limits
from hippo.interfaces.sse import frame, last_event_id
from hippo.runtime.messages import Announce, Event
from tests.interfaces.serving import client, hippo_at, served


class Listener:
    """A plain client: HTTP/1.0, so that what arrives is the stream itself."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream, self._rest = stream, b""
        self.head = ""

    async def next_block(self) -> str | None:
        """What comes up to the next blank line; None at the end of the stream."""
        while b"\n\n" not in self._rest.replace(b"\r\n", b"\n"):
            piece = await self._stream.receive_some()
            if not piece:
                return None
            self._rest += piece
        block, _, self._rest = self._rest.replace(b"\r\n", b"\n").partition(b"\n\n")
        return block.decode()

    async def next_event(self) -> dict[str, str] | None:
        """The fields of the next event; comments are passed over."""
        while (block := await self.next_block()) is not None:
            if not block.startswith(":"):
                return dict(line.split(": ", 1) for line in block.splitlines())
        return None


@asynccontextmanager
async def listening(url: str, query: str = "", last: str = "") -> AsyncIterator[Listener]:
    host, _, port = url.removeprefix("http://").partition(":")
    header = f"last-event-id: {last}\r\n" if last else ""
    async with await trio.open_tcp_stream(host, int(port)) as stream:
        await stream.send_all(f"GET /api/events{query} HTTP/1.0\r\nhost: localhost\r\n{header}\r\n".encode())
        listener = Listener(stream)
        listener.head = await listener.next_block() or ""
        assert await listener.next_event() == {"retry": "2000"}
        yield listener


class Telling:
    """A service of which only the events are real."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        self.send, self.receive = trio.open_memory_channel[Event](0)
        self.asked: list[tuple[str | None, int | None]] = []
        self.data = data or {}

    @asynccontextmanager
    async def subscribe(self, agent_id: str | None, after: int | None) -> AsyncIterator[Any]:
        self.asked.append((agent_id, after))
        yield self.receive


async def test_what_happens_arrives_with_its_id_and_can_be_resumed(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        async with listening(url) as listener:
            assert "content-type: text/event-stream" in listener.head
            await http.post("/api/remember", json={"text": "one"})
            first = await listener.next_event()
            assert first is not None
            assert first["event"] == "remembered"
            await http.post("/api/remember", json={"text": "two"})
            second = await listener.next_event()
            assert second is not None
            assert int(second["id"]) > int(first["id"])
        async with listening(url, last=first["id"]) as listener:
            assert await listener.next_event() == second


async def test_an_agent_hears_nothing_of_another(tmp_path: Path) -> None:
    async with (hippo_at(tmp_path) as (url, _), client(url) as http, listening(url, "?agent_id=anna") as listener):
        secret = (await http.post("/api/remember", json={"text": "secret", "agent_id": "bob"})).json()["id"]
        mine = (await http.post("/api/remember", json={"text": "mine", "agent_id": "anna"})).json()["id"]
        heard = await listener.next_event()
        assert heard is not None
        assert mine in heard["data"]
        assert secret not in heard["data"]


async def test_a_place_may_also_be_named_in_the_address() -> None:
    telling = Telling()
    async with served(telling) as url, client(url) as http:
        async with listening(url, "?last_event_id=7&agent_id=a"):
            pass
        async with listening(url, "?last_event_id=7", last="9"):
            pass
        assert telling.asked == [("a", 7), (None, 9)]
        assert (await http.get("/api/events", headers={"last-event-id": "x"})).status_code == 400


async def test_a_stream_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "heartbeat_seconds", 0.02)
    async with served(Telling()) as url, listening(url) as listener:
        for _ in range(3):
            block = await listener.next_block()
            assert block is not None
            assert block.startswith(":")


async def test_a_stream_ends_properly_when_the_service_ends_it() -> None:
    telling = Telling()
    async with served(telling) as url, listening(url) as listener:
        await telling.send.send(Event(1, "remembered", None, {"id": "A"}))
        await telling.send.aclose()
        assert await listener.next_event() == {"id": "1", "event": "remembered", "data": '{"id":"A"}'}
        assert await listener.next_event() is None


async def test_a_client_that_leaves_is_noticed() -> None:
    left = trio.Event()

    class Noticing(Telling):
        @asynccontextmanager
        async def subscribe(self, agent_id: str | None, after: int | None) -> AsyncIterator[Any]:
            try:
                yield self.receive
            finally:
                left.set()

    async with served(Noticing()) as url:
        async with listening(url):
            assert not left.is_set()
        await left.wait()


async def test_shutting_down_ends_every_stream_properly_and_at_once() -> None:
    ready = trio.Semaphore(0)
    took: list[float] = []

    async def listen(url: str) -> None:
        async with listening(url) as listener:
            ready.release()
            assert await listener.next_event() is None

    async with trio.open_nursery() as nursery:
        async with served(Telling()) as url:
            for _ in range(5):
                nursery.start_soon(listen, url)
            for _ in range(5):
                await ready.acquire()
            began = trio.current_time()
        took.append(trio.current_time() - began)
    assert took[0] < limits.grace_seconds / 2


async def test_a_client_that_reads_on_after_a_while_is_told_that_it_has_missed_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "subscriber_events", 4)
    monkeypatch.setattr(limits, "send_stall_seconds", 60.0)
    async with hippo_at(tmp_path) as (url, service), listening(url) as listener:
        for number in range(60):  # more than any kernel keeps for one who does not read
            await service.broadcaster.ask(Announce("remembered", "default", {"text": str(number) * 100_000}))
        heard = []
        while "lagged" not in heard:
            event = await listener.next_event()
            assert event is not None
            heard.append(event["event"])
        assert 4 <= len(heard) < 60
        await service.broadcaster.ask(Announce("remembered", "default", {"text": "after"}))
        assert json.loads((await listener.next_event() or {})["data"]) == {"text": "after"}


async def test_a_client_that_stops_reading_does_not_keep_the_daemon_from_ending(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "send_stall_seconds", 0.3)
    telling, began = Telling(), 0.0
    async with trio.open_nursery() as nursery:
        async with served(telling) as url:
            host, _, port = url.removeprefix("http://").partition(":")
            stream = await trio.open_tcp_stream(host, int(port))
            await stream.send_all(b"GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            taken, full = 0, False
            while not full:  # until nothing is taken any more: the kernel's buffers are full
                with trio.move_on_after(0.2) as scope:
                    await telling.send.send(Event(taken, "remembered", None, {"text": "x" * 500_000}))
                full = scope.cancelled_caught
                taken += 1
            began = trio.current_time()
        nursery.cancel_scope.cancel()
    assert taken > 1
    assert trio.current_time() - began < 3.0
    await stream.aclose()


def test_an_event_is_one_line_of_json_whatever_is_in_it() -> None:
    event = Event(5, "remembered", "a", {"text": "a\nb\r\nc\u2028d", "created_at": 0})
    lines = frame(event).split(b"\n")
    assert lines[:2] == [b"id: 5", b"event: remembered"]
    assert json.loads(lines[2].removeprefix(b"data: ")) == {
        "text": "a\nb\r\nc\u2028d", "created_at": "1970-01-01T00:00:00.000Z"}
    assert lines[3:] == [b"", b""]
    assert b"\r" not in frame(event)


def test_no_last_event_id_means_from_now_on() -> None:
    assert last_event_id(None) is None
    assert last_event_id(" ") is None
    assert last_event_id("12") == 12
