"""What a text states that must be neither lost nor mistaken. Pure.

1. A fact is a number with the word after it, a date, a time, a name, a negation, a hedge or condition, a quantifier, a
   quoted string, an address, a path or code. Each counts where it stands: `Anna called Bob` is not `Bob called Anna`.
2. Two texts agree when their facts are equal, in order. Where two ways of writing cannot be told from two meanings
   they count as two: what is thought different is kept twice, what is thought equal would be lost.
3. A capitalised word is a name unless it opens a sentence and is one of the words that commonly do. A word in a script
   without letter case may be anything, and is a fact as a whole.
4. What another wrote or typed (quotations, code) is one fact with every character in it; a quotation that does not end
   goes on to the end of the text.
5. Comparison folds case, width and accents (`fold`), and writes `don't` as *not*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hippo.text.tokens import STOP_WORDS, fold


def word_set(*lines: str) -> frozenset[str]:
    """The words of some lines."""
    return frozenset(" ".join(lines).split())


# In folded form. English, and the negations and hedges of its neighbours that are no common words in English.
_NEGATIONS = word_set(
    "no not never none nobody nothing nowhere neither nor cannot without unable nope nah non dont cant wont isnt arent",
    "wasnt werent doesnt didnt havent hasnt hadnt couldnt wouldnt shouldnt aint",
    "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne ne ni pas jamais rien sans aucun",
    "aucune nunca nada nadie sin ninguno ninguna tampoco mai niente nessuno senza nao nem sem ninguem niet geen nooit",
    "niets niemand zonder")
_CONDITIONS = word_set(
    "maybe perhaps possibly probably likely unlikely almost nearly barely hardly scarcely rarely seldom approximately",
    "roughly seem seems seemed apparently supposedly allegedly reportedly supposed though although except unless if",
    "only until till before after while when whenever whether once otherwise else provided supposing assuming suppose",
    "assume imagine pretend pretends pretended lest doubt doubts doubted deny denies denied basically practically",
    "virtually mostly mainly largely partly partially somewhat rather quite fairly pretty kind sort just merely solely",
    "simply than too enough instead unlike case hope hopes hoped wish wishes wished guess think thinks thought",
    "vielleicht beinahe nur kaum wenn falls presque seulement quizas casi solo forse quasi talvez quase misschien",
    "bijna alleen wahrscheinlich")
_QUANTIFIERS = word_set(
    "all every each everyone everybody everything everywhere any anyone anybody anything few fewer fewest least most",
    "both half either always whoever whatever whichever wherever alle jeder jede jedes toute tous todo todos tutti",
    "elke")
_AMOUNTS = word_set(
    "some someone somebody something many several more less much little lot lots often sometimes usually frequently",
    "occasionally twice thrice couple dozen dozens pair double triple quarter daily weekly monthly yearly one two",
    "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen",
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million",
    "millions billion billions zero first second third fourth fifth sixth seventh eighth ninth tenth last next whole",
    "entire part percent")
_TIMES = word_set(
    "today tomorrow yesterday tonight noon midnight morning afternoon evening night day days week weeks weekend month",
    "months year years hour hours minute minutes ago since during now then later soon already yet still again ever",
    "even monday tuesday wednesday thursday friday saturday sunday january february april june july august september",
    "october november december am pm")
_TURNS = word_set(  # of two opposites the rarer is enough: lights on and lights off differ by it
    "might may could would should must stop stops stopped stopping quit quits quitting cancel cancels canceled",
    "cancelled former formerly ex fake refuse refuses refused fail fails failed avoid avoids avoided used longer",
    "anymore off out down below under against left opposite previously")
_REVERSING = _NEGATIONS | _CONDITIONS | _QUANTIFIERS
_FACT_WORDS = _REVERSING | _AMOUNTS | _TIMES | _TURNS
_OPENERS = STOP_WORDS | word_set(
    "awesome bye congrats congratulations glad good great nice proud sorry sounds welcome",
    "wow whoa woah woohoo yay hooray gosh aww oh ah aw ooh hey hi hello well so anyway anyways yeah yes yep thanks",
    "thank sure okay ok alright right please also really very super such let here user users people add ask bought",
    "bring buy call check clean cook feed fix get give go got keep know learn like likes live lives love loves make",
    "meet met need needs open order pay pick prefer prefers prepare put read remember remind run see send set show",
    "start take talk tell took try turn use uses visit want wants watch went work works write")

_SPANS = re.compile(r"""
      (?P<code>```.*?(?:```|\Z)|`[^`]*(?:`|\Z))
    | (?P<quote>"[^"]*(?:"|\Z)|[\u201c\u201e][^\u201c\u201d]*(?:[\u201c\u201d]|\Z)|«[^»]*(?:»|\Z)
        |\u2018.*?(?:\u2019(?!\w)|\Z)|(?<!\w)'(?:.*'(?!\w)|.*))
    | (?P<number>(?:\b(?:about|around|over|under|above|by)\s)?[-+−±~≈<>≤≥$€£¥\#№]{0,3}\d
        (?:[\w.,:/%°'\u2019"-]*[\w%°'\u2019"])?(?:\s?°?[^\W\d_]+|\s?%)?)
    | (?P<written>(?<!\S)\S*[\\/_@\#=+*<>|~^$%&{}\[\]]\S*|(?<!\S)--?[a-z][\w-]*|\w+(?:\.\w+)+)
    | (?P<word>[^\W_]+(?:['\u2019\u2010\u2011-][^\W_]+)*)
    """, re.DOTALL | re.IGNORECASE | re.VERBOSE)
_BETWEEN_SENTENCES = ".!?…:\n"
_BESIDE_A_WORD = " \t\"'\u201c\u201e\u2018«(*•–—>#-"
_LOOK_BACK_CHARACTERS = 16


class Fact(NamedTuple):
    """A fact and where it stands: `name` for a name that is no common word as well, `reverses` for a word under which
    claims turn around."""

    start: int
    end: int
    folded: str
    name: bool = False
    reverses: bool = False


def facts(text: str) -> tuple[str, ...]:
    """The facts of a text in their order, folded. Two texts agree when these are equal.

    Args:
        text: Any text.
    """
    return tuple(fact.folded for fact in find_facts(text))


def find_facts(text: str) -> Iterator[Fact]:
    """The facts of a text and where they stand, in their order, none within another.

    Args:
        text: Any text.
    """
    for match in _SPANS.finditer(text):
        start, end = match.span()
        if match.lastgroup == "word":
            yield from _word(text, start, end)
        elif match.lastgroup in ("code", "quote"):
            yield Fact(start, end, fold(match.group()))
        else:
            said = " ".join(fold(match.group()).lstrip("'\"(").rstrip(".,;:!?'\")-/ ").split())
            number, _, unit = said.rpartition(" ")
            # The word after a number is its unit, unless it leads on: `at 7:00 on Monday`.
            yield Fact(start, end, number if number and unit in STOP_WORDS else said)


def has_case(letter: str) -> bool:
    """Whether a character is of a script with capitals in use, or no letter at all."""
    return not letter.isalpha() or letter.isupper() or letter.title() != letter


def _word(text: str, start: int, end: int) -> Iterator[Fact]:
    word = text[start:end]
    folded = fold(word).replace("’", "'")
    if folded.endswith("n't") or folded in _FACT_WORDS:
        yield Fact(start, end, "not" if folded.endswith("n't") else folded,
                   reverses=folded.endswith("n't") or folded in _REVERSING)
    elif "-" in folded and not _FACT_WORDS.isdisjoint(folded.split("-")):
        yield Fact(start, end, folded, reverses=not _REVERSING.isdisjoint(folded.split("-")))
    elif not (word.isalpha() and word.islower()) and _says_more(word, folded, text, start):
        yield Fact(start, end, folded, name=folded.split("'")[0] not in _OPENERS)


def _says_more(word: str, folded: str, text: str, start: int) -> bool:
    """Whether a word that is not all small letters is a name, a code, or of a script without case."""
    if any(letter.isnumeric() or not has_case(letter) for letter in word):
        return True
    root = folded.split("'")[0]
    if word == word.lower() or root == "i":
        return False
    return not (_opens(text, start) and root in _OPENERS) or (len(root) > 1 and word.isupper())


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOK_BACK_CHARACTERS):start].rstrip(_BESIDE_A_WORD)
    return not before or before[-1] in _BETWEEN_SENTENCES
