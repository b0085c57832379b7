"""A text taken apart into facts, over a whole hippo: by rules, and by a language model that may fail or be slow."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo import limits
from hippo.interfaces.service import Service
from hippo.model.knowledge import Facts
from hippo.model.knowledge_verb import Forget, RememberFacts
from hippo.model.verb import Inspect, ListMemories, Recall, Remember
from hippo.readings import Secret
from tests.interfaces.awakened import awakened
from tests.interfaces.serving import client, hippo_at
from tests.providers.fake_openai import Asked, FakeOpenAI, Reply, chat

KEY = Secret("sk-secret-0123456789")
GRAZ, LINZ = "Anna has her home in Graz", "Anna has her home in Linz"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_wait_seconds", 0.001)


def model(verdicts: Mapping[tuple[str, str], str] | None = None, *claims: str) -> Callable[[Asked], str]:
    """What a model says: these claims of any text, and these verdicts on (new, old); of all others DISTINCT."""
    def say(asked: Asked) -> str:
        told = asked.user
        if "text" in told:
            return json.dumps({"claims": [{"text": claim} for claim in claims or (told["text"],)]})
        return json.dumps({"verdict": (verdicts or {}).get((told["new"], told["old"]), "DISTINCT")})

    return say


def at(fake: FakeOpenAI) -> dict[str, Any]:
    return {"llm_url": fake.url, "llm_key": KEY, "llm_model": "small"}


async def told(service: Service, text: str, **more: Any) -> Facts:
    return await service.remember_facts(RememberFacts(text=text, **more))


async def current(service: Service) -> list[str]:
    return sorted(memory.text for memory in (await service.memories(ListMemories())).memories)


def compared(fake: FakeOpenAI) -> list[tuple[str, str]]:
    return [(asked.user["new"], asked.user["old"]) for asked in fake.asked if "new" in asked.user]


# By rules


async def test_without_a_model_sentences_are_facts_and_another_value_supersedes(tmp_path: Path) -> None:
    async with awakened(tmp_path) as service:
        [old, dog] = (await told(service, "I live in Berlin. I have a dog named Pip.")).facts
        answer = await told(service, "I live in Lisbon.")
        assert (answer.by, answer.note) == ("rules", None)
        assert (answer.facts[0].action, answer.facts[0].replaced) == ("superseded", [old.id])
        assert await current(service) == ["I have a dog named Pip.", "I live in Lisbon."]
        assert dog.action == "stored"


async def test_what_is_said_twice_in_one_text_is_one_fact(tmp_path: Path) -> None:
    async with awakened(tmp_path) as service:
        answer = await told(service, "I live in Berlin. I live in Berlin!")
        assert [fact.action for fact in answer.facts] == ["stored", "strengthened"]
        assert len(await current(service)) == 1


@pytest.mark.parametrize("other", [{"scope": "novel"}, {"agent_id": "other"}, {"created_at": "2020-01-01"}])
async def test_what_holds_elsewhere_or_held_before_outdates_nothing(tmp_path: Path, other: dict[str, str]) -> None:
    async with awakened(tmp_path) as service:
        await told(service, "I live in Berlin.", created_at="2026-01-01")
        answer = await told(service, "I live in Lisbon.", **other)
        assert answer.facts[0].action == "stored"
        assert "I live in Berlin." in await current(service)


# By a model


async def test_a_model_splits_and_supersedes_what_rules_cannot(tmp_path: Path) -> None:
    with FakeOpenAI(say=model({(LINZ, GRAZ): "SUPERSEDES"}, LINZ, "Anna has a dog")) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            old = await service.remember_one(Remember(text=GRAZ, kind="fact"))
            answer = await told(service, "Anna, who has a dog, has had her home in Linz since she left Graz.")
            assert (answer.by, answer.note, answer.texts) == ("small", None, [LINZ, "Anna has a dog"])
            assert [fact.action for fact in answer.facts] == ["superseded", "stored"]
            assert answer.facts[0].replaced == [old.id]
            assert await current(service) == ["Anna has a dog", LINZ]
            await service.forget(Forget(id=answer.facts[0].id))
            assert await current(service) == ["Anna has a dog", GRAZ]
    assert (LINZ, GRAZ) in compared(fake)
    assert fake.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_duplicate_in_other_words_strengthens_the_known_fact_and_stays_as_superseded(tmp_path: Path) -> None:
    known, again = "Anna plays the cello in an orchestra", "Anna is a cello player in an orchestra"
    with FakeOpenAI(say=model({(again, known): "DUPLICATE"})) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            old = await service.remember_one(Remember(text=known, kind="fact", salience=0.2))
            before = await service.inspect(Inspect(id=old.id))
            [fact] = (await told(service, again)).facts
            assert (fact.action, fact.id) == ("strengthened", old.id)
            assert await current(service) == [known]
            after = await service.inspect(Inspect(id=old.id))
            assert (before.encounter_count, after.encounter_count) == (1, 2)
            assert after.intensity > before.intensity
            assert fact.note is not None
            named = re.search(r"\b[0-9A-Z]{8}\b", fact.note)
            assert named is not None
            kept = await service.inspect(Inspect(id=named[0]))
            assert (kept.text, kept.superseded_by) == (again, old.id)
            await service.forget(Forget(id=old.id))
            assert await current(service) == [again]
    async with awakened(tmp_path) as service:
        assert await current(service) == [again]


@pytest.mark.parametrize(("known", "again"), [
    ("Anna has two cats named Max and Tom", "Anna has three cats named Max and Tom"),
    ("Anna is allergic to nuts and to eggs", "Anna is not allergic to nuts and to eggs"),
    ("Anna called Bob about the boat", "Bob called Anna about the boat")])
async def test_a_model_that_takes_a_correction_for_a_duplicate_is_not_believed(tmp_path: Path, known: str, again: str) -> None:
    with FakeOpenAI(say=model({(again, known): "DUPLICATE"})) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=known, kind="fact"))
            [fact] = (await told(service, again)).facts
            assert fact.action == "stored"
            assert await current(service) == sorted((known, again))
    assert compared(fake) == [(again, known)]


async def test_a_duplicate_of_another_entity_is_a_fact_of_its_own(tmp_path: Path) -> None:
    known, again = "The kitchen is painted in yellow", "The kitchen was painted all in yellow"
    with FakeOpenAI(say=model({(again, known): "DUPLICATE"})) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=known, kind="fact", entity="Villa"))
            [fact] = (await told(service, again, entity="Cottage")).facts
            assert fact.action == "stored"
    assert compared(fake) == [(again, known)]


# A model that fails


async def test_a_model_that_fails_is_replaced_by_rules_asked_no_more_and_named(tmp_path: Path) -> None:
    with FakeOpenAI(*[Reply(503)] * 100) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            old = await service.remember_one(Remember(text="I live in Berlin.", kind="fact"))
            answer = await told(service, "I live in Lisbon. I like tea.")
    assert answer.by == "rules"
    assert answer.note is not None
    assert answer.note.startswith("The language model failed (")
    assert "status 503" in answer.note
    assert "split by rules" in answer.note
    assert KEY not in answer.note
    assert [fact.replaced for fact in answer.facts] == [[old.id], []]
    assert len(fake.asked) == limits.provider_attempts_max


async def test_where_a_model_fails_and_rules_find_nothing_both_are_said(tmp_path: Path) -> None:
    with FakeOpenAI(chat("I would rather not."), chat("No.")) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            answer = await told(service, "Hello! How are you?")
    assert answer.facts == []
    assert answer.note is not None
    assert "did not answer in the shape" in answer.note
    assert answer.note.endswith("Nothing in it is a statement that could be kept.")


async def test_a_model_that_fails_in_the_middle_leaves_the_rest_to_the_rules(tmp_path: Path) -> None:
    split = chat(json.dumps({"claims": [{"text": "I live in Lisbon."}, {"text": "I work at Initech."}]}))
    with FakeOpenAI(split, *[Reply(400, {"error": {"message": "no more credit"}})] * 100) as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            olds = [await service.remember_one(Remember(text=text, kind="fact"))
                    for text in ("I live in Berlin.", "I work at Globex.")]
            answer = await told(service, "I live in Lisbon, and I work at Initech.")
    assert answer.by == "small"
    assert answer.note is not None
    assert "no more credit" in answer.note
    assert "by rules" in answer.note
    assert [fact.replaced for fact in answer.facts] == [[old.id] for old in olds]
    assert len(fake.asked) == 3  # once to split, once to compare, once more without the extras


async def test_nothing_is_sent_where_only_half_of_a_service_is_configured(
        tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, llm_url=fake.url, llm_key=KEY, embed_model="small") as service:
            assert (await told(service, "I live in Lisbon.")).by == "rules"
            assert (await service.recall(Recall(cue="Where do I live?"))).results
    assert fake.asked == []
    said = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert said == ["HIPPO_LLM_URL is set and HIPPO_LLM_MODEL is not: that service is not asked.",
                    "HIPPO_EMBED_MODEL is set and HIPPO_EMBED_URL is not: that service is not asked."]


# A model that is slow


async def test_a_slow_model_holds_no_turn_and_its_time_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    def slow(asked: Asked) -> str:
        thinking.set()
        assert go_on.wait(60)
        return model({(LINZ, GRAZ): "SUPERSEDES"}, LINZ)(asked)

    with FakeOpenAI(say=slow) as fake:
        async with hippo_at(tmp_path, **at(fake)) as (url, service), client(url) as line, trio.open_nursery() as nursery:
            await service.remember_one(Remember(text=GRAZ, kind="fact"))
            answers = list[Any]()

            async def facts() -> None:
                answers.append((await line.post("/api/facts", json={"text": "Anna moved to Linz."})).json())

            nursery.start_soon(facts)
            await trio.to_thread.run_sync(thinking.wait, 60)
            # As long as the model thinks, others write, and the time a call may take passes.
            others = [(await line.post("/api/remember", json={"text": f"Ben has {count} bicycles."})).json() for count in (2, 3)]
            assert [other["action"] for other in others] == ["stored", "stored"]
            assert answers == []
            monkeypatch.setattr(limits, "ask_seconds", 2.0)
            await trio.sleep(2.1)
            go_on.set()
    assert [fact["action"] for fact in answers[0]["facts"]] == ["superseded"]
    assert answers[0]["by"] == "small"
