"""Editing: a person corrects, merges, restores and forgets what is known.

1. A correction keeps the id; what the memory said before stays in its history, but for `forget`.
2. A merge and what supersedes keep their sources, marked. Only `forget` and `purge` erase, and say what before.
3. What is forgotten is gone from the disk before the answer comes. What it had superseded comes back.
4. Logged messages that hold what is forgotten, in any of its wordings, are forgotten before it: so whoever asks again
   after a failure finds what is left.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from hippo import limits
from hippo.codec.record import text_tag
from hippo.errors import Busy, HippoError, InvalidArgument, MemoryNotFound, NothingKept
from hippo.interfaces.blocks import BLOCK
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.logbook import Logbook
from hippo.mind.entities import RELATION, relation_key
from hippo.model.change import Noted
from hippo.model.knowledge import Forgot, Merged, MergedEntities, Updated
from hippo.model.knowledge_verb import Forget, Merge, MergeEntities, Purge, Update
from hippo.model.memory import Draft, is_log, log_of
from hippo.model.restored import Restored
from hippo.model.verb import Restore
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.runtime.messages import Filters

_ATTEMPTS = 3  # when what is rewritten or forgotten changes at the same moment


class Editing(Logbook):
    """The verbs that change memories."""

    @within_deadline
    async def update(self, verb: Update) -> Updated:
        """Corrects a memory.

        Raises:
            MemoryNotFound: there is no such memory. InvalidArgument: it is not said which, or not what changes.
        """
        agent = self.drafting.agent(verb.agent_id)
        found = await self._named(agent, verb)
        for _ in range(_ATTEMPTS):
            before = await self.draft_of(agent, found)
            if before is None:
                raise MemoryNotFound(id=verb.id or verb.entity or "", agent_id=agent)
            after, note = self.drafting.revised(before, verb)
            if after.entity is not None:
                after = msgspec.structs.replace(after, entity=(await self.observations(agent, after.entity)).name)
            if after == before:
                return await self._updated(agent, found, after, "unchanged", note)
            if await self.rewrite(found, before, after):
                return await self._updated(agent, found, after, "updated", note)
        raise Busy(seconds=limits.ask_seconds)

    async def _named(self, agent: str, verb: Update) -> int:
        """The ordinal of the memory that is meant."""
        if verb.id is not None and verb.entity is None and verb.old_text is None:
            return (await self.portrait(agent, verb.id)).ordinal
        if verb.id is not None or verb.entity is None or verb.old_text is None:
            raise InvalidArgument(what="update takes either an id, or an entity with old_text.")
        return (await self._saying(agent, verb.entity, verb.old_text)).ordinal

    async def _saying(self, agent: str, entity: str, text: str) -> ask.Hit:
        """The memory of an entity that says exactly this."""
        known = await self.observations(agent, entity)
        tag = text_tag(text)
        for hit in known.hits:
            if hit.tag == tag:
                return hit
        raise InvalidArgument(what=f"{known.name} has {len(known.hits)} memories, and none of them says exactly that. "
                                   "recall finds the id.")

    async def _updated(self, agent: str, ordinal: int, draft: Draft, action: str, note: str | None) -> Updated:
        return Updated(id=self.id(ordinal), action=action, text=draft.text[:limits.preview_characters],
                       kind=draft.kind, entity=draft.entity, version_hash=await self.version_hash(agent, draft.entity),
                       note=note, alert=self.budget.alert)

    @within_deadline
    async def merge(self, verb: Merge) -> Merged:
        """One memory takes the place of several; they stay, superseded.

        Raises:
            MemoryNotFound: there is no such memory. InvalidArgument: they are of several kinds or scopes.
        """
        agent, now = self.drafting.agent(verb.agent_id), self.clock.now_ms()
        found = [await self.portrait(agent, one) for one in dict.fromkeys(verb.ids)]
        if len(found) < 2:
            raise InvalidArgument(what="merge takes at least two different memories.")
        memories = [one.memory for one in found]
        for field in ("kind", "scope"):
            if len({getattr(one, field) for one in memories}) > 1:
                raise InvalidArgument(what=f"Only memories of one {field} can be merged; these are "
                                           f"{', '.join(sorted({repr(getattr(one, field)) for one in memories}))}.")
        entities = {one.entity for one in memories}
        draft, _ = self.drafting.merged(verb.text, memories, entities.pop() if len(entities) == 1 else None, now)
        sensed, _ = await self.sensing.memories([draft])
        [kept] = await self.writer.ask(knowing.Store([
            knowing.Intake(draft, sensed[0], replaces=tuple(one.ordinal for one in found))]))
        if isinstance(kept, HippoError):
            raise kept
        replaced = [one.ordinal for one in found if one.ordinal != kept.ordinal]
        return Merged(id=self.id(kept.ordinal), replaced=[self.id(one) for one in replaced], entity=draft.entity,
                      version_hash=await self.version_hash(agent, draft.entity), alert=self.budget.alert)

    @within_deadline
    async def merge_entities(self, verb: MergeEntities) -> MergedEntities:
        """All memories of some entities are those of another from here on; so are their relations."""
        agent = self.drafting.agent(verb.agent_id)
        target = (await self.observations(agent, self.drafting.entity(verb.target))).name
        moved = 0
        for source in dict.fromkeys(verb.sources):
            known = await self.observations(agent, self.drafting.entity(source))
            if known.name == target:
                continue
            if not known.hits and not known.relations:
                raise InvalidArgument(what=f"There is no entity {source!r}.")
            for hit in known.hits:
                before = await self.draft_of(agent, hit.ordinal)
                if before is not None and await self.rewrite(
                        hit.ordinal, before, msgspec.structs.replace(before, entity=target), keep=False):
                    moved += 1
            await self._move_relations(agent, known, target)
        there = await self.observations(agent, target)
        return MergedEntities(entity=target, moved=moved, memories=len(there.hits),
                              version_hash=await self.version_hash(agent, target), alert=self.budget.alert)

    async def _move_relations(self, agent: str, known: knowing.Observations, target: str) -> None:
        changes = []
        for source, relation, other in known.relations:
            changes.append(Noted(agent, RELATION, relation_key(source, relation, other), None))
            one, two = (target if name == known.name else name for name in (source, other))
            if one != two:
                changes.append(Noted(agent, RELATION, relation_key(one, relation, two), ""))
        if changes:
            await self.writer.ask(ask.Record([*changes]))

    @within_deadline
    async def restore(self, verb: Restore) -> Restored:
        """Gives an abridged memory back what it said.

        Raises:
            MemoryNotFound: there is no such memory. NothingKept: its exact text is gone.
        """
        agent = self.drafting.agent(verb.agent_id)
        found = await self.graph_actor.ask(ask.Portray(agent, verb.id, self.clock.now_ms()))
        if found.memory.lossless:
            return Restored(id=found.memory.id, action="unchanged", alert=self.budget.alert)
        text = await self.text_of(agent, found)
        if not await self.sleeper.ask(ask.Restore(agent, found.ordinal, text)):
            raise NothingKept(id=found.memory.id)
        return Restored(id=found.memory.id, action="restored", alert=self.budget.alert)

    # Rewriting

    async def portrait(self, agent: str, id: str) -> ask.Portrait:
        """All that the graph knows of a memory. Raises MemoryNotFound."""
        return await self.graph_actor.ask(ask.Portray(agent, id, self.clock.now_ms()))

    async def draft_of(self, agent: str, ordinal: int) -> Draft | None:
        """A memory as it would be drafted now; None where it is no more.

        Raises:
            MemoryDamaged: its text cannot be read.
        """
        try:
            found = await self.portrait(agent, self.id(ordinal))
        except MemoryNotFound:
            return None
        memory, text = found.memory, await self.text_of(agent, found)
        return Draft(text=text, **{name: getattr(memory, name) for name in Draft.__struct_fields__ if name != "text"})

    async def rewrite(self, ordinal: int, before: Draft, after: Draft, *, keep: bool | None = None) -> bool:
        """A memory says something else from here on; False where it changed meanwhile.

        Args:
            keep: what it said stays in its history; left out: where its text changes.
        """
        sensed, _ = await self.sensing.memories([before, after])
        done = await self.writer.ask(knowing.Rewrite(
            ordinal, text_tag(before.text), before, after, sensed[0], sensed[1],
            before.text != after.text if keep is None else keep))
        if done:
            self.recent.keep(ordinal, text_tag(after.text), after.text)
        return done

    # Forgetting

    async def forget(self, verb: Forget) -> Forgot:
        """Erases memories for good; it takes as long as it takes.

        Raises:
            InvalidArgument: it is not said which ones. MemoryNotFound: there is no such memory.
        """
        agent = self.drafting.agent(verb.agent_id)
        hits, note = await self._meant(agent, verb)
        dry = verb.dry_run if verb.dry_run is not None else verb.description is not None
        if verb.description is not None and dry and hits:
            note = "Nothing was forgotten yet: ask again with dry_run false, or by id for some of them."
        return await self._forget(agent, hits, dry=dry, entity=verb.entity, note=note)

    async def purge(self, verb: Purge) -> Forgot:
        """Erases superseded memories, with all earlier wordings of memories that are left."""
        agent, now = self.drafting.agent(verb.agent_id), self.clock.now_ms()
        until = None if verb.before is None else self.drafting.instant(verb.before, now) - 1
        listed = await self.graph_actor.ask(ask.Browse(
            agent=agent, filters=Filters(until=until, include_archived=True, include_superseded=True),
            limit=limits.purge_max, before=None, now=now))
        return await self._forget(agent, [hit for hit in listed.hits if hit.superseded_by is not None],
                                  dry=verb.dry_run, entity=None, note=None)

    async def _meant(self, agent: str, verb: Forget) -> tuple[list[ask.Hit], str | None]:
        ways = [verb.id is not None, verb.entity is not None, verb.description is not None]
        if sum(ways) != 1 or (verb.text is not None and verb.entity is None):
            raise InvalidArgument(what="forget takes exactly one of: an id; an entity, with or without an exact text; "
                                       "a description.")
        if verb.id is not None:
            return [await self._hit(agent, verb.id)], None
        if verb.entity is not None and verb.text is not None:
            return [await self._saying(agent, verb.entity, verb.text)], None
        if verb.entity is not None:
            listed = await self.graph_actor.ask(ask.Browse(
                agent=agent, filters=Filters(entity=verb.entity, include_archived=True, include_superseded=True),
                limit=limits.purge_max, before=None, now=self.clock.now_ms()))
            if not listed.hits:
                raise InvalidArgument(what=f"There is no entity {verb.entity!r}. recall finds what is known.")
            return [hit for hit in listed.hits if not hit.revision], None
        assert verb.description is not None
        cue, trouble = await self.sensing.cue(self.drafting.text(verb.description))
        if trouble is not None:
            raise trouble
        near = await self.graph_actor.ask(knowing.Resembling(agent, cue, limits.forget_similarity,
                                                             limits.forget_shown_max))
        return near, None if near else "Nothing is that similar to the description."

    async def _hit(self, agent: str, id: str) -> ask.Hit:
        found = await self.portrait(agent, id)
        for hit in await self.graph_actor.ask(knowing.Hits(agent, [found.ordinal])):
            return hit
        raise MemoryNotFound(id=id, agent_id=agent)

    async def _forget(self, agent: str, hits: Sequence[ask.Hit], *, dry: bool, entity: str | None,
                      note: str | None) -> Forgot:
        shown = await self.previews(agent, hits)
        messages = await self.messages_quoting(agent, await self._wordings(agent, hits))
        quoted = await self._quoting(agent, hits) + _messages_named(messages)
        restored: list[str] = []
        if hits and not dry:
            gone = {hit.id for hit in hits}
            restored = [hit.id for hit in await self.graph_actor.ask(knowing.SupersededBy(
                agent, [hit.ordinal for hit in hits])) if not hit.revision and hit.id not in gone]
            if messages:
                await self._erase(log_of(agent), [hit.ordinal for hit in messages])
            await self._erase(agent, [hit.ordinal for hit in hits])
        return Forgot(
            dry_run=dry, memories=shown, left_out=len(hits) - len(shown), restored=restored, quoted_in=quoted,
            entity=entity, note=note, alert=self.budget.alert,
            version_hash=None if entity is None or dry else await self.version_hash(agent, entity))

    async def _erase(self, agent: str, ordinals: list[int]) -> None:
        """Lets go of memories with all their earlier wordings. Where somebody else does so, waits until it is done."""
        for _ in range(_ATTEMPTS):
            whole = await self.graph_actor.ask(knowing.WithRevisions(agent, ordinals))
            hits = await self.graph_actor.ask(knowing.Hits(agent, whole))
            texts = await self.texts(agent, hits)
            readable = {hit.ordinal: text for hit, text in zip(hits, texts, strict=True) if isinstance(text, str)}
            tokens = {} if is_log(agent) else await self.sensing.tokens(readable)
            self.recent.discard(whole)
            if await self.sleeper.ask(knowing.Forget(
                    agent, whole, [text.encode() for text in readable.values()] if len(readable) == len(whole)
                    else None, tokens)):
                self.recent.discard(whole)
                return
        raise Busy(seconds=limits.ask_seconds)

    async def _wordings(self, agent: str, hits: Sequence[ask.Hit]) -> list[str]:
        """What some memories say and said."""
        whole = await self.graph_actor.ask(knowing.WithRevisions(agent, [hit.ordinal for hit in hits]))
        wordings = await self.graph_actor.ask(knowing.Hits(agent, whole))
        return [text for text in await self.texts(agent, wordings) if isinstance(text, str)]

    async def _quoting(self, agent: str, hits: Sequence[ask.Hit]) -> list[str]:
        """Blocks and merges that hold the text of a memory."""
        texts = [text for text in await self.texts(agent, hits) if isinstance(text, str)]
        blocks = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
        found = [f"block {key}" for key, block in blocks.items() if any(text in block for text in texts)]
        merges = sorted({hit.superseded_by for hit in hits if hit.superseded_by is not None} - {h.id for h in hits})
        return found + [f"memory {name}" for name in merges]



def _messages_named(messages: Sequence[ask.Hit]) -> list[str]:
    """Logged messages as an answer names them, many by their number."""
    shown, more = messages[:limits.forget_shown_max], len(messages[limits.forget_shown_max:])
    named = [f"message {hit.id} (forgotten as well)" for hit in shown]
    return [*named, f"{more} more messages (forgotten as well)"] if more else named
