"""The vectors of one agent's memories: int8 rows, scanned exactly, and searched quickly for the nearest.

1. A row is a unit vector rounded to eight bits with its own scale, chosen so that the rounded row has length 1 again:
   a cosine never leaves -1..1 by more than rounding. A row of zeros has scale 0.
2. Appending never touches what a reader may look at: a thread scans `[:n]` while the owner appends. Growing makes a new
   array and leaves the old one to whoever reads it.
3. Replacing writes in place, so no thread may scan meanwhile: the owner waits for it first.
4. Rows lie in pages of their own, not on the heap: what is not yet filled takes no memory, and what was outgrown goes
   back to the system.
5. Eight bits keep 0.98 of the ten nearest, in a quarter of the bytes: 26 MB for 100,000 rows of 256, scanned in about
   1 ms by SimSIMD's integer dot products.
6. A row's signature is the signs of its numbers, a bit each, kept by columns and derived from the row: the share of
   signs in which two vectors differ grows with the angle between them (Charikar 2002). Where there are many rows, the
   nearest are sought among the `limits.vector_candidates` rows of the nearest signatures, by their exact cosines. A
   vector without negative numbers (counted words) has no signs to compare: for it all rows are looked at.
7. What is nearest depends on the rows alone: of equals the lower slot comes first, and a row of zeros never comes.
8. What is compared with the others before it is added is looked for once more when it is linked to them. So what the
   signatures gave is kept for a while: then only the rows that were added since are gone through.

Measured on sentences, dialogue turns and household sayings, of the 32 nearest among 10,000 (100,000) rows of 256: 0.99
(0.99) are found, the nearest itself always, in 0.2 ms (0.65 ms); of all rows in 0.24 ms (2.2 ms).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from mmap import mmap
from typing import NamedTuple

import numpy as np
import simsimd
from numpy.typing import NDArray

from hippo import limits

_HEADER = struct.Struct("<II")  # dimensions, rows
_WORD_BITS = 64
_SLOT_BITS = 32


class _View(NamedTuple):
    """What a reader may look at: `rows` int8[capacity, d], `scales` float32[capacity] and `signs` uint64[words,
    capacity], filled up to `length`."""

    rows: NDArray[np.int8]
    scales: NDArray[np.float32]
    signs: NDArray[np.uint64]
    length: int


def _pages(rows: int, columns: int) -> NDArray[np.int8]:
    return np.frombuffer(mmap(-1, rows * columns), np.int8).reshape(rows, columns)


def _room(capacity: int, dimensions: int) -> _View:
    words = -(-dimensions // _WORD_BITS)
    signs = _pages(words, capacity * 8).view(np.uint64) if capacity else np.empty((words, 0), np.uint64)
    rows = _pages(capacity, dimensions) if capacity else np.empty((0, dimensions), np.int8)
    return _View(rows, np.empty(capacity, np.float32), signs, 0)


def _signatures(rows: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Which numbers of each row are positive, a bit each: uint64[words, n]."""
    packed = np.packbits(rows > 0, axis=1)
    whole = np.zeros((len(rows), -(-packed.shape[1] // 8) * 8), np.uint8)
    whole[:, :packed.shape[1]] = packed
    return whole.view(np.uint64).T


def _rounded(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    rows = np.rint(vectors * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    lengths = np.sqrt(np.einsum("nd,nd->n", rows, rows, dtype=np.int64))
    return rows, np.where(lengths > 0, 1 / np.maximum(lengths, 1), 0).astype(np.float32)


def _put(view: _View, where: slice | NDArray[np.int64], rows: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
    view.rows[where], view.scales[where], view.signs[:, where] = rows, scales, _signatures(rows)


def _cosines(asked: NDArray[np.int8], asked_scales: NDArray[np.float32], rows: NDArray[np.int8],
             scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines of rounded vectors with rounded rows, float32[q, n]."""
    cosines = np.empty((len(asked), len(rows)), np.float32)
    if cosines.size:
        dots = simsimd.cdist(asked, rows, metric="dot", out_dtype="float32")
        np.multiply(np.asarray(dots).reshape(cosines.shape), scales, out=cosines)
        cosines *= asked_scales[:, None]
    return cosines


def _likely(signs: NDArray[np.uint64], signature: NDArray[np.uint64], scales: NDArray[np.float32],
            start: int) -> NDArray[np.int64]:
    """The `limits.vector_candidates` rows whose signatures differ in the fewest bits; of equals the lower.

    Args:
        signs, scales: of some rows. start: the slot of the first of them.

    Returns:
        int64[<= candidates], in no order: the number of bits, above the slot in the lower `_SLOT_BITS`.
    """
    differing, bits = np.empty(len(scales), np.uint64), np.empty(len(scales), np.uint8)
    distance = np.zeros(len(scales), np.uint16)
    for column, word in zip(signs, signature, strict=True):
        np.bitwise_count(np.bitwise_xor(column, word, out=differing), out=bits)
        distance += bits
    farthest = len(signature) * _WORD_BITS + 1
    distance[scales == 0] = farthest
    last = int(np.searchsorted(np.cumsum(np.bincount(distance, minlength=farthest + 1)), limits.vector_candidates))
    close = np.flatnonzero(distance <= last)
    nearer, equal = close[distance[close] < last], close[distance[close] == last]
    found = np.concatenate([nearer, equal[:limits.vector_candidates - len(nearer)]])
    marked: NDArray[np.int64] = distance[found].astype(np.int64) << _SLOT_BITS | found + start
    return marked


class Vectors:
    """Rows of one agent, in the order in which they were added."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._view = _room(0, dimensions)
        self._sought: dict[bytes, tuple[int, NDArray[np.int64]]] = {}  # rule 8: by signature, rows then, what was found

    def __len__(self) -> int:
        return self._view.length

    def add(self, vectors: NDArray[np.float32]) -> None:
        """Append rows.

        Args:
            vectors: float32[n, d], unit rows or rows of zeros.
        """
        view = self._with_room(len(vectors))
        end = view.length + len(vectors)
        _put(view, slice(view.length, end), *_rounded(vectors))
        self._view = view._replace(length=end)

    def replace(self, indices: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Put other vectors in the place of some rows; not while a thread scans (rule 3).

        Args:
            indices: Distinct rows, in any order.
            vectors: float32[len(indices), d], unit rows or rows of zeros.

        Raises:
            IndexError: One of the rows is not there; then none has changed.
        """
        view = self._view
        chosen = np.asarray(indices, np.int64)
        assert len(np.unique(chosen)) == len(vectors)
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < view.length:
            raise IndexError(f"there are {view.length} rows")
        _put(view, chosen, *_rounded(vectors))
        self._sought.clear()

    def _with_room(self, more: int) -> _View:
        """The view, grown where it has no place for so many more rows."""
        rows, scales, signs, length = self._view
        if length + more <= len(rows):
            return self._view
        wider = _room(max(length + more, 2 * len(rows), limits.vector_rows_min), self.dimensions)
        wider.rows[:length], wider.scales[:length], wider.signs[:, :length] = (
            rows[:length], scales[:length], signs[:, :length])
        return wider._replace(length=length)

    def scan(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of one vector with every row.

        Args:
            query: float32[d], a unit vector.

        Returns:
            float32[n].
        """
        cosines: NDArray[np.float32] = self.scan_many(query[None])[0]
        return cosines

    def scan_many(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of a few vectors with every row.

        Args:
            queries: float32[q, d], unit rows.

        Returns:
            float32[q, n].
        """
        view = self._view
        return _cosines(*_rounded(queries), view.rows[:view.length], view.scales[:view.length])

    def nearest(self, vector: NDArray[np.float32], count: int,
                among: NDArray[np.int64] | None = None) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The rows nearest to a vector (rules 6 and 7); all are looked at where there are few.

        Args:
            vector: float32[d], a unit vector; nothing is near to a vector of zeros.
            count: How many at most; 1 to `limits.vector_candidates`.
            among: int64[m], distinct slots in any order: only these are looked at, and every one of them.

        Returns:
            Slots int64[<= count] and their cosines float32, nearest first.

        Raises:
            IndexError: One of the slots is not there.
        """
        assert 0 < count <= limits.vector_candidates
        rows, scales, _, length = self._view
        rows, scales = rows[:length], scales[:length]
        asked, asked_scale = _rounded(vector[None])
        slots = among
        if slots is None and length > limits.vector_exact_rows_max and asked.min() < 0:
            slots = self._likely_slots(_signatures(asked)[:, 0])
        if slots is not None:
            rows, scales = rows[slots], scales[slots]
        cosines = _cosines(asked, asked_scale, rows, scales)[0]
        found = np.flatnonzero(scales) if asked_scale[0] else np.empty(0, np.int64)
        if len(found) > count:
            found = found[cosines[found] >= np.partition(cosines[found], -count)[-count]]
        names = found if slots is None else slots[found]
        order = np.lexsort((names, -cosines[found]))[:count]
        return names[order], cosines[found[order]]

    def _likely_slots(self, signature: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The candidates of a search (rules 6 and 8)."""
        _, scales, signs, length = self._view
        name = signature.tobytes()
        start, known = self._sought.pop(name, (0, np.empty(0, np.int64)))
        found = np.concatenate([known, _likely(signs[:, start:length], signature, scales[start:length], start)])
        if len(found) > limits.vector_candidates:
            found = np.partition(found, limits.vector_candidates)[:limits.vector_candidates]
        self._sought[name] = length, found
        if len(self._sought) > limits.vector_likely_kept:
            del self._sought[next(iter(self._sought))]
        return found & (1 << _SLOT_BITS) - 1

    def row(self, index: int) -> NDArray[np.float32]:
        """One row, float32[d], of length 1 (or 0)."""
        only: NDArray[np.float32] = self.rows([index])[0]
        return only

    def rows(self, indices: Sequence[int]) -> NDArray[np.float32]:
        """Some rows, float32[len(indices), d]; IndexError for one that is not there."""
        rows, scales, _, length = self._view
        chosen = np.asarray(indices, np.int64)
        return rows[:length][chosen].astype(np.float32) * scales[:length][chosen, None]

    def blank(self) -> NDArray[np.int64]:
        """The rows of zeros, ascending."""
        return np.flatnonzero(self._view.scales[:self._view.length] == 0)

    def to_bytes(self) -> bytes:
        """All rows: header (u32 dimensions, u32 rows), rows int8, scales float32, little endian."""
        return b"".join(self.pieces())

    def pieces(self) -> list[bytes | memoryview]:
        """What `to_bytes` joins, without a copy of the rows: to be used before anything is replaced."""
        rows, scales, _, length = self._view
        return [_HEADER.pack(self.dimensions, length), rows[:length].data, scales[:length].astype("<f4").tobytes()]

    @classmethod
    def from_bytes(cls, encoded: bytes | memoryview) -> Vectors:
        """The rows `to_bytes` wrote.

        Raises:
            ValueError: These are not such bytes.
        """
        if len(encoded) < _HEADER.size:
            raise ValueError("too short for vectors")
        dimensions, length = _HEADER.unpack_from(encoded)
        if len(encoded) != _HEADER.size + length * (dimensions + 4):
            raise ValueError("not the length vectors of this shape have")
        vectors = cls(dimensions)
        view = vectors._with_room(2 * length)  # pages not yet filled cost nothing
        rows = np.frombuffer(encoded, np.int8, length * dimensions, _HEADER.size).reshape(length, dimensions)
        scales = np.frombuffer(encoded, "<f4", length, _HEADER.size + length * dimensions)
        for start in range(0, length, limits.vector_signed_rows):
            some = slice(start, min(length, start + limits.vector_signed_rows))
            _put(view, some, rows[some], scales[some])
        vectors._view = view._replace(length=length)
        return vectors
