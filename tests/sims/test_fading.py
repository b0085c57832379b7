"""The simulation that abridges everything."""

from __future__ import annotations

import pytest

from sims import fading
from sims.fading import faults, household


def test_a_household_loses_no_fact_and_is_told_nothing_new() -> None:
    counts, broken = faults([*household(3, 300), "Thanks! The train to Riga leaves at 7:40 from platform 3. Take care!"])
    assert broken == []
    assert counts["cold abridged"] > 0


@pytest.mark.parametrize(("left", "why"), [
    ("The train to Riga leaves at 7:45.", "not said"), ("The train to Riga leaves.", "fact"), ("Riga", "below a floor")])
def test_what_is_wrong_is_seen(left: str, why: str) -> None:
    said = "The train to Riga leaves at 7:40, and the one to Graz never does."
    assert any(why in sentence for sentence in fading._wrong(said, left, "cold"))
