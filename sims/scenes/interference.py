"""Retroactive interference: similar things learned later keep an earlier one from coming to mind.

One sentence is learned about somebody; a day later others are learned, about the same person (similar) or about other
people (unrelated). Another day later the person is the cue: does the first sentence come to mind, and at which place?
"""

from __future__ import annotations

from typing import NamedTuple

from hippo import limits
from sims.scenes.finding import Finding, Plot, Series, mean, paired
from sims.scenes.materials import Materials
from sims.scenes.subject import Subject, rank

ITEMS = 36
_LATER = (0, 1, 2, 4, 8, 16)
_MOST = _LATER[-1]


class _Recalled(NamedTuple):
    """How one earlier sentence was recalled: as the first, among the first five, and at which place."""

    first: float
    within: float
    place: float


async def _after(later: int, *, similar: bool, seed: int, items: int) -> list[_Recalled]:
    """Tests every sentence after `later` more were learned for each of them."""
    materials = Materials(seed)
    learned = materials.sentences(items)
    # More people than the list has names would repeat some of them: the unrelated ones speak of a few others only.
    others = materials.sentences(items)
    async with Subject.invited() as subject:
        known = [await subject.learns(one.text) for one in learned]
        await subject.waits(1)
        for _ in range(later):
            for one, other in zip(learned, others, strict=True):
                await subject.learns(materials.sentence(one.who if similar else other.who).text)
        await subject.waits(1)
        recalled = []
        for one, target in zip(learned, known, strict=True):
            place = rank(target, await subject.is_asked(f"the {one.who}", k=limits.results_max))
            recalled.append(_Recalled(
                float(place == 1), float(place is not None and place <= limits.results_default),
                float(place or limits.results_max)))
    return recalled


async def run(seed: int, items: int = ITEMS) -> Finding:
    """The experiment."""
    similar = {later: await _after(later, similar=True, seed=seed, items=items) for later in _LATER}
    unrelated = {later: await _after(later, similar=False, seed=seed, items=items) for later in _LATER}
    rows = [(str(later), *(f"{mean([getattr(one, part) for one in some[later]])[0]:.3f}"
                           for part in ("first", "within", "place") for some in (similar, unrelated)))
            for later in _LATER]
    return Finding(
        name="interference",
        people="Similar material learned later lowers recall of what was learned before; unrelated material does not",
        source="Underwood 1957; McGeoch and McDonald 1931; Müller and Pilzecker 1900",
        measure=f"how often an earlier sentence comes first or among the first {limits.results_default} when its "
                f"person is the cue, and its mean place; {items} sentences, up to {_MOST} later ones for each",
        titles=("later ones", "first, similar", "first, unrelated", "in five, similar", "in five, unrelated",
                "place, similar", "place, unrelated"),
        rows=rows,
        claims=[
            paired(f"after {_MOST} similar ones it comes first less often than after {_MOST} unrelated ones",
                   [one.first for one in unrelated[_MOST]], [one.first for one in similar[_MOST]], 0.3),
            paired("and is less often among the first five", [one.within for one in unrelated[_MOST]],
                   [one.within for one in similar[_MOST]], 0.1),
            paired(f"more similar ones ({_MOST} against 2) push it further back", [one.place for one in similar[_MOST]],
                   [one.place for one in similar[2]], 1.0)],
        differs="a pause after learning protects nothing; the earlier one is favoured a little",
        observed=[
            "The earlier one holds out better than chance: its place is "
            f"{mean([one.place for one in similar[_MOST]])[0]:.1f} among {_MOST + 1} that match the cue equally, where "
            f"chance is {(_MOST + 2) / 2:g}. Each later sentence made its first associations to earlier ones about the "
            "same person, so the earlier have more of them, and the later ones pass activation back.",
            "People show it for the same reason (the cue leads to several things at once); that a pause after learning "
            "protects, as Müller and Pilzecker found, has no counterpart here: a memory is whole once it is stored."],
        plot=Plot("Interference: what was learned later", "sentences learned later, for each",
                  "comes first when its person is the cue", [
                      Series(label, _LATER, [mean([one.first for one in some[later]])[0] for later in _LATER],
                             [mean([one.first for one in some[later]])[1] for later in _LATER], style="both")
                      for label, some in (("about the same person", similar), ("about others", unrelated))]))
