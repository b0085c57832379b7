"""Content-defined chunks: pieces of a text whose bounds depend on what is said there, not on where it stands.

1. A bound is where a rolling hash of the last 32 bytes has its upper bits zero: so an insertion moves the chunks behind
   it and changes one or two (Muthitacharoen and others 2001; the *gear* hash is that of Xia and others 2016).
2. Chunks are between `chunk_bytes_min` and `chunk_bytes_max` long, about `chunk_bytes_mean` more than the former.
3. The same bytes have the same chunks, everywhere and for ever.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hippo.limits import chunk_bytes_max, chunk_bytes_mean, chunk_bytes_min

_WINDOW = 32
_ZERO_BITS = chunk_bytes_mean.bit_length() - 1


def chunks_of(content: bytes) -> list[bytes]:
    """The chunks of some bytes, in order; joined they are the bytes again."""
    cuts = [0]
    for bound in [*(np.flatnonzero(_gear_hash(content) >> (32 - _ZERO_BITS) == 0) + 1).tolist(), len(content)]:
        while bound - cuts[-1] > chunk_bytes_max:
            cuts.append(cuts[-1] + chunk_bytes_max)
        if bound - cuts[-1] >= chunk_bytes_min:
            cuts.append(bound)
    if cuts[-1] < len(content):
        cuts.append(len(content))
    return [content[start:end] for start, end in pairwise(cuts)]


def _gear_hash(content: bytes) -> NDArray[np.uint32]:
    """u4[n]: for each byte the sum of the gears of the last 32, each shifted by how far it lies back."""
    gears = _gears()[np.frombuffer(content, "u1")]
    rolled = np.zeros(len(gears), "u4")
    for back in range(min(_WINDOW, len(gears))):
        rolled[back:] += gears[:len(gears) - back] << np.uint32(back)
    return rolled


@lru_cache(maxsize=1)
def _gears() -> NDArray[np.uint32]:
    digests = (blake2b(bytes((octet,)), digest_size=4, person=b"hippo gears").digest() for octet in range(256))
    return np.frombuffer(b"".join(digests), "<u4")
