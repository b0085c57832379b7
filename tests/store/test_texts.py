"""Reading texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippo.codec.pack import encode_pack
from hippo.codec.record import text_tag
from hippo.errors import MemoryDamaged, Relocated
from hippo.limits import block_cache_bytes
from hippo.store.disk import FolderDisk
from hippo.store.location import Location
from hippo.store.memory_disk import MemoryDisk
from hippo.store.store import Store
from hippo.store.texts import Texts
from tests.store.small_store import SEED, memory

LONG = "a long text; " * 10_000


def test_texts_come_in_the_order_asked_for_from_segments_and_packs(tmp_path: Path) -> None:
    disk = FolderDisk(tmp_path)
    store = Store.open(disk, seed=SEED)
    memories = [memory(ordinal, LONG if ordinal == 3 else None) for ordinal in range(40)]
    places = store.append(memories)
    store.sync()
    rows = [(one.ordinal, one.draft.text) for one in memories[::2]]
    pack = encode_pack("default", rows)
    number = store.write_pack(pack.content)
    packed = {ordinal: Location(number, *place) for (ordinal, _), place in zip(rows, pack.places, strict=True)}
    wanted = [(packed.get(one.ordinal, place), one.ordinal, one.tag)
              for one, place in zip(memories, places, strict=True) if place is not None]
    texts = Texts(disk, SEED)
    expected = [one.draft.text for one in memories]
    for _ in range(2):
        assert texts.read(wanted) == expected
        assert texts.read(wanted[::-1]) == expected[::-1]
    assert texts.read([]) == []
    texts.close()
    assert texts.read(wanted) == expected
    store.close()


def test_a_file_that_is_gone_was_relocated() -> None:
    with pytest.raises(Relocated):
        Texts(MemoryDisk(), SEED).read([(Location(1, 80, 0), 0, 0)])


def test_a_text_of_another_memory_is_never_given() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    places = [place for place in store.append([memory(0), memory(1)]) if place]
    number = store.write_pack(encode_pack("default", [(5, "five"), (6, "six")]).content)
    offset = 27
    texts = Texts(disk, SEED)
    assert texts.read([(Location(number, offset, 0), 5, text_tag("five"))]) == ["five"]
    wrong = [(places[1], 0, memory(0).tag), (places[0], 0, 1), (Location(places[0].file, 81, 0), 0, memory(0).tag),
             (Location(number, offset, 0), 7, text_tag("five")), (Location(number, offset, 0), 6, text_tag("five")),
             (Location(number, offset + 1, 0), 5, text_tag("five")), (Location(0, 0, 0), 5, text_tag("five")),
             (Location(number, 10_000_000, 0), 5, text_tag("five"))]
    for one in texts.read(wrong):
        assert isinstance(one, MemoryDamaged)


def test_what_is_kept_of_decoded_blocks_has_a_bound() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    rows = [(ordinal, f"{ordinal} {LONG}") for ordinal in range(12)]
    pack = encode_pack("default", rows)
    number = store.write_pack(pack.content)
    texts = Texts(disk, SEED)
    wanted = [(Location(number, *place), ordinal, text_tag(text))
              for (ordinal, text), place in zip(rows, pack.places, strict=True)]
    for _ in range(20):
        assert texts.read(wanted) == [text for _, text in rows]
        assert texts.kept_bytes <= block_cache_bytes
