"""The fan effect: the more is associated with a memory, the less of its activation reaches each associate.

A sentence is learned, and recalled together with one to five others that share no word with it, until it is bound to
each of them equally often. Then its nouns are the cue: with how much activation does each associate come to mind, and
does it at all? It can only have come by what spreads.
"""

from __future__ import annotations

from hippo import limits
from sims.scenes.finding import Finding, Plot, Series, mean, paired
from sims.scenes.materials import Materials
from sims.scenes.subject import Subject, activation

ITEMS = 16  # with five others each, everybody in the list of names is in one sentence
_FANS = (1, 2, 3, 4, 5)
_BOUND_TIMES = 6


async def _with(fan: int, seed: int, items: int) -> tuple[list[float], list[float], list[float]]:
    """For each cue: the mean activation of its associates, the share of them within five, and their mean weight."""
    active, within, weights = [], [], []
    materials = Materials(seed)
    async with Subject.invited() as subject:
        hubs = materials.sentences(items)
        known = [await subject.learns(one.text) for one in hubs]
        for one, hub in zip(hubs, known, strict=True):
            others = [materials.sentence() for _ in range(fan)]
            bound = [await subject.learns(other.text) for other in others]
            for _ in range(_BOUND_TIMES):
                for other in others:
                    await subject.recalls(f"{one.text} {other.text}", k=2)
            found = await subject.is_asked(f"{one.who} {one.what} {one.where}", k=limits.results_max)
            active.append(mean([activation(other, found) for other in bound])[0])
            nearest = [memory.id for memory in found[:limits.results_default]]
            within.append(sum(other in nearest for other in bound) / fan)
            held = {link.id: link.weight for link in (await subject.shows(hub)).associations}
            weights.append(sum(held.get(other, 0.0) for other in bound) / fan)
    return active, within, weights


async def run(seed: int, items: int = ITEMS) -> Finding:
    """The experiment."""
    shown = {fan: await _with(fan, seed, items) for fan in _FANS}
    few, many = shown[1], shown[_FANS[-1]]
    return Finding(
        name="fan",
        people="The more facts are learned about something, the slower and weaker each of them comes to mind from it",
        source="Anderson 1974",
        measure=f"the activation that reaches an associate from a sentence with that many of them, {items} sentences "
                f"for each fan, every association learned by {_BOUND_TIMES} recalls of both",
        titles=("associates", "activation", "±", "among the first five", "weight of each"),
        rows=[(str(fan), f"{mean(active)[0]:.3f}", f"{mean(active)[1]:.3f}", f"{mean(within)[0]:.3f}",
               f"{mean(weights)[0]:.3f}") for fan, (active, within, weights) in shown.items()],
        claims=[
            paired(f"an only associate is more active than one of {_FANS[-1]}", few[0], many[0], 0.05),
            paired("and is among the first five more often", few[1], many[1], 0.2),
            paired("one of two is less active than an only one", few[0], shown[2][0], 0.03)],
        differs="no reaction times: below an activation of 0.1 there is silence",
        observed=["Activation stands for the speed of recognition that Anderson measured: recall here has no reaction "
                  "time. Below an activation of 0.1 an associate does not come to mind at all, so the effect ends in "
                  "silence where people only slow down."],
        plot=Plot("Fan: activation shared among associates", "associates of the cue", "activation of each", [
            Series("measured", _FANS, [mean(active)[0] for active, _, _ in shown.values()],
                   [mean(active)[1] for active, _, _ in shown.values()], style="both")]))
