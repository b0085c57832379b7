"""What an assistant at home hears: `corpus(count, days, seed)`, the same for the same arguments.

1. One household speaks; what it owns, whom it knows and what it does every week stay the same (`sims/household.py`).
   It has favourites: a dish, a shop or a city comes up again as often as in any family, and some only once.
2. What is said comes from the shapes of `sims/sayings.py`, in conversations of a few minutes that keep to their topic
   and their people more often than not. A household has its own words for each kind of thing, as people have for what
   they say to a machine every day, and seldom uses others: brotli-11 makes 150 memories 5 times
   smaller, and 290 6 times.
3. Appointments are corrected some days later. What was corrected is no longer asked for.
4. Every text is said once. What the household asks again is drawn by need: some memories are wanted often and most
   never, and the need falls with age as a power of time (Anderson and Schooler 1991, who found both in what people
   are asked for in their mail and in the news).
5. Times are UTC milliseconds; clocks in texts are the household's, which is the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from sims.filling import Filling, Style
from sims.household import AFTERTHOUGHTS, LEADS, Household, Person, household
from sims.sayings import TOPICS, Shape, Topic

START_MS = 1_767_225_600_000  # 2026-01-01, a Thursday
TEXT_CHARACTERS_MIN, TEXT_CHARACTERS_MAX = 30, 400
_DAY_MS = 86_400_000
_LEAD, _AFTERTHOUGHT, _SAME_TOPIC, _SAME_PEOPLE, _OTHER_WORDS = 0.03, 0.03, 0.4, 0.6, 0.03
_CORRECTED_WITHIN_MS = 10 * _DAY_MS
_TALK_HOURS = (7, 7, 8, 12, 13, 15, 16, 17, 18, 18, 19, 19, 20, 21)
_PEOPLE = ("who", "other", "kid", "friend", "neighbour")


class Heard(NamedTuple):
    """One thing to remember. `salience` is None where nobody said that it matters, `question` where the answer to it
    was corrected later."""

    text: str
    at: int
    conversation: str
    kind: str
    salience: float | None
    entity: str | None
    question: str | None


class Asked(NamedTuple):
    """One thing the household wants to know again: the cue, when (UTC milliseconds), and the text that answers."""

    cue: str
    at: int
    answer: str


class Corpus(NamedTuple):
    """What was heard and asked again over some days, each in the order of time."""

    seed: int
    start_ms: int
    days: int
    heard: list[Heard]
    recalls: list[Asked]

    @property
    def questions(self) -> list[tuple[str, str]]:
        """Every question that has an answer, with the text that answers it: where several do, the latest."""
        return list({one.question: one.text for one in self.heard if one.question is not None}.items())

    def of_day(self, day: int) -> tuple[list[Heard], list[Asked]]:
        """What was heard and asked again on one day, counted from 0."""
        begin, end = self.start_ms + day * _DAY_MS, self.start_ms + (day + 1) * _DAY_MS
        return ([one for one in self.heard if begin <= one.at < end],
                [one for one in self.recalls if begin <= one.at < end])


def corpus(count: int, days: int = 30, seed: int = 1, start_ms: int = START_MS) -> Corpus:
    """What one household says and asks.

    Args:
        count: of memories, 1 to 10,000. days: over which they are spread, a few hundred a day at most.
        seed: of everything.
        start_ms: midnight of the first day, UTC milliseconds.
    """
    chance = random.Random(seed)
    heard = _Talking(chance, household(chance), start_ms).over(count, days)
    return Corpus(seed, start_ms, days, heard, list(_recalls(chance, heard, start_ms, days)))


def _recalls(chance: random.Random, heard: list[Heard], start_ms: int, days: int) -> Iterator[Asked]:
    """Rule 4: two to four questions a day."""
    need = [chance.paretovariate(1.5) for _ in heard]
    for day in range(1, days):
        today = start_ms + day * _DAY_MS
        latest = {one.question: index for index, one in enumerate(heard) if one.at < today and one.question is not None}
        known = list(latest.values())
        if not known:
            continue
        weights = [need[index] / (1 + (today - heard[index].at) / _DAY_MS) for index in known]
        moments = sorted(today + chance.randrange(7 * 3_600_000, 22 * 3_600_000) for _ in range(chance.randrange(2, 5)))
        for at, index in zip(moments, chance.choices(known, weights, k=len(moments)), strict=True):
            yield Asked(str(heard[index].question), at, heard[index].text)


class _Appointment(NamedTuple):
    """An appointment that may still be corrected, with the memory that told of it."""

    memory: int
    at: int
    slots: dict[str, str]


class _Talking:
    """A household talks."""

    def __init__(self, chance: random.Random, house: Household, start_ms: int) -> None:
        self._chance, self._house, self._start_ms = chance, house, start_ms
        self._style = Style(chance, house)
        self._said: set[str] = set()
        self._heard: list[Heard] = []
        self._appointments: list[_Appointment] = []

    def over(self, count: int, days: int) -> list[Heard]:
        """Everything said over some days."""
        chance = self._chance
        weekend = [1.5 if datetime.fromtimestamp(self._start_ms / 1000 + day * 86400, UTC).weekday() > 4 else 1.0
                   for day in range(days)]
        on_day = [0] * days
        for day in chance.choices(range(days), [busy * chance.uniform(0.5, 1.5) for busy in weekend], k=count):
            on_day[day] += 1
        for day, some in enumerate(on_day):
            self._day(self._start_ms + day * _DAY_MS, some)
        return self._heard

    def _day(self, midnight: int, count: int) -> None:
        chance = self._chance
        lengths: list[int] = []
        while sum(lengths) < count:
            lengths.append(min(chance.choice((1, 1, 2, 2, 3, 3, 4, 5)), count - sum(lengths)))
        begins = sorted(midnight + chance.choice(_TALK_HOURS) * 3_600_000 + chance.randrange(3_500_000)
                        for _ in lengths)
        free = midnight
        for number, (begin, length) in enumerate(zip(begins, lengths, strict=True)):
            begin = max(begin, free)
            free = self._talk(f"{datetime.fromtimestamp(midnight / 1000, UTC):%Y-%m-%d}.{number + 1}", begin, length)

    def _talk(self, conversation: str, at: int, length: int) -> int:
        """One conversation; the moment from which on the next may begin."""
        chance, topic, people = self._chance, "", dict[str, Person]()
        for _ in range(length):
            if not topic or chance.random() > _SAME_TOPIC:
                topic = chance.choices(list(TOPICS), [one.weight for one in TOPICS.values()])[0]
            kept = {role: somebody for role, somebody in people.items() if chance.random() < _SAME_PEOPLE}
            people = self._say(topic, kept, conversation, at)
            at += chance.randrange(8_000, 90_000)
        return at

    def _say(self, topic: str, people: dict[str, Person], conversation: str, at: int) -> dict[str, Person]:
        """Says something new on a topic (or on another one, where there is nothing to correct); who was in it."""
        chance = self._chance
        self._appointments = [one for one in self._appointments if at - one.at < _CORRECTED_WITHIN_MS]
        open_ones = [one for one in self._appointments if at - one.at > _DAY_MS / 2]
        while True:
            if topic == "correction" and not open_ones:
                topic = "appointment"
            about = TOPICS[topic]
            before = chance.choice(open_ones) if topic == "correction" else None
            shape = self._shape(topic)
            slots = Filling(chance, self._house, self._style, at, people, before.slots if before else None)
            text = self._worded(shape, slots)
            if text in self._said or not TEXT_CHARACTERS_MIN <= len(text) <= TEXT_CHARACTERS_MAX:
                people = {}
                continue
            self._keep(text, shape, about, slots, conversation, at)
            if before:
                self._appointments.remove(before)
                self._heard[before.memory] = self._heard[before.memory]._replace(question=None)
            elif "a_what" in slots:
                self._appointments.append(_Appointment(len(self._heard) - 1, at, slots.appointment()))
            return {role: slots.people[role] for role in _PEOPLE if role in slots.people}

    def _shape(self, topic: str) -> Shape:
        shapes = TOPICS[topic].shapes
        return self._chance.choice(shapes) if self._chance.random() < _OTHER_WORDS else self._style.own(shapes)

    def _worded(self, shape: Shape, slots: Filling) -> str:
        chance, text = self._chance, shape.text.format_map(slots)
        text = text[0].upper() + text[1:]
        if chance.random() < _LEAD:
            text = f"{chance.choice(LEADS)} {text}"
        if chance.random() < _AFTERTHOUGHT:
            text = f"{text} {chance.choice(AFTERTHOUGHTS).format_map(slots)}"
        return text

    def _keep(self, text: str, shape: Shape, about: Topic, slots: Filling, conversation: str, at: int) -> None:
        self._said.add(text)
        question = self._chance.choice(shape.question.split("|")).format_map(slots)
        entity = slots[shape.entity] if shape.entity else None
        self._heard.append(Heard(text, at, conversation, about.kind, about.salience, entity, question))
