"""What a new memory is to the old ones: another, the same again, or what takes the place of one. Pure.

1. A repetition strengthens the old memory: the same text, to the character or word for word, or one of a similarity of
   *duplicate* and above that says more. The longer text is kept.
2. Within one entity and one day (UTC) a text of a similarity of *restated* and above that says more supersedes the old
   one, which stays, marked.
3. What is the same word for word, and what says more, is for `hippo.text.agreement` to tell; similarity alone never
   tells. So a new text is given up for an old one only where its words, in their order, are those of the old one: no
   correction is lost. A new text that says less than an old one may correct it, and stays.
4. A text says what it says of its entity: where the new one names an entity, only an old one of the same is the same;
   where it names none, only one without an entity can have less of it.
5. What was not acted on but is at all similar is shown. It conflicts where both are of one entity, their similarity is
   *near* or above, and neither says all that the other says.
6. What belongs to an append-only entity is always another memory, however often it is said, and conflicts with none.

BEHAVIOUR, section 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from hippo import limits
from hippo.text.agreement import Agreement, Wording, agreement

_compared_max = limits.near_matches_max + 1  # word for word: the one acted on and those that are shown


class Newcomer(NamedTuple):
    """A memory that is about to be remembered. Entities are folded names, so that one has one; times are UTC
    milliseconds."""

    text: str
    entity: str | None
    created_at: int
    append_only: bool


class Neighbour(NamedTuple):
    """An old memory, and its similarity to the newcomer on the reference scale."""

    ordinal: int
    text: str
    entity: str | None
    created_at: int
    similarity: float


class Near(NamedTuple):
    """A neighbour that was not acted on, and whether it may not hold together with the newcomer."""

    ordinal: int
    similarity: float
    conflicts: bool


class Verdict(NamedTuple):
    """What to do. `target` is the ordinal of the old memory that is strengthened, or that the new one supersedes.

    `keep_new_text`: whether the new text is the one to keep; of a strengthened memory the old one goes to its history.
    """

    action: Literal["stored", "strengthened", "superseded"]
    target: int | None
    keep_new_text: bool
    near: list[Near]


def judge(new: Newcomer, neighbours: Sequence[Neighbour]) -> Verdict:
    """What a new memory is to its neighbours.

    Args:
        new: The new memory.
        neighbours: Existing memories of its agent and scope that are not superseded, in any order; ordinals are
            distinct.

    Returns:
        The verdict; its near matches best first, of equals the lower ordinal.
    """
    ranked = sorted(neighbours, key=lambda old: (old.text != new.text, -old.similarity, old.ordinal))
    said = Wording(new.text)
    close = [] if new.append_only else [old for old in ranked[:_compared_max] if old.similarity >= limits.near]
    found = {old.ordinal: agreement(Wording(old.text), said) for old in close}
    near = [Near(old.ordinal, old.similarity, found.get(old.ordinal) is Agreement.OTHER and _is_of_one(new, old))
            for old in ranked if old.similarity >= limits.near_match]
    for old in [] if new.append_only else ranked[:_compared_max]:
        verdict = _acted_on(new, old, found.get(old.ordinal))
        if verdict is not None:
            return verdict._replace(near=[one for one in near if one.ordinal != old.ordinal][:limits.near_matches_max])
    return Verdict("stored", None, True, near[:limits.near_matches_max])


def _acted_on(new: Newcomer, old: Neighbour, found: Agreement | None) -> Verdict | None:
    """The verdict where an old memory is the same as the new one, or has less of it."""
    if new.entity not in (None, old.entity):
        return None
    if new.text == old.text:
        return Verdict("strengthened", old.ordinal, False, [])
    if found is Agreement.SAME:
        return Verdict("strengthened", old.ordinal, len(new.text) > len(old.text), [])
    if found is Agreement.MORE and new.entity == old.entity:
        if old.similarity >= limits.duplicate:
            return Verdict("strengthened", old.ordinal, True, [])
        if old.similarity >= limits.restated and _is_of_one(new, old) and _day(new) == _day(old):
            return Verdict("superseded", old.ordinal, True, [])
    return None


def _is_of_one(new: Newcomer, old: Neighbour) -> bool:
    """Whether both are of one entity."""
    return new.entity is not None and new.entity == old.entity


def _day(memory: Newcomer | Neighbour) -> int:
    return memory.created_at // limits.ms_per_day
