"""What may be left out of a text without its stating anything false: a few small words, and whole sentences. Pure.

1. What may go is an allow-list by meaning: a piece is kept unless its loss is shown to change nothing of who did what,
   when, where, how much, and whether. In doubt it is kept.
2. A word goes only out of a frame in which it was shown harmless: the words around it are matched, not the word alone.
   Every frame holds English words; no homograph of another language stands in one.
3. Nothing goes out of a text without letter case, out of one in which the wording itself matters (songs, titles,
   passwords, grades, what was called false), nor beside a number, a negation, a quantifier or a quotation.
4. White space and a comma go with the word they belong to. Nothing is rewritten, not even a first letter.
5. A sentence goes as a whole where it is nothing but social noise: see `phatic`, whose rules come on top of rule 3 but
   for its formulas (`Thanks a lot!`). Of a sentence that may go, no word goes alone.

A frame stands on monotonicity (Ladusaw 1979; van Benthem 1986): *really good* implies *good* where a claim is made, and
the reverse under a negation, a condition, a quantifier, a comparison or a question. So an intensifier goes only out of
what a main clause says of its subject, in a sentence without any of these, and only before a word that praises or
blames: *very old*, *very hot* are measures.

Weighed and refused: *the* (`I hate the dogs` is not `I hate dogs`, `told her the story` not `told her story`), *a*
(`a few`, `a Ford`, `a lamb`), *just* (often only, or a moment ago), *actually* and a later *well* (they correct what
was said before), *basically*, *kind of*, *pretty*, *quite*, *like* (hedges), *I mean* (a correction), *you know* (may
be the clause itself), *hey* before a name and *oh* (titles), *yes*, *okay*, *of course* (answers), *haha* (what is said
in jest is no claim), and words of other languages, whose frames would each need the same proof.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter

from hippo.text.facts import Fact, find_facts, has_case, word_set
from hippo.text.phatic import phatic_spans

_INTENSIFIERS = word_set("really very super truly extremely incredibly absolutely totally")
_ADVERBS = word_set("really truly definitely totally absolutely certainly honestly also")
_INTERJECTIONS = word_set("wow whoa woah woohoo hooray gosh aww aw")
_TEXT_OPENERS = word_set("well so anyway anyways")  # later in a text they take back or draw a conclusion
_GREETINGS = word_set("hey hi hello")
SMALL_WORDS = _INTENSIFIERS | _ADVERBS | _INTERJECTIONS | _TEXT_OPENERS | _GREETINGS | word_set(
    "so such that please")

# What admires or laments says no measure: without its intensifier it claims less, and nothing else.
_PRAISE = word_set(
    "adorable amazing annoyed annoying awesome awful bad beautiful blessed boring brave brilliant challenging",
    "comforting cool creative cute delicious delighted delightful disappointed disappointing empowering encouraged",
    "encouraging enjoyable excited exciting exhausting fantastic fascinating frustrated frustrating fulfilling fun",
    "funny generous glad good gorgeous grateful great happy heartbreaking heartwarming helpful hilarious horrible",
    "important impressed impressive incredible inspired inspiring interesting lovely lucky magical meaningful",
    "memorable motivated motivating nice peaceful pleased powerful precious proud refreshing relaxing rewarding sad",
    "satisfying sorry special stressful stunning supportive sweet talented tasty terrible thankful thoughtful",
    "thrilled touching tough uplifting upset valuable wonderful worried")
_VERBS_OF_EFFECT = word_set(
    "brings brought enjoyed enjoys helped helps inspired inspires keeps kept liked likes loved loves made makes",
    "mattered matters means meant motivated motivates needed needs showed shows")
_VERBS_OF_KNOWING = word_set(
    "agree agreed believe believed forgot found hear heard knew know learned noticed realised realize realized realise",
    "remember remembered said say understand understood")
# Of a verb whose past is another word: `Please put …` would else read as what was done.
_REQUESTS = word_set(
    "add be bring buy call check come delete find get give go keep make remember remind remove send show speak start",
    "take tell turn wait write")
_VERBATIM = re.compile(
    r"\b(?:songs?|sang|sing|sings|lyrics?|titled?|called|named|albums?|motto|slogan|passwords?|passphrase|quot\w+|pin|"
    r"verbatim|wording|phrases?|spell\w*|sarcas\w+|iron(?:y|ic|ically)|kidding|jok\w+|lie|lies|lied|lying|false|untrue|"
    r"wrong|myth|rumou?rs?|dream\w*|say,|let['\u2019]s say|grad(?:es?|ed)|rat(?:ings?|ed)|surveys?|scales?|conditions?|"
    r"quality|pain|symptoms?)(?!\w)", re.IGNORECASE)
_ABBREVIATIONS = word_set(
    "dr mr mrs ms prof st vs etc inc ltd co jr sr approx dept fig no vol ca cf al eg ie gen col rev")


def _any(words: frozenset[str]) -> str:
    return f"(?:{'|'.join(sorted(words))})"


def _opening(words: frozenset[str]) -> str:
    return f"(?:{'|'.join(word.capitalize() for word in sorted(words))})"


_APOSTROPHE = "['\u2019]"
_SENTENCE = r"(?:\A|(?<=[^.\s][.!?][ \n]))"
_CLAUSE = (rf"(?:{_SENTENCE}(?:(?:And|But) )?|(?<=, )(?=I\b|[a-z])(?:(?:and|but|because) )?"
           r"|(?:(?<= but )|(?<= because ))(?=I\b|[a-z]))")
_PLURAL = "(?:[Yy]ou|[Ww]e|[Tt]hey)"
_SINGULAR = "(?:[Hh]e|[Ss]he|[Ii]t)"
_PERSON = f"(?:I|{_PLURAL}|{_SINGULAR})"
_NOUN = r"(?!(?i:who|that|which|what|whose|where|when|why|how|as|of|and|or|to|so|best|worst)\b)[a-z]+"
_OWNED = rf"(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Tt]he) {_NOUN}(?: {_NOUN})?"
_NAMED = rf"(?:(?=[A-Z])(?i:{_NOUN})|{_NOUN})"
_IS = "(?:is|was|feels|felt|looks|looked|sounds|sounded)"
_ARE = "(?:are|were|feel|felt|look|looked|sound|sounded)"
_MODAL = "(?:can|could|may|might|will|would)"
_PERSON_IS = (
    rf"(?:I{_APOSTROPHE}m|{_PLURAL}{_APOSTROPHE}re|(?:{_SINGULAR}|[Tt]hat){_APOSTROPHE}s|I (?:am|was|feel|felt)"
    rf"|{_PLURAL} {_ARE}|(?:{_SINGULAR}|[Tt]his|[Tt]hat) {_IS}"
    rf"|(?:I|{_PLURAL})(?:{_APOSTROPHE}ve| have) been|{_SINGULAR}(?:{_APOSTROPHE}s| has) been"
    rf"|(?:{_PERSON}|[Tt]his|[Tt]hat)(?:{_APOSTROPHE}ll|{_APOSTROPHE}d| {_MODAL}) be)")
_SUBJECT_IS = (
    rf"(?:{_PERSON_IS}|(?:{_OWNED}|{_NAMED}) (?:{_IS}|{_ARE}|{_MODAL} be)|[Tt]his {_NOUN} (?:{_IS}|{_MODAL} be))")
_PERSON_HAS = (
    rf"(?:(?:I|{_PLURAL})(?:{_APOSTROPHE}ve| have| had| got)|{_SINGULAR}(?:{_APOSTROPHE}s got| has| had| got))")
_INTENSELY = rf"(?P<fade>(?:{_any(_INTENSIFIERS)} )+)"
_PRAISED = rf"{_any(_PRAISE)}(?![\w'\u2019-])"
# Said of the subject, not of a noun that follows: `Our requirement is really good French` names a measure.
_OF_IT = r"(?=[.!,;\n]|\Z| (?:to|for|of|about|with|at|in|on|but|because|that|I|you|he|she|it|we|they)\b)"
# After *so* and *such* what follows may be their result: `so happy (that) I cried`; after a noun it may be a relative
# clause: `it's a really good cook (that) we need`. Two words after a preposition are too few for either.
_NO_CLAUSE = (r"(?=(?: (?:to|for|of|about|with|at|in|by)(?: (?!(?:I|he|she|we|they|it|you|that|as)\b)[A-Za-z]+){0,2})?"
              r"(?: (?:you|it|her|him|them|that))?(?:[.!,;]|\Z))")
_NO_MEASURE = r"(?! (?:hour|minute|mile|while|deal|bit|half|third|dozen|hundred|thousand|many|few)s?\b)(?= [a-z]+)"
_STARTERS = r"(?:I|[Ii]t|[Tt]hat|[Tt]his|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|[Tt]hey)(?!\w)"
_NOT_SAID = r"(?!(?:\w+ )?(?:said|says|replied|exclaimed|thought)\b)"

# Frames that hold where a claim is made; the group `fade` is what goes.
_IN_CLAIMS = [re.compile(frame) for frame in (
    rf"{_CLAUSE}{_SUBJECT_IS} {_INTENSELY}{_PRAISED}{_OF_IT}",
    rf"{_CLAUSE}{_SUBJECT_IS} (?P<fade>so ){_PRAISED}{_NO_CLAUSE}",
    rf"{_SENTENCE}(?P<fade>(?:So|Really|Super|Very) ){_PRAISED}{_NO_CLAUSE}",
    rf"{_CLAUSE}{_PERSON_IS} (?:such )?a {_INTENSELY}(?![aeiou]){_PRAISED}{_NO_MEASURE} [a-z]+{_NO_CLAUSE}",
    rf"{_CLAUSE}{_PERSON_HAS} (?:such )?a {_INTENSELY}(?![aeiou]){_PRAISED}{_NO_MEASURE}",
    rf"{_CLAUSE}(?:{_PERSON_IS}|{_PERSON_HAS}) (?P<fade>such )an? {_PRAISED}{_NO_MEASURE} [a-z]+{_NO_CLAUSE}",
    rf"{_CLAUSE}{_PERSON}(?:{_APOSTROPHE}(?:ve|ll|d)| do| did| will)? (?P<fade>(?:{_any(_ADVERBS)} )+)(?=[a-z])",
    rf"{_CLAUSE}{_PERSON_IS} (?P<fade>(?:{_any(_ADVERBS)} )+)(?=[a-z]+ing\b)",
    rf"{_CLAUSE}(?:{_OWNED}|[Tt]his|[Tt]hat) (?P<fade>really ){_any(_VERBS_OF_EFFECT)}\b",
    rf"{_CLAUSE}(?<!because ){_PERSON} {_any(_VERBS_OF_KNOWING)} (?P<fade>that )(?=(?:I|he|she|we|they)[ '\u2019])",
)]
# Frames that hold anywhere.
_ANYWHERE = [re.compile(frame) for frame in (
    rf"{_SENTENCE}(?P<fade>{_opening(_INTERJECTIONS)}(?:,|!+) )(?=[A-Za-z]){_NOT_SAID}",
    rf"\A(?P<fade>{_opening(_TEXT_OPENERS)}, )(?={_STARTERS})",
    rf"\A(?P<fade>{_opening(_GREETINGS)}!+ )(?={_STARTERS})",
    rf"\A(?P<fade>Hi )(?=[A-Z][a-z]{{2,}}[,!] {_STARTERS})",
    rf"{_SENTENCE}(?P<fade>Please,? )(?={_any(_REQUESTS)} )",
    r"[a-z](?P<fade>, please)(?=[.!])",
)]
_TAKEN_BACK_WORDS = 3  # among which a sentence says if it takes back the one before
_SENTENCE_ENDS = re.compile(r"(?<![\w'\u2019])(?P<last>[\w'\u2019]+)[.!?](?P<space>\s+)(?=[A-Z])|\n\s*\n")


def may_fade(text: str) -> bool:
    """Whether a text may be abridged at all: it has capitals and small letters, and no letter of a script without.

    Args:
        text: Any text.
    """
    return any(map(str.isupper, text)) and any(map(str.islower, text)) and all(map(has_case, text))


def fading_runs(parts: Sequence[str]) -> list[tuple[int, int]]:
    """The runs of pieces that may be left out of a text: each as a whole, whichever of the others go.

    Args:
        parts: The pieces of one text, as `pieces` gives them.

    Returns:
        The first piece of each run and the one after its last, in their order; none overlap, and they are never all.
    """
    starts = [0, *accumulate(map(len, parts))]
    at = {start: index for index, start in enumerate(starts)}
    runs: list[tuple[int, int]] = []
    for start, end in sorted((at[start], at[end]) for start, end in _fading("".join(parts))
                             if start in at and end in at):
        if runs and start < runs[-1][1]:
            start, end = runs[-1][0], max(end, runs.pop()[1])
        runs.append((start, end))
    return runs


def _fading(text: str) -> Iterator[tuple[int, int]]:
    if not may_fade(text) or _VERBATIM.search(text):
        return
    known = list(find_facts(text))
    sentences = phatic_spans(text, known)
    yield from sentences
    for start, end in _small_words(text, known):
        place = bisect_right(sentences, start, key=itemgetter(0))
        if all(end <= first or last <= start for first, last in sentences[max(0, place - 1):place + 1]):
            yield start, end


def _small_words(text: str, known: Sequence[Fact]) -> Iterator[tuple[int, int]]:
    anywhere, in_claims = ([match.span("fade") for frame in frames for match in frame.finditer(text)]
                           for frames in (_ANYWHERE, _IN_CLAIMS))
    if not anywhere and not in_claims:
        return
    claims = _Claims(text, known)
    for start, end in (*anywhere, *(span for span in in_claims if claims.hold(span[0]))):
        if not _beside_a_fact(text, known, start, end):
            yield start, end


def _beside_a_fact(text: str, known: Sequence[Fact], start: int, end: int) -> bool:
    """Whether a span overlaps a fact, or stands next to one that is no name."""
    place = bisect_right(known, start, key=lambda fact: fact.start)
    for fact in known[max(0, place - 1):place + 2]:
        if fact.start < end and start < fact.end:
            return True
        between = text[fact.end:start] if fact.end <= start else text[end:fact.start]
        if not fact.name and not any(map(str.isalnum, between)):
            return True
    return False


class _Claims:
    """Which sentences of a text plainly claim what they say: rule of monotonicity at the top of this file."""

    def __init__(self, text: str, known: Sequence[Fact]) -> None:
        # An abbreviation or an initial ends no sentence: what is doubtful makes one long sentence, where less may go.
        self._starts = [0, *(end.end() for end in _SENTENCE_ENDS.finditer(text) if not end["space"]
                             or (len(end["last"]) > 1 and end["last"].lower() not in _ABBREVIATIONS))]
        self._open = [not set("?:([") & set(text[start:end])
                      for start, end in zip(self._starts, [*self._starts[1:], len(text)], strict=True)]
        for fact in known:
            if fact.reverses:
                place = self._sentence(fact.start)
                self._open[place] = False
                if place and text.count(" ", self._starts[place], fact.start) < _TAKEN_BACK_WORDS:
                    self._open[place - 1] = False  # `It was really good. That is not true.`

    def hold(self, at: int) -> bool:
        """Whether the sentence at a position of the text is such a claim."""
        return self._open[self._sentence(at)]

    def _sentence(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1
