"""Which tier a memory belongs to."""

import numpy as np
import pytest

from hippo.mind.tiering import TIERS, planned, stored_by_tier
from hippo.model.report import TierFigures


@pytest.mark.parametrize(("held", "tier"), [(1.0, "hot"), (0.6, "hot"), (0.59, "warm"), (0.35, "warm"),
                                            (0.34, "cool"), (0.15, "cool"), (0.14, "cold")])
def test_the_tier_follows_retention(held, tier):
    assert TIERS[int(planned(np.array([held], "f4"), np.array([0], "u1"))[0])] == tier


def test_a_recalled_memory_returns_to_warm_and_not_to_hot():
    assert planned(np.array([1.0], "f4"), np.array([3], "u1")).tolist() == [TIERS.index("warm")]


def test_a_tier_is_stored_at_the_ratio_of_the_files_it_lies_in():
    tiers = {"hot": TierFigures(count=1, raw_bytes=100), "warm": TierFigures(count=1, raw_bytes=300)}
    stored = stored_by_tier(tiers, {1: {"hot": 100, "warm": 100}, 2: {"warm": 200}}, {2: 0.25})
    assert stored["hot"].stored_bytes == 100
    assert stored["warm"].stored_bytes == 150
    assert stored["warm"].ratio == 2.0
