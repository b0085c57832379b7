"""Relations, versions, what is known around a topic, and beginnings, over a whole hippo."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from hippo.embed.embedder import Embedded
from hippo.embed.term_frequency import TermFrequencyEmbedder
from hippo.errors import InvalidArgument
from hippo.interfaces.service import Service
from hippo.limits import bootstrap_memories, sketches_max
from hippo.model.knowledge import EntitySketch, Surroundings
from hippo.model.knowledge_verb import AppendBlock, CheckVersion, Context, Forget, Onboard, Relate, Update
from hippo.model.verb import Inspect, Remember
from tests.interfaces.awakened import awakened

FAMILY = [
    ("Anna", "Anna prefers the window seat on trains"), ("Anna", "Anna plays the cello in an orchestra"),
    ("Ben", "Ben repairs old bicycles"), ("Clara", "Clara studies marine biology in Kiel"),
    ("Dora", "Dora bakes rye bread every Sunday"),
]


async def tell(asked: Service, rows: Sequence[tuple[str | None, str]] = FAMILY, **more: object) -> None:
    await asked.remember([Remember(text=text, entity=entity, conversation=str(at), created_at=f"2026-01-{at + 1:02}", **more)  # type: ignore[arg-type]
                          for at, (entity, text) in enumerate(rows)])


async def chained(asked: Service) -> None:
    """Anna - Ben - Clara - Dora."""
    await tell(asked)
    for source, target in (("Anna", "Ben"), ("Ben", "Clara"), ("Clara", "Dora")):
        await asked.relate(Relate(source=source, relation="knows", target=target))


def names(found: Surroundings) -> list[str]:
    return [sketch.name for sketch in found.entities]


# Relations


async def test_a_relation_is_stated_once_however_its_names_are_written(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked)
        first = await asked.relate(Relate(source="anna", relation="Sister of", target="BEN"))
        assert (first.action, first.source, first.relation, first.target) == ("related", "Anna", "sister_of", "Ben")
        again = await asked.relate(Relate(source="ANNA", relation="sister-of", target="ben"))
        assert (again.action, again.source, again.target) == ("unchanged", "Anna", "Ben")
        other_way = await asked.relate(Relate(source="Ben", relation="sister_of", target="Anna"))
        assert other_way.action == "related"
        sketch = await asked.sketch(None, "Anna", 5)
        assert sketch is not None
        assert sketch.relations == [["Anna", "sister_of", "Ben"], ["Ben", "sister_of", "Anna"]]


async def test_what_is_related_need_not_be_known_yet_and_keeps_its_first_spelling(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.relate(Relate(source="Aunt May", relation="lives_in", target="Graz"))
        assert (await asked.relate(Relate(source="aunt-may", relation="lives_in", target="graz"))).action == "unchanged"
        second = await asked.relate(Relate(source="aunt may", relation="works_at", target="Library"))
        assert second.source == "Aunt May"
        around = await asked.context(Context(topic="Aunt May"))
        assert names(around) == ["Aunt May"]
        assert around.entities[0].memories == 0
        assert len(around.entities[0].relations) == 2


async def test_a_relation_is_taken_back_and_lasts_until_then(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.relate(Relate(source="Anna", relation="knows", target="Ben"))
    async with awakened(tmp_path) as asked:
        assert (await asked.relate(Relate(source="Anna", relation="knows", target="Ben"))).action == "unchanged"
        assert (await asked.relate(Relate(source="anna", relation="knows", target="ben", remove=True))).action == "removed"
        assert (await asked.relate(Relate(source="Anna", relation="knows", target="Ben", remove=True))).action == "unchanged"
        assert await asked.sketch(None, "Anna", 5) is None
    async with awakened(tmp_path) as asked:
        assert await asked.sketch(None, "Anna", 5) is None


@pytest.mark.parametrize("wrong", [
    Relate(source="Anna", relation="is", target="anna"), Relate(source=" ", relation="is", target="Ben"),
    Relate(source="Anna", relation=" _ ", target="Ben"), Relate(source="Anna", relation="x" * 101, target="Ben"),
    Relate(source="Anna", relation="a\x1fb", target="Ben"), Relate(source="Anna", relation="is", target="B" * 201)])
async def test_what_is_no_relation_is_refused(tmp_path: Path, wrong: Relate) -> None:
    async with awakened(tmp_path) as asked:
        with pytest.raises(InvalidArgument):
            await asked.relate(wrong)


# Versions


async def test_a_version_is_the_hash_of_the_texts_and_changes_with_them(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        stored = await asked.remember_one(Remember(text="Anna plays the cello", entity="Anna"))
        assert stored.version_hash == sha256(b"Anna plays the cello\0").hexdigest()
        same = await asked.check_version(CheckVersion(entity="anna", hash=f" {stored.version_hash.upper()} "))
        assert (same.entity, same.unchanged, same.version_hash, same.memories) == ("Anna", True, stored.version_hash, 1)
        await asked.remember_one(Remember(text="Ben repairs bicycles", entity="Ben"))
        assert (await asked.check_version(CheckVersion(entity="Anna", hash=stored.version_hash))).unchanged
        updated = await asked.update(Update(id=stored.id, text="Anna plays the violin"))
        changed = await asked.check_version(CheckVersion(entity="Anna", hash=stored.version_hash))
        assert (changed.unchanged, changed.version_hash) == (False, updated.version_hash)
        unknown = await asked.check_version(CheckVersion(entity="Nobody", hash="x"))
        assert (unknown.entity, unknown.unchanged, unknown.memories) == ("Nobody", False, 0)


async def test_checking_a_version_embeds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked)

        def refuse(self: TermFrequencyEmbedder, texts: Sequence[str]) -> Embedded:
            raise AssertionError(texts)

        monkeypatch.setattr(TermFrequencyEmbedder, "embed", refuse)
        assert not (await asked.check_version(CheckVersion(entity="Anna", hash="x"))).unchanged
        monkeypatch.undo()


# Around a topic


async def test_depth_says_how_far_entities_are_followed(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await chained(asked)
        topic = "Which seat on trains does Anna like?"
        assert names(await asked.context(Context(topic=topic, depth=0))) == []
        assert names(await asked.context(Context(topic=topic, depth=1))) == ["Anna"]
        assert names(await asked.context(Context(topic=topic, depth=2))) == ["Anna", "Ben"]
        far = await asked.context(Context(topic=topic, depth=3))
        assert names(far) == ["Anna", "Ben", "Clara"]
        assert far.memories[0].text == FAMILY[0][1]
        assert [row.text for row in far.entities[1].observations] == ["Ben repairs old bicycles"]
        assert far.entities[2].relations == [["Ben", "knows", "Clara"], ["Clara", "knows", "Dora"]]


async def test_an_entity_as_topic_is_sketched_without_what_is_shown_already(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.remember([Remember(text=f"The garden shed needs plank number {at}", entity="Shed", created_at=f"2026-02-{at:02}")
                              for at in range(1, 21)])
        found = await asked.context(Context(topic="shed"))
        [shed] = found.entities
        shown = [row.id for row in (*found.memories, *shed.observations)]
        assert len(shown) == len(set(shown))
        assert shed.memories == 20
        newest = [row.created_at for row in shed.observations]
        assert newest == sorted(newest, reverse=True)
        assert len(newest) == 5
        assert shed.version_hash == (await asked.check_version(CheckVersion(entity="Shed", hash=""))).version_hash


async def test_asking_for_a_context_is_recalling(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked)
        found = await asked.context(Context(topic="bicycles", depth=1))
        assert (await asked.inspect(Inspect(id=found.memories[0].id))).access_count == 1
        unseen = await asked.sketch(None, "Dora", 5)
        assert unseen is not None
        assert (await asked.inspect(Inspect(id=unseen.observations[0].id))).access_count == 0


async def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked, FAMILY[:1])
        for number in range(sketches_max + 3):
            await asked.relate(Relate(source="Anna", relation="knows", target=f"Person {number:02}"))
        found = await asked.context(Context(topic="Anna", depth=2))
        assert len(found.entities) == sketches_max
        assert "4 more entities" in str(found.note)


async def test_a_scope_holds_for_sketches_too(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.remember([Remember(text="Anna has a meeting with the board", entity="Anna", scope="work"),
                              Remember(text="Anna feeds the neighbour's cat", entity="Anna", scope="home")])
        found = await asked.context(Context(topic="Anna", depth=3, scope=["work"]))
        rows = [*found.memories, *(row for sketch in found.entities for row in sketch.observations)]
        assert {row.scope for row in rows} == {"work"}
        assert found.entities[0].memories == 1


async def test_blocks_are_named_and_an_unknown_topic_is_said_to_be_unknown(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        assert "Nothing has been remembered" in str((await asked.context(Context(topic="anything"))).note)
        await tell(asked)
        await asked.append_block(AppendBlock(key="persona", text="kind"))
        found = await asked.context(Context(topic="quantum chromodynamics"))
        assert found.blocks == ["persona"]
        assert found.memories == [] or found.weak
        assert found.note is not None


async def test_nothing_of_another_agent_is_around_a_topic(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked, agent_id="anna")
        await asked.relate(Relate(source="Anna", relation="knows", target="Ben", agent_id="anna"))
        await asked.append_block(AppendBlock(key="persona", text="kind", agent_id="anna"))
        await tell(asked, [("Ben", "Ben sells bicycles")], agent_id="ben")
        found = await asked.context(Context(topic="Ben bicycles Anna", depth=3, agent_id="ben"))
        assert [row.text for row in found.memories] == ["Ben sells bicycles"]
        assert [(sketch.name, sketch.memories, sketch.relations) for sketch in found.entities] == [("Ben", 1, [])]
        assert found.blocks == []
        assert (await asked.check_version(CheckVersion(entity="Anna", hash="x", agent_id="ben"))).memories == 0
        assert (await asked.onboard(Onboard(agent_id="ben"))).entities == ["Ben"]
        assert await asked.entities(None) == []
        assert [row.text for row in await asked.foremost("ben", 10)] == ["Ben sells bicycles"]
        assert await asked.sketch("ben", "Anna", 5) is None


async def test_what_is_forgotten_is_in_no_sketch(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await chained(asked)
        await asked.forget(Forget(entity="Ben"))
        assert await asked.sketch(None, "Ben", 5) is None
        anna = await asked.sketch(None, "Anna", 5)
        assert isinstance(anna, EntitySketch)
        assert anna.relations == []


# Beginnings


async def test_a_young_memory_is_told_how_to_begin_and_an_older_one_what_to_add(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        empty = await asked.onboard(Onboard())
        assert (empty.phase, empty.memories, empty.entities, empty.blocks) == ("bootstrap", 0, [], [])
        assert "Nothing is remembered yet" in empty.guidance
        assert "ask the user" in empty.guidance
        await tell(asked)
        await asked.append_block(AppendBlock(key="persona", text="kind"))
        young = await asked.onboard(Onboard(source="~/notes {today}\n.md"))
        assert (young.phase, young.memories, young.entities, young.blocks) == (
            "bootstrap", 5, ["Anna", "Dora", "Clara", "Ben"], ["persona"])
        assert "read ~/notes {today} .md" in young.guidance
        await asked.remember([Remember(text=f"Fact {number} of {number * 7919}") for number in range(bootstrap_memories - 5)])
        grown = await asked.onboard(Onboard(source="profile.md"))
        assert (grown.phase, grown.memories) == ("delta", bootstrap_memories)
        assert "profile.md" in grown.guidance
        assert "only what is new" in grown.guidance
        assert (await asked.onboard(Onboard(agent_id="somebody new"))).phase == "bootstrap"
        with pytest.raises(InvalidArgument):
            await asked.onboard(Onboard(source="x" * 1_001))


async def test_the_foremost_memories_are_current_and_salient_ones_and_are_not_strengthened(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await tell(asked)
        first = await asked.remember_one(Remember(text="The doctor said: no penicillin", salience=1.0, created_at="2026-01-01"))
        changed = await asked.remember_one(Remember(text="The bus stops at the mill"))
        await asked.update(Update(id=changed.id, text="The bus stops at the church"))
        found = await asked.foremost(None, 50)
        assert found[0].id in (first.id, changed.id)
        assert "The bus stops at the mill" not in [row.text for row in found]
        assert len(await asked.foremost(None, 3)) == 3
        assert (await asked.inspect(Inspect(id=first.id))).access_count == 0
