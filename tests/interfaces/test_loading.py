"""Loading exports of hippo: what is there already, what comes meanwhile, and what is left where it is cut short."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace

from hippo import limits
from hippo.codec.identity import id_of
from hippo.errors import InvalidArgument, StoreUnwritable
from hippo.interfaces.exports.complete import decode, encode
from hippo.interfaces.service import Service
from hippo.model.dump import AgentDump, Dump, MemoryDump, MessageDump
from hippo.model.imported import ImportResult
from hippo.model.knowledge_verb import AppendBlock, Forget, LogMessages, Message, Update
from hippo.model.memory import Fidelity
from hippo.model.verb import ListMemories, Recall, Remember
from hippo.store.store import Store
from tests.interfaces.awakened import awakened
from tests.interfaces.exports.dumps import HOUR, NEW_YEAR
from tests.interfaces.serving import client, hippo_at

SEED = 77


def memories(count: int, seed: int = SEED, start: int = 0, **more: Any) -> list[MemoryDump]:
    """Some memories, an hour after each other."""
    return [MemoryDump(**{"id": id_of(start + at, seed), "text": f"Locker {at * 7919} holds the lantern of night {at}.",
                          "created_at": NEW_YEAR + at * HOUR, "last_access": NEW_YEAR + at * HOUR, "stability": 4.0, **more})
            for at in range(count)]


def export(rows: list[MemoryDump], seed: int = SEED, next_ordinal: int | None = None, **more: Any) -> Dump:
    return Dump(seed=seed, next_ordinal=len(rows) if next_ordinal is None else next_ordinal,
                agents={"default": AgentDump(memories=rows, **more)})


async def load(service: Service, dump: Dump, agent: str | None = None, *, dry_run: bool = False,
               progress: Callable[[int], None] | None = None) -> ImportResult:
    return await service.load(decode(b"".join(encode(dump))), agent, dry_run=dry_run, progress=progress)


async def exported(service: Service, agent: str = "default") -> AgentDump:
    return (await service.dump(agent)).agents[agent]


def texts(rows: Sequence[MemoryDump]) -> list[str]:
    return [row.text for row in rows]


async def test_what_was_corrected_since_it_was_exported_stays_corrected(tmp_path: Path) -> None:
    async with awakened(tmp_path) as service:
        stored = await service.remember_one(Remember(text="Anna lives in Graz.", entity="Anna"))
        before = await service.dump("default")
        await service.update(Update(id=stored.id, text="Anna lives in Linz."))
        after = await exported(service)
        told = await load(service, before)
        assert (told.outcomes["skipped"], told.outcomes["stored"]) == (1, 0)
        assert await exported(service) == after


async def test_two_stores_that_went_their_own_ways_from_one_export_are_put_together(tmp_path: Path) -> None:
    common = memories(3)
    mine, theirs = (replace(memories(4)[3], text=text, created_at=at) for text, at in (
        ("I went to Rome.", NEW_YEAR + 9 * HOUR), ("You went to Oslo.", NEW_YEAR + 8 * HOUR)))
    async with awakened(tmp_path) as service:
        await load(service, export([*common, mine]))
        told = await load(service, export([*common, theirs]))
        assert [(row.outcome, row.id) for row in told.results] == [
            *(("skipped", row.id) for row in common), ("stored", id_of(4, SEED))]
        assert texts((await exported(service)).memories) == [*texts(common), mine.text, theirs.text]


async def test_each_memory_that_is_there_stands_for_one_of_the_export(tmp_path: Path) -> None:
    """Said, outdated and said again: both are kept, and neither becomes the other."""
    first, other, again = memories(3, seed=5)
    rows = [replace(first, text="She lives in Rome.", superseded_by=other.id), replace(other, text="She lives in Oslo.", superseded_by=again.id),
            replace(again, text="She lives in Rome.")]
    async with awakened(tmp_path) as service:
        own = (await service.remember_one(Remember(text="She lives in Rome."))).id
        told = await load(service, export(rows, seed=5))
        assert [row.outcome for row in told.results] == ["stored", "stored", "skipped"]
        assert told.results[2].id == own
        found = (await exported(service)).memories
        assert [(row.text, row.superseded_by) for row in found] == [
            ("She lives in Rome.", None), ("She lives in Rome.", found[2].id), ("She lives in Oslo.", own)]
        assert (await load(service, export(rows, seed=5))).outcomes["skipped"] == 3


async def test_what_was_forgotten_comes_back_with_an_export_and_stays(tmp_path: Path) -> None:
    async with awakened(tmp_path) as service:
        for text in ("The boat is red.", "The car is blue."):
            last = await service.remember_one(Remember(text=text))
        before = await service.dump("default")
        await service.forget(Forget(id=last.id))
        told = await load(service, before)
        assert [row.outcome for row in told.results] == ["skipped", "stored"]
        after = await exported(service)
        assert texts(after.memories) == ["The boat is red.", "The car is blue."]
    async with awakened(tmp_path) as service:
        assert await exported(service) == after


def woven(count: int = 400) -> Dump:
    """Memories that name each other in every way, and messages."""
    chance = random.Random(3)
    rows = memories(count)
    for at in range(0, count, 7):
        to = chance.randrange(count)
        rows[at] = replace(rows[at], superseded_by=rows[to].id if to != at else None,
                           schema=rows[chance.randrange(count)].id, tier="cold")
    for at in range(3, count, 50):
        rows[at] = replace(rows[at], lossless=False, tier="cool", fidelity=Fidelity(0.9, 0.95, 0.915))
    pairs = sorted({tuple(sorted(chance.sample(range(count), 2))) for _ in range(3 * count)}, key=lambda pair: pair[::-1])
    bonds = [(rows[one].id, rows[other].id, round(0.1 + 0.004 * chance.randrange(200), 3), NEW_YEAR - NEW_YEAR % (24 * HOUR))
             for one, other in pairs]
    messages = [MessageDump(role="user", text=f"Said {at}", created_at=NEW_YEAR, id=id_of(count + at, SEED), key=f"k{at}")
                for at in range(120)]
    return export(rows, next_ordinal=count + 200, associations=bonds, messages=messages, blocks={"persona": "calm"}, relations=[("Anna", "knows", "Ben")])


async def test_it_comes_whole_in_few_steps(tmp_path: Path) -> None:
    dump, steps = woven(), list[int]()
    async with awakened(tmp_path) as service:
        told = await load(service, dump, progress=steps.append)
        assert (sum(steps), max(steps)) == (520, limits.load_memories)
        assert (told.kinds, told.stopped) == ({"memories": 400, "messages": 120, "relations": 1, "blocks": 1}, None)
        assert await service.dump("default") == dump
    async with awakened(tmp_path) as service:
        assert await service.dump("default") == dump


async def test_into_a_store_that_has_memories_of_its_own_the_same_comes_under_new_ids(tmp_path: Path) -> None:
    dump = woven()
    async with awakened(tmp_path) as service:
        own = (await service.remember_one(Remember(text="This was here before."))).id
        told = await load(service, dump)
        assert told.outcomes["stored"] == told.rows
        found, was = await exported(service), dump.agents["default"]
        [first, *rows] = found.memories
        assert first.id == own
        named = {old.id: new.id for old, new in zip(was.memories, rows, strict=True)}
        assert len({*named, *named.values()}) == 800
        assert rows == [replace(row, id=named[row.id], schema=named.get(row.schema or ""),
                                superseded_by=named.get(row.superseded_by or "")) for row in was.memories]
        assert found.associations == [(named[one], named[other], *rest) for one, other, *rest in was.associations]
        again = await load(service, dump)
        assert again.outcomes["skipped"] == again.rows


async def test_one_agent_s_export_may_become_another_s(tmp_path: Path) -> None:
    dump = woven()
    async with awakened(tmp_path) as service:
        await load(service, dump, "ben")
        assert [one.agent_id for one in await service.agents()] == ["ben"]
        assert await exported(service, "ben") == dump.agents["default"]


async def test_a_dry_run_tells_and_stores_nothing(tmp_path: Path) -> None:
    dump = woven()
    async with awakened(tmp_path) as service:
        told = await load(service, dump, dry_run=True)
        assert (told.outcomes["planned"], told.dry_run, told.kinds["messages"]) == (told.rows, True, 120)
        assert await service.agents() == []
        await load(service, dump)  # nor has it named anything: the same ids may still come
        assert await service.dump("default") == dump
        told = await load(service, dump, dry_run=True)
        assert (told.outcomes["planned"], told.outcomes["skipped"]) == (0, told.rows)


@pytest.mark.parametrize("steps", [1, 5, 8, 9, 10])
async def test_cut_short_it_names_nothing_that_is_not_there_and_goes_on_from_there(tmp_path: Path, steps: int) -> None:
    dump = woven()
    async with awakened(tmp_path) as service:
        with trio.CancelScope() as scope:
            left = iter(range(steps - 1, -1, -1))
            await load(service, dump, progress=lambda count: scope.cancel() if next(left) == 0 else None)
        assert scope.cancelled_caught
        rows = (await exported(service)).memories
        assert 0 < len(rows) <= 400
        there = {row.id for row in rows}
        assert all(row.superseded_by is None or row.superseded_by in there for row in rows)
        # What is said to be abridged, or not to be, is that after a restart as well.
        assert [(row.id, row.fidelity) for row in rows] == [(row.id, row.fidelity) for row in dump.agents["default"].memories[:len(rows)]]
    async with awakened(tmp_path) as service:
        assert [row.fidelity for row in (await exported(service)).memories] == [row.fidelity for row in rows]
        told = await load(service, dump)
        assert told.outcomes["skipped"] >= len(rows)
        assert await service.dump("default") == dump


async def test_killed_before_packs_were_written_it_is_made_whole_by_the_same_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "import_seal_seconds", 0.0)
    dump = woven()
    async with awakened(tmp_path) as service:
        with trio.CancelScope() as scope:
            left = iter(range(9, -1, -1))
            await load(service, dump, progress=lambda count: scope.cancel() if next(left) == 0 else None)
    async with awakened(tmp_path) as service:
        assert all(row.fidelity is None for row in (await exported(service)).memories)
        await load(service, dump)
        assert await service.dump("default") == dump
    async with awakened(tmp_path) as service:
        assert await service.dump("default") == dump


async def test_a_write_that_was_torn_apart_is_made_whole_by_the_same_import(tmp_path: Path) -> None:
    """Of what one write holds, only the first records reached the disk: memories, but not what is known of them."""
    dump = woven()
    rows = dump.agents["default"].memories
    bare = [replace(row, superseded_by=None, schema=None, fidelity=None, lossless=True) for row in rows[:60]]
    async with awakened(tmp_path) as service:
        await load(service, export(bare, next_ordinal=dump.next_ordinal, associations=[
            bond for bond in dump.agents["default"].associations if {bond[0], bond[1]} <= {row.id for row in bare}]))
        await load(service, dump)
        assert await service.dump("default") == dump


async def test_a_disk_that_is_full_ends_it_and_says_what_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, written = Store.append, list[int]()

    def refusing(store: Store, changes: Any) -> Any:
        written.append(len(changes))
        if len(written) == 4:
            raise StoreUnwritable(folder="/x", why="the disk is full")
        return append(store, changes)

    dump = woven()
    async with awakened(tmp_path) as service:
        monkeypatch.setattr(Store, "append", refusing)
        told = await load(service, dump)
        assert told.stopped is not None
        assert told.stopped["code"] == "store_unwritable"
        assert told.outcomes["stored"] == told.rows == len((await exported(service)).memories)
        assert 0 < told.rows < 400
        again = await load(service, dump)
        assert (again.stopped, again.outcomes["skipped"]) == (None, told.rows)


@pytest.mark.parametrize("over_http", [True, False], ids=["over HTTP", "in the library, without turns"])
async def test_what_is_said_meanwhile_is_kept_as_well_and_everything_is_found(tmp_path: Path, over_http: bool) -> None:
    """The same agent is told things all the time: no ordinal is given twice, none comes out of order."""
    dump, said = woven(), dict[str, str]()
    async with hippo_at(tmp_path) as (url, service), client(url) as http:
        done = trio.Event()

        async def write(name: str) -> None:
            number = 0
            while not done.is_set() and number < 100:
                text = f"{name} says number {number} of many things"
                stored = (await http.post("/api/remember", json={"text": text})).json()["id"] if over_http else (
                    await service.remember_one(Remember(text=text))).id
                said[stored] = text
                number += 1

        async with trio.open_nursery() as nursery:
            for name in ("Ada", "Bruno", "Clara"):
                nursery.start_soon(write, name)
            if over_http:
                told = (await http.post("/api/import", content=b"".join(encode(dump)))).json()
                assert (told["stopped"], told["outcomes"]["stored"]) == (None, told["rows"])
            else:
                assert (await load(service, dump)).stopped is None
            done.set()
        assert len(said) > 20
    async with awakened(tmp_path) as service:
        rows = (await exported(service)).memories
        assert len({row.id for row in rows}) == len(rows) == 400 + len(said)
        found = {row.id: row.text for row in rows}
        assert {one: found[one] for one in said} == said
        assert sorted(set(found.values()) - set(said.values())) == sorted(texts(dump.agents["default"].memories))
        by_text = {row.text: row for row in rows}
        for row in dump.agents["default"].memories:  # whoever was named is still who is named
            for name in ("superseded_by", "schema"):
                other = getattr(by_text[row.text], name)
                wanted = getattr(row, name)
                names = {one.id: one.text for one in dump.agents["default"].memories}
                assert (None if other is None else found[other]) == (None if wanted is None else names[wanted])


async def test_recall_goes_on_meanwhile(tmp_path: Path) -> None:
    dump = export(memories(3_000))
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        await http.post("/api/remember", json={"text": "The spare key hangs behind the barn door.", "agent_id": "other"})
        answered, done = 0, trio.Event()

        async def recall() -> None:
            nonlocal answered
            while not done.is_set():
                with trio.fail_after(2):
                    reply = await http.post("/api/recall", json={"cue": "where is the key?", "agent_id": "other"})
                assert reply.json()["results"]
                answered += 1

        async with trio.open_nursery() as nursery:
            nursery.start_soon(recall)
            told = (await http.post("/api/import", content=b"".join(encode(dump)))).json()
            done.set()
        assert told["outcomes"]["stored"] == 3_000
        assert answered > 20


async def test_of_several_agents_one_may_be_named(tmp_path: Path) -> None:
    rows = memories(2)
    both = Dump(seed=SEED, next_ordinal=2, agents={"a": AgentDump(memories=rows[:1]), "b": AgentDump(memories=rows[1:])})
    async with awakened(tmp_path) as service:
        with pytest.raises(InvalidArgument, match="c is none of them: a, b"):
            await load(service, both, "c")
        assert (await load(service, both, "b")).rows == 1
        assert [one.agent_id for one in await service.agents()] == ["b"]
        assert (await load(service, both)).outcomes == {
            "stored": 1, "strengthened": 0, "superseded": 0, "skipped": 1, "failed": 0, "planned": 0}


async def test_blocks_beyond_what_an_agent_may_have_are_failed_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "blocks_max", 2)
    async with awakened(tmp_path) as service:
        await service.append_block(AppendBlock(key="a", text="here"))
        told = await load(service, export([], blocks={"a": "there", "b": "new", "c": "too much"}))
        assert [(row.where, row.outcome) for row in told.results] == [
            ("block a", "stored"), ("block b", "stored"), ("block c", "failed")]
        assert [row.why for row in told.failures] == ["The agent has 2 blocks already; it may have at most 2."]
        assert (await exported(service)).blocks == {"a": "there", "b": "new"}


async def test_messages_that_are_there_are_not_logged_twice(tmp_path: Path) -> None:
    async with awakened(tmp_path / "one") as service:
        await service.log_messages(LogMessages(messages=[Message(role="user", text=text, created_at="2026-01-01") for text in ("a", "b")]))
        dump = await service.dump("default")
    async with awakened(tmp_path / "other") as service:
        await service.log_messages(LogMessages(messages=[Message(role="user", text="b", created_at="2026-01-01")]))
        told = await load(service, dump)
        assert [row.outcome for row in told.results] == ["stored", "skipped"]
        assert [row.text for row in (await exported(service)).messages] == ["b", "a"]


async def test_what_was_loaded_is_recalled_and_strengthened_like_any_other(tmp_path: Path) -> None:
    async with awakened(tmp_path) as service:
        await load(service, export(memories(60)))
        [found, *_] = (await service.recall(Recall(cue="lantern of night 17"))).results
        assert found.text == "Locker 134623 holds the lantern of night 17."
        [row] = [row for row in (await exported(service)).memories if row.id == found.id]
        assert row.access_count == 2
        assert len((await service.memories(ListMemories(limit=100))).memories) == 60
