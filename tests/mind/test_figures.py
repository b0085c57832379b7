"""The figures of tiers."""

from __future__ import annotations

from hippo.mind.figures import stored
from hippo.model.report import PackFigures, TierFigures


def a_pack(stored_bytes: int, **codecs: int) -> PackFigures:
    return PackFigures(agent="default", tier_set="warm", rows=sum(codecs.values()), raw_bytes=0,
                       stored_bytes=stored_bytes, codecs=codecs)


def test_a_tier_has_its_share_of_every_file_it_lies_in() -> None:
    tiers = {"hot": TierFigures(count=1, raw_bytes=100), "warm": TierFigures(count=4, raw_bytes=300)}
    found = stored(tiers, {1: {"hot": (1, 100), "warm": (1, 100)}, 2: {"warm": (3, 200)}}, {2: a_pack(50, brotli=3)})
    assert (found["hot"].stored_bytes, found["hot"].ratio, found["hot"].codecs) == (100, 1.0, {"journal": 1})
    assert (found["warm"].stored_bytes, found["warm"].ratio) == (150, 2.0)
    assert found["warm"].codecs == {"brotli": 3, "journal": 1}


def test_dead_rows_are_paid_for_by_the_living() -> None:
    tiers = {"cold": TierFigures(count=1, raw_bytes=100)}
    found = stored(tiers, {3: {"cold": (1, 100)}}, {3: a_pack(80, zstd=4)})
    assert (found["cold"].stored_bytes, found["cold"].codecs) == (80, {"zstd": 1})


def test_codecs_of_a_mixed_pack_are_shared_out_in_proportion() -> None:
    tiers = {"cool": TierFigures(count=5, raw_bytes=50), "cold": TierFigures(count=5, raw_bytes=50)}
    found = stored(tiers, {3: {"cool": (5, 50), "cold": (5, 50)}}, {3: a_pack(10, one=8, two=2)})
    assert found["cool"].codecs == found["cold"].codecs == {"one": 4, "two": 1}


def test_an_empty_tier_has_a_ratio_of_one() -> None:
    assert stored({"hot": TierFigures()}, {}, {})["hot"] == TierFigures()
