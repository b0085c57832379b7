"""Work in a process of its own."""

from __future__ import annotations

import os
import signal
import time

import pytest
import trio

from hippo import limits
from hippo.errors import WorkerLost
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop


def who_works() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def where_it_works() -> set[int]:
    return os.sched_getaffinity(0)


def how_it_is_scheduled() -> int:
    return os.sched_getscheduler(0)


def what_needs_a_busy_core() -> tuple[int, int, set[int]]:
    if os.sched_getscheduler(0) == os.SCHED_IDLE:
        time.sleep(600)
    return os.sched_getscheduler(0), os.nice(0), os.sched_getaffinity(0)


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


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "worker_patience_seconds", 600.0)  # the tests themselves keep every core busy


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no cores to choose")
async def test_work_leaves_a_core_to_who_asks() -> None:
    workshop = Workshop(Offload())
    try:
        here, there = os.sched_getaffinity(0), await workshop.run(where_it_works)
        assert there == (here - {min(here)} or here)
    finally:
        await workshop.close()


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system knows no such thing")
async def test_work_that_gets_no_idle_core_takes_its_share_until_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "worker_patience_seconds", 1.0)
    workshop = Workshop(Offload())
    try:
        for _ in range(2):
            found = await workshop.run(what_needs_a_busy_core)
            assert found == (os.SCHED_OTHER, 19, os.sched_getaffinity(0))
        monkeypatch.setattr(limits, "worker_patience_seconds", 600.0)
        first = await workshop.run(who_works)
        await workshop.close()
        assert await workshop.run(who_works) != first
        assert await workshop.run(how_it_is_scheduled) == os.SCHED_IDLE
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
