"""Packs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.block import Block, Held, block_at, decode_block, fidelity_of, ordinals_of
from hippo.codec.pack import EncodedPack, Row, encode_pack, preamble_at, tail_preamble
from hippo.codec.tiers import TIER_SETS
from hippo.limits import block_bytes_max, text_characters_max, warm_block_bytes

_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)
_rows = st.lists(st.tuples(st.integers(1, 2**20), _texts), min_size=1, max_size=60).map(
    lambda rows: [Row(ordinal, text.encode()) for ordinal, (_, text) in
                  zip(accumulate(gap for gap, _ in rows), rows, strict=True)])
_chance = random.Random(4)
NOTE = _chance.randbytes(6_000).hex().encode()


def blocks_of(content: bytes) -> list[Block]:
    preamble = preamble_at(content, 0)
    assert preamble is not None
    at, blocks = preamble.own_bytes, []
    while (block := block_at(content, at)) is not None:
        blocks.append(block)
        at = block.end
    assert at == len(content) - preamble.own_bytes
    assert len(blocks) == preamble.blocks
    return blocks


def read(pack: EncodedPack, rows: Sequence[Row], dictionaries: Mapping[int, bytes] | None = None) -> list[Held]:
    """What lies at the places of the rows, checked against what the blocks say of themselves."""
    blocks = {block.offset: block for block in blocks_of(pack.content)}
    held = {offset: decode_block(pack.content, block, dictionaries or {}) for offset, block in blocks.items()}
    ordinals = {offset: ordinals_of([block]).tolist() for offset, block in blocks.items()}
    assert [ordinals[offset][row] for offset, row in pack.places] == [row.ordinal for row in rows]
    assert [blocks[offset].codec_name for offset, _ in pack.places] == pack.codecs
    return [held[offset][row] for offset, row in pack.places]


@settings(max_examples=60, deadline=None)
@given(_texts, _rows, st.sampled_from(TIER_SETS))
def test_every_row_comes_back_from_its_place(agent: str, rows: list[Row], tier_set: str) -> None:
    pack = encode_pack(agent, rows, tier_set=tier_set)
    assert pack == encode_pack(agent, rows, tier_set=tier_set)
    preamble = preamble_at(pack.content, 0)
    assert preamble == tail_preamble(pack.content)
    assert preamble is not None
    assert preamble[1:3] == (agent, tier_set)
    assert preamble.file_bytes == len(pack.content)
    assert read(pack, rows) == [row.plain for row in rows]
    assert sum(block.raw_bytes for block in blocks_of(pack.content)) == sum(len(row.plain) for row in rows)


def test_a_small_set_is_one_block_and_a_large_one_has_blocks_that_are_quick_to_read() -> None:
    rows = [Row(ordinal, f"memory {ordinal} about nothing in particular".encode()) for ordinal in range(6_000)]
    small = blocks_of(encode_pack("default", rows[:1_400]).content)
    assert len(small) == 1
    assert warm_block_bytes < small[0].raw_bytes < block_bytes_max
    assert all(0.8 * warm_block_bytes < block.raw_bytes <= warm_block_bytes
               for block in blocks_of(encode_pack("default", rows).content))
    assert all(0.8 * block_bytes_max < block.raw_bytes <= block_bytes_max
               for block in blocks_of(encode_pack("default", rows, tier_set="cold").content))


def test_a_text_longer_than_a_block_gets_one_of_its_own() -> None:
    long = ("\U0001F99B" * text_characters_max).encode()
    rows = [Row(0, b"short"), Row(1, long), Row(2, b"short")]
    assert [block.rows for block in blocks_of(encode_pack("default", rows).content)] == [1, 1, 1]
    assert read(encode_pack("default", rows, tier_set="cold"), rows) == [b"short", long, b"short"]


def test_an_edited_note_costs_what_was_changed() -> None:
    versions = [NOTE, NOTE[:4_000] + b" an insertion " + NOTE[4_000:], NOTE[:9_000] + NOTE[9_300:]]
    rows = [Row(at, versions[at // 40] if at % 40 == 0 else b"a short text, number %d" % at) for at in range(120)]
    for tier_set in ("warm", "cold"):
        pack = encode_pack("default", rows, tier_set=tier_set)
        assert read(pack, rows) == [row.plain for row in rows]
        assert [name.split(":")[0] for name in pack.codecs[::40]] == [pack.codecs[1], "delta", "delta"]
        alone = encode_pack("default", [row for row in rows if row.ordinal not in (40, 80)], tier_set=tier_set)
        assert len(pack.content) - len(alone.content) < 1_000


def test_a_letterhead_lies_once() -> None:
    letterhead = _chance.randbytes(2_000).hex().encode()
    rows = [Row(at, letterhead + _chance.randbytes(9_000).hex().encode()) for at in range(6)]
    pack = encode_pack("default", rows)
    assert read(pack, rows) == [row.plain for row in rows]
    assert {name.split(":")[0] for name in pack.codecs} == {"chunks"}
    bodies = encode_pack("default", [row._replace(plain=row.plain[len(letterhead):]) for row in rows])
    assert len(pack.content) - len(bodies.content) < 4_000 < len(letterhead) * len(rows) / 4


def test_nothing_leans_where_nothing_is_alike() -> None:
    rows = [Row(at, _chance.randbytes(6_000).hex().encode()) for at in range(8)]
    assert not any(block.base for block in blocks_of(encode_pack("default", rows).content))


def test_a_dictionary_is_named_and_needed() -> None:
    texts = [f"Quirin asked Ottokar for the key number {at * 37 % 1_000} of the boathouse".encode() for at in range(40)]
    rows = [Row(at, text) for at, text in enumerate(texts)]
    known = b"\0".join(texts[::2])
    for tier_set in TIER_SETS:
        pack = encode_pack("default", rows, tier_set=tier_set, dictionary=(4, known))
        assert read(pack, rows, {4: known}) == texts
        assert {block.dictionary for block in blocks_of(pack.content)} == {4}
        assert len(pack.content) < len(encode_pack("default", rows, tier_set=tier_set).content)


def test_abridged_rows_tell_their_fidelity() -> None:
    rows = [Row(at, b"what is left", fidelity=bytes([200 + at, 210, 220]) if at % 2 else None) for at in range(9)]
    fidelity = fidelity_of(blocks_of(encode_pack("default", rows, tier_set="cold").content))
    assert fidelity.tolist() == [[200 + at, 210, 220] if at % 2 else [0, 0, 0] for at in range(9)]


def test_a_preamble_with_any_flipped_byte_is_none() -> None:
    content = encode_pack("Zoë", [Row(0, b"text")], tier_set="cool").content
    preamble = preamble_at(content, 0)
    assert preamble is not None
    for at in range(preamble.own_bytes):
        damaged = bytearray(content)
        damaged[at] ^= 1
        assert preamble_at(bytes(damaged), 0) is None
        assert tail_preamble(bytes(damaged)) == preamble


@pytest.mark.parametrize("tier_set", ["warm", "cold"])
def test_what_a_small_store_says_lies_in_a_fraction_of_it(tier_set: str) -> None:
    rows = [Row(at, f"{name} wants to have {dish} on {day} at {hour}:{minute:02d}, and asked for a table near the window."
                    .encode())
            for at, (name, dish, day, hour, minute) in enumerate(
                (name, dish, day, hour, (hour * 7 + len(dish)) % 60)
                for name in ("Anna", "Quirin", "Xenia") for dish in ("soup", "a salad") for day in ("Monday", "Friday", "Sunday")
                for hour in (11, 12, 18))]
    pack = encode_pack("default", rows, tier_set=tier_set)
    assert len(pack.content) < sum(len(row.plain) for row in rows) / (7 if tier_set == "warm" else 8)
