"""Subscribers hear everything in order, or that they have missed something; and none holds up another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio

from hippo import limits
from hippo.actors.broadcaster import BroadcasterActor
from hippo.runtime.mailbox import Address, open_mailbox
from hippo.runtime.messages import Announce, Event, Hush, Subscribe

FULL = limits.subscriber_events


@asynccontextmanager
async def broadcasting() -> AsyncIterator[Address]:
    address, inbox = open_mailbox()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(BroadcasterActor(1).run, inbox)
        yield address
        address.close()


async def tell(address: Address, count: int, agent: str | None = "anna") -> None:
    for number in range(count):
        await address.ask(Announce("remembered", agent, {"number": number}))


def heard(channel: trio.MemoryReceiveChannel[Event]) -> list[Event]:
    found = []
    while True:
        try:
            found.append(channel.receive_nowait())
        except trio.WouldBlock:
            return found


def numbers(events: list[Event]) -> list[Any]:
    return [event.data.get("number", event.name) for event in events]


async def test_everybody_hears_everything_of_their_agent_in_order():
    async with broadcasting() as address:
        anna, ben = [await address.ask(Subscribe(name, None)) for name in ("anna", "ben")]
        await tell(address, 3)
        await tell(address, 1, None)
        assert numbers(heard(anna)) == [0, 1, 2, 0]
        assert numbers(heard(ben)) == [0]


async def test_who_does_not_read_is_told_so_though_nothing_more_happens():
    async with broadcasting() as address:
        channel = await address.ask(Subscribe("anna", None))
        await tell(address, FULL + 20)
        events = heard(channel)
        assert numbers(events) == [*range(FULL), "lagged"]
        assert heard(channel) == []
        await tell(address, 2)
        assert numbers(heard(channel)) == [0, 1]


async def test_nothing_comes_behind_lagged_until_it_was_taken():
    async with broadcasting() as address:
        channel = await address.ask(Subscribe("anna", None))
        await tell(address, FULL + 1)
        for _ in range(10):
            channel.receive_nowait()
        await tell(address, 5)
        assert numbers(heard(channel)) == [*range(10, FULL), "lagged"]


async def test_who_falls_behind_again_is_told_again():
    async with broadcasting() as address:
        channel = await address.ask(Subscribe("anna", None))
        for _ in range(3):
            await tell(address, FULL + 5)
            assert numbers(heard(channel)) == [*range(FULL), "lagged"]


async def test_who_keeps_reading_loses_nothing_beside_one_who_does_not():
    async with broadcasting() as address:
        idle, keen = [await address.ask(Subscribe("anna", None)) for _ in range(2)]
        for _ in range(10):
            await tell(address, FULL)
            assert numbers(heard(keen)) == list(range(FULL))
        assert numbers(heard(idle)) == [*range(FULL), "lagged"]


async def test_resuming_from_lagged_tells_of_the_first_that_was_missed():
    async with broadcasting() as address:
        channel = await address.ask(Subscribe("anna", None))
        await tell(address, FULL + 3)
        lagged = heard(channel)[-1]
        again = await address.ask(Subscribe("anna", lagged.id))
        assert numbers(heard(again)) == [FULL, FULL + 1, FULL + 2]


async def test_who_comes_back_too_late_is_told_so_once_and_then_what_happens():
    async with broadcasting() as address:
        first = await address.ask(Subscribe("anna", None))
        await tell(address, 1)
        [event] = heard(first)
        await tell(address, FULL + 1)
        late = await address.ask(Subscribe("anna", event.id))
        await tell(address, 1)
        assert numbers(heard(late)) == ["lagged"]
        await tell(address, 1)
        assert numbers(heard(late)) == [0]


async def test_hushed_everybody_ends_also_those_who_come_later():
    async with broadcasting() as address:
        channel = await address.ask(Subscribe("anna", None))
        await tell(address, 1)
        await address.ask(Hush())
        assert [event.name async for event in channel] == ["remembered"]
        assert [event async for event in await address.ask(Subscribe("anna", None))] == []


async def test_one_who_has_gone_is_forgotten():
    async with broadcasting() as address:
        gone, stays = [await address.ask(Subscribe("anna", None)) for _ in range(2)]
        gone.close()
        await tell(address, 2)
        assert numbers(heard(stays)) == [0, 1]
