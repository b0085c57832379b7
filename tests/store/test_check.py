"""The check finds what breaks an invariant, and mends what can be mended."""

from __future__ import annotations

import pytest

from hippo.codec.pack import Row, encode_pack
from hippo.errors import StoreInUse
from hippo.model.change import Forgotten
from hippo.store.check import INVARIANTS, check
from hippo.store.index import encode_index
from hippo.store.memory_disk import MemoryDisk
from hippo.store.store import Store
from tests.store.small_store import SEED, build, memory, snapshot_of, texts_in, texts_of


def damaged(name: str, at: int) -> MemoryDisk:
    """The small store with one byte of one file flipped."""
    disk = MemoryDisk()
    build(disk)
    content = bytearray(disk.files()[name])
    content[at] ^= 1
    disk.put(name, bytes(content))
    return disk


def test_a_store_that_is_whole_has_no_findings() -> None:
    disk = MemoryDisk()
    assert check(disk) == []
    build(disk)
    before = disk.files()
    assert check(disk) == []
    assert check(disk, repair=True) == []
    assert disk.files() == before


def test_each_invariant_has_a_function_that_names_it() -> None:
    names = [(one.__doc__ or "").rstrip(".") for one in INVARIANTS]
    assert names == ["F1", "J1", "J2", "J3", "J4", "J5", "P1", "P2", "P3", "X1", "X2", "X3", "X4"]


@pytest.mark.parametrize(("name", "at", "invariant"), [
    ("journal-00000004", 3, "J1"), ("journal-00000004", 43, "J1"), ("pack-00000002", 3, "P1"),
    ("pack-00000002", -3, "P1"), ("index", 40, "X1"), ("index.copy", -1, "X1")])
def test_what_stands_twice_is_mended(name: str, at: int, invariant: str) -> None:
    whole = MemoryDisk()
    build(whole)
    disk = damaged(name, at)
    found = check(disk)
    assert [(one.severity, one.invariant, one.mended) for one in found] == [("warning", invariant, False)]
    assert [one.mended for one in check(disk, repair=True)] == [True]
    assert check(disk) == []
    assert disk.files() == whole.files()


@pytest.mark.parametrize(("name", "at", "invariants"), [
    ("journal-00000004", 200, {"J2", "J3", "X3"}), ("pack-00000002", 60, {"P2", "X3"})])
def test_what_stands_once_is_an_error_that_stays(name: str, at: int, invariants: set[str]) -> None:
    disk = damaged(name, at)
    found = check(disk, repair=True)
    assert {one.invariant for one in found} <= invariants
    assert {one.severity for one in found} == {"error"}
    assert check(disk)


def test_a_torn_tail_and_a_cut_off_write_are_mended() -> None:
    disk = MemoryDisk()
    memories = build(disk)
    name = "journal-00000005"
    disk.put(name, disk.files()[name] + b"half a frame")
    disk.put("index.temporary", b"")
    assert [(one.invariant, one.mended) for one in check(disk, repair=True)] == [("F1", True), ("J2", True)]
    assert check(disk) == []
    assert b"half a frame" in disk.files().values()
    assert texts_in(disk, Store.open(disk, seed=1).recovered) == texts_of(memories)


def test_an_index_and_a_copy_that_are_both_damaged_are_written_anew_from_what_they_hold_together() -> None:
    disk = damaged("index", -1)
    content = bytearray(disk.files()["index.copy"])
    content[-60] ^= 1
    disk.put("index.copy", bytes(content))
    assert [(one.invariant, one.mended) for one in check(disk, repair=True)] == [("X1", True)]
    assert check(disk) == []


def test_the_newer_of_index_and_copy_wins() -> None:
    disk = MemoryDisk()
    memories = build(disk)
    older = disk.files()["index.copy"]
    newer = encode_index(snapshot_of(memories, 29))
    disk.put("index", newer)
    assert [one.sentence for one in check(disk, repair=True)] == ["The copy is of another moment."]
    assert disk.files()["index.copy"] == newer != older
    assert check(disk) == []


def test_a_text_that_is_not_the_memory_s_is_found() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.sync()
    store.write_pack(encode_pack("default", [Row(0, b"another text")]).content)
    store.write_index(encode_index(snapshot_of([memory(0)], 1)))
    store.close()
    assert [one.invariant for one in check(disk)] == ["X3"]


def test_associations_between_agents_are_found() -> None:
    disk = MemoryDisk()
    memories = build(disk)
    snapshot = snapshot_of(memories[:24], 24)
    snapshot.columns["agent"][:] = 1
    snapshot.columns["agent"][3] = 2
    for name in ("index", "index.copy"):
        disk.put(name, encode_index(snapshot))
    assert [one.invariant for one in check(disk)] == ["X2"]


@pytest.mark.parametrize(("column", "value", "sentence"), [
    ("superseded_by", 24 + 1, "1 memories are superseded by one that their agent does not have; the next start mends it."),
    ("schema", 2 + 1, "1 memories are members of one that their agent does not have; the next start mends it."),
    ("flags", 4, "1 memories are earlier wordings of nothing.")])
def test_what_refers_to_a_memory_that_its_agent_does_not_have_is_found(column: str, value: int, sentence: str) -> None:
    disk = MemoryDisk()
    memories = build(disk)
    snapshot = snapshot_of(memories[:24], 24)
    snapshot.columns["superseded_by"][3] = 1 + 1
    snapshot.columns["schema"][4] = 4 + 1
    snapshot.columns[column][6] = value
    for name in ("index", "index.copy"):
        disk.put(name, encode_index(snapshot))
    assert [(one.invariant, one.sentence) for one in check(disk)] == [("X4", sentence)]


def test_what_was_forgotten_and_may_not_be_erased_is_noted() -> None:
    disk = MemoryDisk()
    build(disk)
    store = Store.open(disk, seed=0)
    store.append([Forgotten("default", [0, 1])])
    store.sync()
    store.close()
    [finding] = check(disk)
    assert (finding.severity, finding.invariant) == ("note", "J5")
    assert "'default' (2 memories)" in finding.sentence


def test_a_store_in_use_is_not_checked() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=1)
    with pytest.raises(StoreInUse):
        check(disk)
    store.close()
    assert check(disk) == []
