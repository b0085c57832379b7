"""Memories that were revised or forgotten, through every state of files that a crash can leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.actors.awakening import wake
from hippo.codec.pack import Row, encode_pack
from hippo.codec.record import text_tag
from hippo.mind.brain import Brain
from hippo.model.change import Change, Forgotten, Noted, Remembered, Revised
from hippo.store.check import check
from hippo.store.index import encode_index
from hippo.store.location import Location
from hippo.store.memory_disk import MemoryDisk
from hippo.store.recover import recover
from hippo.store.store import Store
from hippo.store.texts import Texts
from tests.store.small_store import SEED, memory

AGENT = "default"


class Life:
    """A store, and the graph that knows where its texts lie, as the daemon keeps both."""

    def __init__(self) -> None:
        self.disk = MemoryDisk()
        self.store = Store.open(self.disk, seed=SEED)
        self.brain = Brain(SEED, 0.0)
        self.said: dict[int, str] = {}
        self.next_ordinal = 0

    def write(self, *changes: Change) -> None:
        places = self.store.append(changes)
        self.store.sync()
        for change, place in zip(changes, places, strict=True):
            where = (place.file, place.offset, place.row) if place else (0, 0, 0)
            if isinstance(change, Remembered):
                self.brain.remember(change.ordinal, change.draft, change.tag, change.last_access, where,
                                    change.wording_of)
                self.said[change.ordinal] = change.draft.text
            elif isinstance(change, Revised):
                self.brain.revise(change.ordinal, change.draft, change.tag, where)
                self.said[change.ordinal] = change.draft.text
            else:
                self.brain.apply(change)
            if isinstance(change, Forgotten):
                self.said = {ordinal: text for ordinal, text in self.said.items() if ordinal not in change.ordinals}

    def remember(self) -> None:
        one = memory(3 * self.next_ordinal, f"memory {self.next_ordinal}")
        self.write(Remembered(self.next_ordinal, one.draft, one.tag, 0))
        self.next_ordinal += 1

    def revise(self, at: int) -> None:
        ordinal = self._chosen(at)
        if ordinal is not None:
            before, text = memory(0, self.said[ordinal]), f"{self.said[ordinal]} anew"
            self.write(Remembered(self.next_ordinal, before.draft, before.tag, 0, ordinal + 1),
                       Revised(ordinal, memory(0, text).draft, text_tag(text)))
            self.next_ordinal += 1

    def forget(self, at: int) -> None:
        ordinal = self._chosen(at)
        if ordinal is not None:
            graph = self.brain.graph(AGENT)
            slot = graph.slot_of(ordinal)
            assert slot is not None
            self.write(Forgotten(AGENT, graph.rows["ordinal"][graph.with_revisions(np.array([slot]))].tolist()))

    def seal(self, at: int | None = None, *, learned: bool = True) -> None:
        """All or some texts are written into a pack; the graph may learn of it, or a crash come first."""
        chosen = [ordinal for ordinal in self.said if at is None or (ordinal + at) % 3]
        if not chosen:
            return
        pack = encode_pack(AGENT, [Row(ordinal, self.said[ordinal].encode()) for ordinal in chosen])
        number = self.store.write_pack(pack.content)
        graph = self.brain.graph(AGENT)
        for ordinal, (offset, row) in zip(chosen, pack.places, strict=True):
            slot = graph.slot_of(ordinal)
            if learned and slot is not None:
                graph.rows["file"][slot], graph.rows["offset"][slot], graph.rows["row"][slot] = number, offset, row

    def index(self) -> None:
        self.store.write_index(encode_index(self.brain.export(self.store.sequence, {
            "seed": SEED, "next_ordinal": self.next_ordinal})))

    def drop(self) -> None:
        """After an index: what no text lies in goes, but for packs that still have a row that lives."""
        self.index()
        edge = self.store.rotate()
        living = set(self.brain.graph(AGENT).rows["file"].tolist())
        packs = {pack.number for pack in self.store.packs()}
        oldest = min((number for number in living if number not in packs), default=edge)
        self.store.drop(segments_before=min(edge, oldest), packs=sorted(packs - living))

    def _chosen(self, at: int) -> int | None:
        graph = self.brain.graph(AGENT)
        current = graph.rows["ordinal"][graph.rows["superseded_by"] == 0].tolist()
        return current[at % len(current)] if current else None

    def state(self) -> dict[str, Any]:
        return _state(self.brain)


def _state(brain: Brain) -> dict[str, Any]:
    graph = brain.graph(AGENT)
    return {name: graph.rows[name].tolist() for name in ("ordinal", "tag", "superseded_by", "flags", "raw_bytes")}


def opened(disk: MemoryDisk) -> tuple[dict[int, str], dict[str, Any], int, list[int]]:
    """What a start finds: texts, columns, the next ordinal, and what may not be erased."""
    copy = MemoryDisk()
    for name, content in disk.files().items():
        copy.put(name, content)
    recovered = recover(copy, 0)
    assert recovered.damage == []
    brain, _, _ = wake(recovered, recovered.seed, 0.0)
    rows = brain.graph(AGENT).rows
    wanted = [(Location(int(rows["file"][at]), int(rows["offset"][at]), int(rows["row"][at])),
               int(rows["ordinal"][at]), int(rows["tag"][at])) for at in range(len(rows))]
    texts = Texts(copy, recovered.seed).read(wanted)
    assert all(isinstance(text, str) for text in texts)
    return ({ordinal: str(text) for (_, ordinal, _), text in zip(wanted, texts, strict=True)}, _state(brain),
            recovered.next_ordinal, sorted(one for some in recovered.forgotten.values() for one in some))


_places = st.integers(0, 20)
_steps = st.lists(st.one_of(
    st.just(("remember",)), st.tuples(st.just("revise"), _places), st.tuples(st.just("forget"), _places),
    st.tuples(st.just("seal"), _places), st.tuples(st.just("stray"), _places), st.just(("index",)), st.just(("drop",)),
), max_size=25)


@settings(max_examples=150, deadline=None)
@given(_steps)
def test_a_start_finds_what_was_said_last_and_nothing_that_was_forgotten(steps: list[tuple[Any, ...]]) -> None:
    life = Life()
    for name, *at in [("remember",), ("remember",), *steps]:
        if name in ("seal", "stray"):
            life.seal(*at, learned=name == "seal")
        else:
            getattr(life, name)(*at)
        texts, columns, next_ordinal, _ = opened(life.disk)
        assert texts == life.said
        assert columns == life.state()
        assert next_ordinal >= life.next_ordinal - (0 if life.said else 1)
    life.store.close()
    assert [one for one in check(life.disk) if one.severity != "note"] == []


def test_what_was_forgotten_stays_so_whatever_still_holds_its_text() -> None:
    life = Life()
    for _ in range(4):
        life.remember()
    life.seal()
    life.index()
    life.forget(3)
    texts, _, next_ordinal, waiting = opened(life.disk)
    assert texts == {0: "memory 0", 1: "memory 1", 2: "memory 2"}
    assert (next_ordinal, waiting) == (4, [3])
    life.drop()
    assert opened(life.disk)[2:] == (4, [])


def test_of_a_revision_that_was_cut_off_nothing_is_lost_and_nothing_comes_back() -> None:
    life = Life()
    life.remember()
    before = memory(0, "memory 0")
    life.write(Remembered(1, before.draft, before.tag, 0, 0 + 1))  # and the machine stops
    texts, columns, _, _ = opened(life.disk)
    assert texts == {0: "memory 0", 1: "memory 0"}
    assert columns["superseded_by"] == [0, 1]
    assert columns["flags"] == [0, 4]


def test_an_earlier_wording_whose_memory_is_lost_is_a_memory() -> None:
    disk = MemoryDisk()
    store = Store.open(disk, seed=SEED)
    one = memory(0, "what is left of it")
    store.append([Remembered(1, one.draft, one.tag, 0, 0 + 1)])
    store.sync()
    store.close()
    _, columns, _, _ = opened(disk)
    assert (columns["superseded_by"], columns["flags"]) == ([0], [0])


@pytest.mark.parametrize("value", ["a text", None])
def test_what_was_noted_last_holds(value: str | None) -> None:
    life = Life()
    life.write(Noted(AGENT, "block", "persona", "another"), Noted(AGENT, "block", "plans", "some"))
    life.index()
    life.write(Noted(AGENT, "block", "persona", value))
    copy = MemoryDisk()
    for name, content in life.disk.files().items():
        copy.put(name, content)
    brain, _, _ = wake(recover(copy, 0), SEED, 0.0)
    assert brain.noted(AGENT, "block") == {"plans": "some"} | ({"persona": value} if value else {})
