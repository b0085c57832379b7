"""Schemas: memories of the same kind find a prototype, the schema, of which they are variations.

1. Only lossless memories become members. What is a member already stays one, for good, faded or not; and so does a
   medoid: it is the schema, pinned.
2. Two memories are related when they are associated and the cosine of their term frequencies is 0.35 or above. A
   membership turns permanent when two checks both clear, here and now, against the medoid itself: that cosine, and a
   second signal (they resemble each other, or the fidelity of the residual suffices).
3. A new memory first tries the schemas of the memories it is related to, the closest medoid first. Who joins may show
   the way to those related to it: so a thousand variations of one text find one schema, at the cost of their
   associations.
4. What is left forms groups around whoever resembles its related memories most. The medoid is the member with the
   largest summed similarity to all members, the earlier one where two are equal. A group has three members at least.
5. One that is similar to a medoid, misses the second signal and finds no other schema is held: provisional, and checked
   again next time. Nothing is remembered of a miss.
6. The result depends on the memories, not on the order in which they or their associations are listed: earlier means
   the lower ordinal.

Whether a memory becomes a member can only change when something near it is new. So it is enough to look at new
memories and at what two steps along their associations reach, and the cost follows what is new.

The groups are stars (Aslam, Pelekhov and Rus 2004): no member is further than one step from the prototype, as it would
be in a chain of single links. After Bartlett (1932) for the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.text.resemblance import Traits, resembles

Fidelity = Callable[[str, str], bool]
_FREE = -1
_GATHERED_ROWS = 4_096  # of vectors, in one step


class Candidate(NamedTuple):
    """A memory that may belong to a schema: `schema` is the ordinal of its schema's medoid (its own, if it is one)."""

    ordinal: int
    text: str
    schema: int | None
    held: bool
    lossless: bool


class Formation(NamedTuple):
    """What changes: new members with the ordinal of their medoid (a new medoid with its own), which memories are held
    from now on, and which are held no longer."""

    schema: dict[int, int]
    held: set[int]
    released: set[int]


def consolidate(candidates: Sequence[Candidate], pairs: Sequence[tuple[int, int]], vectors: NDArray[np.float32],
                fidelity: Fidelity | None = None) -> Formation:
    """Finds schemas for memories of one agent and scope.

    Args:
        candidates: New and held memories, what their associations reach, and the medoid of every schema named there (a
            schema whose medoid is missing takes nobody in). Ordinals are distinct.
        pairs: Positions of associated candidates, in any order, repeats allowed.
        vectors: float32[len(candidates), d], unit rows of the term-frequency embedder, or rows of zeros.
        fidelity: Whether a text (first) comes back well enough as a residual of a prototype (second): asked where the
            two are related but do not resemble each other.

    Returns:
        The changes; memories that are members already appear in `released` only.
    """
    order = sorted(range(len(candidates)), key=lambda position: candidates[position].ordinal)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    ranked = [candidates[position] for position in order]
    assert all(one.ordinal < other.ordinal for one, other in pairwise(ranked))
    linked = rank[np.array(pairs, np.int64).reshape(-1, 2)]
    forming = _Forming(ranked, linked, vectors[order], fidelity)
    forming.join_known()
    forming.form_new()
    return forming.formation()


class _Forming:
    """One formation; memories are named by their rank in ordinal order."""

    def __init__(self, ranked: list[Candidate], linked: NDArray[np.int64], vectors: NDArray[np.float32],
                 fidelity: Fidelity | None) -> None:
        self._candidates = ranked
        self._vectors = vectors
        self._fidelity = fidelity
        self._traits = [Traits(candidate.text) for candidate in ranked]
        at = {candidate.ordinal: position for position, candidate in enumerate(ranked)}
        self._medoid = [_FREE if c.schema is None else at.get(c.schema, _FREE) for c in ranked]
        self._may_join = [c.lossless and c.schema is None for c in ranked]
        self._pairs, self._cosines = self._related_pairs(linked)
        self._related: list[list[int]] = [[] for _ in ranked]
        for one, other in self._pairs.tolist():
            self._related[one].append(other)
            self._related[other].append(one)
        self._checked: set[tuple[int, int]] = set()
        self._missed: set[int] = set()

    def _related_pairs(self, linked: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The distinct pairs that are related (rule 2) and of which one may join a schema, with their cosines."""
        free = np.array(self._may_join, np.bool_)
        linked = np.unique(np.sort(linked[linked[:, 0] != linked[:, 1]], axis=1), axis=0)
        linked = linked[free[linked].any(axis=1)]
        cosines = np.empty(len(linked), np.float32)
        for start in range(0, len(linked), _GATHERED_ROWS):
            some = slice(start, start + _GATHERED_ROWS)
            one, other = self._vectors[linked[some, 0]], self._vectors[linked[some, 1]]
            cosines[some] = np.einsum("nd,nd->n", one, other)
        related = cosines >= limits.schema_related
        return linked[related], cosines[related]

    def join_known(self) -> None:
        """Rule 3, from every member there is."""
        self._spread([rank for rank, medoid in enumerate(self._medoid) if medoid != _FREE])

    def _spread(self, members: list[int]) -> None:
        """Lets those related to members try their schemas, then those related to who joined, until nobody joins."""
        while members:
            offers: dict[int, set[int]] = {}
            for member in members:
                for other in self._free(self._related[member]):
                    if (other, self._medoid[member]) not in self._checked:
                        offers.setdefault(other, set()).add(self._medoid[member])
            joined: list[tuple[int, int]] = []
            for rank, medoids in sorted(offers.items()):
                self._checked.update((rank, medoid) for medoid in medoids)
                closest = sorted((-self._cosine(rank, medoid), medoid) for medoid in medoids)
                joined += islice(((rank, medoid) for _, medoid in closest if self._admits(medoid, rank)), 1)
            for rank, medoid in joined:
                self._medoid[rank] = medoid
            members = [rank for rank, _ in joined]

    def form_new(self) -> None:
        """Rule 4: groups around the strongest centres first."""
        strength = np.zeros(len(self._candidates))
        for (one, other), cosine in zip(self._pairs.tolist(), self._cosines.tolist(), strict=True):
            if len(self._free((one, other))) == 2 and resembles(self._traits[one], self._traits[other]):
                strength[[one, other]] += cosine
        for centre in np.lexsort((np.arange(len(strength)), -strength)).tolist():
            if strength[centre] and self._free((centre,)):
                group = self._gathered(centre)
                if len(group) >= limits.schema_members_min:
                    self._found(centre, group)

    def _gathered(self, centre: int) -> list[int]:
        """The free memories that clear both checks against a centre and are related to it, or to one that does."""
        group, seen, at = [centre], {centre}, 0
        while at < len(group):
            for other in self._free(self._related[group[at]]):
                if other not in seen:
                    seen.add(other)
                    if self._is_related(other, centre) and self._is_alike(other, centre):
                        group.append(other)
            at += 1
        return sorted(group)

    def _found(self, centre: int, group: list[int]) -> None:
        """Makes a schema of a group: of its medoid, or of its centre where most of the group missed the medoid, so that
        the larger part of what was gathered is never gathered again."""
        vectors = self._vectors[group].astype(np.float64)
        summed = np.round(vectors @ vectors.sum(axis=0), 6)  # equal texts are equal, however the sum is computed
        medoid = group[int(np.argmax(summed))]
        members = [rank for rank in group if rank == medoid or self._admits(medoid, rank)]
        if len(members) < max(limits.schema_members_min, len(group) / 2):
            medoid, members = centre, group
        for rank in members:
            self._medoid[rank] = medoid
        self._spread(members)

    def formation(self) -> Formation:
        """What came of it; rule 5."""
        schema, held = {}, set()
        for rank, candidate in enumerate(self._candidates):
            if not self._may_join[rank]:
                continue
            if self._medoid[rank] != _FREE:
                schema[candidate.ordinal] = self._candidates[self._medoid[rank]].ordinal
            elif rank in self._missed:
                held.add(candidate.ordinal)
        return Formation(schema, held, {c.ordinal for c in self._candidates if c.held} - held)

    def _free(self, ranks: Iterable[int]) -> list[int]:
        return [rank for rank in ranks if self._may_join[rank] and self._medoid[rank] == _FREE]

    def _cosine(self, one: int, other: int) -> float:
        return float(self._vectors[one] @ self._vectors[other])

    def _admits(self, medoid: int, rank: int) -> bool:
        """Whether a memory clears both checks against a medoid; that it missed only the second is noted."""
        if not self._is_related(rank, medoid):
            return False
        if not self._is_alike(rank, medoid):
            self._missed.add(rank)
            return False
        return True

    def _is_related(self, one: int, other: int) -> bool:
        return self._cosine(one, other) >= limits.schema_related

    def _is_alike(self, rank: int, prototype: int) -> bool:
        """The second signal."""
        if resembles(self._traits[rank], self._traits[prototype]):
            return True
        return self._fidelity is not None and self._fidelity(
            self._candidates[rank].text, self._candidates[prototype].text)
