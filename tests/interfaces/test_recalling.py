"""Recall with all that knowledge adds: relations, direct matches only, composite rank, staleness, versions, history."""

from __future__ import annotations

from pathlib import Path

from hippo import limits
from hippo.model.knowledge_verb import Relate, Update
from hippo.model.verb import Inspect, Recall, Remember
from tests.interfaces.awakened import awakened

DAY_MS = limits.ms_per_day


async def test_a_relation_leads_from_a_match_to_what_is_known_of_the_other(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.remember([Remember(text="Anna plays the cello on Tuesdays", entity="Anna", conversation="a"),
                              Remember(text="Ben repairs old bicycles", entity="Ben", conversation="b")])
        cue = Recall(cue="Who plays the cello?", peek=True)
        assert [row.entity for row in (await asked.recall(cue)).results] == ["Anna"]
        await asked.relate(Relate(source="Anna", relation="sister_of", target="Ben"))
        [anna, ben] = (await asked.recall(cue)).results
        assert (anna.entity, ben.entity) == ("Anna", "Ben")
        assert (ben.why.kind, ben.why.path) == ("spread", (anna.id, ben.id))
        assert abs(ben.activation - limits.relation_gain * anna.activation) < 1e-6
        direct = await asked.recall(Recall(cue="Who plays the cello?", peek=True, spread=False))
        assert [row.entity for row in direct.results] == ["Anna"]
        only_anna = await asked.recall(Recall(cue="Who plays the cello?", peek=True, entity="anna"))
        assert [row.entity for row in only_anna.results] == ["Anna"]


async def test_composite_rank_prefers_what_is_newer_and_was_recalled(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        now = asked.clock.now_ms()
        old = await asked.remember_one(Remember(text="The boiler makes a humming noise", created_at=now - 20 * DAY_MS))
        new = await asked.remember_one(Remember(text="A humming noise from the boiler", created_at=now - DAY_MS))
        ranked = (await asked.recall(Recall(cue="boiler humming noise", rank="composite", peek=True))).results
        assert [row.id for row in ranked] == [new.id, old.id]
        assert ranked[0].activation > ranked[1].activation


async def test_what_lost_its_strength_is_left_out_of_composite_rank(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        now = asked.clock.now_ms()
        await asked.remember([Remember(text="The boiler makes a humming noise", created_at=now - 3_000 * DAY_MS)])
        assert (await asked.recall(Recall(cue="boiler humming noise", rank="composite", peek=True))).results == []
        assert (await asked.recall(Recall(cue="boiler humming noise", peek=True))).results != []


async def test_an_old_observation_is_stale_once_there_is_a_newer_one(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        now = asked.clock.now_ms()
        await asked.remember([
            Remember(text="Anna works at the bakery", entity="Anna", created_at=now - 40 * DAY_MS),
            Remember(text="Log entry about the bakery", entity="ops:daily-log:one", created_at=now - 40 * DAY_MS)])
        cue = Recall(cue="bakery", peek=True)
        assert [row.stale for row in (await asked.recall(cue)).results] == [False, False]
        await asked.remember([Remember(text="Anna has a red bicycle", entity="Anna"),
                              Remember(text="Another entry", entity="ops:daily-log:one")])
        found = {row.text: row for row in (await asked.recall(cue)).results}
        assert found["Anna works at the bakery"].stale
        assert not found["Log entry about the bakery"].stale


async def test_every_result_carries_the_version_of_its_entity(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        stored = await asked.remember_one(Remember(text="Anna works at the bakery", entity="Anna"))
        [row] = (await asked.recall(Recall(cue="bakery", peek=True))).results
        seen = await asked.inspect(Inspect(id=stored.id))
        assert row.version_hash is not None
        assert row.version_hash == stored.version_hash == seen.version_hash
        updated = await asked.update(Update(id=stored.id, text="Anna works at the mill"))
        [row] = (await asked.recall(Recall(cue="mill", peek=True))).results
        assert row.version_hash == updated.version_hash != stored.version_hash


async def test_a_memory_shows_what_it_said_before_and_what_it_replaced(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        stored = await asked.remember_one(Remember(text="Anna works at the bakery", entity="Anna"))
        await asked.update(Update(id=stored.id, text="Anna works at the mill"))
        await asked.update(Update(id=stored.id, text="Anna works at the harbour"))
        seen = await asked.inspect(Inspect(id=stored.id))
        assert seen.text == "Anna works at the harbour"
        assert [row.text for row in seen.history] == ["Anna works at the bakery", "Anna works at the mill"]
        assert seen.replaces == ()
