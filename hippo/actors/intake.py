"""What one group commit writes: the requests that are committed together become changes, in their order.

1. A change states the outcome. So what two requests of a group do to one memory adds up here, before it is written.
2. A key that the agent used before gives the first answer again. The same text of the same scope and entity that came
   in since its caller compared it is the same memory. But each logged message is one of its own, whatever it says.
3. What a memory said before it was rewritten is kept as a memory of its own, superseded by it and hidden.
4. From the moment at which it is stated that a memory is forgotten, nothing is it, changes it or is kept of it; and it
   is forgotten as it was traced, or not at all.
5. A text that is superseded, or that its memory does not say any more, is no longer what a newcomer may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from hippo.codec.record import text_tag
from hippo.mind.brain import KEY
from hippo.mind.forgetting import first_stability
from hippo.mind.graph import REVISIONS
from hippo.mind.plasticity import encountered, on_minute
from hippo.model.batch import Place
from hippo.model.change import Change, Forgotten, Marked, Noted, Remembered, Revised, Touched
from hippo.model.memory import Draft, is_log
from hippo.runtime import carrying, knowing
from hippo.runtime import messages as ask

Keys = dict[tuple[str, str], int]  # agent and key
Said = tuple[str, str, str | None, int]  # agent, scope, entity and checksum of a text
Latest = dict[Said, int]
NOWHERE = (0, 0, 0)


def met(request: Any, latest: Latest) -> Iterator[tuple[str, int]]:
    """Agent and ordinal of every known memory that a request may change."""
    if isinstance(request, knowing.Rewrite):
        yield request.before.agent_id, request.ordinal
    elif isinstance(request, knowing.LetGo):
        for ordinal in request.tags:
            yield request.agent, ordinal
    elif isinstance(request, knowing.Store):
        for row in request.rows:
            for ordinal in row.replaces:
                yield row.draft.agent_id, ordinal
            if row.meets is not None and row.meets.ordinal is not None:
                yield row.draft.agent_id, row.meets.ordinal
            elif row.meets is None:
                said = _said(row.draft)
                known = None if said is None else latest.get(said)
                if known is not None:
                    yield row.draft.agent_id, known


def _said(draft: Draft) -> Said | None:
    return None if is_log(draft.agent_id) else (draft.agent_id, draft.scope, draft.entity, text_tag(draft.text))


@dataclass
class Group:
    """Requests that are committed together.

    `now`: the moment of the first access. `known_keys`, `known_latest`: of what was committed before; `keys`, `latest`:
    of this group. `states`: of the memories that are met, kept up to date. `gone`: what this group forgets, `left`:
    what it supersedes or rewrites.
    """

    now: int
    next_ordinal: int
    known_keys: Keys
    known_latest: Latest
    states: dict[int, knowing.State]
    keys: Keys = field(default_factory=dict)
    latest: Latest = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    _senses: dict[int, tuple[ask.Sensed, ask.Sensed | None]] = field(default_factory=dict)  # by position of the change
    _recorded: set[int] = field(default_factory=set)  # positions of what the graph has already

    def take(self, request: Any) -> list[knowing.Kept] | bool | None:
        """Adds what a request writes; its answer, None where that is the sequence reached."""
        if isinstance(request, ask.Record):
            self._recorded |= {len(self.changes) + at for at, change in enumerate(request.changes)
                               if not isinstance(change, Marked | Noted)}
            self.changes.extend(request.changes)
            self.left.update(ordinal for change in request.changes if isinstance(change, Marked)
                             for ordinal in change.ordinals if "superseded_by" in change.columns)
            return None
        if isinstance(request, knowing.Rewrite):
            return self._rewrite(request)
        if isinstance(request, knowing.LetGo):
            return self._let_go(request)
        if isinstance(request, carrying.Load):
            self._load(request)
            return None
        kept: list[knowing.Kept] = []
        for row in request.rows:
            kept.append(self._intake(row, kept))
            replaced = [one for one in row.replaces if one in self.states and one != kept[-1].ordinal]
            if replaced:
                self._supersede(row.draft.agent_id, replaced, kept[-1].ordinal)
        return kept

    def lessons(self, places: Sequence[Place | None]) -> list[ask.Lesson]:
        """What the graph has to learn, given where each change with a text lies."""
        found: list[ask.Lesson] = []
        for at, change in enumerate(self.changes):
            if at in self._recorded:
                continue
            place = places[at] or NOWHERE
            if isinstance(change, Remembered):
                found.append(ask.Taught(change.ordinal, change.draft, change.tag, change.last_access, place,
                                        self._senses[at][0], change.wording_of))
            elif isinstance(change, Revised):
                before, after = self._senses[at]
                assert after is not None
                found.append(ask.Retaught(change.ordinal, change.draft, change.tag, place, before, after))
            elif isinstance(change, Marked | Noted | Touched):
                found.append(change)
        return found

    def _load(self, request: carrying.Load) -> None:
        senses = iter(request.senses)
        for change in request.changes:
            if isinstance(change, Remembered):
                self._senses[len(self.changes)] = next(senses), None
                if change.draft.key is not None:
                    self.keys.setdefault((change.draft.agent_id, change.draft.key), change.ordinal)
            self.changes.append(change)
        self.next_ordinal = max(self.next_ordinal, request.next_ordinal)

    def _intake(self, row: knowing.Intake, earlier: list[knowing.Kept]) -> knowing.Kept:
        draft, meets = row.draft, row.meets
        if draft.key is not None:
            name = draft.agent_id, draft.key
            known = self.known_keys.get(name, self.keys.get(name))
            if known is not None and known not in self.gone:
                return knowing.Kept(known, "stored", known=True)
        said = _said(draft)
        other = None if meets is None else meets.ordinal if meets.row is None else earlier[meets.row].ordinal
        if meets is None and said is not None:
            other = self.latest.get(said, self.known_latest.get(said))
            other = None if other in self.left else other
        if other is not None and other not in self.states:
            meets, other = None, None  # it was forgotten meanwhile
        self.changes.extend(row.notes)
        if other is not None and (meets is None or meets.how == "strengthens"):
            self._strengthen(draft, other)
            if draft.key is not None:
                self.keys[draft.agent_id, draft.key] = other
                self.changes.append(Noted(draft.agent_id, KEY, draft.key, str(other)))
            return knowing.Kept(other, "strengthened")
        ordinal = self._remember(draft, row.sensed, said)
        if meets is not None and other is not None:
            loser, winner = (other, ordinal) if meets.how == "supersedes" else (ordinal, other)
            self._supersede(draft.agent_id, [loser], winner)
            return knowing.Kept(ordinal, "superseded")
        return knowing.Kept(ordinal, "stored")

    def _remember(self, draft: Draft, sensed: ask.Sensed, said: Said | None, wording_of: int = 0) -> int:
        ordinal, self.next_ordinal = self.next_ordinal, self.next_ordinal + 1
        # History that is loaded was last accessed when it happened, never in the future.
        accessed = draft.created_at if draft.created_at <= self.now and not wording_of else on_minute(self.now)
        self._senses[len(self.changes)] = sensed, None
        change = Remembered(ordinal, draft, text_tag(draft.text), accessed, wording_of)
        self.changes.append(change)
        if said is not None:
            self.latest[said] = ordinal
            self.states[ordinal] = knowing.State(
                1, draft.salience, first_stability(draft.salience), accessed, change.tag)
        if draft.key is not None:
            self.keys[draft.agent_id, draft.key] = ordinal
        return ordinal

    def _supersede(self, agent: str, losers: list[int], winner: int) -> None:
        self.left.update(losers)
        self.changes.append(Marked(agent, losers, {"superseded_by": [winner + 1.0] * len(losers)}))

    def _strengthen(self, draft: Draft, ordinal: int) -> None:
        state = self.states[ordinal]
        # History that is loaded was met when it happened.
        columns = encountered(state.encounter_count, state.intensity, state.stability, state.last_access,
                              draft.salience, min(draft.created_at, self.now))
        self.states[ordinal] = msgspec.structs.replace(state, **columns)
        self.changes.append(Marked(draft.agent_id, [ordinal], {name: [value] for name, value in columns.items()}))

    def _rewrite(self, request: knowing.Rewrite) -> bool:
        ordinal, state = request.ordinal, self.states.get(request.ordinal)
        if state is None or state.tag != request.tag:
            return False
        if request.keep:  # first: a crash in between must not lose it
            before = msgspec.structs.replace(request.before, key=None, conversation=REVISIONS)
            self._remember(before, request.sensed_before, None, ordinal + 1)
        self._senses[len(self.changes)] = request.sensed_before, request.sensed_after
        change = Revised(ordinal, request.after, text_tag(request.after.text))
        self.changes.append(change)
        self.states[ordinal] = msgspec.structs.replace(state, tag=change.tag)
        self.left.add(ordinal)
        return True

    def _let_go(self, request: knowing.LetGo) -> bool:
        states = [(self.states.get(ordinal), tag) for ordinal, tag in request.tags.items()]
        if any(state is None or state.tag != tag for state, tag in states):
            return False
        self.changes.append(Forgotten(request.agent, list(request.tags)))
        for ordinal in request.tags:
            del self.states[ordinal]
        self.gone |= request.tags.keys()
        return True
