"""From text to the terms of the lexical index: what is said in two spellings becomes one term.

1. Folding is for comparison only: NFKC, case, width, and the accents of European scripts are folded away; what was
   stored stays as it was given.
2. A word is a run of letters and digits; English words are stemmed (Snowball, the Porter2 rules), possessives and
   `n't` go with their apostrophe.
3. What is joined by punctuation without a space (a code, a number, an address, a path) gives each part and all parts
   written together: `gpt-4`, `GPT 4` and `gpt4` find each other.
4. Scripts written without spaces give every character and every two neighbours, so that a cue of one character finds.
5. Stop words are indexed, and dropped from a cue that has any other word: `it is` alone still finds.
6. Control characters, emoji and punctuation are no terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

import Stemmer  # type: ignore[import-not-found]  # a C module without stubs

from hippo import limits

SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_JOINED = re.compile(rf"[{SPACELESS}]+|[^\W{SPACELESS}]+(?:[^\w\s]{{1,3}}[^\W{SPACELESS}]+)*")
_PART = re.compile(r"[^\W_]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_APOSTROPHE = re.compile("(?:(?<!ca)n)?['\u2019\u02bc]t$|['\u2019\u02bc](?:s|d|m|re|ve|ll)$")
_IS_SPACELESS = re.compile(f"[{SPACELESS}]").match
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")
_stem: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord

_ARTICLES_AND_POINTERS = "a an the this that these those there"
_PERSONS = "i me my mine you your yours he him his she her hers it its we our ours they them their theirs"
_AUXILIARIES = "am is are was were be been being have has had having do does did doing will would"
_JOINERS = "of to in on at for from with by as into and or but if so than then"
_ASKERS = "what which who whom whose when where why how"
STOP_WORDS = frozenset(" ".join((_ARTICLES_AND_POINTERS, _PERSONS, _AUXILIARIES, _JOINERS, _ASKERS)).split())


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC, case folded, without European accents.

    Args:
        text: Any text.

    Returns:
        The folded text; folding it again changes nothing that a term is made of.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", _ACCENT.sub("", unicodedata.normalize("NFD", folded)))


@lru_cache(maxsize=limits.stem_words_kept)
def _term(word: str) -> str:
    return _stem(word) if word.isascii() and word.isalpha() and word not in STOP_WORDS else word


def analyse(text: str) -> list[str]:
    """The terms of a text, in the order of the text, repeats kept.

    Args:
        text: Any text, also with lone surrogates.

    Returns:
        Terms without white space; none longer than `limits.term_characters_max`.
    """
    terms: list[str] = []
    for match in _JOINED.finditer(fold(text)):
        run = match.group()
        if _IS_SPACELESS(run):
            terms.extend(run)
            terms.extend(map("".join, pairwise(run)))
            continue
        parts = _PART.findall(_APOSTROPHE.sub("", run))
        terms.extend(_term(part)[: limits.term_characters_max] for part in parts)
        if len(parts) > 1:
            terms.append("".join(parts)[: limits.term_characters_max])
    return terms


def date_words(at_ms: int) -> str:
    """A UTC instant as a person would say its day, and as one word: `7 May 2023 20230507`.

    Args:
        at_ms: UTC milliseconds; instants outside the years 1 to 9999 give no words.
    """
    try:
        day = _EPOCH + timedelta(milliseconds=at_ms)
    except OverflowError:
        return ""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year} {day:%Y%m%d}"


def index_terms(text: str, created_at_ms: int, entity: str, tags: Iterable[str]) -> list[str]:
    """What a memory is found by: its text, its date in words, its entity and its tags.

    Args:
        text: The memory's text.
        created_at_ms: When it was said, UTC milliseconds.
        entity: What it is about, or the empty string.
        tags: Its labels.

    Returns:
        Terms, repeats kept.
    """
    return analyse("\n".join((text, date_words(created_at_ms), entity, *tags)))


def cue_terms(cue: str) -> list[str]:
    """The terms a cue looks for, each once: without stop words, unless it has no other words.

    Args:
        cue: What is asked.

    Returns:
        Distinct terms in the order of the cue; empty only when the cue has no letter and no digit.
    """
    terms = list(dict.fromkeys(analyse(cue)))
    return [term for term in terms if term not in STOP_WORDS] or terms
