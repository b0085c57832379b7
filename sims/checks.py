"""What a store promises while it sleeps, checked against what was put into it (BEHAVIOUR §5 to §7).

1. Nothing is lost: every memory stored is there, under its id, and can be reconstructed.
2. What comes back is the text as it was given, byte for byte; or, where it says that it is lossy, an abridgement of it
   whose fidelity, measured here again, is not below the floors of its tier nor below what is stated. Hot, warm and
   salient ones are never lossy.
3. The tier is that of the retention, after a pass, unless a budget has forced it down.
4. The parts are the total, and all parts together are the folder, byte by byte.
5. Over the budget nothing is deleted, and every answer says so with the very total.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import trio

from hippo import limits
from hippo.errors import HippoError
from hippo.library import Hippo
from hippo.model.inspection import Inspection
from hippo.model.memory import Fidelity
from hippo.model.recollection import Recollection
from hippo.model.report import Report, Stats
from hippo.text.fidelity import clears, measure
from hippo.text.residual import is_abridgement
from sims.corpus import Heard
from sims.promises import PromiseBroken, must

R = TypeVar("R")

_LOSSLESS_TIERS = ("hot", "warm")
_LOSSLESS_SALIENCE = 0.7
_TIERS = tuple(limits.tier_floors)
_NUMBER = re.compile(r"\d[\d,]*")
_ON_THE_EDGE = 1e-3  # of retention, where the pass and the look at it may round differently


class Figures(NamedTuple):
    """What a check has found, beside what `stats` says: how many are lossy, and the lowest fidelity of any."""

    stats: Stats
    lossy: int
    lowest: Fidelity
    answered: float


class Witness:
    """Has seen everything that was stored, and compares.

    Args:
        folder: of the store.
    """

    def __init__(self, folder: Path) -> None:
        self.known: dict[str, Heard] = {}
        self._folder = folder

    def stored(self, one: str, heard: Heard) -> None:
        """A memory was acknowledged under an id."""
        must(one not in self.known, f"the id {one} was given twice")
        self.known[one] = heard

    def reads(self, memory: Recollection | Inspection) -> None:
        """Rule 2, of one memory that was given back."""
        must(memory.id in self.known, f"{memory.id} is given back, and was never stored")
        heard = self.known[memory.id]
        if memory.lossless:
            must(memory.text == heard.text, f"{memory.id} reads {memory.text!r} instead of {heard.text!r}")
            return
        must(memory.tier not in _LOSSLESS_TIERS, f"{memory.id} is lossy, and {memory.tier}")
        must((heard.salience or 0) < _LOSSLESS_SALIENCE, f"{memory.id} matters ({heard.salience}), and is lossy")
        must(is_abridgement(heard.text, memory.text),
             f"{memory.id} reads {memory.text!r}, which is no abridgement of {heard.text!r}")
        must(memory.fidelity is not None, f"{memory.id} is lossy, and no fidelity is stated")
        assert memory.fidelity is not None
        measured, floors = measure(heard.text, memory.text), limits.tier_fidelity_floors[memory.tier]
        must(clears(measured, floors), f"{memory.id} in {memory.tier} has a fidelity of {measured}, below {floors}")
        must(all(stated <= true for stated, true in zip(_parts(memory.fidelity), _parts(measured), strict=True)),
             f"{memory.id} has a fidelity of {measured}, and states {memory.fidelity}")

    async def everything(self, brain: Hippo, questions: list[tuple[str, str]], *, budget: bool = False) -> Figures:
        """Looks at every memory and at all figures.

        Args:
            questions: each with the text that answers it; how many are answered among the first five is measured.
            budget: whether one may have forced memories below their tier (rule 3).
        """
        lossy: list[Fidelity] = []
        for one in self.known:
            memory = await _found(brain, one)
            self.reads(memory)
            self._in_its_tier(memory, budget=budget)
            if memory.fidelity is not None:
                lossy.append(memory.fidelity)
        answered = 0
        for question, text in questions:
            found = (await brain.recall(question, peek=True)).results
            for recollection in found:
                self.reads(recollection)
            answered += any(self.known[recollection.id].text == text for recollection in found)
        stats = await brain.stats(verify=True)
        self.adds_up(stats)
        lowest = Fidelity(*(min(parts) for parts in zip((1.0, 1.0, 1.0), *map(_parts, lossy), strict=True)))
        return Figures(stats, len(lossy), lowest, answered / max(len(questions), 1))

    def _in_its_tier(self, memory: Inspection, *, budget: bool) -> None:
        place = _TIERS.index(memory.tier)
        lowest, highest = (sum(memory.retention_now + edge < floor for floor in list(limits.tier_floors.values())[:-1])
                           for edge in (_ON_THE_EDGE, -_ON_THE_EDGE))
        if highest == 0 or (lowest == 0 and place == 1):
            highest = 1  # what was recalled is warm, not hot
        may_be_colder = budget or not memory.lossless
        must(lowest <= place and (may_be_colder or place <= highest),
             f"{memory.id} has a retention of {memory.retention_now:.3f}, and is {memory.tier}")

    def adds_up(self, stats: Stats) -> None:
        """Rules 1 and 4."""
        must(stats.memories == len(self.known), f"{len(self.known)} were stored, {stats.memories} are counted")
        must(stats.unrecoverable == 0 and not stats.damage, f"{stats.unrecoverable} cannot be read: {stats.damage}")
        must(sum(tier.count for tier in stats.tiers.values()) == stats.memories, "the tiers do not add up")
        raw = sum(len(heard.text.encode()) for heard in self.known.values())
        must(stats.raw_bytes == raw, f"{raw} bytes of text were stored, {stats.raw_bytes} are counted")
        parts = stats.content_bytes + stats.dictionary_bytes + stats.index_bytes + stats.journal_bytes
        must(parts == stats.total_bytes, f"the parts are {parts} bytes, the total says {stats.total_bytes}")
        counted = stats.total_bytes + stats.parity_bytes + stats.cache_bytes + stats.log_bytes
        present = sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())
        must(present == counted, f"the folder holds {present} bytes, {counted} are counted")

    def slept(self, report: Report) -> None:
        """What the report of a pass must say."""
        must(report.unrecoverable == 0, f"a pass found {report.unrecoverable} that cannot be read")
        must(report.memories == len(self.known), f"{len(self.known)} were stored, a pass counted {report.memories}")
        for name, tier in report.tiers.items():
            rouge_l, char, semantic = limits.tier_fidelity_floors[name]
            must(tier.after.rouge_l_min >= rouge_l and tier.after.char_similarity >= char
                 and tier.after.semantic >= semantic, f"the report says of {name}: {tier.after}")

    # The budget

    def warned(self, stats: Stats, alerts: list[str | None]) -> None:
        """Rule 5.

        Args:
            stats: after a pass. alerts: those of answers given at the same moment.
        """
        must(stats.budget_bytes is not None, "stats know of no budget")
        assert stats.budget_bytes is not None
        over = stats.total_bytes > stats.budget_bytes
        must(stats.over_budget == over,
             f"{stats.total_bytes} bytes of {stats.budget_bytes}, and over_budget says {stats.over_budget}")
        if not over:
            must(not stats.alert and not any(alerts), f"an alert within the budget: {stats.alert} {alerts}")
            return
        must(bool(stats.alert) and all(alert == stats.alert for alert in alerts),
             f"over the budget stats say {stats.alert!r}, and answers {alerts}")
        named = [int(number.replace(",", "")) for number in _NUMBER.findall(stats.alert or "")]
        must(stats.total_bytes in named, f"the total is {stats.total_bytes}, and the alert says {stats.alert!r}")


async def _found(brain: Hippo, one: str) -> Inspection:
    try:
        return await brain.inspect(one)
    except HippoError as error:
        raise PromiseBroken(f"{one} was stored, and now: {error}") from error


def lived(life: Callable[..., Awaitable[R]], *args: Any) -> R:
    """Runs a life to its end.

    Raises:
        PromiseBroken: what it says, alone and not in a group of the tasks it had to stop.
    """
    try:
        return trio.run(life, *args)
    except BaseExceptionGroup as group:
        found: BaseException | None = group.subgroup(PromiseBroken)
        while isinstance(found, BaseExceptionGroup):
            found = found.exceptions[0]
        if found is None:
            raise
        raise found from group


def _parts(fidelity: Fidelity) -> tuple[float, float, float]:
    return fidelity.rouge_l, fidelity.char_similarity, fidelity.semantic
