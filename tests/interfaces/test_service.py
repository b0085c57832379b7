"""The verbs themselves, over a whole hippo or over actors that a test plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from hippo.embed.embedder import open_embedder
from hippo.errors import MemoryDamaged, Relocated
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.sensing import Sensing
from hippo.interfaces.service import Service
from hippo.model.recollection import Why
from hippo.model.verb import ListMemories, Recall, Remember
from hippo.runtime import messages as ask
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import Address
from hippo.runtime.offload import Offload
from hippo.store.texts import Texts
from tests.interfaces.serving import hippo_at, settings_for


class Played:
    """An actor of a few lines: answers each request by what its type is answered with."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.asked = answers, list[Any]()

    async def ask(self, request: Any) -> Any:
        self.asked.append(request)
        answer = self.answers[type(request).__name__]
        answer = answer.pop(0) if isinstance(answer, list) else answer
        if isinstance(answer, Exception):
            raise answer
        return answer


def service(graph: Played, reader: Played) -> Service:
    nobody = cast(Address, Played())
    return Service(
        seed=1, clock=Clock(0), drafting=Drafting(settings_for().zone), budget=Budget(None), may_skip=False, append_only=(),
        message_table=None, writer=nobody,
        sensing=Sensing(open_embedder("term-frequency"), Offload(threads=0)), graph=cast(Address, graph),
        reader=cast(Address, reader), sleeper=nobody, broadcaster=nobody)


def hit(ordinal: int, tag: int = 9) -> ask.Hit:
    return ask.Hit(
        ordinal=ordinal, id=f"id{ordinal}", place=(1, ordinal, 0), tag=tag, activation=1, confidence=1, why=Why("seed"),
        tier="hot", fidelity=None, created_at=0, entity=None, kind="fact", tags=(), scope="", conversation=None, archived_at=None,
        superseded_by=None)


async def test_a_text_that_moved_is_read_where_it_is_now() -> None:
    graph = Played(Bring=ask.Recalled([hit(3)], 1), Locate=[[((2, 5, 1), 9)]])
    reader = Played(Read=[Relocated(1), ["where it is now"]])
    answer = await service(graph, reader).recall(Recall(cue="x"))
    assert [row.text for row in answer.results] == ["where it is now"]
    assert [request.wanted for request in reader.asked] == [[((1, 3, 0), 3, 9)], [((2, 5, 1), 3, 9)]]


async def test_what_was_read_lately_is_not_read_again_unless_it_was_replaced() -> None:
    graph = Played(Bring=[ask.Recalled([hit(3)], 1), ask.Recalled([hit(4), hit(3)], 2), ask.Recalled([hit(3, 8)], 2)])
    reader = Played(Read=[["three"], ["four"], ["three anew"]])
    asked = service(graph, reader)
    texts = [[row.text for row in (await asked.recall(Recall(cue="x"))).results] for _ in range(3)]
    assert texts == [["three"], ["four", "three"], ["three anew"]]
    assert [[row[1] for row in request.wanted] for request in reader.asked] == [[3], [4], [3]]


async def test_a_text_that_cannot_be_read_is_asked_for_again_the_next_time() -> None:
    graph = Played(Bring=[ask.Recalled([hit(3)], 1)] * 2)
    reader = Played(Read=[[MemoryDamaged(id="id3", why="its record is damaged")], ["mended"]])
    asked = service(graph, reader)
    texts = [(await asked.recall(Recall(cue="x"))).results[0].text for _ in range(2)]
    assert "its record is damaged" in texts[0]
    assert texts[1] == "mended"


async def test_what_was_just_remembered_is_at_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delattr(Texts, "read")  # nothing may be asked of it
    async with hippo_at(tmp_path) as (_, asked):
        await asked.remember_one(Remember(text="said this very moment"))
        assert (await asked.recall(Recall(cue="moment"))).results[0].text == "said this very moment"


async def test_looking_through_everything_does_not_push_out_what_is_at_hand(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (_, asked):
        await asked.remember([Remember(text=f"note {number}") for number in range(300)])
        before = asked.recent.bytes
        assert len((await asked.memories(ListMemories(contains="note 29"))).memories) == 11
        assert asked.recent.bytes == before


async def test_similarity_is_how_alike_a_memory_itself_is_between_0_and_1(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (_, asked):
        said = ["The train to Graz leaves at nine", "The train to Graz leaves at nine, platform two", "Thank you",
                "The train to Graz leaves at nine"]
        await asked.remember([Remember(text=text, conversation="c") for text in said])
        found = (await asked.recall(Recall(cue="train to Graz at nine", peek=True))).results
        alike = {row.text: row.why for row in found}
        assert all(0.0 <= why.similarity <= 1.0 for why in alike.values() if why.similarity is not None)
        assert max(why.similarity for why in alike.values() if why.similarity is not None) > 0.95
        assert (alike["Thank you"].kind, alike["Thank you"].similarity) == ("neighbour", 0.0)
