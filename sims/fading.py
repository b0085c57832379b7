"""Everything that could be abridged is: `python -m sims.fading [--memories N] [--seeds N] [--seed N] [--texts FILE]`.

A daemon abridges only where that is worth it, which is rare. Here every text of many households is abridged at the
floors of both tiers, against the text before it as its schema and against none, and what comes out is held against what
was said by means of its own:

1. Its words are, in order, some of the original's: nothing is said that was not said.
2. Its facts (numbers, dates, names, negations, hedges, quantifiers, quotations, paths, code) are the original's.
3. Measured again, its fidelity clears the floors of its tier, also as it is stored.

`--texts` takes further texts, one a line. Ends non-zero when one of these breaks, and prints the first that does.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from hippo.limits import tier_fidelity_floors
from hippo.text.facts import facts
from hippo.text.fidelity import from_steps, measure, to_steps
from hippo.text.residual import abridge
from sims.corpus import corpus
from sims.people import episodes

_TIERS = ("cool", "cold")
_DAYS = 365
_WORD = re.compile(r"\w+(?:['’.,:/@-]\w+)*")
_START_MS = 1_735_689_600_000


def household(seed: int, count: int) -> list[str]:
    """What one household says: half of it to an assistant of its own, half in the words of `sims.people`."""
    own = [one.text for one in corpus(count // 2, days=_DAYS, seed=seed).heard]
    return own + [one.text for one in episodes(seed, count - len(own), _START_MS)]


def faults(texts: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """How often which tier abridged and what that saved, and what broke, in sentences."""
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for before, text in zip(["", *texts], texts, strict=False):
        for tier in _TIERS:
            for schema in {before, ""}:
                found = abridge(text, schema, tier_fidelity_floors[tier], keep_one=tier == "cold")
                counts[f"{tier} tried"] += 1
                if found is None:
                    continue
                counts[f"{tier} abridged"] += 1
                counts[f"{tier} characters gone"] += len(text) - len(found.text)
                broken += [f"{tier}: {why}: {text!r} became {found.text!r}" for why in _wrong(text, found.text, tier)]
    counts["characters"] = sum(map(len, texts))
    return counts, broken


def _wrong(said: str, left: str, tier: str) -> Iterator[str]:
    # Words without what stands around them: the full stop moves up to the last word that is left.
    rest = iter(_WORD.findall(said))
    if not all(any(word == other for other in rest) for word in _WORD.findall(left)):
        yield "it says what was not said"
    if facts(said) != facts(left):
        yield "a fact is lost"
    close = from_steps(to_steps(measure(said, left)))
    if any(reached < floor for reached, floor in zip(
            (close.rouge_l, close.char_similarity, close.semantic), tier_fidelity_floors[tier], strict=True)):
        yield f"it is below a floor ({close})"


def _of_seed(given: tuple[int, int]) -> tuple[Counter[str], list[str]]:
    return faults(household(*given))


def _told(batches: Iterable[tuple[Counter[str], list[str]]]) -> int:
    counts, broken = Counter[str](), list[str]()
    for some, wrong in batches:
        counts.update(some)
        broken += wrong
    for name, count in sorted(counts.items()):
        print(f"{name:24} {count:12,}")
    for sentence in broken[:5]:
        print(sentence)
    print(f"{len(broken)} broken")
    return 1 if broken else 0


def main() -> int:
    """Abridges what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.fading", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000, help="of each household")
    parser.add_argument("--seeds", type=int, default=20, help="how many households, from --seed on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=Path)
    given = parser.parse_args()
    if given.texts is not None:
        print(given.texts.name)
        return _told([faults(given.texts.read_text("utf-8").splitlines())])
    seeds = range(given.seed, given.seed + given.seeds)
    print(f"seeds {seeds.start} to {seeds.stop - 1}, {given.memories} memories each", flush=True)
    with ProcessPoolExecutor(2) as pool:
        return _told(pool.map(_of_seed, [(seed, given.memories) for seed in seeds]))


if __name__ == "__main__":
    sys.exit(main())
