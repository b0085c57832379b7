"""A whole hippo whose texts are embedded by a service: measured once, down, slow, back again."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import trio

from hippo import limits
from hippo.errors import BadSetting, EmbedderFailed, EmbedderUnknown, WrongEmbedder
from hippo.interfaces.service import Service
from hippo.model.knowledge_verb import Forget, LogMessages, Message, Update
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Recall, Remember, Sleep, TimeSkip
from hippo.readings import Secret
from tests.actors.test_night import EPOCH_MS, chatter
from tests.interfaces.awakened import awakened, holds
from tests.providers.fake_openai import FakeOpenAI, Reply

KEY = Secret("sk-secret-0123456789")
DOOR, TEA = "The spare key hangs behind the barn door.", "Clara takes her tea without sugar."
BICYCLES = "Ben repairs old bicycles."


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_wait_seconds", 0.001)


def at(fake: FakeOpenAI, **more: Any) -> dict[str, Any]:
    return {"embed_url": fake.url, "embed_key": KEY, "embed_model": "small", **more}


def again(fake: FakeOpenAI) -> FakeOpenAI:
    """The service at the same address, started again."""
    return FakeOpenAI(port=fake.port)


def sent(fake: FakeOpenAI) -> list[str]:
    return [text for asked in fake.asked for text in asked.body["input"]]


async def recalled(service: Service, cue: str) -> tuple[str, bool]:
    """What comes to mind first, and whether by words alone."""
    answer = await service.recall(Recall(cue=cue, peek=True))
    return answer.results[0].text, answer.degraded


async def test_a_service_is_measured_at_the_first_start_and_asked_nothing_at_later_ones(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            measured = len(fake.asked)
            assert measured
            await service.remember([Remember(text=DOOR), Remember(text=TEA)])
            assert await recalled(service, "Where is the spare key?") == (DOOR, False)
            assert sent(fake)[-3:] == [DOOR, TEA, "Where is the spare key?"]
            assert (await service.stats(MemoryStats())).embedder == "service:small"
            before = len(fake.asked)
            await service.forget(Forget(description=TEA, dry_run=True))
            await service.forget(Forget(id=(await service.memories(ListMemories(contains="tea"))).memories[0].id))
            assert sent(fake)[-1] == TEA
            assert len(fake.asked) == before + 1  # what is forgotten is not sent once more
        before = len(fake.asked)
        async with awakened(tmp_path, **at(fake)) as service:
            assert len(fake.asked) == before
            assert await recalled(service, "Where is the spare key?") == (DOOR, False)
        assert len(fake.asked) == before + 1
        assert {asked.headers["authorization"] for asked in fake.asked} == {f"Bearer {KEY}"}
    assert holds(tmp_path, KEY) == []


async def test_what_was_measured_is_durable_before_anything_is_remembered(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path / "store", **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
            shutil.copytree(tmp_path / "store", tmp_path / "left by a power cut")
    async with awakened(tmp_path / "left by a power cut", **at(fake)) as service:
        assert await recalled(service, "barn door") == (DOOR, True)


async def test_a_service_that_goes_down_leaves_words_and_comes_back(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
            fake.__exit__(None, None, None)

            assert await recalled(service, "Where is the spare key?") == (DOOR, True)
            answer = await service.recall(Recall(cue="Where is the spare key?"))
            assert answer.note is not None
            assert answer.note.startswith("The embedder failed: 127.0.0.1:")
            with pytest.raises(EmbedderFailed, match="no word of the cue matches"):
                await service.recall(Recall(cue="xyzzy"))
            kept = await service.remember_one(Remember(text=TEA))
            assert kept.action == "stored"
            assert kept.note is not None
            assert "found by its words" in kept.note
            assert await recalled(service, "tea without sugar") == (TEA, True)

            with again(fake) as back:
                while await recalled(service, "tea without sugar") != (TEA, False):
                    await trio.sleep(0.05)  # it is left alone for a moment
                assert (await service.remember_one(Remember(text=BICYCLES))).note is None
                assert sent(back) == ["tea without sugar", BICYCLES]
    with again(fake) as back:
        async with awakened(tmp_path, **at(fake)) as service:
            assert len((await service.memories(ListMemories())).memories) == 3
            assert await recalled(service, "tea without sugar") == (TEA, False)  # still by its words
    assert sent(back) == ["tea without sugar"]


async def test_what_was_remembered_while_it_was_down_is_sensed_by_the_next_pass_that_reaches_it(tmp_path: Path) -> None:
    lonely = "Ophelia sings in the harbour choir."
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
            fake.__exit__(None, None, None)
            for text in (TEA, BICYCLES, TEA + " Always."):
                assert "found by its words" in str((await service.remember_one(Remember(text=text))).note)
            await service.remember_one(Remember(text=lonely, agent_id="ada"))
            await service.log_messages(LogMessages(messages=[Message(role="user", text="Not for any service.")]))
            await service.sleep(Sleep())  # one that does not reach it changes nothing
        async with awakened(tmp_path, **at(fake)) as service:
            assert await recalled(service, "tea without sugar") == (TEA, True)
            with again(fake) as back:
                before = (await service.stats(MemoryStats())).associations
                await service.sleep(Sleep())
                assert sorted(sent(back)) == sorted([TEA, BICYCLES, TEA + " Always."])
                assert (await service.stats(MemoryStats())).associations > before
                await service.sleep(Sleep())
                assert len(sent(back)) == 3
                while await recalled(service, TEA) != (TEA, False):
                    await trio.sleep(0.05)  # it is left alone for a moment
                await service.recall(Recall(cue="Who sings in a choir?", agent_id="ada"))
                await service.sleep(Sleep())
                assert sent(back)[-3:] == [TEA, "Who sings in a choir?", lonely]
    with again(fake) as back:
        async with awakened(tmp_path, **at(fake)) as service:  # from the cache
            await service.sleep(Sleep())
            await service.recall(Recall(cue="choir", agent_id="ada"))
            await service.sleep(Sleep())
    assert sent(back) == ["choir"]


async def test_a_start_without_the_service_recalls_by_words_and_takes_nothing_away(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember([Remember(text=DOOR), Remember(text=TEA)])
    for file in (tmp_path / "cache").iterdir():
        file.unlink()  # as after a crash: vectors would be made again
    async with awakened(tmp_path, **at(fake)) as service:
        assert await recalled(service, "barn door") == (DOOR, True)
        [door] = (await service.memories(ListMemories(contains="key"))).memories
        await service.update(Update(id=door.id, text="The spare key lies under the mat."))
        await service.remember_one(Remember(text=BICYCLES))
        assert await recalled(service, "spare key under the mat") == ("The spare key lies under the mat.", True)
    with again(fake) as back:
        async with awakened(tmp_path, **at(fake)) as service:
            assert await recalled(service, "spare key under the mat") == ("The spare key lies under the mat.", False)
    assert {"The spare key lies under the mat.", TEA, BICYCLES} <= set(sent(back))


async def test_the_first_start_without_the_service_says_what_to_do_and_lets_go_of_the_store(tmp_path: Path) -> None:
    with FakeOpenAI(*[Reply(503)] * 4) as fake:
        with pytest.raises(EmbedderUnknown, match="service:small") as failure:
            async with awakened(tmp_path, **at(fake)):
                raise AssertionError("it must not start")
        assert "unset them" in failure.value.advice
        async with awakened(tmp_path, **at(fake)) as service:
            assert (await service.remember_one(Remember(text=DOOR))).note is None


async def test_an_address_that_is_none_is_named_and_keeps_no_store(tmp_path: Path) -> None:
    for setting in ("embed", "llm"):
        with pytest.raises(BadSetting, match=f"HIPPO_{setting.upper()}_URL"):
            async with awakened(tmp_path, **{f"{setting}_url": "ftp://x", f"{setting}_model": "small"}):
                raise AssertionError("it must not start")
    async with awakened(tmp_path) as service:
        await service.remember_one(Remember(text=DOOR))


async def test_a_store_stays_with_its_embedder_and_says_how(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path / "service", **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
        async with awakened(tmp_path / "words") as service:
            await service.remember_one(Remember(text=DOOR))
        asked = len(fake.asked)
        for store, settings, ways in (
                ("words", at(fake), ["HIPPO_EMBEDDER to term-frequency", "no HIPPO_EMBED_URL"]),
                ("words", {"embedder": "wordllama"}, ["HIPPO_EMBEDDER to term-frequency"]),
                ("service", {}, ["HIPPO_EMBED_MODEL to small", "HIPPO_EMBED_URL"]),
                ("service", at(fake, embed_model="large"), ["HIPPO_EMBED_MODEL to small"])):
            with pytest.raises(WrongEmbedder) as refused:
                async with awakened(tmp_path / store, **settings):
                    raise AssertionError("it must not start")
            assert all(way in refused.value.advice for way in ways), refused.value.advice
        assert len(fake.asked) == asked


async def test_a_service_that_hangs_holds_up_neither_the_event_loop_nor_the_disk(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service, trio.open_nursery() as nursery:
            await service.remember_one(Remember(text=DOOR))
            fake.replies.extend([Reply(hangs=True)] * 100)
            answers = list[tuple[str, bool]]()

            async def recall() -> None:
                answers.append(await recalled(service, "barn door"))

            for _ in range(8):
                nursery.start_soon(recall)
            while len(fake.replies) > 92:
                await trio.sleep(0.01)
            with trio.fail_after(10):  # a recall would wait for 15 s
                await service.health()
                await service.sleep(Sleep(depth="light"))
                await service.inspect(Inspect(id=(await service.memories(ListMemories())).memories[0].id))
            assert answers == []
            fake.__exit__(None, None, None)
    assert answers == [(DOOR, True)] * 8


async def test_who_calls_soon_after_a_long_failure_does_not_wait_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
            fake.replies.extend([Reply(503)] * limits.provider_attempts_max)
            monkeypatch.setattr(limits, "provider_wait_seconds", 0.2)  # 1.4 s until it is given up
            assert await recalled(service, "barn door") == (DOOR, True)
            asked = len(fake.asked)
            assert await recalled(service, "barn door") == (DOOR, True)
            assert len(fake.asked) == asked
            await trio.sleep(1.6)
            assert await recalled(service, "barn door") == (DOOR, False)


async def test_a_pass_goes_on_without_the_service_and_what_it_abridged_is_as_any_other(tmp_path: Path) -> None:
    with FakeOpenAI() as fake:
        async with awakened(tmp_path, **at(fake, epoch=EPOCH_MS, fact_guard=False)) as service:
            await chatter(service)
            asked = len(fake.asked)
            fake.__exit__(None, None, None)
            await service.timeskip(TimeSkip(days=1))
            report = await service.sleep(Sleep())
            assert report.faded
            faded = [memory for memory in (await service.memories(ListMemories(limit=1000))).memories if not memory.lossless]
            assert len(faded) == report.faded
            assert await recalled(service, faded[0].text) == (faded[0].text, True)
            await service.update(Update(id=faded[0].id, text="Ada drove to Graz."))
            await service.forget(Forget(id=faded[1].id))
            with again(fake) as back:
                assert await recalled(service, faded[2].text) == (faded[2].text, False)
            assert len(fake.asked) == asked
    assert len(sent(back)) == 1  # vectors were there


async def test_connections_are_closed_at_the_end(tmp_path: Path) -> None:
    with FakeOpenAI() as fake, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        async with awakened(tmp_path, **at(fake)) as service:
            await service.remember_one(Remember(text=DOOR))
        del service
        gc.collect()
    assert [str(one.message) for one in told if one.category is ResourceWarning] == []


def test_nothing_of_providers_is_loaded_where_none_is_configured(tmp_path: Path) -> None:
    code = ("import sys, trio\nfrom pathlib import Path\nfrom tests.interfaces.awakened import awakened\n"
            "from hippo.model.verb import Recall, Remember\nfrom hippo.model.knowledge_verb import RememberFacts\n"
            "async def main():\n"
            "    async with awakened(Path(sys.argv[1])) as service:\n"
            "        await service.remember_facts(RememberFacts(text='I live in Graz.'))\n"
            "        await service.recall(Recall(cue='Graz'))\n"
            "trio.run(main)\n"
            "print([name for name in sys.modules if name.startswith('hippo.providers') or name.startswith('http')])\n")
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False)
    loaded = [name for name in ended.stdout.split("'")[1::2] if name.startswith("hippo")]
    assert (ended.returncode, loaded) == (0, []), ended.stderr
