"""Entities: when two names are one, which known names a text says, and which names may mean the same. Pure.

1. A name is folded to its words: NFKC and case are folded, accents stay; what separates words (white space, hyphens and
   dashes, underscores) becomes one space between words of scripts that write one, and nothing elsewhere. So
   `Anna-Maria`, `anna_maria` and `ANNA MARIA` are one, and so are `山田 太郎` and `山田太郎`. `AnnaMaria` is another:
   what is thought different is kept twice, what is thought equal would be lost.
2. A text names an entity where it says all its words in their order, and they are whole: `Ann` is not in `Anna`. In
   scripts written without spaces every character counts as a word. `+` and `#` that end a word belong to it:
   `Notepad` is not in `Notepad++`.
3. The longest name wins, from left to right: where `New York` is, `York` is not.
4. A name too short to be sure of is not looked for: one letter or digit, or nothing but punctuation and pictures. One
   ideograph is, and found where no other stands beside it: `猫` in `猫が好き`, not in `熊猫`.
5. A name that is a word of every text (`Will`, `IT`) is found only in the capitals in which it was first written.
6. Names may mean the same when the words of one all have a partner in the other: an equal word, one of nearly the same
   letters, or its initial. Two names that each have a word the other has not are two (`Bob Smith`, `Robert Smith`), and
   so are names with other numbers, or in another order; a measure of all characters at once gets these wrong.
7. Characters of scripts without spaces mean more than letters do: one may be missing (`小明`, `王小明`), none may
   differ (`北京`, `南京`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from unicodedata import normalize

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from hippo import limits
from hippo.text.tokens import SPACELESS, STOP_WORDS, fold

_LETTER = rf"[^\W_{SPACELESS}]"
_MARKS = (  # within words of scripts with word boundaries: Python does not count them among word characters
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u200c\u200d")
_SPELLED = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*(?:[+#]+(?!{_LETTER}))?"
_TOKEN = re.compile(rf"{_SPELLED}|[^\s_\-\u2010-\u2015\u2212]")
_WORD = re.compile(rf"{_SPELLED}|[{SPACELESS}]+")
_OPENS_WORD = re.compile(_LETTER).match
_HAS_LETTER = re.compile(r"[^\W_]").search
_IS_SPACELESS = re.compile(f"[{SPACELESS}]").match
_IDEOGRAPH = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")
_ROUNDING = 1e-6  # a likeness of just the floor counts
_IN_EVERY_TEXT = STOP_WORDS | {"all", "can", "may", "no", "not"}


def fold_name(name: str) -> str:
    """The form in which names are compared (rule 1).

    Args:
        name: Any name.

    Returns:
        The folded name; folding it again changes nothing. A name of nothing but separators folds to itself, so that it
        is never empty unless the name is.
    """
    return _joined(_folded(token) for token in _TOKEN.findall(_plain(name))) or name


def _plain(text: str) -> str:
    return text if text.isascii() else normalize("NFKC", text).translate(_APOSTROPHES)


@lru_cache(maxsize=limits.stem_words_kept)
def _folded(token: str) -> str:
    return token.lower() if token.isascii() else normalize("NFKC", token.casefold())


def _joined(tokens: Iterable[str]) -> str:
    """Tokens as a name: with a space between two words, so that they come apart again as they were."""
    name = "".join(f" {token}" if _OPENS_WORD(before) and _OPENS_WORD(token) else token
                   for before, token in pairwise(("", *tokens)))
    return normalize("NFKC", name)  # an accent that stood alone is on a letter now


class _Node:
    """Where some words lead: by the next word to a longer name, and to the name that they are, if they are one."""

    __slots__ = ("name", "next")

    def __init__(self) -> None:
        self.name = ""
        self.next: dict[str, _Node] = {}


class Mentions:
    """The names of known entities, to be found in texts: a tree of their words, so that the cost of a text depends on
    its length, not on how many names are known."""

    def __init__(self) -> None:
        self._root = _Node()
        self._written: dict[str, str] = {}  # of names that are words of every text

    def add(self, name: str) -> None:
        """Makes a name known. One that folds to a known one changes nothing.

        Args:
            name: As it was first written.
        """
        folded = fold_name(name)
        if not (_HAS_LETTER(folded) if len(folded) > 1 else _IDEOGRAPH.match(folded)):
            return
        if folded in _IN_EVERY_TEXT:
            self._written.setdefault(folded, _TOKEN.findall(_plain(name))[0])
        node = self._root
        for token in _TOKEN.findall(folded):
            node = node.next.setdefault(token, _Node())
        node.name = folded

    def discard(self, name: str) -> None:
        """Forgets a name, however it is written; one that is not known changes nothing."""
        folded = fold_name(name)
        path = [(self._root, "")]
        for token in _TOKEN.findall(folded):
            node = path[-1][0].next.get(token)
            if node is None:
                return
            path.append((node, token))
        path[-1][0].name = ""
        self._written.pop(folded, None)
        for (before, _), (node, token) in reversed(list(pairwise(path))):
            if node.name or node.next:
                return
            del before.next[token]

    def found_in(self, text: str) -> list[str]:
        """The known entities that a text names.

        Args:
            text: Any text.

        Returns:
            Their folded names, in the order of the first place of each.
        """
        plain = _plain(text)
        said = list(_TOKEN.finditer(plain))
        tokens = [_folded(match.group()) for match in said]
        found: dict[str, None] = {}
        after = 0
        for at, token in enumerate(tokens):
            if at >= after and token in self._root.next:
                name, end = self._longest(tokens, at)
                if name and self._is_meant(name, plain, said[at]):
                    found[name] = None
                    after = end
        return list(found)

    def _longest(self, tokens: Sequence[str], at: int) -> tuple[str, int]:
        """The longest name from a token on, and where it ends; an empty one where there is none."""
        name, end = "", at
        node = self._root.next.get(tokens[at])
        while node is not None:
            at += 1
            if node.name:
                name, end = node.name, at
            node = node.next.get(tokens[at]) if at < len(tokens) else None
        return name, end

    def _is_meant(self, name: str, plain: str, first: re.Match[str]) -> bool:
        """Rules 4 and 5, for a name whose first token this is."""
        if len(name) == 1:
            beside = plain[max(0, first.start() - 1):first.start()] + plain[first.end():first.end() + 1]
            return _IDEOGRAPH.search(beside) is None
        written = self._written.get(name)
        return written is None or (written != name and first.group() == written)


def similar_names(names: Sequence[str], floor: float = limits.similar_names_floor) -> list[tuple[str, str, float]]:
    """Names that may mean the same (rules 6 and 7).

    The likeness of two names is the share of their characters that lies in words with a partner, each pair of words
    counted as much as it is alike: by its longest common subsequence, 2·LCS / (both lengths) (the normalised Indel
    similarity), where that is 0.8 or above. Accents do not count. Names that differ in nothing but their gaps
    (`GitHub`, `Git Hub`) have 0.95.

    Args:
        names: In any order, repeats allowed.
        floor: The least likeness that is told, above 0.

    Returns:
        (name, other name, likeness), in order of the likeness, the largest first, and of equals by name; in a pair the
        lower name comes first. It depends on the names, not on their order.
    """
    distinct = sorted(set(names))
    parts = [_WORD.findall(fold(fold_name(name))) for name in distinct]
    words = [[word for word in some if not _has_digit(word)] for some in parts]
    numbers = [tuple(word for word in some if _has_digit(word)) for some in parts]
    kin = _kin(sorted({word for some in words for word in some}))
    likeness: dict[tuple[int, int], float] = {}
    for group in _alike(numbers):
        for one, other in _candidates(group, words, kin):
            worth = _agreement(words[one], words[other], sum(map(len, numbers[one])), kin)
            if worth >= floor:
                likeness[one, other] = worth
    together = [_without_gaps(some) or name for some, name in zip(parts, distinct, strict=True)]
    for worth, keys in ((limits.name_joined_likeness, together), (1.0, [fold_name(name) for name in distinct])):
        for group in _alike(keys) if worth >= floor else ():
            for pair in combinations(group, 2):
                likeness[pair] = max(worth, likeness.get(pair, 0.0))
    ranked = sorted((-worth, one, other) for (one, other), worth in likeness.items())
    return [(distinct[one], distinct[other], -worth) for worth, one, other in ranked]


def _alike(keys: Iterable[Hashable]) -> list[list[int]]:
    """The positions of equal keys, ascending."""
    groups: dict[Hashable, list[int]] = {}
    for position, key in enumerate(keys):
        groups.setdefault(key, []).append(position)
    return list(groups.values())


def _has_digit(word: str) -> bool:
    return any(letter.isdigit() for letter in word)


def _without_gaps(words: Iterable[str]) -> str:
    """A name written together, but for numbers: 1.1 is not 11."""
    together = ""
    for word in words:
        together += f".{word}" if together[-1:].isdigit() and word[0].isdigit() else word
    return together


def _kin(words: Sequence[str]) -> dict[str, dict[str, float]]:
    """The words that each word (distinct, sorted, without digits) may stand for, itself among them, with how alike they
    are."""
    kin = {word: {word: 1.0} for word in words}
    words = sorted(words, key=len)
    lengths = np.array([len(word) for word in words])
    for start in range(0, len(words), limits.name_words_at_once):
        some = words[start:start + limits.name_words_at_once]
        # A word this much longer shares too little, however much of the shorter one is in it.
        end = int(np.searchsorted(lengths, len(some[-1]) * (2 / limits.name_word_floor - 1), "right"))
        alike = cdist(some, words[start:end], scorer=Indel.normalized_similarity, dtype=np.float32, workers=1,
                      score_cutoff=limits.name_word_floor - _ROUNDING)
        for row, column in np.argwhere(np.triu(alike, 1)).tolist():
            one, other = some[row], words[start + column]
            if _may_differ(one, other):
                kin[one][other] = kin[other][one] = Indel.normalized_similarity(one, other)
    for initial in words:
        if not _tells(initial):
            for word in words:
                if _tells(word) and word.startswith(initial) and word.isalpha():
                    kin[initial][word] = kin[word][initial] = limits.name_initial_likeness
    return kin


def _may_differ(shorter: str, longer: str) -> bool:
    """Whether two words of nearly the same characters may be one: rule 7, and words of two letters are too short."""
    if _IS_SPACELESS(shorter) or _IS_SPACELESS(longer):
        return Indel.distance(shorter, longer) == len(longer) - len(shorter)
    return len(shorter) > 2


def _tells(word: str) -> bool:
    """Whether a word is more than an initial."""
    return len(word) > 1 or _IS_SPACELESS(word) is not None


def _candidates(group: Sequence[int], words: Sequence[Sequence[str]],
                kin: dict[str, dict[str, float]]) -> Iterator[tuple[int, int]]:
    """Pairs within a group of names (ascending) that may agree, each once.

    Of two names that do, one has a partner for every word: so it is enough to look, for each name, at those that share
    the one word of it that the fewest share. Or at all that share any of its words, not counting initials, where those
    are fewer.
    """
    holders: dict[str, list[int]] = {}
    for position in group:
        for word in dict.fromkeys(words[position]):
            holders.setdefault(word, []).append(position)
    shares = {word: [other for other in kin[word] if other in holders] for word in holders if _tells(word)}
    seen: set[tuple[int, int]] = set()
    for position in group:
        telling = [shares[word] for word in words[position] if _tells(word)]
        if not telling:
            continue
        ways = [*telling, [other for some in telling for other in some if _tells(other)]]
        for word in min(ways, key=lambda way: sum(len(holders[other]) for other in way)):
            for other in holders[word]:
                pair = (min(position, other), max(position, other))
                if position != other and pair not in seen:
                    seen.add(pair)
                    yield pair


def _agreement(one: Sequence[str], other: Sequence[str], equal: int, kin: dict[str, dict[str, float]]) -> float:
    """How alike two names with equal numbers are, 0..1; 0 where each has a word without a partner, or only initials and
    numbers agree.

    Args:
        one, other: Their words. equal: Characters in the numbers of either.
    """
    if _lacks(one, other, kin) and _lacks(other, one, kin):
        return 0.0
    pairs = sorted((-kin[word][partner], at, to) for at, word in enumerate(one) for to, partner in enumerate(other)
                   if partner in kin[word])
    taken, given = set[int](), set[int]()
    shared, tells = 2.0 * equal, False
    for likeness, at, to in pairs:
        if at not in taken and to not in given:
            taken.add(at)
            given.add(to)
            shared -= likeness * (len(one[at]) + len(other[to]))
            tells |= _tells(one[at]) and _tells(other[to])
    if not tells or (len(taken) < len(one) and len(given) < len(other)):
        return 0.0
    return shared / (2 * equal + sum(map(len, (*one, *other))))


def _lacks(one: Sequence[str], other: Sequence[str], kin: dict[str, dict[str, float]]) -> bool:
    """Whether a name has a word without a partner in another."""
    return any(kin[word].keys().isdisjoint(other) for word in one)
