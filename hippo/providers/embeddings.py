"""The embedder over `/v1/embeddings` of any OpenAI-compatible service.

1. It is an `Embedder` (see `hippo.embed.embedder`): unit rows of float32. A text that says nothing has a row of zeros
   and is not sent; services refuse it.
2. How wide its vectors are is learnt from the first answer, unless the store knows; an answer of another width, with
   another number of vectors, or with a number that is none, is a failure: vectors of two kinds are never mixed.
3. A text longer than a model may take is sent in pieces, and has the mean of their vectors: what a service would cut
   off in silence, or refuse, is found too.
4. A cosine means something else in each model. Without a measurement cosines are taken as they are; `calibration`
   measures, on pairs of texts whose place on the reference scale is known. It is done once for a store, whose index
   keeps what came of it and how wide the vectors are: a later start asks nothing.
5. It gives no tokens, so cues are not pooled. Calls block: they belong in threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hippo import limits
from hippo.embed.embedder import Calibration, Embedded, Embedder, unit_rows
from hippo.errors import EmbedderFailed, EmbedderUnknown, ProviderFailed
from hippo.providers import Endpoint, cut, decoded
from hippo.text.surrogates import whole

_PROBE = "memory"
_KEPT = "embedding"  # in the state of the index: dimensions, then the knots, one number after the other
_STEPS = 10_000  # of a knot: it is kept as a whole number


class Pair(NamedTuple):
    """Two texts and the cosine of the reference model between them."""

    first: str
    second: str
    reference: float


@cache
def pairs() -> tuple[Pair, ...]:
    """The pairs that embedders are measured on, from unrelated to identical ones."""
    rows = msgspec.json.decode(files("hippo.embed").joinpath("pairs.json").read_bytes())
    return tuple(Pair(row["first"], row["second"], row["reference"]) for row in rows)


class _Row(Struct):
    embedding: list[float]
    index: int | None = None


class _Answer(Struct):
    data: list[_Row]


class ServiceEmbedder:
    """Vectors from a service; see the rules of this module.

    Args:
        url: HIPPO_EMBED_URL; see `Endpoint`.
        key: HIPPO_EMBED_KEY, None where the service takes none.
        model: HIPPO_EMBED_MODEL, its name at the service.
        dimensions: as the store knows them; None where it has no vector yet.
        knots: of its calibration, as `calibration` measured them for this model.

    Raises:
        BadSetting: the url or the key cannot be used.
    """

    vocabulary = 0
    remote = True

    def __init__(self, url: str, key: str | None, model: str, *, dimensions: int | None = None,
                 knots: Sequence[tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0))) -> None:
        self._endpoint = Endpoint(url, key, route="embeddings", setting="HIPPO_EMBED_URL", seconds=limits.embed_seconds)
        self._model = model
        self._dimensions = dimensions
        self._knots = knots
        self._calibration = Calibration(*knots)

    def __repr__(self) -> str:
        return f"ServiceEmbedder({self._model})"

    @property
    def name(self) -> str:
        """The model's name, marked as one at a service: no built-in embedder is called so."""
        return f"service:{self._model}"

    @property
    def dimensions(self) -> int:
        """How wide the vectors are. Where nothing is known yet the service is asked, which blocks.

        Raises:
            EmbedderFailed: It does not answer.
        """
        if self._dimensions is None:
            self._asked([_PROBE])
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Embedded:
        """See `Embedder`."""
        pieces = [(row, piece) for row, text in enumerate(texts) if text.strip()
                  for piece in cut(whole(text), limits.embed_piece_characters_max) if piece.strip()]
        found = [vector for start in range(0, len(pieces), limits.embed_pieces_max)
                 for vector in self._asked([piece for _, piece in pieces[start:start + limits.embed_pieces_max]])]
        vectors = np.zeros((len(texts), self.dimensions if texts else self._dimensions or 0), np.float32)
        for (row, piece), vector in zip(pieces, found, strict=True):
            vectors[row] += vector * len(piece)
        return Embedded(unit_rows(vectors), None)

    def pool(self, tokens: NDArray[np.uint16], document_frequency: NDArray[np.uint32],
             documents: int) -> NDArray[np.float32]:
        """Never called: there are no tokens."""
        raise AssertionError("a service gives no tokens that could be pooled")

    def calibrate(self, cosine: NDArray[np.float32]) -> NDArray[np.float32]:
        """See `Embedder`."""
        return self._calibration(cosine)

    def state(self) -> dict[str, Any]:
        """See `Embedder`."""
        return {_KEPT: [self.dimensions, *(round(number * _STEPS) for number in chain(*self._knots))]}

    def close(self) -> None:
        """Closes the connections to the service; the next call opens them again."""
        self._endpoint.close()

    def _asked(self, pieces: list[str]) -> NDArray[np.float32]:
        """The unit vectors of some texts, f4[len(pieces), d]."""
        body = msgspec.json.encode({"model": self._model, "input": pieces})
        try:
            answer = decoded(self._endpoint.ask_blocking(body), _Answer)
            if answer is None:
                raise self._endpoint.failed("did not answer with embeddings")
        except ProviderFailed as failure:
            raise EmbedderFailed(why=failure.words["why"]) from failure
        rows = answer.data
        if all(row.index is not None for row in rows):
            rows = sorted(rows, key=lambda row: row.index or 0)
        widths = {len(row.embedding) for row in rows}
        if len(rows) != len(pieces) or len(widths) != 1 or not (width := widths.pop()):
            raise EmbedderFailed(why=f"{self.name} gave {len(rows)} vectors for {len(pieces)} texts")
        if self._dimensions not in (None, width):
            raise EmbedderFailed(why=f"{self.name} gave vectors of {width} numbers, not {self._dimensions}")
        with np.errstate(over="ignore"):  # what is too large for a float becomes infinite, and is refused
            vectors = np.array([row.embedding for row in rows], np.float32)
        if not np.isfinite(vectors).all():
            raise EmbedderFailed(why=f"{self.name} gave a vector with a number that is none")
        self._dimensions = width
        return unit_rows(vectors)


def open_service(url: str, key: str | None, model: str, state: Mapping[str, Any]) -> ServiceEmbedder:
    """The embedder of a service as a store knows it; one that no store knows yet is measured, which blocks.

    Args:
        url, key, model: see `ServiceEmbedder`. state: of the store's index.

    Raises:
        BadSetting: The url or the key cannot be used.
        EmbedderUnknown: It has to be measured, and does not answer.
    """
    if (kept := state.get(_KEPT)) is not None:
        dimensions, *numbers = kept
        steps = [number / _STEPS for number in numbers]
        return ServiceEmbedder(url, key, model, dimensions=dimensions,
                               knots=list(zip(steps[::2], steps[1::2], strict=True)))
    new = ServiceEmbedder(url, key, model)
    try:
        knots = calibration(new, pairs())
        return ServiceEmbedder(url, key, model, dimensions=new.dimensions, knots=knots)
    except EmbedderFailed as failure:
        raise EmbedderUnknown(name=new.name, why=failure.words["why"]) from failure
    finally:
        new.close()


def calibration(embedder: Embedder, pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    """Measures where an embedder's cosines lie on the reference scale.

    Pairs in the order of their cosines fall into groups of equal size, whose means are joined until they ascend
    (pooling adjacent violators: Ayer et al. 1955, the least squares fit that never falls).

    Args:
        embedder: Any; its own calibration does not matter. It is asked for both texts of each pair.
        pairs: Of all kinds, from unrelated to identical ones.

    Returns:
        The knots of its `Calibration`, in whole ten-thousandths.

    Raises:
        EmbedderFailed: It does not answer.
    """
    vectors = embedder.embed([text for pair in pairs for text in (pair.first, pair.second)]).vectors
    cosines = np.einsum("nd,nd->n", vectors[0::2], vectors[1::2])
    order = np.argsort(cosines, kind="stable")
    places = np.array([pair.reference for pair in pairs])
    groups: list[tuple[float, float, int]] = []  # mean cosine, mean place, pairs
    for members in np.array_split(order, min(limits.calibration_knots_max, len(pairs))):
        cosine, place, count = float(cosines[members].mean()), float(places[members].mean()), len(members)
        while groups and (groups[-1][0] >= cosine or groups[-1][1] >= place):
            before, lower, others = groups.pop()
            count += others
            cosine, place = (one + (other - one) * others / count for one, other in ((cosine, before), (place, lower)))
        groups.append((cosine, place, count))
    inner = [(cosine, place) for cosine, place, _ in groups if cosine < 1 and 0 < place < 1]
    lowest = min([0.0, *(cosine for cosine, _ in inner)]) - limits.calibration_margin
    knots: list[tuple[float, float]] = []
    for cosine, place in [(lowest, 0.0), *inner]:
        knot = round(cosine * _STEPS) / _STEPS, round(place * _STEPS) / _STEPS
        if not knots or (knots[-1][0] < knot[0] < 1 and knots[-1][1] < knot[1] < 1):
            knots.append(knot)
    return [*knots, (1.0, 1.0)]
