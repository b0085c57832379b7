"""Blocks: texts that always stand, over a whole hippo."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing

from hippo.errors import EmptyText, InvalidArgument
from hippo.interfaces.blocks import BlockNotFound, BlockTooLong, TooManyBlocks
from hippo.interfaces.service import Service
from hippo.limits import block_characters_max, blocks_max
from hippo.model.knowledge_verb import AppendBlock, DeleteBlock, Forget, RecallBlock, ReplaceBlock
from hippo.model.verb import MemoryStats, Remember, Sleep
from hippo.runtime.messages import Event
from tests.interfaces.awakened import awakened, holds


async def told(events: trio.MemoryReceiveChannel[Event]) -> list[Event]:
    """The events so far."""
    await trio.testing.wait_all_tasks_blocked()
    found = []
    while True:
        try:
            found.append(events.receive_nowait())
        except trio.WouldBlock:
            return found


async def text_of(asked: Service, key: str, agent: str | None = None) -> str:
    return (await asked.recall_block(RecallBlock(key=key, agent_id=agent))).blocks[0].text


async def test_a_block_is_made_by_its_first_line_and_further_lines_are_appended(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        made = await asked.append_block(AppendBlock(key="persona", text="Answers in two sentences."))
        assert (made.action, made.text, made.characters, made.limit) == (
            "made", "Answers in two sentences.", 25, block_characters_max)
        added = await asked.append_block(AppendBlock(key="persona", text="Never says sorry. 🦛"))
        assert (added.action, added.text) == ("appended", "Answers in two sentences.\nNever says sorry. 🦛")
        assert added.characters == len(added.text)


async def test_all_blocks_are_listed_by_their_names(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        empty = await asked.recall_block(RecallBlock())
        assert empty.blocks == []
        assert empty.note is not None
        for key in ("persona", "objectives"):
            await asked.append_block(AppendBlock(key=key, text=f"of {key}"))
        assert [(row.key, row.text) for row in (await asked.recall_block(RecallBlock())).blocks] == [
            ("objectives", "of objectives"), ("persona", "of persona")]


async def test_a_block_that_is_not_there_is_an_error_that_lists_those_that_are(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        with pytest.raises(BlockNotFound) as missing:
            await asked.recall_block(RecallBlock(key="persona"))
        assert "no blocks yet" in missing.value.advice
        for key in ("humour", "objectives"):
            await asked.append_block(AppendBlock(key=key, text="x"))
        for refused in (asked.recall_block(RecallBlock(key="persona")), asked.delete_block(DeleteBlock(key="persona")),
                        asked.replace_block(ReplaceBlock(key="persona", old="x", new="y"))):
            with pytest.raises(BlockNotFound) as missing:
                await refused
            assert "There are: humour, objectives." in missing.value.advice


async def test_a_text_is_replaced_wherever_it_stands_and_taken_out_by_nothing(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.append_block(AppendBlock(key="aims", text="tea at 7, tea at 9, no *coffee*"))
        assert (await asked.replace_block(ReplaceBlock(key="aims", old="tea", new="water"))).text == (
            "water at 7, water at 9, no *coffee*")
        done = await asked.replace_block(ReplaceBlock(key="aims", old=", no *coffee*", new=""))
        assert (done.action, done.text) == ("replaced", "water at 7, water at 9")
        for absent in ("Water", "coffee", ""):
            with pytest.raises(InvalidArgument):
                await asked.replace_block(ReplaceBlock(key="aims", old=absent, new="x"))
        assert await text_of(asked, "aims") == "water at 7, water at 9"
        assert (await asked.replace_block(ReplaceBlock(key="aims", old=done.text, new=""))).characters == 0
        assert (await asked.append_block(AppendBlock(key="aims", text="anew"))).text == "anew"


async def test_over_the_limit_a_change_is_refused_and_says_both_numbers(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.append_block(AppendBlock(key="long", text="x" * block_characters_max))
        for refused in (asked.append_block(AppendBlock(key="long", text="yy")),
                        asked.replace_block(ReplaceBlock(key="long", old="x", new="yy"))):
            with pytest.raises(BlockTooLong, match=rf"would have \d+ characters.* at most {block_characters_max}"):
                await refused
        assert await text_of(asked, "long") == "x" * block_characters_max
        for number in range(blocks_max - 1):
            await asked.append_block(AppendBlock(key=f"block {number}", text="x"))
        with pytest.raises(TooManyBlocks, match=rf"{blocks_max} blocks already.* at most {blocks_max}"):
            await asked.append_block(AppendBlock(key="one more", text="x"))
        assert (await asked.append_block(AppendBlock(key="block 0", text="y"))).text == "x\ny"
        with pytest.raises(EmptyText):
            await asked.append_block(AppendBlock(key="block 0", text=" \n"))
        for key in (" ", "k" * 201, "a\x1fb"):
            with pytest.raises(InvalidArgument):
                await asked.append_block(AppendBlock(key=key, text="x"))


async def test_of_many_appends_at_once_every_one_survives(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        async with trio.open_nursery() as nursery:
            for number in range(40):
                nursery.start_soon(asked.append_block, AppendBlock(key="list", text=f"line {number}"))
        assert sorted((await text_of(asked, "list")).split("\n")) == sorted(f"line {n}" for n in range(40))


async def test_blocks_last_over_a_restart_and_over_a_night(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.append_block(AppendBlock(key="persona", text="kind"))
    async with awakened(tmp_path) as asked:
        await asked.append_block(AppendBlock(key="persona", text="brief"))
        await asked.sleep(Sleep())
    async with awakened(tmp_path) as asked:
        assert await text_of(asked, "persona") == "kind\nbrief"
        assert (await asked.stats(MemoryStats())).memories == 0


async def test_what_is_deleted_is_gone_from_the_disk(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.remember_one(Remember(text="Something else is remembered meanwhile."))
        await asked.append_block(AppendBlock(key="persona", text="The alarm code is qvx-4471."))
        await asked.append_block(AppendBlock(key="other", text="stays"))
        assert holds(tmp_path, "qvx-4471")
        async with asked.subscribe(None, None) as events:
            gone = await asked.delete_block(DeleteBlock(key="persona"))
            assert (gone.action, gone.text) == ("deleted", "")
            assert not [event for event in await told(events) if event.name == "forgotten"]  # no memory was
        assert holds(tmp_path, "qvx-4471") == []
        assert [row.key for row in (await asked.recall_block(RecallBlock())).blocks] == ["other"]
    async with awakened(tmp_path) as asked:
        assert [row.key for row in (await asked.recall_block(RecallBlock())).blocks] == ["other"]
        assert (await asked.stats(MemoryStats(verify=True))).unrecoverable == 0


async def test_no_agent_sees_or_changes_the_blocks_of_another(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.append_block(AppendBlock(key="persona", text="of Anna", agent_id="anna"))
        await asked.append_block(AppendBlock(key="persona", text="of Ben", agent_id="ben"))
        assert (await asked.recall_block(RecallBlock())).blocks == []
        with pytest.raises(BlockNotFound) as missing:
            await asked.replace_block(ReplaceBlock(key="persona", old="of Anna", new="x"))
        assert "Anna" not in missing.value.message + missing.value.advice
        await asked.delete_block(DeleteBlock(key="persona", agent_id="ben"))
        assert await text_of(asked, "persona", "anna") == "of Anna"


async def test_a_block_that_quotes_what_is_forgotten_is_named_and_left(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        memory = await asked.remember_one(Remember(text="Anna's birthday is May 3"))
        await asked.append_block(AppendBlock(key="dates", text="Note: Anna's birthday is May 3."))
        gone = await asked.forget(Forget(id=memory.id))
        assert gone.quoted_in == ["block dates"]
        assert await text_of(asked, "dates") == "Note: Anna's birthday is May 3."
