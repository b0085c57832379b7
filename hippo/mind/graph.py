"""The graph of one agent: its memories as columns, their episodes and their associations.

1. A memory's slot is its row, in the order of the ordinals: what came later stands later.
2. An episode is one scope and conversation with no gap over 30 minutes between neighbours in time. `before` and
   `after` are each memory's neighbours in its episode, -1 where there is none; loaded history finds its place by its
   own `created_at`.
3. Everything a recall changes is marked touched until it was taken to the journal.
4. No clock, no texts, no vectors: similarities and the present moment are given.
"""

from __future__ import annotations

from bisect import insort
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.mind import activation as acts
from hippo.mind.associations import Associations
from hippo.mind.bridges import bridges
from hippo.mind.entities import Entities, Relations
from hippo.mind.forgetting import retention
from hippo.mind.plasticity import on_minute, spaced
from hippo.mind.table import Names, Table
from hippo.mind.tiering import planned
from hippo.model.change import Touched
from hippo.model.snapshot import COLUMNS

PROTECTED, SCHEMA_HOLD, REVISION = 1, 2, 4  # a revision is an earlier wording of what superseded it
REVISIONS = "\x1frevision"  # their conversation: they are no neighbours of what is said
MARKS = ("superseded_by", "archived_at", "access_count", "encounter_count", "last_access", "intensity", "stability",
         "tier", "schema", "flags", "rouge_l", "char_similarity", "semantic")
# How close a text is to what was said, in steps of 1/250; all zero where it is the same. Packs know it, not the index.
FIDELITY = ("rouge_l", "char_similarity", "semantic")
_KINDS = {name: kind for name, kind in COLUMNS.items() if name != "agent"} | {
    "file": "u4", "offset": "u4", "row": "u2", "before": "i4", "after": "i4"} | dict.fromkeys(FIDELITY, "u1")


class Vocabulary:
    """The names that columns refer to, kept once for the whole store."""

    def __init__(self, strings: dict[str, list[str]] | None = None) -> None:
        given = strings or {}
        self.tables = {name: Names(given.get(name, [""])) for name in COLUMNS if COLUMNS[name] == "u4" and name in (
            "agent", "scope", "kind", "entity", "entity_type", "source", "conversation", "tags", "key")}

    def __getitem__(self, name: str) -> Names:
        return self.tables[name]


class Graph:
    """The columns and associations of one agent.

    Args:
        names: the store's vocabulary.
        retention_weight: ρ, how much retention weighs in choosing seeds.
    """

    def __init__(self, names: Vocabulary, retention_weight: float) -> None:
        self.names = names
        self.rows = Table(_KINDS)
        self.associations = Associations()
        self.entities = Entities()
        self.linked = 0  # slots below have their first associations
        self.considered = 0  # slots below were looked at for schemas
        # In the order in which they were touched: what is taken first is what was touched first.
        self.touched: dict[int, None] = {}
        self.touched_edges: dict[tuple[int, int], None] = {}
        self._retention_weight = retention_weight
        self._latest: dict[tuple[int, int], int] = {}  # (scope, conversation) -> its latest memory
        self._about: dict[int, list[int]] = {}  # number of an entity's name -> the memories that have it, ascending

    def __len__(self) -> int:
        return len(self.rows)

    # Growing

    def add(self, row: dict[str, Any]) -> int:
        """Adds a memory by its columns (except `before` and `after`); returns its slot."""
        slot = self.rows.append(row | {"before": -1, "after": -1})
        self._know_entity(row.get("entity", 0), slot)
        self.associations.grow(len(self.rows))
        self._place(slot)
        return slot

    def load(self, columns: dict[str, NDArray[Any]], length: int) -> None:
        """Fills an empty graph with many memories at once, in ordinal order."""
        self.rows.extend(columns, length)
        self.associations.grow(length)
        self._arrange()
        about = np.flatnonzero(self.rows["entity"]).tolist()
        for slot, code in zip(about, self.rows["entity"][about].tolist(), strict=True):
            self._know_entity(code, slot)

    def _know_entity(self, code: int, slot: int) -> None:
        if code:
            if code not in self._about:
                self.entities.add(self.names["entity"][code], code)
            insort(self._about.setdefault(code, []), slot)

    def _arrange(self) -> None:
        """Finds every memory's place in its episode (rule 2)."""
        before, after = self.rows["before"], self.rows["after"]
        before[:], after[:] = -1, -1
        scope, conversation = self.rows["scope"], self.rows["conversation"]
        created = self.rows["created_at"]
        line = np.lexsort((created, conversation, scope))
        same = (scope[line][1:] == scope[line][:-1]) & (conversation[line][1:] == conversation[line][:-1])
        near = same & (np.diff(created[line]) <= limits.episode_gap_ms)
        before[line[1:][near]], after[line[:-1][near]] = line[:-1][near], line[1:][near]
        self._latest = {(int(scope[slot]), int(conversation[slot])): int(slot)
                        for slot in (line[np.r_[~same, True]] if len(line) else ())}

    def _place(self, slot: int) -> None:
        """Finds the memory's place in its episode (rule 2)."""
        rows = self.rows
        scope, conversation, created = rows["scope"], rows["conversation"], rows["created_at"]
        key = int(scope[slot]), int(conversation[slot])
        latest = self._latest.get(key)
        if latest is None or created[slot] >= created[latest]:
            self._latest[key] = slot
            self._join(latest, slot)
            return
        line = np.flatnonzero((scope[:slot] == key[0]) & (conversation[:slot] == key[1]))
        line = line[np.argsort(created[line], kind="stable")]
        at = int(np.searchsorted(created[line], created[slot], side="right"))
        self._join(slot, int(line[at]))
        self._join(int(line[at - 1]) if at else None, slot)
        if at and rows["before"][slot] != line[at - 1]:
            rows["after"][line[at - 1]] = -1

    def _join(self, one: int | None, other: int) -> None:
        """Makes two memories neighbours in time if no gap lies between them, else the later one's episode opens."""
        near = one is not None and self.rows["created_at"][other] - self.rows["created_at"][one] \
            <= limits.episode_gap_ms
        self.rows["before"][other] = one if near else -1
        if near:
            self.rows["after"][one] = other

    # Changing

    def revise(self, slot: int, row: dict[str, Any]) -> None:
        """A memory says something else, or has other facts: its columns anew, as for `add`.

        It is lossless again, and of no schema; what had it as its schema has none any more.
        """
        rows = self.rows
        moved = any(int(rows[name][slot]) != row[name] for name in ("scope", "conversation", "created_at"))
        # What is looked at for schemas is new, or held: this one is, until it was looked at again.
        flags = int(rows["flags"][slot]) & REVISION | SCHEMA_HOLD | row["flags"]
        self._free(rows, rows["schema"] == rows["ordinal"][slot] + np.uint64(1))
        if rows["entity"][slot]:
            self._about[int(rows["entity"][slot])].remove(slot)
        for name, value in (row | {"flags": flags, "schema": 0} | dict.fromkeys(FIDELITY, 0)).items():
            rows[name][slot] = value
        self._know_entity(row.get("entity", 0), slot)
        if moved:
            self._arrange()

    def mark(self, ordinals: list[int], columns: dict[str, list[float]]) -> None:
        """States some columns of some memories, MARKS; those that are not known are passed over.

        What was recalled meanwhile is not held less well, nor accessed earlier, than it is.
        """
        known = [(at, slot) for at, ordinal in enumerate(ordinals) if (slot := self.slot_of(ordinal)) is not None]
        for name in MARKS:
            if name in columns:
                column = self.rows[name]
                for at, slot in known:
                    value = columns[name][at]
                    column[slot] = max(column[slot], value) if name in ("last_access", "stability") else value

    def without(self, slots: NDArray[np.int64]) -> Graph:
        """A graph of the other memories: what was superseded by one of these comes back, members of its schema are
        free."""
        kept = np.ones(len(self), np.bool_)
        kept[slots] = False
        gone, number = self.rows["ordinal"][slots] + np.uint64(1), np.cumsum(kept) - 1
        columns = {name: self.rows[name][kept] for name in _KINDS if name not in ("before", "after")}
        columns["superseded_by"][np.isin(columns["superseded_by"], gone)] = 0
        self._free(columns, np.isin(columns["schema"], gone))
        rest = Graph(self.names, self._retention_weight)
        rest.load(columns, int(kept.sum()))
        rest.associations.decayed_through = self.associations.decayed_through
        one, other, weight, set_at = self.associations.all()
        both = kept[one] & kept[other]
        rest.associations.load(number[one[both]], number[other[both]], weight[both], set_at[both], len(rest))
        rest.linked, rest.considered = int(kept[:self.linked].sum()), int(kept[:self.considered].sum())
        rest.touched = {int(number[slot]): None for slot in self.touched if kept[slot]}
        rest.touched_edges = {(int(number[a]), int(number[b])): None for a, b in self.touched_edges
                              if kept[a] and kept[b]}
        return rest

    @staticmethod
    def _free(columns: Any, members: NDArray[np.bool_]) -> None:
        """Takes some memories out of their schema; those that are lossless are looked at again."""
        columns["schema"][members] = 0
        columns["flags"][members & (columns[FIDELITY[0]] == 0)] |= SCHEMA_HOLD

    def with_revisions(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Some memories and all their earlier wordings, ascending."""
        rows, chosen = self.rows, np.unique(slots)
        while True:
            older = (rows["flags"] & REVISION > 0) & np.isin(
                rows["superseded_by"], rows["ordinal"][chosen] + np.uint64(1))
            wider = np.union1d(chosen, np.flatnonzero(older))
            if len(wider) == len(chosen):
                return wider
            chosen = wider

    def slot_of(self, ordinal: int) -> int | None:
        """The slot of a memory, None if this agent has none of that ordinal."""
        ordinals = self.rows["ordinal"]
        slot = int(np.searchsorted(ordinals, ordinal))
        return slot if slot < len(ordinals) and int(ordinals[slot]) == ordinal else None

    # Recall

    def allowed(self, filters: Any) -> NDArray[np.bool_] | None:
        """Which memories the filters let through: bool[n], None for all.

        Args:
            filters: an object with the fields of `runtime.messages.Filters`.
        """
        rows, masks = self.rows, []
        if filters.scopes is not None:
            masks.append(self._is_one_of("scope", filters.scopes))
        for column in ("kind", "entity_type", "conversation"):
            wanted = getattr(filters, column)
            if wanted is not None:
                masks.append(self._is_one_of(column, (wanted,)))
        if filters.entity is not None:
            masks.append(self.is_of(filters.entity))
        if filters.tags:
            wanted_tags = set(filters.tags)
            sets = self.names["tags"]
            codes, inverse = np.unique(rows["tags"], return_inverse=True)
            has = [_tags_match(set(sets[int(code)].split("\x1f")), wanted_tags, filters.tags_all) for code in codes]
            masks.append(np.array(has, bool)[inverse])
        if filters.since is not None:
            masks.append(rows["created_at"] >= filters.since)
        if filters.until is not None:
            masks.append(rows["created_at"] <= filters.until)
        for hidden, column in ((not filters.include_archived, "archived_at"),
                               (not filters.include_superseded, "superseded_by")):
            if hidden and rows[column].any():
                masks.append(rows[column] == 0)
        return np.logical_and.reduce(masks) if masks else None

    def about(self, entity: str) -> NDArray[np.int64]:
        """The memories about an entity, ascending: it costs as much as there are."""
        slots = [slot for code in self.entities.codes(entity) for slot in self._about[code]]
        return np.array(sorted(slots), np.int64)

    def is_of(self, entity: str) -> NDArray[np.bool_]:
        """Which memories are about an entity: bool[n]."""
        found = np.zeros(len(self), np.bool_)
        found[self.about(entity)] = True
        return found

    def _is_one_of(self, column: str, wanted: tuple[str, ...]) -> NDArray[np.bool_]:
        numbers = [n for n in (self.names[column].known(name) for name in wanted) if n is not None]
        return np.isin(self.rows[column], numbers)

    def likeness(self, lexical: NDArray[Any], cosine: NDArray[Any],
                 allowed: NDArray[Any] | None) -> acts.Likeness:
        """How alike the cue each memory is, with its neighbours' lift."""
        direct = acts.fused(lexical, cosine, allowed)
        return acts.lifted(direct, self.rows["before"], self.rows["after"])

    def bring(self, likeness: acts.Likeness, allowed: NDArray[Any] | None, now: int, *, relations: Relations,
              spreads: bool) -> acts.Spread:
        """What comes to mind: seeds and what they spread to, if they do."""
        held = retention(self.rows["last_access"], self.rows["stability"], now)
        start, level = acts.seeds(likeness.lifted, held, self._retention_weight, allowed)
        if not spreads:
            return acts.unspread(start, level)
        return acts.spread(len(self), start, level, self.associations, allowed,
                           bridges(self, start, relations, allowed))

    def reinforce(self, slots: NDArray[Any], activation: NDArray[Any], now: int) -> None:
        """What a recall of these memories changes: spacing, access, Hebbian associations."""
        rows, now = self.rows, on_minute(now)
        stability, accessed = rows["stability"], rows["last_access"]
        salience = rows["salience"][slots] / np.float32(limits.salience_steps)
        held = retention(accessed[slots], stability[slots], now)
        stability[slots] = spaced(stability[slots], held, salience, activation)
        accessed[slots] = np.maximum(accessed[slots], now)
        rows["access_count"][slots] += 1
        self.touched.update(dict.fromkeys(int(slot) for slot in slots))
        self.touched_edges.update(dict.fromkeys(self.associations.fire_together(slots, activation, now)))

    # Linking

    def link(self, slot: int, similar: list[tuple[int, float]]) -> None:
        """The first associations of a memory: to similar earlier ones and to the one before it in its episode.

        Args:
            similar: earlier slots with the weight each is to have.
        """
        created = int(self.rows["created_at"][slot])
        links = [] if self.rows["flags"][slot] & REVISION else list(similar)
        previous = int(self.rows["before"][slot])
        if previous >= 0:
            links.append((previous, limits.episode_weight))
        for other, weight in links:
            if self.associations.link(slot, other, weight, created):
                self.touched_edges[min(slot, other), max(slot, other)] = None
        self.linked = max(self.linked, slot + 1)

    # The journal's view

    def take_touched(self, agent: str) -> Touched | None:
        """What was touched first and not taken yet, as a change of bounded size; None when nothing is left.

        How far first associations reach is stated by the change that holds the last of them.
        """
        if not self.touched and not self.touched_edges:
            return None
        rows, most = self.rows, limits.touched_rows_max
        slots, edges = list(islice(self.touched, most)), list(islice(self.touched_edges, most))
        is_last = len(edges) == len(self.touched_edges)
        known = [self.associations.recorded(*pair) for pair in edges]
        ordinal = rows["ordinal"]
        change = Touched(
            ordinals=[int(ordinal[s]) for s in slots],
            last_access=[int(rows["last_access"][s]) for s in slots],
            access_count=[int(rows["access_count"][s]) for s in slots],
            stability=[float(rows["stability"][s]) for s in slots],
            intensity=[float(rows["intensity"][s]) for s in slots],
            edge_from=[int(ordinal[a]) for a, _ in edges], edge_to=[int(ordinal[b]) for _, b in edges],
            edge_weight=[w for w, _ in known], edge_set_at=[at for _, at in known],
            linked_through={agent: int(ordinal[self.linked - 1]) if self.linked and is_last else -1})
        for slot in slots:
            del self.touched[slot]
        for pair in edges:
            del self.touched_edges[pair]
        return change

    def apply(self, change: Touched, agent: str) -> None:
        """Replays a recorded change; what it says of other agents' memories is passed over.

        What was encountered between a recall and its record is not held less well: a recall only ever adds.
        """
        rows = self.rows
        for at, ordinal in enumerate(change.ordinals):
            slot = self.slot_of(ordinal)
            for name in ("last_access", "access_count", "stability") if slot is not None else ():
                rows[name][slot] = max(rows[name][slot], getattr(change, name)[at])
        for one, other, weight, set_at in zip(change.edge_from, change.edge_to, change.edge_weight,
                                              change.edge_set_at, strict=True):
            first, second = self.slot_of(one), self.slot_of(other)
            if first is not None and second is not None:
                self.associations.set(first, second, weight, set_at)
        if agent in change.linked_through:
            self.linked = max(self.linked, int(np.searchsorted(
                rows["ordinal"], change.linked_through[agent], side="right")))

    def fingerprint(self, count: int) -> bytes:
        """Names the first `count` memories and their texts: what derived caches are checked against."""
        digest = blake2b(digest_size=16)
        for column in ("ordinal", "tag"):
            digest.update(self.rows[column][:count].tobytes())
        return digest.digest()

    # Sleep

    def lossless(self) -> NDArray[np.bool_]:
        """Which texts are what was said: bool[n]."""
        return np.asarray(self.rows[FIDELITY[0]] == 0)

    def retier(self, now: int, since: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The tiers before and as planned now: u1[n] each. Writes nothing.

        Args:
            since: the moment of the last pass: what was accessed since then may come back.
        """
        rows = self.rows
        held = retention(rows["last_access"], rows["stability"], now)
        recalled = rows["last_access"] >= on_minute(since)
        return rows["tier"].copy(), planned(held, rows["tier"], recalled, self.lossless())

    def fade(self, now: int) -> tuple[int, int]:
        """Edge decay up to now, then pruning. Returns (decayed, pruned)."""
        decays = self.associations.count if now > self.associations.decayed_through else 0
        self.associations.restate(now)
        self.associations.decayed_through = max(now, self.associations.decayed_through)
        pruned = self.associations.prune()
        if pruned:
            kept = self.associations
            self.touched_edges = {pair: None for pair in self.touched_edges if kept.weight(*pair) > 0.0}
        return decays, pruned


def _tags_match(present: set[str], wanted: set[str], every: bool) -> bool:
    return wanted <= present if every else bool(wanted & present)
