"""Whole sentences that are nothing but social noise, and tell nothing about the world. Pure.

Malinowski (1923) called such speech *phatic communion*: it keeps company and conveys no thought. Left out as a whole it
leaves whole sentences, each as it was said.

1. What may go is an allow-list: every word of the sentence must be licensed by one small grammar of English. A name, a
   number, what the thanks are for (`Thanks for the 20 euros!`), what is congratulated on, are in no rule of it.
2. The kinds, and why each is safe. *Courtesies* (thanks, greetings, farewells, congratulations, good wishes, praise of
   the listener) do something and claim nothing: they are neither true nor false (Austin 1962). *Exclamations* and
   *reactions* (`That's awesome!`) value what the other said: only before anything is said, later *that* is what was
   told. *Assents* (`Sounds good.`) and what asks for an *opinion* (`What do you think?`) may settle or open a plan:
   only in a text without any. *Returned questions* (`How about you?`) and *greeting questions* (`How are you?`) claim
   nothing; they go where the text ends, the latter also where it opens and what follows plainly stands without them.
3. A row of them goes only from where a text opens or closes: in between, it may be where the speaker changes. Nothing
   goes after a question, which it may answer, nor beside a sentence that takes back, reports, echoes or leans on it.
4. Answers, promises and claims are in no rule: *sure, of course, definitely, right, me too, great* alone, *my pleasure,
   will do, no problem, can't wait, see you there, looking forward*; nor what dates (*good morning, happy birthday*) or
   implies a fact (*get well soon, safe travels, welcome home, glad you liked it*).
5. Lists, labelled speakers, lines, quotations, brackets, emoji, and texts about wording stay whole. So does a text of
   which no sentence would be left that says something. What does not plainly end is part of a longer sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hippo.limits import phatic_characters_max, phatic_words_left_min
from hippo.text.facts import Fact
from hippo.text.tokens import fold

_WOW = "(?:oh my (?:gosh|goodness)|wow|whoa|woah|woohoo|yay|hooray|a+w+)"
_OPENING = f"(?:{_WOW}|oh|ah|gosh|(?:hey|hi|hello|hiya|howdy)(?: there)?)"
_FRIEND = "(?:man|dude|buddy|bro|mate|pal|my friend)"
_DEGREE = "(?:so|really|very|super|truly|absolutely|totally|incredibly)"
_WONDERFUL = (
    "(?:adorable|amazing|awesome|beautiful|brilliant|excellent|exciting|fabulous|fantastic|fascinating|impressive|"
    "incredible|inspiring|lovely|marvelous|phenomenal|remarkable|splendid|superb|sweet|terrific|wonderful)")
_FINE = f"(?:{_WONDERFUL}|cool|good|great|neat|nice|fun)"  # what is `great` may be what was agreed on
_KIND = "(?:kind|sweet|thoughtful)(?: of you)?"
_GLAD = "(?:delighted|excited|glad|happy|pleased|proud|stoked|thrilled)"
_I_AM = f"(?:(?:i'm|i am) )?(?:{_DEGREE} )*"
_THAT_IS = f"(?:that's|that is) (?:{_DEGREE} )*"
_SPOKEN = (
    "(?:asking|sharing(?: (?:that|this|it))?|listening|understanding|chatting|the chat|telling me|letting me know|"
    "saying (?:that|so)|(?:the|your) (?:(?:kind|sweet|lovely) words|encouragement))")
_TIME_TO_HAVE = f"an? (?:{_DEGREE} )*{_FINE} (?:day|one|evening|night|weekend|time)"
_YOU_ARE = f"you(?:'re| are) (?:{_DEGREE} )*"

# Of a part of a sentence, folded; parts stand between commas.
_RULES = {kind: re.compile(f"(?:{_OPENING} )*(?:{'|'.join(forms)})(?: {_FRIEND})?") for kind, forms in {
    "courtesy": (
        f"(?:thanks|thank you)(?: again)?(?: {_DEGREE} much| a (?:lot|bunch|ton|million))?(?: again)?"
        f"(?: for {_SPOKEN})?|many thanks|much appreciated",
        f"(?:i )?(?:{_DEGREE} )*appreciate (?:it|that)|{_YOU_ARE}welcome",
        "(?:hey|hi|hello|hiya|howdy)(?: there| again)?",
        "bye(?: bye)?(?: for now)?|goodbye|(?:talk|speak) (?:to you )?(?:soon|later)|catch you later",
        "(?:congrats|congratulations)(?: again| to you)?|kudos(?: to you)?|hats off(?: to you)?",
        "(?:good|best of) luck(?: (?:with (?:that|it)|to you))?|all the best|best wishes|take care(?: of yourself)?",
        f"have fun|enjoy|have {_TIME_TO_HAVE}|stay (?:safe|strong)|hang in there|keep it up",
        f"keep up the {_FINE} work|you(?:'ve)? got this|(?:i'm )?rooting for you|that's the spirit",
        f"(?:i )?hope (?:you're|you are) (?:doing )?well|(?:i )?hope you have {_TIME_TO_HAVE}|(?:i )?hope all is well",
        "(?:i )?(?:wish you|wishing you) (?:all the best|(?:the )?best of luck|good luck)",
        f"{_YOU_ARE}(?:{_WONDERFUL}|{_KIND})|you rock",
        f"{_I_AM}{_GLAD} for you|{_I_AM}proud of you|way to go",
        "let me know how (?:it|that|things) (?:goes|go)|keep me (?:posted|updated|in the loop)",
        "(?:keep|stay) in touch|tell me more"),
    "exclamation": (_WOW, f"{_WOW} (?:{_DEGREE} )*{_FINE}", "(?:oh )?my (?:gosh|goodness)"),
    "reaction": (
        f"{_THAT_IS}(?:{_WONDERFUL}|{_KIND})", f"how (?:{_WONDERFUL}|{_KIND})",
        f"(?:what |{_THAT_IS}(?:such )?)?(?:an? )?(?:{_DEGREE} )*{_FINE} (?:news|to hear(?: (?:that|it))?)",
        f"(?:{_THAT_IS}|it's (?:{_DEGREE} )*)?(?:{_DEGREE} )*{_FINE} to (?:know|hear from you(?: again)?)",
        f"(?:it's )?(?:{_DEGREE} )*(?:good|great|nice|lovely) to see you(?: again)?",
        "good for you|(?:amazing|awesome|excellent|fantastic|good|great|nice) (?:job|work)",
        f"{_I_AM}(?:{_GLAD}|sorry) to hear (?:that|it|this)",
        "that (?:really )?means (?:a lot|so much|the world)(?: to me)?"),
    "assent": (
        f"(?:that |it |this )?sounds (?:{_DEGREE} )*(?:{_FINE}|like (?:so much |a lot of |great )?fun)",
        f"{_THAT_IS}(?:{_FINE})",
        f"(?:what |{_THAT_IS}(?:such )?)?(?:an? )?(?:{_DEGREE} )*{_FINE} idea"),
    "opening question": ("how(?:'s| is) it going(?: with you)?|what's up",),  # later, of what was told
    "greeting question": (
        "how are you(?: doing)?|how are things(?: going)?(?: with you)?|how have you been(?: doing)?",
        "how(?:'s| is) (?:everything|life)(?: going)?(?: with you)?|what's new(?: with you)?",
        "what have you been up to|how was your day|how(?:'s| is) your day(?: going| been)?"),
    "returned question": ("(?:and |so )?(?:how|what) about (?:you|yourself)|and (?:you|yourself)",),
    "opinion question": (
        "(?:so )?what do you think(?: (?:about|of) (?:it|that|this))?|(?:any )?thoughts(?: on (?:it|that|this))?",
        "what(?:'s| is) your (?:take|opinion)(?: on (?:it|that|this))?",
        "what are your thoughts(?: on (?:it|that|this))?"),
    "opinion": ("let me know what you think",),
}.items()}
_WHERE_NO_PLAN = frozenset(("assent", "opinion", "opinion question"))
_ONLY_OPENING = frozenset(("exclamation", "reaction", "assent", "opening question"))
_ONLY_CLOSING = frozenset(("opinion question", "returned question"))
_LOOSE_COMMA = re.compile(rf"(?<!\S)(?P<opening>{_OPENING}), |, (?={_FRIEND}(?:,|\Z))")
_SENTENCE = re.compile(r"[A-Z][A-Za-z', ]*(?:\.|!+|\?+)")
_CAPITALS_INSIDE = re.compile(r"(?<=[ '])(?!I\b)[A-Z]|(?<=[A-Z])[A-Z]")
_CALLED = re.compile(r",? [A-Z][a-z]+\b"), re.compile(r"\A[A-Z][a-z]+, ")
_SENTENCE_END = re.compile(r"(?<=\w\w)(?P<mark>[.]|[!?]+) +(?=[A-Z])")
_ABBREVIATED = re.compile(
    r"\b(?:dr|mr|mrs|ms|prof|st|vs|etc|inc|ltd|co|jr|sr|approx|dept|fig|no|vol|ca|cf|gen|col|rev)\.$", re.IGNORECASE)
_ABBREVIATION_CHARACTERS = 8

_STAYS_WHOLE = re.compile(
    r"""[\n\r"\u2018\u201c\u201d\u201e«»`()\[\]{}<>|*_=#@\U0001f000-\U0001ffff\u2600-\u27bf]|:(?!\d)|(?<!\w)['\u2019;]"""
    r"""|\A(?:[-\u2022\u2013\u2014]|\w{1,2}[.)]\s|\w+ [-\u2013\u2014] [A-Z])"""
    r"""|\b(?i:captions?|translat\w+|transcripts?|voicemails?|tattoo\w*|banners?|posters?|mottos?|poems?|greet\w*|"""
    r"""polite\w*|words? (?:for|is|are|was|were))\b""")
# What follows is sought in folded text.
_PLAN = re.compile(
    r"\d|'ll\b|'d\b|\b(?:let's|lets|will|shall|gonna|would|could|should|can|may|might|must|going to|come|comes|coming|"
    r"meet\w*|join\w*|plan\w*|invit\w+|book\w*|schedul\w+|appointments?|dates?|deals?|offers?|together|agree\w*|decid\w+|"
    r"count me|(?:i'm|i am) (?:\w+ )?in|"
    r"tomorrow|tonight|today|soon|later|next|works|time|o'clock|noon|weekend|morning|afternoon|evening|"
    r"mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b")
_TAKES_BACK = re.compile(
    r"\b(?:kidding|jok\w+|sarcas\w+|iron(?:y|ic|ically)|actually|untrue|wrong|false|however|nevertheless|except|unless|"
    r"instead|contrary|opposite|disagree\w*|doubt\w*|correction|oops|nah|nope|nvm|psych|sike|scratch|strike that|"
    r"yeah,? right|as if|never ?mind|second thoughts?|i mean|(?:take|took) (?:it|that) back|"
    r"(?:mean|meant|need|deserved?) it|serious\w*|sincere\w*|honest\w*|literally|lol|lmao|rofl|ha(?:ha)+|hehe\w*)\b"
    r"|\A(?:\S+ ){0,2}(?:(?:no|not|never|none|hardly|rather|wait|still|yet|sorry|cannot)\b|\w+n't\b)")
_REPORTS = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|ask(?:s|ed|ing)?|tells|told|telling|answer\w*|repl(?:y|ies|ied)|respon[ds]\w*|shout\w*|"
    r"yell\w*|whisper\w*|text(?:s|ed)?|exclaim\w*|scream\w*|(?:was|were|is|are) like|quot\w+|thought|goes|mutter\w*|"
    r"writes?|wrote|written|smil\w+|grinn\w+|nodd\w+|laugh\w*|sigh\w*|murmur\w*|added|messages?|words?|phrases?|lines?|"
    r"titles?|letters?|notes?|following)\b")
_LEANS = re.compile(
    r"(?:and|but|or|nor|so|because|cause|especially|particularly|which|who|whose|although|though|even|also|too|then|than|"
    r"for|to|on|at|from|with|without|until|till|by|in|about|of|via|per|plus|minus|since|while|just|only|both|either|"
    r"neither|same|likewise|ditto|me|him|us|them|again|after|before|yes|yeah|yep|yup|sure|right|ok|okay|well|whether|if|"
    r"as|like|maybe|perhaps|probably|almost|that(?:'s| is| was) (?:for|all|an? (?:order|promise|threat))|"
    r"that (?:goes|includes)|\w+,? (?:too|either|as well))\b")
_STANDS = re.compile(r"(?:i|we|my|our)(?:'\w+)? (?:\S+ ){2}")


class _Sentence(NamedTuple):
    """A sentence, where it stands, the kinds of its parts (none where it says something), and whether it says nothing
    but for a name."""

    start: int
    end: int
    said: str
    kinds: frozenset[str]
    chats: bool

    @property
    def words(self) -> int:
        """How many there are."""
        return len(self.said.split())

    @property
    def asks(self) -> bool:
        """Whether it ends as a question does."""
        return self.said.endswith("?")


def is_phatic(sentence: str) -> bool:
    """Whether a sentence, whatever stands around it, is nothing but social noise.

    Args:
        sentence: One sentence with its mark, without white space around it.
    """
    return bool(_phatic_kinds(sentence.replace("\u2019", "'")))


def phatic_spans(text: str, known: Sequence[Fact]) -> list[tuple[int, int]]:
    """The sentences that may be left out of a text, each on its own, each with the white space that would be too much.

    Args:
        text: Any text.
        known: Its facts. A sentence with one stays, also where it is a quantifier in a formula ("Thanks a lot!").

    Returns:
        Where each starts and ends, in their order; none overlap, and they are never the whole text.
    """
    if _STAYS_WHOLE.search(text.strip()):
        return []
    sentences = list(_sentences(text))
    told = [place for place, sentence in enumerate(sentences) if not sentence.chats]
    if all(sentences[place].words < phatic_words_left_min for place in told):
        return []
    settled = _WHERE_NO_PLAN if _PLAN.search(_folded(text)) else frozenset()
    spans = [
        *((sentences[place].start, sentences[place + 1].start) for place in _opening(sentences, told[0])
          if not sentences[place].kinds & settled),
        *((sentences[place - 1].end, sentences[place].end) for place in _closing(sentences, told[-1])
          if not sentences[place].kinds & settled)]
    return [(start, end) for start, end in spans if not any(fact.start < end and start < fact.end for fact in known)]


def _opening(sentences: Sequence[_Sentence], first: int) -> Iterator[int]:
    """Which sentences before the first that says something may go."""
    following = _folded(sentences[first].said)
    if (sentences[first].words < phatic_words_left_min or _LEANS.match(following) or _TAKES_BACK.search(following)
            or _REPORTS.search(following)):
        return
    stays = _ONLY_CLOSING if _STANDS.match(following) else _ONLY_CLOSING | {"greeting question", "opening question"}
    for place, sentence in enumerate(sentences[:first]):
        if sentence.kinds and not sentence.kinds & stays:
            yield place
        if sentence.asks:
            return


def _closing(sentences: Sequence[_Sentence], last: int) -> Iterator[int]:
    """Which sentences after the last that says something may go."""
    before = _folded(sentences[last].said)
    if _TAKES_BACK.search(before) or _REPORTS.search(before):
        return
    answers = any(sentence.asks for sentence in sentences[:last + 1])
    stated = max(place for place, sentence in enumerate(sentences) if place == last or not sentence.asks)
    for place, sentence in enumerate(sentences[last + 1:], last + 1):
        if sentence.kinds and not sentence.kinds & _ONLY_OPENING and (place > stated if sentence.asks else not answers):
            yield place
        answers |= sentence.asks


def _sentences(text: str) -> Iterator[_Sentence]:
    start = len(text) - len(text.lstrip())
    for end in _SENTENCE_END.finditer(text):
        # After an abbreviation a sentence goes on; a longer sentence is one of which less may go.
        if not _ABBREVIATED.search(text, max(start, end.start() - _ABBREVIATION_CHARACTERS), end.end("mark")):
            yield _sentence(text, start, end.end("mark"))
            start = end.end()
    yield _sentence(text, start, len(text.rstrip()))


def _sentence(text: str, start: int, end: int) -> _Sentence:
    said = text[start:end].replace("\u2019", "'")
    kinds = _phatic_kinds(said)
    short = len(said) <= phatic_characters_max
    return _Sentence(start, end, said, kinds, bool(kinds) or (
        short and any(_kinds(name.sub("", said)) for name in _CALLED)))


def _phatic_kinds(said: str) -> frozenset[str]:
    if len(said) > phatic_characters_max or not _SENTENCE.fullmatch(said) or _CAPITALS_INSIDE.search(said):
        return frozenset()
    return _kinds(said)


def _kinds(said: str) -> frozenset[str]:
    """The kinds of the parts of a sentence, none where one is of no kind, or it asks what is no question."""
    parts = _LOOSE_COMMA.sub(r"\g<opening> ", _folded(said).rstrip(".!?")).split(", ")
    found = [next((kind for kind, rule in _RULES.items() if rule.fullmatch(part)), "") for part in parts]
    asks = [kind.endswith("question") for kind in found]
    return frozenset(found) if all(found) and asks == [False] * (len(asks) - 1) + [said.endswith("?")] else frozenset()


def _folded(said: str) -> str:
    return fold(said.replace("\u2019", "'"))
