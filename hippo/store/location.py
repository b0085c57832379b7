"""Where a text lies on the disk."""

from __future__ import annotations

from typing import NamedTuple


class Location(NamedTuple):
    """A place in a numbered file.

    `file` numbers segments and packs in one sequence, from 1; `offset` is the byte at which the frame (of a segment) or
    the block (of a pack) starts; `row` counts within the block and is 0 in a segment. They fit u4, u4, u2.
    """

    file: int
    offset: int
    row: int
