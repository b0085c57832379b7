"""All agents' graphs of one store, and their passage to and from a snapshot.

1. No association crosses agents: each has a graph of its own.
2. A snapshot lists memories in ordinal order over the whole store, so that what was said together lies together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo.limits import retention_days, salience_steps
from hippo.mind.forgetting import first_stability
from hippo.mind.graph import PROTECTED, Graph, Vocabulary
from hippo.model.change import Change, Touched
from hippo.model.memory import Draft
from hippo.model.snapshot import COLUMNS, EDGES, Snapshot

RETENTIONS = tuple(retention_days)


class Brain:
    """Every agent's graph.

    Args:
        seed: of the store; ids are derived from it.
        retention_weight: ρ of the recall rule.
    """

    def __init__(self, seed: int, retention_weight: float) -> None:
        self.seed = seed
        self.names = Vocabulary()
        self.graphs: dict[str, Graph] = {}
        self._retention_weight = retention_weight

    def graph(self, agent: str) -> Graph:
        """The graph of an agent, empty where the agent is new."""
        found = self.graphs.get(agent)
        if found is None:
            found = self.graphs[agent] = Graph(self.names, self._retention_weight)
        return found

    def remember(self, ordinal: int, draft: Draft, tag: int, last_access: int, place: tuple[int, int, int]) -> int:
        """Adds a durable memory; returns its slot. One that is known already stays as it is."""
        graph = self.graph(draft.agent_id)
        known = graph.slot_of(ordinal)
        if known is not None:
            return known
        number = {column: self.names[column].number(text or "") for column, text in (
            ("scope", draft.scope), ("kind", draft.kind), ("entity", draft.entity),
            ("entity_type", draft.entity_type), ("source", draft.source), ("conversation", draft.conversation),
            ("tags", "\x1f".join(draft.tags)), ("key", draft.key))}
        self.names["agent"].number(draft.agent_id)
        return graph.add(number | {
            "ordinal": ordinal, "retention": RETENTIONS.index(draft.retention),
            "flags": PROTECTED if draft.protected else 0, "salience": round(draft.salience * salience_steps),
            "created_at": draft.created_at, "last_access": last_access, "encounter_count": 1,
            "intensity": draft.salience, "stability": first_stability(draft.salience),
            "raw_bytes": len(draft.text.encode()), "tag": tag,
            "file": place[0], "offset": place[1], "row": place[2]})

    def apply(self, change: Change) -> None:
        """Replays a change other than a new memory."""
        if isinstance(change, Touched):
            for agent in change.linked_through:
                self.graph(agent).apply(change, agent)

    # Snapshots

    def load(self, snapshot: Snapshot, places: dict[str, NDArray[Any]]) -> None:
        """Fills an empty brain.

        Args:
            snapshot: the state.
            places: columns ordinal u8 (ascending), file u4, offset u4, row u2 of every text that was found; a memory
                without one is kept with file 0: its text is lost, and reading it says so.
        """
        self.names = Vocabulary(snapshot.strings)
        columns = dict(snapshot.columns)
        at = np.searchsorted(places["ordinal"], columns["ordinal"])
        clipped = np.minimum(at, max(len(places["ordinal"]) - 1, 0))
        any_text = len(places["ordinal"]) > 0
        found = places["ordinal"][clipped] == columns["ordinal"] if any_text else np.zeros(len(at), bool)
        for name in ("file", "offset", "row"):
            columns[name] = np.where(found, places[name][clipped], 0) if any_text else np.zeros(len(at))
        through = int(snapshot.state.get("decayed_through", 0))
        agents = columns.pop("agent")
        for number in np.unique(agents):
            mine = np.flatnonzero(agents == number)
            graph = self.graph(self.names["agent"][int(number)])
            graph.load({name: column[mine] for name, column in columns.items()}, len(mine))
            graph.associations.decayed_through = through
            graph.linked = int(np.searchsorted(graph.rows["ordinal"], snapshot.state.get("linked_through", {}).get(
                self.names["agent"][int(number)], -1), side="right"))
        self._load_edges(snapshot)

    def _load_edges(self, snapshot: Snapshot) -> None:
        first, second = snapshot.edges["first"], snapshot.edges["second"]
        for graph in self.graphs.values():
            ordinals = graph.rows["ordinal"]
            if not len(ordinals):
                continue
            ends = [np.minimum(np.searchsorted(ordinals, end), len(ordinals) - 1) for end in (first, second)]
            mine = (ordinals[ends[0]] == first) & (ordinals[ends[1]] == second)
            graph.associations.load(ends[0][mine], ends[1][mine], snapshot.edges["weight"][mine],
                                    snapshot.edges["set_at"][mine], len(ordinals))

    def export(self, covers: int, state: dict[str, Any]) -> Snapshot:
        """The whole state as it is now: copies, so that it can be encoded elsewhere while this goes on."""
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in COLUMNS}
        edges: dict[str, list[NDArray[Any]]] = {name: [] for name in EDGES}
        linked = {}
        through = 0
        for agent, graph in self.graphs.items():
            number = self.names["agent"].number(agent)
            parts["agent"].append(np.full(len(graph), number, np.uint32))
            for name in COLUMNS:
                if name != "agent":
                    parts[name].append(graph.rows[name])
            one, other, weight, set_at = graph.associations.all()
            ordinals = graph.rows["ordinal"]
            ends: list[NDArray[Any]] = [ordinals[one], ordinals[other], weight, set_at]
            for name, column in zip(EDGES, ends, strict=True):
                edges[name].append(column)
            linked[agent] = int(ordinals[graph.linked - 1]) if graph.linked else -1
            through = max(through, graph.associations.decayed_through)
        columns = {name: _joined(columns, COLUMNS[name]) for name, columns in parts.items()}
        order = np.argsort(columns["ordinal"], kind="stable")
        links = {name: _joined(columns, EDGES[name]) for name, columns in edges.items()}
        edge_order = np.lexsort((links["second"], links["first"]))
        return Snapshot(
            covers=covers, strings={name: table.all() for name, table in self.names.tables.items()},
            columns={name: column[order] for name, column in columns.items()},
            edges={name: column[edge_order] for name, column in links.items()},
            state=state | {"linked_through": linked, "decayed_through": through})


def _joined(columns: list[NDArray[Any]], kind: str) -> NDArray[Any]:
    return np.concatenate(columns).astype(kind) if columns else np.empty(0, kind)
