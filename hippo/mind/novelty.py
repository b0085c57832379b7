"""Novelty: how much of a new memory's vector points where no near memory points. Pure.

1. It is the length of what remains of the unit vector after projection on the principal directions of its nearest
   existing vectors: 1 where it points elsewhere altogether, 0 where it is a blend of what is known.
2. A direction counts as principal when its singular value is above a hundredth of the largest: what below that is
   mostly rounding.
3. Only the 32 nearest are looked at: enough of anything spans the whole space, and everything would seem known.
4. Where nothing is known, or the text has no vector, all is new.

The squares of the singular values and the directions in terms of the neighbours come from the neighbours' cosines with
each other, a matrix of 32 by 32: a tenth of a millisecond.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hippo import limits


def novelty(vector: NDArray[np.float32], nearest: NDArray[np.float32]) -> float:
    """How new a vector is to its nearest neighbours.

    Args:
        vector: float32[d], of any length; one of zeros counts as new.
        nearest: float32[m, d], its nearest existing vectors; m is at most `limits.novelty_neighbours`.

    Returns:
        0..1.
    """
    assert len(nearest) <= limits.novelty_neighbours
    length = float(np.linalg.norm(vector))
    if not length or not nearest.any():
        return 1.0
    known = nearest.astype(np.float64)
    unit = vector.astype(np.float64) / length
    squares, mixtures = np.linalg.eigh(known @ known.T)
    principal = squares > limits.novelty_principal_share**2 * squares[-1]
    along = (known @ unit) @ mixtures[:, principal]
    return float(np.sqrt(max(0.0, 1.0 - float((along**2 / squares[principal]).sum()))))
