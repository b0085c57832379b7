"""Carrying: an agent's knowledge leaves whole, and comes in, from hippo or from other programs.

1. An export is of one agent, and of one moment for each memory: what is written while it is made may or may not be in.
2. An export of hippo is loaded with all that is known of each memory (`loading.py`). Of other programs each row is
   remembered, logged or related, as a client would.
3. An import never holds recall up: what it reads is read in threads, and each of its writes waits for its turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from hippo.codec.identity import id_of, ordinal_of
from hippo.errors import HippoError, InvalidArgument
from hippo.interfaces.blocks import BLOCK, Blocks
from hippo.interfaces.conversation import Conversations
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.knowledge import Knowledge
from hippo.interfaces.loading import Loading, shortest
from hippo.interfaces.remembering import Remembering
from hippo.interfaces.turns import part
from hippo.mind.entities import RELATION, relations
from hippo.model.dump import AgentDump, Dump, MessageDump
from hippo.model.imported import ImportFormat, ImportResult, Outcome
from hippo.model.knowledge import Exported
from hippo.model.knowledge_verb import Export, Message, Relate
from hippo.model.memory import Draft, log_of
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.runtime import carrying, knowing

if TYPE_CHECKING:
    from hippo.interfaces.imports.rows import BlockRow, MessageRow, RelationRow

Bond = tuple[int, int, float, int]


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
        next_ordinal = await self.next_ordinal()
        memories = [memory async for memory in self.dumped(agent)]
        bonds = await self.graph_actor.ask(carrying.Bonds(agent))
        blocks = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
        noted = await self.graph_actor.ask(knowing.Notes(agent, RELATION))
        messages = [MessageDump(
            role=one.kind, text=one.text, conversation=one.conversation, id=one.id, created_at=one.created_at,
            key=one.key, part_of=one.scope or None) async for one in self.dumped(log_of(agent))]
        return Dump(seed=self.seed, next_ordinal=next_ordinal, agents={agent: AgentDump(
            memories=memories, messages=messages, blocks=blocks, relations=relations(noted),
            associations=await self.sensing.aside(_named, bonds, self.seed))})

    # In

    async def import_path(self, path: Path, format: str | None, dry_run: bool, agent_id: str | None,
                          progress: Callable[[int], None] | None = None) -> ImportResult:
        """Takes over what a file or folder holds; a folder may come as a zip archive.

        Args:
            format: of the table of imports; left out: found by looking. progress: called with how many more rows are
                done.

        Raises:
            HippoError: the file cannot be read, or is of no known format.
        """
        from hippo.interfaces.imports.detect import OWN, UNDERSTOOD, read
        from hippo.interfaces.imports.running import run_import
        from hippo.interfaces.uploads import unfolded

        if format is not None and format not in UNDERSTOOD:
            raise InvalidArgument(what=f"The format is one of {', '.join(UNDERSTOOD)}, not {format}.")
        agent = None if agent_id is None else self.drafting.agent(agent_id)
        async with unfolded(path, format) as (source, chosen):
            if chosen == OWN:
                dump = await self.sensing.aside(_decoded, source)
                imported = await self.load(dump, agent, dry_run=dry_run, progress=progress)
            else:
                imported = await run_import(
                    read(source, chosen), _Rows(self, agent or self.drafting.agent(None)), cast(ImportFormat, chosen),
                    dry_run=dry_run, progress=progress)
        return msgspec.structs.replace(imported, alert=self.budget.alert)

    @within_deadline
    async def log_rows(self, agent: str, rows: Sequence[MessageRow]) -> list[Outcome | HippoError]:
        """Logs messages of an import, in one write; each on its own: what becomes of it is told in their order.

        One that names no moment is the same by its key, not by what it says: the same import again changes nothing.
        """
        now = self.clock.now_ms()
        drafted: list[list[Draft] | HippoError] = []
        for row in rows:
            try:
                drafts = self._drafts(agent, Message(
                    role=row.role, text=row.text, conversation=row.conversation, created_at=row.created_at), None, now,
                    Counter())
            except HippoError as refused:
                drafted.append(refused)
                continue
            drafted.append(drafts if row.created_at is not None else [
                msgspec.structs.replace(draft, key=f"{row.key}.{number}" if len(drafts) > 1 else row.key)
                for number, draft in enumerate(drafts)])
        drafts = [draft for one in drafted if not isinstance(one, HippoError) for draft in one]
        known = await self._keep(drafts) if drafts else set[str]()
        return [one if isinstance(one, HippoError) else
                "skipped" if all(draft.key in known for draft in one) else "stored" for one in drafted]


def _named(bonds: Sequence[Bond], seed: int) -> list[tuple[str, str, float, int]]:
    """Associations as a dump has them."""
    names: dict[int, str] = {}
    for one, other, _, _ in bonds:
        for ordinal in (one, other):
            if ordinal not in names:
                names[ordinal] = id_of(ordinal, seed)
    return [(names[one], names[other], shortest(share), moment) for one, other, share, moment in bonds]


def _decoded(path: Path) -> Dump:
    from hippo.interfaces.exports import complete
    from hippo.interfaces.imports.sources import open_source

    with open_source(path) as source:
        return complete.decode(source)


class _Rows:
    """Where rows of other programs go: to the verbs, as one agent's; each write in its turn."""

    def __init__(self, service: Carrying, agent: str) -> None:
        self._service, self._agent = service, agent

    async def remember(self, memories: list[Remember]) -> Sequence[Stored | HippoError]:
        """Stores memories; one whose key was known before is `known`, and its first answer is not told as a new one."""
        async with part():
            first = await self._service.next_ordinal()
            answers = await self._service.remember(
                [msgspec.structs.replace(one, agent_id=self._agent) for one in memories])
        told = set[str]()
        for at, answer in enumerate(answers):
            if isinstance(answer, Stored) and answer.action == "stored":
                if answer.id in told or ordinal_of(answer.id, self._service.seed) < first:
                    answers[at] = msgspec.structs.replace(answer, action="known")
                told.add(answer.id)
        return answers

    async def log(self, messages: list[MessageRow]) -> Sequence[Outcome | HippoError]:
        """Logs messages."""
        async with part():
            return await self._service.log_rows(self._agent, messages)

    async def relate(self, relation: RelationRow) -> Outcome:
        """Relates two entities."""
        async with part():
            done = await self._service.relate(Relate(
                source=relation.source, relation=relation.relation, target=relation.target, agent_id=self._agent))
        return "stored" if done.action == "related" else "skipped"

    async def set_block(self, block: BlockRow) -> Outcome:
        """Gives a block its text."""
        async with part():
            return "stored" if await self._service.set_block(block.key, block.text, self._agent) else "skipped"
