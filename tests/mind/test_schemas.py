"""How memories of the same kind find a schema."""

from __future__ import annotations

import random
from collections import Counter
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from hippo import limits
from hippo.mind.schemas import Candidate, Formation, consolidate
from hippo.text.resemblance import Traits, resembles
from hippo.text.term_frequency import columns, weights
from sims.people import episodes

TIMER = "Set a timer for {} minutes, the {} is in the oven."
TRAIN = "The train to {} leaves at {} from platform 4."
LOOSE = "When the timer of the oven went off nobody was in the kitchen for five minutes, and the bread for our guests was burnt"
ODD = ["Wanda is allergic to bees.", "Where did we put the ladder?", "我们明天去东京看樱花"]


def embedded(texts: list[str]) -> NDArray[np.float32]:
    rows = np.array([weights(columns(text)) for text in texts], np.float32).reshape(len(texts), 512)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def new(texts: list[str], start: int = 0) -> list[Candidate]:
    return [Candidate(start + at, text, None, False, True) for at, text in enumerate(texts)]


def every_pair(count: int) -> list[tuple[int, int]]:
    return [(one, other) for other in range(count) for one in range(other)]


def formed(candidates: list[Candidate], pairs: list[tuple[int, int]] | None = None, **more: object) -> Formation:
    vectors = embedded([candidate.text for candidate in candidates])
    return consolidate(candidates, every_pair(len(candidates)) if pairs is None else pairs, vectors, **more)


def as_members(candidates: list[Candidate], formation: Formation) -> list[Candidate]:
    return [c._replace(schema=formation.schema.get(c.ordinal, c.schema), held=c.ordinal in formation.held)
            for c in candidates]


def timers(count: int) -> list[str]:
    return [TIMER.format(5 + at, dish) for at, dish in zip(range(count), cycle(["soup", "bread", "fish stew", "tart", "pie"]), strict=False)]


def test_three_of_a_kind_find_a_schema_and_what_is_of_no_kind_stays_alone():
    formation = formed(new([*timers(3), *ODD]))
    assert formation.schema.keys() == {0, 1, 2}
    assert len(set(formation.schema.values())) == 1
    assert formation.held == formation.released == set()


def test_two_of_a_kind_are_too_few():
    assert formed(new([*timers(2), *ODD])) == Formation({}, set(), set())


def test_two_kinds_find_two_schemas():
    trains = [TRAIN.format(place, hour) for place, hour in (("Graz", "7:30"), ("Porto", "9:15"), ("Riga", "21:40"))]
    schema = formed(new(timers(3) + trains)).schema
    assert len({schema[at] for at in (0, 1, 2)}) == len({schema[at] for at in (3, 4, 5)}) == 1
    assert schema[0] != schema[3]


def test_the_schema_is_the_medoid_and_the_earlier_of_equals():
    texts = ["Buy milk, eggs and bread tomorrow.", "Buy milk and bread tomorrow.", "Buy milk and bread tomorrow.",
             "Buy milk and bread and rice tomorrow, please."]
    vectors = embedded(texts).astype(float)
    assert (vectors @ vectors.sum(axis=0)).round(6).argmax() == 1
    assert formed(new(texts)).schema == dict.fromkeys(range(4), 1)


def test_memories_that_no_association_joins_are_not_compared():
    assert formed(new(timers(3)), [(0, 1)]).schema == {}
    assert formed(new(timers(3)), [(0, 1), (1, 2)]).schema.keys() == {0, 1, 2}


def test_a_new_memory_joins_the_schema_of_a_neighbour_and_the_medoid_stays():
    known = as_members(new(timers(3)), formed(new(timers(3))))
    medoid = known[0].schema
    later = new([TIMER.format(90, "tart")], start=10)
    others = [position for position, member in enumerate(known) if member.ordinal != medoid]
    assert formed([*known, *later], [(others[0], 3)]).schema == {10: medoid}


def test_who_joins_shows_others_the_way():
    known = as_members(new(timers(3)), formed(new(timers(3))))
    later = new([TIMER.format(90, dish) for dish in ("tart", "roast", "cake")], start=10)
    formation = formed([*known, *later], [(0, 3), (3, 4), (4, 5)])
    assert formation.schema == dict.fromkeys((10, 11, 12), known[0].schema)


def test_a_faded_member_shows_the_way_and_a_faded_memory_joins_nothing():
    known = [c._replace(lossless=c.ordinal == c.schema) for c in as_members(new(timers(3)), formed(new(timers(3))))]
    later = new([TIMER.format(90, "tart")], start=10)
    position = next(at for at, member in enumerate(known) if not member.lossless)
    assert formed([*known, *later], [(position, 3)]).schema.keys() == {10}
    assert formed([*known, later[0]._replace(lossless=False, held=True)]) == Formation({}, set(), {10})


def test_a_schema_whose_medoid_is_not_there_takes_nobody_in():
    known = [c for c in as_members(new(timers(4)), formed(new(timers(4)))) if c.ordinal != c.schema]
    assert formed([*known, *new([TIMER.format(90, "tart")], start=10)]).schema == {}


def test_one_that_misses_the_second_signal_is_held_however_often_it_is_looked_at():
    known = as_members(new(timers(3)), formed(new(timers(3))))
    assert float(embedded([LOOSE])[0] @ embedded(timers(1))[0]) >= limits.schema_related
    candidates = [*known, *new([LOOSE], start=10)]
    for _ in range(3):
        formation = formed(candidates)
        assert formation == Formation({}, {10}, set())
        candidates = as_members(candidates, formation)
    assert formed(candidates, [(0, 1)]) == Formation({}, set(), {10})


def test_the_fidelity_of_the_residual_is_a_second_signal_too():
    known = as_members(new(timers(3)), formed(new(timers(3))))
    candidates = [*known, *new([LOOSE], start=10)]
    asked = []

    def suffices(told: str, prototype: str) -> bool:
        asked.append((told, prototype))
        return True

    formation = formed(candidates, fidelity=suffices)
    assert formation.schema == {10: known[0].schema}
    assert asked == [(LOOSE, known[0].text)]
    assert formed(candidates, fidelity=lambda told, prototype: False).held == {10}


def test_a_held_memory_that_becomes_a_member_is_held_no_longer():
    candidates = [candidate._replace(held=True) for candidate in new(timers(3))]
    formation = formed(candidates)
    assert formation.schema.keys() == formation.released == {0, 1, 2}


def test_one_huge_text_is_of_no_kind_with_the_words_it_contains():
    huge = " ".join(timers(1000))[: limits.text_characters_max // 2] + " ".join(f"word{n}" for n in range(2000))
    formation = formed(new([*timers(3), "Other " + huge]))
    assert formation.schema.keys() == {0, 1, 2}


def test_texts_without_words_and_a_memory_associated_with_itself_are_no_trouble():
    assert formed(new(["🎉", "🎉", "🎉", "", "\ud83d"]), [*every_pair(5), (1, 1)]) == Formation({}, set(), set())
    assert formed([]) == Formation({}, set(), set())


def test_texts_in_a_script_without_spaces_find_their_kind():
    texts = ["我们明天去东京看樱花吧", "我们明天去大阪看樱花吧", "我们后天去京都看樱花吧", "今天吃拉面"]
    assert formed(new(texts)).schema.keys() == {0, 1, 2}


_texts = some.lists(some.tuples(some.sampled_from(["tea", "bus", "kay", "milk", "oar", "red"]), some.sampled_from(["tea", "bus", "pie", "map"]),
                                some.sampled_from(["", "late", "for 5 minutes in the oven"])).map(" ".join), max_size=14)


@settings(max_examples=150, deadline=None)
@given(_texts, some.data())
def test_every_new_member_clears_both_checks_in_a_group_of_three_and_order_does_not_matter(texts, choices):
    places = some.integers(0, max(len(texts) - 1, 0))
    pairs = choices.draw(some.lists(some.tuples(places, places), max_size=40)) if texts else []
    lossless = choices.draw(some.lists(some.sampled_from([True, True, True, False]), min_size=len(texts), max_size=len(texts)))
    first = [c._replace(lossless=exact) for c, exact in zip(new(texts), lossless, strict=True)]
    early = choices.draw(some.integers(0, len(texts)))
    known = as_members(first[:early], formed(first[:early], [pair for pair in pairs if max(pair) < early]))
    candidates = known + first[early:]
    formation = formed(candidates, pairs)
    vectors = embedded(texts)

    was = {c.ordinal: c.schema for c in candidates if c.schema is not None}
    assert not was.keys() & formation.schema.keys()
    for ordinal, medoid in formation.schema.items():
        assert candidates[ordinal].lossless
        assert (was | formation.schema)[medoid] == medoid
        assert ordinal == medoid or (vectors[ordinal] @ vectors[medoid] >= limits.schema_related - 1e-6
                                     and resembles(Traits(texts[ordinal]), Traits(texts[medoid])))
    assert all(size >= limits.schema_members_min for size in Counter((was | formation.schema).values()).values())
    assert not formation.held & formation.schema.keys()
    assert formation.released == {c.ordinal for c in candidates if c.held} - formation.held

    shuffled = choices.draw(some.permutations(range(len(texts))))
    place = {old: at for at, old in enumerate(shuffled)}
    turned = [(place[b], place[a]) for a, b in choices.draw(some.permutations(pairs))]
    assert formed([candidates[old] for old in shuffled], turned) == formation
    assert formed(as_members(candidates, formation), pairs).schema == {}


def test_a_person_would_say_that_a_schema_holds_one_kind_of_thing():
    opening = ["Please add", "says the", "appointment at the dentist", "started", "We cooked", "is working on", "The train to",
               "prefers", "Set a timer", "lent", "moved from", "spare key"]
    texts = [said.text for said in episodes(3, 600, 0)]
    kinds = [next((at for at, words in enumerate(opening) if words in text), -1) for text in texts]
    chance = random.Random(5)
    pairs = [(chance.randrange(600), at) for at in range(600) for _ in range(20)]
    schema = formed(new(texts), pairs).schema
    assert len(schema) > 300
    assert {kinds[ordinal] == kinds[medoid] for ordinal, medoid in schema.items()} == {True}


@pytest.mark.parametrize("kind", ["one text", "one pattern", "a star"])
def test_thousands_of_the_same_kind_are_one_schema_at_the_cost_of_their_associations(kind, monkeypatch):
    count = 3000
    texts = [TIMER.format(7 if kind == "one text" else at, "soup") for at in range(count)]
    pairs = [(0 if kind == "a star" else max(0, at - step), at) for at in range(1, count) for step in range(1, 7)]
    compared = []

    def noted(one: Traits, other: Traits) -> bool:
        compared.append(1)
        return resembles(one, other)

    monkeypatch.setattr("hippo.mind.schemas.resembles", noted)
    formation = formed(new(texts), pairs)
    assert len(set(formation.schema.values())) == 1
    assert len(formation.schema) == count
    assert len(compared) <= len(pairs) + 3 * count
