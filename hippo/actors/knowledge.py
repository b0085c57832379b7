"""What the graph knows of entities, and what a newcomer is to what is known. Reads only."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.actors.portraits import hit, worth
from hippo.codec.identity import id_of
from hippo.embed.embedder import Embedder
from hippo.embed.senses import Senses
from hippo.mind.brain import Brain
from hippo.mind.entities import RELATES_TO, RELATION, relation_key
from hippo.mind.forgetting import retention
from hippo.mind.graph import Graph
from hippo.mind.novelty import novelty
from hippo.runtime import knowing
from hippo.runtime.knowing import (
    EntityFigures,
    Fingerprint,
    Likeness,
    MayQuote,
    Newcomer,
    Observations,
    Resembling,
    Search,
    State,
)
from hippo.runtime.messages import Hit

_ALL_SAID = 0.999  # of a cue's mass: what rounding leaves of the whole


def states(brain: Brain, request: knowing.States) -> dict[int, State]:
    """What a meeting changes of some memories."""
    graph = brain.graph(request.agent)
    rows, found = graph.rows, {}
    for ordinal in request.ordinals:
        slot = graph.slot_of(ordinal)
        if slot is not None:
            found[ordinal] = State(
                int(rows["encounter_count"][slot]), float(rows["intensity"][slot]), float(rows["stability"][slot]),
                int(rows["last_access"][slot]), int(rows["tag"][slot]))
    return found


def likeness(brain: Brain, senses: Senses, embedder: Embedder, agent: str, new: Newcomer) -> Likeness:
    """What a newcomer is to what its agent knows."""
    graph, draft, vector = brain.graph(agent), new.draft, new.sensed.vector
    rows, entity = graph.rows, None if draft.entity is None else graph.entities.named(draft.entity)
    noted = brain.noted(agent, RELATION)
    mentions = [] if entity is None else [
        name for name in graph.entities.mentioned(draft.text)
        if name != entity and relation_key(entity, RELATES_TO, name) not in noted]
    scope = brain.names["scope"].known(draft.scope)  # None: nothing is in it

    def current(slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some memories that nothing supersedes, and that are in the scope."""
        kept: NDArray[np.int64] = slots[(rows["superseded_by"][slots] == 0) & (rows["scope"][slots] == scope)]
        return kept if scope is not None else slots[:0]

    same = current(np.flatnonzero(rows["tag"] == new.tag))
    about = None if entity is None else graph.about(entity)
    if about is not None:
        same = same[np.isin(same, about)]
    alike: list[tuple[int, float]] = []
    new_to = 1.0
    if vector is not None and vector.any():
        slots, cosines = senses.vectors.nearest(vector, limits.novelty_neighbours)
        present = set(current(slots).tolist())
        for slot, similarity in zip(slots.tolist(), embedder.calibrate(cosines).tolist(), strict=True):
            # The first few are shown; of the others only those count whose words decide.
            floor = limits.near_match if len(alike) < limits.near_matches_max else limits.near
            if similarity >= floor and slot in present and len(alike) < limits.compared_max:
                alike.append((slot, similarity))
        if about is not None:
            slots, _ = senses.vectors.nearest(vector, limits.novelty_neighbours, about)
        new_to = novelty(vector, senses.vectors.rows(slots.tolist()))
    return Likeness(
        novelty=new_to, same=hit(brain, agent, int(same[0])) if len(same) else None,
        near=[(hit(brain, agent, slot), similarity) for slot, similarity in alike], entity=entity, mentions=mentions)


def observations(brain: Brain, request: knowing.Observe) -> list[Observations]:
    """What is known of some entities."""
    return [_observations(brain, request.agent, entity) for entity in request.entities]


def _observations(brain: Brain, agent: str, entity: str) -> Observations:
    graph = brain.graph(agent)
    slots, name = _current(graph, entity), graph.entities.named(entity)
    ordered = sorted((id_of(int(ordinal), brain.seed), slot) for slot, ordinal in zip(
        slots.tolist(), graph.rows["ordinal"][slots].tolist(), strict=True))
    return Observations(
        name, bool(graph.entities.codes(entity)), _type(brain, graph, slots),
        [hit(brain, agent, slot) for _, slot in ordered], brain.relations(agent).of(entity))


def fingerprints(brain: Brain, request: knowing.Fingerprints) -> list[Fingerprint]:
    """What the current memories of some entities say, in short."""
    graph, found = brain.graph(request.agent), []
    for entity in request.entities:
        slots, digest = _current(graph, entity), blake2b(digest_size=16)
        for column in ("ordinal", "tag"):
            digest.update(graph.rows[column][slots].tobytes())
        newest = int(graph.rows["created_at"][slots].max(initial=0))
        found.append(Fingerprint(graph.entities.named(entity), len(slots), newest, digest.digest()))
    return found


def hits(brain: Brain, request: knowing.Hits) -> list[Hit]:
    """Some memories as recall names them."""
    graph = brain.graph(request.agent)
    return [hit(brain, request.agent, slot) for ordinal in request.ordinals
            if (slot := graph.slot_of(ordinal)) is not None]


def superseded(brain: Brain, request: knowing.SupersededBy) -> list[Hit]:
    """The memories that some others supersede."""
    graph = brain.graph(request.agent)
    others = np.isin(graph.rows["superseded_by"], np.array(request.ordinals, np.uint64) + np.uint64(1))
    return [hit(brain, request.agent, slot) for slot in np.flatnonzero(others).tolist()]


def with_revisions(brain: Brain, request: knowing.WithRevisions) -> list[int]:
    """Some memories and all their earlier wordings."""
    graph = brain.graph(request.agent)
    slots = [slot for ordinal in request.ordinals if (slot := graph.slot_of(ordinal)) is not None]
    return [int(one) for one in graph.rows["ordinal"][graph.with_revisions(np.array(slots, np.int64))]]


def notes(brain: Brain, request: knowing.Notes) -> dict[str, str]:
    """The small facts of an agent on a topic, in the order of their keys."""
    return dict(sorted(brain.noted(request.agent, request.topic).items()))


def resembling(brain: Brain, senses: Senses, embedder: Embedder, request: Resembling) -> list[Hit]:
    """Current memories that resemble a cue."""
    graph, cue = brain.graph(request.agent), request.cue
    alike = embedder.calibrate(senses.scan(cue.vector, cue.tokens, cue.terms).cosine)
    slots = np.flatnonzero((alike >= request.floor) & (graph.rows["superseded_by"] == 0))
    best = slots[np.lexsort((slots, -alike[slots]))][:request.most]
    return [hit(brain, request.agent, int(slot), confidence=float(alike[slot])) for slot in best]


def search(brain: Brain, senses: Senses, request: Search) -> list[Hit]:
    """Memories that say some terms."""
    graph = brain.graph(request.agent)
    score, share = senses.lexical.score(request.terms, len(graph))
    allowed = graph.allowed(request.filters)
    slots = np.flatnonzero(score > 0 if allowed is None else (score > 0) & allowed)
    best = slots[np.lexsort((-slots, -score[slots]))][:request.most]
    return [hit(brain, request.agent, int(slot), confidence=float(share[slot])) for slot in best]


def may_quote(brain: Brain, senses: Senses, request: MayQuote) -> list[Hit]:
    """The logged messages that may hold a text in which some terms stand."""
    graph = brain.graph(request.agent)
    _, share = senses.lexical.score(request.terms, len(graph))
    may = (share >= _ALL_SAID) | (graph.rows["scope"] > 0) if request.terms else np.ones(len(graph), np.bool_)
    return [hit(brain, request.agent, slot) for slot in np.flatnonzero(may).tolist()]


def foremost(brain: Brain, request: knowing.Foremost) -> list[Hit]:
    """The current memories that matter most."""
    graph = brain.graph(request.agent)
    rows = graph.rows
    slots = np.flatnonzero((rows["superseded_by"] == 0) & (rows["archived_at"] == 0))
    matters = worth(graph, retention(rows["last_access"], rows["stability"], request.now))[slots]
    best = slots[np.lexsort((-slots, -matters))][:request.most]
    return [hit(brain, request.agent, slot) for slot in best.tolist()]


def entities(brain: Brain, request: knowing.Entities) -> list[EntityFigures]:
    """Every entity of an agent that has current memories, by name."""
    graph = brain.graph(request.agent)
    found = []
    for name in graph.entities.all():
        slots = _current(graph, name)
        if len(slots):
            found.append(EntityFigures(
                name, _type(brain, graph, slots), len(slots), int(graph.rows["created_at"][slots].max())))
    return found


def _current(graph: Graph, entity: str) -> NDArray[np.int64]:
    """The memories of an entity that nothing supersedes."""
    slots = graph.about(entity)
    current: NDArray[np.int64] = slots[graph.rows["superseded_by"][slots] == 0]
    return current


def _type(brain: Brain, graph: Graph, slots: NDArray[np.int64]) -> str | None:
    """The type that was last given."""
    given = slots[graph.rows["entity_type"][slots] > 0]
    return brain.names["entity_type"][int(graph.rows["entity_type"][given[-1]])] if len(given) else None


LOOKS: dict[type[Any], Callable[[Brain, Any], Any]] = {
    knowing.States: states, knowing.Hits: hits, knowing.SupersededBy: superseded,
    knowing.WithRevisions: with_revisions, knowing.Notes: notes, knowing.Observe: observations,
    knowing.Fingerprints: fingerprints, knowing.Entities: entities, knowing.Foremost: foremost}
