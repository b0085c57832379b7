"""The drawing of the brain view: columns become what the page reads. Pure, and made in a thread: it may be large."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.codec.identity import ids_of
from hippo.model.drawing import Drawing, DrawnMemory, DrawnSchema, Thread
from hippo.runtime.viewing import Drawn

_DECIMALS = 3
_TIERS = tuple(limits.tier_floors)  # by their numbers


def label(text: str) -> str:
    """How a text begins, on one line."""
    return " ".join(text[:2 * limits.label_characters].split())[:limits.label_characters]


def drawing(drawn: Drawn, labels: list[str], seed: int) -> Drawing:
    """What the page reads.

    Args:
        labels: of the memories, in their order. seed: of the store.
    """
    columns = drawn.columns
    ids, has_schema = ids_of(columns["ordinal"], seed), columns["schema"] != 0
    schema = iter(ids_of(columns["schema"][has_schema] - np.uint64(1), seed))
    nodes = [DrawnMemory(id=id, label=text, tier=_TIERS[tier], salience=salience, activation=held,
                         schema=next(schema) if has else None, created_at=created, kind=kind, entity=entity or None,
                         archived=archived, superseded=superseded)
             for id, text, tier, salience, held, has, created, kind, entity, archived, superseded in zip(
                 ids, labels, columns["tier"].tolist(), _rounded(columns["salience"]), _rounded(columns["retention"]),
                 has_schema.tolist(), columns["created_at"].tolist(), drawn.kinds, drawn.entities,
                 columns["archived"].tolist(), columns["superseded"].tolist(), strict=True)]
    edges: list[Thread] = [(one, other, weight, "learned") for one, other, weight in zip(
        drawn.first.tolist(), drawn.second.tolist(), _rounded(drawn.weight), strict=True)]
    members = np.flatnonzero(drawn.homes >= 0)
    edges += [(home, member, 1.0, "schema") for home, member in zip(
        drawn.homes[members].tolist(), members.tolist(), strict=True)]
    schemas = [DrawnSchema(id=ids[at], label=labels[at], members=int(drawn.members[at]),
                           folded=int(drawn.members[at] - drawn.shown[at]))
               for at in np.flatnonzero(drawn.members).tolist()]
    return Drawing(nodes=nodes, edges=edges, folded=drawn.folded, schemas=schemas)


def encoded(drawing: Drawing) -> bytes:
    """The drawing as JSON. Its moments are numbers: a page sorts and counts by them, and there are many."""
    return msgspec.json.encode(drawing)


def _rounded(column: NDArray[Any]) -> list[float]:
    rounded: list[float] = np.round(column.astype(np.float64), _DECIMALS).tolist()
    return rounded
