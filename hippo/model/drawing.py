"""What the brain view draws of one agent's memories."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Thread = tuple[int, int, float, Literal["learned", "schema", "dream"]]


class DrawnMemory(Struct, frozen=True, kw_only=True):
    """One memory as the view shows it. `label`: how its text begins. `activation`: its retention now. `schema`: the id
    of its schema, its own where it is one. `created_at`: UTC milliseconds, here as a number."""

    id: str
    label: str
    tier: str
    salience: float
    activation: float
    schema: str | None
    created_at: Annotated[int, Meta(extra_json_schema={"format": "unix-time-ms"})]
    kind: str
    entity: str | None
    archived: bool
    superseded: bool


class DrawnSchema(Struct, frozen=True, kw_only=True):
    """A schema that is drawn: how many memories it has besides its own, and how many of them are not drawn."""

    id: str
    label: str
    members: int
    folded: int


class Drawing(Struct, frozen=True, kw_only=True):
    """Memories by time, the threads between them, and what is left out.

    `edges`: positions of two nodes, a weight in 0..1, and of what kind: `learned` is an association, `schema` leads
    from a schema to a member. `folded`: memories that are not among the nodes.
    """

    nodes: list[DrawnMemory]
    edges: list[Thread]
    folded: int
    schemas: list[DrawnSchema]
