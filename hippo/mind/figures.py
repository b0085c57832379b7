"""The figures of tiers: what the graph knows of memories and what the writer knows of packs, put together.

1. A tier's stored bytes are its share, by raw bytes, of every file it lies in: dead rows are paid for by the living.
2. A journal holds texts as they are.
3. Codecs are counted by row; where a pack has several, a tier's rows in it have them in the same proportion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec.structs import astuple, replace
from numpy.typing import NDArray

from hippo.limits import tier_ratios
from hippo.mind.shelving import SETS
from hippo.mind.tiering import TIERS
from hippo.model.batch import Batch, Column
from hippo.model.memory import Fidelity, is_log
from hippo.model.report import PackFigures, TierFigures

JOURNAL = "journal"
Faded = tuple[int, Fidelity]  # ordinal, and how close what is left is to what was


def stored(tiers: dict[str, TierFigures], by_file: dict[int, dict[str, tuple[int, int]]],
           packs: dict[int, PackFigures]) -> dict[str, TierFigures]:
    """The tiers with stored bytes, ratio and codecs.

    Args:
        tiers: counts, raw bytes and fidelity. by_file: file -> tier -> (memories, raw bytes) in it.
    """
    weights = dict.fromkeys(tiers, 0.0)
    codecs: dict[str, Counter[str]] = {name: Counter() for name in tiers}
    for number, shares in by_file.items():
        pack = packs.get(number)
        total = sum(raw for _, raw in shares.values())
        for tier, (memories, raw) in shares.items():
            weights[tier] += raw if pack is None else pack.stored_bytes * raw / max(total, 1)
            codecs[tier].update({JOURNAL: memories} if pack is None else _proportionally(memories, pack.codecs))
    return {name: replace(
        figures, stored_bytes=round(weights[name]), codecs=dict(sorted((+codecs[name]).items())),
        ratio=round(figures.raw_bytes / weights[name], 3) if weights[name] else 1.0)
        for name, figures in tiers.items()}


def _proportionally(memories: int, codecs: dict[str, int]) -> dict[str, int]:
    """So many memories, shared out as the rows of a pack are."""
    rows, given, shared = sum(codecs.values()), 0, {}
    reached = 0
    for name, count in sorted(codecs.items()):
        reached += count
        shared[name] = memories * reached // max(rows, 1) - given
        given += shared[name]
    return shared


class Forecast:
    """What the tiers will be once batches have been written anew.

    Args:
        tiers: as planned, with fidelity as it is. by_file: as for `stored`, by the planned tiers. packs: as they are.
    """

    def __init__(self, tiers: dict[str, TierFigures], by_file: dict[int, dict[str, tuple[int, int]]],
                 packs: dict[int, PackFigures]) -> None:
        self._tiers = dict(tiers)
        self._by_file = {number: dict(shares) for number, shares in by_file.items()}
        self._packs = dict(packs)

    def takes(self, batch: Batch, stored_bytes: int | None, codecs: dict[str, int], faded: Sequence[Faded]) -> None:
        """A batch leaves its files for a pack of its own; one of logged messages is in no tier's figures.

        Args:
            stored_bytes: of that pack; None: it will be as dense as what its set holds by now, or as it aims to be.
            codecs: rows by codec. faded: what is abridged in it.
        """
        if is_log(batch.agent):
            return
        name, raw = SETS[batch.tier_set], int(batch.raw_bytes.sum())
        number = -1 - len(self._packs)
        cells, at, counts = np.unique(np.stack([batch.places.file.astype(np.int64), batch.tier.astype(np.int64)]),
                                      axis=1, return_inverse=True, return_counts=True)
        sizes = np.bincount(at, weights=batch.raw_bytes).astype(np.int64)
        home = self._by_file.setdefault(number, {})
        for (file, tier), count, size in zip(cells.T.tolist(), counts.tolist(), sizes.tolist(), strict=True):
            shares = self._by_file.get(file, {})
            left = shares.get(TIERS[tier], (0, 0))
            shares[TIERS[tier]] = left[0] - count, left[1] - size
            come = home.get(TIERS[tier], (0, 0))
            home[TIERS[tier]] = come[0] + count, come[1] + size
        if stored_bytes is None:
            stored_bytes = round(raw / self._ratio(name))
        self._packs[number] = PackFigures(agent=batch.agent, tier_set=name, rows=len(at), raw_bytes=raw,
                                          stored_bytes=stored_bytes, codecs=codecs)
        if faded:
            mine = batch.rows_of([ordinal for ordinal, _ in faded])
            self._fade(batch.tier[mine], np.array([astuple(fidelity) for _, fidelity in faded]))

    def _ratio(self, tier_set: str) -> float:
        mine = [pack for pack in self._packs.values() if pack.tier_set == tier_set and not is_log(pack.agent)]
        stored_bytes = sum(pack.stored_bytes for pack in mine)
        return sum(pack.raw_bytes for pack in mine) / stored_bytes if stored_bytes else tier_ratios[tier_set]

    def _fade(self, tiers: Column, fidelity: NDArray[np.float64]) -> None:
        """Memories of some tiers, one each, are as close to what was said as `fidelity`[n, 3] says."""
        for number in np.unique(tiers).tolist():
            mine, was = fidelity[tiers == number], self._tiers[TIERS[number]]
            lost = (1.0 - mine).sum(axis=0) / was.count
            self._tiers[TIERS[number]] = replace(
                was, rouge_l_mean=was.rouge_l_mean - float(lost[0]),
                rouge_l_min=min(was.rouge_l_min, float(mine[:, 0].min())),
                char_similarity=was.char_similarity - float(lost[1]), semantic=was.semantic - float(lost[2]))

    def tiers(self) -> dict[str, TierFigures]:
        """The tiers' figures then."""
        return stored({name: replace(
            figures, rouge_l_mean=round(figures.rouge_l_mean, 4), char_similarity=round(figures.char_similarity, 4),
            semantic=round(figures.semantic, 4)) for name, figures in self._tiers.items()}, self._by_file, self._packs)
