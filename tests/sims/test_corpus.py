"""What the assistant hears: the same for the same seed, as varied as a household, and askable."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from statistics import mean

import brotli
import pytest

from sims.corpus import START_MS, TEXT_CHARACTERS_MAX, TEXT_CHARACTERS_MIN, corpus
from sims.filling import Filling, Style
from sims.household import household
from sims.sayings import TOPICS

_DAY_MS = 86_400_000


@pytest.mark.parametrize(("count", "days"), [(150, 30), (290, 60), (52, 14), (1, 1), (10_000, 365)])
def test_a_corpus_has_as_many_memories_as_were_asked_for_each_said_once_and_in_order(count, days):
    said = corpus(count, days)
    assert len(said.heard) == count
    assert len({one.text for one in said.heard}) == count
    assert all(one.at <= other.at for one, other in pairwise(said.heard))
    assert said.heard[0].at >= START_MS
    assert said.heard[-1].at < START_MS + days * _DAY_MS
    assert all(TEXT_CHARACTERS_MIN <= len(one.text) <= TEXT_CHARACTERS_MAX for one in said.heard)


def test_the_same_seed_says_the_same_and_another_one_something_else():
    assert corpus(80, 20, seed=3) == corpus(80, 20, seed=3)
    assert not {one.text for one in corpus(80, 20, seed=3).heard} & {one.text for one in corpus(80, 20, seed=4).heard}


@pytest.mark.parametrize("seed", range(1, 6))
def test_texts_are_as_long_and_as_dense_as_what_people_say(seed):
    texts = [one.text for one in corpus(290, 60, seed).heard]
    assert 100 <= mean(len(text.encode()) for text in texts) <= 130
    # Alone they compress like dialogue (1.4 to 1.5 with brotli), together more: a household has its own words for things.
    alone = sum(len(text) for text in texts) / sum(len(brotli.compress(text.encode())) for text in texts)
    together = sum(len(text) for text in texts) / len(brotli.compress("\n".join(texts).encode()))
    assert 1.2 <= alone <= 1.6
    assert 5.0 <= together <= 8.0


def test_there_are_more_than_a_hundred_and_twenty_shapes_and_every_one_can_be_said():
    shapes = [(topic, shape) for topic, about in TOPICS.items() for shape in about.shapes]
    assert len({shape.text for _, shape in shapes}) >= 120
    chance = random.Random(1)
    house = household(chance)
    for topic, shape in shapes:
        before = Filling(chance, house, Style(chance, house), START_MS, {}, None).appointment()
        slots = Filling(chance, house, Style(chance, house), START_MS, {}, before if topic == "correction" else None)
        said = [shape.text.format_map(slots), *(one.format_map(slots) for one in shape.question.split("|"))]
        if shape.entity:
            said.append(slots[shape.entity])
        assert all(said)
        assert not re.search(r"[{}|]", "".join(said))


def test_most_memories_leave_their_salience_open_and_what_matters_is_high():
    given = [one.salience for one in corpus(1000, 200).heard]
    assert 0.01 < sum(salience is not None for salience in given) / len(given) < 0.08
    assert all(salience >= 0.7 for salience in given if salience is not None)


def test_what_was_corrected_is_no_longer_asked_for():
    said = corpus(1000, 60)
    corrected = [one for one in said.heard if one.question is None]
    assert corrected
    assert not {one.text for one in corrected} & {answer for _, answer in said.questions}
    assert not {one.text for one in corrected} & {asked.answer for asked in said.recalls}


def test_every_day_the_household_asks_for_something_it_has_said_before():
    said = corpus(290, 60)
    told = {one.text: one for one in said.heard}
    by_day = {(asked.at - START_MS) // _DAY_MS for asked in said.recalls}
    assert by_day >= set(range(5, 60))
    for asked in said.recalls:
        assert told[asked.answer].at < asked.at
        assert told[asked.answer].question == asked.cue
    ages = [(asked.at - told[asked.answer].at) / _DAY_MS for asked in said.recalls]
    assert sum(age < 7 for age in ages) > sum(7 <= age < 14 for age in ages) > 0


def test_the_days_of_a_corpus_are_the_corpus():
    said = corpus(150, 30)
    heard = [one for day in range(30) for one in said.of_day(day)[0]]
    asked = [one for day in range(30) for one in said.of_day(day)[1]]
    assert (heard, asked) == (said.heard, said.recalls)


def test_a_conversation_is_short_and_keeps_to_its_people():
    said = corpus(290, 60)
    for one, other in pairwise(said.heard):
        if one.conversation == other.conversation:
            assert other.at - one.at < 120_000
    assert len({one.conversation for one in said.heard}) < 290 / 1.5
