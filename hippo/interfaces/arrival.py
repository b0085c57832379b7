"""What of an export is there already, and what is known of its memories as changes to the store. Pure.

1. The memory of the same id, made at the same moment, is the same; else one that says the same of the same scope and
   entity, and each memory that is there stands for one of the export. It stays as it is.
2. But what comes later than a memory itself is still given to one that says the same: that another supersedes it, a
   schema, how close it is to what was said. So what was cut short is made whole by the same import.
3. What names another memory comes with the later of the two: at no moment is anything named that is not there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hippo.codec.identity import ordinal_of
from hippo.codec.record import text_tag
from hippo.mind.graph import FIDELITY, PROTECTED, REVISION, SCHEMA_HOLD
from hippo.mind.tiering import TIERS
from hippo.model.change import Change, Marked, Touched
from hippo.model.dump import AgentDump, MemoryDump
from hippo.runtime.carrying import Page
from hippo.text.fidelity import to_steps

Said = tuple[str, str | None, int, bool]  # scope, entity, checksum of the text, whether it is an earlier wording
Bonds = dict[str, list[tuple[str, float, int]]]


class Here(NamedTuple):
    """A memory or a message that is there already; the last three say what it has."""

    ordinal: int
    said: Said
    key: str | None
    created_at: int
    superseded: bool
    classified: bool
    abridged: bool


@dataclass
class Arrival:
    """How far the loading of one agent's knowledge is.

    `known`, `logged`: the ordinals of memories and messages that were there already, by their ids in the export;
    `placed`: those of all memories that are there by now. `before`: what is superseded by a memory that is still to
    come, by that one's id. `members`: what is to have which schema. Of what is known, but was cut short: `outdated` is
    superseded by which, `faded` is abridged, and how close to what was said.
    `bonds`: associations by the end that comes last: the other end, the weight, and when it was set.
    """

    known: dict[str, int]
    logged: dict[str, int]
    placed: dict[str, int]
    before: dict[str, list[int]]
    members: list[tuple[int, str]]
    outdated: list[tuple[int, int]]
    faded: list[tuple[int, bytes]]
    bonds: Bonds


def here(page: Page) -> Here:
    """What is there, without its text."""
    memory = page.memory
    return Here(page.ordinal, (memory.scope, memory.entity, page.tag, page.revision), memory.key, memory.created_at,
                memory.superseded_by is not None, memory.schema is not None, memory.fidelity is not None)


def arriving(one: AgentDump, memories: Sequence[Here], messages: Sequence[Here], seed: int | None) -> Arrival:
    """What is about to come, and what of it is there (rules 1 and 2).

    Args:
        memories, messages: that are there. seed: of the export, where the store has the same.
    """
    known, there = _matched(one.memories, memories, seed), {other.ordinal: other for other in memories}
    before, members = dict[str, list[int]](), list[tuple[int, str]]()
    outdated, faded = list[tuple[int, int]](), list[tuple[int, bytes]]()
    for memory in one.memories:
        found = there[known[memory.id]] if memory.id in known else None
        if found is None or found.said != _said(memory):
            continue
        if memory.superseded_by is not None and not found.superseded:
            if memory.superseded_by not in known:
                before.setdefault(memory.superseded_by, []).append(found.ordinal)
            elif _is_named(found, memory, seed):
                outdated.append((found.ordinal, known[memory.superseded_by]))
        if memory.schema is not None and not found.classified:
            members.append((found.ordinal, memory.schema))
        if memory.fidelity is not None and not found.abridged and _is_named(found, memory, seed):
            faded.append((found.ordinal, to_steps(memory.fidelity)))
    keys = {message.key: message.ordinal for message in messages if message.key is not None}
    logged = {message.id: keys[message.key] for message in one.messages if message.key in keys}
    return Arrival(known, logged, dict(known), before, members, outdated, faded, _bonds(one, known))


def _said(memory: MemoryDump) -> Said:
    return memory.scope, memory.entity, text_tag(memory.text), memory.revision


def _is_named(one: Here, memory: MemoryDump, seed: int | None) -> bool:
    """Whether it is the same by its id, not only by what it says: that may have been said in these very words."""
    return seed is not None and ordinal_of(memory.id, seed) == one.ordinal and one.created_at == memory.created_at


def _matched(memories: Sequence[MemoryDump], there: Sequence[Here], seed: int | None) -> dict[str, int]:
    found: dict[str, int] = {}
    left = {one.ordinal: one for one in there}
    for memory in memories if seed is not None else ():
        one = left.get(ordinal_of(memory.id, seed or 0))
        if one is not None and _is_named(one, memory, seed):
            found[memory.id] = one.ordinal
            del left[one.ordinal]
    saying: dict[tuple[Said, bool], deque[int]] = {}
    for one in left.values():
        saying.setdefault((one.said, one.superseded), deque()).append(one.ordinal)
    for alike in (True, False):  # what is superseded in both, or in neither, first
        for memory in memories:
            equal = saying.get((_said(memory), (memory.superseded_by is not None) == alike))
            if memory.id not in found and equal:
                found[memory.id] = equal.popleft()
    return found


def _bonds(one: AgentDump, known: dict[str, int]) -> Bonds:
    place = {memory.id: -1 if memory.id in known else at for at, memory in enumerate(one.memories)}
    found: Bonds = {}
    for first, second, weight, moment in one.associations:
        if first in place and second in place and (place[first] >= 0 or place[second] >= 0):
            earlier, later = (first, second) if place[first] < place[second] else (second, first)
            found.setdefault(later, []).append((earlier, weight, moment))
    return found


# Some memories that were just given their ordinals


def known_of(arrival: Arrival, agent: str, memories: Sequence[MemoryDump], ordinals: Sequence[int]) -> list[Change]:
    """All that is known of some memories besides their drafts, and whom they supersede (rule 3)."""
    arrival.placed |= {memory.id: ordinal for memory, ordinal in zip(memories, ordinals, strict=True)}
    changes: list[Change] = [Marked(agent, list(ordinals), _marks(memories, arrival.placed)),
                             _touched(arrival, agent, memories, ordinals)]
    for memory, ordinal in zip(memories, ordinals, strict=True):
        if memory.superseded_by is not None and memory.superseded_by not in arrival.placed:
            arrival.before.setdefault(memory.superseded_by, []).append(ordinal)
        if memory.schema is not None:
            arrival.members.append((ordinal, memory.schema))
    pairs = [(older, ordinal) for memory, ordinal in zip(memories, ordinals, strict=True)
             for older in arrival.before.pop(memory.id, ())]
    return [*changes, Marked(agent, [older for older, _ in pairs], {
        "superseded_by": [ordinal + 1 for _, ordinal in pairs]})] if pairs else changes


def wording_of(arrival: Arrival, memory: MemoryDump) -> int:
    """Whose earlier wording a memory is, as the journal has it."""
    other = arrival.placed.get(memory.superseded_by or "") if memory.revision else None
    return 0 if other is None else other + 1


def fidelity_marks(steps: Sequence[bytes]) -> dict[str, list[float]]:
    """How close texts are to what was said, as columns."""
    return {name: [one[column] for one in steps] for column, name in enumerate(FIDELITY)}


def _marks(memories: Sequence[MemoryDump], placed: dict[str, int]) -> dict[str, list[float]]:
    return {
        "encounter_count": [memory.encounter_count for memory in memories],
        "intensity": [memory.intensity for memory in memories],
        "tier": [TIERS.index(memory.tier) for memory in memories],
        "flags": [PROTECTED * memory.protected + SCHEMA_HOLD * memory.schema_hold + REVISION * memory.revision
                  for memory in memories],
        "superseded_by": [placed[memory.superseded_by] + 1 if memory.superseded_by in placed else 0
                          for memory in memories],
        "archived_at": [memory.archived_at or 0 for memory in memories],
        **fidelity_marks([bytes(len(FIDELITY)) if memory.fidelity is None else to_steps(memory.fidelity)
                          for memory in memories])}


def _touched(arrival: Arrival, agent: str, memories: Sequence[MemoryDump], ordinals: Sequence[int]) -> Touched:
    """How well memories are held, and the associations that come with them."""
    links = [(arrival.placed[other], ordinal, weight, moment)
             for memory, ordinal in zip(memories, ordinals, strict=True)
             for other, weight, moment in arrival.bonds.get(memory.id, ())]
    return Touched(
        ordinals=list(ordinals), last_access=[memory.last_access for memory in memories],
        access_count=[memory.access_count for memory in memories], stability=[memory.stability for memory in memories],
        intensity=[memory.intensity for memory in memories],
        edge_from=[one for one, *_ in links], edge_to=[other for _, other, *_ in links],
        edge_weight=[weight for *_, weight, _ in links], edge_set_at=[moment for *_, moment in links],
        linked_through={agent: ordinals[-1]})
