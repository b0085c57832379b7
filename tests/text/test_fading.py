from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.text.facts import facts
from hippo.text.fading import SMALL_WORDS, fading_runs, may_fade
from hippo.text.phatic import is_phatic
from hippo.text.pieces import pieces
from tests.text.tempting import TEMPTING, Tempting


def kept(parts: list[str]) -> list[bool]:
    """Which pieces of a text may never go."""
    return [not any(start <= place < end for start, end in fading_runs(parts)) for place in range(len(parts))]


def faded(text: str) -> str:
    """The text without anything that may go."""
    parts = pieces(text)
    return "".join(piece for piece, stays in zip(parts, kept(parts), strict=True) if stays)


# What a main clause claims, in one sentence each.
CLAIMS = [
    ("I'm really glad you came.", "I'm glad you came."),
    ("It was very sad that Tom left.", "It was sad that Tom left."),
    ("Anna is so proud of him.", "Anna is proud of him."),
    ("I’m so glad to see you!", "I’m glad to see you!"),
    ("The hotel was super nice.", "The hotel was nice."),
    ("Your talk sounded really great, Tom.", "Your talk sounded great, Tom."),
    ("It can be really tough for Bob.", "It can be tough for Bob."),
    ("She's been very helpful to Eve.", "She's been helpful to Eve."),
    ("He'd be so happy to come.", "He'd be happy to come."),
    ("So good to hear from you!", "good to hear from you!"),
    ("Very kind words, so sad.", "Very kind words, so sad."),
    ("Really tasty, Anna.", "tasty, Anna."),
    ("It was such a lovely evening in Rome.", "It was a lovely evening in Rome."),
    ("That is a truly wonderful place.", "That is a wonderful place."),
    ("We had a really good time with Bob.", "We had a good time with Bob."),
    ("I really love this studio.", "I love this studio."),
    ("We definitely need a bigger car, Tom.", "We need a bigger car, Tom."),
    ("I'll definitely come along, Eve.", "I'll come along, Eve."),
    ("He also plays the piano, but I really dance.", "He plays the piano, but I dance."),
    ("She's really enjoying Rome.", "She's enjoying Rome."),
    ("They are also moving to Rome.", "They are moving to Rome."),
    ("My brother really needs help, Anna.", "My brother needs help, Anna."),
    ("I know that he left Rome.", "I know he left Rome."),
    ("We heard that they moved to Rome.", "We heard they moved to Rome."),
]
# What opens or closes a text or a sentence, whatever it claims.
AROUND = [
    ("Wow, that's not cheap!", "that's not cheap!"),
    ("He won. Wow!! You never told me.", "He won. You never told me."),
    ("Well, I don't know him.", "I don't know him."),
    ("So, it is 7:00 now.", "it is 7:00 now."),
    ("Hello! I can't come.", "I can't come."),
    ("Hi Anna! I can't come.", "Anna! I can't come."),
    ("Please remind Anna of the milk.", "remind Anna of the milk."),
    ("Coffee for Anna, please.", "Coffee for Anna."),
]
REVERSING = ["not", "never", "nobody", "without", "if", "unless", "only", "almost", "hardly", "maybe", "when", "every",
             "all", "any", "few", "than", "too", "kind", "doubt", "though"]


@pytest.mark.parametrize(("text", "expected"), CLAIMS + AROUND)
def test_a_word_goes_where_its_loss_changes_nothing(text: str, expected: str) -> None:
    assert faded(text) == expected


@pytest.mark.parametrize("tempting", TEMPTING, ids=lambda tempting: tempting.text)
def test_what_must_survive_is_kept(tempting: Tempting) -> None:
    assert tempting.must in tempting.text
    assert tempting.must in faded(tempting.text)


def test_there_are_enough_temptations() -> None:
    assert len(TEMPTING) == len({tempting.text for tempting in TEMPTING}) >= 200


@given(st.data())
def test_a_reversing_word_anywhere_in_a_claim_keeps_all_of_it(data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(CLAIMS))[0].split(" ")
    words.insert(data.draw(st.integers(1, len(words) - 1)), data.draw(st.sampled_from(REVERSING)))
    text = " ".join(words)
    assert faded(text) == text


@given(st.sampled_from(CLAIMS), st.sampled_from(["Not!", "No, Anna.", "That's not true.", "Or not.", "Never again, Tom."]))
def test_a_claim_that_is_taken_back_keeps_all_of_it(claim: tuple[str, str], back: str) -> None:
    text = f"{claim[0]} {back}"
    assert faded(text) == text


@pytest.mark.parametrize(("text", "_"), CLAIMS)
@pytest.mark.parametrize("frame", [
    '"{}"', "“{}”", "'{}'", "`{}`", "«{}»", "She wrote: {}", "If so, {}", "({})", "Nobody says, {}", "Her song: {}",
    "The title is wrong. {}", "```\n{}\n```"])
def test_a_claim_in_anothers_mouth_or_under_a_condition_keeps_all_of_it(text: str, _: str, frame: str) -> None:
    framed = frame.format(text)
    assert faded(framed) == framed


@pytest.mark.parametrize(("text", "_"), CLAIMS)
def test_a_claim_that_is_asked_keeps_all_of_it(text: str, _: str) -> None:
    asked = text.rstrip(".!") + "?"
    assert faded(asked) == asked


@pytest.mark.parametrize(("text", "_"), CLAIMS + AROUND)
def test_a_text_in_small_letters_or_capitals_keeps_all_of_it(text: str, _: str) -> None:
    assert faded(text.lower()) == text.lower()
    assert faded(text.upper()) == text.upper()


@given(st.lists(st.sampled_from([text for text, _ in CLAIMS + AROUND] + [one.text for one in TEMPTING]), min_size=1,
                max_size=4), st.sampled_from([" ", "\n", "\n\n", "  "]))
def test_whatever_texts_come_together_their_facts_stay(texts: list[str], between: str) -> None:
    text = between.join(texts)
    rest = iter(facts(faded(text)))
    assert all(fact in rest for fact in facts(text))


@given(st.lists(st.sampled_from([
    "I", "it", "Anna", "is", "'s", "'m", "really", "so", "very", "such", "a", "good", "that", "he", "she", "not", "know",
    "also", "love", "Wow", "Well", "Please", "call", "please", "and", "but", ",", ".", "!", "?", '"', "'", "5", "if", "\n",
    "the", "few", "to", "you", "Hi", "I'm"]), max_size=16))
def test_only_small_words_with_their_commas_or_whole_sentences_of_noise_go_from_any_row_of_words(row: list[str]) -> None:
    text = " ".join(row).replace(" ,", ",").replace(" .", ".").replace(" !", "!").replace(" '", "'")
    parts = pieces(text)
    for start, end in fading_runs(parts):
        gone = parts[start:end]
        assert is_phatic("".join(gone).strip()) or all(
            piece.lower() in SMALL_WORDS or piece in (" ", ",", "!", "\n") for piece in gone)


@given(st.text(st.characters()))
def test_any_text_has_one_answer_for_each_piece(text: str) -> None:
    parts = pieces(text)
    assert len(kept(parts)) == len(parts)


def test_white_space_goes_with_its_word() -> None:
    for text, _ in CLAIMS + AROUND:
        told = faded(text)
        assert told == told.strip()
        assert "  " not in told
        assert " ." not in told


@pytest.mark.parametrize(("text", "expected"), [
    ("Anna left.", True), ("anna left.", False), ("ANNA LEFT.", False), ("12:30", False), ("", False), ("😀 Ok", True),
    ("Anna 去了", False), ("Anna ويليام", False), ("Anna שלום", False), ("Anna สวัสดี", False), ("Anna नमस्ते", False),
    ("Anna 한국", False), ("Анна ушла", True), ("Ärger über Öl", True), ("Anna გამარჯობა", False)])
def test_only_texts_with_capitals_and_small_letters_may_fade(text: str, expected: bool) -> None:
    assert may_fade(text) == expected
