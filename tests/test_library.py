"""The library: every verb in-process, with the names and fields that tools and routes have."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import hippo.model.knowledge_verb as knowledge
import hippo.model.verb as verbs
from hippo import Hippo
from hippo.errors import InvalidArgument, MemoryNotFound, UnknownFormat, Unwritable
from hippo.interfaces.mcp.table import SETS
from hippo.interfaces.service import Service
from tests.interfaces.playing import ANSWERS, Playing

CALLS: list[tuple[str, dict[str, Any], Any]] = [
    ("remember", {"text": "x", "tags": ["a"]}, verbs.Remember(text="x", tags=["a"])),
    ("recall", {"cue": "x", "k": 3}, verbs.Recall(cue="x", k=3)),
    ("inspect", {"id": "A", "offset": 5}, verbs.Inspect(id="A", offset=5)),
    ("restore", {"id": "A"}, verbs.Restore(id="A")),
    ("sleep", {"depth": "light"}, verbs.Sleep(depth="light")),
    ("preview", {}, verbs.Preview()),
    ("stats", {"verify": True}, verbs.MemoryStats(verify=True)),
    ("update", {"entity": "Anna", "old_text": "x", "text": "y"}, knowledge.Update(entity="Anna", old_text="x", text="y")),
    ("forget", {"description": "x", "dry_run": False}, knowledge.Forget(description="x", dry_run=False)),
    ("purge", {"before": "2026-01-01"}, knowledge.Purge(before="2026-01-01")),
    ("merge", {"ids": ("A", "B"), "text": "x"}, knowledge.Merge(ids=["A", "B"], text="x")),
    ("merge_entities", {"sources": ["a"], "target": "b"}, knowledge.MergeEntities(sources=["a"], target="b")),
    ("relate", {"source": "a", "relation": "knows", "target": "b", "remove": True},
     knowledge.Relate(source="a", relation="knows", target="b", remove=True)),
    ("check_version", {"entity": "a", "hash": "f"}, knowledge.CheckVersion(entity="a", hash="f")),
    ("consolidate", {"mode": "sleep", "age_days": 1}, knowledge.Consolidate(mode="sleep", age_days=1)),
    ("context", {"topic": "x", "depth": 2}, knowledge.Context(topic="x", depth=2)),
    ("onboard", {"source": "x"}, knowledge.Onboard(source="x")),
    ("remember_facts", {"text": "x"}, knowledge.RememberFacts(text="x")),
    ("recall_block", {}, knowledge.RecallBlock()),
    ("append_block", {"key": "k", "text": "x"}, knowledge.AppendBlock(key="k", text="x")),
    ("replace_block", {"key": "k", "old": "x", "new": "y"}, knowledge.ReplaceBlock(key="k", old="x", new="y")),
    ("delete_block", {"key": "k"}, knowledge.DeleteBlock(key="k")),
    ("log_messages", {"messages": [{"role": "user", "text": "x"}], "conversation": "c"},
     knowledge.LogMessages(messages=[knowledge.Message(role="user", text="x")], conversation="c")),
    ("recall_conversation", {"query": "x"}, knowledge.RecallConversation(query="x")),
    ("export", {"format": "wire", "agent_id": "b"}, knowledge.Export(format="wire", agent_id="b")),
]
_asked = {"remember": "remember_one"}


@pytest.mark.parametrize(("name", "fields", "verb"), CALLS)
async def test_a_verb_takes_the_fields_of_its_struct(name: str, fields: dict[str, Any], verb: Any) -> None:
    service = Playing()
    answer = await getattr(Hippo(cast(Service, service)), name)(**fields)
    asked = _asked.get(name, name)
    assert service.asked == [(asked, verb)]
    assert answer == ANSWERS[asked]


def test_the_library_has_every_verb_of_the_tools_and_every_field_of_each() -> None:
    tried = {_asked.get(name, name): type(verb) for name, _, verb in CALLS}
    assert {row.ask for row in SETS["all"]} <= set(tried)
    for name, _, verb in CALLS:
        parameters = inspect.signature(getattr(Hippo, name)).parameters
        takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        assert takes_any or set(msgspec.structs.asdict(verb)) <= set(parameters), name


@pytest.mark.parametrize(("name", "fields", "said"), [
    ("forget", {"id": "A", "dryrun": True}, "Forget: Object contains unknown field `dryrun`."),
    ("update", {"id": 7}, "Update: Expected `str | null`, got `int` - at `$.id`."),
    ("merge", {"ids": ["A"], "text": "x"}, "Merge: Expected `array` of length >= 2 - at `$.ids`."),
    ("log_messages", {"messages": [{"role": "user"}]},
     "LogMessages: Object missing required field `text` - at `$.messages[0]`."),
])
async def test_what_is_wrong_is_an_error_of_hippo_and_asks_nothing(name: str, fields: dict[str, Any], said: str) -> None:
    service = Playing()
    with pytest.raises(InvalidArgument) as refused:
        await getattr(Hippo(cast(Service, service)), name)(**fields)
    assert refused.value.message == said
    assert service.asked == []


@asynccontextmanager
async def brain_at(folder: Path) -> AsyncIterator[Hippo]:
    async with Hippo.open(folder, embedder="term-frequency", sleep_enabled=False) as brain:
        yield brain


async def test_what_is_remembered_can_be_corrected_merged_and_forgotten(tmp_path: Path) -> None:
    async with brain_at(tmp_path) as brain:
        one = await brain.remember("Anna prefers the window seat on trains.", entity="Anna", kind="preference")
        other = await brain.remember("On trains Anna sits by the window.", entity="Anna", kind="preference")
        updated = await brain.update(id=one.id, text="Anna prefers the aisle seat on trains.")
        assert (updated.id, updated.action) == (one.id, "updated")
        merged = await brain.merge([one.id, other.id], "Anna changed from window to aisle seats on trains.")
        assert merged.replaced == [one.id, other.id]
        assert [row.id for row in (await brain.recall("Where does Anna sit on trains?")).results] == [merged.id]
        forgot = await brain.forget(id=merged.id)
        assert sorted(forgot.restored) == sorted([one.id, other.id])
        with pytest.raises(MemoryNotFound):
            await brain.inspect(merged.id)


async def test_blocks_messages_and_relations_stand_beside_memories(tmp_path: Path) -> None:
    async with brain_at(tmp_path) as brain:
        await brain.append_block("persona", "Speaks plainly.")
        await brain.log_messages([{"role": "user", "text": "Book the train to Graz"}])
        await brain.relate("Anna", "sister_of", "Ben")
    async with brain_at(tmp_path) as brain:
        assert [block.text for block in (await brain.recall_block()).blocks] == ["Speaks plainly."]
        assert [row.text for row in (await brain.recall_conversation("train")).messages] == ["Book the train to Graz"]
        assert (await brain.relate("Anna", "sister_of", "Ben")).action == "unchanged"
        assert (await brain.stats()).memories == 0


async def test_what_one_store_exports_another_imports(tmp_path: Path) -> None:
    async with brain_at(tmp_path / "one") as brain:
        await brain.remember("The boat is red.", entity="Boat", agent_id="a")
        await brain.append_block("persona", "calm", agent_id="a")
        (tmp_path / "all.json").write_text("old")
        place = await brain.export_to(tmp_path / "all.json", agent_id="a")
        assert (await brain.export_to(tmp_path, "markdown", agent_id="a")).name == "hippo-markdown.md"
    assert place == tmp_path / "all.json"
    steps: list[int] = []
    async with brain_at(tmp_path / "other") as brain:
        planned = await brain.import_path(place, dry_run=True)
        assert (planned.format, planned.outcomes["planned"]) == ("hippo", 2)
        done = await brain.import_path(place, progress=steps.append)
        assert (done.outcomes["stored"], sum(steps)) == (2, 1)
        again = await brain.export_to(str(tmp_path / "again.json"), agent_id="a")
        assert again.read_bytes() == place.read_bytes()
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "Car.md").write_text("The car is blue.")
        assert (await brain.import_path(str(tmp_path / "notes"), agent_id="b")).format == "markdown"
        assert [row.entity for row in (await brain.recall("car", agent_id="b")).results] == ["Car"]
    assert json.loads(place.read_text())["format"] == "hippo"
    assert {path.name for path in tmp_path.iterdir()} == {"one", "other", "all.json", "again.json", "hippo-markdown.md", "notes"}


async def test_what_cannot_be_written_or_read_is_an_error_of_hippo_and_leaves_nothing(tmp_path: Path) -> None:
    async with brain_at(tmp_path / "store") as brain:
        with pytest.raises(Unwritable, match="none"):
            await brain.export_to(tmp_path / "none" / "all.json")
        with pytest.raises(InvalidArgument, match="The format is one of"):
            await brain.export_to(tmp_path / "all.json", "yaml")
        (tmp_path / "image.json").write_bytes(b"nothing")
        with pytest.raises(UnknownFormat):
            await brain.import_path(tmp_path / "image.json")
    assert {path.name for path in tmp_path.iterdir()} == {"store", "image.json"}
