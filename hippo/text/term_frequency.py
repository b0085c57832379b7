"""Hashed term frequencies: how alike two texts are by their words, without any model. Pure.

1. Each term of a text and each three neighbouring letters of it (its ends included) count in one of 512 columns.
2. A column's value is 1 + ln(count): the tenth repeat adds less than the second. Stop words do not count, unless a text
   has no other words.
3. The hash is CRC-32 of the UTF-8 bytes: the same in every run and on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.text.tokens import STOP_WORDS, analyse

dimensions = 512


def columns(text: str) -> NDArray[np.uint16]:
    """The columns in which a text counts, repeats kept, in the order of the text; none for a text without terms."""
    terms = analyse(text)
    told = [term for term in terms if term not in STOP_WORDS] or terms
    return np.array([column for term in told for column in _term_columns(term)], np.uint16)


def weights(counted: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The vector of a text, not scaled to any length.

    Args:
        counted: The text's columns, repeats kept.

    Returns:
        float32[512], zeros where there are no columns.
    """
    counts = np.bincount(counted, minlength=dimensions)
    return np.where(counts, 1 + np.log(np.maximum(counts, 1)), 0).astype(np.float32)


def cosine(first: str, second: str) -> float:
    """How alike two texts are, 0..1: the cosine of their vectors; two texts without terms are alike, one is not."""
    one, other = weights(columns(first)), weights(columns(second))
    lengths = float(np.sqrt((one @ one) * (other @ other)))
    if lengths == 0.0:
        return float(not one.any() and not other.any())
    return min(1.0, float(one @ other) / lengths)


@lru_cache(maxsize=limits.stem_words_kept)
def _term_columns(term: str) -> tuple[int, ...]:
    ended = f"^{term}$"
    features = (term, *(ended[at:at + 3] for at in range(len(ended) - 2)))
    return tuple(crc32(feature.encode("utf-8", "surrogatepass")) % dimensions for feature in features)
