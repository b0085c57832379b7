"""Which memories a block holds: ascending ordinals in the shortest of three forms.

1. Runs: (gap, count) pairs, for memories that follow each other. Gaps: for the few among many. Bits: one for each
   ordinal from the first to the last, for what was sorted out of a row, as tiers do.
2. Numbers are varints. A gap is the distance from the ordinal before; the first gap is the first ordinal itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hippo.codec.columns import decode_varints, encode_varints, read_varints
from hippo.codec.record import Damaged

RUNS, GAPS, BITS = range(3)


def encode_ordinals(ordinals: Sequence[int]) -> tuple[int, bytes]:
    """The form and the bytes of ascending ordinals; none of them gives no bytes."""
    gaps = [ordinal - before for before, ordinal in zip((0, *ordinals), ordinals, strict=False)]
    runs: list[int] = []
    for at, gap in enumerate(gaps):
        if at and gap == 1:
            runs[-1] += 1
        else:
            runs += gap, 1
    forms = [(RUNS, encode_varints(runs)), (GAPS, encode_varints(gaps))]
    if ordinals and ordinals[-1] - ordinals[0] < 8 * len(forms[GAPS][1]):
        present = np.zeros(ordinals[-1] - ordinals[0] + 1, "u1")
        present[np.array(ordinals, "i8") - ordinals[0]] = 1
        forms.append((BITS, encode_varints(ordinals[:1]) + np.packbits(present, bitorder="little").tobytes()))
    return min(forms, key=lambda form: len(form[1]))


def decode_ordinals(form: int, content: bytes, rows: int) -> NDArray[np.uint64]:
    """The ordinals again.

    Raises:
        Damaged: they are not as many as there are rows, or none at all.
    """
    if form == BITS:
        (first,), at = read_varints(content, 0, 1)
        ordinals = first + np.flatnonzero(np.unpackbits(np.frombuffer(content, "u1", offset=at), bitorder="little"))
    else:
        numbers = decode_varints(content).astype("i8")
        if form == RUNS:
            if len(numbers) % 2 or int(numbers[1::2].sum()) != rows or bool((numbers[1::2] < 1).any()):
                raise Damaged("runs of ordinals that do not give the rows")
            gaps = np.ones(rows, "i8")
            gaps[np.cumsum(numbers[1::2]) - numbers[1::2]] = numbers[0::2]
            numbers = gaps
        ordinals = np.cumsum(numbers)
    if form not in (RUNS, GAPS, BITS) or len(ordinals) != rows or bool((ordinals[1:] <= ordinals[:-1]).any()) or (
            rows and int(ordinals[0]) < 0):
        raise Damaged("ordinals that do not give the rows")
    return ordinals.astype("u8")
