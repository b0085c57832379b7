"""Facts: a text is split into claims, each is remembered, and takes the place of what it outdates.

1. Claims come from the language model where one is configured, else from rules of sentences. Once the model fails the
   rules do all that is left of the call, and the answer says so.
2. Each claim is compared with the nearest facts of its scope that were known before it, those of the same call among
   them. A repetition strengthens. Where the same is said of the same subject with another value, and it has one value
   at a time, the old fact is superseded: by the model's verdict where there is one, else by rules (`text/slots.py`).
   All else is distinct.
3. That two wordings say the same is believed of a model only where their facts (numbers, names, negations, …) are
   equal and both are of one entity: the old one is strengthened and the new one, which is stored by then, is superseded
   by it. Anything else would hide what a model merely thinks is said already.
4. What is superseded stays, marked, and comes back when what superseded it is forgotten.
5. Nobody waits for a slow model but the call itself: it has no turn meanwhile (`turns.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from hippo import limits
from hippo.codec.identity import ordinal_of
from hippo.errors import HippoError, ProviderFailed
from hippo.interfaces.remembering import Remembering
from hippo.interfaces.turns import away, begin_anew
from hippo.model.change import Marked
from hippo.model.knowledge import Facts
from hippo.model.knowledge_verb import RememberFacts
from hippo.model.memory import Draft
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.text.entities import fold_name
from hippo.text.facts import facts as facts_of

if TYPE_CHECKING:
    from hippo.providers.llm import LLM
    from hippo.text.claims import Claim

_RULES = "rules"


class _Model:
    """The language model of one call, until it fails; and what is to be said of that."""

    def __init__(self, llm: LLM | None) -> None:
        self.llm = llm
        self.note: str | None = None

    def failed(self, why: ProviderFailed, instead: str) -> None:
        """It is not asked again."""
        self.llm, self.note = None, f"The language model failed ({why.words['why']}): {instead}."


class FactFinding(Remembering):
    """The verb that takes a text apart."""

    async def remember_facts(self, verb: RememberFacts) -> Facts:
        """Stores each fact of a text; it takes as long as it takes.

        Raises:
            EmptyText, TextTooLong: the text cannot be stored.
        """
        agent, text, model = self.drafting.agent(verb.agent_id), self.drafting.text(verb.text), _Model(self.llm)
        found, by = await self._claims(text, model)
        facts: list[Stored] = []
        for claim in found:
            begin_anew()
            row = Remember(
                text=claim.text, agent_id=agent, kind="fact", salience=min(claim.intensity, limits.fact_salience_max),
                scope=verb.scope, entity=verb.entity, tags=verb.tags, source=verb.source,
                conversation=verb.conversation, created_at=verb.created_at)
            stored = await self.remember_one(row)
            facts.append(await self._held_against_known(row, stored, model) if stored.action == "stored" else stored)
        nothing = None if found else "Nothing in it is a statement that could be kept."
        return Facts(facts=facts, texts=[claim.text for claim in found], by=by, alert=self.budget.alert,
                     note=" ".join(filter(None, (model.note, nothing))) or None)

    async def _claims(self, text: str, model: _Model) -> tuple[Sequence[Claim], str]:
        """The claims of a text, and who found them."""
        if model.llm is not None:
            async with away():
                try:
                    return await model.llm.extract_claims(text), model.llm.model
                except ProviderFailed as failed:
                    model.failed(failed, "split by rules instead")
        return await self.sensing.aside(_split, text), _RULES

    async def _held_against_known(self, row: Remember, stored: Stored, model: _Model) -> Stored:
        """What becomes of a new fact, and of those that it outdates."""
        draft, _ = self.drafting.draft(row, self.clock.now_ms())
        agent, new = draft.agent_id, ordinal_of(stored.id, self.seed)
        # As one text to another, not as a cue: in that, words that many facts share hardly count.
        said = msgspec.structs.replace((await self.sensing.cue(draft.text))[0], tokens=None)
        near = [hit for hit in await self.graph_actor.ask(knowing.Resembling(
            agent, said, limits.fact_similarity, limits.facts_looked_at))
            if hit.kind == "fact" and hit.ordinal != new and hit.scope == draft.scope
            and hit.created_at <= draft.created_at][:limits.facts_compared]
        texts = await self.texts(agent, near)
        known = [(hit, text) for hit, text in zip(near, texts, strict=True) if isinstance(text, str)]
        verdicts = await self._verdicts(draft.text, [text for _, text in known], model)
        twin = next((hit for (hit, text), verdict in zip(known, verdicts, strict=True) if verdict == "DUPLICATE"
                     and _says_the_same(draft, hit, text)), None)
        outdated = [hit.ordinal for (hit, _), verdict in zip(known, verdicts, strict=True) if verdict == "SUPERSEDES"]
        if twin is not None and not await self._strengthened(draft, twin.ordinal):
            twin = None
        gone = outdated if twin is None else [*outdated, new]
        if not gone:
            return stored
        winner = new if twin is None else twin.ordinal
        async with away():
            await self.writer.ask(ask.Record([Marked(agent, gone, {"superseded_by": [winner + 1.0] * len(gone)})]))
        replaced, version = [self.id(one) for one in outdated], await self.version_hash(agent, stored.entity)
        if twin is None:
            return msgspec.structs.replace(stored, action="superseded", replaced=replaced, version_hash=version)
        return msgspec.structs.replace(
            stored, id=twin.id, action="strengthened", replaced=replaced, version_hash=version,
            near_matches=[near for near in stored.near_matches if near.get("id") != twin.id],
            note=f"The model says that it says the same; its wording stays as {stored.id}, superseded.")

    async def _verdicts(self, new: str, known: Sequence[str], model: _Model) -> list[str]:
        """What a claim is to each of some known facts: DUPLICATE, SUPERSEDES or DISTINCT."""
        found: list[str] = []
        for old in known:
            if model.llm is None:
                break
            async with away():
                try:
                    found.append(await model.llm.verdict(new, old))
                except ProviderFailed as failed:
                    model.failed(failed, "what was left was compared by rules")
        rest = known[len(found):]
        return [*found, *await self.sensing.aside(_judged_by_slots, new, rest)] if rest else found

    async def _strengthened(self, draft: Draft, known: int) -> bool:
        """A known fact was said again; False where it is no more."""
        meeting = knowing.Meeting("strengthens", ordinal=known)
        intake = knowing.Intake(draft, (await self.sensing.words([draft]))[0], meeting)
        async with away():
            [kept] = await self.writer.ask(knowing.Store([intake]))
        if isinstance(kept, HippoError):
            raise kept
        return kept.action == "strengthened"


def _says_the_same(new: Draft, old: ask.Hit, text: str) -> bool:
    """Whether a model may be believed that it does (rule 3)."""
    return facts_of(new.text) == facts_of(text) and _folded(new.entity) == _folded(old.entity)


def _folded(entity: str | None) -> str | None:
    return None if entity is None else fold_name(entity)


# Imported where they are used first, in a thread: a start needs none of it, and patterns take a while to be compiled.


def _split(text: str) -> Sequence[Claim]:
    from hippo.text.claims import claims

    return claims(text)


def _judged_by_slots(new: str, known: Sequence[str]) -> list[str]:
    from hippo.text.slots import supersedes

    return ["SUPERSEDES" if supersedes(new, old) else "DISTINCT" for old in known]
