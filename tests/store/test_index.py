"""The index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from hippo.codec.columns import Column, encode_column
from hippo.codec.record import Damaged, checksum
from hippo.limits import (
    access_grid_ms,
    edge_grid_ms,
    float_grid_bits,
    instant_ms_max,
    instant_ms_min,
    salience_steps,
    weight_steps,
)
from hippo.model.snapshot import COLUMNS, EDGES, STRINGS, Snapshot, empty_snapshot
from hippo.store import index
from hippo.store.index import IndexEncoder, decode_index, encode_index, version_of
from tests.store.small_store import memory, snapshot_of


def assert_same(left: Snapshot, right: Snapshot) -> None:
    for mine, other, kinds in ((left.columns, right.columns, COLUMNS), (left.edges, right.edges, EDGES)):
        for name, kind in kinds.items():
            assert mine[name].dtype == other[name].dtype == np.dtype(kind), name
            assert mine[name].tobytes() == other[name].tobytes(), name
    assert (left.covers, left.strings, left.state) == (right.covers, right.strings, right.state)


_instants = st.integers(instant_ms_min, instant_ms_max)


def on_ten_bits(values: NDArray[Any]) -> NDArray[np.float32]:
    """Floats on the grid that the index keeps."""
    return (values.astype("f4").view("u4") >> float_grid_bits << float_grid_bits).view("f4")


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Any columns at all, on the grids that the graph keeps them on."""
    ordinals = sorted(draw(st.sets(st.integers(0, 2**40), max_size=25)))
    count = len(ordinals)
    columns = {name: draw(hnp.arrays(kind, count)) for name, kind in COLUMNS.items()}
    columns["ordinal"] = np.array(ordinals, "u8")
    columns["salience"] %= salience_steps + 1
    columns["created_at"], accessed = (draw(hnp.arrays("i8", count, elements=_instants)) for _ in range(2))
    columns["last_access"] = np.where(draw(hnp.arrays("?", count)), columns["created_at"],
                                      accessed // access_grid_ms * access_grid_ms)
    for name in ("stability", "intensity"):
        columns[name] = on_ten_bits(columns[name])
    pairs = sorted(draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda pair: pair[0] > pair[1]), max_size=40))) if count > 1 else []
    steps = draw(hnp.arrays("u1", len(pairs))) % (weight_steps + 1)
    edges = {"first": np.array([ordinals[earlier] for _, earlier in pairs], "u8"),
             "second": np.array([ordinals[later] for later, _ in pairs], "u8"),
             "weight": (steps / weight_steps).astype("f4"), "set_at":
             draw(hnp.arrays("i8", len(pairs), elements=_instants)) // edge_grid_ms * edge_grid_ms}
    strings = {name: ["", *draw(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3))]
               for name in STRINGS}
    return Snapshot(draw(st.integers(0, 2**50)), strings, columns, edges,
                    draw(st.dictionaries(st.text("abc"), st.integers(0, 9) | st.none(), max_size=3)))


_chunk_rows = st.sampled_from([1, 4, 4_096])


@settings(max_examples=60, deadline=None)
@given(snapshots(), _chunk_rows)
def test_every_snapshot_comes_back_exactly(snapshot: Snapshot, chunk_rows: int) -> None:
    raw = IndexEncoder(chunk_rows).encode(snapshot)
    back, damage = decode_index(raw)
    assert damage == []
    assert_same(back, snapshot)
    assert IndexEncoder(chunk_rows).encode(back) == raw
    assert version_of(raw) == 3


@settings(max_examples=40, deadline=None)
@given(st.lists(snapshots(), min_size=2, max_size=3), _chunk_rows)
def test_what_an_encoder_remembers_does_not_change_the_bytes(several: list[Snapshot], chunk_rows: int) -> None:
    encoder = IndexEncoder(chunk_rows)
    for snapshot in (*several, *several, empty_snapshot()):
        assert encoder.encode(snapshot) == IndexEncoder(chunk_rows).encode(snapshot)


def test_only_what_changed_is_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def counted(values: NDArray[Any]) -> Column:
        lengths.append(len(values))
        return encode_column(values)

    monkeypatch.setattr(index, "encode_column", counted)
    memories = [memory(ordinal) for ordinal in range(63)]
    encoder = IndexEncoder(chunk_rows=16)
    for _ in range(2):
        lengths.clear()
        encoder.encode(snapshot_of(memories[:60], 60))
    assert lengths == []
    grown = snapshot_of(memories, 63)
    for name, value in zip(EDGES, (0, 62, 0.5, 7), strict=True):  # the new ones reach back to the first
        grown.edges[name] = np.insert(grown.edges[name], -1, value)
    encoder.encode(grown)
    assert set(lengths) == {15, 16}  # rows and associations of the last chunk
    lengths.clear()
    grown.columns["access_count"][20] = 9
    grown.edges["weight"][33] = 0.7
    encoder.encode(grown)
    assert lengths == [16, 16]


def test_an_empty_store_has_an_index_of_a_few_bytes() -> None:
    raw = encode_index(empty_snapshot())
    assert len(raw) < 300
    assert_same(decode_index(raw)[0], empty_snapshot())


def test_more_memories_than_sixteen_bits_and_their_far_associations_come_back() -> None:
    count = 70_000
    columns = {name: np.zeros(count, kind) for name, kind in COLUMNS.items()}
    columns["ordinal"] = np.arange(5, count + 5, dtype="u8")
    edges = {"first": np.array([5, 9, 5], "u8"), "second": np.array([6, count + 3, count + 4], "u8"),
             "weight": np.array([1.0, 0.5, 0.0], "f4"), "set_at": np.array([0, 1, 2], "i8") * edge_grid_ms}
    snapshot = Snapshot(1, {name: [""] for name in STRINGS}, columns, edges, {})
    assert_same(decode_index(encode_index(snapshot))[0], snapshot)


def test_a_lost_column_starts_from_its_defaults_and_is_named() -> None:
    raw = bytearray(encode_index(snapshot_of([memory(ordinal) for ordinal in range(9)], 9)))
    created = raw.find(b"", 0)
    names = []
    for at in range(len(raw) - 1, created, -1):
        damaged = bytearray(raw)
        damaged[at] ^= 1
        try:
            snapshot, damage = decode_index(bytes(damaged))
        except Damaged as error:
            names.append(str(error))
            continue
        assert damage
        assert snapshot.columns["ordinal"].tolist() == list(range(9))
        names += damage
    assert any("created_at of all memories" in name for name in names)
    assert any("sections state are lost" in name for name in names)
    assert any("its table is damaged" in name for name in names)


def test_a_column_damaged_in_different_chunks_of_both_copies_is_put_together() -> None:
    snapshot = snapshot_of([memory(ordinal) for ordinal in range(10)], 10)
    raw = IndexEncoder(chunk_rows=4).encode(snapshot)
    one, other, last = bytes_of(raw, "created_at")
    read, damage = decode_index(flipped(raw, one, last), flipped(raw, other))
    assert_same(read, snapshot)
    assert damage == ["index: damaged in created_at."]


def test_what_is_lost_of_one_chunk_is_kept_of_the_others() -> None:
    snapshot = snapshot_of([memory(ordinal) for ordinal in range(9)], 9)
    raw = IndexEncoder(chunk_rows=4).encode(snapshot)
    read, damage = decode_index(flipped(raw, bytes_of(raw, "created_at")[1]))
    assert damage[1] == "index: created_at of some memories are lost; they start again from their defaults."
    assert read.columns["created_at"].tolist() == [
        0 if 4 <= ordinal < 8 else moment for ordinal, moment in enumerate(snapshot.columns["created_at"].tolist())]
    read, damage = decode_index(flipped(raw, bytes_of(raw, "gap")[1]))
    assert damage[1] == "index: gap of some memories are lost; they start again from their defaults."
    assert read.edges["second"].tolist() == [one for one in snapshot.edges["second"].tolist() if not 4 <= one < 8]


@pytest.mark.parametrize("section", ["ordinal", "tag", "strings"])
def test_without_a_vital_section_of_one_chunk_nothing_can_be_told(section: str) -> None:
    raw = IndexEncoder(chunk_rows=4).encode(snapshot_of([memory(ordinal) for ordinal in range(9)], 9))
    with pytest.raises(Damaged, match=f"its sections {section} are lost"):
        decode_index(flipped(raw, bytes_of(raw, section)[-1]))


@pytest.mark.parametrize(("at", "number"), [(15, 40), (16, 1)])
def test_a_table_of_more_memories_than_its_chunks_hold_is_damage(at: int, number: int) -> None:
    raw = bytearray(IndexEncoder(chunk_rows=4).encode(snapshot_of([memory(ordinal) for ordinal in range(9)], 9)))
    assert tuple(raw[14:17]) == (9, 9, 4)  # covers, memories, rows of a chunk
    raw[at] = number
    table = raw[14:14 + int.from_bytes(raw[6:10], "little")]
    raw[10:14] = checksum(bytes(table), checksum(bytes(raw[:10]))).to_bytes(4, "little")
    with pytest.raises(Damaged, match="memories in 3 chunks"):
        decode_index(bytes(raw))


def flipped(raw: bytes, *places: int) -> bytes:
    changed = bytearray(raw)
    for at in places:
        changed[at] ^= 1
    return bytes(changed)


def bytes_of(raw: bytes, section: str) -> list[int]:
    """Where the section begins in each chunk in which it takes bytes."""
    behind_table = 14 + int.from_bytes(raw[6:10], "little")
    inside = [at for at in range(behind_table, len(raw))
              if f"index: damaged in {section}." in decode_index(flipped(raw, at), raw)[1]]
    return [at for at in inside if at - 1 not in inside]


def test_a_copy_of_another_moment_does_not_fill_in() -> None:
    memories = [memory(ordinal) for ordinal in range(9)]
    damaged = bytearray(encode_index(snapshot_of(memories, 9)))
    damaged[-1] ^= 1
    with pytest.raises(Damaged, match="state"):
        decode_index(bytes(damaged), encode_index(snapshot_of(memories[:8], 8)))
    assert decode_index(bytes(damaged), encode_index(snapshot_of(memories, 9)))[0].covers == 9


def test_the_index_of_ten_thousand_memories_stays_below_26_bytes_each() -> None:
    """Irregular times, first accesses, four associations for each: the figures of STORAGE."""
    count, chance = 10_000, np.random.default_rng(5)
    columns = {name: np.zeros(count, kind) for name, kind in COLUMNS.items()}
    gaps = np.where(chance.random(count) < 0.1, chance.exponential(6 * 3_600_000, count),
                    chance.exponential(45_000, count))
    created = 1_700_000_000_000 + np.cumsum(gaps).astype("i8")
    recalled = chance.random(count) < 0.1
    salience = np.where(chance.random(count) < 0.15, chance.integers(0, 201, count), 60).astype("u1")
    columns |= {
        "ordinal": np.arange(count, dtype="u8"), "agent": np.ones(count, "u4"), "kind": np.ones(count, "u4"),
        "created_at": created, "salience": salience, "intensity": (salience / 200).astype("f4"),
        "last_access": np.where(recalled, (created + chance.exponential(4e8, count).astype("i8")) // access_grid_ms
                                * access_grid_ms, created),
        "stability": np.where(recalled, on_ten_bits((1 + 3 * (salience / 200)) * (1 + chance.random(count))),
                              1 + 3 * (salience / 200)).astype("f4"),
        "access_count": np.where(recalled, chance.geometric(0.5, count), 0).astype("u4"),
        "encounter_count": np.ones(count, "u4"), "conversation": np.cumsum(chance.random(count) < 0.1).astype("u4"),
        "entity": (chance.zipf(1.5, count) % 200).astype("u4"), "tier": (chance.random(count) < 0.5).astype("u1"),
        "raw_bytes": np.clip(chance.normal(140, 45, count), 20, 400).astype("u4"),
        "tag": chance.integers(0, 2**63, count).astype("u8")}
    pairs = {(one - 1, one) for one in range(1, count)}
    while len(pairs) < 4 * count:
        other = int(chance.integers(1, count))
        pairs.add((max(other - 1 - int(chance.exponential(count / 20)), 0), other))
    second, first = np.array(sorted((later, earlier) for earlier, later in pairs if earlier < later), "u8").T
    late = np.where(chance.random(len(first)) < 0.1, chance.exponential(3e8, len(first)), 0).astype("i8")
    edges = {"first": first, "second": second,
             "set_at": (created[second.astype(int)] + late) // edge_grid_ms * edge_grid_ms,
             "weight": (np.round(np.clip(chance.normal(0.45, 0.12, len(first)), 0.05, 1) * 250) / 250).astype("f4")}
    snapshot = Snapshot(1, {name: [""] for name in STRINGS}, columns, edges, {})
    raw = encode_index(snapshot)
    assert_same(decode_index(raw)[0], snapshot)
    assert len(raw) / count <= 26
