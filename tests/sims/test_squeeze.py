"""A budget squeezed, in small; and that the witness insists on a warning that is right."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sims.checks import Witness, lived
from sims.corpus import corpus
from sims.promises import PromiseBroken
from sims.squeeze import BUDGET_BYTES, squeeze
from sims.year import open_frozen


@pytest.mark.parametrize("budget_bytes", [1_000_000, BUDGET_BYTES, 1])
def test_under_a_budget_nothing_is_lost_and_the_warning_is_true(tmp_path, budget_bytes):
    figures = lived(squeeze, corpus(52, 14), budget_bytes, tmp_path)
    assert figures.stats.memories == 52
    assert figures.stats.over_budget == (figures.stats.total_bytes > budget_bytes)


def test_a_generous_budget_changes_nothing_and_an_absurd_one_is_owned_up_to(tmp_path):
    generous = lived(squeeze, corpus(20, 4), 1_000_000, tmp_path / "generous").stats
    absurd = lived(squeeze, corpus(20, 4), 1, tmp_path / "absurd").stats
    assert not generous.alert
    assert absurd.over_budget
    assert f"{absurd.total_bytes:,}" in absurd.alert


def test_the_witness_refuses_a_warning_that_is_not_right(tmp_path):
    async def figures():
        async with open_frozen(tmp_path) as brain:
            await brain.remember("The spare key hangs behind the barn door.")
            return replace(await brain.stats(), budget_bytes=100, total_bytes=1_234, over_budget=True,
                           alert="1,234 bytes of 100: raise it.")

    stats, witness = lived(figures), Witness(tmp_path)
    witness.warned(stats, [stats.alert, stats.alert])
    for wrong, alerts in [
            (replace(stats, over_budget=False), [stats.alert]), (stats, [None]), (replace(stats, alert=None), [None]),
            (replace(stats, alert="1,233 bytes of 100."), ["1,233 bytes of 100."]),
            (replace(stats, budget_bytes=1_234), [stats.alert]),
            (replace(stats, budget_bytes=None), [stats.alert])]:
        with pytest.raises(PromiseBroken):
            witness.warned(wrong, alerts)
