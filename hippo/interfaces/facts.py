"""Facts: a text is split into claims, each is remembered, and takes the place of what it outdates.

1. Claims come from the language model where one is configured, else from rules of sentences; where the model fails the
   rules do, and the answer says so.
2. Each claim is compared with the nearest facts that are known, those of the same call among them. A repetition
   strengthens. Where the same is said of the same subject with another value, and it has one value at a time, the old
   fact is superseded: by the model's verdict where there is one, else by rules (`text/slots.py`). All else is distinct.
3. What is superseded stays, marked, and comes back when what superseded it is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from hippo import limits
from hippo.codec.identity import ordinal_of
from hippo.errors import ProviderFailed
from hippo.interfaces.remembering import Remembering
from hippo.model.change import Marked
from hippo.model.knowledge import Facts
from hippo.model.knowledge_verb import RememberFacts
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.runtime import knowing
from hippo.runtime import messages as ask

if TYPE_CHECKING:
    from hippo.text.claims import Claim

_RULES = "rules"


class FactFinding(Remembering):
    """The verb that takes a text apart."""

    async def remember_facts(self, verb: RememberFacts) -> Facts:
        """Stores each fact of a text.

        Raises:
            EmptyText, TextTooLong: the text cannot be stored.
        """
        agent, text = self.drafting.agent(verb.agent_id), self.drafting.text(verb.text)
        found, by, note = await self._claims(text)
        facts: list[Stored] = []
        for claim in found:
            stored = await self.remember_one(Remember(
                text=claim.text, agent_id=agent, kind="fact", salience=min(claim.intensity, limits.fact_salience_max),
                scope=verb.scope, entity=verb.entity, tags=verb.tags, source=verb.source,
                conversation=verb.conversation, created_at=verb.created_at))
            facts.append(await self._outdating(agent, stored, claim) if stored.action == "stored" else stored)
        if not found:
            note = "Nothing in it is a statement that could be kept."
        return Facts(facts=facts, texts=[claim.text for claim in found], by=by, note=note, alert=self.budget.alert)

    async def _claims(self, text: str) -> tuple[Sequence[Claim], str, str | None]:
        """The claims of a text, who found them, and what went wrong."""
        from hippo.text.claims import claims  # here: a start needs none of it

        if self.llm is None:
            return claims(text), _RULES, None
        try:
            return await self.llm.extract_claims(text), self.llm.model, None
        except ProviderFailed as failed:
            return claims(text), _RULES, f"The language model failed ({failed.message}): split by rules instead."

    async def _outdating(self, agent: str, stored: Stored, claim: Claim) -> Stored:
        """A new fact supersedes those that it outdates."""
        cue, _ = await self.sensing.cue(claim.text)
        near = [hit for hit in await self.graph_actor.ask(knowing.Resembling(
            agent, cue, limits.fact_similarity, limits.facts_looked_at)) if hit.kind == "fact" and hit.id != stored.id]
        near = near[:limits.facts_compared]
        texts = await self.texts(agent, near)
        outdated = [hit.ordinal for hit, text in zip(near, texts, strict=True)
                    if isinstance(text, str) and await self._supersedes(claim.text, text)]
        if not outdated:
            return stored
        winner = ordinal_of(stored.id, self.seed)
        await self.writer.ask(ask.Record([Marked(agent, outdated, {
            "superseded_by": [winner + 1.0] * len(outdated)})]))
        return msgspec.structs.replace(stored, action="superseded", replaced=[self.id(one) for one in outdated],
                                       version_hash=await self.version_hash(agent, stored.entity))

    async def _supersedes(self, new: str, old: str) -> bool:
        from hippo.text.slots import supersedes

        if self.llm is not None:
            try:
                return await self.llm.verdict(new, old) == "SUPERSEDES"
            except ProviderFailed:
                pass  # the rules decide
        return supersedes(new, old)
