"""Vectors that come late: for what has none and still says what it said, and for nothing else."""

from __future__ import annotations

import numpy as np

from hippo.actors.sensorium import Sensorium
from hippo.embed.senses import Senses
from hippo.mind.brain import Brain
from hippo.mind.graph import Graph
from hippo.model.memory import Draft, log_of
from hippo.providers.embeddings import ServiceEmbedder
from hippo.runtime import passes
from hippo.runtime.messages import Sensed
from hippo.runtime.offload import Offload

NOW, TAG, WIDE = 1_767_225_600_000, 7, 8
EMBEDDER = ServiceEmbedder("http://127.0.0.1:1/v1", None, "small", dimensions=WIDE)
SEEN = np.eye(WIDE, dtype=np.float32)


async def remembered(count: int, agent: str = "home", sighted: tuple[int, ...] = ()) -> tuple[Brain, Sensorium]:
    """So many memories with ordinals 10, 20, …; of them only some have a vector."""
    brain = Brain(1, 0.03)

    def never(agent: str, graph: Graph) -> Senses:
        raise AssertionError(f"{agent}'s senses are there from the start, for {len(graph)} memories")

    sensorium = Sensorium(brain, EMBEDDER, never, Offload(0))
    senses = await sensorium.of(agent)
    for slot in range(count):
        brain.remember(10 * (slot + 1), Draft(text="x", created_at=NOW, agent_id=agent), TAG, NOW, (1, 0, slot))
    sensorium.add(senses, [Sensed(SEEN[slot] if slot in sighted else None, None, ["x"]) for slot in range(count)])
    return brain, sensorium


async def test_what_has_no_vector_is_found_a_bounded_number_at_a_time() -> None:
    _, sensorium = await remembered(100, sighted=(1, 3))
    seen: dict[str, int] = {}
    found: list[int] = []
    while (batch := await sensorium.blank(passes.Blank(seen))) is not None:
        agent, places = batch
        assert len(places.ordinal) <= 32
        found += places.ordinal.tolist()
        seen = {agent: found[-1] + 1}
    assert found == [10 * (slot + 1) for slot in range(100) if slot not in (1, 3)]


async def test_messages_are_not_looked_for() -> None:
    _, sensorium = await remembered(3, agent=log_of("home"))
    assert await sensorium.blank(passes.Blank({})) is None


async def test_only_what_has_none_and_says_what_it_said_is_given_one() -> None:
    brain, sensorium = await remembered(5, sighted=(1,))
    brain.graph("home").rows["tag"][2] += 1  # it says something else by now
    given = await sensorium.give(passes.Give("home", {10: TAG, 20: TAG, 30: TAG, 35: TAG, 40: TAG}, SEEN[3:8]))
    assert given == [0, 3]
    vectors = (await sensorium.of("home")).vectors
    assert vectors.blank().tolist() == [2, 4]
    assert np.allclose(vectors.rows([0, 1, 3]), SEEN[[3, 1, 7]], atol=0.01)


async def test_senses_that_are_whole_again_are_for_the_cache() -> None:
    _, sensorium = await remembered(2)
    senses = await sensorium.of("home")
    senses.partial = True
    assert await sensorium.caches(all_of_them=True) == {}
    await sensorium.give(passes.Give("home", {10: TAG}, SEEN[:1]))
    assert senses.partial
    await sensorium.give(passes.Give("home", {20: TAG}, SEEN[1:2]))
    assert not senses.partial
    [content] = (await sensorium.caches(all_of_them=True)).values()
    known = Senses.from_bytes(EMBEDDER, content[16:])
    assert known is not None
    assert len(known.vectors.blank()) == 0
