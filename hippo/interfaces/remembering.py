"""Remembering: what comes in is compared with what is known, and stored with what that says of it.

1. A repeat strengthens what is known; a longer wording of the same takes its place, the shorter stays in the history.
2. What says the same of the same thing on one day supersedes the other. What is superseded stays, marked.
3. Everything else is stored. What is near, and what contradicts it, is said in the answer.
4. Rows of one request know each other. Two requests at once do not, but for identical texts (`actors/intake.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import trio

from hippo import limits
from hippo.codec.record import text_tag
from hippo.errors import HippoError
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.editing import Editing
from hippo.interfaces.turns import away
from hippo.mind.entities import RELATES_TO, RELATION, relation_key
from hippo.model.change import Noted
from hippo.model.memory import Draft
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.text.entities import fold_name

if TYPE_CHECKING:
    from hippo.mind.verdicts import Verdict


class Row(NamedTuple):
    """A row on its way: what is to be stored, what was changed on the way in, how it is found, and what it is to what
    is known."""

    draft: Draft
    note: str | None
    sensed: ask.Sensed
    known: knowing.Likeness


class Judged(NamedTuple):
    """What becomes of a row: the verdict, and the texts it was reached with by key (an ordinal, or ~position of an
    earlier row)."""

    verdict: Verdict
    texts: dict[int, str]


class Remembering(Editing):
    """The verbs that store memories."""

    @within_deadline
    async def remember(self, rows: Sequence[Remember]) -> list[Stored | HippoError]:
        """Stores memories in order, each on its own: one that is refused does not keep the others back.

        Returns:
            For each row what was stored, durable and recallable, or why not.
        """
        drafts: list[tuple[Draft, str | None] | HippoError] = []
        for row in rows:
            try:
                drafts.append(self.drafting.draft(row, self.clock.now_ms()))
            except HippoError as error:
                drafts.append(error)
        good = [draft for draft in drafts if not isinstance(draft, HippoError)]
        sensed, trouble = await self.sensing.memories([draft for draft, _ in good])
        stored = iter(await self._store(await self._compared(good, sensed), trouble) if good else ())
        return [entry if isinstance(entry, HippoError) else next(stored) for entry in drafts]

    async def remember_one(self, row: Remember) -> Stored:
        """Stores one memory.

        Raises:
            HippoError: why it was refused.
        """
        answer = (await self.remember([row]))[0]
        if isinstance(answer, HippoError):
            raise answer
        return answer

    async def _compared(self, drafts: Sequence[tuple[Draft, str | None]], sensed: Sequence[ask.Sensed]) -> list[Row]:
        """Rows with what each is to what is known, and with the names of entities as they were first written."""
        known: list[knowing.Likeness | None] = [None] * len(drafts)
        for agent in dict.fromkeys(draft.agent_id for draft, _ in drafts):
            mine = [at for at, (draft, _) in enumerate(drafts) if draft.agent_id == agent]
            for start in range(0, len(mine), limits.compared_at_once):  # recalls come in between
                some = mine[start:start + limits.compared_at_once]
                found = await self.graph_actor.ask(knowing.Compare(agent, [
                    knowing.Newcomer(drafts[at][0], text_tag(drafts[at][0].text), sensed[at]) for at in some]))
                for at, like in zip(some, found, strict=True):
                    known[at] = like
        first: dict[tuple[str, str], str] = {}
        rows = []
        for (draft, note), sense, one in zip(drafts, sensed, [one for one in known if one is not None], strict=True):
            if one.entity is not None:
                entity = first.setdefault((draft.agent_id, fold_name(one.entity)), one.entity)
                if entity != draft.entity:
                    draft = msgspec.structs.replace(draft, entity=entity)
                    sense = self.sensing.found_as(draft, sense)
            rows.append(Row(draft, note, sense, one))
        return rows

    # Judging

    async def _judged(self, rows: Sequence[Row]) -> list[Judged]:
        from hippo.mind.verdicts import Neighbour, Newcomer, judge  # here: a start needs none of it

        alike = self.sensing.alike([row.sensed for row in rows]) if len(rows) > 1 else np.zeros((1, 1), np.float32)
        wanted = [self._worth_reading(row, few=len(rows) <= limits.near_matches_rows_max) for row in rows]
        places = [(row.draft.agent_id, row.draft.scope) for row in rows]
        hits: dict[str, list[ask.Hit]] = {}
        for row, some in zip(rows, wanted, strict=True):
            hits.setdefault(row.draft.agent_id, []).extend(hit for hit, _ in some)
        texts = {agent: await self._texts_of(agent, some) for agent, some in hits.items()}
        entities = [_folded(row.draft.entity) for row in rows]
        judged: list[Judged] = []
        for at, row in enumerate(rows):
            await trio.lowlevel.checkpoint()  # recalls come in between
            read = texts[row.draft.agent_id]
            neighbours = [
                Neighbour(hit.ordinal, read[hit.ordinal, hit.tag], _folded(hit.entity), hit.created_at, similarity)
                for hit, similarity in wanted[at] if (hit.ordinal, hit.tag) in read]
            neighbours += [
                Neighbour(~other, rows[other].draft.text, entities[other], rows[other].draft.created_at,
                          float(alike[at, other]))
                for other in np.flatnonzero(alike[at, :at] >= limits.near_match).tolist()
                if places[other] == places[at] and judged[other].verdict.action == "stored"]
            newcomer = Newcomer(row.draft.text, entities[at], row.draft.created_at, self.only_grows(row.draft.entity))
            judged.append(Judged(judge(newcomer, neighbours), {one.ordinal: one.text for one in neighbours}))
        return judged

    async def _texts_of(self, agent: str, hits: Sequence[ask.Hit]) -> dict[tuple[int, int], str]:
        """The texts of those memories that can be read, by ordinal and checksum; each is read once."""
        distinct = {(hit.ordinal, hit.tag): hit for hit in hits}
        names, found = list(distinct), dict[tuple[int, int], str]()
        for start in range(0, len(names), limits.neighbours_read_at_once):  # recalls come in between
            some = names[start:start + limits.neighbours_read_at_once]
            read = await self.texts(agent, [distinct[name] for name in some])
            found |= {name: text for name, text in zip(some, read, strict=True) if isinstance(text, str)}
        return found

    @staticmethod
    def _worth_reading(row: Row, *, few: bool) -> list[tuple[ask.Hit, float]]:
        """The neighbours whose words decide or, of few rows, are shown."""
        shown = row.known.near[:limits.near_matches_max] if few else []
        wanted = shown + [one for one in row.known.near[len(shown):] if one[1] >= limits.near]
        same = row.known.same
        if same is not None and all(hit.ordinal != same.ordinal for hit, _ in wanted):
            wanted.append((same, 1.0))
        return wanted

    # Storing

    async def _store(self, rows: Sequence[Row], trouble: str | None) -> list[Stored | HippoError]:
        judged = await self._judged(rows)
        intakes = [knowing.Intake(row.draft, row.sensed, _meeting(one.verdict), self._relations(row))
                   for row, one in zip(rows, judged, strict=True)]
        async with away():
            kept = await self.writer.ask(knowing.Store(intakes))
        ordinals = [became.ordinal for became in kept if isinstance(became, knowing.Kept)]
        answers: list[Stored | HippoError] = []
        for row, one, became in zip(rows, judged, kept, strict=True):
            if isinstance(became, HippoError):
                answers.append(became)
                continue
            if became.action == "strengthened" and one.verdict.keep_new_text and not await self._lengthen(row, one):
                # What it is longer than says something else by now.
                answers += await self._store(await self._compared([(row.draft, row.note)], [row.sensed]), trouble)
                continue
            if became.action != "strengthened" and not became.known:
                self.recent.keep(became.ordinal, text_tag(row.draft.text), row.draft.text)
            answers.append(self._answer(row, one, became, ordinals, trouble))
        hashes: dict[tuple[str, str], str | None] = {}
        for at, (row, answer) in enumerate(zip(rows, answers, strict=True)):
            if isinstance(answer, Stored) and row.draft.entity is not None:
                key = row.draft.agent_id, row.draft.entity
                if key not in hashes:
                    hashes[key] = await self.version_hash(*key)
                answers[at] = msgspec.structs.replace(answer, version_hash=hashes[key])
        return answers

    def _relations(self, row: Row) -> tuple[Noted, ...]:
        entity = row.draft.entity
        return () if entity is None else tuple(
            Noted(row.draft.agent_id, RELATION, relation_key(entity, RELATES_TO, other), "")
            for other in row.known.mentions)

    async def _lengthen(self, row: Row, judged: Judged) -> bool:
        """A known memory takes over the longer wording; what it said stays in its history. False where that is not what
        the wording was compared with."""
        target = judged.verdict.target
        if target is None or target < 0:
            return True  # the same text came in meanwhile
        before = await self.draft_of(row.draft.agent_id, target)
        return before is not None and before.text == judged.texts.get(target) and await self.rewrite(
            target, before, msgspec.structs.replace(before, text=row.draft.text))

    def _answer(self, row: Row, judged: Judged, kept: knowing.Kept, ordinals: Sequence[int],
                trouble: str | None) -> Stored:
        verdict, entity = judged.verdict, row.draft.entity
        other = None if verdict.target is None else self._named_by(verdict.target, ordinals)
        is_known = row.known.novelty < limits.novelty_known and kept.action == "stored" and not kept.known
        notes = (row.note, trouble, "Nothing in it is new: it may be known already." if is_known else None)
        superseded = kept.action == "superseded"
        return Stored(
            id=self.id(kept.ordinal), action=kept.action, novelty=round(row.known.novelty, 4),
            near_matches=self._near(row, judged, ordinals), entity=entity,
            replaced=[other] if superseded and verdict.keep_new_text and other else [],
            superseded_by=other if superseded and not verdict.keep_new_text else None,
            relations_created=[] if entity is None else [[entity, RELATES_TO, name] for name in row.known.mentions],
            note=" ".join(filter(None, notes)) or None, alert=self.budget.alert)

    def _named_by(self, key: int, ordinals: Sequence[int]) -> str:
        return self.id(key if key >= 0 else ordinals[~key])

    def _near(self, row: Row, judged: Judged, ordinals: Sequence[int]) -> list[dict[str, Any]]:
        facts = {hit.ordinal: hit for hit, _ in row.known.near}
        found = []
        for near in judged.verdict.near:
            hit = facts.get(near.ordinal)
            text = judged.texts.get(near.ordinal, "")
            shown: dict[str, Any] = {
                "id": self._named_by(near.ordinal, ordinals), "text": text[:limits.preview_characters],
                "similarity": round(near.similarity, 4), "created_at": hit.created_at if hit else row.draft.created_at,
                "kind": hit.kind if hit else row.draft.kind}
            if near.conflicts:
                shown["conflicts"] = True
            if self.only_grows(row.draft.entity):
                del shown["id"]
            found.append(shown)
        return found


def _folded(entity: str | None) -> str | None:
    return None if entity is None else fold_name(entity)


def _meeting(verdict: Verdict) -> knowing.Meeting | None:
    if verdict.action == "stored" or verdict.target is None:
        return None
    how: knowing.How = "strengthens" if verdict.action == "strengthened" else (
        "supersedes" if verdict.keep_new_text else "superseded")
    if verdict.target >= 0:
        return knowing.Meeting(how, ordinal=verdict.target)
    # Of two rows of one request, the longer one is a memory of its own.
    if how == "strengthens" and verdict.keep_new_text:
        how = "supersedes"
    return knowing.Meeting(how, row=~verdict.target)
