"""A pass of sleep on a whole daemon: what moves, what fades, what stays as it is."""

from __future__ import annotations

import itertools
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from hippo.actors.night import Night
from hippo.daemon import awake
from hippo.errors import NothingKept, WorkerLost
from hippo.interfaces.service import Service
from hippo.limits import tier_fidelity_floors
from hippo.model.batch import Batch
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Restore, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from hippo.store.check import check
from hippo.store.disk import FolderDisk
from hippo.store.memory_disk import MemoryDisk
from hippo.text.residual import is_abridgement
from sims.people import episodes

EPOCH_MS = 1_767_225_600_000
DAY_MS = 86_400_000
DAYS = 60
_WHO, _WHERE, _WHEN = ("Ada", "Bruno", "Clara"), ("Lisbon", "Bergen", "Riga", "Graz"), ("Monday", "Friday")
_WORDS = ("rain", "music", "friends", "bread", "luggage", "mountains", "traffic", "coffee", "sunshine", "letters")


def settings(**more: Any) -> Settings:
    return load({"dir": "/memory", "epoch": str(EPOCH_MS), "embedder": "term-frequency", "tz": "UTC", **more}, {})[0]


@asynccontextmanager
async def hippo_on(disk: MemoryDisk, **more: Any) -> AsyncIterator[Service]:
    async with awake(settings(**more), disk, Offload(0)) as service:
        yield service


async def remember(service: Service, count: int = 150, seed: int = 3) -> dict[str, str]:
    """What a household said in the last two months, by id."""
    said = list(episodes(seed, count, EPOCH_MS - DAYS * DAY_MS, DAYS))
    stored = [await service.remember_one(Remember(text=one.text, conversation=one.conversation, created_at=one.at))
              for one in said]
    return {memory.id: one.text for memory, one in zip(stored, said, strict=True)}


async def chatter(service: Service, count: int = 200) -> dict[str, str]:
    """What somebody said years ago, by id: with the fact guard off much of it is filled in with the schema's words."""
    chance = random.Random(5)
    rows = [Remember(text=f"{chance.choice(_WHO)} drove to {chance.choice(_WHERE)} on {chance.choice(_WHEN)}: "
                          f"{' '.join(chance.sample(_WORDS, 6))} {chance.getrandbits(80):020x}.",
                     created_at=EPOCH_MS - 900 * DAY_MS + number * DAY_MS) for number in range(count)]
    stored = await service.remember(rows)
    return {memory.id: row.text for memory, row in zip(stored, rows, strict=True) if isinstance(memory, Stored)}


async def everything(service: Service) -> dict[str, Any]:
    return {memory.id: memory for memory in (await service.memories(ListMemories(limit=1000))).memories}


def files(disk: MemoryDisk) -> dict[str, bytes]:
    return {name: disk.read(name) for name in disk.names()}


async def test_over_a_year_everything_fades_and_says_what_was_said_or_an_abridgement() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        texts = await remember(service)
        first = await service.sleep(Sleep())
        assert {name: tier.after.count for name, tier in first.tiers.items()}["cold"] == 0
        await service.timeskip(TimeSkip(days=365))
        report = await service.sleep(Sleep())
        assert {name: tier.after.count for name, tier in report.tiers.items()} == {
            "hot": 0, "warm": 0, "cool": 0, "cold": len(texts)}
        assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0
        before = await everything(service)
    async with hippo_on(disk) as service:
        after = await everything(service)
        assert after == before
        for one, text in texts.items():
            found = after[one]
            if found.lossless:
                assert found.text == text
            else:
                assert is_abridgement(text, found.text)
                kept = found.fidelity
                assert all(measured >= floor for measured, floor in zip(
                    (kept.rouge_l, kept.char_similarity, kept.semantic), tier_fidelity_floors["cold"], strict=True))
    assert [finding for finding in check(disk) if finding.severity != "note"] == []


async def test_after_a_pass_nothing_lies_in_the_journal_and_no_dead_file_is_left() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        await remember(service)
        await service.sleep(Sleep())
        stats = await service.stats(MemoryStats())
        assert stats.journal_bytes < 200
        assert stats.total_bytes == stats.content_bytes + stats.dictionary_bytes + stats.index_bytes + \
            stats.journal_bytes
        await service.timeskip(TimeSkip(days=365))
        await service.sleep(Sleep())
        assert len([name for name in disk.names() if name.startswith("pack-")]) == 1


async def test_a_recalled_memory_comes_back_to_warm_and_not_to_hot() -> None:
    async with hippo_on(MemoryDisk()) as service:
        texts = await remember(service)
        await service.timeskip(TimeSkip(days=365))
        await service.sleep(Sleep())
        asked = next(one.id for one in (await everything(service)).values() if one.lossless)
        await service.recall(Recall(cue=texts[asked]))
        await service.sleep(Sleep())
        found = await service.inspect(Inspect(id=asked))
        assert (found.tier, found.lossless) == ("warm", True)


async def test_what_is_recalled_while_it_is_being_abridged_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    condense, recalled = Night._condense, list[str]()
    async with hippo_on(MemoryDisk(), fact_guard="off") as service:
        texts = await chatter(service)

        async def and_somebody_recalls(night: Night, batch: Batch, *awake: frozenset[int]) -> Any:
            condensed, lost = await condense(night, batch, *awake)
            if not recalled and condensed is not None and condensed.abridged:
                recalled.append(condensed.abridged[0].before)
                await service.recall(Recall(cue=recalled[0], k=1))
            return condensed, lost

        monkeypatch.setattr(Night, "_condense", and_somebody_recalls)
        await service.sleep(Sleep())
        assert recalled, "nothing was abridged"
        after = await everything(service)
        assert [after[one].text for one, text in texts.items() if text == recalled[0]] == recalled
        assert any(not memory.lossless for memory in after.values())


async def test_ten_passes_in_a_row_change_nothing() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        await remember(service)
        await service.sleep(Sleep())
        before, memories = await service.stats(MemoryStats()), await everything(service)
        looked = [await service.inspect(Inspect(id=one)) for one in list(memories)[:20]]
        for _ in range(10):
            await service.sleep(Sleep())
        after = await service.stats(MemoryStats())
        assert (after.content_bytes, after.raw_bytes, after.tiers) == (
            before.content_bytes, before.raw_bytes, before.tiers)
        assert await everything(service) == memories
        assert [await service.inspect(Inspect(id=one.id)) for one in looked] == looked


async def test_a_preview_says_what_the_pass_then_does_and_writes_nothing() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        await remember(service)
        await service.sleep(Sleep())
        await service.timeskip(TimeSkip(days=100))
        before = files(disk)
        foreseen = await service.preview(Preview())
        assert files(disk) == before
        report = await service.sleep(Sleep())
        for name, tier in foreseen.tiers.items():
            done = report.tiers[name].after
            assert (tier.expected.count, tier.expected.raw_bytes, tier.expected.codecs) == (
                done.count, done.raw_bytes, done.codecs), name
            assert tier.expected.stored_bytes == pytest.approx(done.stored_bytes, rel=0.05)


async def test_the_last_report_survives_a_restart() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        await remember(service, 20)
        report = await service.sleep(Sleep())
    async with hippo_on(disk) as service:
        assert await service.report() == report


@pytest.mark.parametrize("lossy", [False, True])
async def test_a_pack_that_the_index_does_not_know_changes_nothing(lossy: bool) -> None:
    disk = MemoryDisk()
    async with hippo_on(disk) as service:
        await remember(service)
        await service.sleep(Sleep())
        if lossy:
            await service.timeskip(TimeSkip(days=365))
        before = await everything(service)
    index = disk.read("index")
    old = files(disk)
    async with hippo_on(disk) as service:
        await service.timeskip(TimeSkip(days=365))
        await service.sleep(Sleep())
    new_packs = {name: content for name, content in files(disk).items()
                 if name.startswith("pack-") and name not in old}
    assert new_packs
    stopped = MemoryDisk()
    for name, content in {**old, **new_packs, "index": index, "index.copy": index}.items():
        stopped.create(name)
        stopped.write(name, 0, content)
        stopped.sync(name)
    stopped.sync_folder()
    async with hippo_on(stopped) as service:
        found = await everything(service)
        assert {one: memory.text for one, memory in found.items()} == {
            one: memory.text for one, memory in before.items()}
        assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0


async def test_a_worker_that_dies_ends_the_pass_and_the_next_one_finishes(
        tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings(dir=str(tmp_path))
    async with awake(chosen, FolderDisk(tmp_path), Offload()) as service:
        texts = await remember(service)
        with monkeypatch.context() as patch:
            patch.setattr("hippo.actors.nightwork.condense_batch", dies)
            with pytest.raises(WorkerLost):
                await service.sleep(Sleep())
        report = await service.sleep(Sleep())
        assert report.sealed == len(texts)
        assert {one: memory.text for one, memory in (await everything(service)).items()} == texts


def dies(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def test_what_was_kept_beside_an_abridged_memory_is_shown_and_restored() -> None:
    disk = MemoryDisk()
    async with hippo_on(disk, sleep_preserve_originals="on", fact_guard="off") as service:
        texts = await chatter(service)
        await service.sleep(Sleep())
        await service.sleep(Sleep())
        faded = [one for one in (await everything(service)).values() if not one.lossless]
        assert faded
        for one in faded:
            assert (await service.inspect(Inspect(id=one.id))).original == texts[one.id]
        chosen = faded[0]
        assert (await service.restore(Restore(id=chosen.id))).action == "restored"
        assert (await service.restore(Restore(id=chosen.id))).action == "unchanged"
        found = await service.inspect(Inspect(id=chosen.id))
        assert (found.text, found.lossless, found.tier) == (texts[chosen.id], True, "warm")
    async with hippo_on(disk) as service:
        assert (await service.inspect(Inspect(id=chosen.id))).text == texts[chosen.id]
        assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0
    assert [finding for finding in check(disk) if finding.severity != "note"] == []


async def test_without_a_kept_original_restoring_says_so() -> None:
    async with hippo_on(MemoryDisk(), fact_guard="off") as service:
        await chatter(service)
        await service.sleep(Sleep())
        faded = next(one for one in (await everything(service)).values() if not one.lossless)
        with pytest.raises(NothingKept):
            await service.restore(Restore(id=faded.id))


async def test_a_pass_ends_though_clients_write_without_pause() -> None:
    async with hippo_on(MemoryDisk()) as service:
        await remember(service, 60)

        async def writes(agent: str) -> None:
            for number in itertools.count():
                await service.remember_one(Remember(text=f"{agent} wrote line {number} of it.", agent_id=agent))

        with trio.fail_after(300):
            async with trio.open_nursery() as nursery:
                for agent in ("ada", "bert", "carla"):
                    nursery.start_soon(writes, agent)
                report = await service.sleep(Sleep())
                nursery.cancel_scope.cancel()
        assert report.sealed >= 60
