# ruff: noqa: RUF001  # full-width punctuation of other scripts

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.text.claims import claims
from hippo.text.slots import Slot, slot, supersedes

# claim | subject | relation | value
FILLED = [row.split("|") for row in """
I live in Berlin.|user|lives in|Berlin
i live in Berlin|user|lives in|Berlin
I'm living in Berlin now|user|lives in|Berlin
I am now based in San Francisco, California.|user|lives in|San Francisco, California
We currently live in Berlin with my mother|user|lives in|Berlin
I moved to Rome.|user|lives in|Rome
I’ve just moved to Rome from Berlin!|user|lives in|Rome
I recently relocated to the Netherlands with my wife|user|lives in|the Netherlands
We moved back to Rome two weeks ago.|user|lives in|Rome
By the way, I live in Berlin since 2010.|user|lives in|Berlin
The user lives in Berlin|user|lives in|Berlin
User: I live in Berlin.|user|lives in|Berlin
Anna lives in Rome.|anna|lives in|Rome
Anna Schmidt moved to Rome last month.|anna schmidt|lives in|Rome
My wife lives in Rome|my wife|lives in|Rome
My sister Anna lives in Rome|my sister anna|lives in|Rome
I work at Siemens.|user|works at|Siemens
I work for the Red Cross as a nurse|user|works at|the Red Cross
I'm employed by Deutsche Bank.|user|works at|Deutsche Bank
I just started a new job at Google|user|works at|Google
My employer is Siemens|user|works at|Siemens
Bob works at Siemens in Munich.|bob|works at|Siemens
My name is Tom Baker.|user|is called|Tom Baker
My name's Tom|user|is called|Tom
My last name is Baker|user|last name|Baker
My wife is called Eva.|my wife|is called|Eva
My wife's name is Eva|my wife|is called|Eva
Please call me Tom|user|goes by|Tom
I am 34 years old.|user|age|34
I'm 34|user|age|34
I just turned 35 yesterday!|user|age|35
My birthday is on May 5th.|user|birthday|May 5th
I was born on 5 May 1990|user|birthday|5 May 1990
Anna's birthday is 1990-05-05|anna|birthday|1990-05-05
My email address is tom@example.org|user|email|tom@example.org
My work e-mail is tom@corp.example|user|work e-mail|tom@corp.example
My new phone number is +43 660 1234567|user|phone|+43 660 1234567
I am married to Eva.|user|is married to|Eva
I'm divorced|user|marital status|divorced
I drive a Tesla Model 3.|user|drives|Tesla Model 3
I drive a red Ford|user|drives|red Ford
My car is a Ford|user|drives|Ford
I use Vim as my editor.|user|uses as editor|Vim
My text editor is VS Code|user|uses as editor|VS Code
My default browser is Firefox|user|uses as browser|Firefox
My favourite colour is blue.|user|favourite color|blue
My favorite color is blue|user|favourite color|blue
Blue is my favourite colour|user|favourite color|Blue
Anna's favourite food is pad thai|anna|favourite food|pad thai
I prefer tea|user|prefers a hot drink|tea
I prefer tea to coffee.|user|prefers a hot drink|tea
I prefer dark mode|user|prefers a mode|dark mode
I prefer window seats|user|prefers a seat|window seats
I prefer swimming over running|user|prefers running or swimming|swimming
I'm currently reading Dune|user|is reading|Dune
My shoe size is 42|user|shoe size|42
I weigh 80 kg|user|weight|80 kg
My time zone is Europe/Vienna|user|time zone|Europe/Vienna
Ich wohne in Berlin.|user|lives in|Berlin
Ich bin vor kurzem nach Wien gezogen|user|lives in|Wien
Anna wohnt jetzt in München|anna|lives in|München
Ich arbeite bei Siemens als Ingenieurin|user|works at|Siemens
Ich heiße Tom|user|is called|Tom
Ich bin 34 Jahre alt|user|age|34
Mein Geburtstag ist der 5. Mai|user|birthday|5. Mai
Meine Lieblingsfarbe ist Blau|user|favourite farbe|Blau
Ich bin mit Eva verheiratet|user|is married to|Eva
Meine Handynummer ist 0660 1234567|user|mobile|0660 1234567
J'habite maintenant à Paris.|user|lives in|Paris
J’ai déménagé à Lyon|user|lives in|Lyon
Je travaille chez Renault|user|works at|Renault
Je m'appelle Luc|user|is called|Luc
J'ai 34 ans|user|age|34
Ma couleur préférée est le bleu|user|favourite couleur|bleu
Mon anniversaire est le 5 mai|user|birthday|5 mai
Vivo en Madrid.|user|lives in|Madrid
Me mudé a Sevilla|user|lives in|Sevilla
Ana vive en Madrid|ana|lives in|Madrid
Me llamo Ana|user|is called|Ana
Tengo 34 años|user|age|34
Mi color favorito es el azul|user|favourite color|azul
我现在住在柏林。|user|lives in|柏林
我搬到了上海|user|lives in|上海
我最近搬到上海了|user|lives in|上海
我叫小明|user|is called|小明
我在华为公司工作|user|works at|华为公司
我今年34岁|user|age|34
我的生日是5月5日|user|birthday|5月5日
我最喜欢的颜色是蓝色|user|favourite 颜色|蓝色
私はベルリンに住んでいます。|user|lives in|ベルリン
私は大阪に引っ越しました|user|lives in|大阪
私の名前は花子です|user|is called|花子
私は34歳です|user|age|34
""".strip().splitlines()]

EMPTY = """
I lived in Rome in 2010.
I lived in Rome.
I used to live in Rome.
I moved to Rome in 2010.
I had moved to Rome
I almost moved to Rome.
I never moved to Rome.
I haven't moved to Rome
I am moving to Rome next month.
I will move to Rome
I want to live in Rome.
I would live in Rome
I wish I lived in Rome
I don't live in Rome.
I no longer live in Rome.
I might live in Rome.
I think I live in Rome
I live in Rome, I think
I live in Rome, maybe.
If I live in Rome I am happy
Do I live in Rome?
I live in Rome?
I live in Berlin and Rome.
I live in Berlin or Rome
I live in Berlin in summer.
I live in Berlin on weekdays
I live in Berlin during the week
I live in Berlin half of the year
I mostly live in Berlin
I also live in Berlin
I live in Berlin but work in Potsdam
I live in a small flat
I live in fear.
I live near Berlin
I moved to Linux.
I moved to PostgreSQL
I moved to Marketing last month
I moved to Team Blue
She lives in Rome.
He moved to Rome
They live in Rome
Everyone lives in Rome
Nobody lives in Rome
Someone works at Siemens
Sie wohnt in Rom
Er wohnt in Rom
Elle habite à Paris
Qui habite à Paris
Mein Bruder wohnt in Rom
My sister lives in Rome.
My cat is called Tom
My friend works at Siemens
My wife and I live in Berlin
Anna and Bob live in Rome
Anna said she lives in Rome
Anna says I live in Rome
Anna: I live in Rome.
"I live in Rome."
In my dream I live in Rome
I work at Siemens on Mondays and Bosch on Fridays
I work at Siemens on Mondays
I work at Siemens and Bosch
I work at a bank.
I work at home
I work in Berlin
I worked at Siemens
I work at Siemens part-time
My name is not Tom
My name was Tom
Call me tomorrow
Call me Monday
I was 34 years old
I am almost 35
I'm over 30
I will be 35
I turned 35 in 2010
My birthday is in May
My birthday is on 5/6
My birthday is fun
I was married to Eva
I drive a Ford and a BMW.
I drive a Ford to work
I drive a truck
I also drive a BMW
My two cars are a Ford and a BMW
I prefer tea in the morning and coffee at night.
I prefer tea in the morning
I prefer not to say
I'd prefer tea
I preferred tea
I prefer jazz
I prefer to work at night
My favourite colours are blue and green
My favourite colour is blue or green
My favourite colour was blue
One of my favourite colours is blue
My favourite food isn't pizza
I'm reading a book about Rome
I am currently reading Dune and Emma
I use Vim as my editor at work
My phone is broken
Ich wohne nicht in Rom
Ich wohnte in Rom
Ich wohne in Rom und Berlin
Ich habe in Rom gewohnt
J'habitais à Paris
Je n'habite pas à Paris
Vivía en Madrid
No vivo en Madrid
No, vivo en Madrid y Sevilla
I live in Berlin for two weeks
I moved to Rome a long time ago
Trabajo en Madrid
我以前住在柏林
我不住在柏林
我住在柏林吗？
你住在哪里
我在柏林工作
我叫外卖
我住在柏林的时候很开心
私はベルリンに住んでいました
私はベルリンに住んでいません
どこに住んでいますか
I live in Berlin 😉
""".strip().splitlines()

# new | old
SUPERSEDING = [row.split("|") for row in """
I live in Rome.|I live in Berlin.
I moved to Rome.|I live in Berlin.
I live in Rome|I moved to Berlin last month.
I relocated to San Francisco|I'm living in Berlin now
We live in Rome now|I live in Berlin
I moved to Italy|I live in Germany
I live in Berlin, Germany|I live in Munich, Germany
The user lives in Rome|I live in Berlin
Anna moved to Milan.|Anna lives in Rome.
My wife works at Bosch|My wife works at Siemens.
I work for Bosch now.|I work at Siemens.
My name is Tina|My name is Tom
I'm 35|I am 34 years old.
My birthday is May 6|My birthday is on 5 May
My birthday is May 5, 1991|I was born on 5 May 1990
My email is a@example.org|My email address is b@example.org
My phone number is +43 660 1111111|My phone number is +43 660 2222222
I am married to Eva|I am married to Anna
I'm divorced|I am married
I drive a BMW|I drive a Ford.
My editor is Emacs|I use Vim as my editor
My favourite colour is green|My favorite color is blue
Green is my favourite colour|My favourite colour is blue
I prefer coffee.|I prefer tea.
I prefer coffee to tea|I prefer tea
I prefer light mode|I prefer dark mode.
I prefer aisle seats|I prefer window seats
I prefer running to swimming|I prefer swimming over running
I'm currently reading Emma|I'm currently reading Dune
Ich wohne in Wien|Ich wohne in Berlin
Ich bin nach Wien gezogen|Ich lebe in Berlin
Ich bin 35 Jahre alt|I am 34 years old
J'habite à Lyon|J'habite à Paris
Vivo en Sevilla|Vivo en Madrid
我43岁|我今年34岁
i'm 43|J'ai 34 ans
我搬到了上海|我住在北京
私は大阪に引っ越しました|私は東京に住んでいます
""".strip().splitlines()]

DISTINCT = [row.split("|") for row in """
I live in Berlin|I live in Berlin.
I live in berlin|I live in Berlin
I live in Berlin, Germany|I live in Berlin
I live in Berlin|I live in Berlin, Germany
I live in Germany|I live in Berlin
I live in Berlin|I live in Germany
I moved to California|I live in San Francisco
I live in NYC|I live in New York City
I moved to the UK|I live in the United Kingdom
I live in Munich|Ich wohne in München
I work at Siemens|I live in Berlin
My sister lives in Rome|I live in Berlin
My sister Anna lives in Rome|My colleague Anna lives in Milan
My sister lives in Milan|My sister lives in Rome
Anna lives in Rome|I live in Berlin
Anna lives in Rome|Bob lives in Milan
Anna Schmidt lives in Rome|Anna Meier lives in Milan
She lives in Rome|He lives in Milan
I used to live in Rome|I live in Berlin
I lived in Rome in 2010|I live in Berlin
I want to move to Rome|I live in Berlin
I moved to Notion|I live in Berlin
I drive a BMW on weekends|I drive a Ford
My wife drives a BMW|I drive a Ford
I drive a Ford Focus|I drive a Ford
I also drive a BMW|I drive a Ford
I work at Siemens on Mondays|I work at Bosch on Fridays
I work at Siemens in Munich|I work at Siemens
My name is Tom Baker|My name is Tom
Call me Bob|My name is Robert
My cat is called Tom|My cat is called Misty
My last name is Baker|My name is Tom
I prefer window seats|I prefer tea
I prefer tea in the morning|I prefer coffee at night
I prefer green tea|I prefer tea
I prefer wine|I prefer coffee
My favourite food is pizza|My favourite colour is blue
My favourite food is pizza|Anna's favourite food is sushi
My birthday is May 5th|My birthday is 5 May
My birthday is May 5, 1990|My birthday is 1990-05-05
Mein Geburtstag ist der 5. Mai|My birthday is on May 5
I was born on 5 May 1990|My birthday is May 5
My work email is a@example.org|My private email is b@example.org
My phone is +43 660 1234567|My phone number is 0660 1234567
My phone number is 0660 1234567|My mobile number is 0660 7654321
I weigh 80kg|I weigh 80 kg
My favourite restaurant is closed|My favourite restaurant is Luigi's
This is my favourite song|My favourite song is Yesterday
My browser is slow|My browser is Firefox
My hometown is small|My hometown is Graz
Do I live in Rome?|I live in Berlin
Anna is allergic to nuts|Anna is allergic to eggs
我住在北京市|我住在北京
""".strip().splitlines()]


@pytest.mark.parametrize(("claim", "subject", "relation", "value"), FILLED)
def test_a_plain_sentence_about_now_fills_a_slot(claim: str, subject: str, relation: str, value: str) -> None:
    assert slot(claim) == Slot(subject, relation, value)


@pytest.mark.parametrize("claim", EMPTY)
def test_what_is_past_doubtful_denied_shared_or_more_than_one_thing_fills_none(claim: str) -> None:
    assert slot(claim) is None


@pytest.mark.parametrize(("new", "old"), SUPERSEDING)
def test_another_value_in_the_same_slot_supersedes(new: str, old: str) -> None:
    assert supersedes(new, old)


@pytest.mark.parametrize(("new", "old"), DISTINCT)
def test_what_may_both_be_true_does_not_supersede(new: str, old: str) -> None:
    assert not supersedes(new, old)
    assert not supersedes(old, new)


def test_there_are_enough_cases() -> None:
    assert len({(new, old) for new, old in SUPERSEDING + DISTINCT}) >= 80
    assert len(FILLED) + len(EMPTY) >= 150


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_it_and_no_claim_supersedes_itself(one: str, other: str) -> None:
    assert not supersedes(one, one)
    assert not (supersedes(one, other) and slot(one) is None)


@pytest.mark.parametrize(("claim", "subject", "relation", "value"), FILLED)
@pytest.mark.parametrize("spoiled", ["{}, or so", "Maybe {}", "{}?", "I wish {}", "“{}”", "Anna said {}", "{} when it rains"])
def test_a_word_more_and_there_is_no_slot(
        claim: str, subject: str, relation: str, value: str, spoiled: str) -> None:
    assert slot(spoiled.format(claim.rstrip(".!。"))) is None


def test_a_claim_that_is_long_says_more_than_one_thing() -> None:
    assert slot("I live in Berlin" + ", Ostkreuz" * 2) is not None
    assert slot("I live in " + "Berlin " * 40) is None


def test_claims_of_a_text_fill_slots_one_by_one() -> None:
    found = [slot(claim.text) for claim in claims("Hi! My name is Tom, I live in Berlin and work at Siemens. Nice!")]
    assert found[:3] == [Slot("user", "is called", "Tom"), Slot("user", "lives in", "Berlin"),
                         Slot("user", "works at", "Siemens")]
