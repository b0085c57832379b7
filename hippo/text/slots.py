"""What a claim says of somebody that has one value at a time, and whether a later claim contradicts it. Pure.

1. A slot is a subject, a relation and a value. Only a claim that is one of a few plain sentences as a whole has one: a
   word more (a time, a condition, a doubt, `also`, a second value) and it has none. Questions and denials have none.
2. It is about now: `I used to live in Rome` and `I lived in Rome in 2010` have no slot. Who moved there lives there.
3. The user is `I`, and `we` for where one lives. Others are named, or are one by their role (`my wife`); of sisters,
   friends and cats one may have several. No other pronoun is a subject.
4. A relation has one value at a time: where one lives, works, how old one is. Preferences are compared only among what
   is chosen from at the same time: tea and coffee, dark mode and light mode, not tea and window seats.
5. Another value contradicts. One with more or fewer words of the same value does not (`Berlin`, `Berlin, Germany`), nor
   do its initials, nor a country and a town, nor names in two languages, which may be one.
6. In doubt there is no contradiction: what is kept twice can be put right, what is hidden cannot.
"""

# ruff: noqa: RUF001  # full-width punctuation of other scripts

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from hippo import limits
from hippo.text.facts import find_facts, word_set
from hippo.text.tokens import fold


class Slot(NamedTuple):
    """`subject` and `relation` are folded, `value` is as it was written."""

    subject: str
    relation: str
    value: str


class _Reading(NamedTuple):
    """A slot, the language of the claim, and the words of its value by which it is compared."""

    slot: Slot
    language: str
    words: tuple[str, ...]


def slot(claim: str) -> Slot | None:
    """The slot that a claim fills now, None where it fills none for certain.

    Args:
        claim: One claim, as `claims` gives them.
    """
    reading = _read(claim)
    return reading.slot if reading else None


def supersedes(new_claim: str, old_claim: str) -> bool:
    """Whether a claim contradicts an earlier one by filling the same slot with another value.

    Args:
        new_claim: What was said later.
        old_claim: What was said earlier.
    """
    new, old = _read(new_claim), _read(old_claim)
    if new is None or old is None or new.slot[:2] != old.slot[:2]:
        return False
    if new.language != old.language and new.slot.relation not in _IN_ANY_LANGUAGE:
        return False
    if set(new.words) <= set(old.words) or set(old.words) <= set(new.words):
        return False
    if new.slot.relation == "lives in" and _is_region(new.words) != _is_region(old.words):
        return False
    written = {"".join(words) for words in (new.words, old.words)}
    initials = {"".join(word[0] for word in words) for words in (new.words, old.words) if len(max(words, key=len)) > 1}
    return len(written) == 2 and written.isdisjoint(initials)


# -- the plain sentences ----------------------------------------------------------------------------------------------

_UNUSABLE = re.compile(r"[?？؟\"“”„«»「」『』()（）\[\]{}<>`;…]|[吗嗎か][。.]?\Z")
_LEADS = re.compile(
    r"(?:(?:(?:by the way|btw|fyi|note|please note|remember|please remember|actually|now|nowadays|currently)\b[,:]?|"
    r"(?:note|remember) that|these days|as of today|from now on,?|(?:yes|no|so|well|oh|ok|okay|update|correction)[,:]|"
    r"(?:user|me|human):) )+", re.IGNORECASE)
_SPELT_OUT = tuple((re.compile(rf"\b{short}\b"), long) for short, long in (
    ("[Ii]'m", "I am"), ("[Ii]'ve", "I have"), ("[Ww]e're", "we are"), ("[Ww]e've", "we have"), ("name's", "name is")))
_THIRD = {
    "live": "lives", "reside": "resides", "work": "works", "am": "is", "have": "has", "drive": "drives", "use": "uses",
    "prefer": "prefers", "weigh": "weighs", "wohne": "wohnt", "lebe": "lebt", "bin": "ist", "arbeite": "arbeitet",
    "fahre": "fährt", "bevorzuge": "bevorzugt", "ai": "a", "suis": "est", "vis": "vit",
    "vivo": "vive", "trabajo": "trabaja", "tengo": "tiene", "estoy": "está", "prefiero": "prefiere"}
_CAPITAL = r"[A-ZÀ-ÖØ-ÞŁŚŠŽ][\w'.&-]*"
_NAMES = rf"{_CAPITAL}(?: {_CAPITAL}){{0,3}}"
_ONE = (r"[Mm]y (?:wife|husband|mother|mum|mom|father|dad|partner|spouse|girlfriend|boyfriend|fiancée?|boss)|[Mm]eine "
        r"Frau|[Mm]ein Mann|[Mm]a femme|[Mm]on mari|[Mm]i (?:esposa|mujer|marido)")
_ONE_OF_SEVERAL = (r"[Mm]y (?:sister|brother|son|daughter|friend|colleague|cousin|uncle|aunt|neighbou?r|flatmate|"
                   rf"roommate) {_CAPITAL}")
_OTHER = rf"(?P<subject>(?:{_ONE})(?= )|{_ONE_OF_SEVERAL}|{_CAPITAL}(?: {_CAPITAL}){{0,2}})"
_PARTS = {
    "whose": rf"(?:[Mm]y|[Oo]ur|(?:[Tt]he user|User)'s|(?P<subject>{_ONE}|{_ONE_OF_SEVERAL}|{_NAMES})'s)"
             r"(?: new| current)?",
    "one": f"(?P<subject>{_ONE})", "now": r"(?:(?:now|currently|still|presently) )?",
    "just": r"(?:(?:just|recently|finally|now) )?", "names": _NAMES,
    "place": rf"(?P<value>(?:the )?{_CAPITAL}(?: (?:{_CAPITAL}|de|del|la|am|an der)){{0,4}}(?:, {_NAMES}){{0,2}})",
    "org": rf"(?P<value>(?:[Tt]he )?{_CAPITAL}(?: (?:{_CAPITAL}|&)){{0,4}})", "person": rf"(?P<value>{_NAMES})",
    "thing": r"(?P<value>[\w#+][\w#+&'./-]*(?: [\w#+&'./-]+){0,3})", "age": r"(?P<value>\d{1,3})",
    "make": r"(?P<value>(?:[a-z]+ )?[A-Z][\w-]*(?: [\w-]*[A-Z\d][\w-]*){0,3})", "date": r"(?P<value>[\w .,/-]{3,30})",
    "email": r"(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)", "phone": r"(?P<value>\+?\d[\d /-]{4,20}\d)",
    "mark": r"(?P<value>(?=[^A-Z\d]*[A-Z\d])[\w+'./-]+(?: [\w+'./-]+){0,3})",
    "product": r"(?P<value>[A-Z][\w+-]*(?: [\w-]*[A-Z\d][\w-]*){0,2}|bash|zsh|fish|n?vim|neovim|emacs|nano|firefox)",
    "amount": r"(?P<value>\d[\d.,]* ?[A-Za-z]+)",
    "stay": r"(?: (?:now|currently|again|at the moment|these days|nowadays))?(?: with (?:my|our|his|her) \w+)?"
            r"(?: since (?:\w+ )?\d{4}| for (?:\w+ ){1,2}years(?: now)?)?",
    "lately": r"(?: (?:(?:last|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter)|yesterday|today|now|"
              r"recently|(?:\w+ ){1,3}(?:days?|weeks?|months?) ago))?(?: with (?:my|our|his|her) \w+)?",
    "role": rf"(?: as an? \w+(?: \w+){{0,2}})?(?: in {_CAPITAL})?(?: now)?(?: since \d{{4}})?",
    "jetzt": "(?:(?:jetzt|nun|derzeit|aktuell|inzwischen|noch) )?", "ahora": "(?:(?:ahora|actualmente) )?",
    "à": "(?:à|en|au|aux)", "enfin": "(?:(?:maintenant|actuellement|toujours) )?",
    "la": "(?:le |la |les |l'|el |los |las )?",
    "han": r"(?P<value>[^\s，。、和与與及或但的时時很吧过過你我他她它]{1,8}?)",
    "kana": r"(?P<value>[^\s、。とやか]{1,15})",
    "tool": "(?:(?:(?:text|code|web) )?(?:editor|browser)|ide|shell|terminal|operating system|search engine|password "
            "manager|window manager)",
    "trait": r"(?P<topic>height|weight|shoe size|blood type|time ?zone|native language|mother tongue|hometown|job "
             r"title|star sign|zip code|postcode|address)", "现在": "(?:现在|現在|目前)?", "私": "(?:私|僕|俺|わたし)"}
# Language, relation, and the sentence as a whole; `{I}` also stands for others, with whom the verbs marked ~ agree.
_SENTENCES = (
    ("en", "lives in", "{we} {now}~live in {place}{stay}"), ("en", "lives in", "{we} {now}~reside in {place}{stay}"),
    ("en", "lives in", "{we} ~am {now}(?:living|based) in {place}{stay}"),
    ("en", "lives in", "{we} (?:~have )?{just}(?:moved|relocated)(?: back)? to {place}(?: from {names})?{lately}"),
    ("en", "works at", "{I} {now}~work (?:at|for) {org}{role}"),
    ("en", "works at", "{I} ~am {now}(?:working|employed) (?:at|by|for) {org}{role}"),
    ("en", "works at", "{I} (?:~have )?{just}started (?:working |a (?:new )?job )?at {org}{lately}"),
    ("en", "works at", "{whose} employer is {org}"),
    ("en", "is called", "{whose} (?P<topic>(?:(?:first|last|middle|maiden|full|family) )?name|surname|"
                        "nickname) is {person}"), ("en", "is called", "I am called {person}"),
    ("en", "is called", "{one} is (?:called|named) {person}"), ("en", "goes by", "(?:[Pp]lease )?[Cc]all me {person}"),
    ("en", "goes by", "I go by {person}"), ("en", "age", "{I} ~am {now}{age}(?: now)?(?: years old)?(?: now)?"),
    ("en", "age", "{whose} age is {age}"), ("en", "age", "{I} (?:~have )?{just}turned {age}{lately}"),
    ("en", "birthday", "{whose} (?:birthday|date of birth) is (?:on )?{date}"),
    ("en", "birthday", "{I} was born on {date}"),
    ("en", "email", "{whose} (?P<topic>(?:(?:work|private|personal|business) )?e-?mail)(?: address)? is {email}"),
    ("en", "phone", "{whose} (?P<topic>(?:(?:work|home|private) )?(?:phone|mobile|cell|"
                    "telephone))(?: phone)?(?: number)? is {phone}"),
    ("en", "is married to", "{I} ~am {now}married to {person}"),
    ("en", "marital status", "{I} ~am {now}(?P<value>single|married|divorced|widowed)(?: now)?"),
    ("en", "drives", "{I} {now}~drive an? {make}"), ("en", "drives", "{whose} car is an? {make}"),
    ("en", "uses as", "{I} {now}~use {thing} as (?:my|his|her|their|an?) (?:main |default )?(?P<topic>{tool})"),
    ("en", "uses as", "{whose} (?:main |default )?(?P<topic>{tool}) is {product}"),
    ("en", "has as", "{whose} {trait} is {mark}"), ("en", "has as", "{I} {now}(?P<topic>~weigh) {amount}"),
    ("en", "has as", "{I} ~am {amount} (?P<topic>tall)"),
    ("en", "favourite", "{whose} favou?rite (?P<topic>[a-z]+(?: [a-z]+){0,2}) is {thing}"),
    ("en", "favourite", r"(?P<value>[\w-]+) is {whose} favou?rite (?P<topic>[a-z]+(?: [a-z]+){0,2})"),
    ("en", "prefers", r"{I} {now}~prefer {thing} (?:to|over|rather than) (?P<other>\w+(?: \w+)?)"),
    ("en", "prefers", "{I} {now}~prefer {thing}"), ("en", "is reading", "{I} ~am (?:now|currently) reading {make}"),
    ("de", "lives in", "{ich} {jetzt}(?:~wohne|~lebe) {jetzt}in {place}"),
    ("de", "lives in", "{ich} ~bin (?:(?:gerade|kürzlich|jetzt|vor kurzem) )?nach {place} (?:um)?gezogen"),
    ("de", "works at", r"{ich} ~arbeite {jetzt}(?:bei|für) {org}(?: als \w+)?"),
    ("de", "is called", "[Ii]ch heiße {person}"), ("de", "is called", "[Mm]ein Name ist {person}"),
    ("de", "age", "{ich} ~bin {jetzt}{age}(?: Jahre alt)?"),
    ("de", "is married to", "{ich} ~bin {jetzt}mit {person} verheiratet"),
    ("de", "marital status", "{ich} ~bin {jetzt}(?P<value>ledig|verheiratet|geschieden|verwitwet)"),
    ("de", "birthday", "[Mm]ein Geburtstag ist (?:am |der )?{date}"),
    ("de", "birthday", "[Ii]ch habe am {date} Geburtstag"),
    ("de", "birthday", "{ich} (?:~bin|wurde) am {date} geboren"), ("de", "drives", "{ich} ~fahre {jetzt}einen? {make}"),
    ("de", "email", "[Mm]eine E-?Mail(?:-?[Aa]dresse)? (?:ist|lautet) {email}"),
    ("de", "phone", "[Mm]eine (?P<topic>Telefon|Handy|Mobil)nummer (?:ist|lautet) {phone}"),
    ("de", "favourite", r"[Mm]eine? Lieblings(?P<topic>\w+) ist (?:der |die |das )?{thing}"),
    ("de", "prefers", "{ich} ~bevorzuge {thing}"), ("fr", "lives in", "{je}habite {enfin}{à} {place}"),
    ("fr", "lives in", "{je}~vis {enfin}{à} {place}"),
    ("fr", "lives in", "{je}~ai (?:récemment )?(?:déménagé|emménagé) {à} {place}"),
    ("fr", "works at", "{je}travaille {enfin}(?:chez|pour) {org}"), ("fr", "is called", "[Jj]e m'appelle {person}"),
    ("fr", "is called", "[Mm]on nom est {person}"), ("fr", "age", "{je}~ai {age} ans"),
    ("fr", "birthday", "[Mm]on anniversaire est le {date}"),
    ("fr", "is married to", "{je}~suis mariée? (?:à|avec) {person}"),
    ("fr", "email", "[Mm]on (?:(?:adresse )?e-?mail|courriel) est {email}"),
    ("fr", "phone", "[Mm]on numéro(?: de téléphone)? est le {phone}"),
    ("fr", "favourite", r"(?:[Mm]on|[Mm]a) (?P<topic>\w+) préférée? est {la}{thing}"),
    ("fr", "prefers", "{je}préfère {la}{thing}"), ("es", "lives in", "{yo}{ahora}~vivo {ahora}en {place}"),
    ("es", "lives in", "[Mm]e (?:he mudado|mudé) a {place}"),
    ("es", "works at", "{yo}{ahora}~trabajo {ahora}para {org}"), ("es", "is called", "(?:[Yy]o )?[Mm]e llamo {person}"),
    ("es", "is called", "[Mm]i nombre es {person}"), ("es", "age", "{yo}~tengo {age} años"),
    ("es", "birthday", "[Mm]i cumpleaños es el {date}"), ("es", "is married to", "{yo}~estoy casad[oa] con {person}"),
    ("es", "email", "[Mm]i correo(?: electrónico)? es {email}"),
    ("es", "phone", "[Mm]i (?:número de )?teléfono es (?:el )?{phone}"),
    ("es", "favourite", r"[Mm]i (?P<topic>\w+) favorit[oa] es {la}{thing}"),
    ("es", "prefers", "{yo}~prefiero {la}{thing}"), ("zh", "lives in", "我{现在}住在{han}"),
    ("zh", "lives in", "我(?:已经|已經|刚|剛|最近)?搬(?:到|去)了?{han}了?"),
    ("zh", "works at", r"我{现在}在(?P<value>[A-Z][\w ]*|[^\s，。、和或]{1,12}(?:公司|银行|銀行|大学|大學|医院|醫院))"
                       "(?:工作|上班)"),
    ("zh", "is called", "我(?:叫(?!外|车|車|出租|人)|的名字[是叫]){han}"), ("zh", "age", "我(?:今年)?{age}[岁歲]了?"),
    ("zh", "birthday", "我的生日是{date}"), ("zh", "favourite", r"我最喜[欢歡]的(?P<topic>[^\s，。是]{1,6})是{han}"),
    ("zh", "email", "我的(?:邮箱|郵箱|电子邮件|電子郵件)是{email}"),
    ("zh", "phone", "我的(?:电话|電話|手机|手機)(?:号码|號碼|号)?是{phone}"),
    ("ja", "lives in", "{私}は(?:今|現在)?(?:は、?)?{kana}に住んで(?:い)?(?:る|ます)"),
    ("ja", "lives in", "{私}は(?:最近)?{kana}に引っ越し(?:た|ました)"),
    ("ja", "works at", "{私}は{kana}に勤め(?:て(?:い)?(?:る|ます))"),
    ("ja", "is called", "{私}の名前は{kana}(?:です|だ)"), ("ja", "age", "{私}は{age}歳(?:です|だ)?"),
    ("ja", "birthday", "{私}の誕生日は{date}(?:です|だ)"),
    ("ja", "favourite", r"{私}の(?:一番)?好きな(?P<topic>[^\s、。は]{1,8})は{kana}(?:です|だ)"),
)


_SPEAKER = re.compile(r"(\{(?:I|we|ich|je|yo)\}) ?")


def _pattern(sentence: str, first: bool) -> re.Pattern[str]:
    """A sentence said by the user, or of somebody else."""
    speakers = {"I": "[Ii] ", "we": "(?:[Ii]|[Ww]e) ", "ich": "[Ii]ch ", "je": "[Jj](?:e |')", "yo": "(?:[Yy]o )?"}
    others = dict.fromkeys(speakers, rf"(?:(?:[Tt]he user|User)|{_OTHER}) ")
    own = {verb: f"[{verb[0].upper()}{verb[0]}]{verb[1:]}" for verb in _THIRD} | {"am": "(?:am|are)"}
    verbs = own if first else _THIRD
    parts = _PARTS | (speakers if first else others)
    agreed = re.sub(r"~(\w+)", lambda verb: verbs[verb[1]], _SPEAKER.sub(r"\1", sentence))
    return re.compile(re.sub(r"\{([^\W\d_]+)\}", lambda part: parts[part[1]], agreed))


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Language, relation and sentence; compiled at the first use."""
    return tuple((language, relation, _pattern(sentence, first)) for language, relation, sentence in _SENTENCES
                 for first in ((True, False) if _SPEAKER.search(sentence) else (True,)))


_IN_ANY_LANGUAGE = frozenset(("age", "birthday", "email", "phone"))

# -- what may be a value ----------------------------------------------------------------------------------------------

_ARTICLES = word_set("the a an my our der die das den dem ein eine le la les un une el los las una")
_NO_VALUE = word_set(
    "and or but if when because unless not never no only also both either neither maybe perhaps while with without",
    "than too in on at for to from by as about until till since during i you he she it we they that what how who is",
    "are was were be und oder aber nicht nur auch mit et ou mais pas aussi avec y o pero tambien con sometimes usually",
    "often mostly always mornings evenings weekdays weekends summers winters monday tuesday wednesday thursday friday",
    "saturday sunday january february april june july august september october november december today tomorrow this",
    "these those everything nothing something mine yours gone nice great good bad over back open new old broken dead",
    "full expensive cheap far out late better best lost missing")
_NO_NAMES = word_set(
    "er sie es wir ihr man wer jemand niemand alle jeder dieser diese das der die den il elle on nous vous ils elles",
    "qui personne tout ce cette el ella ellos usted nosotros quien alguien nadie todo este esta esto ese mein meine",
    "dein deine sein seine ihre unser unsere mon ma mes son sa ses notre mi mis su sus nuestro le la les un une una",
    "los las ein eine somebody someone anybody people")
_NO_PLACES = word_set(
    "linux windows ubuntu debian mac android ios vim emacs neovim notion obsidian slack teams discord zoom gmail",
    "outlook python rust java javascript typescript kotlin swift ruby go scala react vue angular svelte postgres",
    "mysql sqlite redis aws azure gcp kubernetes docker github gitlab jira trello marketing sales engineering product",
    "finance hr legal support operations design research management consulting team office plan tier netflix spotify",
    "chrome firefox safari")
_REGIONS = frozenset(" ".join(name.split()) for name in """
    africa, asia, europe, eu, north america, south america, latin america, australia, oceania, middle east, afghanistan,
    albania, algeria, angola, argentina, armenia, austria, azerbaijan, bahamas, bahrain, bangladesh, belarus, belgium,
    belize, benin, bhutan, bolivia, bosnia, botswana, brazil, brunei, bulgaria, cambodia, cameroon, canada, chad, chile,
    china, colombia, congo, costa rica, croatia, cuba, cyprus, czechia, czech republic, denmark, dominican republic,
    ecuador, egypt, el salvador, estonia, ethiopia, finland, france, georgia, germany, ghana, greece, guatemala, guinea,
    guyana, haiti, honduras, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast,
    jamaica, japan, jordan, kazakhstan, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, liberia, libya,
    lithuania, luxembourg, madagascar, malaysia, maldives, mali, malta, mauritius, mexico, moldova, monaco, mongolia,
    montenegro, morocco, mozambique, myanmar, namibia, nepal, netherlands, holland, new zealand, nicaragua, niger,
    nigeria, north korea, north macedonia, norway, oman, pakistan, palestine, panama, paraguay, peru, philippines,
    poland, portugal, qatar, romania, russia, rwanda, saudi arabia, senegal, serbia, sierra leone, singapore, slovakia,
    slovenia, somalia, south africa, south korea, korea, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan,
    tajikistan, tanzania, thailand, tunisia, turkey, uganda, ukraine, united arab emirates, uae, united kingdom, uk,
    britain, england, scotland, wales, northern ireland, united states, us, usa, america, uruguay, uzbekistan,
    venezuela, vietnam, yemen, zambia, zimbabwe, alabama, alaska, arizona, arkansas, california, colorado, connecticut,
    delaware, florida, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
    massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new
    mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south
    dakota, tennessee, texas, utah, vermont, virginia, west virginia, wisconsin, wyoming, bavaria, saxony, hesse, tyrol,
    tuscany, sicily, catalonia, andalusia, brittany, normandy, provence, quebec, ontario, british columbia, deutschland,
    osterreich, schweiz, frankreich, spanien, italien, bayern, sachsen, hessen, tirol, allemagne, autriche, suisse,
    espagne, italie, angleterre, etats unis, bretagne, normandie, alemania, suiza, francia, espana, italia, inglaterra,
    estados unidos, cataluna, andalucia
    """.replace("\n", " ").split(","))
_SPACELESS_REGIONS = word_set("中国 中國 日本 美国 美國 英国 英國 德国 德國 法国 法國 台湾 台灣 アメリカ ドイツ")
_CHOICES = {choice.replace("_", " "): kind for kind, choices in {
    "hot drink": "tea coffee cocoa espresso cappuccino latte matcha tee kaffee cafe", "drink": "beer wine whisky gin",
    "pet": "dog cat hund katze", "season": "summer winter spring autumn fall",
    "part of the day": "morning evening night",
    "vehicle": "train plane bus car bike bicycle flying driving", "contact": "email e-mail phone call text chat",
    "indent": "tab space", "unit": "metric imperial celsius fahrenheit kilometer mile", "taste": "sweet savoury salty",
    "editor": "vim emacs neovim vscode vs_code nano", "system": "windows linux macos mac",
    "phone": "android ios iphone",
    "browser": "firefox chrome safari edge", "home": "city countryside", "holiday": "beach mountain sea",
    "language": "python rust java go javascript typescript ruby c++ c# kotlin swift php",
    "framework": "react vue angular svelte", "database": "postgres postgresql mysql sqlite mariadb"}.items()
    for choice in choices.split()}
_CHOICE_HEADS = word_set(
    "mode theme seat chocolate water wine tea coffee milk bread answer reply response explanation format unit")
_MONTHS = {month: number for row in (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
    for number, month in enumerate(row.split(), 1)}
_DATES = tuple(re.compile(date) for date in (
    r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)? ?(?:of |de )?(?P<month>[a-z]+)\.?(?:,? (?:de )?(?P<year>\d{4}))?",
    r"(?P<month>[a-z]+)\.? (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>\d{4}))?",
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.?(?: ?(?P<year>\d{4}))?",
    r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号號]"))
_SAME_TOPIC = {"timezone": "time zone", "web browser": "browser", "text editor": "editor", "code editor": "editor",
               "full name": "name", "family name": "last name", "surname": "last name", "e-mail": "email",
               "telephone": "phone", "telefon": "phone", "cell": "mobile", "handy": "mobile", "mobil": "mobile",
               "weighs": "weight", "weigh": "weight", "tall": "height"}
_PHONE_DIGITS = 8  # the last ones: what stands before is a country's code or a zero


def _read(claim: str) -> _Reading | None:
    said = " ".join(claim.split()).replace("’", "'").rstrip(".!。！ ")
    if len(claim) > limits.slot_characters_max or _UNUSABLE.search(said):
        return None
    said = _LEADS.sub("", said, count=1) if _LEADS.match(said) else said
    for short, long in _SPELT_OUT:
        said = short.sub(long, said)
    found = next(((language, relation, match) for language, relation, pattern in _patterns()
                  if (match := pattern.fullmatch(said))), None)
    return _reading(*found) if found else None


def _reading(language: str, relation: str, match: re.Match[str]) -> _Reading | None:
    named = match.groupdict()
    subject, value = named.get("subject"), match["value"]
    topic = fold(named.get("topic") or "").replace("colour", "color")
    if subject is not None and not _is_somebody(subject):
        return None
    topic = _SAME_TOPIC.get(topic, topic)
    words = _words(relation, value, spaceless=language in ("zh", "ja"))
    if relation == "lives in" and words and not _is_place(value, words):
        return None
    if relation == "prefers" and words:
        relation = _choice(" ".join(words), fold(named.get("other") or ""))
    elif relation in ("is called", "phone", "email") and topic:
        relation = topic if topic != "name" else "is called"
    elif relation == "has as":
        relation = topic
    elif topic:
        relation = f"{relation} {topic}"
    if not words or not relation:
        return None
    return _Reading(Slot(fold(subject) if subject else "user", relation, value), language, words)


def _is_somebody(subject: str) -> bool:
    """Whether somebody is named, or is the only one of their role; what opens a sentence need be neither."""
    if re.fullmatch(_ONE, subject):
        return True
    name = re.sub("[Mm]y [a-z]+ ", "", subject)
    found = [fact for fact in find_facts(f"to {name}") if fact.name]
    return len(found) == len(name.split()) and _NO_NAMES.isdisjoint(fold(name).split())


def _words(relation: str, value: str, *, spaceless: bool) -> tuple[str, ...]:
    """The words of a value by which it is compared, none where it is no value."""
    folded = fold(value)
    if relation == "birthday":
        return _date(folded)
    if relation == "phone":
        return ("".join(filter(str.isdigit, folded))[-_PHONE_DIGITS:],)
    if relation in ("email", "age"):
        return (folded,)
    if spaceless:
        return tuple(folded)
    words = tuple(word for word in re.findall(r"[\w+#]+", folded) if word not in _ARTICLES)
    if relation == "favourite" and value.islower() and any(len(word) > 4 and word.endswith("ed") for word in words):
        return ()  # `closed`
    return words if _NO_VALUE.isdisjoint(words) else ()


def _date(folded: str) -> tuple[str, ...]:
    """A day of the year as month and day, and the year where it is said."""
    for form in _DATES:
        if (found := form.fullmatch(folded)) is not None:
            month = int(found["month"]) if found["month"].isdigit() else _MONTHS.get(found["month"], 0)
            if 1 <= month <= 12 and 1 <= int(found["day"]) <= 31:
                return (f"{month:02}-{int(found['day']):02}", *filter(None, (found["year"],)))
    return ()


def _is_place(value: str, words: tuple[str, ...]) -> bool:
    """Whether one can live there: people move to departments and programs as well."""
    return _NO_PLACES.isdisjoint(words) and not re.search(r"\d|[a-z][A-Z]", value)


def _is_region(words: tuple[str, ...]) -> bool:
    return " ".join(words) in _REGIONS or "".join(words) in _SPACELESS_REGIONS


def _choice(value: str, other: str) -> str:
    """The relation of a preference: by what it is chosen from, empty where that is not known."""
    kind = _kind(value)
    if other and (kind == "" or _kind(other) != kind):
        return f"prefers {' or '.join(sorted((value, other)))}"
    return f"prefers a {kind}" if kind else ""


def _kind(value: str) -> str:
    *rest, head = value.split()
    head = head.removesuffix("s")
    if rest and head in _CHOICE_HEADS:
        return head
    return _CHOICES.get(value) or _CHOICES.get(" ".join((*rest, head))) or ""
