"""The senses of one agent: the vectors and the lexical index of its memories, and the document frequencies of its own
tokens, by which a cue is pooled. All of it is derived from the texts.

1. Vectors, terms and tokens are added in slot order, so that row i belongs to the agent's memory i.
2. Adding may go on while a thread scans; replacing may not: the owner waits until no thread does.
3. A memory without a vector (a row of zeros: the embedder failed, or found no token) counts in no document frequency.
   So what a replaced memory takes out of them is exactly what it had put in.
4. After any additions and replacements the senses are those made anew from the texts as they are then.
5. The cache names the embedder and the version of its rules: of how a text becomes terms and tokens, and of the layout
   of both indices. A cache of another embedder or version is thrown away, not read.
6. Senses are `partial` where the embedder failed while they were made from texts that had vectors before: they are not
   for the cache, so that the next start makes them anew, until all have one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, pairwise
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.embed.embedder import Embedder
from hippo.embed.lexical import LexicalIndex
from hippo.embed.vectors import Vectors

RULES_VERSION = 2  # a test fails when the rules change and this does not
_MAGIC = b"HIPS"
_LATER = 16  # more are looked for than asked for: the memory itself is one, and some may have come after it
_MOVED_ROWS = 4096  # vectors unpacked at once
_HEADER = Struct("<4sHHIQQ")  # magic, version, bytes of: the embedder's name, frequencies, vectors, lexical index


class Scan(NamedTuple):
    """How a cue matches each memory: BM25 f4[n], share of the cue's IDF mass f4[n], cosine f4[n]."""

    lexical: NDArray[np.float32]
    share: NDArray[np.float32]
    cosine: NDArray[np.float32]


class Wording(NamedTuple):
    """What some memories say: token numbers of each (none where the embedder has no tokens), and terms of each."""

    tokens: Sequence[NDArray[Any]]
    terms: Sequence[Sequence[str]]


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
        self.saved = 0  # rows that the cache on the disk holds as they are
        self.partial = False

    def __len__(self) -> int:
        return len(self.vectors)

    def add(self, vectors: NDArray[Any], tokens: list[NDArray[Any]] | None, terms: list[list[str]]) -> None:
        """Adds memories.

        Args:
            vectors: f4[n, d] unit rows (a row of zeros where the embedder failed). terms: of each.
            tokens: of those that have a vector, in any order.
        """
        start = len(self.vectors)
        self.vectors.add(vectors)
        for row, some in enumerate(terms):
            self.lexical.add(start + row, some)
        self._frequency += self._occurrences(tokens or ())

    def replace(self, slots: Sequence[int], vectors: NDArray[Any], old: Wording, new: Wording) -> None:
        """Some memories say something else now; not while a thread scans (rule 2).

        Args:
            slots: distinct memories. vectors: f4[len(slots), d] of what they say now, as for `add`.
            old: exactly what they were added with; tokens of those that had no vector are passed over.
            new: what they say now. A memory that says nothing any more keeps its row of zeros and counts as a memory.
        """
        before = self.vectors.rows(slots)
        self.vectors.replace(slots, vectors)
        for slot, said, says in zip(slots, old.terms, new.terms, strict=True):
            self.lexical.replace(slot, said, says)
        gone = self._occurrences(compress(old.tokens, map(np.any, before)))
        assert (gone <= self._frequency).all()
        self._frequency += self._occurrences(compress(new.tokens, map(np.any, vectors)))
        self._frequency -= gone
        self.saved = max(0, self.saved - len(slots))

    def give(self, slots: Sequence[int], vectors: NDArray[Any]) -> None:
        """Some memories without a vector have one now; not while a thread scans (rule 2).

        Only for an embedder without tokens: others would have to be counted.
        """
        assert not self._embedder.vocabulary
        self.vectors.replace(slots, vectors)
        self.saved = max(0, self.saved - len(slots))
        self.partial = self.partial and len(self.vectors.blank()) > 0

    def without(self, slots: NDArray[np.int64], tokens: Sequence[NDArray[Any]]) -> Senses:
        """The senses without some memories, in which those behind them have moved up.

        Args:
            slots: ascending. tokens: what each was added with; those of memories without a vector are passed over.
        """
        rest = Senses(self._embedder)
        kept = np.setdiff1d(np.arange(len(self)), slots)
        for start in range(0, len(kept), _MOVED_ROWS):
            rest.vectors.add(self.vectors.rows(kept[start:start + _MOVED_ROWS].tolist()))
        rest.lexical, rest.partial = self.lexical.without(slots), self.partial
        rest._frequency = self._frequency - self._occurrences(
            compress(tokens, map(np.any, self.vectors.rows(slots.tolist()))))
        return rest

    def _occurrences(self, tokens: Iterable[NDArray[Any]]) -> NDArray[np.uint32]:
        """In how many of some memories each token occurs."""
        found = np.zeros(self._embedder.vocabulary, np.uint32)
        for ids in tokens:
            found[np.unique(ids)] += 1
        return found

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
        found = []
        for slot, row in zip(slots, self.vectors.rows(slots), strict=True):
            best, cosines = self.vectors.nearest(row, count + _LATER)
            before = best < slot
            if len(best) == count + _LATER and before.sum() < count:  # what came later stands in front
                best, cosines = self.vectors.nearest(row, count, np.arange(slot))
                before = best < slot
            alike = self._embedder.calibrate(cosines[before][:count])
            found.append([(int(b), float(a)) for b, a in zip(best[before][:count], alike, strict=True) if a >= floor])
        return found

    def to_bytes(self) -> bytes:
        """The cache, little endian: header (magic, version u16, bytes of each part: u16 name, u32 frequencies,
        u64 vectors, u64 lexical index), the embedder's name, document frequencies u32, vectors, lexical index."""
        name, frequency = self._embedder.name.encode(), self._frequency.astype("<u4").tobytes()
        vectors, lexical = self.vectors.pieces(), self.lexical.pieces()
        sizes = (sum(memoryview(piece).nbytes for piece in pieces) for pieces in (vectors, lexical))
        header = _HEADER.pack(_MAGIC, RULES_VERSION, len(name), len(frequency), *sizes)
        return b"".join((header, name, frequency, *vectors, *lexical))

    @classmethod
    def from_bytes(cls, embedder: Embedder, content: bytes | memoryview) -> Senses | None:
        """The senses as they were saved; None where they are of another embedder or version, or no senses at all."""
        if len(content) < _HEADER.size:
            return None
        magic, version, *sizes = _HEADER.unpack_from(content)
        ends = list(accumulate(sizes, initial=_HEADER.size))
        if (magic, version, ends[-1]) != (_MAGIC, RULES_VERSION, len(content)):
            return None
        name, frequency, vectors, lexical = (
            memoryview(content)[start:end] for start, end in pairwise(ends))
        senses = cls(embedder)
        if bytes(name) != embedder.name.encode() or len(frequency) != senses._frequency.nbytes:
            return None
        try:
            senses.vectors, senses.lexical = Vectors.from_bytes(vectors), LexicalIndex.from_bytes(lexical)
        except ValueError:
            return None
        senses._frequency = np.frombuffer(frequency, "<u4").astype(np.uint32)
        senses.saved = len(senses)
        return senses
