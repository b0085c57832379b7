"""Flip any byte, truncate any file, remove any file: it opens, names the damage, and serves the rest."""

from __future__ import annotations

from hashlib import sha256

import pytest

from hippo.codec.block import block_bytes, fidelity_of
from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import FRAME_BYTES
from hippo.model.change import Remembered
from hippo.store.check import check
from hippo.store.memory_disk import MemoryDisk
from hippo.store.recover import Recovered
from hippo.store.store import Store
from hippo.text import residual
from tests.store.small_store import SEED, build, places_in, texts_in, texts_of

Files = dict[str, bytes]
Extent = tuple[str, int, int]


@pytest.fixture(scope="module")
def whole() -> tuple[Files, dict[int, str], dict[int, Extent]]:
    """The files of a small store, its texts, and the file and bytes each text needs."""
    disk = MemoryDisk()
    memories = build(disk)
    recovered = opened(disk.files())[1]
    extents = {}
    for ordinal, (place, _) in places_in(recovered).items():
        name = next(name for name in disk.names() if name.endswith(f"-{place.file:08d}"))
        header = disk.read(name, place.offset, 64)
        length = block_bytes(header) if name.startswith("pack") else int.from_bytes(header[:3], "little") + FRAME_BYTES
        extents[ordinal] = (name, place.offset, place.offset + length)
    assert sorted(extents) == list(range(30))
    assert {name.split("-")[0] for name, _, _ in extents.values()} == {"pack", "journal"}
    return disk.files(), texts_of(memories), extents


def opened(files: Files) -> tuple[MemoryDisk, Recovered]:
    disk = MemoryDisk()
    for name, content in files.items():
        disk.put(name, content)
    store = Store.open(disk, seed=7)
    assert store.writable
    return disk, store.recovered


def named(recovered: Recovered) -> str:
    return " ".join([*recovered.damage, *recovered.notes])


FILES = ["index", "index.copy", "journal-00000004", "journal-00000005", "pack-00000002", "pack-00000003"]


def test_the_small_store_has_the_files_that_are_damaged_below(whole: tuple[Files, object, object]) -> None:
    assert list(whole[0]) == FILES
    recovered = opened(whole[0])[1]
    assert recovered.damage == recovered.notes == []


@pytest.mark.parametrize("name", FILES)
def test_flipping_any_byte_costs_only_what_lies_there(
        name: str, whole: tuple[Files, dict[int, str], dict[int, Extent]]) -> None:
    files, texts, extents = whole
    for at in range(len(files[name])):
        content = bytearray(files[name])
        content[at] ^= 1 << at % 8
        disk, recovered = opened(files | {name: bytes(content)})
        assert name in named(recovered), at
        expected = {ordinal: text for ordinal, text in texts.items()
                    if not (extents[ordinal][0] == name and extents[ordinal][1] <= at < extents[ordinal][2])}
        served = texts_in(disk, recovered)
        assert served == expected, at
        assert recovered.seed == SEED


@pytest.mark.parametrize("name", FILES)
def test_truncating_a_file_anywhere_costs_only_what_was_cut_off(
        name: str, whole: tuple[Files, dict[int, str], dict[int, Extent]]) -> None:
    files, texts, extents = whole
    for length in range(len(files[name])):
        disk, recovered = opened(files | {name: files[name][:length]})
        assert name in named(recovered), length
        expected = {ordinal: text for ordinal, text in texts.items()
                    if not (extents[ordinal][0] == name and extents[ordinal][2] > length)}
        assert texts_in(disk, recovered) == expected, length


@pytest.mark.parametrize("name", FILES)
def test_removing_a_file_costs_only_what_was_in_it(
        name: str, whole: tuple[Files, dict[int, str], dict[int, Extent]]) -> None:
    files, texts, extents = whole
    disk, recovered = opened({one: content for one, content in files.items() if one != name})
    assert texts_in(disk, recovered) == {
        ordinal: text for ordinal, text in texts.items() if extents[ordinal][0] != name}
    newest = name == "journal-00000005"  # nothing else knows what was only in there, and that it was
    assert newest or recovered.damage


def test_a_flip_in_the_index_changes_nothing_that_is_read(whole: tuple[Files, object, object]) -> None:
    files = whole[0]
    original = opened(files)[1].snapshot
    for at in range(0, len(files["index"]), 7):
        content = bytearray(files["index"])
        content[at] ^= 255
        read = opened(files | {"index": bytes(content)})[1].snapshot
        assert all((read.columns[name] == original.columns[name]).all() for name in original.columns)
        assert all((read.edges[name] == original.edges[name]).all() for name in original.edges)
        assert (read.covers, read.strings, read.state) == (original.covers, original.strings, original.state)


def test_index_and_copy_damaged_in_different_sections_are_put_together(whole: tuple[Files, object, object]) -> None:
    files = whole[0]
    size = len(files["index"])
    index, copy = bytearray(files["index"]), bytearray(files["index.copy"])
    index[size - 3] ^= 1  # the state
    copy[size // 2 + 40] ^= 1
    recovered = opened(files | {"index": bytes(index), "index.copy": bytes(copy)})[1]
    assert not recovered.rebuilt
    assert recovered.snapshot.state == opened(files)[1].snapshot.state


def test_without_any_index_memories_are_built_again_from_packs_and_journal(
        whole: tuple[Files, dict[int, str], object]) -> None:
    files, texts, _ = whole
    disk, recovered = opened({name: content for name, content in files.items() if not name.startswith("index")})
    assert texts_in(disk, recovered) == texts
    assert any("built again" in sentence for sentence in recovered.damage)
    assert recovered.seed == SEED
    assert recovered.next_ordinal == 30
    agents = {change.ordinal: change.draft.agent_id for _, change, _ in recovered.changes if hasattr(change, "draft")}
    assert agents == {ordinal: "Zoë" if ordinal % 3 == 2 else "default" for ordinal in range(30)}


def test_without_any_index_residuals_are_built_again_as_texts_as_far_as_they_are_any() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    schema = "somebody left the garden gate open again"
    texts = [f"{schema}, for the {at}th time" for at in range(20)]
    rows = [Row(at, sha256(text.encode()).hexdigest().encode(), residual.encode(schema, text), 0, bytes([240, 230, at]))
            for at, text in enumerate(texts)]
    rows[4] = rows[4]._replace(residual=b"\xff")
    store.write_pack(encode_pack("Zoë", rows, tier_set="cold", schemas=[schema.encode()]).content)
    store.close()
    recovered = Store.open(disk, seed=SEED).recovered
    built = {change.ordinal: change.draft.text for _, change, _ in recovered.changes if isinstance(change, Remembered)}
    assert built == {at: text for at, text in enumerate(texts) if at != 4}
    assert any("no text" in sentence for sentence in recovered.damage)
    assert fidelity_of(recovered.packs[0].blocks)[:, 2].tolist() == list(range(20))


def test_any_damage_is_found_by_a_check_too(whole: tuple[Files, object, object]) -> None:
    files = whole[0]
    for name in FILES:
        for at in range(0, len(files[name]), 11):
            disk = MemoryDisk()
            for one, content in files.items():
                disk.put(one, content)
            content = bytearray(files[name])
            content[at] ^= 4
            disk.put(name, bytes(content))
            assert check(disk), (name, at)


def test_a_torn_tail_is_set_aside_cut_off_and_reported_once(whole: tuple[Files, dict[int, str], object]) -> None:
    files, texts, _ = whole
    newest = FILES[3]
    tail = files[newest][-160:-100]
    for length in range(1, len(tail)):
        torn = files[newest] + tail[:length]
        disk, recovered = opened(files | {newest: torn})
        used = len(torn.rstrip(b"\0"))
        if used <= len(files[newest]):
            continue
        assert "tail" in named(recovered)
        assert texts_in(disk, recovered) == texts
        aside = [name for name in disk.names() if name.startswith("lost+found/")]
        assert [disk.read(name) for name in aside] == [torn[len(files[newest]):used]]
        disk.crash()
        assert Store.open(disk, seed=1).recovered.damage == []
