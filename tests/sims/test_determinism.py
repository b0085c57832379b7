"""With a frozen clock the real daemon on a real folder leaves the same bytes, run after run."""

from __future__ import annotations

import pytest
import trio

from hippo.daemon import awake
from hippo.model.verb import Inspect, MemoryStats, Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import load
from hippo.store.disk import FolderDisk
from sims.people import episodes
from sims.play import EPOCH_MS


async def _a_year(folder, embedder):
    settings, _ = load({"dir": str(folder), "epoch": str(EPOCH_MS), "embedder": embedder, "tz": "UTC"}, {})
    said = list(episodes(3, 80, EPOCH_MS - 10**10))
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        for one in said[:40]:
            await service.remember_one(Remember(text=one.text, conversation=one.conversation, created_at=one.at))
        await service.remember([Remember(text=one.text, agent_id="ada", key=one.text) for one in said[40:]])
        for one in said[::7]:
            await service.recall(Recall(cue=one.question))
        await service.sleep(Sleep(depth="deep"))
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        await service.timeskip(TimeSkip(days=365))
        answer = await service.recall(Recall(cue=said[3].question))
        await service.inspect(Inspect(id=answer.results[0].id))
        await service.sleep(Sleep())
        assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0


def _files(folder):
    return {str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*")) if file.is_file() and file.name != "lock"}


@pytest.mark.parametrize("embedder", ["term-frequency", "wordllama"])
def test_two_runs_with_a_frozen_clock_leave_identical_folders(tmp_path, embedder):
    for name in ("one", "two"):
        trio.run(_a_year, tmp_path / name, embedder)
    one, two = _files(tmp_path / "one"), _files(tmp_path / "two")
    assert list(one) == list(two)
    assert [name for name in one if one[name] != two[name]] == []
    assert any(name.startswith("pack-") for name in one)
    assert "index" in one
