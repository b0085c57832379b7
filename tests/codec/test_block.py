"""Blocks."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.block import (
    MAGIC,
    Block,
    Folded,
    Row,
    block_at,
    block_bytes,
    decode_block,
    encode_block,
    fidelity_of,
    groups,
    next_block,
    ordinals_of,
    write,
    write_chunks,
)
from hippo.codec.record import Damaged, checksum

SCHEMAS = [b"the weekly report is due on Friday", b"buy bread, milk and eggs"]
ROWS = st.lists(st.builds(Row, st.just(0), st.binary(max_size=60), st.none() | st.binary(max_size=8), st.integers(0, 1),
                          st.none() | st.binary(min_size=3, max_size=3)), min_size=1, max_size=30).map(
    lambda rows: [row._replace(ordinal=7 + 3 * at) for at, row in enumerate(rows)])


def encoded(rows: list[Row], known: bytes = b"", dictionary: int = 0) -> tuple[bytes, Block]:
    content = encode_block(write(rows, SCHEMAS, "warm", known), dictionary)
    block = block_at(content, 0)
    assert block is not None
    return content, block


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_rows_come_back_as_they_are_or_as_residuals_with_their_schema(rows: list[Row]) -> None:
    content, block = encoded(rows)
    assert block_bytes(content) == len(content) == block.end
    assert ordinals_of([block]).tolist() == [row.ordinal for row in rows]
    assert block.raw_bytes == sum(len(row.plain) for row in rows)
    assert fidelity_of([block, block]).tolist() == 2 * [list(row.fidelity or bytes(3)) for row in rows]
    for row, held in zip(rows, decode_block(content, block, {}), strict=True):
        assert held == row.plain or (row.residual is not None and held == Folded(SCHEMAS[row.schema], row.residual))


def test_residuals_are_kept_where_they_are_shorter() -> None:
    chance = random.Random(1)
    plains = [chance.randbytes(200) for _ in range(20)]
    rows = [Row(at, plain, plain[:4], at % 2) for at, plain in enumerate(plains)]
    content, block = encoded(rows)
    assert block.schemas == 2
    assert decode_block(content, block, {}) == [Folded(SCHEMAS[row.schema], row.plain[:4]) for row in rows]
    content, block = encoded([row._replace(plain=b"the same", residual=chance.randbytes(90)) for row in rows])
    assert block.schemas == 0
    assert decode_block(content, block, {}) == [b"the same"] * 20
    content, block = encoded([row._replace(residual=row.residual if row.ordinal < 9 else None) for row in rows])
    assert block.schemas == 0  # most have none


def test_a_block_of_a_few_rows_costs_some_fifteen_bytes_beyond_its_content() -> None:
    _, block = encoded([Row(at, f"text number {at}".encode()) for at in range(52)])
    assert block.start <= 15


def test_a_block_names_its_dictionary_only_where_it_needs_it() -> None:
    text = b"an appointment with the dentist about the tooth at the back on the left"
    content, block = encoded([Row(0, text)], text, 3)
    assert block.dictionary == 3
    assert decode_block(content, block, {3: text}) == [text]
    with pytest.raises(Damaged, match="dictionary, number 3, is missing"):
        decode_block(content, block, {})
    content, block = encoded([Row(0, random.Random(1).randbytes(50))], text, 3)
    assert block.dictionary == 0


def test_a_block_that_leans_on_another_needs_it_whole_and_standing_by_itself() -> None:
    text = random.Random(2).randbytes(3_000)
    base = encode_block(write_chunks(text, "warm"))
    leaning = encode_block(write([Row(5, text[:2_500] + b"more")], (), "warm", text), base=len(base), on_chunks=True)
    content = base + leaning
    block = block_at(content, len(base))
    assert block is not None
    assert block.codec_name.startswith("chunks:")
    assert decode_block(content, block, {}) == [text[:2_500] + b"more"]
    assert len(leaning) < 100
    for wrong in (leaning, bytes([base[0] ^ 1]) + base[1:] + leaning, leaning + leaning):
        alone = block_at(wrong, len(wrong) - len(leaning))
        assert alone is not None
        with pytest.raises(Damaged):
            decode_block(wrong, alone, {})


def test_a_block_in_a_codec_of_a_later_release_can_be_named_and_not_read() -> None:
    content, _ = encoded([Row(0, b"a text")])
    body = content[6:7] + b"\x63" + content[8:]
    content = MAGIC + checksum(body, checksum(MAGIC)).to_bytes(4, "little") + body
    later = block_at(content, 0)
    assert later is not None
    assert later.codec_name == "codec 99"
    with pytest.raises(Damaged, match="codec 99"):
        decode_block(content, later, {})


def test_chunks_are_no_rows() -> None:
    content = encode_block(write_chunks(b"a letterhead", "cold"))
    block = block_at(content, 0)
    assert block is not None
    assert (block.rows, block.raw_bytes, decode_block(content, block, {}), len(ordinals_of([block]))) == (0, 0, [], 0)


def test_every_flipped_byte_of_a_block_is_found_and_the_next_block_too() -> None:
    first, _ = encoded([Row(0, b"the first text"), Row(4, b"the second one")])
    second, _ = encoded([Row(9, b"another")])
    for at in range(len(first)):
        damaged = bytearray(first + second)
        damaged[at] ^= 0x40
        assert block_at(bytes(damaged), 0) is None
        found = next_block(bytes(damaged), 1)
        assert found is not None
        assert found.offset == len(first)


def test_a_block_that_was_cut_is_none() -> None:
    content, _ = encoded([Row(0, b"a text")])
    for size in range(len(content)):
        assert block_at(content[:size], 0) is None
    assert block_bytes(b"") == block_bytes(MAGIC) == block_bytes(b"nothing of the kind at all") == 0


@settings(max_examples=200)
@given(st.binary(max_size=40))
def test_an_intact_block_that_says_nonsense_is_none_or_damaged(body: bytes) -> None:
    body = bytes([len(body)]) + body
    content = MAGIC + checksum(body, checksum(MAGIC)).to_bytes(4, "little") + body
    block = block_at(content, 0)
    if block is not None:
        for read in (lambda: decode_block(content, block, {}), lambda: ordinals_of([block]), lambda: fidelity_of([block])):
            try:
                read()
            except Damaged:
                continue


@given(st.lists(st.integers(0, 120), max_size=60))
def test_groups_hold_all_rows_in_order_and_are_about_as_large(lengths: list[int]) -> None:
    found = list(groups(lengths, 300, 25))
    assert [at for group in found for at in group] == list(range(len(lengths)))
    sizes = [sum(lengths[at] + 1 for at in group) for group in found]
    assert all(size <= 421 and len(group) <= 25 for size, group in zip(sizes, found, strict=True))


def test_a_set_that_just_does_not_fit_is_halved() -> None:
    assert [len(group) for group in groups([9] * 31, 300, 100)] == [16, 15]
