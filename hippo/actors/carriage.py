"""What the graph gives of an agent as a whole: for exports, and for what looks at all memories at once. Reads only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hippo.actors.portraits import memory, place
from hippo.embed.senses import Senses
from hippo.mind.brain import Brain
from hippo.mind.graph import REVISION
from hippo.runtime import carrying
from hippo.runtime.carrying import Matrix, Page


def chapter(brain: Brain, request: carrying.Chapter) -> list[Page]:
    """The next memories of an agent."""
    graph = brain.graph(request.agent)
    rows = graph.rows
    start = int(np.searchsorted(rows["ordinal"], request.after + 1)) if request.after >= 0 else 0
    return [Page(int(rows["ordinal"][slot]), memory(brain, request.agent, slot), place(graph, slot),
                 int(rows["tag"][slot]), bool(rows["flags"][slot] & REVISION))
            for slot in range(start, min(start + request.most, len(graph)))]


def bonds(brain: Brain, request: carrying.Bonds) -> list[tuple[int, int, float, int]]:
    """All associations of an agent."""
    graph = brain.graph(request.agent)
    one, other, weight, set_at = graph.associations.all()
    ordinal = graph.rows["ordinal"]
    return list(zip(ordinal[one].tolist(), ordinal[other].tolist(), weight.tolist(), set_at.tolist(), strict=True))


def taken(brain: Brain, request: carrying.Taken) -> bool:
    """Whether these ordinals can no longer be given."""
    mine = brain.graph(request.agent).rows["ordinal"]
    if len(mine) and request.ordinals and int(mine[-1]) >= request.ordinals[0]:
        return True
    return any(graph.slot_of(ordinal) is not None for graph in brain.graphs.values() for ordinal in request.ordinals)


def matrix(brain: Brain, senses: Senses, request: carrying.Vectors) -> Matrix:
    """Current memories with their vectors."""
    graph = brain.graph(request.agent)
    rows = graph.rows
    chosen = (rows["superseded_by"] == 0) & (rows["archived_at"] == 0)
    if request.before is not None:
        chosen &= rows["created_at"] < request.before
    slots = np.flatnonzero(chosen)[-request.most:]
    names = brain.names["entity"]
    return Matrix(rows["ordinal"][slots], senses.vectors.rows(slots.tolist()), rows["created_at"][slots],
                  rows["access_count"][slots], [names[code] for code in rows["entity"][slots].tolist()])


LOOKS: dict[type[Any], Callable[[Brain, Any], Any]] = {
    carrying.Chapter: chapter, carrying.Bonds: bonds, carrying.Taken: taken}
