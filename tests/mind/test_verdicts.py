from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo import limits
from hippo.mind.verdicts import Near, Neighbour, Newcomer, Verdict, judge

MORNING = 20_000 * limits.ms_per_day + 9 * 3_600_000
EVENING = MORNING + 12 * 3_600_000
NEXT_DAY = MORNING + 24 * 3_600_000

TEA, TEA_AGAIN, MORE_TEA, COFFEE = "I like tea.", "i like tea!!", "I like tea with milk.", "I like coffee."


def new(text: str, entity: str | None = None, at: int = EVENING, append_only: bool = False) -> Newcomer:
    return Newcomer(text, entity, at, append_only)


def old(text: str, similarity: float, entity: str | None = None, ordinal: int = 7, at: int = MORNING) -> Neighbour:
    return Neighbour(ordinal, text, entity, at, similarity)


def test_without_neighbours_a_memory_is_stored() -> None:
    assert judge(new(TEA), []) == Verdict("stored", None, True, [])


@pytest.mark.parametrize("similarity", [1.0, 0.0])
def test_the_same_text_strengthens_whatever_its_vector(similarity: float) -> None:
    assert judge(new(TEA), [old(TEA, similarity)]) == Verdict("strengthened", 7, False, [])


@pytest.mark.parametrize(("earlier", "later", "keeps_new"), [
    (TEA, TEA_AGAIN, True), (TEA_AGAIN, TEA, False), (TEA, "I like tea!", False)])
def test_the_same_words_strengthen_and_the_longer_text_is_kept(earlier: str, later: str, keeps_new: bool) -> None:
    assert judge(new(later), [old(earlier, 0.85)]) == Verdict("strengthened", 7, keeps_new, [])


def test_what_says_more_strengthens_from_duplicate_on_and_its_text_is_kept() -> None:
    assert judge(new(MORE_TEA, at=NEXT_DAY), [old(TEA, limits.duplicate)]) == Verdict("strengthened", 7, True, [])
    assert judge(new(MORE_TEA, at=NEXT_DAY), [old(TEA, limits.duplicate - 0.01)]).action == "stored"


def test_what_says_more_is_kept_even_where_the_old_text_has_more_characters() -> None:
    assert judge(new("I like tea, iced."), [old("I like      tea.       ", 0.95)]).keep_new_text


def test_within_an_entity_and_a_day_what_says_more_supersedes() -> None:
    assert judge(new(MORE_TEA, "me"), [old(TEA, 0.85, "me")]) == Verdict("superseded", 7, True, [])


@pytest.mark.parametrize(("newcomer", "neighbour"), [
    (new(MORE_TEA), old(TEA, 0.9)),
    (new(MORE_TEA, "me", NEXT_DAY), old(TEA, 0.9, "me")),
    (new(MORE_TEA, "me"), old(TEA, 0.84, "me")),
    (new(MORE_TEA, "you"), old(TEA, 0.99, "me")),
    (new(MORE_TEA, "me"), old(TEA, 0.99)),
    (new(MORE_TEA), old(TEA, 0.99, "me")),
    (new(TEA, "you"), old(TEA, 1.0, "me")),
    (new(TEA, "you"), old(TEA, 1.0)),
    (new(TEA), old(MORE_TEA, 0.99)),
    (new(TEA, "me"), old(MORE_TEA, 0.99, "me")),
    (new(TEA, append_only=True), old(TEA, 1.0)),
])
def test_what_may_be_another_thing_is_stored_and_shown_without_conflict(newcomer: Newcomer, neighbour: Neighbour) -> None:
    assert judge(newcomer, [neighbour]) == Verdict("stored", None, True, [Near(7, neighbour.similarity, False)])


def test_a_text_without_an_entity_is_the_same_as_one_with() -> None:
    assert judge(new(TEA), [old(TEA_AGAIN, 0.9, "me")]).action == "strengthened"


@pytest.mark.parametrize(("newcomer", "neighbour", "conflicts"), [
    (new(COFFEE, "me"), old(TEA, limits.near, "me"), True),
    (new(COFFEE, "me"), old(TEA, limits.near - 0.01, "me"), False),
    (new(COFFEE), old(TEA, 0.99), False),
    (new(COFFEE, "you"), old(TEA, 0.99, "me"), False),
    (new(COFFEE, "me"), old(TEA, 0.99), False),
    (new("I take 10 mg.", "me"), old("I take 5 mg.", 0.99, "me"), True),
    (new("Disk at 72 %.", "ops:daily-log:a", append_only=True), old("Disk at 71 %.", 0.99, "ops:daily-log:a"), False),
])
def test_what_does_not_agree_within_an_entity_conflicts(newcomer: Newcomer, neighbour: Neighbour, conflicts: bool) -> None:
    assert judge(newcomer, [neighbour]) == Verdict("stored", None, True, [Near(7, neighbour.similarity, conflicts)])


def test_the_three_best_that_were_not_acted_on_are_near_matches() -> None:
    neighbours = [old(f"I like {what}.", similarity, ordinal=ordinal) for ordinal, (what, similarity) in enumerate((
        ("cake", 0.6), ("pie", 0.49), ("jam", 0.7), ("tea", 0.99), ("rice", 0.6), ("fish", 0.5), ("corn", 0.7)))]
    assert judge(new("I like peas."), neighbours).near == [Near(3, 0.99, False), Near(2, 0.7, False), Near(6, 0.7, False)]
    acted = judge(new(TEA), neighbours)
    assert (acted.action, acted.target) == ("strengthened", 3)
    assert [near.ordinal for near in acted.near] == [2, 6, 0]
    assert judge(new("I like peas."), neighbours[::-1]) == judge(new("I like peas."), neighbours)


def test_the_identical_text_comes_before_what_is_more_similar_then_the_lower_ordinal() -> None:
    neighbours = [old(TEA_AGAIN, 0.99, ordinal=1), old(TEA, 0.9, ordinal=5), old(TEA, 0.9, ordinal=3)]
    assert judge(new(TEA), neighbours).target == 3
    assert judge(new("I  like tea"), neighbours).target == 1


def test_only_the_closest_are_compared_word_for_word() -> None:
    closer = [old(f"I like tea {number}.", 0.99, ordinal=number) for number in range(10)]
    assert judge(new(TEA), [*closer[:3], old(TEA_AGAIN, 0.98, ordinal=99)]).target == 99
    assert judge(new(TEA), [*closer, old(TEA_AGAIN, 0.98, ordinal=99)]).action == "stored"


_WORDS = st.lists(st.sampled_from(["I", "like", "tea", "coffee", "with", "milk", ".", "not", "Anna", "7"]), max_size=6)


@given(_WORDS, _WORDS, st.floats(0, 1), st.sampled_from([None, "me"]), st.sampled_from([None, "me"]))
def test_every_word_of_the_new_text_is_in_the_text_that_is_kept(
        earlier: list[str], later: list[str], similarity: float, of_old: str | None, of_new: str | None) -> None:
    first, second = " ".join(earlier), " ".join(later)
    found = judge(new(second, of_new), [old(first, similarity, of_old)])
    assert found.target == (None if found.action == "stored" else 7)
    if not found.keep_new_text:
        assert [word for word in later if word != "."] == [word for word in earlier if word != "."]
