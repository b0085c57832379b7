"""The index."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hippo.codec.record import Damaged
from hippo.limits import salience_steps, weight_steps
from hippo.model.snapshot import COLUMNS, EDGES, STRINGS, Snapshot, empty_snapshot
from hippo.store.index import decode_index, encode_index, version_of
from tests.store.small_store import memory, snapshot_of


def assert_same(left: Snapshot, right: Snapshot) -> None:
    for mine, other, kinds in ((left.columns, right.columns, COLUMNS), (left.edges, right.edges, EDGES)):
        for name, kind in kinds.items():
            assert mine[name].dtype == other[name].dtype == np.dtype(kind), name
            assert mine[name].tobytes() == other[name].tobytes(), name
    assert (left.covers, left.strings, left.state) == (right.covers, right.strings, right.state)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Any columns at all; associations on the grid of weights."""
    ordinals = sorted(draw(st.sets(st.integers(0, 2**40), max_size=25)))
    count = len(ordinals)
    columns = {name: draw(hnp.arrays(kind, count)) for name, kind in COLUMNS.items()}
    columns["ordinal"] = np.array(ordinals, "u8")
    columns["salience"] %= salience_steps + 1
    pairs = sorted(draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda pair: pair[0] < pair[1]), max_size=40))) if count > 1 else []
    steps = draw(hnp.arrays("u1", len(pairs))) % (weight_steps + 1)
    edges = {"first": np.array([ordinals[one] for one, _ in pairs], "u8"),
             "second": np.array([ordinals[other] for _, other in pairs], "u8"),
             "weight": (steps / weight_steps).astype("f4"), "set_at": draw(hnp.arrays("i8", len(pairs)))}
    strings = {name: ["", *draw(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3))]
               for name in STRINGS}
    return Snapshot(draw(st.integers(0, 2**50)), strings, columns, edges,
                    draw(st.dictionaries(st.text("abc"), st.integers(0, 9) | st.none(), max_size=3)))


@settings(max_examples=60, deadline=None)
@given(snapshots())
def test_every_snapshot_comes_back_exactly(snapshot: Snapshot) -> None:
    raw = encode_index(snapshot)
    back, damage = decode_index(raw)
    assert damage == []
    assert_same(back, snapshot)
    assert encode_index(back) == raw
    assert version_of(raw) == 1


def test_an_empty_store_has_an_index_of_a_few_bytes() -> None:
    raw = encode_index(empty_snapshot())
    assert len(raw) < 300
    assert_same(decode_index(raw)[0], empty_snapshot())


def test_more_memories_than_sixteen_bits_and_their_far_associations_come_back() -> None:
    count = 70_000
    columns = {name: np.zeros(count, kind) for name, kind in COLUMNS.items()}
    columns["ordinal"] = np.arange(5, count + 5, dtype="u8")
    edges = {"first": np.array([5, 5, 9], "u8"), "second": np.array([6, count + 4, count + 3], "u8"),
             "weight": np.array([1.0, 0.5, 0.0], "f4"), "set_at": np.array([1, 2, 3], "i8")}
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


def test_a_copy_of_another_moment_does_not_fill_in() -> None:
    memories = [memory(ordinal) for ordinal in range(9)]
    damaged = bytearray(encode_index(snapshot_of(memories, 9)))
    damaged[-1] ^= 1
    with pytest.raises(Damaged, match="state"):
        decode_index(bytes(damaged), encode_index(snapshot_of(memories[:8], 8)))
    assert decode_index(bytes(damaged), encode_index(snapshot_of(memories, 9)))[0].covers == 9


def test_the_index_of_ten_thousand_memories_stays_below_27_bytes_each() -> None:
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
        "last_access": np.where(recalled, created + chance.exponential(4e8, count).astype("i8"), created),
        "stability": ((1 + 3 * (salience / 200)) * np.where(recalled, 1 + chance.random(count), 1)).astype("f4"),
        "access_count": np.where(recalled, chance.geometric(0.5, count), 0).astype("u4"),
        "encounter_count": np.ones(count, "u4"), "conversation": np.cumsum(chance.random(count) < 0.1).astype("u4"),
        "entity": (chance.zipf(1.5, count) % 200).astype("u4"), "tier": (chance.random(count) < 0.5).astype("u1"),
        "raw_bytes": np.clip(chance.normal(140, 45, count), 20, 400).astype("u4"),
        "tag": chance.integers(0, 2**63, count).astype("u8")}
    pairs = {(one - 1, one) for one in range(1, count)}
    while len(pairs) < 4 * count:
        other = int(chance.integers(1, count))
        pairs.add((max(other - 1 - int(chance.exponential(count / 20)), 0), other))
    first, second = np.array(sorted(pair for pair in pairs if pair[0] < pair[1]), "u8").T
    late = np.where(chance.random(len(first)) < 0.1, chance.exponential(3e8, len(first)), 0).astype("i8")
    edges = {"first": first, "second": second, "set_at": created[second.astype(int)] + late,
             "weight": (np.round(np.clip(chance.normal(0.45, 0.12, len(first)), 0.05, 1) * 250) / 250).astype("f4")}
    snapshot = Snapshot(1, {name: [""] for name in STRINGS}, columns, edges, {})
    raw = encode_index(snapshot)
    assert_same(decode_index(raw)[0], snapshot)
    assert len(raw) / count <= 27
