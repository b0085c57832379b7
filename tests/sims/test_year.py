"""The year of a household, in small; and that its witness can say no."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from hippo.model.memory import Fidelity
from hippo.model.recollection import Recollection, Why
from sims.checks import Witness, lived
from sims.corpus import Heard, corpus
from sims.promises import PromiseBroken
from sims.year import live, live_day, night, open_frozen

_ROOT = Path(__file__).resolve().parents[2]


def test_a_season_keeps_every_promise(tmp_path, capsys):
    lived(live, corpus(60, 20, seed=2), 90, tmp_path)
    printed = capsys.readouterr().out
    assert "every promise kept over 90 nights" in printed
    assert [line.split()[0] for line in printed.splitlines()[:3]] == ["30", "60", "90"]


def test_the_command_prints_its_seed_and_ends_well():
    ended = subprocess.run([sys.executable, "-m", "sims.year", "--memories", "30", "--days", "10", "--nights", "35",
                            "--seed", "5"], cwd=_ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith("seed 5: 30 memories in 10 days, 35 nights")


async def _witnessed(folder, doubt):
    said = corpus(20, 5, seed=7)
    witness = Witness(folder)
    async with open_frozen(folder) as brain:
        for day in range(5):
            await live_day(brain, witness, said, day)
            await night(brain, witness)
        await witness.everything(brain, said.questions)  # nothing to complain of
        await doubt(brain, witness)


async def _one_more(brain, witness):
    witness.known["00000000"] = next(iter(witness.known.values()))
    await witness.everything(brain, [])


async def _another_text(brain, witness):
    one = next(iter(witness.known))
    witness.known[one] = witness.known[one]._replace(text="Something else.")
    await witness.everything(brain, [])


async def _a_part_too_small(brain, witness):
    stats = await brain.stats()
    witness.adds_up(replace(stats, cache_bytes=stats.cache_bytes - 1))


async def _an_unknown_one(brain, witness):
    memory = (await brain.recall()).results[0]
    witness.reads(replace(memory, id="00000000"))


async def _an_invented_text(brain, witness):
    memory = next(one for one in (await brain.recall()).results if witness.known[one.id].salience is None)
    witness.reads(replace(memory, lossless=False, tier="cool", text=memory.text + " Or not."))


async def _a_lossy_warm_one(brain, witness):
    memory = (await brain.recall()).results[0]
    witness.reads(replace(memory, lossless=False, tier="warm"))


async def _a_wrong_total(brain, witness):
    stats = await brain.stats()
    witness.adds_up(replace(stats, total_bytes=stats.total_bytes + 1))


async def _unrecoverable(brain, witness):
    witness.adds_up(replace(await brain.stats(), unrecoverable=1))


async def _a_low_report(brain, witness):
    report = await brain.sleep()
    tier = report.tiers["cold"]
    low = replace(tier, after=replace(tier.after, rouge_l_min=0.64))
    witness.slept(replace(report, tiers=report.tiers | {"cold": low}))


async def _forced_down(brain, witness):
    memory = await brain.inspect(next(iter(witness.known)))
    witness._in_its_tier(replace(memory, tier="cold"), budget=False)


@pytest.mark.parametrize(("doubt", "says"), [
    (_one_more, "was stored, and now"), (_another_text, "instead of 'Something else.'"),
    (_a_part_too_small, "the folder holds"),
    (_an_unknown_one, "never stored"), (_an_invented_text, "no abridgement"), (_a_lossy_warm_one, "lossy, and warm"),
    (_a_wrong_total, "the total says"), (_unrecoverable, "cannot be read"), (_a_low_report, "the report says of cold"),
    (_forced_down, "and is cold")])
def test_the_witness_finds(tmp_path, doubt, says):
    with pytest.raises(PromiseBroken, match=says):
        lived(_witnessed, tmp_path, doubt)


@pytest.mark.parametrize(("told", "tier", "stated", "says"), [
    ("Bruno was happy about the new tap in the kitchen.", "cool", Fidelity(0.9, 0.9, 0.9), None),
    ("Bruno was happy about the new tap in the kitchen.", "cool", None, "no fidelity"),
    ("Bruno was happy about the new tap in the kitchen.", "cool", Fidelity(1.0, 0.9, 0.9), "and states"),
    ("Bruno was happy about the new sink in the kitchen.", "cold", Fidelity(0.7, 0.7, 0.7), "no abridgement"),
    ("Bruno was happy in the kitchen.", "cool", Fidelity(0.9, 0.9, 0.9), "(below|no abridgement)")])
def test_a_lossy_text_has_to_be_a_true_abridgement_of_stated_fidelity(tmp_path, told, tier, stated, says):
    heard = Heard("Bruno was really happy about the new tap in the kitchen.", 0, "talk", "episode", None, None, None)
    memory = Recollection(
        id="0000000A", text=told, activation=1, confidence=1, why=Why("listed"), tier=tier, lossless=False,
        fidelity=stated, created_at=0, entity=None, kind="episode", tags=())
    witness = Witness(tmp_path)
    witness.stored("0000000A", heard)
    if says is None:
        witness.reads(memory)
        return
    with pytest.raises(PromiseBroken, match=says):
        witness.reads(memory)
    witness.known["0000000A"] = heard._replace(salience=0.9)
    with pytest.raises(PromiseBroken, match="matters"):
        witness.reads(memory)
