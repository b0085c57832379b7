"""The spacing effect: the same number of repetitions last longer when time passes between them.

Two unrelated sentences are each recalled three times, one of them within minutes, the other with days between. The last
repetition of both falls on the same moment; after a delay a cue names both, and recall says which comes first. The lag
table varies the gap and the delay (Cepeda and others found that the best gap grows with the delay).
"""

from __future__ import annotations

from typing import NamedTuple

from hippo import limits
from sims.scenes.finding import Finding, Plot, Series, mean, paired
from sims.scenes.materials import Materials, Sentence
from sims.scenes.subject import MINUTE_DAYS, Subject, activation, rank

ITEMS = 48
_REPETITIONS = 3
_MASSED_DAYS = 5 * MINUTE_DAYS
_SPACED_DAYS = 7.0
_GAPS = (_MASSED_DAYS, 1.0, 7.0, 30.0, 120.0)
_DELAYS = (7, 30, 120, 365)


class _Pair(NamedTuple):
    """What a test of one pair has shown, of the spaced and of the massed one."""

    spaced_first: float
    active: tuple[float, float]
    stability: tuple[float, float]


async def _practised(subject: Subject, sentences: list[Sentence], gap: float) -> list[str]:
    """Learns some sentences and repeats them, so that the last repetition is now; their ids."""
    known = [await subject.learns(one.text) for one in sentences]
    for _ in range(_REPETITIONS):
        await subject.waits(gap)
        for one in sentences:
            await subject.recalls(one.text, k=1)
    return known


async def _against(seed: int, items: int, delay: float, weight: float) -> list[_Pair]:
    """Spaced against massed, tested after a delay."""
    materials = Materials(seed)
    first, second = materials.sentences(items), materials.sentences(items)
    half = items // 2  # half of the pairs the other way round: no sentence is always the spaced one
    spaced, massed = first[:half] + second[half:], second[:half] + first[half:]
    async with Subject.invited(retention_weight=weight) as subject:
        known = [await subject.learns(one.text) for one in spaced]
        for _ in range(_REPETITIONS - 1):
            await subject.waits(_SPACED_DAYS)
            for one in spaced:
                await subject.recalls(one.text, k=1)
        await subject.waits(_SPACED_DAYS - _REPETITIONS * _MASSED_DAYS)
        rivals = await _practised(subject, massed, _MASSED_DAYS)
        for one in spaced:
            await subject.recalls(one.text, k=1)
        await subject.waits(delay)
        shown = []
        for one, other, one_id, other_id in zip(spaced, massed, known, rivals, strict=True):
            found = await subject.is_asked(f"the {one.who} and the {other.who}", k=limits.results_max)
            shown.append(_Pair(
                float(rank(one_id, found) == 1), (activation(one_id, found), activation(other_id, found)),
                ((await subject.shows(one_id)).stability, (await subject.shows(other_id)).stability)))
    return shown


async def _lags(seed: int, items: int) -> dict[float, dict[int, float]]:
    """Retention after a delay, by the gap between repetitions."""
    held: dict[float, dict[int, float]] = {}
    for gap in _GAPS:
        async with Subject.invited() as subject:
            known = await _practised(subject, Materials(seed).sentences(items), gap)
            held[gap], passed = {}, 0
            for delay in _DELAYS:
                await subject.waits(delay - passed)
                passed = delay
                held[gap][delay] = mean([(await subject.shows(one)).retention_now for one in known])[0]
    return held


async def run(seed: int, items: int = ITEMS) -> Finding:
    """The experiment."""
    tested = {delay: await _against(seed, items, delay, limits.retention_weight_max) for delay in _DELAYS}
    shipped = {delay: await _against(seed, items, delay, limits.retention_weight_default) for delay in _DELAYS}
    lags = await _lags(seed, max(items // 4, 4))
    month = tested[30]
    rows = [(str(delay), *(f"{mean([one.spaced_first for one in some])[0]:.3f}" for some in (pairs, shipped[delay])),
        *(f"{mean([one.active[n] for one in pairs])[0]:.3f}" for n in (0, 1)),
        *(f"{mean([one.stability[n] for one in pairs])[0]:.1f}" for n in (0, 1)),
        *(f"{lags[gap][delay]:.3f}" for gap in _GAPS)) for delay, pairs in tested.items()]
    best = {delay: max(_GAPS, key=lambda gap, delay=delay: lags[gap][delay]) for delay in _DELAYS}  # type: ignore[misc]
    return Finding(
        name="spacing",
        people="Repetitions spread over days are retained better than the same number massed, after a delay",
        source="Cepeda, Pashler, Vul, Wixted and Rohrer 2006; Ebbinghaus 1885",
        measure=f"{items} pairs, {_REPETITIONS} repetitions each, {_SPACED_DAYS:g} days or 5 minutes apart: which one "
                f"recall brings first, its activation and its stability, retention weighing "
                f"{limits.retention_weight_max} (as shipped {limits.retention_weight_default}); and R by gap and delay",
        titles=("days later", "spaced first", "as shipped", "active, spaced", "active, massed", "S, spaced",
                "S, massed", *(f"R, gap {'5 min' if gap < 1 else f'{gap:g} d'}" for gap in _GAPS)),
        rows=rows,
        claims=[
            paired("a month later the spaced one comes first more often", [one.spaced_first for one in month],
                   [1 - one.spaced_first for one in month], 0.2),
            paired("a month later the spaced one is more active", [one.active[0] for one in month],
                   [one.active[1] for one in month], 0.03),
            paired("its stability is larger, in days", [one.stability[0] for one in month],
                   [one.stability[1] for one in month], 1.0)],
        differs="no gap is too long for its delay; as shipped it moves the order of results little",
        observed=[
            f"As shipped the spaced one comes first in {mean([one.spaced_first for one in shipped[30]])[0]:.0%} of the "
            "pairs a month later: retention then decides only between results that match almost equally well. What "
            "spacing changes is how long a memory stays strong, and in which tier it is kept.",
            "The best of these gaps is " + ", ".join(
                f"{best[delay]:g} days after {delay}" for delay in _DELAYS) + ". People do worst again when the gap is "
            "far longer than the delay; here a longer gap is always better, because a repetition counts as a success "
            "however faded the memory was (the gain grows with 1 − R, and nothing fails)."],
        plot=Plot("Spacing: the same repetitions, spread out", "days since the last repetition", "retention", [
            Series(f"{'5 minutes' if gap < 1 else '1 day' if gap == 1 else f'{gap:g} days'} apart", _DELAYS,
                   [lags[gap][delay] for delay in _DELAYS], style="both") for gap in _GAPS], log_x=True))
