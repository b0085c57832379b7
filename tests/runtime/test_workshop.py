"""Work in a process of its own."""

from __future__ import annotations

import os
import signal
import time

import pytest
import trio

from hippo.errors import WorkerLost
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop


def who_works() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def where_it_works() -> set[int]:
    return os.sched_getaffinity(0)


def doubled(content: bytes) -> bytes:
    return content * 2


def what_prints() -> int:
    print("this must not end up among the answers")
    return 7


def what_fails() -> None:
    raise ValueError("no")


def what_dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def what_takes_long() -> None:
    time.sleep(600)


async def test_work_is_done_by_one_other_process_that_gives_way() -> None:
    workshop = Workshop(Offload())
    try:
        first, niceness = await workshop.run(who_works)
        again, _ = await workshop.run(who_works)
        assert first == again != os.getpid()
        assert niceness == 19
    finally:
        await workshop.close()


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no cores to choose")
async def test_work_leaves_a_core_to_who_asks() -> None:
    workshop = Workshop(Offload())
    try:
        here, there = os.sched_getaffinity(0), await workshop.run(where_it_works)
        assert there == (here - {min(here)} or here)
    finally:
        await workshop.close()


async def test_what_the_work_prints_is_no_answer() -> None:
    workshop = Workshop(Offload())
    try:
        assert await workshop.run(what_prints) == 7
    finally:
        await workshop.close()


async def test_an_error_of_the_work_comes_back_and_the_process_goes_on() -> None:
    workshop = Workshop(Offload())
    try:
        with pytest.raises(ValueError, match="no"):
            await workshop.run(what_fails)
        assert await workshop.run(what_prints) == 7
    finally:
        await workshop.close()


async def test_a_process_that_is_killed_fails_its_call_and_the_next_call_has_another() -> None:
    workshop = Workshop(Offload())
    try:
        with pytest.raises(WorkerLost):
            await workshop.run(what_dies)
        assert await workshop.run(what_prints) == 7
    finally:
        await workshop.close()


async def test_a_call_that_is_cancelled_ends_the_process() -> None:
    workshop = Workshop(Offload())
    pid, _ = await workshop.run(who_works)
    with trio.move_on_after(0.2) as scope:
        await workshop.run(what_takes_long)
    assert scope.cancelled_caught
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_large_answers_pass_the_pipe() -> None:
    workshop = Workshop(Offload())
    try:
        assert await workshop.run(doubled, b"a" * 3_000_000) == b"a" * 6_000_000
    finally:
        await workshop.close()


async def test_inline_work_stays_in_this_process() -> None:
    assert (await Workshop(Offload(0)).run(who_works))[0] == os.getpid()
