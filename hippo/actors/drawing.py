"""What the brain view shows of an agent: which of its memories, and what holds them together. Reads only.

1. Shown is what is most salient, recent and active of what stands. What was superseded or archived only takes the room
   that is left. Earlier wordings are part of a memory's history, and are never shown.
2. A member brings its schema along, and stands behind it when room gets short: so whatever has a schema that is drawn
   can be drawn inside it. The largest schemas are there in any case, in `limits.graph_schemas_share` of the room, since
   they stand for what is folded.
3. The same store at the same moment gives the same drawing: what is equal goes by age.
4. All of it is a few passes over columns: the graph answers nobody else meanwhile.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.actors.portraits import worth
from hippo.mind.brain import Brain
from hippo.mind.forgetting import retention
from hippo.mind.graph import REVISION, Graph
from hippo.runtime.viewing import Draw, Drawn, Spot

_NOWHERE = -1
_Slots = NDArray[np.int64]


def draw(brain: Brain, request: Draw) -> Drawn:
    """What is shown of an agent that has memories."""
    graph = brain.graph(request.agent)
    rows = graph.rows
    held = retention(rows["last_access"], rows["stability"], request.now)
    is_memory = rows["flags"] & REVISION == 0
    home = _homes(graph)
    is_member = is_memory & (home != _NOWHERE) & (home != np.arange(len(graph)))
    members = np.bincount(home[is_member], minlength=len(graph))
    slots = _chosen(graph, worth(graph, held), is_memory, home, members, request.limit)

    position = np.full(len(graph) + 1, _NOWHERE)  # of each slot, and of none
    position[slots] = np.arange(len(slots))
    first, second, weight = _associations(graph, slots, position)
    homes = np.where(is_member[slots], position[home[slots]], _NOWHERE)
    columns = {name: rows[name][slots] for name in ("ordinal", "tag", "tier", "schema", "created_at")}
    places = zip(*(rows[name][slots].tolist() for name in ("file", "offset", "row")), strict=True)
    return Drawn(
        columns=columns | {
            "salience": rows["salience"][slots] / limits.salience_steps, "retention": held[slots],
            "archived": rows["archived_at"][slots] != 0, "superseded": rows["superseded_by"][slots] != 0},
        spots=list(map(Spot, columns["ordinal"].tolist(), places, columns["tag"].tolist())),
        kinds=_names(brain, "kind", rows["kind"][slots]), entities=_names(brain, "entity", rows["entity"][slots]),
        first=first, second=second, weight=weight, homes=homes, members=members[slots],
        shown=np.bincount(homes[homes != _NOWHERE], minlength=len(slots)), folded=int(is_memory.sum()) - len(slots))


def _homes(graph: Graph) -> _Slots:
    """The slot of each memory's schema, i8[n]; -1 where it has none."""
    schema = graph.rows["schema"]
    # A schema is its own; they are few, so that finding each member's costs little.
    of_schemas = np.flatnonzero(schema == graph.rows["ordinal"] + np.uint64(1))
    if not len(of_schemas):
        return np.full(len(graph), _NOWHERE, np.int64)
    known = schema[of_schemas]
    found = np.searchsorted(known, schema).clip(max=len(known) - 1)
    return np.where(known[found] == schema, of_schemas[found], _NOWHERE)


def _chosen(graph: Graph, merit: NDArray[Any], is_memory: NDArray[np.bool_], home: _Slots, members: NDArray[Any],
            limit: int) -> _Slots:
    """The slots that are drawn, ascending (rules 1 and 2)."""
    rows = graph.rows
    is_aside = (rows["superseded_by"] != 0) | (rows["archived_at"] != 0)
    best = _best(merit, np.flatnonzero(is_memory & ~is_aside), limit)
    if len(best) < limit:
        best = np.concatenate([best, _best(merit, np.flatnonzero(is_memory & is_aside), limit - len(best))])
    largest = _best(members, np.flatnonzero(members), limit // limits.graph_schemas_share)
    behind = np.stack([np.where(home[best] == _NOWHERE, best, home[best]), best], axis=1).ravel()
    wanted, at = np.unique(np.concatenate([largest, behind]), return_index=True)
    return np.sort(wanted[np.argsort(at)][:limit])


def _best(merit: NDArray[Any], slots: _Slots, count: int) -> _Slots:
    """Those of some slots with the most merit, the best first, the earlier of equals first."""
    of_these = merit[slots]
    if len(slots) > count:
        least = np.partition(of_these, len(slots) - count)[len(slots) - count] if count else np.inf
        better = of_these > least
        slots = np.concatenate([slots[better], slots[of_these == least]])[:count]
    return slots[np.lexsort((slots, -merit[slots]))]


def _associations(graph: Graph, slots: _Slots, position: _Slots) -> tuple[_Slots, _Slots, NDArray[Any]]:
    """The associations among some memories, each once, by their positions; where there are too many, the strongest."""
    first, other, weight = graph.associations.halves(slots)
    second = position[other]
    once = np.flatnonzero(second > first)
    once = _best(weight, once, limits.graph_edges_share * len(slots))
    once = once[np.lexsort((second[once], first[once]))]
    return first[once], second[once], weight[once].astype(np.float64)


def _names(brain: Brain, column: str, codes: NDArray[Any]) -> list[str]:
    names = brain.names[column]
    return [names[code] for code in codes.tolist()]
