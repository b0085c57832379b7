"""The index, written by the actors: who encodes it makes no difference to its bytes."""

from __future__ import annotations

from functools import partial

import pytest
import trio

from hippo import limits
from hippo.actors.indexing import Indexing
from hippo.model.snapshot import Snapshot
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import attend, open_mailbox
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop
from hippo.store.index import decode_index, encode_index
from tests.store.small_store import memory, snapshot_of

_WEIGHT = {"bytes": None, "packs": {}, "writable": True, "changes": 0, "next_ordinal": 300, "next_file": 1,
           "dictionaries": {}, "damage": []}


async def _written(snapshots: list[Snapshot], *, by_worker: bool) -> list[bytes]:
    """The index files that the writer is given of some snapshots in a row."""
    given: list[bytes] = []
    rest = iter(snapshots)

    async def answer(request: object) -> object:
        if isinstance(request, ask.Export):
            return next(rest)
        if isinstance(request, ask.WriteIndex):
            given.append(request.encoded)
        return ask.Weight(**_WEIGHT) if isinstance(request, ask.Weigh) else 0

    address, inbox = open_mailbox()
    offload = Offload()
    workshop = Workshop(offload)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(attend, inbox, answer)
        if by_worker:
            await workshop.run(len, b"")
        try:
            indexing = Indexing(offload, workshop, graph=address, writer=address)
            for _ in snapshots:
                await indexing.write({})
        finally:
            await workshop.close()
            address.close()
    return given


@pytest.mark.parametrize("portion_bytes", [1, 4_000, limits.index_portion_bytes])
def test_a_worker_encodes_what_a_thread_would(monkeypatch: pytest.MonkeyPatch, portion_bytes: int) -> None:
    monkeypatch.setattr(limits, "index_portion_bytes", portion_bytes)
    memories = [memory(ordinal) for ordinal in range(300)]
    snapshots = [snapshot_of(memories[:count], count) for count in (0, 9, 280, 280, 300)]
    for by_worker in (False, True):
        assert trio.run(partial(_written, snapshots, by_worker=by_worker)) == [encode_index(one) for one in snapshots]
    assert decode_index(encode_index(snapshots[-1]))[0].covers == 300
