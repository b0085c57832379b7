"""Which texts a pass writes anew."""

from __future__ import annotations

import numpy as np

from hippo.limits import pack_raw_bytes, pack_small_bytes
from hippo.mind.shelving import COLD, COOL, WARM, Shelf, moves

HOT_TIER, WARM_TIER, COOL_TIER, COLD_TIER = range(4)


def chosen(rows: list[tuple[int, int, int]], shelves: list[Shelf], before: int = 100) -> dict[int, list[int]]:
    """Rows are (file, tier, raw bytes)."""
    columns = np.array(rows, np.int64).reshape(-1, 3)
    found = moves(columns[:, 0].astype("u4"), columns[:, 1].astype("u1"), columns[:, 2].astype("u4"), shelves, before)
    return {tier_set: slots.tolist() for tier_set, slots in found.items()}


def test_what_lies_in_complete_segments_moves_to_the_set_of_its_tier() -> None:
    rows = [(1, HOT_TIER, 9), (1, COLD_TIER, 9), (2, WARM_TIER, 9), (2, COOL_TIER, 9)]
    assert chosen(rows, []) == {WARM: [0, 2], COOL: [3], COLD: [1]}


def test_what_lies_in_the_open_segment_and_what_is_lost_stays() -> None:
    assert chosen([(7, HOT_TIER, 9), (0, HOT_TIER, 9)], [], before=7) == {}


def test_nothing_moves_when_everything_is_at_home() -> None:
    shelves = [Shelf(3, WARM, 2), Shelf(4, COLD, 1)]
    assert chosen([(3, HOT_TIER, 9), (3, WARM_TIER, 9), (4, COLD_TIER, 9)], shelves) == {}


def test_a_text_that_faded_moves_and_what_is_left_of_a_small_pack_is_written_anew() -> None:
    shelves = [Shelf(3, WARM, 3)]
    assert chosen([(3, HOT_TIER, 9), (3, COOL_TIER, 9), (3, WARM_TIER, 9)], shelves) == {WARM: [0, 2], COOL: [1]}


def test_a_large_pack_is_written_anew_once_half_of_it_is_dead() -> None:
    large = pack_small_bytes
    rows = [(3, WARM_TIER, large), (3, WARM_TIER, large), (3, COOL_TIER, 9)]
    assert chosen(rows, [Shelf(3, WARM, 3)]) == {COOL: [2]}
    assert chosen(rows, [Shelf(3, WARM, 4)]) == {WARM: [0, 1], COOL: [2]}


def test_small_packs_are_folded_into_what_comes_and_large_ones_are_not() -> None:
    shelves = [Shelf(3, WARM, 1), Shelf(4, WARM, 1)]
    rows = [(3, WARM_TIER, 4 * pack_small_bytes), (4, WARM_TIER, 9), (9, HOT_TIER, 9)]
    assert chosen(rows, shelves) == {WARM: [1, 2]}


def test_folding_stops_at_the_size_of_a_pack() -> None:
    rows = [(3, WARM_TIER, pack_raw_bytes - 5), (9, HOT_TIER, pack_raw_bytes)]
    assert chosen(rows, [Shelf(3, WARM, 1)]) == {WARM: [1]}


def test_a_pack_without_living_rows_is_left_alone() -> None:
    assert chosen([(9, HOT_TIER, 9)], [Shelf(3, WARM, 5)]) == {WARM: [0]}
