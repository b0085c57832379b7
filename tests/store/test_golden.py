"""Stores as earlier releases left them open, and hold what they held.

`tests/golden/vN/` was written once by the release that brought format N, and is never written again; `vN.json` says
what is in it. A later format adds a folder (`freeze` writes one), and changes none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from hippo.codec.record import text_tag
from hippo.mind.plasticity import on_day
from hippo.model.change import Change, Remembered
from hippo.model.memory import Draft
from hippo.store.check import check
from hippo.store.disk import LOCK, FolderDisk
from hippo.store.index import IndexEncoder, version_of
from hippo.store.memory_disk import MemoryDisk
from hippo.store.recover import Recovered
from hippo.store.store import Store
from tests.store.small_store import SEED, memory, seal, snapshot_of, texts_in, touched

GOLDEN = Path(__file__).parents[1] / "golden"


def freeze(folder: Path) -> None:
    """Writes a store that has something of everything into `folder`, and what it holds beside it."""
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
        "texts": {str(ordinal): text for ordinal, text in sorted(texts_in(disk, recovered).items())}})
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


@pytest.mark.parametrize(("version", "index"), [("v1", 1), ("v2", 2)])
def test_there_is_a_golden_store_of_each_format(version: str, index: int) -> None:
    disk = thaw(version)
    assert {name.split("-")[0] for name in disk.names()} == {"journal", "pack", "index", "index.copy"}
    assert version_of(disk.read("index")) == index
    assert len(json.loads((GOLDEN / f"{version}.json").read_text("utf-8"))["texts"]) == 12
    assert check(disk) == []


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_what_is_frozen_now_holds_the_same(tmp_path: Path, version: str) -> None:
    freeze(tmp_path / "now")
    now, then = (json.loads(path.read_text("utf-8")) for path in (tmp_path / "now.json", GOLDEN / f"{version}.json"))
    # Format 1 kept the milliseconds of associations, which nothing needs.
    then["edges"]["set_at"] = [on_day(moment) for moment in then["edges"]["set_at"]]
    assert now == then
