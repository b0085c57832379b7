"""What a pass of sleep asks the graph and the writer, on one page.

Arrays are numpy; times are UTC milliseconds; memories are named by ordinal.
"""

from __future__ import annotations

from msgspec import Struct

from hippo.model.batch import Batch, Column, Kin, Places
from hippo.model.report import PackFigures
from hippo.runtime.mailbox import Request
from hippo.runtime.messages import Sensed


class Checkpoint(Request[None], frozen=True):
    """Write the index as everything is now."""


class Fade(Request[tuple[int, int]], frozen=True):
    """Let associations decay up to now and keep only each memory's strongest. Answers (decayed, pruned)."""

    now: int


class Retier(Request[dict[str, tuple[int, int]]], frozen=True):
    """Plan every memory's tier anew; what was accessed after `since` may have come back. Answers tier -> (in, out)."""

    now: int
    since: int


class Force(Request[tuple[int, tuple[str, ...]]], frozen=True):
    """Move the weakest memories down until about so many bytes are saved. Answers how many, and the weakest by id."""

    now: int
    excess_bytes: int
    ratios: list[float]  # raw over stored bytes that each tier may be expected to reach


class Kindred(Request[Kin | None], frozen=True):
    """The next memories that may be alike; None when all were looked at."""

    seen: dict[str, int]  # agent -> how far this pass has looked
    until: int  # the first ordinal that this pass does not look at: what comes in meanwhile is for the next one
    turn: int  # which pass it is


class Classify(Request[None], frozen=True):
    """Take over memberships (ordinal -> that of its schema), who is held and who is no more."""

    agent: str
    schema: dict[int, int]
    held: set[int]
    released: set[int]
    through: int


class Shelve(Request[int], frozen=True):
    """Plan what has to be written anew, so that every text lies in a pack of its tier. Answers how many packs."""

    packs: dict[int, PackFigures]
    outdated: frozenset[int]
    segments_before: int
    dry: tuple[int, int] | None = None  # now and since: by the tiers that `Retier` would plan


class TextsForTraining(Request[Places], frozen=True):
    """Texts of one agent, evenly spread, of about so many bytes."""

    agent: str
    bytes_max: int


class NextBatch(Request[Batch | None], frozen=True):
    """The next of what was planned; None when all of it was handed out."""


class Facet(Struct, frozen=True):
    """What else a memory is found by."""

    created_at: int
    entity: str
    tags: tuple[str, ...]


class Claim(Request[dict[int, Facet | None]], frozen=True):
    """Memories that are to be abridged, each with the version that was seen; None for one that was touched since."""

    agent: str
    versions: dict[int, tuple[int, int, int]]  # last access, access count, checksum


class Revive(Request[Facet | None], frozen=True):
    """A person brings a memory back: as good as recalled now, in warm. None where there is none."""

    agent: str
    ordinal: int
    now: int


class Erase(Request[None], frozen=True):
    """Let go of memories. `tokens`: what those that could be read were sensed as, by ordinal."""

    agent: str
    ordinals: list[int]
    tokens: dict[int, Column]


class Settle(Request[None], frozen=True):
    """Texts have moved into a pack, and some were abridged: all of it at once.

    Columns of one length: ordinals u8, the tags u8 of what was read, offset u4, row u2; and abridged u8, their new tags
    u8, fidelity u1[n, 3]. What says something else by now stays where it is.
    """

    agent: str
    file: int
    ordinals: Column
    read: Column
    offset: Column
    row: Column
    abridged: Column
    tags: Column
    fidelity: Column


class Resense(Request[None], frozen=True):
    """What abridged texts were and are sensed as, and the checksums of what they say now."""

    agent: str
    before: dict[int, Sensed]
    after: dict[int, Sensed]
    tags: dict[int, int]


class Blank(Request[tuple[str, Places] | None], frozen=True):
    """Memories that were sensed while the embedder failed, of one agent; None when there are no more."""

    seen: dict[str, int]  # agent -> the first ordinal that was not looked at yet


class Give(Request[None], frozen=True):
    """Vectors for memories that have none, f4[n, d], with the checksums of the texts that they are of."""

    agent: str
    tags: dict[int, int]  # by ordinal
    vectors: Column


class Living(Request[frozenset[int]], frozen=True):
    """The files that texts lie in."""


class Sample(Request[list[Places]], frozen=True):
    """The texts of one share of all blocks and records: `remainder` of `modulus`."""

    modulus: int
    remainder: int
