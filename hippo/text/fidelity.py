"""How close a reconstruction is to its original, in three figures, and whether that is close enough. Pure.

1. ROUGE-L (Lin 2004) is the F-measure, precision and recall weighing the same, of the longest common subsequence of
   words, with case; char similarity is the same of characters. Both are the normalised Indel similarity 2·LCS/(m+n).
2. The semantic figure is the cosine of hashed term frequencies: always these, so that it does not change with a model.
3. Stored figures are rounded down to steps of one byte. A fidelity clears floors as it is stored: what is read back
   never lies below a floor that was cleared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from rapidfuzz.distance import Indel

from hippo.limits import fidelity_steps
from hippo.model.memory import Fidelity
from hippo.text import term_frequency
from hippo.text.pieces import pieces, words


def measure(original: str, reconstruction: str) -> Fidelity:
    """The fidelity of a reconstruction, each figure 0..1, and 1 for the original itself.

    Args:
        original: The text as it was given.
        reconstruction: The text as it is given back.
    """
    if original == reconstruction:
        return Fidelity(1.0, 1.0, 1.0)
    return Fidelity(
        rouge_l=Indel.normalized_similarity(words(pieces(original)), words(pieces(reconstruction))),
        char_similarity=Indel.normalized_similarity(original, reconstruction),
        semantic=term_frequency.cosine(original, reconstruction))


def clears(fidelity: Fidelity, floors: Sequence[float]) -> bool:
    """Whether a fidelity, as it is stored, reaches all of a tier's floors.

    Args:
        fidelity: As it was measured, or as it was read.
        floors: For ROUGE-L, char similarity and semantic, as in `limits.tier_fidelity_floors`.
    """
    stored = from_steps(to_steps(fidelity))
    return all(figure >= least for figure, least in zip(_figures(stored), floors, strict=True))


def to_steps(fidelity: Fidelity) -> bytes:
    """The three figures as one byte each, 0..`limits.fidelity_steps`, rounded down."""
    return bytes(map(_steps, _figures(fidelity)))


def from_steps(steps: bytes) -> Fidelity:
    """The inverse of `to_steps`, as far as it was not rounded.

    Args:
        steps: Three bytes.

    Raises:
        ValueError: There are not three, or one is above `limits.fidelity_steps`.
    """
    if len(steps) != 3 or max(steps) > fidelity_steps:
        raise ValueError("three bytes of fidelity, none above the highest step")
    return Fidelity(*(step / fidelity_steps for step in steps))


def _steps(figure: float) -> int:
    steps = floor(figure * fidelity_steps)
    # The product is rounded: it may have reached a step that the figure lies just below, or missed one that it is on.
    return steps + ((steps + 1) / fidelity_steps <= figure) - (steps / fidelity_steps > figure)


def _figures(fidelity: Fidelity) -> tuple[float, float, float]:
    return fidelity.rouge_l, fidelity.char_similarity, fidelity.semantic
