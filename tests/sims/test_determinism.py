"""With a frozen clock the real daemon on a real folder leaves the same bytes, run after run."""

from __future__ import annotations

import pytest
import trio

from hippo.daemon import awake
from hippo.model.knowledge_verb import (
    AppendBlock,
    DeleteBlock,
    Forget,
    LogMessages,
    Merge,
    Message,
    Purge,
    Relate,
    Update,
)
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import load
from hippo.store.disk import FolderDisk
from sims.people import episodes
from sims.play import EPOCH_MS


async def _edit(service, said, turn):
    """Every verb that changes what is known, on other memories each time."""
    page = await service.memories(ListMemories(limit=100))
    ids = [memory.id for memory in page.memories][turn * 6:]
    await service.update(Update(id=ids[0], text=f"It was corrected, time {turn}.", tags=["corrected", f"time {turn}"]))
    await service.update(Update(id=ids[0], new_entity="Ada Quist", protected=True))
    await service.merge(Merge(ids=ids[1:3], text=f"Two of them, merged as number {turn}."))
    await service.remember_one(Remember(text=page.memories[turn * 6 + 3].text, key=f"again {turn}"))
    await service.remember_one(Remember(text=page.memories[turn * 6 + 4].text + " It was said again."))
    await service.log_messages(LogMessages(messages=[
        Message(role="user", text=f"You said: {page.memories[turn * 6 + 5].text}"),
        Message(role="assistant", text=f"So I did, {turn} times.")]))
    await service.forget(Forget(id=ids[5]))
    await service.append_block(AppendBlock(key="persona", text=f"Line {turn}."))
    await service.append_block(AppendBlock(key="plans", text=f"Plan {turn}."))
    if turn == 2:
        await service.delete_block(DeleteBlock(key="plans"))
        await service.purge(Purge(dry_run=False))
    await service.relate(Relate(source="Ada Quist", relation="works at", target=f"Harbour {turn}"))
    await service.remember_one(Remember(text=f"Harbour {turn} belongs to Ada Quist.", entity=f"Harbour {turn}"))


async def _a_year(folder, embedder):
    settings, _ = load({"dir": str(folder), "epoch": str(EPOCH_MS), "embedder": embedder, "tz": "UTC"}, {})
    said = list(episodes(3, 80, EPOCH_MS - 10**10))
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        for one in said[:40]:
            await service.remember_one(Remember(text=one.text, conversation=one.conversation, created_at=one.at))
        await service.remember([Remember(text=one.text, agent_id="ada", key=one.text) for one in said[40:]])
        for one in said[::7]:
            await service.recall(Recall(cue=one.question))
        await _edit(service, said, 0)
        await service.sleep(Sleep(depth="deep"))
        await _edit(service, said, 1)
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        await _edit(service, said, 2)
        await service.timeskip(TimeSkip(days=365))
        await _edit(service, said, 3)
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
