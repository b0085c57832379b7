"""A weighted link between two memories of one agent."""

from __future__ import annotations

from msgspec import Struct


class Association(Struct, frozen=True):
    """One association as `inspect` shows it: the other memory's id, the weight 0..1, and its origin."""

    id: str
    weight: float
    origin: str = "learned"
