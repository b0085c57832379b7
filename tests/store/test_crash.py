"""The machine stops at any instant, or the disk refuses at any call: what was acknowledged is there."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence

import pytest

from hippo.codec.pack import Row, encode_pack
from hippo.errors import StoreUnwritable
from hippo.model.change import Remembered
from hippo.store.index import encode_index
from hippo.store.memory_disk import MemoryDisk, Naming, Write
from hippo.store.store import Store
from tests.store.small_store import SEED, memory, seal, snapshot_of, texts_in, texts_of

Names = Callable[[Sequence[Naming]], Sequence[Naming]]
Survivors = Callable[[Sequence[Write]], Sequence[Write]]


class Crash(BaseException):
    """The machine has stopped."""


class FaultyDisk(MemoryDisk):
    """Stops or refuses at the mutating call with a number; `survive` says what a crash leaves."""

    def __init__(self, survive: Survivors = lambda writes: (), keep: Names = lambda namings: ()) -> None:
        super().__init__()
        self.calls = 0
        self.fault: Callable[[int, str], None] = lambda call, operation: None
        self._survive, self._keep = survive, keep

    def before(self, operation: str, name: str, size: int) -> None:
        self.fault(self.calls, operation)
        self.calls += 1

    def survivors(self, name: str, writes: Sequence[Write]) -> Sequence[Write]:
        return self._survive(writes)

    def surviving_names(self, namings: Sequence[Naming]) -> Sequence[Naming]:
        return self._keep(namings)


def nothing(writes: Sequence[Write]) -> Sequence[Write]:
    return ()


def everything(writes: Sequence[Write]) -> Sequence[Write]:
    return writes


def all_but_the_first(writes: Sequence[Write]) -> Sequence[Write]:
    return writes[1:]


def torn(writes: Sequence[Write]) -> Sequence[Write]:
    """Everything, but of the last write only the first two thirds."""
    if not writes or writes[-1].content is None:
        return writes
    content = writes[-1].content
    return [*writes[:-1], Write(writes[-1].offset, content[:len(content) * 2 // 3])]


def a_page_late(writes: Sequence[Write]) -> Sequence[Write]:
    """The last write without its middle: pages reach a disk in any order."""
    if not writes or writes[-1].content is None:
        return writes
    offset, content = writes[-1]
    third = len(content) // 3
    return [*writes[:-1], Write(offset, content[:third]), Write(offset + 2 * third, content[2 * third:])]


def no_names(namings: Sequence[Naming]) -> Sequence[Naming]:
    return ()


def all_names(namings: Sequence[Naming]) -> Sequence[Naming]:
    return namings


def only_removals(namings: Sequence[Naming]) -> Sequence[Naming]:
    return [naming for naming in namings if naming.file is None]


def live(disk: MemoryDisk, acknowledged: list[Remembered], refused: list[Remembered]) -> None:
    """A life with every kind of write. A refused write is noted, and life goes on."""
    store = Store.open(disk, seed=SEED)
    next_ordinal = store.next_ordinal

    def remember(count: int) -> None:
        nonlocal next_ordinal
        memories = [memory(ordinal, f"memory {ordinal} of call {getattr(disk, 'calls', 0)}")
                    for ordinal in range(next_ordinal, next_ordinal + count)]
        refused.extend(memories)
        try:
            store.append(memories)
            store.sync()
        except StoreUnwritable:
            return
        del refused[-count:]
        acknowledged.extend(memories)
        next_ordinal += count

    def sleep() -> None:
        try:
            edge = store.rotate()
            packs = [pack.number for pack in store.packs()]
            seal(store, acknowledged)
            store.write_index(encode_index(snapshot_of(acknowledged, store.sequence)))
            store.drop(segments_before=edge, packs=packs)
        except StoreUnwritable:
            return
        finally:
            store.probe()

    remember(2)
    remember(1)
    sleep()
    remember(2)
    sleep()
    try:
        store.write_cache("vectors", b"12345")
        store.log_report("a pass", "{}")
    except StoreUnwritable:
        pass
    remember(3)
    remember(1)
    store.close()


def calls_of_a_life() -> int:
    disk = FaultyDisk()
    live(disk, [], [])
    return disk.calls


@pytest.mark.parametrize("keep", [no_names, all_names, only_removals])
@pytest.mark.parametrize("survive", [nothing, everything, all_but_the_first, torn, a_page_late])
def test_a_crash_at_any_call_loses_nothing_acknowledged(survive: Survivors, keep: Names) -> None:
    calls = calls_of_a_life()
    assert calls > 60
    for stop in range(calls):
        disk = FaultyDisk(survive, keep)

        def fault(call: int, operation: str, stop: int = stop) -> None:
            if call == stop:
                raise Crash

        disk.fault = fault
        acknowledged: list[Remembered] = []
        refused: list[Remembered] = []
        with pytest.raises(Crash):
            live(disk, acknowledged, refused)
        disk.crash()
        disk.fault = lambda call, operation: None
        store = Store.open(disk, seed=1)
        served = texts_in(disk, store.recovered)
        assert not len(store.recovered.lost), (stop, store.recovered.damage)
        assert served.items() >= texts_of(acknowledged).items(), (stop, store.recovered.damage)
        assert served.items() <= texts_of([*acknowledged, *refused]).items(), stop
        # And life goes on: another run, another crash with nothing lost in between.
        more = [memory(store.next_ordinal)]
        store.append(more)
        store.sync()
        disk.crash()
        again = Store.open(disk, seed=1)
        assert texts_in(disk, again.recovered).items() >= texts_of([*acknowledged, *more]).items(), stop


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("lasting", [1, 5, 1_000])
def test_a_disk_that_refuses_at_any_call_loses_nothing_acknowledged(code: int, lasting: int) -> None:
    for start in range(calls_of_a_life()):
        disk = FaultyDisk(everything)

        def fault(call: int, operation: str, disk: FaultyDisk = disk, start: int = start) -> None:
            if start <= call < start + lasting and operation != "remove":
                disk.calls += 1
                raise OSError(code, os.strerror(code))

        disk.fault = fault
        acknowledged: list[Remembered] = []
        refused: list[Remembered] = []
        live(disk, acknowledged, refused)
        disk.crash()
        disk.fault = lambda call, operation: None
        store = Store.open(disk, seed=1)
        served = texts_in(disk, store.recovered)
        assert served.items() >= texts_of(acknowledged).items(), (start, store.recovered.damage)
        last_chance = [one for one in refused if one.ordinal not in texts_of(acknowledged)]
        assert set(served) <= {one.ordinal for one in [*acknowledged, *last_chance]}, start
        assert not len(store.recovered.lost)
        more = [memory(store.next_ordinal)]
        store.append(more)
        store.sync()
        store.close()
        again = Store.open(disk, seed=1)
        assert texts_in(disk, again.recovered).items() >= texts_of([*acknowledged, *more]).items(), start
        assert again.recovered.notes == []


def test_a_refused_record_that_survives_is_passed_over() -> None:
    disk = FaultyDisk(everything)
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.sync()

    def fault(call: int, operation: str) -> None:
        if operation in ("sync", "truncate"):
            raise OSError(errno.EIO, "input/output error")

    store.append([memory(1, "never acknowledged")])
    disk.fault = fault
    with pytest.raises(StoreUnwritable):
        store.sync()
    assert not store.writable
    disk.fault = lambda call, operation: None
    assert b"never acknowledged" in disk.files()["journal-00000001"]
    store.append([memory(1, "acknowledged")])
    store.sync()
    disk.crash()
    again = Store.open(disk, seed=1)
    assert [change for _, change, _ in again.recovered.changes] == [memory(0), memory(1, "acknowledged")]
    assert again.sequence == 3
    assert texts_in(disk, again.recovered) == texts_of([memory(0), memory(1, "acknowledged")])
    assert again.recovered.damage == []


def test_a_full_disk_is_told_in_words_and_writing_goes_on_when_there_is_room() -> None:
    disk = FaultyDisk()
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.sync()

    def full(call: int, operation: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    disk.fault = full
    with pytest.raises(StoreUnwritable, match="the disk is full"):
        store.append([memory(1)])
    with pytest.raises(StoreUnwritable, match="the disk is full"):
        store.append([memory(1)])
    with pytest.raises(StoreUnwritable, match="the disk is full"):
        store.write_pack(encode_pack("default", [Row(0, b"text")]).content)
    assert not store.probe()
    disk.fault = lambda call, operation: None
    assert store.probe()
    assert store.writable
    store.append([memory(1)])
    store.sync()
    store.close()
    again = Store.open(disk, seed=1)
    assert texts_in(disk, again.recovered) == texts_of([memory(0), memory(1)])
    assert again.recovered.damage == again.recovered.notes == []


def test_a_store_on_a_disk_that_cannot_be_written_is_read() -> None:
    disk = FaultyDisk()
    live(disk, acknowledged := [], [])

    def read_only(call: int, operation: str) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    disk.fault = read_only
    store = Store.open(disk, seed=SEED)
    assert not store.writable
    assert store.recovered.notes == ["The store cannot be written: the disk is read-only."]
    assert texts_in(disk, store.recovered) == texts_of(acknowledged)
    with pytest.raises(StoreUnwritable, match="read-only"):
        store.append([memory(99)])
    store.close()


def test_dropping_on_a_disk_that_cannot_be_written_leaves_the_segment_that_knows_the_seed() -> None:
    disk = FaultyDisk()
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.sync()

    def refuses(call: int, operation: str) -> None:
        if operation in ("write", "create"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    disk.fault = refuses
    with pytest.raises(StoreUnwritable):
        store.append([memory(1)])
    store.drop(segments_before=2, packs=[])
    store.close()
    disk.fault = lambda call, operation: None
    assert Store.open(disk, seed=1).seed == SEED
