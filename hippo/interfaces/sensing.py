"""Sensing texts: vectors and terms of what is to be remembered, and of cues; in threads where it takes longer.

1. A failing embedder is never silent: memories are kept and found by their words, and the answer says so.
2. One that took a while to fail is left alone for as long again: who calls meanwhile has the same answer at once.
3. A remote embedder has threads of its own: a slow service holds up no disk and no event loop.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np
import trio
from numpy.typing import NDArray

from hippo import limits
from hippo.embed.embedder import Embedded, Embedder
from hippo.errors import EmbedderFailed, HippoError
from hippo.interfaces.turns import away
from hippo.model.memory import Draft
from hippo.runtime.messages import Sensed
from hippo.runtime.offload import Offload
from hippo.text.tokens import cue_terms, fold, index_terms

log = logging.getLogger("hippo")

P = ParamSpec("P")
R = TypeVar("R")
_HALVINGS = 24


class Sensing:
    """Embeds and analyses texts.

    Args:
        embedder: the one the store was built with. offload: where long work runs.
    """

    def __init__(self, embedder: Embedder, offload: Offload) -> None:
        self._embedder = embedder
        self._offload = offload
        self._embedding = Offload(limits.embed_threads) if embedder.remote and not offload.inline else offload
        self._warm = False
        self._why_not, self._left_alone_until = "", 0.0  # on trio's clock

    @property
    def embedder(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    @staticmethod
    def fold(text: str) -> str:
        """The text as it is compared: case and width folded."""
        return fold(text)

    async def memories(self, drafts: Sequence[Draft]) -> tuple[list[Sensed], str | None]:
        """What is known of texts to be remembered, and what went wrong, in words."""
        sensed: list[Sensed] = []
        trouble: HippoError | None = None
        for start in range(0, len(drafts), limits.sense_at_once):
            some = drafts[start:start + limits.sense_at_once]
            embedded, failed = await self._embed([draft.text for draft in some])
            trouble = trouble or failed
            terms = await self._offloaded(len(some), _terms, some)
            for row, draft_terms in enumerate(terms):
                sensed.append(Sensed(
                    None if embedded is None else embedded.vectors[row],
                    embedded.tokens[row] if embedded is not None and embedded.tokens is not None else None,
                    draft_terms))
        said = None if trouble is None else f"{trouble.message} It is kept, and found by its words."
        return sensed, said

    async def words(self, drafts: Sequence[Draft]) -> list[Sensed]:
        """What is known of texts that are found by their words alone."""
        size = sum(len(draft.text) for draft in drafts) // 500
        return [Sensed(None, None, terms) for terms in await self._offloaded(size, _terms, drafts)]

    async def tokens(self, texts: dict[int, str]) -> dict[int, NDArray[Any]]:
        """The tokens of some texts, by the same keys; nothing for an embedder without tokens."""
        found: dict[int, NDArray[Any]] = {}
        keys = list(texts) if self._embedder.vocabulary else []
        for start in range(0, len(keys), limits.sense_at_once):
            some = keys[start:start + limits.sense_at_once]
            embedded, _ = await self._embed([texts[key] for key in some])
            if embedded is not None and embedded.tokens is not None:
                found |= dict(zip(some, embedded.tokens, strict=True))
        return found

    def found_as(self, draft: Draft, sensed: Sensed) -> Sensed:
        """What is known of a text whose draft is another by now."""
        return Sensed(sensed.vector, sensed.tokens, _terms([draft])[0])

    async def aside(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of a long call, made in a thread."""
        async with away():
            return await self._offload.run(call, *args, **kwargs)

    def similarity_of(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of vectors on the reference scale."""
        return np.asarray(self._embedder.calibrate(cosines), np.float32)

    def cosine_of(self, similarity: float) -> float:
        """The lowest cosine that is a similarity on the reference scale, found by halving: the scale is monotone."""
        low, high = -1.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self.similarity_of(np.array([middle], np.float32))[0] >= similarity:
                high = middle
            else:
                low = middle
        return high

    def alike(self, sensed: Sequence[Sensed]) -> NDArray[np.float32]:
        """How alike some texts are on the reference scale: f4[n, n]; 0 where one has no vector."""
        blank = np.zeros(self._embedder.dimensions, np.float32)
        vectors = np.stack([blank if one.vector is None else one.vector for one in sensed])
        found = np.asarray(self._embedder.calibrate(vectors @ vectors.T), np.float32)
        found[~np.any(vectors, axis=1)] = 0
        found[:, ~np.any(vectors, axis=1)] = 0
        return found

    async def cue(self, text: str) -> tuple[Sensed, EmbedderFailed | None]:
        """What is known of a cue, and the failure of the embedder if it failed."""
        embedded, trouble = await self._embed([text])
        if embedded is None:
            return Sensed(None, None, cue_terms(text)), trouble
        return Sensed(embedded.vectors[0], None if embedded.tokens is None else embedded.tokens[0],
                      cue_terms(text)), None

    async def _embed(self, texts: list[str]) -> tuple[Embedded | None, EmbedderFailed | None]:
        began = trio.current_time()
        if began < self._left_alone_until:
            return None, EmbedderFailed(why=self._why_not)
        try:
            if self._warm and not self._embedder.remote:
                embedded = await self._offloaded(sum(map(len, texts)) // 500, self._embedder.embed, texts)
            else:
                async with away():
                    embedded = await self._embedding.run(self._embedder.embed, texts)
        except Exception as error:  # any embedder, also a remote one, may fail in any way: recall goes on by words
            why = error.words["why"] if isinstance(error, EmbedderFailed) else str(error) or type(error).__name__
            self._why_not, self._left_alone_until = why, 2 * trio.current_time() - began
            log.warning("The embedder failed: %s.", why)
            return None, EmbedderFailed(why=why)
        self._warm = True
        return embedded, None

    async def _offloaded(self, size: int, call, *args):  # type: ignore[no-untyped-def]
        """In a thread when it is more than a few short texts."""
        if size <= limits.sense_inline:
            return call(*args)
        async with away():
            return await self._offload.run(call, *args)


def _terms(drafts: Sequence[Draft]) -> list[list[str]]:
    return [index_terms(d.text, d.created_at, d.entity or "", d.tags) for d in drafts]
