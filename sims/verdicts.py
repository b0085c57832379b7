"""What a new memory is to an old one, on pairs written by hand: `python -m sims.verdicts`.

Each pair of `sims/pairs/*.toml` says what a sensible person wants: that the old memory is strengthened, that one of the
two supersedes the other, that both stay and are reported as a conflict, or that both stay. The vectors are those of the
default embedder, the judgement is `hippo.mind.verdicts`. Printed are precision and recall of each verdict, what each
kind of pair comes to, and every error.

Ends non-zero when two memories that say different things are made one: a correction would be lost.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hippo import limits
from hippo.embed.embedder import Embedder, open_embedder
from hippo.mind.verdicts import Neighbour, Newcomer, judge

VERDICTS = ("strengthened", "superseded", "conflict", "separate")
MERGED = VERDICTS[:2]
_FOLDER = Path(__file__).parent / "pairs"
_EARLIER_MS = 1_735_725_600_000  # ten in the morning of a Wednesday
_LATER_MS = 3 * 60 * 60 * 1000  # the same day still


class Pair(NamedTuple):
    """Two texts, what they are about, how many days lie between, and what a sensible person wants of them."""

    kind: str
    what: str
    earlier: str
    later: str
    expect: str
    days: int
    entity: str | None
    entity_after: str | None
    append_only: bool
    correction: bool


class Judged(NamedTuple):
    """A pair, its similarity on the reference scale, and what it came to."""

    pair: Pair
    similarity: float
    verdict: str

    @property
    def is_lost(self) -> bool:
        """Whether what is different was made one."""
        return self.verdict in MERGED and self.pair.expect not in MERGED


def read_pairs(folder: Path = _FOLDER) -> list[Pair]:
    """All pairs, file by file, as they are written."""
    pairs = []
    for file in sorted(folder.glob("*.toml")):
        for group in tomllib.loads(file.read_text("utf-8"))["group"]:
            assert group["expect"] in VERDICTS, group
            entity = group.get("entity")
            pairs += [Pair(file.stem, group["what"], earlier, later, group["expect"], group["days"], entity,
                           group.get("entity_after", entity), group.get("append_only", False),
                           group.get("correction", False)) for earlier, later in group["pairs"]]
    return pairs


def judged(pairs: Sequence[Pair], embedder: Embedder) -> list[Judged]:
    """What each pair comes to when the later text is remembered and the earlier one is all there is."""
    earlier, later = (embedder.embed(texts).vectors for texts in ([p.earlier for p in pairs], [p.later for p in pairs]))
    similar = embedder.calibrate(np.einsum("nd,nd->n", earlier, later)).tolist()
    return [Judged(pair, alike, _verdict(pair, alike)) for pair, alike in zip(pairs, similar, strict=True)]


def _verdict(pair: Pair, similarity: float) -> str:
    moment = _EARLIER_MS + _LATER_MS + pair.days * limits.ms_per_day
    found = judge(Newcomer(pair.later, pair.entity_after, moment, pair.append_only),
                  [Neighbour(0, pair.earlier, pair.entity, _EARLIER_MS, similarity)])
    if found.action != "stored":
        return found.action
    return "conflict" if any(near.conflicts for near in found.near) else "separate"


def table(results: Sequence[Judged]) -> list[str]:
    """Precision and recall of each verdict, and of making one memory of two by either name."""
    rows = [f"{'verdict':14}{'expected':>9}{'given':>7}{'right':>7}{'precision':>11}{'recall':>8}"]
    for name, these in (*((verdict, (verdict,)) for verdict in VERDICTS), ("one of two", MERGED)):
        expected = sum(one.pair.expect in these for one in results)
        given = sum(one.verdict in these for one in results)
        right = sum(one.verdict in these and one.pair.expect in these for one in results)
        rows.append(f"{name:14}{expected:9}{given:7}{right:7}{_share(right, given):>11}{_share(right, expected):>8}")
    return rows


def _share(right: int, of: int) -> str:
    return f"{right / of:.2f}" if of else "-"


def by_kind(results: Iterable[Judged]) -> list[str]:
    """What the pairs of each group came to."""
    groups: dict[tuple[str, str, str], Counter[str]] = {}
    for one in results:
        groups.setdefault((one.pair.kind, one.pair.what, one.pair.expect), Counter())[one.verdict] += 1
    return [f"{kind + ': ' + what:72}{expect:13}{', '.join(f'{count} {name}' for name, count in counts.most_common())}"
            for (kind, what, expect), counts in groups.items()]


def errors(results: Iterable[Judged]) -> list[str]:
    """Each pair that came to something else than a sensible person wants."""
    return [f"{'LOST ' if one.is_lost else ''}{one.pair.expect} -> {one.verdict} ({one.similarity:.3f}, "
            f"{one.pair.kind}: {one.pair.what}): {one.pair.earlier!r} / {one.pair.later!r}"
            for one in results if one.verdict != one.pair.expect]


def main() -> int:
    """Judges all pairs and prints what came of it; the exit code."""
    results = judged(read_pairs(), open_embedder("wordllama"))
    corrections = sum(one.pair.correction for one in results)
    lost = sum(one.is_lost for one in results)
    print(f"{len(results)} pairs, {corrections} of them corrections\n")
    print("\n".join((*table(results), "", *by_kind(results), "", *errors(results))))
    print(f"\n{lost} of {sum(one.pair.expect not in MERGED for one in results)} that say different things made one")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
