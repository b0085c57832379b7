from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.text.facts import facts, find_facts


@pytest.mark.parametrize(("text", "expected"), [
    ("She paid 5 mg, then 3,000.50 euros", ("5 mg", "then", "3,000.50 euros")),
    ("Meet at 7:30 pm on 2024-05-01.", ("7:30 pm", "2024-05-01")),
    ("It costs $5, not €6, over 5% more", ("$5", "not", "€6", "over 5% more")),
    ("-5 °C or +5 °C", ("-5 °c", "+5 °c")),
    ("Yesterday Anna saw O'Brien in São Paulo.", ("yesterday", "anna", "o'brien", "sao", "paulo")),
    ("I'm here. The cat is. Anna left.", ("anna", "left")),
    ("WHO said so? The Who", ("who", "who")),
    ("give us the US flag", ("us",)),
    ("I don't, he isn’t, they cannot", ("not", "not", "cannot")),
    ("Maybe, unless almost all few", ("maybe", "unless", "almost", "all", "few")),
    ('he said "It Is  so" twice', ('"it is  so"', "twice")),
    ("“Nie” und 'so what' and «oui»", ("“nie”", "'so what'", "«oui»")),
    ("the dogs' bowl and rock 'n' roll", ("'n'",)),
    ("an 'open quote goes on", ("'open quote goes on",)),
    ("see https://a.org/b?c=1, mail a.b@c.org", ("https://a.org/b?c=1", "a.b@c.org")),
    ("in /etc/x.conf or src/a.py or foo.py", ("/etc/x.conf", "src/a.py", "foo.py")),
    ("run `rm -rf x` with --force and a_b = c", ("`rm -rf x`", "--force", "a_b", "=")),
    ("gpt4 and iPhone and half-done", ("gpt4", "iphone", "half-done")),
    ("我不吃 nuts", ("我不吃",)),
    ("", ()),
])
def test_facts_are_found_where_they_stand(text: str, expected: tuple[str, ...]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("first", "second"), [
    ("The alarm is at 7:00.", "The alarm is at 7:30."),
    ("Anna is allergic to nuts.", "Anna is not allergic to nuts."),
    ("Anna is allergic to nuts.", "Bob is allergic to nuts."),
    ("Anna called Bob.", "Bob called Anna."),
    ("Take 5 mg.", "Take 5 g."),
    ("A few came.", "A lot came."),
    ("It is -5 outside.", "It is 5 outside."),
    ("Call by 5 pm.", "Call at 5 pm."),
    ("The lights are on.", "The lights are off."),
    ("He takes aspirin.", "He stopped taking aspirin."),
    ("The colleague called.", "The former colleague called."),
    ("She will come.", "She might come."),
    ("Every dog is ill.", "Some dog is ill."),
    ("Run `a b`.", "Run `a c`."),
    ("He said 'yes' to it.", "He said 'yep' to it."),
    ("我对花生过敏", "我对花生不过敏"),
    ("Er ist hier.", "Er ist nicht hier."),
    ("She came before lunch.", "She came after lunch."),
    ("It is at example.com.", "It is at example.org."),
    ("I met anna on monday.", "I met anna on tuesday."),
    ("two eggs", "three eggs"),
])
def test_texts_of_different_facts_do_not_agree(first: str, second: str) -> None:
    assert facts(first) != facts(second)


@pytest.mark.parametrize(("first", "second"), [
    ("I like tea very much.", "I really like tea very much!"),
    ("The user prefers dark mode.", "the user prefers a dark mode"),
    ("I don't smoke.", "I do not smoke."),
    ("Meet Anna at 7:30.", "we meet  ANNA at 7:30"),
    ("User prefers dark mode.", "The user prefers dark mode."),
    ("Anna's cat isn’t well", "Anna's cat isn't well"),
    ("São Paulo is big, ok.", "Is Sao Paulo big?"),
])
def test_texts_of_the_same_facts_agree(first: str, second: str) -> None:
    assert facts(first) == facts(second)


@given(st.text(st.characters()))
def test_facts_stand_in_order_and_none_within_another(text: str) -> None:
    ends = [0]
    for fact in find_facts(text):
        assert ends[-1] <= fact.start < fact.end <= len(text)
        ends.append(fact.end)


@given(st.text("ab .,'\"`*-«»“”’1", max_size=40), st.text("ab .,'\"`*-«»“”’1", max_size=40))
def test_what_is_quoted_is_one_fact_with_every_character(before: str, quoted: str) -> None:
    quoted = quoted.replace("`", "")
    assert f"`{quoted}`" in facts(f"x `{quoted}` {before}")
