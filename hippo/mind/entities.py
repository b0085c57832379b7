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
Relation = tuple[str, str, str]  # source, relation, target


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


class Relations:
    """The relations of one agent, found by either of their ends.

    Args:
        keys: of those that are stated already.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_end: dict[str, dict[str, Relation]] = {}  # folded name -> key -> relation
        for key in keys:
            self.add(key)

    def add(self, key: str) -> None:
        """Takes in a relation by its key."""
        [relation] = relations((key,))
        for end in _ends(relation):
            self._by_end.setdefault(end, {})[key] = relation

    def discard(self, key: str) -> None:
        """Lets go of a relation; nothing happens where it is not known."""
        [relation] = relations((key,))
        for end in _ends(relation):
            known = self._by_end.get(end, {})
            known.pop(key, None)
            if not known:
                self._by_end.pop(end, None)

    def of(self, entity: str) -> list[Relation]:
        """The relations that an entity is in, in the order of their names."""
        return sorted(self._by_end.get(fold_name(entity), {}).values())


def _ends(relation: Relation) -> tuple[str, ...]:
    return tuple(dict.fromkeys((fold_name(relation[0]), fold_name(relation[2]))))


def relation_key(source: str, relation: str, target: str) -> str:
    """The key of a relation among the small facts."""
    return _SEPARATOR.join((source, relation, target))


def relations(keys: Iterable[str]) -> list[Relation]:
    """The relations that some keys state."""
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
