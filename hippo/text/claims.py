"""A text as atomic claims, by rules: each on its own, in the text's own words. Pure.

1. A claim is a sentence, or a part of one that stands alone. No word of it is changed; a part that shares its subject
   with the one before gets that subject, and what stands under a label (`Anna: …`, a heading, a line that ends with a
   colon) gets that label: `Things I like: tea`.
2. What is claimed on its own is claimed by the text on its own. A sentence is taken apart only where a small grammar
   licenses every joint of it, and never under a condition, a doubt, a report, a quotation, a denial that may reach
   further, or a time that may hold for all of it: `If it rains I will stay home and read` is one claim.
3. A sentence that takes back, answers or qualifies the one before stays with it; so does all that follows an invented
   frame (`Imagine …`) or a colon within a line. Lists of fragments without a label, quoted lines and code stay whole.
4. Greetings, questions and bare assents claim nothing.
5. Where a sentence ends is decided by what follows: after an abbreviation, an initial or an ordinal it goes on. In
   doubt it goes on: a longer claim is less atomic, half of one may be false.
6. Intensity is a memory's salience by default, raised by dangers, musts, feelings and exclamations, lowered by doubt.
"""

# ruff: noqa: RUF001  # quotation marks and full-width punctuation are what this is about

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from hippo import limits
from hippo.text.facts import find_facts, word_set
from hippo.text.phatic import is_phatic

_INTENSITY_MIN = 0.05
_CUES = tuple((weight, re.compile(cue, re.IGNORECASE)) for weight, cue in (
    (0.5, r"\b(?:al+erg|anaphyla|epilep|diabet|asthma|alérgi)\w*|\b(?:pacemaker|life.threatening|deadly|fatal)\b|过敏|"
          r"過敏|糖尿病|哮喘|アレルギー|喘息"),
    (0.3, r"\b(?:must(?!['’]ve| have| be\b)|important\w*|crucial|critical|vital|essential|urgent|don.t forget|do not "
          r"forget|make sure|never forget|wichtig\w*|unbedingt|dringend|essentiel|il faut|imprescindible|hay que)\b|"
          r"必须|必須|重要|千万|必ず"),
    (0.2, r"\b(?:love[sd]?|hate[sd]?|adores?|can.?t stand|cannot stand|despise|obsessed|passionate|terrified|liebe|"
          r"hasse|déteste|odio|amo|me encanta)\b|讨厌|討厭|[爱愛恨]|大好き|大嫌い"),
    (0.15, r"\b(?:always|never|immer|nie|niemals|toujours|jamais|siempre|nunca|jamás)\b|总是|總是|从不|從不|いつも"),
    (0.1, r"\b(?:like[sd]?|prefers?|favou?rites?|enjoys?|dislikes?|mag|lieblings\w+|bevorzuge|aime|préfère|préférée?|"
          r"me gusta|prefiero|favorit[oa])\b|喜欢|喜歡|好き|嫌い"),
    (0.1, r"[!！]"),
    (-0.2, r"\b(?:maybe|perhaps|possibly|probably|might|(?-i:may)|could be|seems?|apparently|I (?:think|guess|suppose)|"
           r"not sure|sort of|kind of|vielleicht|wahrscheinlich|glaube|peut-être|probablement|je crois|quizás?|tal vez|"
           r"creo que)\b|也许|也許|可能|大概|たぶん|かもしれ")))


class Claim(NamedTuple):
    """One claim, and how much it matters, 0..1."""

    text: str
    intensity: float


def claims(text: str) -> list[Claim]:
    """What a text claims, in its order, each claim once.

    Args:
        text: Any text.
    """
    told = dict.fromkeys(claim for passage in _passages(text) for claim in _claims_of(passage))
    return [Claim(claim, intensity(claim)) for claim in told if any(map(str.isalnum, claim))]


def intensity(claim: str) -> float:
    """How much a claim matters by its words, 0..1: see rule 6. English, German, French, Spanish, Chinese, Japanese.

    Args:
        claim: Any text.
    """
    said = limits.salience_default + sum(weight for weight, cue in _CUES if cue.search(claim))
    return round(min(max(said, _INTENSITY_MIN), 1.0), 2)


# -- where sentences end ----------------------------------------------------------------------------------------------

_ENDS = re.compile(
    r"""(?P<whole>`[^`\n]*`?|(?<![\d\w])"[^"\n]*"?|“[^”\n]*”?|„[^“”\n]*[“”]?|«[^»\n]*»?|「[^」\n]*」?|『[^』\n]*』?"""
    r"""|(?<!\w)['‘](?=\w)[^'’\n]{,200}(?:['’]\w[^'’\n]{,200}){,9}['’](?!\w)|\([^()\n]*\)|（[^（）\n]*）|\[[^][\n]*\]"""
    r"""|https?://\S*[^\s.,;:!?)])|(?P<mark>[.!?…]+[)\]"'”’»]*(?=\s|\Z)|[。！？｡؟।۔]+|\n\s*)""")
_LAST_WORD = re.compile(r"[^\s(\[\"'“„«]*\Z")
_NEXT_WORD = re.compile(r"(?P<word>[^\W\d_]+(?:['’]\w*)?)(?!\.\s)")
_NEVER_LAST = word_set(
    "mr mrs ms dr prof st vs fig approx ca dept gen col rev hon sen gov capt lt sgt bzw vgl str mme mlle sra dra pág",
    "jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e z.b d.h u.a p.ex p.ej cf mt ft nr núm")
_SELDOM_LAST = word_set("etc inc ltd co corp jr sr usw a.m p.m u.s u.k u.s.a ee.uu bros ave blvd no")
_OPENERS = word_set(
    "i i'm i've i'd i'll my we we're we've our he he's she she's they they're it it's the this that that's there ich",
    "mein meine wir unser er sie je j'ai j'habite j'aime mon ma mes nous yo mi mis el vivo")
_WRAPPED_CHARACTERS = 60  # of a line, from which on a new one need not be a new sentence


def _sentences(passage: str) -> list[str]:
    """The sentences of a passage, white space made single spaces."""
    ends = (mark.end() for mark in _ENDS.finditer(passage) if mark["mark"] and _is_end(passage, mark))
    told = (" ".join(passage[start:end].split()) for start, end in pairwise((0, *ends, len(passage))))
    return [sentence for sentence in told if any(map(str.isalnum, sentence))]


def _is_end(passage: str, match: re.Match[str]) -> bool:
    mark, rest = match["mark"], passage[match.end():match.end() + limits.term_characters_max].lstrip()
    if not rest or mark[0] in "。！？｡؟।۔":
        return True
    found = _NEXT_WORD.match(rest)
    following = found["word"].replace("’", "'").lower() if found else ""
    if mark.isspace():
        long = match.start() - passage.rfind("\n", 0, match.start()) > _WRAPPED_CHARACTERS
        return following in _OPENERS or not (long or rest[0].islower())
    if rest[0].islower() and following not in _OPENERS:
        return False
    before = _LAST_WORD.search(passage, max(0, match.start() - limits.term_characters_max), match.start())
    last = before.group().lower() if before else ""
    if mark[0] != "." or not last:
        return True
    if last in _SELDOM_LAST or len(last) == 1 or (last.isdigit() and len(last) < 3):
        return following in _OPENERS
    return last not in _NEVER_LAST


# -- which lines and sentences belong together ------------------------------------------------------------------------

_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINES = {kind: re.compile(line) for kind, line in {
    "quote": r"[ \t]*>", "heading": r"#{1,6}[ \t]+", "items": r"[ \t]*(?:[-*•–—+]|\(?\d{1,3}[.)]|[a-z]\))[ \t]+(?=\S)",
    "more": r"[ \t]{2,}|\t"}.items()}
_NO_LABEL = re.compile(  # what says of what follows only that it follows
    r"\W*(?:(?:(?:here are|these are|some|my|the|more) )*(?:facts?|notes?|profile|bio|basics|details|background|"
    r"summary|info(?:rmation)?|things to (?:know|remember)|(?:please )?remember(?: this)?|fakten|"
    r"notizen)(?: (?:about|on|über) (?:me|myself|us|mich))?|about me|über mich|à propos de moi|"
    r"sobre mí)\W*", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:one|either|or|any|some|neither|none|not|nur|entweder|oder|nicht|soit|ou|o)\b", re.IGNORECASE)
_STANDS = re.compile(
    r"(?:I|We|My|Our|The|Ich|Wir|Meine?|Je|J['’]|Mon|Ma|Mes|Yo|Mis?|Vivo|Tengo|Soy)\b|[我私僕俺]|[A-Z]\w+ \w+s ")
_LABEL = re.compile(
    r"(?:\[?\d[\d:./, -]*\]?[ \t]*)?(?:[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}|user|me|human|assistant|system):"
    r"(?=[ \t]+\S)|[^\W\d_]{1,8}：")
_FRAME = re.compile(
    r"(?:(?:now|so|please)?,? ?(?:imagine|suppose|pretend|assume|picture this|let['’]?s (?:say|pretend|assume|imagine)|"
    r"what if)|(?:in|from) (?:my|a|an|the|this|that|his|her) (?:\w+ )?(?:dream|novel|story|book|film|movie|game|play|"
    r"song|poem|joke)|once upon a time|stell dir vor|angenommen|supposons|imagine[sz]?|imagina|supongamos)\b"
    r"|[^:]*:(?:\s|\Z)|[^:]*：|.*, ?(?:\w+ )?(?:said|says|wrote|writes|claim(?:s|ed)|told \w+|replied)(?: \w+)?\W*\Z",
    re.IGNORECASE)
_LEANS = re.compile(
    r"(?:except|unless|because|or|at least|though|although|which|that|this|it|so|same|(?:but|well|actually|oh|haha|"
    r"lol),? (?:only|not|no|never|that|this|it|just)|no,? wait|just kidding|kidding|joking|scratch|strike|außer|weil|"
    r"das|sauf|parce|excepto|porque|eso)\b|(?:I['’]m|I am|I was|we were) (?:just )?(?:kidding|joking|lying)|"
    r"I (?:lied|take (?:it|that) back|made (?:it|that) up)|但|不过|不過|除非|因为|因為|ただし|でも|なぜなら",
    re.IGNORECASE)
_LEANS_SHORT = re.compile(
    r"(?:only|not|never|no|nope|yes|yeah|sure|of course|always|maybe|perhaps|probably|possibly|hopefully|allegedly|"
    r"supposedly|sort of|kind of|in theory|I (?:think|guess|hope|wish|believe|suppose|heard)|psych|sike|jk|nicht|nur|"
    r"nie|vielleicht|ja|nein|oui|non|peut-être|sí|quizás?|只|不|是|はい|いいえ)\b", re.IGNORECASE)
_SHORT_WORDS = 5
_QUESTION = re.compile(
    r".*(?:[?？؟][!！?？.…]*|[吗嗎][。.]?|(?:です|ます|でした|ました)か。?)[\s)）\U0001f000-\U0001ffff\u2600-\u27bf]*"
    r"|(?:what|who|where|when|why|how|which|whose)(?:['’]s| (?:is|are|was|were|do|does|did|can|could|should|would|"
    r"will))\b[^.!]*|(?:(?:can|could|will|would|do|does|did|are|have|shall|should|may) (?:you|I|we|he|she|they|it)"
    r"|is (?:it|that|he|she)) [^.!]*", re.IGNORECASE | re.DOTALL)
_HELLO = (
    r"(?:hi|hello|hey|hiya|dear|hallo|servus|hola|bonjour|salut|ciao|guten (?:tag|morgen|abend)|good (?:morning|"
    r"evening|afternoon|night)|bonsoir|buen[oa]s (?:días|tardes|noches))(?: there| all| everyone| "
    r"again)?(?:,? [A-Z]\w+)?")
_GREETING = re.compile(
    rf"(?:{_HELLO}|(?:many )?(?:thanks|thank you|danke|vielen dank|merci|gracias)(?: (?:so much|a lot|again|schön|"
    r"beaucoup))?(?:,? [A-Z]\w+)?|(?:best|kind|warm) (?:regards|wishes)\b.*|(?:good)?bye|tschüss|au revoir|adiós|"
    r"[你您]好|[谢謝][谢謝]|再[见見]|(?:こんにちは|ありがとう|おはよう)\w*|yes|yeah|yep|yup|no|nope|ok|okay|sure|right|"
    r"fine|good|great|cool|wow|exactly|definitely|absolutely|totally|me too|got it|ja|nein|oui|non|sí|lol|haha|"
    r"nice to meet you)\W*", re.IGNORECASE)
_OPENING_HELLO = re.compile(rf"\b{_HELLO}[,!]\s+(?=\w)|[你您]好[，！](?=\w)", re.IGNORECASE)
_CALLED = re.compile(r", [A-Z]\w+(?=[.!]*\Z)"), re.compile(r"\A[A-Z]\w+, ")


class _Passage(NamedTuple):
    """Lines that belong together, under a label or none; a `whole` one is one claim."""

    label: str
    text: str
    whole: bool


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Runs of lines of one kind, and the kind: text, quote, heading, items (each line one) or code."""
    start = 0
    for fence in (*_FENCE.finditer(text), None):
        for paragraph in _PARAGRAPH.split(text[start:fence.start() if fence else len(text)]):
            run: list[str] = []
            kind = ""
            for line in filter(str.strip, paragraph.split("\n")):
                found = next((name for name, rule in _LINES.items() if rule.match(line)), "text")
                if found == "more" and kind == "items":
                    run[-1] += " " + line.strip()
                    continue
                found = "text" if found == "more" else found
                if run and (found != kind or found == "heading" or (found == "text" and _LABEL.match(line))):
                    yield kind, "\n".join(run)
                    run = []
                kind = found
                run.append(line)
            if run:
                yield kind, "\n".join(run)
        if fence:
            yield "code", fence.group().strip("\n")
            start = fence.end()


def _passages(text: str) -> Iterator[_Passage]:
    heading = lead = ""  # what is over the next run, and over all until the next heading
    for (kind, run), (following, _) in pairwise((*_blocks(text), ("", ""))):
        if kind == "heading" and not _STANDS.match(_LINES[kind].sub("", run)):
            heading, lead = "" if _NO_LABEL.fullmatch(run) else run.strip("# \t:") + ":", ""
            continue
        label, lead = f"{heading} {lead}".strip(), ""
        if kind in ("text", "heading"):
            run = run.strip()
            if following not in ("", "heading") and (
                    run[-1] in ":：" or (following == "items" and run[-1] not in ".!?。")):
                run, lead = _split_lead(run)
            if run:
                yield _Passage(label, run, False)
        elif kind == "items":
            items = [_LINES[kind].sub("", line, count=1) for line in run.split("\n")]
            apart = not _CHOICE.search(label) if label else all(map(_STANDS.match, items))
            yield from (_Passage(label, item, False) for item in items) if apart else (_Passage(label, run, True),)
        else:
            yield _Passage(label, run, True)


def _split_lead(run: str) -> tuple[str, str]:
    """Lines of text, and what of them leads to what follows: the last sentence, with those that it belongs to."""
    *before, last = map(" ".join, _groups(_sentences(run)) or [[""]])
    return "\n".join(before), "" if _NO_LABEL.fullmatch(last) else last


def _claims_of(passage: _Passage) -> Iterator[str]:
    label, told = passage.label, passage.text
    if passage.whole:
        yield f"{label}\n{told}" if label else told
        return
    if (speaker := _LABEL.match(told)) is not None:
        label, told = f"{label} {speaker.group()}".strip(), told[speaker.end():]
    for group in _groups(_sentences(told)):
        group[0] = _OPENING_HELLO.sub("", group[0])
        if not all(map(_says_nothing, group)):
            for claim in _parts(group[0]) if len(group) == 1 else [" ".join(group)]:
                yield f"{label} {claim}" if label else claim


def _groups(sentences: Sequence[str]) -> list[list[str]]:
    """Sentences that are one claim together: see rule 3."""
    groups: list[list[str]] = []
    framed = False
    for sentence in sentences:
        short = len(sentence.split()) <= _SHORT_WORDS
        if groups and (framed or _LEANS.match(sentence) or (short and (
                _LEANS_SHORT.match(sentence) or (_asks(groups[-1][-1]) and not _STANDS.match(sentence))))):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
        framed = framed or _FRAME.match(sentence) is not None
    return groups


def _asks(sentence: str) -> bool:
    return _QUESTION.fullmatch(sentence) is not None and not is_phatic(sentence)


def _says_nothing(sentence: str) -> bool:
    if _QUESTION.fullmatch(sentence):
        return True
    spoken = (sentence, *(name.sub("", sentence) for name in _CALLED))
    return any(_GREETING.fullmatch(said) or is_phatic(said) or is_phatic(f"{said[:1].upper()}{said[1:].rstrip('.! ')}!")
               for said in spoken)


# -- parts of a sentence that stand alone -----------------------------------------------------------------------------

_UNSPLIT = re.compile(
    r"""["“”„«»「」『』()\[\]{}:`*_<>|=]|(?<!\w)['‘’]|['’](?!\w)|\b(?:that|who|whom|whose|which|what|where|how|because|"""
    r"since|as(?! an? )|so|or|both|either|between|if|would|could|should|may|might|must|shall|tells?|told|says?|said|"
    r"saying|claim(?:s|ed)?|according|hear|heard|reads?|writes?|wrote|asks?|asked|dream\w*|novel|story|film|movie|"
    r"fiction|roleplay|character|theory|paper|officially|technically|hypothetically|hopefully|ideally|sure|afraid|"
    r"glad|happy|certain|convinced|aware|sorry|proud|confident|surprised|worried|pleased|grateful|lucky|excited|"
    r"kidding|joking|lol|haha|together|respectively|each|dass|weil|wenn|ob|damit|obwohl|sagt|sagte|oder|entweder|que|"
    r"qu|qui|où|quand|parce|comme|ou|dit|si|cuando|cual|quien|donde|como|dice|dijo)\b", re.IGNORECASE)
_DENIES = r"(?:do|did|does|am|was|is|are|were|ca)(?:n['’]t|nnot| not)|['’](?:m|re) not|cannot|never"
_COUNT = r"(?:an?|the|my|our|his|her|no|some|many|several|one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
_KINDS = ("place", "have", "be", "sure", "feel", "do")  # of verbs: followed by a place or a trade, something counted, …
_PAST = ("moved|lived|worked|studied|relocated|came|went|grew up|graduated", "had|owned|drove|bought|sold|got|adopted",
         "was|were", "hated|enjoyed|disliked|preferred", "loved|liked", "spoke|ate|drank|played|taught|cooked")
_PRESENT = ("live|work|study|come|commute", "have|own|drive|rent|keep", "am|['’]m|are|['’]re",
            "hate|enjoy|dislike|prefer|adore", "love|like", "speak|eat|drink|play|teach|cook|collect")
_THIRD = ("lives|works|studies|comes|commutes", "has|owns|drives|rents|keeps", "is",
          "hates|enjoys|dislikes|prefers|adores", "loves|likes", "speaks|eats|drinks|plays|teaches|cooks|collects")
_NOT_AFTER = {  # what may be a noun there: `I like movies and love stories`
    "place": ("feel", "sure"), "feel": ("feel", "sure", "have", "do"), "do": ("feel", "sure", "have")}
_VERBS = re.compile(rf"\b(?:{'|'.join((*_PAST, *_PRESENT, *_THIRD))})\b")
_HOLDS_MORE = re.compile(  # another verb, or another who, that may govern what follows
    r"(?<!allergic )(?<!married )(?<!engaged )\bto [a-z]|\b(?:can|will|has|had|have|been|be|used|let|help|make|made)\b"
    r"|\b(?!(?:in|at|on|for|near|with|from|to|of|by|about|as|like|and|an?|the|my|our|his|her|no)\b)[a-z]+ (?:(?:my|"
    r"our|your|his|her|their|the|I|we|you|he|she|they)\b|[A-Z][\w-]+ [a-z])"
    r"|\s(?!(?:morn|even|spr|wedd|build|\w*th|k)ing\b)[a-z]{2,}ing\b(?=.*\w)")
_POINTS_BACK = re.compile(
    r"\b(?:its?|there|here|this|these|those|him|them|her|they|he|she|ones?|too|also|same|such|then|therefore|hence|"
    r"else|instead|otherwise|es|das|dort|ihn|ihm|sie|er|beide|auch|dann|cela|ça|là|lui|aussi|ello|allí|ahí|eso|esto|"
    r"también)\b", re.IGNORECASE)
_TIME = re.compile(  # that may hold for what stands before as well
    r"\b(?:in (?:the )?(?:\d|summer|winter|spring|autumn|fall|morning|evening|afternoon|past|future|jan|feb|mar|apr|"
    r"may|jun|jul|aug|sep|oct|nov|dec)\w*|on (?:\w+days?|weekends?)|at (?:night|noon|weekends?|the (?:time|moment|"
    r"weekend))|until|till|when|while|before|after|during|for (?:\d+|an?|two|three|four|five|many|several|some|"
    r"years)|nowadays|now|these days|currently|any ?more|again|still|as well|every|always|often|sometimes|usually|"
    r"mostly|only|today|tonight|yesterday|tomorrow|last|next|ago|once|twice|soon|eventually|some ?day|one day|anyway|"
    r"as an? (?:child|kid|boy|girl|teen\w*|student|adult)|seit|bis|im|am|jede\w|immer|oft|heute|gestern|früher|jetzt|"
    r"depuis|pendant|toujours|souvent|maintenant|en \d+|desde|hasta|durante|siempre|ahora|hoy)\b|\d{4}", re.IGNORECASE)
_JOINT = re.compile(r"[,;]? (?:and|but|und|aber|et|mais|y|pero) |[,;] ")


class _Grammar(NamedTuple):
    """What a clause begins with, and a part that lacks only its subject; the last group is the kind of verb."""

    clause: re.Pattern[str]
    phrase: re.Pattern[str]


def _english(subject: str, present: Sequence[str]) -> _Grammar:
    after = dict.fromkeys(_KINDS, "") | {"place": " (?:in|at|for|near|with|from|to|on|as)", "have": f" {_COUNT}"}
    verbs = "|".join(f"(?P<{kind}>(?:{now}|{past}){after[kind]})"
                     for kind, now, past in zip(_KINDS, present, _PAST, strict=True))
    phrase = rf"(?:(?P<deny>(?:{_DENIES}) [a-z]+)\b|(?:{verbs})(?= (?!for\b|of\b|about\b|not\b)\w))"
    return _Grammar(re.compile(rf"(?P<subject>{subject})(?: |(?=['’])){phrase}"), re.compile(phrase))


_NAME = r"(?!It |This |That |There |What |I )[A-Z][\w-]+(?: [A-Z][\w-]+)?"
_GERMAN = r"(?:wohne|lebe|arbeite|habe|bin|fahre|spreche|heiße|mag|liebe|hasse|trinke|esse|spiele|studiere)(?= \w)"
_FRENCH = r"(?:habite|ai|aime|adore|vis|travaille|suis|m['’]appelle|parle|conduis|mange|bois|préfère|déteste)(?= \w)"
_SPANISH = (r"(?:[Vv]ivo|[Tt]engo|[Ss]oy|[Ee]stoy|[Mm]e llamo|[Hh]ablo|[Cc]onduzco|[Pp]refiero|[Oo]dio|[Aa]mo|"
            r"(?:[Tt]rabajo|[Ee]studio) (?:en|para|con))(?= \w)")
_GRAMMARS = (
    _english("I|[Ww]e", _PRESENT), _english(rf"(?:[Mm]y|[Oo]ur) [a-z]+(?: {_NAME})?|{_NAME}", _THIRD),
    _Grammar(re.compile(f"(?P<subject>[Ii]ch) {_GERMAN}"), re.compile(_GERMAN)),
    _Grammar(re.compile(f"(?P<subject>[Jj]e |[Jj]['’]){_FRENCH}"), re.compile(r"(?!)")),
    _Grammar(re.compile(f"(?P<subject>(?:[Yy]o )?){_SPANISH}"), re.compile(_SPANISH)))


class _Part(NamedTuple):
    """A part of a sentence: where the joint before it starts and where it starts itself, up to where its verb was
    recognised, the kind of its verb, and the subject it is given."""

    joint: int
    start: int
    recognised: int
    kind: str | None
    subject: str


def _parts(sentence: str) -> list[str]:
    """A sentence as the parts that stand alone, often only one: see rule 2."""
    found = _clause(sentence, 0)
    if found is None or _UNSPLIT.search(sentence):
        return [sentence]
    grammar, head = found
    told = [_Part(0, 0, head.end(), head.lastgroup, "")]
    for joint in _JOINT.finditer(sentence):
        clause, phrase = _clause(sentence, joint.end()), grammar.phrase.match(sentence, joint.end())
        if clause is not None:
            grammar, head = clause
            told.append(_Part(joint.start(), joint.end(), head.end(), head.lastgroup, ""))
        elif phrase is not None and head.lastgroup not in _NOT_AFTER.get(phrase.lastgroup or "", ()):
            told.append(_Part(joint.start(), joint.end(), phrase.end(), phrase.lastgroup, head["subject"]))
    while told[-1].subject and sentence[told[-1].joint:told[-1].start] == ", ":
        told.pop()  # a row ends with `and`; what is only set off by a comma may be anything
    ends = [*(part.joint for part in told[1:]), len(sentence)]
    spans = list(zip(told, ends, strict=True))
    if not all(_stands_alone(sentence, part, end) for part, end in spans):
        return [sentence]
    return [f"{part.subject} {sentence[part.start:end]}".strip(" ,;") for part, end in spans]


def _clause(sentence: str, at: int) -> tuple[_Grammar, re.Match[str]] | None:
    return next(((grammar, head) for grammar in _GRAMMARS if (head := grammar.clause.match(sentence, at))), None)


def _stands_alone(sentence: str, part: _Part, end: int) -> bool:
    rest, denies = sentence[part.recognised:end], part.kind == "deny"
    return not (
        (denies and (end < len(sentence) or not part.joint)) or _VERBS.search(rest) or _HOLDS_MORE.search(rest)
        or (part.joint and _POINTS_BACK.search(sentence, part.start, end)) or (part.subject and _TIME.search(rest))
        or any(fact.reverses and not (denies and fact.end <= part.recognised - part.start)
               for fact in find_facts(sentence[part.start:end])))
