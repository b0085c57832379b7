from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippo.text.agreement import Agreement, Wording, agreement
from hippo.text.facts import facts
from sims.people import episodes

SAID = [one.text for one in episodes(5, 200, 0)]


def of(earlier: str, later: str) -> Agreement:
    return agreement(Wording(earlier), Wording(later))


@pytest.mark.parametrize(("one", "other"), [
    ("I like tea.", "i like tea!"),
    ("Anna's cat isn't well, she sees the vet.", "Anna’s cat isn’t well; she sees the vet"),
    ("My sister  plays\nthe violin.", "My sister plays the violin."),
    ("I don't smoke and I'm fine.", "I do not smoke and I am fine."),
    ("I can't swim.", "I cannot swim."),
    ("They won't come, we've asked.", "They will not come, we have asked."),
    ("It's cold.", "It is cold."),
    ("I have two cats.", "I have 2 cats."),
    ("The call is at 7pm.", "The call is at 7 PM."),
    ("The user's editor is Vim.", "User's editor is Vim"),
    ("The user prefers dark mode.", "User prefers dark mode."),
    ("Wow, I really like this garden!", "I like this garden!"),
    ("Hello there. The boiler was serviced in May.", "The boiler was serviced in May."),
    ("Cafe\u0301 Central is near.", "Café Central is near."),
    ("我住在柏林。", "我住在柏林"),
    ("ﾃﾆｽとＡＢＣ。", "テニスとABC。"),
    ("Ma voiture est rouge.", "ma voiture est rouge"),
    ("Моя сестра любит чай.", "моя сестра любит чай"),
    ("The password is Hunter2!", "The password is Hunter2!\n"),
])
def test_the_same_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert of(one, other) is of(other, one) is Agreement.SAME


@pytest.mark.parametrize(("one", "other"), [
    ("I like tea.", "I like coffee."),
    ("The dog bit the man.", "The man bit the dog."),
    ("It goes from the lake to the hut.", "It goes to the lake from the hut."),
    ("She works at the bank.", "She worked at the bank."),
    ("She has a son.", "She has sons."),
    ("It is important.", "It is an import."),
    ("He has few friends.", "He has a few friends."),
    ("He is allergic to the flowers.", "He is allergic to flowers."),
    ("He is allergic to nuts.", "He is allergic to pine nuts."),
    ("The soup is very spicy.", "The soup is spicy."),
    ("His sister pays.", "My sister pays."),
    ("In May I chose to go.", "I chose to go in May."),
    ("The report is finished.", "The report is finished?"),
    ("It went fine :)", "It went fine :("),
    ("Full 👍", "Full 👎"),
    ("See .env for it.", "See env for it."),
    ("The key for it is ops:web.", "The key for it is ops web."),
    ("The link has 100 Mb.", "The link has 100 MB."),
    ("Area: 10² m", "Area: 102 m"),
    ("It costs 1,000 euros.", "It costs 1.000 euros."),
    ("The password is hunter2.", "The password is hunter2!"),
    ("Swordfish is the password.", "swordfish is the password."),
    ("He works in it.", "He works in IT."),
    ("run:\n  f(x)\n  g(x)", "run:\n  f(x)\ng(x)"),
    ("Le plat est sale.", "Le plat est salé."),
    ("Il dit oui.", "Il a dit oui."),
    ("Er trinkt in Maßen.", "Er trinkt in Massen."),
    ("我住在北京", "我住在南京"),
    ("비가 와요", "비가 안 와요"),
    ("Wash the car.", "Wash the car insurance."),
    ("She is a doctor.", "She is a doctor's assistant."),
    ("I saw the dogs.", "I saw the dogs' bowl."),
    ("We meet in the park.", "We meet in the park, or not?"),
    ("We meet in the park.", "We meet in the park, unless it rains."),
    ("We meet in the park.", "We meet in the park on Monday."),
    ("", "I like tea."),
    ("...", "!!"),
])
def test_what_may_be_a_correction_is_something_else(one: str, other: str) -> None:
    assert of(one, other) is of(other, one) is Agreement.OTHER


@pytest.mark.parametrize(("less", "more"), [
    ("Anna lives near the lake.", "Anna lives near the lake with her parents."),
    ("The alarm rings at 7:00.", "The alarm rings at 7:00 because of the train."),
    ("My sister plays the violin.", "My sister plays the violin, and the flute."),
    ("I am learning to sail.", "I'm learning to sail. The boat belongs to an uncle."),
    ("Use spaces", "Use spaces\nThe editor is set up for it"),
])
def test_what_repeats_the_other_and_goes_on_says_more(less: str, more: str) -> None:
    assert of(less, more) is Agreement.MORE
    assert of(more, less) is Agreement.LESS


def test_long_texts_and_texts_without_words_are_the_same_only_to_the_character() -> None:
    long = "I like tea. " * 400
    assert of(long, long) is of("!", "!") is Agreement.SAME
    assert of(long, long + "!") is Agreement.OTHER


@given(st.text(st.characters()))
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert of(text, text) is Agreement.SAME


@given(st.text("aA b.!?'\"2’\n", max_size=12), st.text("aA b.!?'\"2’\n", max_size=12))
def test_agreement_is_the_same_from_both_sides(one: str, other: str) -> None:
    mirrored = {Agreement.MORE: Agreement.LESS, Agreement.LESS: Agreement.MORE}
    found = of(one, other)
    assert of(other, one) is mirrored.get(found, found)
    assert found is Agreement.OTHER or one == other or facts(one.lower()) == facts(other.lower())


@given(st.sampled_from(SAID), st.data())
def test_another_word_anywhere_makes_another_text(said: str, data: st.DataObject) -> None:
    words = said.split()
    place = data.draw(st.integers(0, len(words) - 1))
    instead = data.draw(st.sampled_from(data.draw(st.sampled_from(SAID)).split()))
    assume(Wording(instead).words != Wording(words[place]).words)
    assert of(said, " ".join((*words[:place], instead, *words[place + 1:]))) is Agreement.OTHER


@given(st.sampled_from(SAID), st.data())
def test_two_words_that_change_places_make_another_text(said: str, data: st.DataObject) -> None:
    words = said.rstrip(".").split()
    one, other = sorted(data.draw(st.sets(st.integers(0, len(words) - 1), min_size=2, max_size=2)))
    assume(words[one].lower() != words[other].lower())
    words[one], words[other] = words[other], words[one]
    assert of(said, " ".join(words)) is Agreement.OTHER


@given(st.sampled_from(SAID), st.data())
def test_without_a_word_a_text_is_never_the_same(said: str, data: st.DataObject) -> None:
    words = said.split()
    place = data.draw(st.integers(0, len(words) - 1))
    left = " ".join(words[:place] + words[place + 1:])
    assert of(said, left) in (Agreement.OTHER, Agreement.LESS) or words[place] == "Please"
