"""Stores as earlier releases left them open, and hold what they held.

`tests/golden/vN/` was written once by the release that brought format N, and is never written again; `vN.json` says
what is in it. A later format adds a folder (`freeze` writes one), and changes none.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from hippo.actors.awakening import wake
from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import text_tag
from hippo.mind.brain import Brain
from hippo.mind.graph import REVISIONS
from hippo.mind.plasticity import on_day
from hippo.model.change import Change, Forgotten, Marked, Noted, Remembered, Revised, Skipped
from hippo.model.memory import Draft, log_of
from hippo.store.check import check
from hippo.store.disk import LOCK, FolderDisk
from hippo.store.index import VERSION, IndexEncoder, version_of
from hippo.store.memory_disk import MemoryDisk
from hippo.store.recover import Recovered
from hippo.store.store import Store
from tests.store.small_store import SEED, memory, seal, snapshot_of, texts_in, touched

GOLDEN = Path(__file__).parents[1] / "golden"


def freeze(folder: Path) -> None:
    """Writes a store that has something of everything that formats 1 and 2 knew into `folder`, and what it holds beside
    it."""
    disk = FolderDisk(folder)
    store = Store.open(disk, seed=SEED)
    memories = [memory(ordinal) for ordinal in range(12)]
    store.append(memories[:8])
    edge = store.rotate()
    seal(store, memories[:8])
    store.write_index(IndexEncoder(chunk_rows=4).encode(snapshot_of(memories[:8], store.sequence)))
    store.drop(segments_before=edge, packs=[])
    rich = Draft(text="Anna prefers tea", agent_id="default", scope="home", salience=0.9, kind="preference",
                 retention="critical", entity="Anna", entity_type="person", tags=("tea", "drinks"), source="chat",
                 conversation="c1", created_at=1_700_000_000_000, key="k1", protected=True)
    store.append([*memories[8:11], touched([0, 9]), Remembered(11, rich, text_tag(rich.text), 1_700_000_000_500)])
    store.close()
    describe(folder)


def freeze_knowledge(folder: Path) -> None:
    """The same of what format 3 brought: in the index what is said anew, superseded, logged and noted, and in the
    journal all of its kinds of changes."""
    disk, log = FolderDisk(folder), log_of("default")
    store, brain = Store.open(disk, seed=SEED), Brain(SEED, 0.0)
    message = Draft(text="user: Anna drinks what?", agent_id=log, kind="user", created_at=1_700_000_000_000,
                    protected=True, key="0123456789abcdef0123")
    first: list[Change] = [
        *(memory(ordinal) for ordinal in range(4)), *map(_about, (4, 5, 6), ("Anna", None, "Bert")),
        Remembered(7, message, text_tag(message.text), message.created_at),
        *_revised(0, 8, "memory 0, corrected"), Marked("default", [1], {"superseded_by": [3 + 1.0]}),
        Noted("default", "block", "persona", "Plain and short."),
        Noted("default", "relation", "Anna\x1fsister_of\x1fBert", ""),
        Noted("default", "relation", "Bert\x1frelates_to\x1fAnna", "")]
    for change, place in zip(first, store.append(first), strict=True):
        where = (place.file, place.offset, 0) if place else (0, 0, 0)
        if isinstance(change, Remembered):
            brain.remember(change.ordinal, change.draft, change.tag, change.last_access, where, change.wording_of)
        elif isinstance(change, Revised):
            brain.revise(change.ordinal, change.draft, change.tag, where)
        else:
            brain.apply(change)
    edge = store.rotate()
    for agent, graph in brain.graphs.items():
        said = {change.ordinal: change.draft.text for change in first
                if isinstance(change, Remembered | Revised) and change.draft.agent_id == agent}
        store.write_pack(encode_pack(agent, [Row(ordinal, text.encode()) for ordinal, text in sorted(
            said.items())]).content)
        graph.rows["file"][:] = store.packs()[-1].number
    state = {"seed": SEED, "next_ordinal": 9, "skip_ms": 0}
    store.write_index(IndexEncoder(chunk_rows=4).encode(brain.export(store.sequence, state)))
    store.drop(segments_before=edge, packs=[])
    store.append([
        memory(9), touched([3, 9]), *_revised(3, 10, "memory 3, corrected"),
        Marked("default", [4, 6], {"archived_at": [1_700_000_100_000, 0], "stability": [9.5, 1.25]}),
        Forgotten("Zoë", [5]), Noted("default", "block", "persona", None), Noted("default", "key", "k2", "4"),
        Noted("Zoë", "block", "plans", "東京"), Skipped(5)])
    store.close()
    describe(folder)


def _about(ordinal: int, entity: str | None) -> Remembered:
    one = memory(ordinal)
    return msgspec.structs.replace(one, draft=msgspec.structs.replace(one.draft, entity=entity))


def _revised(ordinal: int, older: int, text: str) -> tuple[Remembered, Revised]:
    """A memory is corrected: what it said, and what it says."""
    before = memory(ordinal)
    after = msgspec.structs.replace(before.draft, text=text, tags=("corrected",), protected=True)
    return (Remembered(older, msgspec.structs.replace(before.draft, conversation=REVISIONS), before.tag, 1_700_000_040_000,
                       ordinal + 1), Revised(ordinal, after, text_tag(text)))


def describe(folder: Path) -> None:
    """Writes beside a store what it holds."""
    disk = FolderDisk(folder)
    store = Store.open(disk, seed=0)
    folder.with_suffix(".json").write_text(json.dumps(held(disk, store.recovered), indent=1) + "\n", "utf-8")
    store.close()
    (folder / LOCK).unlink()


def held(disk: Any, recovered: Recovered) -> dict[str, Any]:
    """All that a store holds, in plain words; associations by their earlier memory, as format 1 had them."""
    in_order = np.lexsort((recovered.snapshot.edges["second"], recovered.snapshot.edges["first"]))
    plain: dict[str, Any] = msgspec.to_builtins({
        "seed": recovered.seed, "covers": recovered.snapshot.covers, "sequence": recovered.sequence,
        "next_ordinal": recovered.next_ordinal, "state": recovered.snapshot.state, "strings": recovered.snapshot.strings,
        "columns": {name: column.tolist() for name, column in recovered.snapshot.columns.items()},
        "edges": {name: column[in_order].tolist() for name, column in recovered.snapshot.edges.items()},
        "changes": [(sequence, type(change).__name__, _without_later_fields(change))
                    for sequence, change, _ in recovered.changes],
        "texts": {str(ordinal): text for ordinal, text in sorted(texts_in(disk, recovered).items())},
        **({"forgotten": recovered.forgotten} if recovered.forgotten else {})})
    return plain


def _without_later_fields(change: Change) -> dict[str, Any]:
    """The fields of a change, but for one that came later and says nothing."""
    return {name: value for name, value in msgspec.structs.asdict(change).items() if name != "wording_of" or value}


def thaw(version: str) -> MemoryDisk:
    disk = MemoryDisk()
    for path in (GOLDEN / version).iterdir():
        disk.put(path.name, path.read_bytes())
    return disk


@pytest.mark.parametrize("version", sorted(path.stem for path in GOLDEN.glob("v*.json")))
def test_a_store_of_an_earlier_release_holds_what_it_held(version: str) -> None:
    disk = thaw(version)
    store = Store.open(disk, seed=0)
    assert store.recovered.damage == store.recovered.notes == []
    expected = json.loads((GOLDEN / f"{version}.json").read_text("utf-8"))
    assert json.loads(json.dumps(held(disk, store.recovered))) == expected
    store.close()


@pytest.mark.parametrize(("version", "index", "count"), [("v1", 1, 12), ("v2", 2, 12), ("v3", VERSION, 10)])
def test_there_is_a_golden_store_of_each_format(version: str, index: int, count: int) -> None:
    disk = thaw(version)
    assert {name.split("-")[0] for name in disk.names()} == {"journal", "pack", "index", "index.copy"}
    assert version_of(disk.read("index")) == index
    assert len(json.loads((GOLDEN / f"{version}.json").read_text("utf-8"))["texts"]) == count
    assert [finding.invariant for finding in check(disk)] == ["J5"] * (version == "v3")


@pytest.mark.parametrize(("version", "write"), [("v1", freeze), ("v2", freeze), ("v3", freeze_knowledge)])
def test_what_is_frozen_now_holds_the_same(tmp_path: Path, version: str, write: Callable[[Path], None]) -> None:
    write(tmp_path / "now")
    now, then = (json.loads(path.read_text("utf-8")) for path in (tmp_path / "now.json", GOLDEN / f"{version}.json"))
    # Format 1 kept the milliseconds of associations, which nothing needs.
    then["edges"]["set_at"] = [on_day(moment) for moment in then["edges"]["set_at"]]
    assert now == then


def test_knowledge_of_an_earlier_release_wakes_up() -> None:
    store = Store.open(thaw("v3"), seed=0)
    brain, keys, skip_ms = wake(store.recovered, store.seed, 0.0)
    rows = brain.graph("default").rows
    assert {int(ordinal): (int(by), int(flags)) for ordinal, by, flags in zip(
        rows["ordinal"], rows["superseded_by"], rows["flags"], strict=True)} == {
            0: (0, 3), 1: (4, 0), 3: (0, 3), 4: (0, 0), 6: (0, 0), 8: (1, 4), 9: (0, 0), 10: (4, 4)}
    assert brain.graph("Zoë").rows["ordinal"].tolist() == [2]
    assert len(brain.graph(log_of("default"))) == 1
    assert brain.noted("default", "block") == {}
    assert brain.noted("Zoë", "block") == {"plans": "東京"}
    assert brain.relations("default").of("anna") == [("Anna", "sister_of", "Bert"), ("Bert", "relates_to", "Anna")]
    assert keys == {("default", "k2"): 4, (log_of("default"), "0123456789abcdef0123"): 7}
    assert (store.next_ordinal, skip_ms) == (11, 5)
