"""Carrying: an agent's knowledge leaves whole, and comes in, from hippo or from other programs.

1. An export is of one agent, and of one moment for each memory: what is written while it is made may or may not be in.
2. An export of hippo is loaded with all that is known of each memory (`loading.py`). Of other programs each row is
   remembered, logged or related, as a client would.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trio
from msgspec.structs import replace

from hippo.errors import HippoError, InvalidArgument
from hippo.interfaces.blocks import BLOCK, Blocks
from hippo.interfaces.conversation import Conversations
from hippo.interfaces.knowledge import Knowledge
from hippo.interfaces.loading import Loading
from hippo.interfaces.remembering import Remembering
from hippo.mind.entities import RELATION, relations
from hippo.model.dump import AgentDump, Dump, MessageDump
from hippo.model.knowledge import Exported
from hippo.model.knowledge_verb import Export, LogMessages, Message, Relate
from hippo.model.memory import log_of
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask

if TYPE_CHECKING:
    from hippo.interfaces.imports.results import ImportResult, Outcome
    from hippo.interfaces.imports.rows import BlockRow, MessageRow, RelationRow


class Carrying(Remembering, Conversations, Blocks, Knowledge, Loading):
    """The verbs that take knowledge out and in."""

    # Out

    async def export(self, verb: Export) -> Exported:
        """An agent's knowledge as text, as much of it as fits; the route has all of it."""
        from hippo.interfaces.exports import FORMATS  # here, as below: a start needs none of it

        agent = self.drafting.agent(verb.agent_id)
        dump = await self.dump(agent)
        memories = len(dump.agents[agent].memories)
        route = f"/api/export?format={verb.format}"
        if verb.format == "obsidian":
            return Exported(format=verb.format, memories=memories, characters=0, text="", route=route,
                            uri=f"hippocampus://export/{verb.format}", alert=self.budget.alert,
                            note=f"A vault is a zip file: GET {route}, or `hippo export --format obsidian`.")
        text = (await self.sensing.aside(lambda: b"".join(FORMATS[verb.format].write(dump, agent)))).decode()
        fits = len(text) <= verb.max_chars
        return Exported(
            format=verb.format, memories=memories, characters=len(text), text=text[:verb.max_chars],
            uri=f"hippocampus://export/{verb.format}", route=route, alert=self.budget.alert,
            note=None if fits else f"These are the first {verb.max_chars:,} of {len(text):,} characters. The whole is "
                                   f"at the resource hippocampus://export/{verb.format}, and at GET {route}.")

    async def export_file(self, format: str, agent_id: str | None) -> tuple[str, str, AsyncIterator[bytes]]:
        """The whole of an export: the name of its file, its media type, and its bytes in pieces."""
        from hippo.interfaces.exports import FORMATS

        agent = self.drafting.agent(agent_id)
        if format not in FORMATS:
            raise InvalidArgument(what=f"The format is one of {', '.join(FORMATS)}, not {format}.")
        chosen = FORMATS[format]
        dump = await self.dump(agent)

        async def pieces() -> AsyncIterator[bytes]:
            made = chosen.write(dump, agent)
            while (piece := await self.sensing.aside(next, made, None)) is not None:
                yield piece

        return f"hippo-{format}{chosen.suffix}", chosen.media_type, pieces()

    async def dump(self, agent: str) -> Dump:
        """All that an agent knows."""
        weight = await self.writer.ask(ask.Weigh())
        memories = [memory async for memory in self.dumped(agent)]
        bonds = await self.graph_actor.ask(carrying.Bonds(agent))
        blocks = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
        noted = await self.graph_actor.ask(knowing.Notes(agent, RELATION))
        messages = [MessageDump(
            role=one.kind, text=one.text, conversation=one.conversation, id=one.id, created_at=one.created_at,
            key=one.key, part_of=one.scope or None) async for one in self.dumped(log_of(agent))]
        return Dump(seed=self.seed, next_ordinal=weight.next_ordinal, agents={agent: AgentDump(
            memories=memories, messages=messages, blocks=blocks, relations=relations(noted),
            associations=[(self.id(one), self.id(other), share, moment) for one, other, share, moment in bonds])})

    # In

    async def import_path(self, path: Path, format: str | None, dry_run: bool, agent_id: str | None,
                          progress: Callable[[int], None] | None = None) -> ImportResult:
        """Takes over what a file or folder holds.

        Args:
            format: of the table of imports; left out: found by looking. progress: called with how many more rows are
                done.

        Raises:
            HippoError: the file cannot be read, or is of no known format.
        """
        from hippo.interfaces.imports.detect import OWN, UNDERSTOOD, detect, read
        from hippo.interfaces.imports.running import run_import

        if format is not None and format not in UNDERSTOOD:
            raise InvalidArgument(what=f"The format is one of {', '.join(UNDERSTOOD)}, not {format}.")
        chosen = format or await trio.to_thread.run_sync(detect, path)
        if chosen == OWN:
            named = None if agent_id is None else self.drafting.agent(agent_id)
            return await self.load(await self.sensing.aside(_decoded, path), named, dry_run=dry_run, progress=progress)
        return await run_import(read(path, chosen), _Rows(self, self.drafting.agent(agent_id)), dry_run=dry_run,
                                progress=progress)


def _decoded(path: Path) -> Dump:
    from hippo.interfaces.exports import complete

    with path.open("rb") as source:
        return complete.decode(source)


class _Rows:
    """Where rows of other programs go: to the verbs, as one agent's."""

    def __init__(self, service: Carrying, agent: str) -> None:
        self._service, self._agent = service, agent

    async def remember(self, memories: list[Remember]) -> Sequence[Stored | HippoError]:
        """Stores memories."""
        return await self._service.remember([replace(one, agent_id=self._agent) for one in memories])

    async def log(self, messages: list[MessageRow]) -> Sequence[Outcome | HippoError]:
        """Logs messages, one conversation's at a time."""
        outcomes: list[Outcome | HippoError] = []
        for message in messages:
            try:
                logged = await self._service.log_messages(LogMessages(agent_id=self._agent, messages=[Message(
                    role=message.role, text=message.text, conversation=message.conversation,
                    created_at=message.created_at)]))
            except HippoError as refused:
                outcomes.append(refused)
            else:
                outcomes.append("stored" if logged.logged else "skipped")
        return outcomes

    async def relate(self, relation: RelationRow) -> Outcome:
        """Relates two entities."""
        done = await self._service.relate(Relate(
            source=relation.source, relation=relation.relation, target=relation.target, agent_id=self._agent))
        return "stored" if done.action == "related" else "skipped"

    async def set_block(self, block: BlockRow) -> Outcome:
        """Gives a block its text."""
        return "stored" if await self._service.set_block(block.key, block.text, self._agent) else "skipped"
