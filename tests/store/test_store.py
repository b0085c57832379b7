"""Opening, appending, rotating, sealing, dropping, figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest

from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import checksum, encode_change, frame, salt_of
from hippo.errors import StoreInUse, StoreTooNew, StoreUnwritable
from hippo.limits import compaction_log_bytes_max
from hippo.model.change import Remembered, Skipped
from hippo.store import store as store_module
from hippo.store.disk import Disk, FolderDisk
from hippo.store.index import encode_index
from hippo.store.journal import BODY, VERSION, Header, encode_header
from hippo.store.location import Location
from hippo.store.memory_disk import MemoryDisk
from hippo.store.store import Store
from tests.store.small_store import SEED, build, memory, seal, snapshot_of, texts_in, texts_of, touched


@pytest.fixture(params=["folder", "memory"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Disk:
    return FolderDisk(tmp_path / "store") if request.param == "folder" else MemoryDisk()


def test_what_was_appended_comes_back_in_order(disk: Disk) -> None:
    changes = [memory(0), memory(1, "line\nbreak \0 and \x1b"), touched([0]), Skipped(86_400_000), memory(2)]
    store = Store.open(disk, seed=SEED)
    assert store.recovered.changes == []
    places = store.append(changes)
    assert [place is not None for place in places] == [isinstance(change, Remembered) for change in changes]
    store.sync()
    assert store.sequence == 5
    store.close()
    again = Store.open(disk, seed=7)
    assert again.recovered.changes == list(zip(range(1, 6), changes, places, strict=True))
    assert (again.sequence, again.next_ordinal, again.seed) == (5, 3, SEED)
    assert again.recovered.damage == again.recovered.notes == []
    assert texts_in(disk, again.recovered) == texts_of([changes[0], changes[1], changes[4]])
    again.close()


def test_opening_and_closing_leaves_a_folder_as_it_is(disk: Disk) -> None:
    build(disk)
    before = {name: disk.read(name) for name in disk.names()}
    for _ in range(3):
        Store.open(disk, seed=1).close()
    assert {name: disk.read(name) for name in disk.names()} == before


def test_two_identical_runs_give_identical_folders(tmp_path: Path) -> None:
    contents = []
    for name in "ab":
        disk = FolderDisk(tmp_path / name)
        build(disk)
        contents.append({name: disk.read(name) for name in disk.names()})
    assert contents[0] == contents[1]
    in_memory = MemoryDisk()
    build(in_memory)
    assert in_memory.files() == {name: content for name, content in contents[0].items() if name != "lock"}


def test_a_pack_wins_over_a_segment_and_the_newest_pack_over_others(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.sync()
    seal(store, [memory(0)])
    store.close()
    assert Store.open(disk, seed=1).recovered.locations["file"].tolist() == [2]
    disk.unlock()
    store = Store.open(disk, seed=1)
    number = seal(store, [memory(0)])[0]
    store.close()
    recovered = Store.open(disk, seed=1).recovered
    assert recovered.locations["file"].tolist() == [number]
    assert recovered.changes[0][2] == Location(number, recovered.locations["offset"][0], 0)


def test_segments_rotate_by_themselves_when_they_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "journal_segment_bytes", 2_000)
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    memories = [memory(ordinal) for ordinal in range(60)]
    for one in memories:
        store.append([one])
        store.sync()
    names = [name for name in disk.names() if name.startswith("journal-")]
    assert len(names) > 3
    assert all(disk.size(name) < 2_500 for name in names[:-1])
    disk.crash()
    recovered = Store.open(disk, seed=1).recovered
    assert texts_in(disk, recovered) == texts_of(memories)
    assert recovered.damage == []


def test_rotating_an_empty_segment_gives_the_same_one(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    number = store.rotate()
    assert store.rotate() == number
    store.append([memory(0)])
    assert store.rotate() > number
    store.close()


def test_the_figures_of_all_files_together_are_the_folder(tmp_path: Path) -> None:
    disk = FolderDisk(tmp_path)
    build(disk)
    store = Store.open(disk, seed=1)
    store.write_cache("vectors", bytes(100))
    store.log_report("a pass", "{}")
    (tmp_path / "hippo.toml").write_text("port = 1")
    figures = store.bytes()
    on_disk = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert figures.total_bytes + figures.parity_bytes + figures.cache_bytes + figures.log_bytes == on_disk
    assert figures.total_bytes == figures.content_bytes + figures.index_bytes + figures.journal_bytes
    assert figures.parity_bytes == figures.index_bytes > 0
    assert figures.cache_bytes == 108
    packs = store.packs()
    assert [(pack.agent, pack.rows) for pack in packs] == [("default", 14), ("Zoë", 6)]
    assert sum(pack.stored_bytes for pack in packs) == figures.content_bytes
    assert sum(pack.raw_bytes for pack in packs) == sum(
        len(memory(ordinal).draft.text.encode()) for ordinal in range(20))
    store.close()


def test_a_preallocated_journal_is_trimmed_at_a_rotation_and_at_the_end(tmp_path: Path) -> None:
    disk = FolderDisk(tmp_path)
    store = Store.open(disk, seed=SEED)
    store.append([memory(0)])
    store.rotate()
    assert disk.size("journal-00000001") < 400
    store.append([memory(1)])
    store.close()
    assert store.bytes().journal_bytes < 800


def test_dropped_segments_leave_a_store_that_is_whole(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    memories = [memory(ordinal) for ordinal in range(5)]
    store.append(memories)
    store.sync()
    edge = store.rotate()
    first = seal(store, memories)
    store.write_index(encode_index(snapshot_of(memories, store.sequence)))
    store.drop(segments_before=edge, packs=[])
    second = seal(store, memories)
    store.drop(segments_before=edge, packs=first)
    assert [pack.number for pack in store.packs()] == second
    store.close()
    again = Store.open(disk, seed=1)
    assert again.recovered.damage == again.recovered.notes == []
    assert again.recovered.changes == []
    assert (again.sequence, again.seed, again.next_ordinal) == (5, SEED, 5)
    assert texts_in(disk, again.recovered) == texts_of(memories)
    again.close()


def test_numbers_are_never_used_twice_in_a_run(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    first = store.write_pack(encode_pack("default", [Row(0, b"a text")]).content)
    store.drop(segments_before=1, packs=[first])
    assert store.write_pack(encode_pack("default", [Row(0, b"a text")]).content) > first
    store.close()


def test_a_cache_that_does_not_fit_its_checksum_is_none(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    assert store.read_cache("vectors") is None
    store.write_cache("vectors", b"content")
    assert store.read_cache("vectors") == b"content"
    raw = bytearray(disk.read("cache/vectors"))
    for at in range(len(raw)):
        raw[at] ^= 1
        disk.write("cache/vectors", 0, bytes(raw))
        assert store.read_cache("vectors") is None
        raw[at] ^= 1
    disk.truncate("cache/vectors", 3)
    assert store.read_cache("vectors") is None
    store.close()


def test_the_log_of_passes_is_rotated(disk: Disk) -> None:
    store = Store.open(disk, seed=SEED)
    long = "x" * (compaction_log_bytes_max // 3)
    for _ in range(7):
        store.log_report("a pass", long)
    assert disk.size("compaction.log") <= compaction_log_bytes_max
    assert disk.size("compaction.log.1") <= compaction_log_bytes_max
    assert disk.read("compaction.log", 0, 9) == b"a pass\nxx"
    store.close()


def test_a_temporary_file_of_a_cut_off_write_is_removed(disk: Disk) -> None:
    build(disk)
    disk.create("index.temporary")
    store = Store.open(disk, seed=1)
    assert "index.temporary" not in disk.names()
    store.close()


@pytest.mark.parametrize("name", ["index", "journal-00000001", "pack-00000002"])
def test_a_later_format_is_refused_by_name_and_nothing_is_written(name: str) -> None:
    disk = MemoryDisk()
    if name == "index":
        raw = bytearray(encode_index(snapshot_of([], 0)))
        raw[4] = 9
        table = raw[14:14 + int.from_bytes(raw[6:10], "little")]
        raw[10:14] = checksum(bytes(table), checksum(bytes(raw[:10]))).to_bytes(4, "little")
        disk.put(name, bytes(raw))
    elif name.startswith("journal"):
        disk.put(name, encode_header(Header(9, 1, SEED, 0, 1)))
    else:
        raw = bytearray(encode_pack("default", [Row(0, b"text")]).content)
        raw[4] = 9
        raw[23:27] = checksum(bytes(raw[:23])).to_bytes(4, "little")
        disk.put(name, bytes(raw))
    before = disk.files()
    with pytest.raises(StoreTooNew, match="format 9"):
        Store.open(disk, seed=1)
    assert disk.files() == before
    with pytest.raises(StoreTooNew):
        Store.open(disk, seed=1)  # and the lock was given back


def test_a_record_of_an_unknown_kind_is_refused_by_name() -> None:
    disk = MemoryDisk()
    payload = msgspec.msgpack.encode(["dreamt", 1, 2])
    disk.put("journal-00000001", encode_header(Header(VERSION, 1, SEED, 0, 1)) + frame(1, payload, salt_of(SEED)))
    with pytest.raises(StoreTooNew, match="records of kind 'dreamt'"):
        Store.open(disk, seed=1)


def test_an_intact_frame_without_a_record_is_damage() -> None:
    disk = MemoryDisk()
    disk.put("journal-00000001", encode_header(Header(VERSION, 1, SEED, 0, 1)) + frame(1, b"\xc1", salt_of(SEED)))
    assert any(f"byte {BODY}" in sentence for sentence in Store.open(disk, seed=1).recovered.damage)


@pytest.mark.parametrize(("salt", "found"), [(salt_of(SEED), [0, 9, 1]), (salt_of(0), [0, 1])])
def test_a_record_cannot_be_smuggled_in_without_the_salt_of_the_store(salt: int, found: list[int]) -> None:
    """A reader that looks for the next frame behind damage must not believe one that was a text."""
    own = salt_of(SEED)
    disk = MemoryDisk()
    disk.put("journal-00000001", encode_header(Header(VERSION, 1, SEED, 0, 1)) + b"".join((
        frame(1, encode_change(memory(0)), own), b"damaged", frame(2, encode_change(memory(9)), salt), b"damaged",
        frame(3, encode_change(memory(1)), own))))
    recovered = Store.open(disk, seed=1).recovered
    assert [change.ordinal for _, change, _ in recovered.changes if isinstance(change, Remembered)] == found


def test_a_second_owner_in_the_same_machine_is_refused(disk: Disk, tmp_path: Path) -> None:
    store = Store.open(disk, seed=SEED)
    other = FolderDisk(tmp_path / "store") if isinstance(disk, FolderDisk) else disk
    with pytest.raises(StoreInUse):
        Store.open(other, seed=1)
    store.close()
    Store.open(other, seed=1).close()


def test_a_second_process_is_told_pid_and_folder_of_the_owner(tmp_path: Path) -> None:
    program = (
        "import sys; from hippo.store.disk import FolderDisk; from hippo.store.store import Store\n"
        "store = Store.open(FolderDisk(sys.argv[1]), seed=1); print('open', flush=True); sys.stdin.read(); store.close()")
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        assert owner.stdin is not None
        assert owner.stdout.readline() == "open\n"
        with pytest.raises(StoreInUse) as refused:
            Store.open(FolderDisk(tmp_path), seed=1)
        assert f"process {owner.pid}" in refused.value.message
        assert str(tmp_path) in refused.value.message
        owner.kill()  # a lock does not outlive its process
        owner.stdin.close()
        owner.wait(timeout=10)
    store = Store.open(FolderDisk(tmp_path), seed=1)
    assert store.writable
    store.close()


def test_the_lock_says_where_its_owner_listens(tmp_path: Path) -> None:
    disk = FolderDisk(tmp_path)
    store = Store.open(disk, seed=1)
    disk.announce("http://127.0.0.1:3000")
    assert json.loads((tmp_path / "lock").read_text()) == {
        "pid": os.getpid(), "folder": str(tmp_path), "url": "http://127.0.0.1:3000"}
    store.close()
    assert (tmp_path / "lock").read_text() == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user, whom permissions then bind")
def test_a_folder_of_another_user_is_read_and_says_why_it_cannot_be_written() -> None:
    # Not in tmp_path: that lies in a folder no other user may enter.
    with tempfile.TemporaryDirectory() as folder:
        memories = build(FolderDisk(folder))
        Path(folder).chmod(0o755)
        for path in Path(folder).iterdir():
            path.chmod(0o644)
        program = (
            "import os, sys; from hippo.store.disk import FolderDisk; from hippo.store.store import Store\n"
            "from hippo.errors import StoreUnwritable; from tests.store.small_store import memory, texts_in\n"
            "os.setgid(65534); os.setuid(65534); disk = FolderDisk(sys.argv[1]); store = Store.open(disk, seed=1)\n"
            "print(store.writable, len(texts_in(disk, store.recovered)), *store.recovered.notes)\n"
            "try: store.append([memory(99)])\n"
            "except StoreUnwritable as error: print(error.message)\n"
            "store.close()")
        answer = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, timeout=30,
                                check=True, cwd=Path(__file__).parents[2])
        first, second = answer.stdout.splitlines()
        assert first == f"False {len(memories)} The store cannot be written: it belongs to another user."
        assert second == f"The store {folder} cannot be written: it belongs to another user."


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user, whom permissions then bind")
def test_a_store_that_may_not_be_read_is_refused_and_not_taken_for_an_empty_one() -> None:
    with tempfile.TemporaryDirectory() as folder:
        build(FolderDisk(folder))
        program = (
            "import os, sys; from hippo.store.disk import FolderDisk; from hippo.store.store import Store\n"
            "from hippo.errors import StoreUnwritable\n"
            "os.setgid(65534); os.setuid(65534)\n"
            "try: Store.open(FolderDisk(sys.argv[1]), seed=1)\n"
            "except StoreUnwritable as error: print(error.message)")
        answer = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, timeout=30,
                                check=True, cwd=Path(__file__).parents[2])
        assert answer.stdout == f"The store {folder} cannot be written: it belongs to another user.\n"


def test_a_folder_that_cannot_be_made_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable, match="cannot be written"):
        Store.open(FolderDisk(tmp_path / "file" / "store"), seed=1)
