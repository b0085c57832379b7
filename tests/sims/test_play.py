"""The whole daemon on a faulty disk, one seed at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import trio

from hippo.daemon import awake
from hippo.model.verb import Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import load
from hippo.store.disk import FolderDisk
from sims.oracle import PromiseBroken
from sims.people import episodes
from sims.play import EPOCH_MS, Play

_ROOT = Path(__file__).resolve().parents[2]


def test_no_acknowledged_memory_is_lost_over_five_hundred_seeds():
    ended = subprocess.run([sys.executable, "-m", "sims.play", "--seed", "1", "--seeds", "500"], cwd=_ROOT,
                           capture_output=True, text=True, timeout=3000, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "500 of 500 kept every promise" in ended.stdout


def test_the_oracle_finds_a_disk_that_lies_about_syncing():
    def breaks(seed):
        try:
            Play(seed, lying=True).run()
        except PromiseBroken:
            return True
        return False

    assert any(breaks(seed) for seed in range(1, 9))


def test_the_same_seed_gives_the_same_disk():
    assert Play(11).run() == Play(11).run()
    assert Play(11).run() != Play(12).run()


async def _a_year(folder):
    settings, _ = load({"dir": str(folder), "epoch": str(EPOCH_MS)}, {})
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        said = list(episodes(3, 80, EPOCH_MS - 10**10))
        for one in said[:40]:
            await service.remember_one(Remember(text=one.text, conversation=one.conversation, created_at=one.at))
        await service.remember([Remember(text=one.text, agent_id="ada", key=one.text) for one in said[40:]])
        for one in said[::7]:
            await service.recall(Recall(cue=one.question))
        await service.sleep(Sleep())
        await service.timeskip(TimeSkip(days=365))
        await service.recall(Recall(cue=said[3].question))
        await service.sleep(Sleep())


def test_two_runs_with_a_frozen_clock_give_byte_identical_folders(tmp_path):
    folders = []
    for name in ("one", "two"):
        trio.run(_a_year, tmp_path / name)
        folders.append({str(file.relative_to(tmp_path / name)): file.read_bytes()
                        for file in sorted((tmp_path / name).rglob("*")) if file.is_file() and file.name != "lock"})
    assert folders[0] == folders[1]
    assert len(folders[0]) > 4


@pytest.mark.parametrize("operations", range(1, 40, 3))
def test_a_crash_at_an_early_operation_leaves_a_store_that_opens(operations):
    run = Play(operations)
    run.disk.crash_after(operations)
    run._live(faulty=True)
    run.disk.restart()
    run._live(faulty=False)
    assert run.disk.files()
