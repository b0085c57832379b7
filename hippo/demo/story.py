"""Two weeks of one household, as its assistant hears them: what `hippo demo` plays. Hand-written.

1. Nora and Elias, their children Mila and Jonah, the dog Pepper, Nora's mother Greta, and the people around them.
2. Some things are said once, some every few days in almost the same words: those become schemas.
3. Most questions name one thing and want another: what is asked for is reached over a relation that was stated
   (`Told.relation`), or by what was said next to it.
4. Two things turn out otherwise and are corrected; what they said before stays in their history.
"""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """Something to remember, whom or what it is about, and how that is related to whom or what it names."""

    text: str
    about: str
    kind: str = "fact"
    relation: tuple[str, str] | None = None


class Asked(NamedTuple):
    """Something to recall: the cue, and words of the memory that answers it."""

    cue: str
    answer: str


class Corrected(NamedTuple):
    """Something that changed: a cue that brings to mind what was said, words of it, and what holds from now on."""

    cue: str
    before: str
    text: str


class Slept(NamedTuple):
    """A night: a pass of sleep, then it is the next day."""


class Passed(NamedTuple):
    """Some days in which nothing is said, and a pass of sleep at their end. `said`: what is told of them."""

    days: int
    said: str


Turn = Told | Asked | Corrected | Slept | Passed

STORY: tuple[Turn, ...] = (
    # The first day: who is who.
    Told("Nora and Elias live in the yellow house at 14 Mill Lane with their children Mila and Jonah.", "Nora"),
    Told("Pepper is the family's dog: six years old, brown, and afraid of thunder.", "Pepper"),
    Told("Mrs. Lindqvist teaches above the bakery on Canal Street; ring the second bell.", "Mrs. Lindqvist"),
    Told("Sam from across the street must not eat hazelnuts: the allergy pen is in his green bag.", "Sam"),
    Told("Mr. Adeyemi next door keeps the spare key in a tin of buttons.", "Mr. Adeyemi"),
    Told("Dr. Varga is the vet on Tanner Street, open until noon.", "Dr. Varga"),
    Told("Mila is nine and plays the cello.", "Mila"),
    Asked("Who has a spare key?", "tin of buttons"),
    Slept(),
    # The second day: what somebody says today leads to what was said yesterday.
    Told("Mila has her cello lesson with Mrs. Lindqvist on Thursdays at four.", "Mila",
         relation=("is taught by", "Mrs. Lindqvist")),
    Told("Jonah is five, and his best friend is Sam.", "Jonah", relation=("is a friend of", "Sam")),
    Told("Elias walked Pepper around the lake before breakfast and met the old spaniel.", "Pepper", "episode"),
    Asked("Which bell do I ring when I pick up Mila from her lesson?", "ring the second bell"),
    Asked("What should we leave out of the cake when Jonah's best friend comes?", "must not eat hazelnuts"),
    Slept(),
    # The third.
    Told("Greta is Nora's mother; she lives in Bergen and does not like to fly.", "Greta",
         relation=("is the mother of", "Nora")),
    Told("The toy shop by the harbour has a red kite in the window, for twenty-four.", "red kite"),
    Told("Shopping for the week: oat milk, lemons and two loaves of rye bread from the market hall.", "shopping",
         "episode"),
    Told("Pepper limps on the left hind leg, and Dr. Varga wants to see it again in ten days.", "Pepper", "episode",
         relation=("is treated by", "Dr. Varga")),
    Asked("Where do I go with the limping dog?", "Tanner Street"),
    Slept(),
    # The fourth.
    Told("Jonah's birthday is on the twentieth, and he wishes for the red kite.", "Jonah",
         relation=("wishes for", "red kite")),
    Told("Greta comes for Jonah's birthday, on the train that arrives at ten past two.", "Greta"),
    Told("The key to the bicycle shed hangs behind the kitchen clock.", "bicycle shed"),
    Told("Jonah swam one lane without the belt at his swimming lesson.", "Jonah", "episode"),
    Asked("Where can we buy what Jonah wishes for?", "toy shop by the harbour"),
    Slept(),
    # The fifth.
    Told("Elias walked Pepper around the lake before breakfast; it rained and they met nobody.", "Pepper", "episode"),
    Told("Mila's bicycle has a flat tyre, and the pump is in the bicycle shed.", "Mila",
         relation=("keeps things in", "bicycle shed")),
    Told("Nora works nights at the hospital this week and sleeps until two.", "Nora"),
    Told("Mr. Brandt repairs household machines and is paid in cash, forty for the visit.", "Mr. Brandt"),
    Corrected("Which train does Greta take?", "ten past two",
              "Greta comes for Jonah's birthday, on the train that arrives at twenty to four."),
    Asked("When does Nora's mother arrive?", "twenty to four"),
    Asked("Which key do I need for the bicycle pump?", "behind the kitchen clock"),
    Slept(),
    # The sixth and the seventh.
    Told("Shopping for the week: oat milk, apples and one loaf of rye bread from the market hall.", "shopping",
         "episode"),
    Told("The summer concert in the town hall is on the last Sunday of June, at six.", "summer concert"),
    Told("Ines is Nora's colleague and takes her Friday shift.", "Ines", relation=("works with", "Nora")),
    Told("Elias walked Pepper around the lake before breakfast and met the old spaniel again.", "Pepper", "episode"),
    Slept(),
    Told("The washing machine stops in the middle; Mr. Brandt comes on Monday morning.", "washing machine",
         relation=("is repaired by", "Mr. Brandt")),
    Told("Mila wants to play the slow movement at the summer concert.", "Mila",
         relation=("plays at", "summer concert")),
    Told("Jonah swam two lanes without the belt at his swimming lesson.", "Jonah", "episode"),
    Asked("How much money should lie ready for the washing machine?", "forty for the visit"),
    Asked("By when does Mila have to know the slow movement?", "last Sunday of June"),
    Slept(),
    # The second week.
    Told("Shopping for the week: oat milk, plums and two loaves of rye bread from the market hall.", "shopping",
         "episode"),
    Told("Mila practised the slow movement for twenty minutes and got stuck at the end.", "Mila", "episode"),
    Told("Ines has lent Nora her book about lighthouses.", "Ines"),
    Slept(),
    Told("Elias walked Pepper around the lake before breakfast; the path is closed at the mill.", "Pepper", "episode"),
    Told("Mila practised the slow movement for half an hour, and now it works.", "Mila", "episode"),
    Asked("Whose book lies on Nora's bedside table?", "about lighthouses"),
    Slept(),
    Told("Jonah swam three lanes without the belt at his swimming lesson.", "Jonah", "episode"),
    Told("Greta sleeps in the study; the sofa bed needs the long key that is in the desk.", "Greta"),
    Slept(),
    Told("Shopping for the party: lemons, plums and a cake without nuts from the bakery on Canal Street.", "shopping",
         "episode"),
    Told("Mila practised the slow movement for twenty minutes by heart.", "Mila", "episode"),
    Corrected("When is the cello lesson?", "on Thursdays at four",
              "Mila has her cello lesson with Mrs. Lindqvist on Fridays at five."),
    Asked("When does Mila go to Mrs. Lindqvist?", "on Fridays at five"),
    Slept(),
    Told("Greta has arrived; she brought brown cheese and a letter for Mr. Adeyemi.", "Greta", "episode"),
    Told("Sam comes to the birthday and stays for the night.", "Sam"),
    Told("Jonah's red kite flew over the lake until the string broke, and Pepper found it.", "Jonah", "episode"),
    Slept(),
    Told("Greta went home and forgot her reading glasses in the study.", "Greta", "episode"),
    Asked("What has Greta forgotten here?", "reading glasses"),
    Slept(),
    # What time does.
    Passed(30, "A month passes. What nobody asks for fades, and is packed tighter."),
    Asked("How do we get into the house when both keys are lost?", "tin of buttons"),
    Passed(120, "Four more months pass. Most of it is cold by now, and all of it is still there."),
    Asked("Is there anything that Jonah's best friend must not eat?", "must not eat hazelnuts"),
    Passed(1, "A last night: what was asked for is warm again."),
)
