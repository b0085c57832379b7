"""Reading texts."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from hippo.codec import ppmd
from hippo.codec.dictionary import encode_dictionary
from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import text_tag
from hippo.codec.tiers import TIER_SETS
from hippo.errors import MemoryDamaged, Relocated
from hippo.limits import block_cache_bytes
from hippo.store.check import check
from hippo.store.disk import FolderDisk
from hippo.store.location import Location
from hippo.store.memory_disk import MemoryDisk
from hippo.store.packs import Dictionaries, dictionary_name
from hippo.store.store import Store
from hippo.store.texts import Texts
from hippo.text import residual
from tests.store.small_store import SEED, memory

LONG = "a long text; " * 10_000


def test_texts_come_in_the_order_asked_for_from_segments_and_packs(tmp_path: Path) -> None:
    disk = FolderDisk(tmp_path)
    store = Store.open(disk, seed=SEED)
    memories = [memory(ordinal, LONG if ordinal == 3 else None) for ordinal in range(40)]
    places = store.append(memories)
    store.sync()
    rows = [Row(one.ordinal, one.draft.text.encode()) for one in memories[::2]]
    pack = encode_pack("default", rows)
    number = store.write_pack(pack.content)
    packed = {row.ordinal: Location(number, *place) for row, place in zip(rows, pack.places, strict=True)}
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
    number = store.write_pack(encode_pack("default", [Row(5, b"five"), Row(6, b"six")]).content)
    offset = 27
    texts = Texts(disk, SEED)
    assert texts.read([(Location(number, offset, 0), 5, text_tag("five"))]) == ["five"]
    wrong = [(places[1], 0, memory(0).tag), (places[0], 0, 1), (Location(places[0].file, 81, 0), 0, memory(0).tag),
             (Location(number, offset, 0), 7, text_tag("five")), (Location(number, offset, 0), 6, text_tag("five")),
             (Location(number, offset + 1, 0), 5, text_tag("five")), (Location(0, 0, 0), 5, text_tag("five")),
             (Location(number, 10_000_000, 0), 5, text_tag("five"))]
    for one in texts.read(wrong):
        assert isinstance(one, MemoryDamaged)


def test_texts_are_read_however_their_block_is_written() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    note = " ".join(f"{at * 7919 % 10_007}" for at in range(3_000))
    schema = "the weekly report is due on Friday"
    texts = [note, *(f"the weekly report number {at} is due on Friday" for at in range(30)), note[:9_000] + "!" + note[9_000:]]
    rows = [Row(at, text.encode(), residual.encode(schema, text) if 0 < at < 31 else None, 0) for at, text in enumerate(texts)]
    known = "\0".join(texts[1:20]).encode()
    disk.put(dictionary_name(3), encode_dictionary(known))
    for tier_set in TIER_SETS:
        for dictionary in (None, (3, known)):
            pack = encode_pack("default", rows, tier_set=tier_set, schemas=[schema.encode()], dictionary=dictionary)
            assert pack.codecs[31].startswith("delta:")
            number = store.write_pack(pack.content)
            facts = store.packs()[-1]
            assert (facts.tier_set, facts.rows, sum(facts.codecs.values())) == (tier_set, 32, 32)
            assert set(facts.codecs) == set(pack.codecs)
            assert facts.raw_bytes == sum(len(row.plain) for row in rows)
            assert facts.dictionaries in ((), (3,) if dictionary else ())
            wanted = [(Location(number, *place), row.ordinal, text_tag(text))
                      for row, text, place in zip(rows, texts, pack.places, strict=True)]
            assert Texts(disk, SEED).read(wanted) == texts
            assert Texts(disk, SEED).read(wanted[-1:]) == texts[-1:]


def test_folded_rows_give_their_texts_and_one_that_does_not_costs_no_other() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    schema = "somebody left the garden gate open again"
    texts = [f"{schema}, said the neighbour, for the {at}th time {at * 7919 % 10_007}" for at in range(40)]
    rows = [Row(at, sha256(text.encode()).hexdigest().encode() * 3, residual.encode(schema, text), 0)
            for at, text in enumerate(texts)]  # plain rows that do not compress, so that the residuals are kept
    rows[7] = rows[7]._replace(residual=b"\xff")
    pack = encode_pack("default", rows, tier_set="cool", schemas=[schema.encode()])
    number = store.write_pack(pack.content)
    wanted = [(Location(number, *place), row.ordinal, text_tag(text))
              for row, text, place in zip(rows, texts, pack.places, strict=True)]
    for at, (read, text) in enumerate(zip(Texts(disk, SEED).read(wanted), texts, strict=True)):
        assert read == text if at != 7 else isinstance(read, MemoryDamaged)


def test_a_block_without_its_dictionary_names_it() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    text = "the boathouse key hangs behind the clock in the hall"
    pack = encode_pack("default", [Row(0, text.encode())], dictionary=(7, text.encode()))
    place = Location(store.write_pack(pack.content), *pack.places[0])
    (read,) = Texts(disk, SEED).read([(place, 0, text_tag(text))])
    assert isinstance(read, MemoryDamaged)
    assert "dictionary, number 7, is missing" in read.message
    disk.put(dictionary_name(7), encode_dictionary(text.encode()))
    assert Texts(disk, SEED).read([(place, 0, text_tag(text))]) == [text]
    assert dict(Dictionaries(disk)) == {7: text.encode()}
    disk.put(dictionary_name(7), encode_dictionary(text.encode())[:-1])
    (read,) = Texts(disk, SEED).read([(place, 0, text_tag(text))])
    assert isinstance(read, MemoryDamaged)


def test_without_the_extra_each_memory_in_ppmd_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    texts = [f"the dentist has moved appointment number {at} to the afternoon" for at in range(60)]
    pack = encode_pack("default", [Row(at, text.encode()) for at, text in enumerate(texts)], tier_set="cold")
    assert set(pack.codecs) == {"words+ppmd-6"}
    number = store.write_pack(pack.content)
    store.close()
    wanted = [(Location(number, *place), at, text_tag(text))
              for at, (text, place) in enumerate(zip(texts, pack.places, strict=True))]
    monkeypatch.setattr(ppmd, "pyppmd", None)
    for read in Texts(disk, SEED).read(wanted):
        assert isinstance(read, MemoryDamaged)
        assert "hippo-memory[dense]" in read.message
    assert {(one.severity, one.invariant) for one in check(disk) if "dense" in one.sentence and one.invariant == "P3"} == {
        ("warning", "P3")}


def test_what_is_kept_of_decoded_blocks_has_a_bound() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    rows = [(ordinal, f"{ordinal} {LONG}") for ordinal in range(12)]
    pack = encode_pack("default", [Row(ordinal, text.encode()) for ordinal, text in rows])
    number = store.write_pack(pack.content)
    texts = Texts(disk, SEED)
    wanted = [(Location(number, *place), ordinal, text_tag(text))
              for (ordinal, text), place in zip(rows, pack.places, strict=True)]
    for _ in range(20):
        assert texts.read(wanted) == [text for _, text in rows]
        assert texts.kept_bytes <= block_cache_bytes
