"""Requests, addresses and mailboxes."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hippo.errors import MemoryNotFound, Relocated, ShuttingDown
from hippo.runtime.mailbox import Request, attend, open_mailbox


class Double(Request[int], frozen=True):
    number: int


async def _double(request):
    if request.number < 0:
        raise MemoryNotFound(id=str(request.number), agent_id="default")
    return 2 * request.number


async def test_an_answer_comes_back_to_its_asker():
    address, inbox = open_mailbox()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(attend, inbox, _double)
        assert await address.ask(Double(4)) == 8
        address.close()


async def test_an_expected_error_goes_to_the_asker_and_the_actor_serves_on():
    address, inbox = open_mailbox()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(attend, inbox, _double)
        with pytest.raises(MemoryNotFound):
            await address.ask(Double(-1))
        assert await address.ask(Double(1)) == 2
        address.close()


async def test_a_text_that_moved_is_told_the_asker_and_the_actor_serves_on():
    async def read(request):
        if request.number < 0:
            raise Relocated(request.number)
        return request.number

    address, inbox = open_mailbox()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(attend, inbox, read)
        with pytest.raises(Relocated):
            await address.ask(Double(-1))
        assert await address.ask(Double(1)) == 1
        address.close()


async def test_a_request_that_is_dropped_is_told_its_asker_and_one_that_was_answered_stays_so():
    address, inbox = open_mailbox()
    answers = []

    async def asking(number):
        try:
            answers.append(await address.ask(Double(number)))
        except ShuttingDown:
            answers.append("dropped")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(asking, 1)
        await wait_all_tasks_blocked()
        nursery.start_soon(asking, 2)
        first, second = await inbox.receive(), await inbox.receive()
        first.answer(None)
        first.drop()
        second.drop()
    assert sorted(answers, key=str) == [None, "dropped"]


async def test_a_bug_cancels_the_nursery():
    async def broken(request):
        raise ZeroDivisionError

    address, inbox = open_mailbox()
    async def both():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(attend, inbox, broken)
            await address.ask(Double(1))

    with pytest.raises(BaseExceptionGroup) as caught:
        await both()
    assert caught.value.subgroup(ZeroDivisionError) is not None


async def test_a_full_mailbox_makes_the_asker_wait():
    address, inbox = open_mailbox(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(address.ask, Double(1))
        nursery.start_soon(address.ask, Double(2))
        await wait_all_tasks_blocked()
        assert inbox.waiting() == 1
        assert not address.tell_nowait(Double(3))
        nursery.cancel_scope.cancel()


async def test_a_cancelled_asker_abandons_the_answer_but_not_the_request():
    seen = []

    async def slow(request):
        seen.append(request.number)
        await trio.lowlevel.checkpoint()

    address, inbox = open_mailbox()
    async with trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            nursery.start_soon(lambda: attend(inbox, slow))
            async with trio.open_nursery() as asking:
                asking.start_soon(address.ask, Double(7))
                await wait_all_tasks_blocked(0.0)
                scope.cancel()
        address.close()
    assert seen == [7]


async def test_what_waits_is_served_before_the_actor_ends_and_closes_its_own_addresses():
    address, inbox = open_mailbox()
    further, further_inbox = open_mailbox()
    seen = []

    async def keep(request):
        seen.append(request.number)

    for number in range(5):
        assert address.tell_nowait(Double(number))
    address.close()
    await attend(inbox, keep, further)
    assert seen == [0, 1, 2, 3, 4]
    with pytest.raises(trio.EndOfChannel):
        await further_inbox.receive()


async def test_asking_an_actor_that_has_ended_says_so():
    address, inbox = open_mailbox()
    inbox.close()
    with pytest.raises(ShuttingDown):
        await address.ask(Double(1))


async def test_work_between_requests_yields_to_what_waits():
    order = []

    async def note(request):
        order.append(request.number)

    async def between(waiting):
        if waiting or "work" in order:
            return False
        order.append("work")
        return True

    address, inbox = open_mailbox()
    for number in range(3):
        address.tell_nowait(Double(number))
    address.close()
    await attend(inbox, note, between=between)
    assert order == [0, 1, 2, "work"]
