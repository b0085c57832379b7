"""Packs."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.pack import (
    Block,
    block_at,
    block_bytes,
    decode_block,
    encode_pack,
    next_block,
    ordinals_of,
    preamble_at,
    tail_preamble,
)
from hippo.limits import pack_block_bytes, text_characters_max

_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)
_rows = st.lists(st.tuples(st.integers(1, 2**20), _texts), min_size=1, max_size=60).map(
    lambda rows: list(zip(accumulate(gap for gap, _ in rows), (text for _, text in rows), strict=True)))


def blocks_of(content: bytes) -> list[Block]:
    preamble = preamble_at(content, 0)
    assert preamble is not None
    at, blocks = preamble.own_bytes, []
    while (block := block_at(content, at)) is not None:
        blocks.append(block)
        at = block.end
    assert at == len(content) - preamble.own_bytes
    return blocks


@settings(max_examples=60, deadline=None)
@given(_texts, _rows)
def test_every_row_comes_back_from_its_place(agent: str, rows: list[tuple[int, str]]) -> None:
    pack = encode_pack(agent, rows)
    assert pack == encode_pack(agent, rows)
    preamble = preamble_at(pack.content, 0)
    assert preamble == tail_preamble(pack.content)
    assert preamble is not None
    assert (preamble.agent, preamble.file_bytes) == (agent, len(pack.content))
    blocks = blocks_of(pack.content)
    assert len(blocks) == preamble.blocks
    assert ordinals_of(blocks).tolist() == [ordinal for ordinal, _ in rows]
    by_offset = {block.offset: decode_block(pack.content, block) for block in blocks}
    assert [by_offset[offset][row] for offset, row in pack.places] == [text for _, text in rows]
    assert sum(block.raw_bytes for block in blocks) == sum(len(text.encode()) for _, text in rows)


def test_a_text_longer_than_a_block_gets_one_of_its_own() -> None:
    long = "\U0001F99B" * text_characters_max
    blocks = blocks_of(encode_pack("default", [(0, "short"), (1, long), (2, "short")]).content)
    assert [block.rows for block in blocks] == [1, 1, 1]


def test_blocks_have_about_the_size_they_should() -> None:
    rows = [(ordinal, f"memory {ordinal} about nothing in particular") for ordinal in range(1_000)]
    blocks = blocks_of(encode_pack("default", rows).content)
    assert all(0.9 * pack_block_bytes < block.raw_bytes <= pack_block_bytes for block in blocks[:-1])


def test_ordinals_in_a_row_cost_a_few_bytes_a_block() -> None:
    block = blocks_of(encode_pack("default", [(ordinal, "a") for ordinal in range(1_000, 1_500)]).content)[0]
    assert len(block.runs) == 4


def test_every_flipped_byte_of_a_block_is_found_and_the_next_block_too() -> None:
    rows = [(ordinal, f"{ordinal} " + "x" * 3_000) for ordinal in range(3)]
    content = encode_pack("default", rows).content
    first, second, _ = blocks_of(content)
    for at in range(first.offset, first.end):
        damaged = bytearray(content)
        damaged[at] ^= 0x40
        assert block_at(bytes(damaged), first.offset) is None
        found = next_block(bytes(damaged), first.offset + 1)
        assert found is not None
        assert found.offset == second.offset


def test_a_preamble_with_any_flipped_byte_is_none() -> None:
    content = encode_pack("Zoë", [(0, "text")]).content
    preamble = preamble_at(content, 0)
    assert preamble is not None
    for at in range(preamble.own_bytes):
        damaged = bytearray(content)
        damaged[at] ^= 1
        assert preamble_at(bytes(damaged), 0) is None
        assert tail_preamble(bytes(damaged)) == preamble


def test_a_block_says_how_long_it_is_from_its_first_bytes() -> None:
    content = encode_pack("default", [(0, "text")]).content
    block = blocks_of(content)[0]
    assert block_bytes(content[block.offset:]) == block.end - block.offset
    assert block_bytes(content) == 0
    assert block_bytes(b"") == 0
