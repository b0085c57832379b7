"""The prompts, as the official Python client sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mcp
import mcp_types as types

from hippo.limits import bootstrap_memories
from hippo.model.verb import Remember
from tests.interfaces.mcp.speaking import ERAS, UNFINISHED, refused, spoken

pytestmark = UNFINISHED


async def said(client: mcp.Client, name: str, **arguments: str) -> str:
    [message] = (await client.get_prompt(name, arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, types.TextContent)
    return message.content.text


@ERAS
async def test_both_prompts_are_listed_with_their_arguments(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, _):
        rows = (await client.list_prompts()).prompts
        assert [(row.name, [(one.name, one.required) for one in row.arguments or ()]) for row in rows] == [
            ("onboard", [("source", False)]), ("recall_first", [("topic", True)])]
        assert all(row.title and row.description for row in rows)


@ERAS
async def test_onboard_bootstraps_a_young_memory_and_asks_an_older_one_for_what_is_new(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        young = await said(client, "onboard", source="CLAUDE.md")
        assert "Nothing is remembered yet" in young
        assert "read CLAUDE.md" in young
        await service.remember([Remember(text=f"Fact {number} of {number * 7919}", entity="Anna")
                                for number in range(bootstrap_memories)])
        older = await said(client, "onboard")
        assert "Add only what is new" in older
        assert "Anna" in older


@ERAS
async def test_recall_first_has_the_model_look_before_it_answers(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, _):
        text = await said(client, "recall_first", topic="Anna's\n {seat} on trains")
        assert text.startswith("This is about: Anna's {seat} on trains\n")
        assert "call recall" in text


@ERAS
async def test_what_a_prompt_cannot_do_is_a_protocol_error_that_says_what_it_takes(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, _):
        assert "There are onboard, recall_first." in await refused(client.get_prompt("dream", {}))
        arguments: dict[str, dict[str, Any]] = {
            "takes a topic": {}, "takes: topic": {"topic": "x", "source": "y"}, "at most": {"topic": "x" * 1_001}}
        for words, given in arguments.items():
            assert words in await refused(client.get_prompt("recall_first", given))
        assert "source has at most" in await refused(client.get_prompt("onboard", {"source": "x" * 1_001}))
        assert "one page" in await refused(client.list_prompts(cursor="2"))


@ERAS
async def test_a_topic_is_completed_with_the_names_of_entities(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await service.remember_one(Remember(text="Anna likes tea", entity="Anna"))
        await service.remember_one(Remember(text="Annegret likes tea", entity="Annegret", agent_id="another"))
        ref = types.PromptReference(name="recall_first")
        assert (await client.complete(ref, {"name": "topic", "value": "an"})).completion.values == ["Anna"]
        source = await client.complete(types.PromptReference(name="onboard"), {"name": "source", "value": ""})
        assert source.completion.values == []
