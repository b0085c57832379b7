"""The slots of one saying, filled from a household: the same slot with the same words, the favourites more often.

1. A slot is filled when it is first wanted; `food2` is another food than `food`, `date2` and `clock2` come later than
   `date` and `clock`. Dates follow from the moment at which something is said.
2. Slots of one group are filled together: a_ a new appointment, r_ a routine, c_ what is corrected.
3. A pronoun belongs to the person of its slot; nobody is in one saying twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from sims import household as words
from sims.household import DAYS, MONTHS, Household, Person, code

T = TypeVar("T")

_FAVOURITE = 4.0  # the power that makes early words of a vocabulary come up more often
_OTHER_STYLE = 0.12  # how often somebody writes a date or a time as the others do not


class Style:
    """How a household writes times, dates and money, and what it likes: a vocabulary's order is its own."""

    def __init__(self, chance: random.Random, house: Household) -> None:
        self.twelve_hours, self.month_first = chance.random() < 0.4, chance.random() < 0.4
        self.currency = house.currency
        self._seed = chance.random()
        self._favourites: dict[tuple[Any, ...], list[Any]] = {}

    def pick(self, chance: random.Random, vocabulary: tuple[T, ...]) -> T:
        """A word or a shape, a favourite more often than not."""
        liked: list[T] | None = self._favourites.get(vocabulary)
        if liked is None:
            liked = self._favourites[vocabulary] = list(vocabulary)
            random.Random(f"{self._seed} {vocabulary[0]}").shuffle(liked)
        return liked[int(len(liked) * chance.random() ** _FAVOURITE)]

    def own(self, shapes: tuple[T, ...]) -> T:
        """The words of this household for one kind of thing."""
        return random.Random(f"{self._seed} {shapes[0]}").choice(shapes)

    def clock(self, chance: random.Random, hour: int, minute: int) -> str:
        """A time of day as somebody of the household says it."""
        if self.twelve_hours != (chance.random() < _OTHER_STYLE):
            return f"{(hour - 1) % 12 + 1}{f':{minute:02d}' if minute else ''} {'am' if hour < 12 else 'pm'}"
        return f"{hour}:{minute:02d}"

    def date(self, chance: random.Random, day: datetime) -> str:
        """A date as somebody of the household says it."""
        if self.month_first != (chance.random() < _OTHER_STYLE):
            return f"{MONTHS[day.month - 1]} {day.day}"
        return f"{day.day} {MONTHS[day.month - 1]}"

    def money(self, amount: float) -> str:
        """A price."""
        return f"{self.currency}{amount:,.2f}" if amount < 100 else f"{self.currency}{amount:,.0f}"


_VOCABULARIES: dict[str, tuple[str, ...]] = {
    "food": words.FOODS, "dish": words.DISHES, "dessert": words.DESSERTS, "drink": words.DRINKS, "shop": words.SHOPS,
    "grocer": words.GROCERS, "city": words.CITIES, "street": words.STREETS, "room": words.ROOMS, "spot": words.SPOTS,
    "thing": words.THINGS, "trouble": words.TROUBLES, "hobby": words.HOBBIES, "allergen": words.ALLERGENS,
    "medicine": words.MEDICINES, "symptom": words.SYMPTOMS, "book": words.BOOKS, "show": words.SHOWS,
    "music": words.MUSIC, "plant": words.PLANTS, "subject": words.SUBJECTS, "project": words.PROJECTS,
    "work": words.WORKS, "gift": words.GIFTS, "cloth": words.CLOTHES, "colour": words.COLOURS,
    "feeling": words.FEELINGS, "material": words.MATERIALS, "wood": words.WOODS, "sport": words.SPORTS,
    "bird": words.BIRDS, "occasion": words.OCCASIONS, "game": words.GAMES, "venue": words.VENUES,
    "restaurant": words.RESTAURANTS, "subscription": words.SUBSCRIPTIONS, "bill": words.BILLS, "reason": words.REASONS,
    "instrument": words.INSTRUMENTS, "ware": words.WARES, "petname": words.SPECIES[1][1], "day": DAYS,
    "grade": ("A", "A minus", "B plus", "B", "C plus", "C", "D"),
    "ordinal": ("first", "second", "third", "fourth", "fifth"), "species": ("dog", "cat", "hedgehog", "goose"),
}
_NUMBERS: dict[str, tuple[int, int, int]] = {  # from, to, step
    "n": (2, 10, 1), "number": (11, 99, 1), "big": (100, 900, 5), "minutes": (5, 95, 5), "degrees": (150, 240, 10),
    "indoor": (17, 24, 1), "lownumber": (15, 40, 1), "size": (28, 48, 1), "year": (1957, 2005, 1)}
_PRONOUNS = {  # slot -> whose, which form
    "he": ("who", "he"), "his": ("who", "his"), "him": ("who", "him"), "he2": ("other", "he"),
    "his2": ("other", "his"), "khe": ("kid", "he"), "khis": ("kid", "his"), "he_g": ("gran", "he"),
    "his_g": ("gran", "his"), "he_n": ("neighbour", "he"), "he_f": ("friend", "he"), "his_f": ("friend", "his"),
    "his_c": ("colleague", "his"), "he_t": ("teacher", "he")}
_PATTERNS = {"code": "AA9-9999", "pin": "9999", "phone": "0999 999 9999", "flight": "AA 9999", "letter": "A",
             "reading": "99999"}


class Filling(dict[str, str]):
    """The slots of one saying, each filled when it is first wanted."""

    def __init__(self, chance: random.Random, house: Household, style: Style, at: int, people: dict[str, Person],
                 corrects: dict[str, str] | None) -> None:
        super().__init__({role: somebody.name for role, somebody in people.items()})
        self._chance, self._house, self._style = chance, house, style
        self._day = self._latest = datetime.fromtimestamp(at / 1000, UTC)  # today, and the latest date named so far
        self.people = dict(people)
        self._corrects = corrects

    def __missing__(self, slot: str) -> str:
        self._fill(slot)
        return self[slot]

    def appointment(self) -> dict[str, str]:
        """The slots that a later correction needs."""
        return {name: self[name] for name in ("a_who", "a_what", "a_day", "a_clock", "a_place")}

    def _fill(self, slot: str) -> None:
        stem = slot.rstrip("23")
        if slot.endswith("_cap"):
            value = self[slot.removesuffix("_cap")]
            self[slot] = value[0].upper() + value[1:]
        elif slot.lower() in _PRONOUNS:
            whose, form = _PRONOUNS[slot.lower()]
            said = str(getattr(self._person(whose), form))
            self[slot] = said.capitalize() if slot[0].isupper() else said
        elif slot.startswith(("a_", "r_", "c_")):
            self.update({"a": self._new_appointment, "r": self._routine, "c": self._correction}[slot[0]]())
        elif stem in _VOCABULARIES:
            self[slot] = self._other_than(stem, lambda: self._style.pick(self._chance, _VOCABULARIES[stem]))
        elif stem in _NUMBERS:
            self[slot] = self._other_than(stem, lambda: str(self._chance.randrange(*_NUMBERS[stem])))
        elif stem in _PATTERNS:
            self[slot] = code(self._chance, _PATTERNS[stem])
        elif stem in ("who", "other", "kid", "gran", "friend", "neighbour", "colleague", "teacher"):
            self._person(slot)
        else:
            self[slot] = self._particular(slot, stem)

    def _other_than(self, stem: str, draw: Callable[[], str]) -> str:
        """Something that no slot of the same stem has."""
        taken = {value for slot, value in self.items() if slot.rstrip("23") == stem}
        while (drawn := draw()) in taken:
            pass
        return drawn

    def _person(self, slot: str) -> Person:
        """Who is in a role, drawn now if nobody is."""
        if slot in self.people:
            return self.people[slot]
        house, chance, role = self._house, self._chance, slot.rstrip("23")
        chosen = {"who": house.adults, "other": house.adults, "kid": house.kids, "gran": house.grans,
                  "friend": house.friends, "neighbour": house.neighbours, "colleague": house.colleagues,
                  "teacher": house.teachers}[role]
        free = [one for one in chosen if one.name not in self.values()]
        somebody = self.people[slot] = chance.choice(free or chosen)
        self[slot] = somebody.name
        return somebody

    def _new_appointment(self) -> dict[str, str]:
        chance, house = self._chance, self._house
        when = self._day + timedelta(days=chance.randrange(2, 30))
        who = chance.choice(house.adults * 2 + house.kids + house.grans)
        what = self._style.pick(chance, words.VISITS if who in house.kids or chance.random() < 0.5 else words.ERRANDS)
        return {"a_who": who.name, "a_what": what, "a_day": DAYS[when.weekday()],
                "a_date": self._style.date(chance, when), "a_clock": self._time(8, 18),
                "a_place": f"{self._style.pick(chance, words.STREETS)} {chance.randrange(1, 90)}"}

    def _routine(self) -> dict[str, str]:
        chosen = self._chance.choice(self._house.routines)
        return {"r_who": chosen.who, "r_what": chosen.what, "r_day": chosen.day, "r_place": chosen.place,
                "r_clock": self._style.clock(self._chance, chosen.hour, chosen.minute)}

    def _correction(self) -> dict[str, str]:
        assert self._corrects is not None, "only a correction has these slots"
        before = {f"c_{name.removeprefix('a_')}": value for name, value in self._corrects.items()}
        other_days = [day for day in DAYS[:6] if day != before["c_day"]]
        newclock = before["c_clock"]
        while newclock == before["c_clock"]:
            newclock = self._time(8, 18)
        return before | {"c_newday": self._chance.choice(other_days), "c_newclock": newclock}

    def _time(self, first_hour: int, last_hour: int) -> str:
        chance = self._chance
        return self._style.clock(chance, chance.randrange(first_hour, last_hour + 1), chance.choice((0, 0, 15, 30, 45)))

    def _particular(self, slot: str, stem: str) -> str:
        """The slots that are made, not looked up."""
        chance, house, style = self._chance, self._house, self._style
        match stem:
            case "clock":
                return self._time(9, 17) if slot == "clock" else self._time(18, 22)
            case "early":
                return style.clock(chance, chance.choice((5, 6, 6, 7)), chance.randrange(0, 60, 5))
            case "late":
                return style.clock(chance, chance.choice((22, 23)), chance.randrange(0, 60, 5))
            case "date":
                self._latest += timedelta(days=chance.randrange(1, 40) if slot == "date" else chance.randrange(3, 16))
                return style.date(chance, self._latest)
            case "past":
                return style.date(chance, self._day - timedelta(days=chance.randrange(6)))
            case "month":
                return MONTHS[(self._day.month + chance.randrange(0, 8)) % 12]
            case "nextyear":
                return str(self._day.year + chance.randrange(1, 3))
            case "price":
                return self._other_than(stem, lambda: style.money(
                    chance.randrange(8, 180) + chance.choice((0, 0.5, 0.9))))
            case "cost":
                return self._other_than(stem, lambda: style.money(chance.randrange(16, 180) / 20))
            case "sum":
                return style.money(chance.randrange(150, 4000, 10))
            case "coin":
                return style.money(chance.randrange(10, 500, 10) / 100)
            case "lowdegrees":
                return f"{chance.randrange(30, 38) / 2:g}"
            case "shopping":
                return self._shopping()
            case "doctor" | "specialty":
                known = sorted(set(house.doctors.items()) - {(self.get("specialty", ""), self.get("doctor", ""))})
                specialty, doctor = chance.choice(known)
                self.update({"specialty": specialty, "doctor": doctor} if slot != "doctor2" else {})
                return specialty if slot == "specialty" else doctor
            case "device" | "model":
                device, model = chance.choice(list(house.devices.items()))
                self.update({"device": device, "model": model})
                return self[slot]
            case "birthday":
                return self._person("who").birthday
            case "food_plain":
                return "".join(letter for letter in style.pick(chance, words.FOODS) if letter.isalpha()).lower()
            case "nonsense":
                return "".join(chance.choice("bdfglmnprstv") + chance.choice("aeiou") for _ in range(3))
            case "name":
                return house.name.lower()
            case "pet" | "car":
                return str(getattr(house, stem))
        raise KeyError(slot)

    def _shopping(self) -> str:
        chance, style = self._chance, self._style
        wanted = list(dict.fromkeys(
            style.pick(chance, words.FOODS if chance.random() < 0.75 else words.SUPPLIES)
            for _ in range(chance.randrange(2, 6))))
        amounts = ("", "", "", "", "some ", "more ", "two packs of ", "three packs of ", "plenty of ")
        counted = [chance.choice(amounts) + food for food in wanted]
        return counted[0] if len(counted) == 1 else f"{', '.join(counted[:-1])} and {counted[-1]}"
