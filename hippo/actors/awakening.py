"""From what lies on the disk to a brain that can answer: the graphs at the start, an agent's senses on first use.

1. Columns and associations come from the snapshot, then from the changes after it.
2. Senses come from the agent's cache as far as it fits the columns; what is newer is sensed again from the texts.
3. A text that cannot be read any more keeps its place: its memory exists, is found by nothing, and reading it says so.
4. Where the embedder fails, what the cache lacks is found by its words until a pass of sleep, or the next start.
"""

from __future__ import annotations

import logging
from hashlib import blake2b

import msgspec
import numpy as np

from hippo import limits
from hippo.actors.intake import NOWHERE, Keys
from hippo.embed.embedder import Embedded, Embedder
from hippo.embed.senses import Senses
from hippo.errors import EmbedderFailed
from hippo.mind.brain import KEY, Brain
from hippo.mind.graph import Graph
from hippo.model.change import Remembered, Revised, Skipped
from hippo.model.memory import is_log
from hippo.model.report import Report
from hippo.store.location import Location
from hippo.store.store import Recovered, Store
from hippo.store.texts import Texts
from hippo.text.tokens import index_terms

log = logging.getLogger("hippo")

_FINGERPRINT_BYTES = 16


def cache_name(agent: str) -> str:
    """The file name of an agent's cache: any name is allowed for an agent, not for a file."""
    return blake2b(agent.encode(), digest_size=16).hexdigest()


def wake(recovered: Recovered, seed: int, retention_weight: float) -> tuple[Brain, Keys, int]:
    """The brain as it was, with every known key and the sum of all skips of the clock, in milliseconds."""
    brain = Brain(seed, retention_weight)
    brain.load(recovered.snapshot, recovered.locations)
    skip_ms = int(recovered.snapshot.state.get("skip_ms", 0))
    for _, change, place in recovered.changes:
        where = (place.file, place.offset, place.row) if place else NOWHERE
        if isinstance(change, Remembered):
            brain.remember(change.ordinal, change.draft, change.tag, change.last_access, where, change.wording_of)
        elif isinstance(change, Revised):
            brain.revise(change.ordinal, change.draft, change.tag, where)
        elif isinstance(change, Skipped):
            skip_ms = change.total_ms
        else:
            brain.apply(change)
    brain.know_fidelity(recovered.locations)
    brain.mend()
    keys = {}
    for agent, graph in brain.graphs.items():
        coded = graph.rows["key"]
        for slot in np.flatnonzero(coded):
            keys[agent, brain.names["key"][int(coded[slot])]] = int(graph.rows["ordinal"][slot])
        keys |= {(agent, key): int(ordinal) for key, ordinal in brain.noted(agent, KEY).items()}
    return brain, keys, skip_ms


def lost(brain: Brain) -> set[int]:
    """The ordinals of memories whose text was not found anywhere."""
    return {int(ordinal) for graph in brain.graphs.values()
            for ordinal in graph.rows["ordinal"][graph.rows["file"] == 0]}


def last_report(store: Store) -> Report | None:
    """The report of the last pass, from the log; None where there is none that this release can read."""
    line = store.last_logged()
    try:
        return None if line is None else msgspec.json.decode(line, type=Report)
    except msgspec.MsgspecError:
        return None


class Warmth:
    """Gives an agent's senses; blocking.

    Args:
        store: holds the caches. texts: reads what the cache lacks. embedder: senses it.
    """

    def __init__(self, store: Store, texts: Texts, embedder: Embedder, brain: Brain) -> None:
        self._store = store
        self._texts = texts
        self._embedder = embedder
        self._brain = brain

    def __call__(self, agent: str, graph: Graph) -> Senses:
        """The senses of all of the agent's memories."""
        senses = self._cached(agent, graph) or Senses(self._embedder)
        for start in range(len(senses), len(graph), limits.sense_at_once):
            self._sense(senses, agent, graph, start, min(start + limits.sense_at_once, len(graph)))
        return senses

    def _cached(self, agent: str, graph: Graph) -> Senses | None:
        content = self._store.read_cache(cache_name(agent))
        if content is None:
            return None
        senses = Senses.from_bytes(self._embedder, memoryview(content)[_FINGERPRINT_BYTES:])
        if senses is None or len(senses) > len(graph):
            return None
        fits = graph.fingerprint(len(senses)) == content[:_FINGERPRINT_BYTES]
        return senses if fits else None

    def _sense(self, senses: Senses, agent: str, graph: Graph, start: int, end: int) -> None:
        rows, names = graph.rows, self._brain.names
        wanted = [(Location(int(rows["file"][s]), int(rows["offset"][s]), int(rows["row"][s])),
                   int(rows["ordinal"][s]), int(rows["tag"][s])) for s in range(start, end)]
        texts = [text if isinstance(text, str) else "" for text in self._texts.read(wanted)]
        # Logged messages are found by their words alone.
        embedded = self._blank(len(texts)) if is_log(agent) or senses.partial else self._embedded(senses, texts)
        terms = [index_terms(text, int(rows["created_at"][s]), names["entity"][int(rows["entity"][s])],
                             [tag for tag in names["tags"][int(rows["tags"][s])].split("\x1f") if tag]) if text else []
                 for s, text in zip(range(start, end), texts, strict=True)]
        senses.add(embedded.vectors, embedded.tokens, terms)

    def _embedded(self, senses: Senses, texts: list[str]) -> Embedded:
        try:
            return self._embedder.embed(texts)
        except EmbedderFailed as failed:
            log.warning("%s Some memories are found by their words alone until a pass of sleep.", failed.message)
            senses.partial = True
            return self._blank(len(texts))

    def _blank(self, rows: int) -> Embedded:
        return Embedded(np.zeros((rows, self._embedder.dimensions), np.float32), None)
