"""Temporal contiguity: what comes to mind next was mostly learned next to what came to mind before.

Lists of unrelated sentences, each learned in one go, half a minute apart. One sentence is the cue; the first other one
of the list that comes to mind is the next cue, until nothing new comes: free recall. The lag of a step is the distance
of the two places in the list, and the conditional response probability of a lag is how often it was taken, divided by
how often it was still to be had (Kahana 1996). A control learns the same sentences with hours between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hippo import limits
from sims.scenes.finding import Finding, Plot, Series, mean, unpaired
from sims.scenes.materials import Materials, Sentence
from sims.scenes.subject import Subject

ITEMS = 8  # lists for each subject: more would repeat a name
_SUBJECTS = 4
_LENGTH = 12
_GAP_MS = 30_000
_REHEARSALS = 5
_APART_MS = 3 * 3_600_000
_LAGS = tuple(lag for lag in range(-5, 6) if lag)


class _Transition(NamedTuple):
    """A step from one place in a list to another, with the lags that were still to be had."""

    lag: int
    possible: frozenset[int]


async def _recalled_freely(lists: Sequence[Sequence[Sentence]], gap_ms: int, *,
                           rehearsals: int = 0) -> list[_Transition]:
    """Every list is recalled from each of its places: what was just recalled is the next cue, until nothing new of the
    list comes to mind."""
    made: list[_Transition] = []
    async with Subject.invited() as subject:
        known = []
        for number, sentences in enumerate(lists):
            began_ms = (number + 1) * 10 * limits.ms_per_day  # days apart, so that no list runs into the next
            known.append([
                await subject.learns(one.text, conversation=f"list {number}", ago_ms=began_ms - place * gap_ms)
                for place, one in enumerate(sentences)])
        for one in [one for sentences in lists for one in sentences] * rehearsals:
            await subject.recalls(one.text)
        for sentences, ids in zip(lists, known, strict=True):
            leads_to = [[ids.index(memory.id) for memory in await subject.is_asked(one.text, k=limits.results_max)
                         if memory.id in ids] for one in sentences]
            for start in range(len(sentences)):
                made += _chain(start, leads_to)
    return made


def _chain(start: int, leads_to: Sequence[Sequence[int]]) -> Iterator[_Transition]:
    """The steps from one place on; nothing is recalled twice.

    Args:
        leads_to: for each place, the places that its sentence brings to mind, best first.
    """
    here, left = start, set(range(len(leads_to))) - {start}
    while left:
        there = next((place for place in leads_to[here] if place in left), None)
        if there is None:
            return
        yield _Transition(there - here, frozenset(place - here for place in left))
        left.discard(there)
        here = there


def _made(transitions: Sequence[_Transition], lag: int) -> list[float]:
    """For each step that could have had this lag, whether it had."""
    return [float(one.lag == lag) for one in transitions if lag in one.possible]


async def run(seed: int, items: int = ITEMS) -> Finding:
    """The experiment; `items` lists for each subject."""
    together: list[_Transition] = []
    rehearsed: list[_Transition] = []
    apart: list[_Transition] = []
    for number in range(_SUBJECTS):
        materials = Materials(seed * _SUBJECTS + number)
        lists = [materials.sentences(_LENGTH) for _ in range(items)]
        together += await _recalled_freely(lists, _GAP_MS)
        rehearsed += await _recalled_freely(lists, _GAP_MS, rehearsals=_REHEARSALS)
        apart += await _recalled_freely(lists, _APART_MS)
    near = _made(together, 1) + _made(together, -1)
    far = [made for lag in _LAGS if abs(lag) > 1 for made in _made(together, lag)]
    forward, backward = (mean(_made(together, lag))[0] for lag in (1, -1))
    further, later = ([mean(_made(some, lag) + _made(some, -lag))[0] for lag in (2, 3)]
                      for some in (together, rehearsed))
    return Finding(
        name="contiguity",
        people="Recall moves to neighbours in time: what was learned next to it comes to mind next",
        source="Howard and Kahana 2002; Kahana 1996",
        measure=f"the steps of free recall by {_SUBJECTS} subjects in {items} lists of {_LENGTH}, begun at each place "
                f"({len(together)} steps, {len(apart)} where hours lie between), as conditional response probabilities "
                "by lag",
        titles=("lag", "half a minute apart", f"the same, rehearsed {_REHEARSALS} times", "hours apart"),
        rows=[(f"{lag:+d}", *(f"{mean(_made(some, lag))[0]:.3f}" for some in (together, rehearsed, apart)))
              for lag in _LAGS],
        claims=[
            unpaired("a step to a neighbour is likelier than one further away (lags 2 to 5)", near, far, 0.2),
            unpaired("and likelier than when the same sentences are learned hours apart",
                     near, _made(apart, 1) + _made(apart, -1), 0.2)],
        differs="no slope beyond the neighbours, and no preference for forward steps",
        observed=[
            f"Forward against backward: {forward:.3f} at lag +1, {backward:.3f} at lag -1. People step forward about "
            "twice as often. Contiguity here lifts both neighbours by half of the match, whichever came first; a "
            "forward weight would have to pay in recall quality first.",
            f"Beyond the neighbours there is no slope, where people's probabilities fall gradually: lags 2 and 3 have "
            f"{further[0]:.3f} and {further[1]:.3f}, after {_REHEARSALS} rehearsals {later[0]:.3f} and {later[1]:.3f}. "
            "The lift reaches one place only, and what a learned association passes over two places stays below the "
            "activation of 0.1 that comes to mind."],
        plot=Plot("Contiguity: the next thing that comes to mind", "lag in the list",
                  "conditional response probability", [
                      Series(label, [lag for lag in _LAGS if (lag > 0) == after],
                             [mean(_made(some, lag))[0] for lag in _LAGS if (lag > 0) == after],
                             [mean(_made(some, lag))[1] for lag in _LAGS if (lag > 0) == after], style="both")
                      for label, some in (("half a minute apart", together), ("hours apart", apart))
                      for after in (False, True)]))
