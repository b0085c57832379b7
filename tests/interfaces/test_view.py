"""What the brain view is told of one agent's memories."""

from __future__ import annotations

from pathlib import Path

from hippo.interfaces.view import encoded, label
from hippo.model.drawing import Drawing, DrawnSchema
from hippo.model.knowledge_verb import Forget, RememberFacts, Update
from hippo.model.verb import GraphView, Inspect, Recall, Remember, Sleep
from tests.interfaces.awakened import awakened
from tests.interfaces.serving import client, hippo_at

ALIKE = [f"Anna watered the tomatoes in the garden on {day}, and then she closed the shed." for day in (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")]


async def test_a_memory_is_shown_with_what_the_page_draws_of_it(tmp_path: Path) -> None:
    async with awakened(tmp_path, epoch=1_767_225_600_000) as asked:
        stored = await asked.remember_one(Remember(
            text="Anna keeps\nthe spare key behind the clock.", entity="Anna", kind="fact", salience=0.5,
            created_at="2025-12-31T00:00:00Z"))
        [node] = (await asked.graph(GraphView())).nodes
        known = await asked.inspect(Inspect(id=stored.id))
    assert (node.id, node.label) == (stored.id, "Anna keeps the spare key behind the clock.")
    assert (node.kind, node.entity, node.salience, node.tier) == ("fact", "Anna", 0.5, "hot")
    assert node.created_at == 1_767_225_600_000 - 86_400_000 == known.created_at
    assert (node.schema, node.archived, node.superseded) == (None, False, False)
    assert node.activation == round(known.retention_now, 3) < 1


async def test_an_agent_without_memories_has_an_empty_drawing(tmp_path: Path) -> None:
    empty = Drawing(nodes=[], edges=[], folded=0, schemas=[])
    async with awakened(tmp_path) as asked:
        assert await asked.graph(GraphView()) == empty
        await asked.recall(Recall(cue="anything"))
        assert await asked.graph(GraphView()) == empty
    assert encoded(empty) == b'{"nodes":[],"edges":[],"folded":0,"schemas":[]}'


async def test_what_was_recalled_together_is_linked_by_what_it_has_learned(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        ids = [(await asked.remember_one(Remember(text=text, conversation="c"))).id for text in (
            "Ben plays the cello on Fridays.", "The orchestra of Ben's town looks for a second cello.")]
        await asked.recall(Recall(cue="Who plays the cello?"))
        drawn = await asked.graph(GraphView())
        [known] = (await asked.inspect(Inspect(id=ids[0]))).associations
    assert [node.id for node in drawn.nodes] == ids
    assert drawn.edges == [(0, 1, round(known.weight, 3), "learned")]
    assert known.id == ids[1]


async def test_an_earlier_wording_is_no_memory_and_a_superseded_one_is_marked(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        stored = await asked.remember_one(Remember(text="The bin goes out on Monday.", entity="bin"))
        await asked.update(Update(id=stored.id, text="The bin goes out on Tuesday."))
        drawn = await asked.graph(GraphView())
        assert [(node.id, node.label) for node in drawn.nodes] == [(stored.id, "The bin goes out on Tuesday.")]
        await asked.forget(Forget(id=stored.id))
        old, new = [(await asked.remember_facts(RememberFacts(text=f"Anna lives in {city}."))).facts[0].id
                    for city in ("Lyon", "Porto")]
        drawn = await asked.graph(GraphView())
    assert {node.id: node.superseded for node in drawn.nodes} == {old: True, new: False}


async def test_a_schema_is_shown_with_its_members_and_counts_those_that_are_folded(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        ids = [(await asked.remember_one(Remember(text=text))).id for text in ALIKE]
        await asked.sleep(Sleep())
        whole = await asked.graph(GraphView())
        part = await asked.graph(GraphView(limit=3))
    [schema] = whole.schemas
    centre = next(at for at, node in enumerate(whole.nodes) if node.id == schema.id)
    assert (schema.members, schema.folded, schema.label) == (4, 0, whole.nodes[centre].label)
    assert schema.label in ALIKE[ids.index(schema.id)]
    assert {node.schema for node in whole.nodes} == {schema.id}
    assert [edge for edge in whole.edges if edge[3] == "schema"] == [
        (centre, other, 1.0, "schema") for other in range(5) if other != centre]
    assert part.schemas == [DrawnSchema(id=schema.id, label=schema.label, members=4, folded=2)]
    assert (len(part.nodes), part.folded) == (3, 2)
    assert schema.id in {node.id for node in part.nodes}


async def test_over_http_moments_are_numbers(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        await http.post("/api/remember", json={"text": "x", "created_at": "2025-12-31T00:00:00Z", "agent_id": "anna"})
        drawn = (await http.get("/api/graph?agent_id=anna")).json()
        assert set(drawn) == {"nodes", "edges", "folded", "schemas"}
        assert drawn["nodes"][0]["created_at"] == 1_767_225_600_000 - 86_400_000
        assert (await http.get("/api/graph")).json()["nodes"] == []
        for limit in (0, 10_001):
            assert (await http.get(f"/api/graph?limit={limit}")).status_code == 400


def test_a_label_is_one_line_of_bounded_length() -> None:
    assert label("  a\n\n b\tc ") == "a b c"
    assert label("word " * 1_000) == ("word " * 16)
    assert label("") == ""
