"""Knowledge: how entities are related, whether one has changed, what is known around a topic, and how to begin.

1. Entities are called as they were first written. A relation may name some of which nothing is remembered yet.
2. What is known around a topic is a recall of it, which strengthens what it finds, and then, hop by hop, a sketch of
   the entities in it: their newest memories that are not shown already, and their relations.
3. What a list leaves out is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hippo import limits
from hippo.errors import InvalidArgument
from hippo.interfaces.blocks import BLOCK
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.recalling import Recalling
from hippo.mind.entities import RELATION, relation_key
from hippo.model.change import Noted
from hippo.model.knowledge import EntitySketch, Onboarding, Related, Surroundings, Version
from hippo.model.knowledge_verb import CheckVersion, Context, Onboard, Relate
from hippo.model.recollection import Recollection
from hippo.model.verb import Recall
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.text.entities import fold_name
from hippo.text.surrogates import whole

_NO_SOURCE = "ask the user, and look at what is already in this conversation"
_BOOTSTRAP = (
    "{known} Fill this memory now, so that later conversations need not ask again.\n"
    "1. Find what lasts about the user: {source}.\n"
    "2. Look for who they are and with whom they live and work, what they prefer and avoid, their projects, decisions "
    "and plans, places, dates that come back.\n"
    "3. Call remember once for each fact: one statement that can be understood alone, names and dates in full, entity "
    "set to whom or what it is about.\n"
    "4. Leave out what changes within hours, and secrets such as passwords.\n"
    "5. When you are done, call recall with a question of the user's to see that it is found.")
_DELTA = (
    "{known} Add only what is new.\n"
    "1. Call recall for what this conversation is about, before you answer and before you store.\n"
    "2. Compare what you find with {source}.\n"
    "3. Call remember once for each fact that is missing or has changed: one statement, names and dates in full, "
    "entity set as it is spelled below. A changed fact is stored as it is now; the old one is kept as history.\n"
    "4. Do not store again what recall returned.")
_THIS_CONVERSATION = "what the user says in this conversation"


class Knowledge(Recalling):
    """The verbs of entities and of what is known around them."""

    @within_deadline
    async def relate(self, verb: Relate) -> Related:
        """States how two entities are related, or takes it back.

        Raises:
            InvalidArgument: a name is missing, too long, or both are one entity.
        """
        agent = self.drafting.agent(verb.agent_id)
        source, target = self.drafting.entity(verb.source), self.drafting.entity(verb.target)
        relation = "_".join(self.drafting.named(verb.relation, "relation", limits.relation_characters_max).casefold()
                            .replace("-", " ").replace("_", " ").split())
        if not relation:
            raise InvalidArgument(what="relation is a word or two, such as works_at.")
        if fold_name(source) == fold_name(target):
            raise InvalidArgument(what=f"{source} and {target} are one entity: a relation is between two.")
        one, other = await self.graph_actor.ask(knowing.Observe(agent, [source, target]))
        meant = fold_name(source), relation, fold_name(target)
        known = next((row for row in one.relations if (fold_name(row[0]), row[1], fold_name(row[2])) == meant), None)
        row = known or (_called(one), relation, _called(other))
        if (known is None) == verb.remove:
            return _related("unchanged", row, self.budget.alert)
        await self.writer.ask(ask.Record([Noted(agent, RELATION, relation_key(*row), None if verb.remove else "")]))
        return _related("removed" if verb.remove else "related", row, self.budget.alert)

    @within_deadline
    async def check_version(self, verb: CheckVersion) -> Version:
        """Whether what is known of an entity is what it was; nothing is embedded, and no other memory looked at."""
        agent = self.drafting.agent(verb.agent_id)
        entity = self.drafting.entity(verb.entity)
        known, found = (await self.versioned(agent, {entity}))[entity]
        return Version(entity=known.name, unchanged=found == verb.hash.strip().lower(), version_hash=found,
                       memories=known.memories, alert=self.budget.alert)

    @within_deadline
    async def context(self, verb: Context) -> Surroundings:
        """What is known around a topic."""
        agent, topic = self.drafting.agent(verb.agent_id), self.drafting.text(verb.topic)
        # Direct matches: how far to go from there is what depth says.
        answer = await self.recall(Recall(
            cue=topic, k=limits.context_memories, scope=verb.scope, agent_id=agent, spread=False))
        shown = {memory.id for memory in answer.results}
        scopes = None if verb.scope is None else {whole(scope) for scope in verb.scope}
        sketches, left_out = await self._around(agent, topic, answer.results, verb.depth, scopes, shown)
        more = f"{left_out} more entities are related: ask for one of those shown, or with less depth."
        return Surroundings(
            topic=topic, memories=answer.results, entities=sketches, blocks=await self._blocks(agent), weak=answer.weak,
            note=" ".join(filter(None, (answer.note, more if left_out else None))) or None, alert=self.budget.alert)

    async def _around(self, agent: str, topic: str, memories: Sequence[Recollection], depth: int,
                      scopes: set[str] | None, shown: set[str]) -> tuple[list[EntitySketch], int]:
        """Sketches of the entities of some memories and of those related to them, and how many are left out."""
        names = [*([topic] if len(topic) <= limits.entity_characters_max else []),
                 *(memory.entity for memory in memories if memory.entity is not None)]
        seen: dict[str, None] = {}
        sketches: list[EntitySketch] = []
        left_out = 0
        for _ in range(depth):
            next_to = _new(names, seen)
            known = await self.graph_actor.ask(knowing.Observe(agent, next_to))
            known = [one for one in known if one.exists or one.relations]  # a topic need not be an entity
            room = limits.sketches_max - len(sketches)
            left_out += len(known[room:])
            names = []
            for one in known[:room]:
                sketch = await self._sketch(agent, one, scopes, shown, limits.sketch_observations)
                sketches.append(sketch)
                shown |= {memory.id for memory in sketch.observations}
                names += [end for source, _, target in sketch.relations for end in (source, target)]
        return sketches, left_out

    async def _sketch(self, agent: str, known: knowing.Observations, scopes: set[str] | None, shown: set[str],
                      most: int) -> EntitySketch:
        hits = [hit for hit in known.hits if hit.archived_at is None and (scopes is None or hit.scope in scopes)]
        newest = sorted((hit for hit in hits if hit.id not in shown), key=lambda hit: (-hit.created_at, -hit.ordinal))
        return EntitySketch(
            name=_called(known), type=known.type, memories=len(hits),
            version_hash=await self.version_hash(agent, known.name),
            observations=await self.recollections(agent, newest[:most]),
            relations=[list(row) for row in known.relations[:limits.sketch_relations_max]])

    @within_deadline
    async def onboard(self, verb: Onboard) -> Onboarding:
        """How to begin: what is known already, and what a model is to do about the rest."""
        agent, source = self.drafting.agent(verb.agent_id), " ".join(whole(verb.source or "").split())
        if len(source) > limits.onboard_source_characters_max:
            raise InvalidArgument(what=f"source has at most {limits.onboard_source_characters_max} characters, "
                                       f"not {len(source)}.")
        memories = await self.count(agent)
        found = await self.graph_actor.ask(knowing.Entities(agent))
        known = sorted(found, key=lambda one: (-one.memories, -one.newest, one.name))[:limits.onboard_entities]
        is_young = memories < limits.bootstrap_memories
        words = f"{memories:,} {'memory exists' if memories == 1 else 'memories exist'} so far."
        guidance = (_BOOTSTRAP if is_young else _DELTA).format(
            known=words if memories else "Nothing is remembered yet.",
            source=f"read {source}" if source and is_young else source or (
                _NO_SOURCE if is_young else _THIS_CONVERSATION))
        return Onboarding(
            phase="bootstrap" if is_young else "delta", memories=memories, entities=[one.name for one in known],
            blocks=await self._blocks(agent), guidance=guidance, alert=self.budget.alert)

    async def _blocks(self, agent: str) -> list[str]:
        blocks = await self.graph_actor.ask(knowing.Notes(agent, BLOCK))
        return list(blocks)

    # What resources and completions show

    async def count(self, agent_id: str | None) -> int:
        """How many memories an agent has."""
        return (await self.graph_actor.ask(ask.Count())).agents.get(self.drafting.agent(agent_id), 0)

    @within_deadline
    async def foremost(self, agent_id: str | None, most: int) -> list[Recollection]:
        """The current memories of an agent that matter most; nothing is strengthened."""
        agent = self.drafting.agent(agent_id)
        hits = await self.graph_actor.ask(knowing.Foremost(agent, most, self.clock.now_ms()))
        return await self.recollections(agent, hits, keep=False)

    @within_deadline
    async def sketch(self, agent_id: str | None, entity: str, most: int) -> EntitySketch | None:
        """What is known of an entity, its newest memories first; None where nothing is."""
        agent = self.drafting.agent(agent_id)
        known = await self.observations(agent, self.drafting.entity(entity))
        if not known.exists and not known.relations:
            return None
        return await self._sketch(agent, known, None, set(), most)

    @within_deadline
    async def entities(self, agent_id: str | None) -> list[str]:
        """The names of all entities of an agent, the best known first."""
        found = await self.graph_actor.ask(knowing.Entities(self.drafting.agent(agent_id)))
        return [one.name for one in sorted(found, key=lambda one: (-one.memories, one.name))]


def _called(known: knowing.Observations) -> str:
    """How an entity is called: as its memories do, else as the first relation that names it."""
    if known.exists:
        return known.name
    folded = fold_name(known.name)
    return next((end for source, _, target in known.relations for end in (source, target)
                 if fold_name(end) == folded), known.name)


def _new(names: Iterable[str], seen: dict[str, None]) -> list[str]:
    """Those names that were not seen before, each once; they are seen from here on."""
    found = []
    for name in names:
        folded = fold_name(name)
        if folded not in seen:
            seen[folded] = None
            found.append(name)
    return found


def _related(action: str, row: tuple[str, str, str], alert: str | None) -> Related:
    return Related(action=action, source=row[0], relation=row[1], target=row[2], alert=alert)
