"""Turns: who waits for whom among writes and recalls."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hippo import limits
from hippo.interfaces.turns import Turn, Turns, away, came, part
from hippo.model.recollection import Answer
from hippo.model.stored import Stored
from hippo.store.store import Store
from tests.interfaces.serving import client, hippo_at, served

ACCEPT = {"accept": "application/json, text/event-stream"}
MODERN = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "remember"}
META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {}}}


class Stage:
    """Calls that act when a test says so, and what they did in their order."""

    def __init__(self, turns: Turns) -> None:
        self.turns, self.did = turns, list[str]()
        self.go: dict[str, trio.Event] = {}

    async def write(self, name: str) -> None:
        """Begins, goes away, comes back, ends: each when it is its turn, the last three when told."""
        async with self.turns.one("write"):
            await self._act(name, "begins")
            async with away():
                await self._act(name, "is away")
            await self._act(name, "is back")

    async def recall(self, name: str) -> None:
        async with self.turns.one("recall"):
            await self._act(name, "begins")
            async with away():
                await self._act(name, "is away")
            await self._act(name, "is back")

    async def short_recall(self, name: str) -> None:
        async with self.turns.one("recall"):
            await self._act(name, "begins")

    async def _act(self, name: str, what: str) -> None:
        self.did.append(f"{name} {what}")
        self.go[name] = trio.Event()
        await self.go[name].wait()

    async def tell(self, *names: str) -> list[str]:
        """Lets calls go on; what was done then."""
        before = len(self.did)
        for name in names:
            self.go[name].set()
        await wait_all_tasks_blocked()
        return self.did[before:]


@asynccontextmanager
async def stage() -> AsyncIterator[tuple[Stage, trio.Nursery]]:
    async with trio.open_nursery() as nursery:
        yield Stage(Turns()), nursery
        nursery.cancel_scope.cancel()


async def begin(nursery: trio.Nursery, *calls: Any) -> None:
    for call, name in calls:
        nursery.start_soon(call, name)
        await wait_all_tasks_blocked()


async def test_writes_are_worked_on_one_at_a_time_in_the_order_they_came() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"), (at.write, "B"), (at.write, "C"))
        assert at.did == ["A begins"]
        assert at.turns.waiting() == 2
        assert await at.tell("A") == ["A is away", "B begins"]
        assert await at.tell("B") == ["B is away", "C begins"]


async def test_who_comes_back_goes_before_who_has_not_begun() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"), (at.write, "B"), (at.write, "C"))
        await at.tell("A")
        assert await at.tell("A") == []  # B is being worked on
        assert await at.tell("B") == ["B is away", "A is back"]
        assert await at.tell("A") == ["C begins"]


async def test_no_write_begins_or_comes_back_while_a_recall_is_worked_on() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"))
        await at.tell("A")
        await begin(nursery, (at.recall, "R"), (at.write, "B"))
        assert at.did[-1] == "R begins"
        assert await at.tell("A") == []
        assert await at.tell("R") == ["R is away", "A is back"]
        assert await at.tell("A") == ["B begins"]


async def test_the_parts_of_a_long_call_take_turns_as_writes_do() -> None:
    async with stage() as (at, nursery):
        async def long(name: str) -> None:
            with at.turns.in_parts():
                for number in (1, 2):
                    async with part():
                        await at._act(f"{name}{number}", "begins")

        await begin(nursery, (at.write, "A"), (long, "L"), (at.write, "B"))
        assert at.did == ["A begins"]
        assert await at.tell("A") == ["A is away", "L1 begins"]
        assert await at.tell("L1") == ["B begins"]
        assert await at.tell("B") == ["B is away", "L2 begins"]
        assert await at.tell("L2") == []
        assert at.turns.waiting() == 0


async def test_where_nobody_has_turns_a_part_waits_for_none() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"))
        async with part():
            assert at.turns.waiting() == 0


async def test_a_recall_waits_for_nothing() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"), (at.recall, "R"), (at.recall, "S"))
        assert at.did == ["A begins", "R begins", "S begins"]
        await at.tell("R")
        assert await at.tell("R") == ["R is back"]


async def test_where_recalls_never_cease_each_that_ends_lets_some_writes_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "recall_lingers_seconds", 60.0)
    assert (limits.turns_between_recalls, limits.turns_owed_max) == (1.5, 2.0)
    async with stage() as (at, nursery):
        await begin(nursery, *((at.short_recall, name) for name in "RST"), *((at.write, name) for name in "ABCD"))
        assert at.did == ["R begins", "S begins", "T begins"]
        assert await at.tell("R") == ["A begins"]
        assert await at.tell("A") == ["A is away"]
        assert await at.tell("S") == ["B begins"]
        assert await at.tell("B") == ["B is away", "C begins"]
        assert await at.tell("C") == ["C is away"]


async def test_a_recall_still_counts_a_moment_after_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "turns_between_recalls", 0.0)
    monkeypatch.setattr(limits, "recall_lingers_seconds", 0.02)
    turns = Turns()
    async with trio.open_nursery() as nursery:

        async def recall(*, task_status: trio.TaskStatus[None]) -> None:
            async with turns.one("recall"):
                task_status.started()

        await nursery.start(recall)
        began = trio.current_time()
        async with turns.one("write"):
            assert trio.current_time() - began > 0.01


async def test_a_recall_that_does_not_end_holds_writes_up_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "turn_patience_seconds", 0.01)
    async with stage() as (at, nursery):
        await begin(nursery, (at.recall, "R"))
        nursery.start_soon(at.write, "A")
        while len(at.did) < 2:
            await trio.lowlevel.checkpoint()
        assert at.did == ["R begins", "A begins"]
        nursery.start_soon(at.write, "B")
        until = trio.current_time() + 5 * limits.turn_patience_seconds
        while trio.current_time() < until:
            await trio.lowlevel.checkpoint()
        assert at.did == ["R begins", "A begins"]  # A is being worked on: that is waited for
        at.go["A"].set()
        while len(at.did) < 4:
            await trio.lowlevel.checkpoint()
        assert at.did[2:] == ["A is away", "B begins"]


async def test_a_call_that_gives_up_waiting_gives_up_its_place_and_nobody_else_s() -> None:
    async with stage() as (at, nursery):
        await begin(nursery, (at.write, "A"))
        async with trio.open_nursery() as impatient:
            await begin(impatient, (at.write, "B"))
            impatient.cancel_scope.cancel()
        await begin(nursery, (at.write, "C"))
        assert await at.tell("A") == ["A is away", "C begins"]


async def test_a_call_that_fails_while_it_is_away_leaves_no_turn_behind() -> None:
    turns = Turns()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            async with turns.one("write"), away():
                raise ZeroDivisionError
    async with turns.one("write"):
        assert turns.waiting() == 0


async def test_one_whose_time_is_up_goes_on_without_a_turn_and_knows_when_it_came(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ask_seconds", 0.0)
    turns, began = Turns(), trio.current_time()
    async with turns.one("write"), trio.open_nursery() as nursery:

        async def second() -> None:
            async with turns.one("write"):
                assert began <= came() <= trio.current_time()
                async with away():
                    pass

        nursery.start_soon(second)


@pytest.mark.parametrize(("kind", "body", "ended"), [
    ("write", b"", False), ("write", b"x", True), ("recall", b"x", False),
    ("recall", b"x" * (limits.send_piece_bytes + 1), True)])
async def test_no_slow_client_holds_up_others(kind: Any, body: bytes, ended: bool) -> None:
    turns = Turns()
    other: list[Turn] = []

    async def another() -> None:
        async with turns.one("write") as turn:
            other.append(turn)

    async with turns.one(kind) as turn, trio.open_nursery() as nursery:

        async def send(message: Any) -> None:
            nursery.start_soon(another)
            await wait_all_tasks_blocked()
            assert bool(other) is ended

        await turn.until_sent(send)({"type": "http.response.body", "body": body})
        turn.end()


# -- behind every door ----------------------------------------------------------------------------------------------


class Counting:
    """A service that counts how many writes it is working on."""

    def __init__(self) -> None:
        self.now = self.most = self.done = 0
        self.hold = trio.Event()

    async def remember_one(self, asked: Any) -> Stored:
        self.now += 1
        self.most = max(self.most, self.now)
        await self.hold.wait()
        await trio.lowlevel.checkpoint()
        self.now -= 1
        self.done += 1
        return Stored(id="A")

    async def recall(self, asked: Any) -> Answer:
        return Answer(results=[])


def doors(number: int) -> tuple[str, Any, dict[str, str]]:
    """A way to remember: REST, and MCP in either era, with and without what makes the SDK take its whole way."""
    call = {"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": "remember", "arguments": {"text": f"note {number}"}}}
    newer = {**call, "params": {**call["params"], **META}}
    return [("/api/remember", {"text": f"note {number}"}, {}), ("/mcp", call, ACCEPT),
            ("/mcp", newer, {**ACCEPT, **MODERN}), ("/mcp", call, {"accept": "*/*"})][number % 4]


async def test_through_every_door_one_write_is_worked_on_at_a_time_and_recalls_pass() -> None:
    service = Counting()
    async with served(service) as url, client(url) as http, trio.open_nursery() as nursery:

        async def remember(number: int) -> None:
            path, body, headers = doors(number)
            reply = await http.post(path, json=body, headers=headers)
            assert reply.status_code == 200, reply.text
            assert b'"A"' in reply.content

        for number in range(12):
            nursery.start_soon(remember, number)
        while not service.now:
            await trio.lowlevel.checkpoint()
        await wait_all_tasks_blocked(0.01)
        assert (await http.post("/api/recall", json={"cue": "x"})).json()["results"] == []
        assert service.now == service.most == 1
        service.hold.set()
    assert (service.most, service.done) == (1, 12)


async def test_writes_that_wait_for_the_disk_still_meet_in_one_sync(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    syncs, sync, go = 0, Store.sync, threading.Event()

    def counted(self: Store) -> None:
        nonlocal syncs
        syncs += 1
        assert go.wait(30)
        sync(self)

    async with hippo_at(tmp_path) as (url, service), client(url) as http:
        await http.post("/api/remember", json={"text": "wakes the embedder"})
        monkeypatch.setattr(Store, "sync", counted)
        async with trio.open_nursery() as nursery:

            async def remember(number: int) -> None:
                path, body, headers = doors(number)
                assert (await http.post(path, json=body, headers=headers)).status_code == 200

            for number in range(12):
                nursery.start_soon(remember, number)
            await wait_all_tasks_blocked(0.05)
            go.set()
        assert syncs == 2
        assert (await service.health()).memories == 13


async def test_a_write_that_waited_too_long_for_its_turn_is_refused_as_busy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with hippo_at(tmp_path) as (url, service), client(url) as http:
        await http.post("/api/remember", json={"text": "wakes the embedder"})
        monkeypatch.setattr(limits, "ask_seconds", 0.0)
        replies = [await http.post(path, json=body, headers=headers) for path, body, headers in map(doors, range(4))]
        monkeypatch.undo()
        assert replies[0].status_code == 503
        assert all("did not get to it within" in reply.text for reply in replies)
        assert (await service.health()).memories == 1
