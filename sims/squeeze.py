"""A budget squeezed: `python -m sims.squeeze [--memories N] [--days N] [--budgets B,B,…] [--seed N]`.

1. The same two weeks of one household are lived under one budget after another, from generous to absurd.
2. Nothing is ever deleted, and no floor of fidelity gives way. Where that leaves the store over its budget, `stats` and
   every answer say so, with the very total; the parts are the total, and all of them together are the folder.

Ends non-zero when one of that is not so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hippo.library import Hippo
from sims.checks import Figures, Witness, lived
from sims.corpus import Corpus, Heard, corpus
from sims.promises import PromiseBroken
from sims.year import live_day, night, open_frozen, print_row

BUDGET_BYTES = 5_000
BUDGETS = (1_000_000, 12_000, 9_000, 7_000, BUDGET_BYTES, 2_500, 500, 1)
_TITLES = ("budget", "total", "over", "content", "dict", "index", "journal", "raw/total", "hot", "warm", "cool", "cold",
           "lossy", "ROUGE-L", "R@5", "lost")


async def squeeze(said: Corpus, budget_bytes: int, folder: Path) -> Figures:
    """Lives a corpus under a budget.

    Args:
        folder: of the store, empty.

    Raises:
        PromiseBroken: what it says.
    """
    witness = Witness(folder)
    async with open_frozen(folder, budget_bytes=budget_bytes) as brain:
        for day in range(said.days):
            await live_day(brain, witness, said, day)
            await night(brain, witness)
            stats = await brain.stats()
            witness.adds_up(stats)
            witness.warned(stats, await _alerts(brain, witness))
    # The alert is derived, not stored: it has to be there after a start, too.
    async with open_frozen(folder, budget_bytes=budget_bytes) as brain:
        figures = await witness.everything(brain, said.questions, budget=True)
        witness.warned(figures.stats, await _alerts(brain, witness))
    return figures


async def _alerts(brain: Hippo, witness: Witness) -> list[str | None]:
    """What answers of several kinds say about the budget; nothing of it changes a byte."""
    known: dict[str, Heard] = witness.known
    if not known:
        return []
    latest, heard = list(known.items())[-1]
    return [(await brain.recall(heard.text, peek=True)).alert, (await brain.recall()).alert,
            (await brain.inspect(latest)).alert, (await brain.memories()).alert]


def _row(budget_bytes: int, figures: Figures) -> Iterator[str]:
    stats = figures.stats
    yield from (str(budget_bytes), str(stats.total_bytes), "yes" if stats.over_budget else "no")
    yield from (str(size) for size in (
        stats.content_bytes, stats.dictionary_bytes, stats.index_bytes, stats.journal_bytes))
    yield f"{stats.raw_bytes / max(stats.total_bytes, 1):.2f}"
    yield from (str(tier.count) for tier in stats.tiers.values())
    yield from (str(figures.lossy), f"{figures.lowest.rouge_l:.3f}", f"{figures.answered:.3f}")
    yield str(stats.unrecoverable)


def main() -> int:
    """Squeezes as the command line asks; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.squeeze", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=52)
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--budgets", type=lambda listed: tuple(int(one) for one in listed.split(",")), default=BUDGETS,
                        help="bytes, with commas between")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    said = corpus(given.memories, given.days, given.seed)
    raw = sum(len(one.text.encode()) for one in said.heard)
    print(f"seed {given.seed}: {given.memories} memories, {raw} bytes of text, in {given.days} days", flush=True)
    print_row(_TITLES, _TITLES)
    broken = 0
    for budget_bytes in given.budgets:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                print_row(tuple(_row(budget_bytes, lived(squeeze, said, budget_bytes, Path(scratch)))), _TITLES)
            except PromiseBroken as promise:
                broken += 1
                print(f"{budget_bytes}: a promise is broken: {promise}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
