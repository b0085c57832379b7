"""What a pass reads from and writes to the graphs. Each call is a few milliseconds of the graph's task at most.

1. A change names the version it saw: what was recalled meanwhile is not abridged, and waits for the next pass.
2. Texts move, and become what they were abridged to, at once for a whole pack: what the index says of a pack is true
   of every row of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.codec.identity import id_of
from hippo.mind.brain import Brain
from hippo.mind.forgetting import retention
from hippo.mind.graph import FIDELITY, PROTECTED, SCHEMA_HOLD, Graph
from hippo.mind.plasticity import on_minute
from hippo.mind.shelving import SETS, WARM, Shelf, moves
from hippo.mind.tiering import TIERS, forced
from hippo.model.batch import Batch, Kin, Places
from hippo.model.memory import is_log
from hippo.model.report import PackFigures
from hippo.runtime import passes
from hippo.runtime.passes import Facet, Settle

_VERSION = ("last_access", "access_count", "tag")
_EXACT_SALIENCE = round(limits.exact_salience * limits.salience_steps)


class Plan(NamedTuple):
    """Memories of one agent that go into one pack, and the tiers they have then."""

    agent: str
    tier_set: int
    ordinals: NDArray[np.uint64]
    tiers: NDArray[np.uint8]


def plan(brain: Brain, packs: dict[int, PackFigures], outdated: frozenset[int], segments_before: int,
         dry: tuple[int, int] | None) -> list[Plan]:
    """The texts to be written anew, pack by pack; with `dry` (now, since) by the tiers that would be planned."""
    plans: list[Plan] = []
    for agent, graph in brain.graphs.items():
        rows = graph.rows
        shelves = [Shelf(number, SETS.index(pack.tier_set), pack.rows, number in outdated)
                   for number, pack in packs.items() if pack.agent == agent and pack.tier_set in SETS]
        tier = rows["tier"] if dry is None else graph.retier(*dry)[1]
        chosen = moves(rows["file"], tier, rows["raw_bytes"], shelves, segments_before)
        for tier_set, slots in chosen.items():
            share = np.cumsum(rows["raw_bytes"][slots], dtype=np.int64) // limits.pack_raw_bytes
            plans += [Plan(agent, tier_set, rows["ordinal"][some], tier[some])
                      for some in np.split(slots, np.flatnonzero(np.diff(share)) + 1)]
    return plans


def batch(brain: Brain, planned: Plan) -> Batch:
    """What of a plan is still there, as it is now."""
    agent, tier_set, ordinals, tiers = planned
    graph = brain.graph(agent)
    rows = graph.rows
    at, known = _found(graph, ordinals)
    slots = at[known]
    schema, own = rows["schema"][slots].astype(np.int64) - 1, rows["ordinal"][slots].astype(np.int64)
    may_fade = (tier_set != WARM) & (schema >= 0) & (schema != own) & graph.lossless()[slots] & (
        rows["salience"][slots] < _EXACT_SALIENCE) & (rows["flags"][slots] & PROTECTED == 0)
    return Batch(
        agent, tier_set, places(graph, slots), rows["raw_bytes"][slots],
        tiers[known], schema, may_fade,
        np.stack([rows[name][slots] for name in FIDELITY], axis=1), rows["last_access"][slots],
        rows["access_count"][slots], places(graph, _slots(graph, np.unique(schema[schema >= 0]))))


def _found(graph: Graph, ordinals: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each ordinal is or would be, and whether it is there."""
    mine = graph.rows["ordinal"]
    if not len(mine):
        return np.zeros(len(ordinals), np.int64), np.zeros(len(ordinals), np.bool_)
    at = np.minimum(np.searchsorted(mine, ordinals.astype(np.uint64)), len(mine) - 1)
    return at, mine[at] == ordinals.astype(np.uint64)


def _slots(graph: Graph, ordinals: NDArray[Any]) -> NDArray[np.int64]:
    """The slots of those memories that are known, in the order given."""
    at, known = _found(graph, ordinals)
    return at[known]


def places(graph: Graph, slots: NDArray[Any]) -> Places:
    """Where the texts of some slots lie."""
    return Places(*(graph.rows[name][slots] for name in Places._fields))


def texts_for_training(brain: Brain, agent: str, bytes_max: int) -> Places:
    """Texts of one agent that its packs hold, evenly spread, of about so many bytes."""
    graph = brain.graph(agent)
    slots = np.flatnonzero(graph.rows["file"])
    step = max(int(graph.rows["raw_bytes"][slots].sum(dtype=np.int64)) // bytes_max, 1)
    return places(graph, slots[::step])


def claimed(brain: Brain, agent: str, versions: dict[int, tuple[int, int, int]]) -> dict[int, Facet | None]:
    """What else memories are found by, None for one that was touched since its version."""
    graph = brain.graph(agent)
    rows = graph.rows
    found: dict[int, Facet | None] = {}
    for ordinal, version in versions.items():
        slot = graph.slot_of(ordinal)
        if slot is None or tuple(int(rows[name][slot]) for name in _VERSION) != version:
            found[ordinal] = None
            continue
        found[ordinal] = _facet(brain, graph, slot)
    return found


def _facet(brain: Brain, graph: Graph, slot: int) -> Facet:
    rows, names = graph.rows, brain.names
    tags = names["tags"][int(rows["tags"][slot])]
    return Facet(int(rows["created_at"][slot]), names["entity"][int(rows["entity"][slot])],
                 tuple(tag for tag in tags.split("\x1f") if tag))


def revive(brain: Brain, agent: str, ordinal: int, now: int) -> Facet | None:
    """A memory is as good as recalled now, and in warm; None where there is none."""
    graph = brain.graph(agent)
    slot = graph.slot_of(ordinal)
    if slot is None:
        return None
    rows = graph.rows
    rows["tier"][slot] = TIERS.index("warm")
    rows["last_access"][slot] = max(int(rows["last_access"][slot]), on_minute(now))
    rows["access_count"][slot] += 1
    graph.touched[slot] = None
    return _facet(brain, graph, slot)


def settle(brain: Brain, moved: Settle) -> None:
    """Texts have moved, and some were abridged; what is unknown, says something else by now or was rewritten otherwise
    (then it has no schema any more) is passed over."""
    graph = brain.graph(moved.agent)
    rows = graph.rows
    at, known = _found(graph, moved.ordinals)
    if len(rows["tag"]):
        fades = np.isin(moved.ordinals, moved.abridged[moved.fidelity.any(axis=1)])
        known &= (rows["tag"][at] == moved.read) & ~(fades & (rows["schema"][at] == 0))
    slots = at[known]
    rows["file"][slots] = moved.file
    rows["offset"][slots], rows["row"][slots] = moved.offset[known], moved.row[known]
    at, still = _found(graph, moved.abridged)
    still &= np.isin(moved.abridged, moved.ordinals[known])
    slots = at[still]
    rows["tag"][slots] = moved.tags[still]
    for column, name in enumerate(FIDELITY):
        rows[name][slots] = moved.fidelity[still, column]


def living(brain: Brain) -> frozenset[int]:
    """The files that texts lie in."""
    return frozenset(number for graph in brain.graphs.values()
                     for number in np.unique(graph.rows["file"]).tolist() if number)


# Schemas


def kindred(brain: Brain, seen: dict[str, int], until: int, turn: int) -> Kin | None:
    """The next memories that may be alike: those that are held, then new ones, with what they are associated with.

    Args:
        seen: agent -> slots looked at in this pass. until: the first ordinal that this pass does not look at.
        turn: which pass it is: of many that are held, a part has its turn.
    """
    most = limits.kindred_memories_max
    for agent, graph in brain.graphs.items():
        start = seen.get(agent)
        if start is None:
            start = graph.considered
            waiting = np.flatnonzero(graph.rows["flags"][:start] & SCHEMA_HOLD)
            if len(waiting):
                return _kin(graph, agent, np.sort(np.roll(waiting, -turn * most)[:most]), start)
        known = int(np.searchsorted(graph.rows["ordinal"], np.uint64(until)))
        if start < known:
            end = min(start + most, known)
            return _kin(graph, agent, np.arange(start, end), end)
    return None


def _kin(graph: Graph, agent: str, fresh: NDArray[np.int64], through: int) -> Kin:
    """Some memories with what they are associated with: a neighbour that has a schema stands for nothing but that."""
    rows = graph.rows
    one, others = _associated(graph, fresh)
    prototype = rows["schema"][others]
    at, known = _found(graph, prototype - np.uint64(1))
    others = np.where(prototype > 0, at, others)
    kept = (known | (prototype == 0)) & (one != others)
    one, others = one[kept], others[kept]
    among = np.zeros(len(graph), np.bool_)
    among[one] = among[others] = True
    # Neighbours may be neighbours of each other: that completes a group, and costs no further text.
    two, also = _associated(graph, np.flatnonzero(among))
    inner = among[also] & (two < also)
    lower, upper = np.r_[np.minimum(one, others), two[inner]], np.r_[np.maximum(one, others), also[inner]]
    pairs = np.unique(lower << 32 | upper)
    ends = np.stack([pairs >> 32, pairs & 0xFFFFFFFF], axis=1)
    slots = np.flatnonzero(among)
    return Kin(agent, places(graph, slots), rows["schema"][slots].astype(np.int64) - 1,
               (rows["flags"][slots] & SCHEMA_HOLD) > 0, graph.lossless()[slots], (np.cumsum(among) - 1)[ends], through)


def _associated(graph: Graph, slots: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both ends of the associations of some memories within a scope."""
    at, others, _ = graph.associations.halves(slots.astype(np.int32))
    one, others, scope = slots[at], others.astype(np.int64), graph.rows["scope"]
    same = scope[one] == scope[others]
    return one[same], others[same]


def classify(brain: Brain, agent: str, schema: dict[int, int], held: set[int], released: set[int],
             through: int) -> None:
    """Takes over memberships and holds."""
    graph = brain.graph(agent)
    rows, flag = graph.rows, np.uint8(SCHEMA_HOLD)
    at, known = _found(graph, np.fromiter(schema, np.int64, len(schema)))
    rows["schema"][at[known]] = np.fromiter(schema.values(), np.uint64, len(schema))[known] + np.uint64(1)
    rows["flags"][at[known]] &= ~flag
    rows["flags"][_slots(graph, np.fromiter(released, np.int64, len(released)))] &= ~flag
    waiting = _slots(graph, np.fromiter(held, np.int64, len(held)))
    rows["flags"][waiting[rows["schema"][waiting] == 0]] |= flag
    graph.considered = max(graph.considered, through)


# Tiers


def retier(brain: Brain, now: int, since: int) -> dict[str, tuple[int, int]]:
    """Plans every tier anew; tier -> (memories moved in, moved out)."""
    moved_in, moved_out = Counter[int](), Counter[int]()
    for agent, graph in brain.graphs.items():
        before, after = graph.retier(now, since)
        moves_on = before != after
        if not is_log(agent):
            moved_in.update(after[moves_on].tolist())
            moved_out.update(before[moves_on].tolist())
        graph.rows["tier"][:] = after
    return {name: (moved_in[number], moved_out[number]) for number, name in enumerate(limits.tier_floors)}


def force(brain: Brain, now: int, excess_bytes: int, ratios: list[float]) -> tuple[int, tuple[str, ...]]:
    """Moves the weakest texts of all agents down. How many moved, and the weakest memories by their ids."""
    graphs = list(brain.graphs.values())
    if not graphs:
        return 0, ()
    columns = {name: np.concatenate([graph.rows[name] for graph in graphs])
               for name in ("last_access", "stability", "salience", "tier", "raw_bytes", "ordinal")}
    held = retention(columns["last_access"], columns["stability"], now)
    after = forced(held, columns["salience"], columns["ordinal"], columns["tier"], columns["raw_bytes"], excess_bytes,
                   ratios)
    logged = np.repeat([is_log(agent) for agent in brain.graphs], [len(graph) for graph in graphs])
    weakest = np.lexsort((columns["ordinal"], columns["salience"], held, logged))[:limits.weakest_shown_max]
    weakest = weakest[~logged[weakest]]
    start = 0
    for graph in graphs:
        graph.rows["tier"][:] = after[start:start + len(graph)]
        start += len(graph)
    return int((after != columns["tier"]).sum()), tuple(
        id_of(int(ordinal), brain.seed) for ordinal in columns["ordinal"][weakest])


def sample(brain: Brain, modulus: int, remainder: int) -> list[Places]:
    """The texts of one share of all blocks and records: whole blocks, so that each is decoded once."""
    found: list[Places] = []
    for graph in brain.graphs.values():
        rows = graph.rows
        file, offset = rows["file"].astype(np.int64), rows["offset"].astype(np.int64)
        chosen = (file > 0) & ((file * 2_654_435_761 + offset * 40_503 >> 7) % modulus == remainder)
        found.append(places(graph, np.flatnonzero(chosen)))
    return found


STEPS: dict[type[Any], Callable[[Brain, Any], Any]] = {
    passes.Retier: lambda brain, step: retier(brain, step.now, step.since),
    passes.Force: lambda brain, step: force(brain, step.now, step.excess_bytes, step.ratios),
    passes.Classify: lambda brain, step: classify(
        brain, step.agent, step.schema, step.held, step.released, step.through),
    passes.TextsForTraining: lambda brain, step: texts_for_training(brain, step.agent, step.bytes_max),
    passes.Claim: lambda brain, step: claimed(brain, step.agent, step.versions),
    passes.Revive: lambda brain, step: revive(brain, step.agent, step.ordinal, step.now),
    passes.Living: lambda brain, step: living(brain),
    passes.Sample: lambda brain, step: sample(brain, step.modulus, step.remainder)}
