"""The whole daemon on a faulty disk, one seed at a time; and the oracle, which must be able to fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hippo.model.memory import Fidelity
from hippo.model.recollection import Recollection, Why
from hippo.model.verb import Remember
from hippo.store.journal import PREFIX
from sims.oracle import Oracle, PromiseBroken
from sims.play import Play

_ROOT = Path(__file__).resolve().parents[2]
_TORN = 17  # bytes: less than any frame


def test_no_promise_is_broken_over_five_hundred_seeds():
    ended = subprocess.run([sys.executable, "-m", "sims.play", "--seed", "1", "--seeds", "500", "--steps", "4"],
                           cwd=_ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "500 of 500 kept every promise" in ended.stdout


def test_long_lives_keep_their_promises_too():
    for seed in (16, 1001, 1002):
        Play(seed, steps=60).run()


def test_the_oracle_finds_a_disk_that_lies_about_syncing():
    broken = 0
    for seed in range(1, 31):
        try:
            Play(seed, lying=True).run()
        except PromiseBroken:
            broken += 1
    assert broken >= 5


def test_the_oracle_finds_one_lost_memory():
    run = Play(7)
    run.live(stops=False)
    assert run.oracle.known
    run.disk.restart()
    for name, content in run.disk.files().items():
        if name.startswith("pack-") or (name.startswith(PREFIX) and len(content) > _TORN):
            run.disk.put(name, content[:-len(content) // 2])
    with pytest.raises(PromiseBroken):
        run.inspect()


def test_the_oracle_refuses_what_it_should():
    oracle = Oracle()
    row = Remember(text="The tap leaks.", key="once")
    oracle.sends(row)
    oracle.acknowledged(row, "00000001")
    with pytest.raises(PromiseBroken, match="gave 00000001, then 00000002"):
        oracle.acknowledged(row, "00000002")
    with pytest.raises(PromiseBroken, match="never sent"):
        oracle.reads(_read("The tap leaks."), "ada")
    with pytest.raises(PromiseBroken, match="never sent"):
        oracle.reads(_read("The tap leaks!"), "default")
    with pytest.raises(PromiseBroken, match="abridges nothing"):
        oracle.reads(_read("The tap", Fidelity(0.9, 0.9, 0.9)), "default")


def _read(text, fidelity=None):
    return Recollection(
        id="00000001", text=text, activation=1.0, confidence=1.0, why=Why("listed"), tier="cold",
        lossless=fidelity is None, fidelity=fidelity, created_at=0, entity=None, kind="episode", tags=())


@pytest.mark.parametrize("seed", [11, 16])
def test_the_same_seed_leaves_the_same_bytes(seed):
    first = Play(seed)
    assert first.run() == Play(seed).run()
    assert first.disk.operations > 0


def test_other_processes_leave_the_same_bytes_whatever_their_hash_seed():
    line = "from sims.play import Play; print(Play(5).run())"
    left = {subprocess.run([sys.executable, "-c", line], cwd=_ROOT, env={"PYTHONHASHSEED": hashes, "PYTHONPATH": path},
                           capture_output=True, text=True, timeout=300, check=True).stdout
            for hashes, path in (("1", ":".join(sys.path)), ("2", ":".join(sys.path)))}
    assert len(left) == 1


@pytest.mark.parametrize("operations", range(0, 40, 3))
def test_a_stop_at_an_early_operation_leaves_a_store_that_opens(operations):
    run = Play(operations)
    run.disk.stop_after(operations)
    run._run(run._day, None)
    run.between()
    run.inspect()
    assert run.disk.files()
