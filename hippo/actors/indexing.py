"""What a start reads instead of everything: the index and the derived caches, written from what the graph exports.

Sections are encoded by the worker where it is at work: in a thread of this process they would slow down whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hippo import limits
from hippo.codec.columns import Column
from hippo.model.snapshot import Snapshot
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Address
from hippo.runtime.offload import Offload
from hippo.runtime.workshop import Workshop
from hippo.store.index import IndexEncoder, Plain, encode_sections


class Indexing:
    """Writes the index and the caches.

    Args:
        offload: where threads run. workshop: the worker. graph: exports its state. writer: owns the files.
    """

    def __init__(self, offload: Offload, workshop: Workshop, *, graph: Address, writer: Address) -> None:
        self._offload, self._workshop = offload, workshop
        self._graph, self._writer = graph, writer
        self._encoder = IndexEncoder()

    async def write(self, state: dict[str, Any]) -> None:
        """Replaces the index by the graph as it is now, and `state`."""
        # An empty record group still answers the sequence reached: everything up to it has been learned.
        covers = await self._writer.ask(ask.Record([]))
        weight = await self._writer.ask(ask.Weigh())
        snapshot = await self._graph.ask(ask.Export(covers, state | {"next_ordinal": weight.next_ordinal}))
        await self._writer.ask(ask.WriteIndex(await self._encoded(snapshot)))
        await self.save_caches(all_of_them=False)

    async def _encoded(self, snapshot: Snapshot) -> bytes:
        draft = await self._offload.run(self._encoder.begin, snapshot)
        columns: list[Column] = []
        for some in _portions(draft.missing):
            if self._workshop.open:
                columns += await self._workshop.run(encode_sections, some)
            else:
                columns += await self._offload.run(encode_sections, some)
        return await self._offload.run(self._encoder.finish, draft, columns)

    async def save_caches(self, *, all_of_them: bool) -> None:
        """Writes the derived caches that are worth it."""
        caches = await self._graph.ask(ask.ExportCaches(all_of_them))
        if caches:
            await self._writer.ask(ask.WriteCaches(caches))


def _portions(contents: list[Plain]) -> Iterator[list[Plain]]:
    """Lists of a bounded size: what goes to the worker at once is pickled in the event loop."""
    portion: list[Plain] = []
    size = 0
    for one in contents:
        portion.append(one)
        size += len(one) if isinstance(one, bytes) else one.nbytes
        if size >= limits.index_portion_bytes:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
