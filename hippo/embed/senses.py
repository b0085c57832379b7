"""The senses of one agent: the vectors and the lexical index of its memories, and the document frequencies of its own
tokens, by which a cue is pooled. All of it is derived from the texts.

Vectors, terms and tokens are added in slot order, so that row i belongs to the agent's memory i.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from hippo.embed.embedder import Embedder
from hippo.embed.lexical import LexicalIndex
from hippo.embed.vectors import Vectors


class Scan(NamedTuple):
    """How a cue matches each memory: BM25 f4[n], share of the cue's IDF mass f4[n], cosine f4[n]."""

    lexical: NDArray[np.float32]
    share: NDArray[np.float32]
    cosine: NDArray[np.float32]


class Senses:
    """One agent's derived indices.

    Args:
        embedder: the one the store was built with.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.vectors = Vectors(embedder.dimensions)
        self.lexical = LexicalIndex()
        self._frequency = np.zeros(embedder.vocabulary, np.uint32)
        self.saved = 0  # rows that the cache on the disk holds

    def __len__(self) -> int:
        return len(self.vectors)

    def add(self, vectors: NDArray[Any], tokens: list[NDArray[Any]] | None, terms: list[list[str]]) -> None:
        """Adds memories: f4[n, d] unit rows (a row of zeros where the embedder failed), token ids, terms."""
        start = len(self.vectors)
        self.vectors.add(vectors)
        for row, some in enumerate(terms):
            self.lexical.add(start + row, some)
        for ids in tokens or ():
            self._frequency[np.unique(ids)] += 1

    def scan(self, vector: NDArray[Any] | None, tokens: NDArray[Any] | None, terms: list[str]) -> Scan:
        """Matches a cue against every memory; tokens are pooled by this agent's own document frequencies."""
        count = len(self)
        lexical, share = self.lexical.score(terms, count)
        if tokens is not None and self._embedder.vocabulary and len(tokens):
            vector = self._embedder.pool(tokens, self._frequency, count)
        cosine = np.zeros(count, np.float32) if vector is None else self.vectors.scan(vector)
        return Scan(lexical, share, cosine)

    def nearest(self, slots: list[int], count: int, floor: float) -> list[list[tuple[int, float]]]:
        """For each slot its nearest earlier memories.

        Args:
            slots: ascending. count: how many at most. floor: on the reference scale.

        Returns:
            For each slot, (earlier slot, similarity on the reference scale) at or above the floor, nearest first.
        """
        cosines = self.vectors.scan_many(self.vectors.rows(slots))
        found = []
        for slot, row in zip(slots, cosines, strict=True):
            earlier = row[:slot]
            best = np.argpartition(earlier, -count)[-count:] if slot > count else np.arange(slot)
            best = best[np.lexsort((best, -earlier[best]))]
            alike = self._embedder.calibrate(earlier[best])
            found.append([(int(b), float(a)) for b, a in zip(best, alike, strict=True) if a >= floor])
        return found

    def to_bytes(self) -> bytes:
        """The cache; `from_bytes` refuses one of another embedder or length."""
        return msgspec.msgpack.encode({
            "embedder": self._embedder.name, "rows": len(self), "vectors": self.vectors.to_bytes(),
            "lexical": self.lexical.to_bytes(), "frequency": self._frequency.tobytes()})

    @classmethod
    def from_bytes(cls, embedder: Embedder, content: bytes) -> Senses | None:
        """The senses as they were saved, None where they are of another embedder."""
        saved = msgspec.msgpack.decode(memoryview(content))
        if saved["embedder"] != embedder.name:
            return None
        senses = cls(embedder)
        senses.vectors = Vectors.from_bytes(saved["vectors"])
        senses.lexical = LexicalIndex.from_bytes(saved["lexical"])
        senses._frequency = np.frombuffer(saved["frequency"], np.uint32).copy()
        senses.saved = saved["rows"]
        return senses
