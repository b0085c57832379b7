"""What an embedder is, and how one is opened by name.

1. Vectors are unit rows of float32, so that a dot product is a cosine; a text of which an embedder knows nothing has a
   row of zeros, and a cosine of 0 to everything.
2. A cosine means something else in each model: every threshold of hippo speaks the scale of one reference (MiniLM),
   and `calibrate` maps onto it.
3. An embedder whose texts are bags of counted tokens can pool a cue by how rare each token is in the agent's own
   memories. Only the cue: stored vectors never need computing again.
4. Opening reads nothing; the first `embed` does. What is missing is said then, by name.
5. One that asks a service is `remote`: its calls wait, and what it was told once is kept in the store's index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hippo.errors import BadSetting


class Embedded(NamedTuple):
    """Vectors float32[n, d], unit rows or zero rows, and for each text its token numbers uint16 (repeats kept)."""

    vectors: NDArray[np.float32]
    tokens: list[NDArray[np.uint16]] | None


class Embedder(Protocol):
    """Turns texts into vectors. `vocabulary` is the number of tokens, 0 where `pool` is not supported; `remote`: calls
    of `embed` wait for a service, so they never run in the event loop."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def vocabulary(self) -> int: ...

    @property
    def remote(self) -> bool: ...

    def embed(self, texts: Sequence[str]) -> Embedded:
        """The vectors of some texts, in their order.

        Args:
            texts: Any texts, also none.

        Raises:
            EmbedderFailed: What it needs is missing or does not answer.
        """
        ...

    def pool(self, tokens: NDArray[np.uint16], document_frequency: NDArray[np.uint32],
             documents: int) -> NDArray[np.float32]:
        """The vector of a cue, its tokens weighted by how rare they are.

        Args:
            tokens: The cue's token numbers, as `embed` gave them.
            document_frequency: uint32[vocabulary]: in how many of the agent's memories each token occurs.
            documents: How many memories the agent has.

        Returns:
            float32[d], a unit vector, or zeros when the cue has no token.
        """
        ...

    def calibrate(self, cosine: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of this embedder on the reference scale: monotone, within 0 and 1, same shape, float32."""
        ...

    def state(self) -> dict[str, Any]:
        """What the index keeps of it: small, and as msgpack gives it back. Nothing for one that is built in."""
        ...

    def close(self) -> None:
        """Lets go of what it holds open."""
        ...


class BuiltIn:
    """What embedders have in common that ask nobody."""

    remote = False

    def state(self) -> dict[str, Any]:
        """See `Embedder`."""
        return {}

    def close(self) -> None:
        """See `Embedder`: nothing is open."""


class Calibration:
    """A monotone, piecewise linear map from an embedder's cosines onto the reference scale."""

    def __init__(self, *knots: tuple[float, float]) -> None:
        """Args: knots: Pairs of a cosine and its place on the reference scale, both ascending; flat outside them."""
        self._cosines = np.array([cosine for cosine, _ in knots])
        self._places = np.array([place for _, place in knots])
        assert (np.diff(self._cosines) > 0).all()
        assert (np.diff(self._places) > 0).all()

    def __call__(self, cosine: NDArray[np.float32]) -> NDArray[np.float32]:
        places: NDArray[np.float32] = np.interp(cosine, self._cosines, self._places).astype(np.float32)
        return places


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1, in place; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    vectors /= lengths
    return vectors


def rarity(document_frequency: NDArray[np.uint32], documents: int) -> NDArray[np.float32]:
    """The inverse document frequency of tokens, as BM25 smooths it (Robertson and Spärck Jones): never negative."""
    found = document_frequency.astype(np.float32)
    rare: NDArray[np.float32] = np.log1p((documents - found + 0.5).clip(0.5) / (found + 0.5)).astype(np.float32)
    return rare


def open_embedder(name: str) -> Embedder:
    """The embedder of that name; nothing is read yet.

    Args:
        name: `wordllama` or `term-frequency`.

    Raises:
        BadSetting: There is no embedder of that name.
    """
    from hippo.embed.static import StaticEmbedder
    from hippo.embed.term_frequency import TermFrequencyEmbedder

    kinds: dict[str, Callable[[], Embedder]] = {
        "wordllama": StaticEmbedder, "term-frequency": TermFrequencyEmbedder}
    if name not in kinds:
        raise BadSetting(name="HIPPO_EMBEDDER", value=name, why=f"known are {', '.join(kinds)}")
    return kinds[name]()
