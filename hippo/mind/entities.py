"""The entities of one agent: which names mean the same, which texts name them, and how they are related.

1. A name is shown as it was first written. Case, hyphens, underscores, spaces and the form of Unicode do not matter.
2. What entities there are follows from the memories that have one; relations are small facts of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable

from hippo.text.entities import Mentions, fold_name

RELATION = "relation"  # the topic of relations among an agent's small facts
RELATES_TO = "relates_to"
_SEPARATOR = "\x1f"


class Entities:
    """The known entities of an agent."""

    def __init__(self) -> None:
        self._codes: dict[str, list[int]] = {}  # folded name -> numbers in the table of names, first written first
        self._names: dict[str, str] = {}  # folded name -> as first written
        self._mentions = Mentions()

    def add(self, name: str, code: int) -> None:
        """Takes in the entity of a memory; nothing happens where it is known."""
        folded = fold_name(name)
        codes = self._codes.setdefault(folded, [])
        if not codes:
            self._names[folded] = name
            self._mentions.add(name)
        if code not in codes:
            codes.append(code)

    def named(self, name: str) -> str:
        """The name as it was first written; itself where it is not known."""
        return self._names.get(fold_name(name), name)

    def codes(self, name: str) -> list[int]:
        """The numbers of all names that mean the same."""
        return self._codes.get(fold_name(name), [])

    def mentioned(self, text: str) -> list[str]:
        """The known entities that a text names, as first written, in the order in which it names them."""
        return [self._names[folded] for folded in self._mentions.found_in(text)]

    def all(self) -> list[str]:
        """Every name as first written, in the order of the folded names."""
        return [self._names[folded] for folded in sorted(self._names)]


def relation_key(source: str, relation: str, target: str) -> str:
    """The key of a relation among the small facts."""
    return _SEPARATOR.join((source, relation, target))


def relations(keys: Iterable[str]) -> list[tuple[str, str, str]]:
    """The relations that some keys state: source, relation, target."""
    found = []
    for key in keys:
        source, relation, target = key.split(_SEPARATOR)
        found.append((source, relation, target))
    return found


def related(keys: Iterable[str]) -> dict[str, list[str]]:
    """Folded name -> folded names of the entities related to it, in either direction."""
    found: dict[str, list[str]] = {}
    for source, _, target in relations(keys):
        one, other = fold_name(source), fold_name(target)
        if one != other:
            for here, there in ((one, other), (other, one)):
                if there not in found.setdefault(here, []):
                    found[here].append(there)
    return found
