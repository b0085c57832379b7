"""The vocabulary: words that have a code of one or two bytes, shipped with the package.

1. Codes are on disk in every block that went through `words`: the file never changes, nor do the rules below.
2. The file names words by how they are inflected: `as` they stand, `noun`, `verb`, `doubling` (verbs that double their
   last letter); `short` are the most frequent ones, which get the codes of one byte. Forms that nobody uses cost
   nothing but their code.
3. Two-byte codes open with a *lead*; a lead is no other code, and never the second byte of one. So a reader sees where
   codes begin without reading from the start, which lets it read all of them at once.

Written for this project out of everyday English: home, family, work, software, health, travel, dates, names, places.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]

LITERALS = frozenset((0, 10, *range(0x20, 0x7F)))  # bytes that stand for themselves; NUL and newline end a row
FLIP, SPACE, BOTH, UPPER, SPELLED = 1, 2, 3, 4, 5  # codes that are no words: `words` has their meaning
SYMBOLS = {6: "’", 7: "“", 8: "”", 9: "–", 11: "—", 12: "…"}
SHORT_MIN, LEAD_MIN = 13, 218
_SHORT_CODES = [code for code in range(SHORT_MIN, LEAD_MIN) if code not in LITERALS]
_FORMS = ("as", "verb", "verbs", "ed", "ing", "noun", "nouns")


class Vocabulary(NamedTuple):
    """Every word with a code, in the order of the codes, and the code of each."""

    words: list[str]
    codes: dict[bytes, bytes]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The shipped vocabulary; read when it is first needed."""
    text = brotli.decompress(files("hippo.codec").joinpath("words.br").read_bytes()).decode()
    short: list[str] = []
    by_form: dict[str, list[str]] = {form: [] for form in _FORMS}
    seen: set[str] = set()
    for line in text.splitlines():
        kind, *stems = line.split(" ")
        for stem in stems:
            for form, word in inflected(kind, stem):
                if word not in seen:
                    seen.add(word)
                    (short if form == "short" else by_form[form]).append(word)
    others = [word for form in _FORMS for word in by_form[form]]
    assert len(short) == len(_SHORT_CODES) and len(others) <= (256 - LEAD_MIN) * LEAD_MIN
    codes = {word.encode(): bytes((code,)) for word, code in zip(short, _SHORT_CODES, strict=True)}
    codes |= {word.encode(): bytes((LEAD_MIN + at // LEAD_MIN, at % LEAD_MIN)) for at, word in enumerate(others)}
    return Vocabulary([*short, *others], codes)


def inflected(kind: str, stem: str) -> Iterator[tuple[str, str]]:
    """The forms of a word of some kind, each with the name of the form."""
    if kind == "noun":
        yield from (("noun", stem), ("nouns", _with_s(stem)))
    elif kind in ("verb", "doubling"):
        doubled = stem + stem[-1] if kind == "doubling" else stem
        yield from (("verb", stem), ("verbs", _with_s(stem)), ("ed", _with_ed(stem, doubled)),
                    ("ing", _with_ing(stem, doubled)))
    else:
        yield kind, stem


def _ends_in_consonant_and_y(stem: str) -> bool:
    return stem.endswith("y") and stem[-2:-1] not in "aeiou"


def _with_s(stem: str) -> str:
    if stem.endswith(("s", "x", "z", "ch", "sh")):
        return stem + "es"
    return stem[:-1] + "ies" if _ends_in_consonant_and_y(stem) else stem + "s"


def _with_ed(stem: str, doubled: str) -> str:
    if stem.endswith("e"):
        return stem + "d"
    return stem[:-1] + "ied" if _ends_in_consonant_and_y(stem) else doubled + "ed"


def _with_ing(stem: str, doubled: str) -> str:
    if stem.endswith("ie"):
        return stem[:-2] + "ying"
    return stem[:-1] + "ing" if stem.endswith("e") and not stem.endswith("ee") else doubled + "ing"
