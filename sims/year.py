"""A year of one household: `python -m sims.year [--memories N] [--days N] [--nights N] [--seed N]`.

1. The real daemon runs in this process on a real folder, with a frozen clock that is skipped from day to day.
2. Every day the household says what it says and asks what it asks; every night there is a pass. After `--days` it
   falls silent, and the nights go on to the end of the year.
3. Every month the daemon is closed and opened again, and every promise of `sims/checks.py` is checked.

The table shows what a month has made of the store. Ends non-zero when a promise breaks.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from hippo.library import Hippo
from sims.checks import Figures, Witness, lived
from sims.corpus import START_MS, Corpus, corpus
from sims.promises import PromiseBroken, must

EVENING_MS = 23 * 3_600_000  # when the day is told: everything of it has been said by then
_MONTH_DAYS = 30
_TITLES = ("day", "memories", "hot", "warm", "cool", "cold", "content", "dict", "index", "journal", "total",
           "raw/content", "raw/total", "lossy", "ROUGE-L", "char", "cosine", "R@5", "lost")


async def live_day(brain: Hippo, witness: Witness, said: Corpus, day: int) -> None:
    """One evening: everything of the day is stored, and what was asked is asked."""
    heard, asked = said.of_day(day)
    for one in heard:
        stored = await brain.remember(one.text, kind=one.kind, entity=one.entity, conversation=one.conversation,
                                      created_at=one.at, salience=one.salience)
        witness.stored(stored.id, one)
    for question in asked:
        for memory in (await brain.recall(question.cue)).results:
            witness.reads(memory)


async def night(brain: Hippo, witness: Witness) -> None:
    """A day passes, and there is a pass of sleep."""
    witness.slept(await brain.timeskip(1))
    witness.slept(await brain.sleep())


async def live(said: Corpus, nights: int, folder: Path) -> None:
    """Lives a corpus and then night after night.

    Args:
        nights: in all, those of the corpus included. folder: of the store, empty.

    Raises:
        PromiseBroken: what it says.
    """
    witness = Witness(folder)
    began = time.monotonic()
    for start in range(0, nights, _MONTH_DAYS):
        async with open_frozen(folder) as brain:
            if start:
                witness.adds_up(await brain.stats(verify=True))
            for day in range(start, min(start + _MONTH_DAYS, nights)):
                if day < said.days:
                    await live_day(brain, witness, said, day)
                await night(brain, witness)
            questions = [pair for pair in said.questions if pair[1] in {one.text for one in witness.known.values()}]
            figures = await witness.everything(brain, questions)
        print_row(row(min(start + _MONTH_DAYS, nights), figures))
    must(figures.stats.memories == len(said.heard), f"{figures.stats.memories} of {len(said.heard)} are left")
    print(f"every promise kept over {nights} nights, in {time.monotonic() - began:.0f} s")


def open_frozen(folder: Path, **settings: Any) -> AbstractAsyncContextManager[Hippo]:
    """The real daemon in this process, its clock frozen at the first evening but for skips."""
    return Hippo.open(folder, epoch=str(START_MS + EVENING_MS), tz="UTC", **settings)


def row(day: int, figures: Figures) -> Iterator[str]:
    """One line of the table."""
    stats = figures.stats
    yield from (str(day), str(stats.memories), *(str(tier.count) for tier in stats.tiers.values()))
    yield from (str(size) for size in (stats.content_bytes, stats.dictionary_bytes, stats.index_bytes,
                                       stats.journal_bytes, stats.total_bytes))
    yield from (f"{stats.raw_bytes / max(part, 1):.2f}" for part in (
        stats.content_bytes + stats.dictionary_bytes, stats.total_bytes))
    yield str(figures.lossy)
    yield from (f"{part:.3f}" for part in (
        figures.lowest.rouge_l, figures.lowest.char_similarity, figures.lowest.semantic, figures.answered))
    yield str(stats.unrecoverable)


def print_row(cells: Iterator[str] | tuple[str, ...], titles: tuple[str, ...] = _TITLES) -> None:
    """A line of a table, right-aligned under its titles."""
    print("  ".join(cell.rjust(max(len(title), 5)) for cell, title in zip(cells, titles, strict=True)), flush=True)


def main() -> int:
    """Lives the year that the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.year", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=290)
    parser.add_argument("--days", type=int, default=60, help="over which they are said")
    parser.add_argument("--nights", type=int, default=365, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"seed {given.seed}: {given.memories} memories in {given.days} days, {given.nights} nights", flush=True)
    print_row(_TITLES)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            lived(live, corpus(given.memories, given.days, given.seed), given.nights, Path(scratch))
        except PromiseBroken as broken:
            print(f"a promise is broken: {broken}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
