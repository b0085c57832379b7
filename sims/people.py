"""People and what they say to an assistant: seeded, endless, and plain enough to ask about afterwards.

A person has a household, work and habits, drawn from one seed. `episodes` gives what they say over days, in
conversations; `questions` asks for some of it in other words, with the text that answers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

_NAMES = ["Ada", "Bruno", "Clara", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Levi", "Mara", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sami", "Tove", "Umar", "Vera", "Wanda", "Xenia", "Yusuf", "Zoe", "Anton", "Bea", "Caspar", "Dora"]
_PLACES = ["Lisbon", "Bergen", "Krakow", "Tbilisi", "Valencia", "Graz", "Porto", "Leeds", "Utrecht", "Aarhus", "Bologna", "Split", "Tartu", "Ghent", "Cork", "Lyon", "Malmo", "Basel", "Turin", "Riga"]
_ITEMS = ["oat milk", "lemons", "coffee beans", "printer paper", "light bulbs", "dog food", "rice", "olive oil", "batteries", "tea", "soap", "onions", "yoghurt", "toothpaste", "flour", "apples", "birthday candles", "fish fillets", "garden gloves", "stamps"]
_THINGS = ["the kitchen tap", "the blue bicycle", "the balcony door", "the old laptop", "the boiler", "the garden shed", "the piano", "the car", "the washing machine", "the attic window", "the dishwasher", "the tent"]
_TROUBLES = ["leaks again", "squeaks in the morning", "needs a new battery", "was repaired last week", "will not start", "is on loan to the neighbours", "has to go to the workshop", "makes a humming noise", "lost a screw", "is finally working"]
_HOBBIES = ["pottery", "climbing", "chess", "choir practice", "beekeeping", "swimming", "calligraphy", "fencing", "astronomy", "baking bread", "woodcarving", "tango", "bird watching", "knitting", "rowing", "archery"]
_DISHES = ["lentil soup", "mushroom risotto", "plum cake", "fish stew", "spinach pie", "dumplings", "pumpkin curry", "rye bread", "apricot tart", "bean chili"]
_FEELINGS = ["relieved", "nervous", "proud", "tired", "curious", "annoyed", "hopeful", "grateful"]
_WORK = ["the quarterly review", "the museum exhibit", "a grant proposal", "the new timetable", "the bridge inspection", "a paediatric study", "the harbour survey", "the theatre budget", "a translation of letters", "the seed catalogue"]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_GAP_MS, _DAY_MS = 30_000, 86_400_000


class Said(NamedTuple):
    """One thing said: its text, conversation, UTC milliseconds, and a question that it answers."""

    text: str
    conversation: str
    at: int
    question: str


def _utterance(chance: random.Random, household: list[str]) -> tuple[str, str]:
    who, other = chance.sample(household, 2)
    thing, item, place = chance.choice(_THINGS), chance.choice(_ITEMS), chance.choice(_PLACES)
    hobby, dish, work = chance.choice(_HOBBIES), chance.choice(_DISHES), chance.choice(_WORK)
    day, hour, number = chance.choice(_DAYS), chance.randrange(7, 22), chance.randrange(2, 90)
    match chance.randrange(12):
        case 0:
            return (f"Please add {number % 7 + 1} packs of {item} to the shopping list, {who} is out of them.",
                    f"What is {who} out of?")
        case 1:
            return f"{who} says {thing} {chance.choice(_TROUBLES)}.", f"What did {who} say about {thing}?"
        case 2:
            return (f"{who} has an appointment at the dentist in {place} on {day} at {hour}:{number % 60:02d}.",
                    f"When does {who} see the dentist in {place}?")
        case 3:
            return f"{who} started {hobby} with {other} and feels {chance.choice(_FEELINGS)} about it.", \
                f"Who took up {hobby} with {other}?"
        case 4:
            return f"We cooked {dish} for {number % 9 + 2} people and {who} asked for the recipe.", \
                f"Which recipe did {who} want?"
        case 5:
            return f"{who} is working on {work} until {day} and cannot come to {place}.", \
                f"Why can {who} not come to {place}?"
        case 6:
            return f"The train to {place} leaves at {hour}:{number % 60:02d} from platform {number % 12 + 1}.", \
                f"Which platform does the train to {place} leave from?"
        case 7:
            return f"{who} prefers {dish} without salt, unlike {other}.", f"How does {who} like {dish}?"
        case 8:
            return f"Set a timer for {number} minutes, the {dish} is in the oven.", f"How long does {dish} take?"
        case 9:
            return f"{other} lent {who} {number} euros for the trip to {place}.", \
                f"How much did {other} lend {who} for {place}?"
        case 10:
            return f"{who} moved from {place} to {chance.choice(_PLACES)} because of {work}.", \
                f"Where did {who} live before {work}?"
        case _:
            return f"Remember that {who} keeps the spare key for {thing} in locker {number}.", \
                f"Which locker holds the key for {thing}?"


def episodes(seed: int, count: int, start_ms: int, days: int = 365) -> Iterator[Said]:
    """What one household says.

    Args:
        seed: of the household. count: how many utterances. start_ms: the first moment, UTC milliseconds.
        days: over which they are spread.
    """
    chance = random.Random(seed)
    household = chance.sample(_NAMES, 12)
    said, talk = 0, 0
    talks = max(1, count // 12)
    while said < count:
        talk += 1
        moment = start_ms + int(days * _DAY_MS * (talk - 1) / talks) + chance.randrange(3_600_000)
        for _ in range(min(chance.randrange(6, 19), count - said)):
            text, question = _utterance(chance, household)
            yield Said(text, f"talk-{talk}", moment, question)
            moment += chance.randrange(_GAP_MS // 6, _GAP_MS * 2)
            said += 1
