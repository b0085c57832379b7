"""What was forgotten is in no file of the folder, wherever it had lain."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo.codec.dictionary import decode_dictionary
from hippo.daemon import awake
from hippo.errors import MemoryNotFound
from hippo.interfaces.service import Service
from hippo.limits import pack_small_bytes
from hippo.model.knowledge_verb import AppendBlock, DeleteBlock, Forget, LogMessages, Message, Purge, Update
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Recall, Remember, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.store.check import check
from hippo.store.disk import FolderDisk
from hippo.store.packs import dictionary_name
from sims.people import episodes
from sims.remains import holding
from tests.actors.test_night import DAY_MS, EPOCH_MS, chatter, settings

SECRET, OTHER, THIRD = "Quixelborough", "Vantamere", "Zephyrinth"  # words that nobody else says
TEXT = f"The spare key lies under the third stone of {SECRET}."


@asynccontextmanager
async def hippo_in(folder: Path, **more: Any) -> AsyncIterator[Service]:
    async with awake(settings(dir=str(folder), **more), FolderDisk(folder), Offload(0)) as service:
        yield service


def files_with(folder: Path, *words: str) -> dict[str, list[str]]:
    return holding(FolderDisk(folder), words)


def kinds_with(folder: Path, word: str) -> set[str]:
    """The kinds of files that hold a word."""
    return {name.split("-")[0].split("/")[0] for name in files_with(folder, word).get(word, [])}


async def company(service: Service, count: int = 40, seed: int = 3) -> list[str]:
    """Other memories, by their ids."""
    rows = [Remember(text=one.text, conversation=one.conversation, created_at=one.at)
            for one in episodes(seed, count, EPOCH_MS - DAY_MS)]
    answers = await service.remember(rows)
    return [answer.id for answer in answers if hasattr(answer, "id")]


async def texts_of(service: Service) -> dict[str, str]:
    found: dict[str, str] = {}
    before = None
    while True:
        page = await service.memories(ListMemories(limit=1000, before=before))
        found |= {memory.id: memory.text for memory in page.memories}
        before = page.next
        if before is None:
            return found


async def forgotten(service: Service, one: str) -> None:
    """Forgets a memory; nothing else changes by it."""
    before = await texts_of(service)
    answer = await service.forget(Forget(id=one))
    assert [memory.id for memory in answer.memories] == [one]
    after = await texts_of(service)
    assert after == {other: text for other, text in before.items() if other != one}
    with pytest.raises(MemoryNotFound):
        await service.inspect(Inspect(id=one))
    assert (await service.stats(MemoryStats(verify=True))).unrecoverable == 0


def is_whole(folder: Path) -> bool:
    return [finding for finding in check(FolderDisk(folder)) if finding.severity != "note"] == []


async def test_of_a_memory_that_lies_in_the_journal(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        await company(service)
        one = (await service.remember_one(Remember(text=TEXT))).id
        assert kinds_with(tmp_path, SECRET) == {"journal"}
        await forgotten(service, one)
        assert files_with(tmp_path, SECRET) == {}
    assert files_with(tmp_path, SECRET) == {}
    assert is_whole(tmp_path)


@pytest.mark.parametrize(("tier", "days"), [("warm", 0), ("warm", 12), ("cool", 40), ("cold", 400)])
async def test_of_a_memory_in_a_pack_of_each_tier(tmp_path: Path, tier: str, days: int) -> None:
    async with hippo_in(tmp_path) as service:
        await company(service, 120)
        one = (await service.remember_one(Remember(text=TEXT))).id
        await service.sleep(Sleep())
        if days:
            await service.timeskip(TimeSkip(days=days))
            await service.sleep(Sleep())
        assert kinds_with(tmp_path, SECRET) == {"pack"}
        assert (await service.inspect(Inspect(id=one))).tier in (tier, "hot" if not days else tier)
        await forgotten(service, one)
        assert files_with(tmp_path, SECRET) == {}
    async with hippo_in(tmp_path) as service:
        assert len(await texts_of(service)) == 120
    assert files_with(tmp_path, SECRET) == {}
    assert is_whole(tmp_path)


async def packed(service: Service) -> str:
    """The id of a memory with the secret, in a pack with so many others that it is not folded."""
    await company(service, 1_200)
    one = (await service.remember_one(Remember(text=TEXT))).id
    await service.sleep(Sleep(depth="deep"))
    return one


async def corrected(service: Service, one: str) -> None:
    """It says something else, and lies in a pack again: what it said before stays where it lay, dead."""
    await service.update(Update(id=one, text=f"The spare key hangs at the door of {OTHER}."))
    await service.sleep(Sleep(depth="deep"))


async def test_of_a_dead_row_in_a_pack_that_is_too_large_to_be_folded(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        one = await packed(service)
        old = files_with(tmp_path, SECRET)[SECRET]
        assert sum(len(text) for text in (await texts_of(service)).values()) > pack_small_bytes
        await corrected(service, one)
        assert set(old) < set(files_with(tmp_path, SECRET)[SECRET])  # and once more, as the earlier wording
        await forgotten(service, one)
        assert files_with(tmp_path, SECRET, OTHER) == {}
    assert is_whole(tmp_path)


async def test_of_earlier_wordings_alone_also_where_they_lie_as_what_the_memory_said(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        one = await packed(service)
        await corrected(service, one)
        before = await texts_of(service)
        assert len((await service.purge(Purge(dry_run=False))).memories) == 1
        assert await texts_of(service) == before
        assert (await service.inspect(Inspect(id=one))).history == ()
        assert files_with(tmp_path, SECRET) == {}
        assert kinds_with(tmp_path, OTHER) == {"pack"}
    assert is_whole(tmp_path)


async def test_of_every_wording_it_had(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        await company(service)
        one = (await service.remember_one(Remember(text=TEXT))).id
        await service.update(Update(id=one, text=f"The key is with the baker of {OTHER}."))
        await service.sleep(Sleep())
        await service.update(Update(id=one, text=f"The key was lost on the way to {THIRD}."))
        assert [earlier.text.split()[-1] for earlier in (await service.inspect(Inspect(id=one))).history] == [
            f"{SECRET}.", f"{OTHER}."]
        await forgotten(service, one)
        assert files_with(tmp_path, SECRET, OTHER, THIRD) == {}
    assert is_whole(tmp_path)


async def test_of_a_schema_whose_members_keep_their_texts(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        texts = await chatter(service)
        await service.sleep(Sleep())
        await service.sleep(Sleep())
        portraits = [await service.inspect(Inspect(id=one)) for one in texts]
        members = [memory.schema for memory in portraits]
        medoid = next(memory.id for memory in portraits if memory.schema == memory.id and members.count(memory.id) > 3)
        word = texts[medoid].split()[-1].rstrip(".")
        assert kinds_with(tmp_path, word) == {"pack"}
        await forgotten(service, medoid)
        assert files_with(tmp_path, word) == {}
        await service.sleep(Sleep())
        left = [await service.inspect(Inspect(id=one)) for one in texts if one != medoid]
        assert all(memory.text == texts[memory.id] for memory in left if memory.lossless)
        assert {memory.schema for memory in left} & {memory.id for memory in left}  # others stand for them now
        assert medoid not in {memory.schema for memory in left}
    assert is_whole(tmp_path)


async def test_of_what_was_kept_beside_an_abridged_memory(tmp_path: Path) -> None:
    async with hippo_in(tmp_path, sleep_preserve_originals="on", fact_guard="off") as service:
        texts = await chatter(service)
        await service.sleep(Sleep())
        await service.sleep(Sleep())
        portraits = [await service.inspect(Inspect(id=one)) for one in texts]
        faded = [memory for memory in portraits if not memory.lossless]
        chosen = faded[0]
        text, word = texts[chosen.id], texts[chosen.id].split()[-1].rstrip(".")
        assert len(files_with(tmp_path, word)[word]) == 2
        assert len(files_with(tmp_path, text)[text]) == 1
        await forgotten(service, chosen.id)
        assert files_with(tmp_path, text, word) == {}
        for other in faded[1:10]:
            assert (await service.inspect(Inspect(id=other.id))).original == texts[other.id]
    assert is_whole(tmp_path)


async def test_of_an_original_of_an_earlier_wording(tmp_path: Path) -> None:
    async with hippo_in(tmp_path, sleep_preserve_originals="on", fact_guard="off") as service:
        texts = await chatter(service)
        await service.sleep(Sleep())
        await service.sleep(Sleep())
        chosen = next(memory for memory in [await service.inspect(Inspect(id=one)) for one in texts]
                      if not memory.lossless)
        word = texts[chosen.id].split()[-1].rstrip(".")
        await service.update(Update(id=chosen.id, text=f"It was in {OTHER} after all."))
        await service.forget(Forget(id=chosen.id))
        assert files_with(tmp_path, word, OTHER) == {}
    assert is_whole(tmp_path)


async def test_of_a_dictionary_that_was_trained_from_it(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        said = list(episodes(3, 2_300, EPOCH_MS - 300 * DAY_MS, 300))
        for start in range(0, len(said), 500):
            await service.remember([Remember(text=one.text, conversation=one.conversation, created_at=one.at)
                                    for one in said[start:start + 500]])
        for _ in range(2):  # one is trained from what packs hold
            await service.sleep(Sleep())
        ids = {text: one for one, text in (await texts_of(service)).items()}
        text = next(row for row in trained(tmp_path).decode().split("\0") if row in ids)
        assert kinds_with(tmp_path, text) == {"dict", "pack"}
        await forgotten(service, ids[text])
        assert files_with(tmp_path, text) == {}
        await service.sleep(Sleep())
        assert trained(tmp_path)
        assert text.encode() not in trained(tmp_path)
    assert is_whole(tmp_path)


def trained(folder: Path) -> bytes:
    disk = FolderDisk(folder)
    return b"".join(decode_dictionary(disk.read(name)) for name in disk.names()
                    if name.startswith(dictionary_name(0)[:5]))


async def test_of_damaged_bytes_that_were_set_aside(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        await company(service)
        one = (await service.remember_one(Remember(text=TEXT))).id
        await service.remember_one(Remember(text=f"Nobody was told of {SECRET} so far."))
        await service.remember_one(Remember(text=f"There is a lighthouse in {OTHER}."))
        cut = tmp_path / "copy"
        cut.mkdir()
        for path in tmp_path.iterdir():
            if path.is_file() and path.name != "lock":
                shutil.copy(path, cut)
    for word in (f"told of {SECRET}", f"in {OTHER}"):
        [journal] = [path for path in cut.glob("journal-*") if word.encode() in path.read_bytes()]
        content = bytearray(journal.read_bytes())
        content[content.index(word.encode()) - 9] ^= 1
        journal.write_bytes(content)
    async with hippo_in(cut) as service:
        assert len(await texts_of(service)) == 41  # two records are lost
        assert kinds_with(cut, SECRET) >= {"lost+found"}
        await service.forget(Forget(id=one))
        assert files_with(cut, SECRET) == {}
        assert kinds_with(cut, OTHER) == set()  # it lay beside the other, in one piece
    async with hippo_in(cut) as service:
        assert len(await texts_of(service)) == 40


async def test_of_caches(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        await company(service)
        one = (await service.remember_one(Remember(text=TEXT))).id
    assert "cache" in kinds_with(tmp_path, SECRET.lower()[:6])
    async with hippo_in(tmp_path) as service:
        await forgotten(service, one)
        assert files_with(tmp_path, SECRET, SECRET.lower()[:6]) == {}
        assert (await service.recall(Recall(cue=TEXT, peek=True))).results
    assert any(path.is_file() for path in (tmp_path / "cache").iterdir())
    assert files_with(tmp_path, SECRET, SECRET.lower()[:6]) == {}


async def test_of_the_names_that_only_it_had(tmp_path: Path) -> None:
    names = [f"only{number}kjq" for number in range(7)]
    scope, entity, kind, tag, source, talk, key = names
    async with hippo_in(tmp_path) as service:
        await company(service)
        await service.remember_one(Remember(text="The lighthouse stands on a rock.", entity="the Lighthouse",
                                            tags=["shared"], scope=scope[:4]))
        one = (await service.remember_one(Remember(
            text="The Lighthouse was painted in spring.", scope=scope, entity=entity, entity_type="person", kind=kind,
            tags=[tag, "shared"], source=source, conversation=talk, key=key))).id
        await service.update(Update(id=one, tags=["shared"]))  # that it had the tag is past
        await service.sleep(Sleep())
        assert all(kinds_with(tmp_path, name) >= {"index"} for name in names)
        sketch = await service.sketch(None, "the Lighthouse", 5)
        assert sketch is not None
        assert sketch.relations
        await forgotten(service, one)
        assert files_with(tmp_path, *names) == {}
        again = await service.remember_one(Remember(text="Said under the same key.", key=key))
        assert again.id != one
        [other] = (await service.memories(ListMemories(tags=["shared"]))).memories
        assert other.scope == scope[:4]
    async with hippo_in(tmp_path) as service:
        sketch = await service.sketch(None, "the Lighthouse", 5)
        assert sketch is not None
        assert sketch.relations == []
    assert files_with(tmp_path, *names[:-1]) == {}


async def test_of_the_keys_that_came_with_repeats(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        one = (await service.remember_one(Remember(text=TEXT))).id
        again = await service.remember_one(Remember(text=TEXT, key="key of repeats"))
        assert (again.id, again.action) == (one, "strengthened")
    async with hippo_in(tmp_path) as service:
        assert (await service.remember_one(Remember(text="Something else.", key="key of repeats"))).id == one
        await service.forget(Forget(id=one))
        assert files_with(tmp_path, "key of repeats", SECRET) == {}
        assert (await service.remember_one(Remember(text="Something else.", key="key of repeats"))).id != one


async def test_of_logged_messages_that_hold_it(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        one = (await service.remember_one(Remember(text=TEXT))).id
        await service.log_messages(LogMessages(messages=[
            Message(role="user", text=f"Please note: {TEXT} Thanks, {OTHER}."),
            Message(role="user", text=f"What about {THIRD}?")]))
        await service.sleep(Sleep())
        answer = await service.forget(Forget(id=one))
        assert len([named for named in answer.quoted_in if named.startswith("message")]) == 1
        assert files_with(tmp_path, SECRET, OTHER) == {}
        assert kinds_with(tmp_path, THIRD) == {"pack"}


async def test_of_a_deleted_block(tmp_path: Path) -> None:
    async with hippo_in(tmp_path) as service:
        await service.append_block(AppendBlock(key="persona", text=TEXT))
        await service.append_block(AppendBlock(key="plans", text=f"Move to {OTHER}."))
        await service.sleep(Sleep())
        assert kinds_with(tmp_path, SECRET) >= {"index"}
        await service.delete_block(DeleteBlock(key="persona"))
        assert files_with(tmp_path, SECRET) == {}
        assert kinds_with(tmp_path, OTHER) >= {"index"}


async def test_whoever_forgets_what_is_being_forgotten_waits_for_it_as_well(tmp_path: Path) -> None:
    left: list[dict[str, list[str]]] = []
    async with hippo_in(tmp_path) as service:
        await company(service)
        one = (await service.remember_one(Remember(text=TEXT))).id
        await service.sleep(Sleep())

        async def forget() -> None:
            try:
                await service.forget(Forget(id=one))
            except MemoryNotFound:
                return
            left.append(files_with(tmp_path, SECRET))

        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(forget)
    assert left
    assert all(files == {} for files in left)
