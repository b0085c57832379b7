"""Whether two texts say the same, so that one of them is enough. Pure.

A correction differs from what it corrects in a word, and any word may be that word: `tea` and `coffee`, `from` and
`to`, `is` and `was`, `dog` and `dogs`. Vectors hardly see it. So nothing counts as the same but what is shown to be:

1. Two texts agree only if their facts (`facts`) are equal, in order.
2. They are the same where their words are equal too, word for word in order, but for what never makes a difference:
   white space, and marks before it; how letters are composed, how wide they are, and (of ordinary words) how large;
   `don't` and `do not`; `two` and `2`, `7pm` and `7 pm`; `the user` and `user`; and what `fading` lets go.
3. One says more where it repeats the other whole, and then goes on: after a mark, or with a word that opens a further
   phrase (`in`, `because`). Where words come in between, or it goes on otherwise, it may be another thing: `allergic to
   nuts` broadens or corrects `allergic to pine nuts`, and a `car insurance` is no `car`.
4. A question is no statement: question marks are words. So are brackets, dashes, emoji, and any mark glued to the front
   of a word. Texts without any word, and long ones, are the same only to the character.
5. Where the letters themselves matter (passwords, codes, spellings, titles, indented lines) only the same letters are
   the same: `hunter2!` is not `hunter2`.

Weighed and refused, since a correction was found for each: stems (`worked` and `work`, `important` and `import`), other
articles (`the flowers` and `flowers`, `a few` and `few`), small words in general (`from` and `to`, `his` and `her`,
`is` and `was`), accents and `ß` (`sale` and `salé`, `Maßen` and `Massen`), another order (`the dog bit the man`; `in
May I chose to go`, `I chose to go in May`), synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple
from unicodedata import normalize

from hippo import limits
from hippo.text.facts import facts, find_facts, word_set
from hippo.text.fading import fading_runs
from hippo.text.pieces import pieces


class Agreement(Enum):
    """How a later text stands to an earlier one: it says the same, more, less (rule 3), or something else."""

    SAME = "same"
    MORE = "more"
    LESS = "less"
    OTHER = "other"


_SPELLED = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
            "ten": "10", "eleven": "11", "twelve": "12"}
_HAS_SPELLED = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE).search
_WIDE = re.compile("[\u3000\uff00-\uffef]+")
_OPENING = re.compile(r"\A\s*\w(?![^\W\d_]*[A-Z])")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})
_STOPS = frozenset(".,;:!…、。")
_MARKS = _STOPS | frozenset("'\"\u2018\u201c\u201d\u201e«»「」『』")  # quotations are facts with all their characters
_NUMBER_AND_UNIT = re.compile(r"(\d[\d.,:/-]*)([^\W\d_]+)")
_QUOTES = ("'", '"', "\u2018", "\u201c", "\u201e", "«", "`")
_VERBATIM = re.compile(
    r"\n[ \t]|\b(?:pass\w*|pins?|codes?|tokens?|secrets?|keys?|logins?|user ?names?|accounts?|e-?mails?|files?|"
    r"commands?|spell\w*|spelt|written|letters?|capitals?|verbatim|wording|exact\w*|litera\w+|quot\w+|titled?|"
    r"call(?:s|ed)|nam(?:es?|ed)|mottos?|slogans?|brands?|songs?|hashtags?|tags?|kennw\w+|mots? de passe|contrase\w+|"
    r"parola|senha)\b|парол|密[码碼]|暗号|パスワード|비밀번호|암호", re.IGNORECASE)
_CONTRACTED = {"i'm": ("i", "am"), "can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"),
               "shan't": ("shall", "not"), "let's": ("let", "us"), "ain't": ("ain't",)}
_ENDINGS = {"re": "are", "ve": "have", "ll": "will"}
_IS_AFTER = word_set("he she it that there here what where who how")  # after a name `'s` may be possessive
_USERS = word_set("user user's assistant assistant's agent agent's")  # there is one, with and without an article
_GOES_ON = word_set(  # without those that are facts
    "about across along among and around as at because behind beside between but by for from in inside into near of on",
    "onto over so through to toward towards where with within")
_ASKS = frozenset("?\u061f")


class _Word(NamedTuple):
    """A word as it is compared, and whether a stop or a new line stands before it."""

    said: str
    after_stop: bool


class Wording:
    """What a text is compared by; each part is worked out when it is first needed."""

    def __init__(self, text: str) -> None:
        """Args: text: Any text, also an empty one or one with lone surrogates."""
        self.text = text

    @cached_property
    def _plain(self) -> str:
        """The text with its letters composed, of one width, and with small numbers in digits."""
        text = normalize("NFC", _WIDE.sub(lambda wide: normalize("NFKC", wide.group()), self.text))
        text = text.translate(_APOSTROPHES)
        if not _HAS_SPELLED(text):
            return text
        parts: list[str] = []
        at = 0
        for fact in find_facts(text):
            if fact.folded in _SPELLED:
                parts += text[at:fact.start], _SPELLED[fact.folded]
                at = fact.end
        return "".join((*parts, text[at:]))

    @cached_property
    def letters(self) -> str | None:
        """Its characters where they matter themselves, else none."""
        return self.text.strip() if _VERBATIM.search(self.text) else None

    @cached_property
    def _words(self) -> list[_Word]:
        return list(_compared(pieces(self._plain)))

    @cached_property
    def words(self) -> list[str]:
        """Its words in order, as they are compared."""
        return [word.said for word in self._words]

    @cached_property
    def core(self) -> list[str]:
        """Its words without what `fading` lets go."""
        parts = pieces(self._plain)
        for start, end in fading_runs(parts):
            parts[start:end] = [""] * (end - start)
        return [word.said for word in _compared(pieces("".join(parts)))]

    @cached_property
    def facts(self) -> tuple[str, ...]:
        """Its facts in order, written in one way; without the `am` of `I am`, which is no time of day. That the first
        letter is a capital says nothing."""
        text = _OPENING.sub(lambda opening: opening.group().lower(), self._plain, count=1)
        return tuple(_in_one_way(fact) for fact in facts(text) if fact != "am")

    def is_but_for_noise(self, other: Wording) -> bool:
        """Whether it has the words of another, in order, and no more of them says anything."""
        rest = iter(self.words)  # what is cheap to see is seen first
        return all(word in rest for word in other.words) and self.core == other.core

    def extends(self, other: Wording) -> bool:
        """Whether it repeats another whole and then goes on, with no question."""
        end = len(other.words)
        if self.words[:end] != other.words or end == len(self.words) or not _ASKS.isdisjoint(self.words[end:]):
            return False
        return self._words[end].after_stop or self.words[end] in _GOES_ON


def agreement(earlier: Wording, later: Wording) -> Agreement:
    """How a later text stands to an earlier one.

    Args:
        earlier: What was said first.
        later: What is said now.
    """
    longest = max(len(earlier.text), len(later.text))
    if longest > limits.agreement_characters_max or not earlier.words or not later.words:
        return Agreement.SAME if earlier.text == later.text else Agreement.OTHER
    if earlier.words == later.words or earlier.is_but_for_noise(later) or later.is_but_for_noise(earlier):
        found = Agreement.SAME if earlier.letters == later.letters else Agreement.OTHER
    elif later.extends(earlier):
        found = Agreement.MORE
    elif earlier.extends(later):
        found = Agreement.LESS
    else:
        return Agreement.OTHER
    return found if earlier.facts == later.facts else Agreement.OTHER


def _in_one_way(fact: str) -> str:
    if fact == "cannot":
        return "not"
    if fact.startswith(_QUOTES):
        return fact
    number, _, unit = fact.rpartition(" ")  # what opens a further phrase is no unit
    return (number if unit in _GOES_ON else fact).replace(" ", "")


def _compared(parts: Sequence[str]) -> Iterator[_Word]:
    """The words of a row of pieces, contractions written out."""
    after_stop = False
    for place, part in enumerate(parts):
        if part.isspace():
            after_stop |= "\n" in part
        elif part in _MARKS and (part in "'\"" or not "".join(parts[place + 1:place + 2])[:1].isalnum()):
            after_stop |= part in _STOPS
        elif part in ("The", "the") and "".join(parts[place + 2:place + 3]).lower() in _USERS:
            continue
        else:
            for said in _written_out(part):
                yield _Word(said, after_stop)
                after_stop = False


@lru_cache(maxsize=limits.stem_words_kept)
def _written_out(part: str) -> tuple[str, ...]:
    """The words of a piece, in the letters in which they are compared."""
    if part in ("AM", "PM") or len(part) == 1 or part[1:].islower():
        part = part.lower()
    if part in _CONTRACTED:
        return _CONTRACTED[part]
    stem, mark, ending = part.rpartition("'")
    if mark and ending in _ENDINGS:
        return stem, _ENDINGS[ending]
    if part.endswith("n't"):
        return part.removesuffix("n't"), "not"
    if ending == "s" and stem in _IS_AFTER:
        return stem, "is"
    if unit := _NUMBER_AND_UNIT.fullmatch(part):
        return unit[1], *_written_out(unit[2])
    return (part,)
