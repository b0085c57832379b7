"""What abridged texts were found by before, and what they are found by from here on; blocking.

Where the embedder fails there are no vectors: the graph keeps those that it has, and takes over the words.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import msgspec

from hippo.embed.embedder import Embedded, Embedder
from hippo.errors import EmbedderFailed
from hippo.mind.condensing import Abridged
from hippo.runtime.messages import Sensed
from hippo.runtime.passes import Facet
from hippo.text.tokens import index_terms

log = logging.getLogger("hippo")


def sensed(embedder: Embedder, some: Sequence[Abridged],
           facets: Mapping[int, Facet]) -> tuple[dict[int, Sensed], dict[int, Sensed]]:
    """Both sides of some abridgements, by ordinal.

    Args:
        embedder: of the store. some: what was abridged. facets: what else each is found by.
    """
    # What they said is sensed again for its tokens, which document frequencies lose.
    before = _embedded(embedder, [one.before for one in some]) if embedder.vocabulary else None
    after = _embedded(embedder, [one.after for one in some])
    return (_side(some, [one.before for one in some], before, facets),
            _side(some, [one.after for one in some], after, facets))


def _embedded(embedder: Embedder, texts: Sequence[str]) -> Embedded | None:
    try:
        return embedder.embed(texts)
    except EmbedderFailed as failed:
        log.warning("%s What was abridged keeps its vectors.", failed.message)
        return None


def _side(some: Sequence[Abridged], texts: Sequence[str], embedded: Embedded | None,
          facets: Mapping[int, Facet]) -> dict[int, Sensed]:
    tokens = None if embedded is None else embedded.tokens
    return {one.ordinal: Sensed(
        None if embedded is None else embedded.vectors[row], None if tokens is None else tokens[row],
        index_terms(text, *msgspec.structs.astuple(facets[one.ordinal])))
        for row, (one, text) in enumerate(zip(some, texts, strict=True))}
