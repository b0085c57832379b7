"""Blocks: texts of an agent that always stand, such as a persona or objectives, each under a name.

1. A block is a small fact of the agent: durable like a memory, and it never fades.
2. Changes are made one after the other: of two at once, the second changes what the first has left.
3. What is deleted is gone from the disk before the answer comes.
"""

from __future__ import annotations

from hippo import limits
from hippo.errors import BlockNotFound, BlockTooLong, EmptyText, InvalidArgument, TooManyBlocks
from hippo.interfaces.desk import Desk, within_deadline
from hippo.model.change import Noted
from hippo.model.knowledge import Block
from hippo.model.knowledge import Blocks as Listed
from hippo.model.knowledge_verb import AppendBlock, DeleteBlock, RecallBlock, ReplaceBlock
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.text.surrogates import whole

BLOCK = "block"  # the topic of blocks among an agent's small facts

_NONE = "There are no blocks yet: append_memory_block makes one."


class Blocks(Desk):
    """The verbs of blocks."""

    @within_deadline
    async def recall_block(self, verb: RecallBlock) -> Listed:
        """The block of a name, or all of them by their names.

        Raises:
            BlockNotFound: there is no such block; it lists those that are there.
        """
        agent = self.drafting.agent(verb.agent_id)
        known = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
        if verb.key is None or not verb.key.strip():
            return Listed(blocks=[_block(key, text) for key, text in known.items()], note=None if known else _NONE,
                          alert=self.budget.alert)
        key = self._key(verb.key)
        return Listed(blocks=[_block(key, _text(known, key, agent))], alert=self.budget.alert)

    @within_deadline
    async def append_block(self, verb: AppendBlock) -> Block:
        """Adds a line to a block, which is made if there is none.

        Raises:
            EmptyText: there is nothing to add. BlockTooLong, TooManyBlocks: there is no room for it.
        """
        agent, key, added = self.drafting.agent(verb.agent_id), self._key(verb.key), whole(verb.text)
        if not added.strip():
            raise EmptyText
        async with self.changing_blocks:
            known = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
            if key not in known and len(known) >= limits.blocks_max:
                raise TooManyBlocks(count=len(known), limit=limits.blocks_max)
            text = f"{known[key]}\n{added}" if known.get(key) else added
            return await self._write(agent, key, text, "appended" if key in known else "made")

    @within_deadline
    async def replace_block(self, verb: ReplaceBlock) -> Block:
        """Replaces a text in a block wherever it stands.

        Raises:
            BlockNotFound: there is no such block. InvalidArgument: it does not hold that text. BlockTooLong: there is
                no room for the new one.
        """
        agent, key, old = self.drafting.agent(verb.agent_id), self._key(verb.key), whole(verb.old)
        if not old:
            raise InvalidArgument(what="old is empty: it says which text is replaced.")
        async with self.changing_blocks:
            text = _text(await self.graph_actor.ask(knowing.Notes(agent, BLOCK)), key, agent)
            if old not in text:
                raise InvalidArgument(what=f"The block {key} does not hold that text, character by character. "
                                           "recall_memory_block shows what it holds.")
            return await self._write(agent, key, text.replace(old, whole(verb.new)), "replaced")

    async def set_block(self, key: str, text: str, agent_id: str | None) -> bool:
        """Gives a block its whole text; False where it has it already.

        Raises:
            EmptyText, BlockTooLong, TooManyBlocks: it cannot have it.
        """
        agent, named, given = self.drafting.agent(agent_id), self._key(key), self.drafting.text(text)
        async with self.changing_blocks:
            known = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
            if known.get(named) == given:
                return False
            if named not in known and len(known) >= limits.blocks_max:
                raise TooManyBlocks(count=len(known), limit=limits.blocks_max)
            await self._write(agent, named, given, "set")
            return True

    async def delete_block(self, verb: DeleteBlock) -> Block:
        """Erases a block; it takes as long as it takes.

        Raises:
            BlockNotFound: there is no such block.
        """
        agent, key = self.drafting.agent(verb.agent_id), self._key(verb.key)
        async with self.changing_blocks:
            text = _text(await self.graph_actor.ask(knowing.Notes(agent, BLOCK)), key, agent)
            await self._note(agent, key, None)
        await self.sleeper.ask(knowing.Forget(agent, [], [text.encode()], {}))  # no memory: only what the files hold
        return _block(key, "", action="deleted", alert=self.budget.alert)

    async def _write(self, agent: str, key: str, text: str, action: str) -> Block:
        if len(text) > limits.block_characters_max:
            raise BlockTooLong(key=key, length=len(text), limit=limits.block_characters_max)
        await self._note(agent, key, text)
        return _block(key, text, action=action, alert=self.budget.alert)

    async def _note(self, agent: str, key: str, text: str | None) -> None:
        await self.writer.ask(ask.Record([Noted(agent, BLOCK, key, text)]))

    def _key(self, given: str) -> str:
        return self.drafting.named(given, "key", limits.block_key_characters_max)


def _text(known: dict[str, str], key: str, agent: str) -> str:
    if key not in known:
        names = ", ".join(known)
        raise BlockNotFound(key=key, agent_id=agent, known=f"There are: {names}." if known else _NONE)
    return known[key]


def _block(key: str, text: str, *, action: str | None = None, alert: str | None = None) -> Block:
    return Block(key=key, text=text, characters=len(text), limit=limits.block_characters_max, action=action,
                 alert=alert)
