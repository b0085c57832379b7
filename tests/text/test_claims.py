# ruff: noqa: RUF001  # quotation marks and full-width punctuation are what this is about

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippo.limits import salience_default, text_characters_max
from hippo.text.claims import Claim, claims, intensity


def told(text: str) -> list[str]:
    return [claim.text for claim in claims(text)]


# A text and its claims, after `=>`, separated by `|`.
APART = [(text, found.split("|")) for text, found in (row.split(" => ") for row in """
I live in Berlin and work at Siemens => I live in Berlin|I work at Siemens
I live in Berlin and I work at Siemens. => I live in Berlin|I work at Siemens.
I live in Berlin, work at Siemens and drive a VW. => I live in Berlin|I work at Siemens|I drive a VW.
I live in Berlin, but work in Potsdam. => I live in Berlin|I work in Potsdam.
I live in Berlin; I work at Siemens. => I live in Berlin|I work at Siemens.
I'm from Rome and love pasta => I'm from Rome|I love pasta
I am married and have two kids. => I am married|I have two kids.
I'm allergic to peanuts, love hiking and hate mornings. => I'm allergic to peanuts|I love hiking|I hate mornings.
I live in Berlin and don't drink alcohol. => I live in Berlin|I don't drink alcohol.
I drive a Ford and my wife drives a BMW. => I drive a Ford|my wife drives a BMW.
I drive a Ford and my wife drives a BMW and works at Siemens. => I drive a Ford|my wife drives a BMW|my wife works at Siemens.
Anna lives in Rome and works at Siemens. => Anna lives in Rome|Anna works at Siemens.
My sister Anna lives in Rome and has two kids. => My sister Anna lives in Rome|My sister Anna has two kids.
My name is Tom, I live in Berlin and I work as a nurse at Charité. => My name is Tom|I live in Berlin|I work as a nurse at Charité.
I have two kids with my wife and live in a small flat near Berlin. => I have two kids with my wife|I live in a small flat near Berlin.
I am a German citizen and am not married. => I am a German citizen|I am not married.
I was born in Rome and moved to Milan. => I was born in Rome|I moved to Milan.
I lived in Rome in 2010 and I work at Siemens. => I lived in Rome in 2010|I work at Siemens.
Ich wohne in Berlin und arbeite bei Siemens. => Ich wohne in Berlin|Ich arbeite bei Siemens.
J'habite à Paris et je travaille chez Renault. => J'habite à Paris|je travaille chez Renault.
Vivo en Madrid y trabajo en Siemens. => Vivo en Madrid|trabajo en Siemens.
""".strip().splitlines())]

WHOLE = r"""
If it rains I will stay home and read
When it rains I stay home and read books.
I do not like tea and coffee
I don't like tea and coffee.
I neither smoke nor drink and live in Rome.
Anna said she lives in Rome and works at X
Anna told me that she lives in Rome and works at Siemens.
I live in Berlin and work at Siemens, she said.
I heard Anna lives in Rome and works at Siemens.
According to Anna, I live in Rome and work at Siemens.
My wife believes I live in Rome and work at Siemens.
I think I live in Rome and work at Siemens.
I live in Rome and work at Siemens, I think.
Maybe I live in Rome and work at Siemens.
I might live in Rome and work at Siemens.
I want to live in Berlin and work at Siemens
I plan to live in Berlin and work at Siemens.
I wish I lived in Rome and worked at Siemens.
I dreamed I lived in Rome and worked at Siemens.
I live in Rome and work at Siemens in my dreams.
I live and work in Berlin.
I bought and sold a car.
I eat and drink nothing
I have lived in Rome and worked at Siemens.
I used to live in Rome and work at Siemens.
I can swim and play chess.
I let my dog run and play in the park.
I help people live in Rome and work at Siemens.
I know Anna lives in Rome and works at Siemens.
I like work and play
I love jazz and live music
I like movies and love stories
I work in film and play production.
I speak French and German.
I live in Berlin and Rome.
I live in Berlin and work at Siemens in summer.
I live in Berlin and work at Siemens on Mondays.
I lived in Berlin and worked at Siemens in 2010
I lived in Berlin and worked at Siemens until May.
I live in Berlin and work at Siemens now.
I lived in Rome and had two dogs as a child.
In 2010 I lived in Rome and worked at Siemens.
On weekdays I live in Berlin and work at Siemens.
I live in Berlin or work at Siemens.
What is important to me is family.
Either I live in Berlin or I work at Siemens.
I live in Berlin and I don't like it there.
I love my wife and she loves me.
My wife and I live in Berlin and work at Siemens.
Anna and Bob live in Rome and work at Siemens.
I live in Berlin because I work at Siemens and love it.
I live in a house that Anna owns and cleans.
I only live in Berlin and work at Siemens.
I never live in Berlin and work at Siemens.
I can't eat cake and I drink wine.
I say "I live in Rome and I work at Siemens" a lot.
I sing 'I live in Rome and I work at Siemens' a lot.
I live in Rome (and I work at Siemens).
I am sure my parents left and live in Rome.
I am glad Anna left and was in Rome.
I live in the house my parents built and moved to Rome.
I live in the house Anna built and own a car.
I live in Berlin and work at Siemens, in theory.
I live in Berlin and no longer work at Siemens.
I don't live in Berlin and work at Siemens.
I was forced to live in Rome and work at Siemens.
Ich sagte, dass ich in Rom wohne und bei Siemens arbeite.
Wenn es regnet, bleibe ich zu Hause und lese.
Ich mag keinen Tee und Kaffee.
Ich wohne in Berlin und arbeite bei Siemens seit 2010.
S'il pleut, je reste à la maison et je lis.
No vivo en Madrid y trabajo en Siemens.
""".strip().splitlines()

SENTENCES = [(text, found.split("|")) for text, found in (row.split(" => ") for row in """
I moved to Rome. My cat is old. => I moved to Rome.|My cat is old.
i live in berlin. i work at siemens => i live in berlin.|i work at siemens
Dr. Meier lives at St. Paul's. I like Mr. Smith. => Dr. Meier lives at St. Paul's.|I like Mr. Smith.
I run 3.5 km, e.g. in the park. It's fun... I rest at 7 a.m. My wife sleeps. => I run 3.5 km, e.g. in the park. It's fun...|I rest at 7 a.m.|My wife sleeps.
J. R. R. Tolkien wrote it. I read it. => J. R. R. Tolkien wrote it.|I read it.
I was born on 5. May 1990. I am 34. => I was born on 5. May 1990.|I am 34.
Am 3. Mai ziehe ich um. Ich mag z.B. Tee, ca. 3 Tassen. => Am 3. Mai ziehe ich um.|Ich mag z.B. Tee, ca. 3 Tassen.
I use Node.js. See https://example.org/a.b?c=d. My key is v1.2.3. => I use Node.js.|See https://example.org/a.b?c=d.|My key is v1.2.3.
I work at Yahoo! since May. I like it. => I work at Yahoo! since May.|I like it.
She said "I live in Rome. I work at X." and left. I stayed. => She said "I live in Rome. I work at X." and left.|I stayed.
“I live in Rome. I hate it,” said Anna. I agree. => “I live in Rome. I hate it,” said Anna.|I agree.
I moved (it was hard. Really.) to Rome. I rest. => I moved (it was hard. Really.) to Rome.|I rest.
"I live in Rome. I work at Siemens => "I live in Rome. I work at Siemens
Run `a. B. C` first. I did. => Run `a. B. C` first.|I did.
我住在柏林。我在西门子工作！我很好… => 我住在柏林。|我在西门子工作！|我很好…
他说「我住在罗马。我很好。」然后走了。我不知道。 => 他说「我住在罗马。我很好。」然后走了。|我不知道。
私はベルリンに住んでいます。猫が好きです。 => 私はベルリンに住んでいます。|猫が好きです。
मैं दिल्ली में रहता हूँ। मेरा नाम राम है। => मैं दिल्ली में रहता हूँ।|मेरा नाम राम है।
""".strip().splitlines())]

TOGETHER = """
I live in Rome. Just kidding.
I live in Rome. That is a lie.
I live in Rome. No wait, Milan.
I live in Rome. I take that back.
I live in Rome. I was joking.
I live in Rome. Not anymore.
I live in Rome. Only in summer.
I live in Rome. Except on Sundays.
I live in Rome. I think.
I live in Rome. Or so I heard.
I live in Rome. This was in 2010.
Where do I live? In Berlin.
Am I allergic to nuts? Yes, to all of them.
Do I like tea? Never.
Imagine this. I live in Rome. I work at Siemens.
Suppose I live in Rome. I work at Siemens.
In my dream I lived in Rome. I worked at Siemens.
So Anna wrote to me: I live in Rome. I work at Siemens.
I live in Rome, she said. I work at Siemens.
Stell dir vor. Ich wohne in Rom. Ich arbeite bei Siemens.
Ich wohne in Rom. Nicht wirklich.
""".strip().splitlines()

NOTHING = """
Hi!
hello
Hi Anna,
Thanks!
thank you, Anna!
Good morning!
How are you?
Where do I live
what is my name
Can you remind me tomorrow
Do you know Anna?
Is it late?!
Wow, Anna!
Yes.
Ok
Guten Tag!
Wie geht es dir?
Bonjour
Où habites-tu ?
¿Dónde vives?
Gracias
你好！
你住在哪里？
你喜欢茶吗
こんにちは。
どこに住んでいますか
...
😀
---
""".strip().splitlines()


@pytest.mark.parametrize(("text", "found"), APART)
def test_a_sentence_is_taken_apart_where_each_part_stands_alone(text: str, found: list[str]) -> None:
    assert told(text) == found


@pytest.mark.parametrize("text", WHOLE)
def test_a_sentence_whose_parts_hang_together_stays_whole(text: str) -> None:
    assert told(text) == [text]


@pytest.mark.parametrize(("text", "found"), SENTENCES)
def test_a_sentence_ends_where_a_reader_would_say_so(text: str, found: list[str]) -> None:
    assert told(text) == found


@pytest.mark.parametrize("text", TOGETHER)
def test_what_takes_back_answers_or_frames_stays_with_what_it_is_about(text: str) -> None:
    assert told(text) == [text]


@pytest.mark.parametrize("text", NOTHING)
def test_greetings_questions_and_assents_claim_nothing(text: str) -> None:
    assert told(text) == []
    assert told(f"I live in Berlin.\n\n{text}") == ["I live in Berlin."]


def test_a_greeting_that_opens_a_sentence_goes_without_it() -> None:
    assert told("Hi there, I live in Berlin. Bye!") == ["I live in Berlin."]
    assert told("Hello Anna! My name is Tom. Where do you live? Thanks!") == ["My name is Tom."]


@pytest.mark.parametrize(("text", "found"), [
    ("Things I like:\n- tea\n- hiking", ["Things I like: tea", "Things I like: hiking"]),
    ("I moved. I am allergic to\n1. nuts\n2. eggs\n   and milk", ["I moved.", "I am allergic to nuts", "I am allergic to eggs and milk"]),
    ("Imagine this. I am allergic to:\n- nuts", ["Imagine this. I am allergic to: nuts"]),
    ("Facts about me:\n- I live in Berlin.\n- I work at Siemens and have two kids.", ["I live in Berlin.", "I work at Siemens", "I have two kids."]),
    ("Not true:\n- I live in Rome\n- I work at X", ["Not true:\n- I live in Rome\n- I work at X"]),
    ("One of these holds:\n- I live in Rome\n- I live in Milan", ["One of these holds:\n- I live in Rome\n- I live in Milan"]),
    ("- tea\n- coffee", ["- tea\n- coffee"]),
    ("# About me\n\nI live in Rome.\n\n# Anna\nI live in Milan. I work at Fiat.", ["I live in Rome.", "Anna: I live in Milan.", "Anna: I work at Fiat."]),
    ("Anna wrote:\n\nI live in Rome. I work at Fiat.", ["Anna wrote: I live in Rome.", "Anna wrote: I work at Fiat."]),
    ("Anna: I live in Rome. I work at Fiat.\nBob: Me too! I live in Milan.", ["Anna: I live in Rome.", "Anna: I work at Fiat.", "Bob: I live in Milan."]),
    ("[12:30] Anna: I live in Rome. I work at Fiat.", ["[12:30] Anna: I live in Rome.", "[12:30] Anna: I work at Fiat."]),
    ("安娜：我住在罗马。我很好。", ["安娜： 我住在罗马。", "安娜： 我很好。"]),
    ("> I live in Rome. I work at Fiat.\n\nI disagree.", ["> I live in Rome. I work at Fiat.", "I disagree."]),
    ("Use this:\n```\nls. Rm it.\n\nI live in Rome.\n```\nI like cats.", ["Use this:\n```\nls. Rm it.\n\nI live in Rome.\n```", "I like cats."]),
    ("I live in Berlin\nI work at Siemens\nmy cat is old", ["I live in Berlin", "I work at Siemens", "my cat is old"]),
    ("I live in a house at the far end of a street that is long and\nhas many trees.", ["I live in a house at the far end of a street that is long and has many trees."]),
])
def test_what_stands_under_a_label_keeps_it_and_what_is_no_prose_stays_whole(text: str, found: list[str]) -> None:
    assert told(text) == found


def test_a_claim_is_told_once() -> None:
    assert told("I live in Rome. I live in Rome.\nI live in Rome.") == ["I live in Rome."]


def test_nothing_is_claimed_by_an_empty_text() -> None:
    assert claims("") == claims(" \n\n ") == []


@pytest.mark.parametrize(("more", "less"), [
    ("I am allergic to nuts.", "I like nuts."), ("I love tea.", "I drink tea."), ("I hate tea.", "I drink tea."),
    ("I always drink tea.", "I drink tea."), ("I must drink tea.", "I drink tea."), ("I drink tea!", "I drink tea."),
    ("I drink tea.", "Maybe I drink tea."), ("I drink tea.", "I think I drink tea."),
    ("Ich hasse Tee.", "Ich trinke Tee."), ("J'adore le thé.", "Je bois du thé."), ("Odio el té.", "Bebo té."),
    ("我讨厌茶。", "我喝茶。"), ("私はお茶が大好きです。", "お茶を飲みます。"), ("我对花生过敏。", "我吃花生。"),
    ("I drink tea.", "It must have been tea, perhaps.")])
def test_intensity_follows_the_words(more: str, less: str) -> None:
    assert 0 < intensity(less) < intensity(more) <= 1


def test_intensity_of_what_is_plain_is_the_salience_of_a_memory() -> None:
    assert claims("I live in Berlin.") == [Claim("I live in Berlin.", salience_default)]
    assert intensity("I may come in May.") < intensity("I come in May.") == salience_default


_PIECES = ["I live in Berlin", " and ", " but ", ", ", ". ", "work at Siemens", "Anna", "said", "if", "not", "I", "have two kids",
           "\n", "\n\n", "- ", ": ", '"', "'", "“", "(", ")", "`", "```\n", "# ", "> ", "?", "!", "Hi", "我住在柏林", "。", "Dr.", "5", "…"]


@example("0HI, 0")
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(_PIECES), max_size=25).map("".join)))
def test_no_word_is_made_up_and_none_is_out_of_order(text: str) -> None:
    for claim in claims(text):
        assert 0 < claim.intensity <= 1
        assert any(map(str.isalnum, claim.text))
        rest = iter(re.findall(r"\w+", text))
        assert all(word in rest for word in re.findall(r"\w+", claim.text)), claim


@given(st.lists(st.sampled_from(["I live in Berlin", "My cat is old", "Tom ran", "Anna has two dogs"]), min_size=1, max_size=6))
def test_plain_sentences_come_back_as_they_are(said: list[str]) -> None:
    assert told(" ".join(f"{sentence}." for sentence in said)) == list(dict.fromkeys(f"{sentence}." for sentence in said))


@pytest.mark.parametrize("piece", [".", "a. ", '"', "'a ", "I and ", "I live in Berlin and work at Siemens ", "(", "\n", "- a\n", "A: ", "`", "what is ", "1. ", "> ", "I like:\n\n", "吗"])
def test_the_longest_text_takes_no_unreasonable_time(piece: str) -> None:
    text = (piece * text_characters_max)[:text_characters_max]
    assert len(claims(text)) <= text_characters_max
