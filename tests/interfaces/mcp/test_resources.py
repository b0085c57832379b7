"""The resources and the completion of names, as the official Python client sees them."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import mcp
import mcp_types as types

from hippo.interfaces.exports import complete
from hippo.interfaces.service import Service
from hippo.limits import few_memories, result_characters_default
from hippo.model.knowledge_verb import AppendBlock, LogMessages, Message, Relate
from hippo.model.verb import Inspect, Remember, Sleep
from tests.interfaces.mcp.speaking import ERAS, UNFINISHED, refused, spoken

pytestmark = UNFINISHED


async def read(client: mcp.Client, uri: str) -> types.TextResourceContents:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    assert content.uri == uri
    return content


async def completed(client: mcp.Client, ref: Any, name: str, value: str) -> list[str]:
    return (await client.complete(ref, {"name": name, "value": value})).completion.values


async def tell(service: Service, *texts: str, entity: str | None = None, **more: Any) -> list[str]:
    rows = await service.remember([Remember(text=text, entity=entity, **more) for text in texts])
    return [row.id for row in rows]  # type: ignore[union-attr]


@ERAS
async def test_resources_and_templates_are_listed_and_are_the_same_for_everyone(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await tell(service, "Anna likes tea", entity="Anna")
        listed = (await client.list_resources()).resources
        assert [row.uri for row in listed] == ["hippocampus://context", "hippocampus://report/latest"]
        templates = (await client.list_resource_templates()).resource_templates
        assert [row.uri_template for row in templates] == [
            "hippocampus://entity/{name}", "hippocampus://block/{key}", "hippocampus://export/{format}"]
        assert all(row.title and row.description and row.mime_type for row in listed)
        assert all(row.title and row.description for row in templates)


@ERAS
async def test_every_listed_resource_can_be_read_from_an_empty_store(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, _):
        for row in (await client.list_resources()).resources:
            content = await read(client, row.uri)
            assert content.text
            assert content.mime_type == row.mime_type


@ERAS
async def test_the_context_has_guidance_until_there_are_a_few_memories(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        assert "(0 memories)" in (await read(client, "hippocampus://context")).text
        await tell(service, *(f"Fact {number} of {number * 7919}" for number in range(few_memories - 1)))
        young = (await read(client, "hippocampus://context")).text
        assert "call remember" in young
        assert "Fact 1 of 7919" in young
        await tell(service, "One more thing")
        assert "call remember" not in (await read(client, "hippocampus://context")).text


@ERAS
async def test_the_context_groups_by_entity_names_blocks_and_strengthens_nothing(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        [tea, cello] = await tell(service, "Anna likes tea", "Anna plays the cello", entity="Anna")
        await tell(service, "The bins are emptied on Monday")
        await service.append_block(AppendBlock(key="persona", text="kind"))
        text = (await read(client, "hippocampus://context")).text
        anna, other = text.split("## Anna")[1].split("\n## Without an entity")
        assert tea in anna
        assert cello in anna
        assert "The bins" in other
        assert "persona" in text
        assert (await service.inspect(Inspect(id=tea))).access_count == 0


@ERAS
async def test_the_context_has_at_most_so_many_memories_and_says_how_many_there_are(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era, context_max_observations=3) as (client, service):
        await tell(service, *(f"Fact {number} of {number * 7919}" for number in range(7)))
        await tell(service, "Allergic to penicillin", salience=1.0)
        text = (await read(client, "hippocampus://context")).text
        assert text.count("\n- ") == 3
        assert "Allergic to penicillin" in text
        assert "Of 8 memories, the 3 that matter most" in text


@ERAS
async def test_a_long_context_is_cut_at_a_memory_s_edge(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await tell(service, *(f"Fact {number} " + f"{number * 7919} " * 400 for number in range(1, 12)))
        text = (await read(client, "hippocampus://context")).text
        assert len(text) <= result_characters_default
        assert 1 <= text.count("\n- ") < 11
        assert f"{11 - text.count(chr(10) + '- ')} more are left out here" in text
    async with spoken(tmp_path / "one", era) as (client, service):
        await tell(service, "word " * 8_000)
        text = (await read(client, "hippocampus://context")).text
        assert len(text) <= result_characters_default
        assert "inspect(id=" in text


@ERAS
async def test_an_entity_is_read_by_any_spelling_encoded_or_not(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await service.remember([
            Remember(text="Mill Street is closed", entity="Mill Street", entity_type="place", created_at="2026-01-01"),
            Remember(text="Mill Street is open again", entity="Mill Street", created_at="2026-01-09")])
        await service.relate(Relate(source="Anna", relation="lives_in", target="Mill Street"))
        for uri in ("hippocampus://entity/Mill%20Street", "hippocampus://entity/mill-street"):
            text = (await read(client, uri)).text
            assert text.startswith("# Mill Street\n\nplace, 2 memories, version_hash ")
            assert "Relations: Anna lives_in Mill Street." in text
            assert text.index("open again") < text.index("is closed")
        await tell(service, "京都は古い都です", entity="京都/市")
        assert "古い都" in (await read(client, "hippocampus://entity/%E4%BA%AC%E9%83%BD%2F%E5%B8%82")).text


@ERAS
async def test_a_block_is_read_as_it_is(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await service.append_block(AppendBlock(key="my persona", text="# Kind\n  and *brief* 🦛"))
        content = await read(client, "hippocampus://block/my%20persona")
        assert (content.text, content.mime_type) == ("# Kind\n  and *brief* 🦛", "text/plain")


@ERAS
async def test_the_report_is_that_of_the_last_pass(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        assert (await read(client, "hippocampus://report/latest")).text == "No pass of sleep has run yet."
        await tell(service, "something to sleep on")
        await service.sleep(Sleep())
        assert "Slept: 1 memory" in (await read(client, "hippocampus://report/latest")).text


@ERAS
async def test_an_export_is_read_whole_in_every_format(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await tell(service, *(f"Anna's fact {number} of {number * 7919} " + "word " * 2_000 for number in range(4)), entity="Anna")
        await tell(service, "another agent's", agent_id="another")
        ref = types.ResourceTemplateReference(uri="hippocampus://export/{format}")
        formats = await completed(client, ref, "format", "")
        assert set(formats) == {"claude-md", "markdown", "json", "wire", "obsidian"}
        for format in formats:
            [content] = (await client.read_resource(f"hippocampus://export/{format}")).contents
            if isinstance(content, types.BlobResourceContents):
                with ZipFile(BytesIO(b64decode(content.blob))) as vault:
                    assert vault.testzip() is None
                    text = "".join(vault.read(name).decode() for name in vault.namelist())
            else:
                text = content.text
            assert "fact 3 of 23757" in text
            assert "another agent" not in text
        assert len(complete.decode((await read(client, "hippocampus://export/json")).text.encode()).agents["default"].memories) == 4
        assert "claude-md" in await refused(client.read_resource("hippocampus://export/pdf"))


@ERAS
async def test_a_uri_that_means_nothing_is_a_protocol_error_that_says_what_there_is(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        for uri in ("hippocampus://dreams", "hippocampus://report/first", "hippocampus://entity/", "hippocampus://block",
                    "file:///etc/passwd", "hippocampus://context/more"):
            said = await refused(client.read_resource(uri))
            assert uri in said
            assert "hippocampus://context, hippocampus://report/latest, hippocampus://entity/{name}" in said
        assert "Nothing is known of any yet" in await refused(client.read_resource("hippocampus://entity/Ben"))
        await tell(service, "Anna likes tea", entity="Anna")
        await service.append_block(AppendBlock(key="persona", text="kind"))
        assert "Known are Anna." in await refused(client.read_resource("hippocampus://entity/Ben"))
        assert "There are: persona." in await refused(client.read_resource("hippocampus://block/aims"))
        assert "one page" in await refused(client.list_resources(cursor="2"))


@ERAS
async def test_names_are_completed_while_they_are_typed(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        for name in ("Anna", "Hannah", "Ángel", "Ben"):
            await tell(service, f"{name} is known here", entity=name)
        await tell(service, "Anna is known well", entity="Anna")
        await service.append_block(AppendBlock(key="persona", text="kind"))
        entity = types.ResourceTemplateReference(uri="hippocampus://entity/{name}")
        block = types.ResourceTemplateReference(uri="hippocampus://block/{key}")
        assert await completed(client, entity, "name", "") == ["Anna", "Ben", "Hannah", "Ángel"]
        assert await completed(client, entity, "name", "AN") == ["Anna", "Ángel", "Hannah"]
        assert await completed(client, entity, "name", "zz") == []
        assert await completed(client, block, "key", "per") == ["persona"]
        assert await completed(client, block, "other", "per") == []
        said = await refused(client.complete(types.ResourceTemplateReference(uri="other://{x}"), {"name": "x", "value": ""}))
        assert "hippocampus://entity/{name}" in said


@ERAS
async def test_a_completion_has_at_most_a_hundred_values_and_says_how_many_there_are(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await service.remember([Remember(text=f"Person {number} is one of {number * 7919}", entity=f"Person {number}")
                                for number in range(120)])
        found = (await client.complete(types.ResourceTemplateReference(uri="hippocampus://entity/{name}"),
                                       {"name": "name", "value": "per"})).completion
        assert (len(found.values), found.total, found.has_more) == (100, 120, True)


@ERAS
async def test_nothing_of_another_agent_is_in_any_resource(era: str, tmp_path: Path) -> None:
    async with spoken(tmp_path, era) as (client, service):
        await tell(service, "Anna likes tea", entity="Anna", agent_id="anna")
        await service.append_block(AppendBlock(key="persona", text="kind", agent_id="anna"))
        await service.log_messages(LogMessages(messages=[Message(role="user", text="Anna likes tea")]))
        text = (await read(client, "hippocampus://context")).text
        assert "tea" not in text
        assert "persona" not in text
        assert "Anna" not in (await refused(client.read_resource("hippocampus://entity/Anna"))).replace("entity Anna", "")
        assert "persona" not in (await refused(client.read_resource("hippocampus://block/persona"))).replace("block persona", "")
        for uri, name in (("hippocampus://entity/{name}", "name"), ("hippocampus://block/{key}", "key")):
            assert await completed(client, types.ResourceTemplateReference(uri=uri), name, "") == []
