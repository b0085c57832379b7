"""The reader actor: gives the texts at places, from its cache or from immutable files; it never waits for a write."""

from __future__ import annotations

from typing import Any

from hippo.errors import HippoError
from hippo.runtime import carrying
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Inbox, attend
from hippo.runtime.offload import Offload
from hippo.store.location import Location
from hippo.store.texts import Texts


class ReaderActor:
    """What the reader actor owns: read descriptors and decoded blocks.

    Args:
        texts: the reading side of the store.
        offload: where the disk is waited for.
    """

    def __init__(self, texts: Texts, offload: Offload) -> None:
        self._texts = texts
        self._offload = offload

    async def run(self, inbox: Inbox) -> None:
        """Serves until every address is closed."""
        try:
            await attend(inbox, self._answer)
        finally:
            self._texts.close()

    async def _answer(self, request: Any) -> list[str | HippoError] | str | None:
        if isinstance(request, carrying.Adopt):
            self._texts.adopt(request.seed)
            return None
        if isinstance(request, ask.Original):
            return await self._offload.run(self._texts.original, request.packs, request.ordinal)
        if isinstance(request, ask.Encoding):
            return await self._offload.run(self._texts.encoding, Location(*request.place))
        wanted = [(Location(*place), ordinal, tag) for place, ordinal, tag in request.wanted]
        if self._texts.are_at_hand([place for place, _, _ in wanted]):
            return list(self._texts.read(wanted))  # a thread would take longer than reading it
        return list(await self._offload.run(self._texts.read, wanted))
