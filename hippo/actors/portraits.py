"""What the graph's columns say, as answers: hits, portraits, figures. Reads only."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.codec.identity import id_of
from hippo.mind.activation import Spread, path_to
from hippo.mind.brain import RETENTIONS, Brain
from hippo.mind.forgetting import days_until, retention
from hippo.mind.graph import FIDELITY, PROTECTED, REVISION, SCHEMA_HOLD, Graph
from hippo.mind.tiering import TIERS
from hippo.model.batch import Place
from hippo.model.memory import Fidelity, Memory, is_log
from hippo.model.recollection import Why
from hippo.model.report import TierFigures
from hippo.runtime.messages import Census, Hit, Portrait
from hippo.text.fidelity import from_steps


def hit(brain: Brain, agent: str, slot: int, *, activation: float = 0.0, confidence: float = 1.0,
        why: Why | None = None) -> Hit:
    """One memory as recall names it."""
    graph, names = brain.graph(agent), brain.names
    rows = graph.rows
    ordinal = int(rows["ordinal"][slot])
    return Hit(
        ordinal=ordinal, id=id_of(ordinal, brain.seed), place=place(graph, slot),
        tag=int(rows["tag"][slot]), activation=activation, confidence=confidence, why=why or Why("listed"),
        tier=TIERS[int(rows["tier"][slot])], fidelity=_fidelity(graph, slot),
        created_at=int(rows["created_at"][slot]),
        entity=names["entity"][int(rows["entity"][slot])] or None, kind=names["kind"][int(rows["kind"][slot])],
        tags=_tags(brain, int(rows["tags"][slot])), scope=names["scope"][int(rows["scope"][slot])],
        conversation=names["conversation"][int(rows["conversation"][slot])] or None,
        archived_at=int(rows["archived_at"][slot]) or None, superseded_by=_other(brain, rows["superseded_by"][slot]),
        revision=bool(rows["flags"][slot] & REVISION))


def place(graph: Graph, slot: int) -> Place:
    """Where a text lies."""
    rows = graph.rows
    return int(rows["file"][slot]), int(rows["offset"][slot]), int(rows["row"][slot])


def _fidelity(graph: Graph, slot: int) -> Fidelity | None:
    steps = bytes(int(graph.rows[name][slot]) for name in FIDELITY)
    return from_steps(steps) if any(steps) else None


def _tags(brain: Brain, number: int) -> tuple[str, ...]:
    joined = brain.names["tags"][number]
    return tuple(joined.split("\x1f")) if joined else ()


def _other(brain: Brain, ordinal_plus_one: Any) -> str | None:
    return id_of(int(ordinal_plus_one) - 1, brain.seed) if ordinal_plus_one else None


def who_led_here(brain: Brain, graph: Graph, slot: int, spread: Spread) -> list[str]:
    """The ids from the seed to this memory."""
    ordinal = graph.rows["ordinal"]
    return [id_of(int(ordinal[step]), brain.seed) for step in path_to(slot, spread.came_from)]


def memory(brain: Brain, agent: str, slot: int) -> Memory:
    """One memory with all its metadata, its text empty."""
    graph, names = brain.graph(agent), brain.names
    rows = graph.rows

    def name(column: str) -> str | None:
        return names[column][int(rows[column][slot])] or None

    flags, fidelity = int(rows["flags"][slot]), _fidelity(graph, slot)
    return Memory(
        id=id_of(int(rows["ordinal"][slot]), brain.seed), agent_id=agent, text="", scope=name("scope") or "",
        salience=int(rows["salience"][slot]) / limits.salience_steps, kind=name("kind") or "", entity=name("entity"),
        retention=RETENTIONS[int(rows["retention"][slot])], entity_type=name("entity_type"),
        tags=_tags(brain, int(rows["tags"][slot])), source=name("source"), conversation=name("conversation"),
        created_at=int(rows["created_at"][slot]), key=name("key"), protected=bool(flags & PROTECTED),
        last_access=int(rows["last_access"][slot]), access_count=int(rows["access_count"][slot]),
        encounter_count=int(rows["encounter_count"][slot]), intensity=float(rows["intensity"][slot]),
        stability=float(rows["stability"][slot]), tier=TIERS[int(rows["tier"][slot])], encoding="",
        lossless=fidelity is None, fidelity=fidelity,
        schema=_other(brain, rows["schema"][slot]), schema_hold=bool(flags & SCHEMA_HOLD),
        superseded_by=_other(brain, rows["superseded_by"][slot]),
        archived_at=int(rows["archived_at"][slot]) or None)


def portrait(brain: Brain, agent: str, slot: int, now: int) -> Portrait:
    """All about one memory."""
    graph = brain.graph(agent)
    rows = graph.rows
    found = memory(brain, agent, slot)
    stability = found.stability
    held = float(retention(rows["last_access"][slot:slot + 1], rows["stability"][slot:slot + 1], now)[0])
    _, others, weights = graph.associations.halves(np.array([slot]))
    order = np.lexsort((others, -weights))
    elapsed = max(now - found.last_access, 0) / limits.ms_per_day
    return Portrait(
        memory=msgspec.structs.replace(found, intensity=round(found.intensity, 4), stability=round(stability, 4)),
        ordinal=int(rows["ordinal"][slot]), place=place(graph, slot), tag=int(rows["tag"][slot]),
        raw_bytes=int(rows["raw_bytes"][slot]), retention=held,
        associations=[(id_of(int(rows["ordinal"][others[i]]), brain.seed), round(float(weights[i]), 4)) for i in order],
        tier_in_days={tier: round(days_until(floor, stability) - elapsed, 2)
                      for tier, floor in zip(TIERS[1:], list(limits.tier_floors.values())[:-1], strict=True)
                      if days_until(floor, stability) > elapsed})


def census(brain: Brain, dry: tuple[int, int] | None) -> Census:
    """Figures of the whole store; with `dry` (now, since) by the tiers that would be planned.

    Logged messages and earlier wordings are no memories: the former count in the bytes of all texts only, the latter in
    tiers and bytes.
    """
    counts, raw = np.zeros(len(TIERS), np.int64), np.zeros(len(TIERS), np.int64)
    losses, lowest = np.zeros((len(TIERS), len(FIDELITY))), np.full(len(TIERS), limits.fidelity_steps)
    by_file: dict[int, dict[str, tuple[int, int]]] = {}
    schemas = 0
    graphs = {agent: graph for agent, graph in brain.graphs.items() if not is_log(agent)}
    logged = sum(int(graph.rows["raw_bytes"].sum(dtype=np.int64)) for agent, graph in brain.graphs.items()
                 if agent not in graphs)
    agents = {name: count for name, graph in graphs.items()
              if (count := len(graph) - int((graph.rows["flags"] & REVISION > 0).sum()))}
    for graph in graphs.values():
        rows = graph.rows
        tier, sizes = rows["tier"] if dry is None else graph.retier(*dry)[1], rows["raw_bytes"]
        counts += np.bincount(tier, minlength=len(TIERS))
        raw += np.bincount(tier, weights=sizes, minlength=len(TIERS)).astype(np.int64)
        schemas += int((rows["schema"] == rows["ordinal"] + 1).sum())
        lossy = np.flatnonzero(~graph.lossless())
        for at, name in enumerate(FIDELITY):
            lost = limits.fidelity_steps - rows[name][lossy].astype(np.int64)
            losses[:, at] += np.bincount(tier[lossy], weights=lost, minlength=len(TIERS))
            if not at:
                np.minimum.at(lowest, tier[lossy], limits.fidelity_steps - lost)
        cell = rows["file"].astype(np.int64) * len(TIERS) + tier  # file numbers are small: counting beats sorting
        memories, totals_raw = np.bincount(cell), np.bincount(cell, weights=sizes)
        for at in np.flatnonzero(memories).tolist():
            name, tiers = TIERS[at % len(TIERS)], by_file.setdefault(at // len(TIERS), {})
            before = tiers.get(name, (0, 0))
            tiers[name] = before[0] + int(memories[at]), before[1] + int(totals_raw[at])
    means = 1.0 - losses / np.maximum(counts, 1)[:, None] / limits.fidelity_steps
    return Census(
        memories=sum(agents.values()), agents=agents,
        associations=sum(graph.associations.count for graph in graphs.values()),
        tiers={name: TierFigures(count=int(counts[i]), raw_bytes=int(raw[i])) if not counts[i] else TierFigures(
            count=int(counts[i]), raw_bytes=int(raw[i]), rouge_l_mean=round(float(means[i, 0]), 4),
            rouge_l_min=int(lowest[i]) / limits.fidelity_steps, char_similarity=round(float(means[i, 1]), 4),
            semantic=round(float(means[i, 2]), 4)) for i, name in enumerate(TIERS)},
        raw_bytes=int(raw.sum()) + logged, by_file=by_file, schemas=schemas)


def worth(graph: Graph, held: NDArray[Any]) -> NDArray[Any]:
    """How salient, recent and active each memory is; `held`: R of each now."""
    shares: NDArray[Any] = held + graph.rows["salience"] / limits.salience_steps + np.log1p(
        graph.rows["access_count"]) / 4
    return shares
