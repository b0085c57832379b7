"""Whether two texts are the same kind of thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo import limits
from hippo.text.resemblance import Traits, resembles, token_overlap, trigram_overlap


def overlaps(one: str, other: str) -> tuple[float, float]:
    return token_overlap(Traits(one), Traits(other)), trigram_overlap(Traits(one), Traits(other))


@given(some.text(max_size=60), some.text(max_size=60))
def test_overlaps_are_symmetric_and_between_0_and_1(one, other):
    assert overlaps(one, other) == overlaps(other, one)
    assert all(0 <= overlap <= 1 for overlap in overlaps(one, other))


@given(some.text(max_size=60))
def test_a_text_shares_all_it_has_with_itself_and_one_without_words_shares_nothing(text):
    traits = Traits(text)
    assert overlaps(text, text) == (float(bool(traits.terms)), float(bool(traits.trigrams)))


def test_the_overlap_is_what_both_have_over_what_either_has():
    assert overlaps("red tea", "red bus")[0] == pytest.approx(1 / 3)
    # " ab", "abc", "bc " against " ab", "abd", "bd "
    assert overlaps("abc", "abd")[1] == pytest.approx(1 / 5)


@pytest.mark.parametrize(("one", "other"), [
    ("Set a timer for 20 minutes, the plum cake is in the oven.", "Set a timer for 45 minutes, the fish stew is in the oven."),
    ("Ada has an appointment at the dentist in Graz on Monday at 9:30.", "Hugo has an appointment at the dentist in Riga on Friday at 14:05."),
    ("Thanks! Your support means a lot to me. Bye!", "THANKS, YOUR SUPPORT REALLY MEANS A LOT TO ME"),
    ("我们明天去东京看樱花吧", "我们后天去京都看樱花吧"),
])
def test_one_kind_of_thing_is_told_with_other_names_and_numbers(one, other):
    assert resembles(Traits(one), Traits(other))


@pytest.mark.parametrize(("one", "other"), [
    ("Set a timer for 20 minutes, the plum cake is in the oven.", "We cooked plum cake for 20 people and Ada asked for the recipe."),
    ("Ada has an appointment at the dentist in Graz on Monday.", "Ada moved from Graz to Riga because of a grant proposal."),
    ("我们明天去东京看樱花吧", "今天吃拉面"),
    ("tea", ""),
])
def test_a_shared_name_or_thing_makes_no_kind(one, other):
    assert not resembles(Traits(one), Traits(other))


def test_a_long_text_does_not_resemble_each_short_one_that_it_contains():
    short = "Set a timer for 20 minutes."
    assert not resembles(Traits(short), Traits(short + " " + " ".join(f"word{n}" for n in range(100))))


def test_what_comes_after_the_bound_is_not_looked_at():
    opening = "tea " * (limits.resemblance_characters_max // 4)
    assert overlaps(opening + "milk and honey", opening) == (1, 1)


def test_half_a_surrogate_pair_is_no_trouble():
    assert overlaps("half \ud83d of it", "half of it")[0] > 0.5
