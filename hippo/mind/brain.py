"""All agents' graphs of one store, and their passage to and from a snapshot.

1. No association crosses agents: each has a graph of its own.
2. A snapshot lists memories in ordinal order over the whole store, so that what was said together lies together.
3. Logged messages are associated with nothing and have no schema: there is nothing left to do for one that is added.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo.limits import retention_days, salience_steps, touched_rows_max
from hippo.mind.entities import RELATES_TO, RELATION, Relations, relation_key, relations
from hippo.mind.forgetting import first_stability
from hippo.mind.graph import FIDELITY, PROTECTED, REVISION, Graph, Vocabulary
from hippo.mind.plasticity import on_day
from hippo.model.change import Change, Forgotten, Marked, Noted, Touched
from hippo.model.memory import Draft, is_log
from hippo.model.snapshot import COLUMNS, EDGES, Snapshot

RETENTIONS = tuple(retention_days)
KEY = "key"  # the topic of keys that came with what was known already, each with the ordinal that it gave


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
        self.notes: dict[str, dict[str, dict[str, str]]] = {}  # agent -> topic -> key -> value
        self._relations: dict[str, Relations] = {}  # made of the notes on first use
        self._retention_weight = retention_weight

    def graph(self, agent: str) -> Graph:
        """The graph of an agent, empty where the agent is new."""
        found = self.graphs.get(agent)
        if found is None:
            found = self.graphs[agent] = Graph(self.names, self._retention_weight)
        return found

    def remember(self, ordinal: int, draft: Draft, tag: int, last_access: int, place: tuple[int, int, int],
                 wording_of: int = 0) -> int:
        """Adds a durable memory; returns its slot. One that is known already stays as it is."""
        graph = self.graph(draft.agent_id)
        known = graph.slot_of(ordinal)
        if known is not None:
            return known
        self.names["agent"].number(draft.agent_id)
        row = self._row(draft, tag, place)
        slot = graph.add(row | {
            "superseded_by": wording_of, "flags": row["flags"] | (REVISION if wording_of else 0),
            "ordinal": ordinal, "last_access": last_access, "encounter_count": 1,
            "intensity": draft.salience, "stability": first_stability(draft.salience)})
        if is_log(draft.agent_id):
            graph.linked = graph.considered = len(graph)
        return slot

    def revise(self, ordinal: int, draft: Draft, tag: int, place: tuple[int, int, int]) -> int | None:
        """A memory says something else now; its slot, None where it is not known."""
        graph = self.graph(draft.agent_id)
        slot = graph.slot_of(ordinal)
        if slot is not None:
            graph.revise(slot, self._row(draft, tag, place))
        return slot

    def _row(self, draft: Draft, tag: int, place: tuple[int, int, int]) -> dict[str, Any]:
        """The columns that a draft decides."""
        number = {column: self.names[column].number(text or "") for column, text in (
            ("scope", draft.scope), ("kind", draft.kind), ("entity", draft.entity),
            ("entity_type", draft.entity_type), ("source", draft.source), ("conversation", draft.conversation),
            ("tags", "\x1f".join(draft.tags)), ("key", draft.key))}
        return number | {
            "retention": RETENTIONS.index(draft.retention), "flags": PROTECTED if draft.protected else 0,
            "salience": round(draft.salience * salience_steps), "created_at": draft.created_at,
            "raw_bytes": len(draft.text.encode()), "tag": tag, "file": place[0], "offset": place[1], "row": place[2]}

    def forget(self, agent: str, ordinals: list[int]) -> NDArray[np.int64]:
        """Takes memories out, and with them all names that no memory has any more, the keys that gave them, and the
        relations of entities of which nothing is known any more. Returns the slots they had, ascending."""
        graph = self.graph(agent)
        slots = np.array(sorted(slot for ordinal in ordinals if (slot := graph.slot_of(ordinal)) is not None), np.int64)
        if not len(slots):
            return slots
        had = [self.names["entity"][code] for code in np.unique(graph.rows["entity"][slots]).tolist() if code]
        self.graphs[agent] = rest = graph.without(slots)
        for entity in had:
            for relation in [] if len(rest.about(entity)) else self.relations(agent).of(entity):
                self.note(agent, RELATION, relation_key(*relation), None)
        gone = {str(ordinal) for ordinal in ordinals}
        for key in [key for key, ordinal in self.noted(agent, KEY).items() if ordinal in gone]:
            self.note(agent, KEY, key, None)
        for column, names in self.names.tables.items():
            if column != "agent":
                names.keep(set().union(*(np.unique(other.rows[column]).tolist() for other in self.graphs.values())))
        return slots

    # Notes

    def note(self, agent: str, topic: str, key: str, value: str | None) -> None:
        """A small fact of an agent; None takes it back."""
        known = self.notes.setdefault(agent, {}).setdefault(topic, {})
        if value is not None:
            known[key] = value
        else:
            known.pop(key, None)
        if topic == RELATION and agent in self._relations:
            (self._relations[agent].discard if value is None else self._relations[agent].add)(key)

    def noted(self, agent: str, topic: str) -> dict[str, str]:
        """The small facts of an agent on a topic, by their keys."""
        return self.notes.get(agent, {}).get(topic, {})

    def relations(self, agent: str) -> Relations:
        """The relations of an agent's entities."""
        if agent not in self._relations:
            self._relations[agent] = Relations(self.noted(agent, RELATION))
        return self._relations[agent]

    def know_fidelity(self, places: dict[str, NDArray[Any]]) -> None:
        """Takes over how close each text is to what was said, from the packs that know it: `places` as for `load`."""
        lossy = np.flatnonzero(places[FIDELITY[0]])
        for graph in self.graphs.values():
            mine, at, among = np.intersect1d(graph.rows["ordinal"], places["ordinal"][lossy], return_indices=True)
            for name in FIDELITY if len(mine) else ():
                graph.rows[name][at] = places[name][lossy[among]]

    def mend(self) -> None:
        """What supersedes a memory, and what its schema is, has to be known: else nothing does, and it has none."""
        for graph in self.graphs.values():
            rows = graph.rows
            for name in ("superseded_by", "schema"):
                rows[name][~np.isin(rows[name], rows["ordinal"] + np.uint64(1))] = 0
            # An earlier wording of what is lost is all that is left of it.
            rows["flags"][(rows["flags"] & REVISION > 0) & (rows["superseded_by"] == 0)] &= ~np.uint8(REVISION)

    def apply(self, change: Change) -> None:
        """Replays a change other than a new or a revised memory."""
        if isinstance(change, Touched):
            for agent in change.linked_through:
                self.graph(agent).apply(change, agent)
        elif isinstance(change, Marked):
            self.graph(change.agent).mark(change.ordinals, change.columns)
        elif isinstance(change, Forgotten):
            self.forget(change.agent, change.ordinals)
        elif isinstance(change, Noted):
            self.note(change.agent, change.topic, change.key, change.value)

    # Snapshots

    def take_touched(self) -> tuple[list[Change], int]:
        """What was touched first and not taken yet, a change of bounded size for each agent, and how often there is
        more to take of what is touched by now."""
        changes: list[Change] = [change for agent, graph in self.graphs.items()
                                 if (change := graph.take_touched(agent))]
        left = max((max(len(graph.touched), len(graph.touched_edges)) for graph in self.graphs.values()), default=0)
        return changes, -(-left // touched_rows_max)

    def load(self, snapshot: Snapshot, places: dict[str, NDArray[Any]]) -> None:
        """Fills an empty brain.

        Args:
            snapshot: the state.
            places: columns ordinal u8 (ascending), file u4, offset u4, row u2 of every text that was found; a memory
                without one is kept with file 0: its text is lost, and reading it says so.
        """
        self.names = Vocabulary(snapshot.strings)
        self.notes = snapshot.state.get("notes", {})
        for agent, codes in snapshot.state.get("mentions", {}).items():
            ends = [self.names["entity"][code] for code in codes]
            for source, target in zip(ends[::2], ends[1::2], strict=True):
                self.note(agent, RELATION, relation_key(source, RELATES_TO, target), "")
        columns = dict(snapshot.columns)
        at = np.searchsorted(places["ordinal"], columns["ordinal"])
        clipped = np.minimum(at, max(len(places["ordinal"]) - 1, 0))
        any_text = len(places["ordinal"]) > 0
        found = places["ordinal"][clipped] == columns["ordinal"] if any_text else np.zeros(len(at), bool)
        for name in ("file", "offset", "row"):
            columns[name] = np.where(found, places[name][clipped], 0) if any_text else np.zeros(len(at))
        through = int(snapshot.state.get("decayed_through", snapshot.state.get("last_pass_at", 0)))
        agents = columns.pop("agent")
        for number in np.unique(agents):
            mine = np.flatnonzero(agents == number)
            graph = self.graph(self.names["agent"][int(number)])
            graph.load({name: column[mine] for name, column in columns.items()}, len(mine))
            graph.associations.decayed_through = through
            name = self.names["agent"][int(number)]
            graph.linked, graph.considered = (
                _reached(snapshot.state.get(key), name, graph) for key in ("linked_through", "considered_through"))
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
                                    on_day(snapshot.edges["set_at"][mine]), len(ordinals))

    def export(self, covers: int, state: dict[str, Any]) -> Snapshot:
        """The whole state as it is now: copies, so that it can be encoded elsewhere while this goes on."""
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in COLUMNS}
        edges: dict[str, list[NDArray[Any]]] = {name: [] for name in EDGES}
        linked: dict[str, int] = {}
        considered: dict[str, int] = {}
        through = 0
        files: set[int] = set()
        for agent, graph in self.graphs.items():
            through = max(through, graph.associations.decayed_through)
            if not len(graph):
                continue  # it was only asked about
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
            for reached, length in ((linked, graph.linked), (considered, graph.considered)):
                if length < len(graph):
                    reached[agent] = int(ordinals[length - 1]) if length else -1
            files |= set(np.unique(graph.rows["file"]).tolist())
        return Snapshot(
            covers=covers, strings={name: table.all() for name, table in self.names.tables.items()},
            columns=_joined(parts, COLUMNS, "ordinal"), edges=_joined(edges, EDGES, "second"),
            state=state | {"linked_through": linked, "considered_through": considered,
                           **({} if through == state.get("last_pass_at") else {"decayed_through": through}),
                           **self._written_notes(), "files": sorted(files - {0})})

    def _written_notes(self) -> dict[str, Any]:
        """The notes without what is empty, in the order of their names: copies.

        Of what mentions made of entities that both have memories, which is most of it, only the numbers of their names.
        """
        notes: dict[str, dict[str, dict[str, str]]] = {}
        mentions: dict[str, list[int]] = {}
        for agent, topics in sorted(self.notes.items()):
            kept = {topic: dict(sorted(facts.items())) for topic, facts in sorted(topics.items())}
            pairs: list[tuple[int, int]] = []
            for key in list(kept.get(RELATION, ())):
                [(source, kind, target)] = relations((key,))
                one, other = self.names["entity"].known(source), self.names["entity"].known(target)
                if kind == RELATES_TO and one is not None and other is not None:
                    pairs.append((one, other))
                    del kept[RELATION][key]
            if pairs:
                mentions[agent] = [code for ends in sorted(pairs) for code in ends]
            if any(kept.values()):
                notes[agent] = {topic: facts for topic, facts in kept.items() if facts}
        return ({"notes": notes} if notes else {}) | ({"mentions": mentions} if mentions else {})


def _reached(stated: dict[str, int] | None, agent: str, graph: Graph) -> int:
    """How far an agent's memories were worked on: all of them where only others are named, none where nobody is."""
    if stated is None:
        return 0
    return int(np.searchsorted(graph.rows["ordinal"], stated[agent], side="right")) if agent in stated else len(graph)


def _joined(parts: dict[str, list[NDArray[Any]]], kinds: dict[str, str], by: str) -> dict[str, NDArray[Any]]:
    """Columns of all agents as one, in the order of the column `by`, in which each agent's own ascend."""
    columns = {name: np.concatenate(parts[name]).astype(kind, copy=False) if parts[name] else np.empty(0, kind)
               for name, kind in kinds.items()}
    key = columns[by]
    if bool((key[1:] >= key[:-1]).all()):
        return columns
    order = np.argsort(key, kind="stable")
    return {name: column[order] for name, column in columns.items()}
