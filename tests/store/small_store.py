"""A small store made by a script, and what a reader finds in one: shared by the tests of this room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import text_tag
from hippo.mind.plasticity import on_day
from hippo.model.change import Remembered, Revised, Skipped, Touched
from hippo.model.memory import Draft
from hippo.model.snapshot import COLUMNS, EDGES, STRINGS, Snapshot
from hippo.store.disk import Disk
from hippo.store.index import encode_index
from hippo.store.location import Location
from hippo.store.recover import Recovered
from hippo.store.store import Store
from hippo.store.texts import Texts

SEED = 42
AGENTS = ("default", "Zoë")
_START = 1_700_000_000_000
_WORDS = ("Anna", "met", "the budget", "on Monday,", "then 東京", "shipped §4", "of the release", "🦛", "and",
          "nobody slept")


def text_of(ordinal: int) -> str:
    """A text of some words that differs from all others."""
    return " ".join([f"memory {ordinal}:", *(_WORDS[(ordinal * 7 + step) % len(_WORDS)] for step in range(4))])


def memory(ordinal: int, text: str | None = None) -> Remembered:
    """A memory with an ordinal; agents take turns."""
    text = text_of(ordinal) if text is None else text
    moment = _START + 60_000 * ordinal
    return Remembered(ordinal, Draft(text=text, agent_id=AGENTS[ordinal % 3 == 2], created_at=moment), text_tag(text),
                      moment)


def touched(ordinals: Sequence[int]) -> Touched:
    """What a recall of some memories leaves."""
    count = len(ordinals)
    return Touched(list(ordinals), [_START + 1] * count, [2] * count, [3.5] * count, [0.5] * count, [], [], [], [],
                   {"default": 3})


def snapshot_of(memories: Sequence[Remembered], covers: int) -> Snapshot:
    """The columns of some memories, each associated with the one of its agent before it."""
    count = len(memories)
    columns = {name: np.zeros(count, kind) for name, kind in COLUMNS.items()}
    strings = {name: [""] for name in STRINGS}
    strings["agent"] += AGENTS
    strings["kind"].append("episode")
    for row, one in enumerate(memories):
        for name, value in {
                "ordinal": one.ordinal, "agent": 1 + AGENTS.index(one.draft.agent_id), "kind": 1, "salience": 60,
                "created_at": one.draft.created_at, "last_access": one.last_access, "access_count": 1,
                "encounter_count": 1, "intensity": 0.3, "stability": 1.9, "raw_bytes": len(one.draft.text.encode()),
                "tag": one.tag}.items():
            columns[name][row] = value
    edges: dict[str, list[float]] = {name: [] for name in EDGES}
    for row, one in enumerate(memories):
        before = next((other for other in memories[:row][::-1] if other.draft.agent_id == one.draft.agent_id), None)
        if before is not None:
            for name, number in zip(EDGES, (before.ordinal, one.ordinal, 0.5, on_day(one.draft.created_at)), strict=True):
                edges[name].append(number)
    return Snapshot(covers, strings, columns, {name: np.array(edges[name], kind) for name, kind in EDGES.items()},
                    {"seed": SEED, "next_ordinal": count, "skip_ms": 0})


def seal(store: Store, memories: Sequence[Remembered]) -> list[int]:
    """One pack for each agent; returns their numbers."""
    numbers = []
    for agent in AGENTS:
        rows = tuple(Row(one.ordinal, one.draft.text.encode()) for one in memories if one.draft.agent_id == agent)
        if rows:
            numbers.append(store.write_pack(_packed(agent, rows)))
    return numbers


@lru_cache(maxsize=256)
def _packed(agent: str, rows: tuple[Row, ...]) -> bytes:
    """The same rows are packed at each of a thousand crashes."""
    return encode_pack(agent, rows).content


def build(disk: Disk) -> list[Remembered]:
    """A closed store of thirty memories: twenty in packs, four the index covers, six behind it, in two segments.

    Returns:
        All of its memories.
    """
    memories = [memory(ordinal) for ordinal in range(30)]
    store = Store.open(disk, seed=SEED)
    store.append(memories[:20])
    store.sync()
    seal(store, memories[:20])
    edge = store.rotate()
    store.append(memories[20:24])
    store.sync()
    store.write_index(encode_index(snapshot_of(memories[:24], store.sequence)))
    store.drop(segments_before=edge, packs=[])
    store.append([touched([1, 2]), *memories[24:27]])
    store.sync()
    store.rotate()
    store.append([*memories[27:30], Skipped(5)])
    store.sync()
    store.close()
    return memories


def places_in(recovered: Recovered) -> dict[int, tuple[Location, int]]:
    """Location and tag of every memory that was found, by ordinal."""
    tags = dict(zip(recovered.snapshot.columns["ordinal"].tolist(), recovered.snapshot.columns["tag"].tolist(),
                    strict=True))
    tags |= {change.ordinal: change.tag for _, change, _ in recovered.changes
             if isinstance(change, Remembered | Revised)}
    rows = zip(*(recovered.locations[name].tolist() for name in ("ordinal", "file", "offset", "row")), strict=True)
    return {ordinal: (Location(*place), tags[ordinal]) for ordinal, *place in rows if ordinal in tags}


def texts_in(disk: Disk, recovered: Recovered) -> dict[int, str]:
    """The text of every memory that is served, by ordinal."""
    places = places_in(recovered)
    texts = Texts(disk, recovered.seed).read([(place, ordinal, tag) for ordinal, (place, tag) in places.items()])
    return {ordinal: text for ordinal, text in zip(places, texts, strict=True) if isinstance(text, str)}


def texts_of(memories: Iterable[Remembered]) -> dict[int, str]:
    """What `texts_in` should give."""
    return {one.ordinal: one.draft.text for one in memories}
