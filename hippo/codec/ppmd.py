"""PPMd variant H, order 6, through pyppmd, which is an optional extra.

Prediction by partial matching (Cleary and Witten 1984) as Shkarin made it fast (2002). The densest of our coders for
text, and the slowest to read: about as slow as it is to write.

1. pyppmd decodes wrongly, without a word, once its model's memory runs out. Blocks are small and the memory is large so
   that it does not (`ppmd_bytes_max`, `ppmd_memory_bytes`), what was encoded is decoded and compared before it is used,
   and whoever stores it keeps a checksum.
2. A block may be *primed*: the model has read a prior before it starts. Both sides read it again each time.
3. The first byte a range coder writes is always zero, and of the last five only as many count as tell the last symbol
   apart: neither is stored, as long as the block then still reads the same.
"""

from __future__ import annotations

from functools import lru_cache

from hippo.codec.record import Damaged
from hippo.limits import ppmd_bytes_max, ppmd_memory_bytes, ppmd_order

try:
    import pyppmd
except ImportError:
    pyppmd = None  # type: ignore[assignment]

_TAIL = bytes(4)  # what a reader finds behind a block: any bytes would do, as long as they are the same


class ExtraMissing(Damaged):
    """Bytes that are whole, and cannot be read without an extra of the package."""


def encode(plain: bytes, prior: bytes = b"") -> bytes | None:
    """The block, or None where there is none that is sure to be read: it is too long, or not what it was."""
    if pyppmd is None or not 0 < len(plain) <= ppmd_bytes_max - len(prior):
        return None
    encoder = pyppmd.Ppmd7Encoder(ppmd_order, ppmd_memory_bytes)
    head = encoder.encode(prior)
    whole = (encoder.encode(plain) + encoder.flush())[0 if prior else 1:]
    # Every number from where the last symbol begins to where it ends will do: a rounder one needs fewer bytes.
    rounder = int.from_bytes(whole[:-3], "big") + 1
    shorter = rounder.to_bytes(len(whole) - 2, "big")[1:]
    for stored in (shorter, whole):
        if _decoded(head or b"\0", stored, len(prior), len(plain)) == plain:
            return stored
    return None


def decode(stored: bytes, plain_bytes: int, prior: bytes = b"") -> bytes:
    """The bytes of a block.

    Raises:
        ExtraMissing: there is no coder.
        Damaged: it does not give that many bytes.
    """
    if pyppmd is None:
        raise ExtraMissing("it is packed with PPMd, which is not installed: pip install hippo-memory[dense]")
    if not 0 <= plain_bytes <= ppmd_bytes_max - len(prior):
        raise Damaged(f"PPMd does not make {plain_bytes} bytes of one block")
    if not plain_bytes:
        return b""
    plain = _decoded(_head(prior), stored, len(prior), plain_bytes)
    if len(plain) != plain_bytes:
        raise Damaged(f"PPMd gives {len(plain)} bytes instead of {plain_bytes}")
    return plain


@lru_cache(maxsize=8)
def _head(prior: bytes) -> bytes:
    """What a coder has written when it has read the prior."""
    return pyppmd.Ppmd7Encoder(ppmd_order, ppmd_memory_bytes).encode(prior) if prior else b"\0"


def _decoded(head: bytes, stored: bytes, prior_bytes: int, plain_bytes: int) -> bytes:
    decoder = pyppmd.Ppmd7Decoder(ppmd_order, ppmd_memory_bytes)
    try:
        decoded: bytes = decoder.decode(head + stored + _TAIL, prior_bytes + plain_bytes)
    except (pyppmd.PpmdError, SystemError, ValueError, MemoryError) as error:  # SystemError: what no bytes at all give
        raise Damaged(f"PPMd cannot read it ({error})") from error
    return decoded[prior_bytes:]
