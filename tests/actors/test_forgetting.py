"""Whatever happens while something is forgotten: it is forgotten for good or not at all, and its traces go."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
import trio

from hippo.codec.block import plain_content
from hippo.errors import MemoryNotFound, NotErased, StoreUnwritable
from hippo.model.knowledge_verb import Forget, LogMessages, Message, Update
from hippo.model.verb import Inspect, MemoryStats, Remember, Sleep
from hippo.store.memory_disk import MemoryDisk
from hippo.store.packs import read_pack
from sims.disk import FaultyDisk
from sims.remains import holding
from tests.actors.test_erasure import (
    OTHER,
    SECRET,
    TEXT,
    THIRD,
    company,
    corrected,
    files_with,
    hippo_in,
    kinds_with,
    packed,
    texts_of,
)
from tests.actors.test_night import hippo_on


class Disk(MemoryDisk):
    """A disk that may be too full for a pack."""

    is_full = False

    def before(self, operation: str, name: str, size: int) -> None:
        if self.is_full and operation == "create" and name.startswith("pack-"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)


async def test_what_a_full_disk_has_kept_from_being_erased_the_next_pass_erases_before_it_drops_anything() -> None:
    disk = Disk()
    async with hippo_on(disk) as service:
        one = await packed(service)
        await corrected(service, one)
        disk.is_full = True
        with pytest.raises(StoreUnwritable):
            await service.forget(Forget(id=one))
        assert one not in await texts_of(service)
        with pytest.raises(StoreUnwritable):
            await service.sleep(Sleep(depth="deep"))
        assert holding(disk, [SECRET, OTHER]).keys() == {SECRET, OTHER}
        disk.is_full = False
        await service.sleep(Sleep(depth="light"))
        assert holding(disk, [SECRET, OTHER]) == {}
        assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0


async def test_what_a_full_disk_has_kept_from_being_erased_the_next_start_erases() -> None:
    disk = Disk()
    async with hippo_on(disk) as service:
        others = (await company(service, 1_200)) and set(await texts_of(service))
        ids = [(await service.remember_one(Remember(text=text, agent_id=agent))).id for text, agent in (
            (TEXT, "default"), (f"The tap of {OTHER} leaks.", "ada"))]
        await service.sleep(Sleep(depth="deep"))
        disk.is_full = True
        for one, agent in zip(ids, ("default", "ada"), strict=True):
            with pytest.raises(StoreUnwritable):
                await service.forget(Forget(id=one, agent_id=agent))
    disk.is_full = False
    assert holding(disk, [SECRET, OTHER]).keys() == {SECRET, OTHER}
    async with hippo_on(disk) as service:
        await service.sleep(Sleep(depth="rem"))
        assert holding(disk, [SECRET, OTHER]) == {}
        assert set(await texts_of(service)) == others


async def test_what_lies_beside_texts_that_cannot_be_read_is_forgotten_and_said_not_to_be_erased(
        tmp_path: Path) -> None:
    """A pack that cannot be written anew is not dropped: what is in it may be read again one day."""
    async with hippo_in(tmp_path) as service:
        await company(service, 1_200)
        one = (await service.remember_one(Remember(text=TEXT))).id
        other = (await service.remember_one(Remember(text=f"The tap of {OTHER} leaks.", agent_id="ada"))).id
        await service.sleep(Sleep(depth="deep"))
        [name] = files_with(tmp_path, SECRET)[SECRET]
    pack = read_pack(0, (tmp_path / name).read_bytes())
    [sound] = [block for block in pack.blocks if SECRET.encode() in plain_content(pack.content, block, {})]
    async with hippo_in(tmp_path) as service:
        content = bytearray(pack.content)
        for block in pack.blocks:
            if block != sound:
                content[block.end - 1] ^= 1  # the disk rots while the daemon runs
        (tmp_path / name).write_bytes(content)
        with pytest.raises(NotErased):
            await service.forget(Forget(id=one))
        with pytest.raises(MemoryNotFound):
            await service.inspect(Inspect(id=one))
        await service.sleep(Sleep())  # it goes on all the same
        assert kinds_with(tmp_path, SECRET) == {"pack"}
        await service.forget(Forget(id=other, agent_id="ada"))
        assert files_with(tmp_path, OTHER) == {}
    async with hippo_in(tmp_path) as service:  # what is lost for good is known now, and keeps nothing alive
        await service.sleep(Sleep(depth="rem"))
        assert files_with(tmp_path, SECRET) == {}


def a_store() -> tuple[FaultyDisk, str, set[str]]:
    """A closed store in which a memory has a dead row, an earlier wording, a message that quotes it, and a cache."""
    disk = FaultyDisk(4)

    async def fill() -> tuple[str, set[str]]:
        async with hippo_on(disk) as service:
            others = set(await company(service, 60))
            one = (await service.remember_one(Remember(text=TEXT, entity=OTHER, tags=[THIRD]))).id
            await service.sleep(Sleep())
            await service.update(Update(id=one, text=f"The spare key hangs at the door of {SECRET}."))
            await service.log_messages(LogMessages(messages=[Message(role="user", text=f"You said: {TEXT}")]))
            return one, others

    return disk, *trio.run(fill)


def stopped_forgetting(disk: FaultyDisk, one: str, operations: int) -> bool:
    """Forgets a memory, and the machine stops at an operation of it; whether it came so far."""
    async def forget() -> None:
        async with hippo_on(disk) as service:
            disk.stop_after(operations)
            await service.forget(Forget(id=one))
            disk.stop_after(None)

    try:
        trio.run(forget)
    except BaseException:
        if not disk.crashed:
            raise
    return disk.crashed


@pytest.mark.parametrize("power_lost", [False, True])
def test_a_machine_that_stops_anywhere_in_a_forget_has_forgotten_it_for_good_or_not_at_all(power_lost: bool) -> None:
    disk, one, others = a_store()
    before, outcomes = disk.files(), set()

    async def look() -> bool:
        async with hippo_on(disk) as service:
            await service.sleep(Sleep(depth="rem"))  # it waits for what is being erased
            texts = await texts_of(service)
            assert texts.keys() - {one} == others
            if one in texts:
                assert SECRET in texts[one]
                assert len((await service.inspect(Inspect(id=one))).history) == 1
            else:
                assert holding(disk, [SECRET, OTHER, THIRD]) == {}
            assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0
            return one in texts

    for operations in range(1_000):
        disk = FaultyDisk(operations)
        for name, content in before.items():
            disk.put(name, content)
        if not stopped_forgetting(disk, one, operations):
            break
        disk.restart(power_lost=power_lost)
        outcomes.add(trio.run(look))
    assert operations > 20
    assert outcomes == {True, False}
