from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.limits import phatic_characters_max, text_characters_max, tier_fidelity_floors
from hippo.text.facts import facts, find_facts
from hippo.text.fading import fading_runs
from hippo.text.phatic import is_phatic, phatic_spans
from hippo.text.pieces import pieces
from hippo.text.residual import abridge, is_abridgement
from tests.text.chatter import GOES, STAYS
from tests.text.tempting import TEMPTING
from tests.text.test_fading import faded

NO_FLOORS = (0.0, 0.0, 0.0)
NOISE = ["Thanks a lot!", "That's awesome!", "Wow, that sounds great!", "Good luck!", "Take care!", "How are you?",
         "Sounds good.", "Glad to hear it!", "You're welcome!", "What do you think?", "Let me know how it goes!",
         "Thanks for asking!", "How about you?", "Congrats!", "Bye!", "Hi there!", "So proud of you!", "What great news!"]
SAYING = ["Bob plays chess.", "Anna moved to Rome in May.", "I bought 3 eggs.", "We never eat meat.", "My cat is ill."]
HOLDING = ["Just kidding.", "Not at all, Tom.", "That is a joke.", "She said so.", "Actually, I lied.", "No, wait, Tom."]


def without_noise(text: str) -> str:
    """The text without the sentences that may go."""
    for start, end in reversed(phatic_spans(text, list(find_facts(text)))):
        text = text[:start] + text[end:]
    return text


def fading_spans(text: str) -> list[tuple[int, int]]:
    """Where the runs that may go start and end, in characters."""
    parts = pieces(text)
    return [(len("".join(parts[:start])), len("".join(parts[:end]))) for start, end in fading_runs(parts)]


@pytest.mark.parametrize(("text", "expected"), GOES)
def test_a_sentence_that_tells_nothing_goes_as_a_whole(text: str, expected: str) -> None:
    assert without_noise(text) == expected
    found = abridge(text, "", NO_FLOORS)
    assert found is not None
    assert found.text == faded(text)


@pytest.mark.parametrize(("text", "part"), STAYS)
def test_what_may_tell_something_stays(text: str, part: str) -> None:
    assert part in text
    assert part in without_noise(text) or faded(text) == text
    for floors in (NO_FLOORS, *tier_fidelity_floors.values()):
        found = abridge(text, "", floors)
        assert found is None or part.rstrip(".!?").split()[-1] in found.text


@pytest.mark.parametrize(("text", "part"), STAYS)
def test_a_text_without_what_may_tell_something_is_no_abridgement(text: str, part: str) -> None:
    for missing in (part, f"{part} ", f" {part}"):
        assert missing not in text or not is_abridgement(text, text.replace(missing, "", 1))


def test_there_are_enough_texts() -> None:
    assert len(STAYS) == len({text for text, _ in STAYS}) >= 200


@pytest.mark.parametrize("sentence", NOISE)
def test_a_sentence_of_noise_is_one_in_any_apostrophe_and_with_more_marks(sentence: str) -> None:
    assert is_phatic(sentence)
    assert is_phatic(sentence.replace("'", "’"))
    assert is_phatic(sentence.replace("!", "!!").replace("?", "??"))


@pytest.mark.parametrize("sentence", NOISE)
@pytest.mark.parametrize("spoiled", ["{} ", " {}", "{}.", "“{}”", "x {}", "{} x", "Not {}", "Bob {}", "{}?!", "{} 5"])
def test_a_sentence_of_noise_with_anything_else_is_none(sentence: str, spoiled: str) -> None:
    assert not is_phatic(spoiled.format(sentence))


@pytest.mark.parametrize("sentence", NOISE)
def test_a_sentence_of_noise_without_its_mark_is_none(sentence: str) -> None:
    assert not is_phatic(sentence.rstrip(".!?"))
    assert not is_phatic(sentence.lower())
    assert not is_phatic(sentence.upper())


@pytest.mark.parametrize("sentence", NOISE)
@pytest.mark.parametrize("word", ["not", "never", "almost", "maybe", "if", "every", "Anna", "5", "tomorrow", "than"])
def test_a_name_a_number_or_a_reversing_word_anywhere_makes_it_say_something(sentence: str, word: str) -> None:
    words = sentence.split(" ")
    for place in range(len(words)):
        assert not is_phatic(" ".join([*words[:place], word, *words[place:]]))
        assert not is_phatic(" ".join([*words[:place], word.capitalize(), *words[place:]]))


@pytest.mark.parametrize("part", ["my cat", "the exam", "Rome", "20 euros", "him", "yesterday"])
@pytest.mark.parametrize("link", [" for ", " on ", " with ", " to ", " in ", ", ", " and "])
@pytest.mark.parametrize("sentence", NOISE)
def test_whatever_a_sentence_of_noise_is_about_makes_it_say_something(sentence: str, link: str, part: str) -> None:
    assert not is_phatic(sentence[:-1] + link + part + sentence[-1])


@pytest.mark.parametrize("sentence", NOISE)
@pytest.mark.parametrize("holding", HOLDING)
def test_a_sentence_that_takes_back_holds_a_whole_row(sentence: str, holding: str) -> None:
    for text in (f"{sentence} Congrats! {holding} Bob plays chess.", f"Bob plays chess. {holding} Congrats! {sentence}"):
        assert without_noise(text) == text


@given(st.lists(st.sampled_from(NOISE + SAYING), min_size=1, max_size=7), st.sampled_from([" ", "  "]))
def test_the_sentences_that_stay_are_whole_and_say_something(told: list[str], between: str) -> None:
    text = between.join(told)
    left = without_noise(text)
    sentences = re.split(r"(?<=[.!?]) +", left)
    rest = iter(told)
    assert all(sentence in rest for sentence in sentences)
    assert left == between.join(sentences)
    assert left == text or not set(sentences).isdisjoint(SAYING)
    assert [one for one in sentences if one in SAYING] == [one for one in told if one in SAYING]


@given(st.lists(st.sampled_from(NOISE + SAYING), min_size=1, max_size=7).map(" ".join), st.data())
def test_each_sentence_that_may_go_may_go_alone_and_nothing_else_may(text: str, data: st.DataObject) -> None:
    spans = phatic_spans(text, list(find_facts(text)))
    gone = [span for span in spans if data.draw(st.booleans())]
    told = text
    for start, end in reversed(gone):
        told = told[:start] + told[end:]
    assert is_abridgement(text, told)
    allowed = {text}
    for start, end in reversed(fading_spans(text)):
        allowed |= {one[:start] + one[end:] for one in allowed}
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    cut = text[:first] + text[last:]
    assert is_abridgement(text, cut) == (cut in allowed)


@given(st.lists(st.sampled_from([text for text, _ in GOES + STAYS] + [one.text for one in TEMPTING]), min_size=1,
                max_size=4), st.sampled_from([" ", "\n", "  "]))
def test_whatever_texts_come_together_the_facts_outside_of_noise_stay(texts: list[str], between: str) -> None:
    text = between.join(texts)
    told = faded(text)
    rest = iter(facts(told))
    assert all(fact in rest for fact in facts(without_noise(text)))
    assert is_abridgement(text, told)


@pytest.mark.parametrize("noise", ["Thanks! ", "Oh wow wow oh wow oh oh wow wow oh, thanks! ", "Thanks, Anna! ",
                                   "That's so so so so so so so so so so so so good! ", "How are you? ", "Thanks, ",
                                   "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaw! ", "It is. ", "A"])
def test_the_longest_texts_of_noise_have_an_answer(noise: str) -> None:
    text = (noise * (text_characters_max // len(noise)))[:text_characters_max - 40] + " Bob plays chess."
    assert sum(end - start for start, end in phatic_spans(text, list(find_facts(text)))) < len(text)


def test_a_long_sentence_tells_something() -> None:
    longest = "Thanks, " * 9 + "thanks!"
    assert len(longest) < phatic_characters_max
    assert is_phatic(longest.lower().capitalize())
    assert not is_phatic(("Thanks, " * 10 + "thanks!").lower().capitalize())


@given(st.text(st.characters()))
def test_any_text_has_an_answer(text: str) -> None:
    assert not is_phatic(text) or text.isprintable()
    assert all(0 <= start < end <= len(text) for start, end in phatic_spans(text, list(find_facts(text))))
