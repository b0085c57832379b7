"""Condensing: the texts of one agent and one set as a pack, as dense as they may be and no denser than they need to be.

1. Lossless first. The cool and cold sets abridge only where their ratio is not reached without it, and only where that
   saves a tenth more: of the text itself, and of the group it lies in.
2. What may fade at all is said by the caller (schema, salience, protection); a text in a script without letter case,
   or without any, never does.
3. What was abridged once is never abridged again: its fidelity could no longer be measured against what was said.
4. A text of a schema is also given as its difference from the schema; the encoder takes whichever is smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hippo import limits
from hippo.codec.pack import EncodedPack, Row, encode_pack
from hippo.mind.figures import Faded
from hippo.mind.shelving import SETS
from hippo.model.batch import Column
from hippo.model.memory import Fidelity
from hippo.text import residual
from hippo.text.fading import may_fade
from hippo.text.fidelity import to_steps

Dictionary = tuple[int, bytes]
UNABRIDGED = Fidelity(0.0, 0.0, 0.0)  # what stands where a text is what was said


class Source(NamedTuple):
    """A text on its way into a pack.

    `raw_bytes` is what was said, before any abridging; `schema` the text of its schema; `may_fade` whether it may be
    abridged; `fidelity` three bytes where it was abridged before.
    """

    ordinal: int
    text: str
    raw_bytes: int
    schema: str | None = None
    may_fade: bool = False
    fidelity: bytes | None = None


class Abridged(NamedTuple):
    """A text that a pack holds shorter than it was: its ordinal, what was, what is, and how close the two are."""

    ordinal: int
    before: str
    after: str
    fidelity: Fidelity


class Condensed(NamedTuple):
    """A pack, and what is known of it without reading it.

    `ordinals` u8[n] of its rows, `places` i8[n, 2]: offset and row of each, `codecs`: how many rows each has,
    `abridged`: what of it is shorter than it was.
    """

    pack: bytes
    ordinals: Column
    places: Column
    codecs: dict[str, int]
    abridged: list[Abridged]

    @property
    def faded(self) -> list[Faded]:
        """What was abridged, and how close each is to what was said."""
        return [(one.ordinal, one.fidelity) for one in self.abridged]


def condense(agent: str, tier_set: int, sources: Sequence[Source], *, guard: bool = True,
             dictionary: Dictionary | None = None) -> Condensed:
    """The pack of some texts.

    Args:
        agent: whose. tier_set: position in `shelving.SETS`, whose name is also that of its tier.
        sources: ascending ordinals. guard: the fact guard. dictionary: number and content of the agent's, if any.
    """
    name = SETS[tier_set]
    chosen: list[Source] = []
    abridged: list[Abridged] = []
    for group in _groups(sources):
        shorter = _abridged(agent, name, group, guard, dictionary)
        abridged += shorter
        texts = {one.ordinal: one for one in shorter}
        chosen += [source if source.ordinal not in texts else source._replace(
            text=texts[source.ordinal].after, fidelity=to_steps(texts[source.ordinal].fidelity)) for source in group]
    packed = _packed(agent, name, chosen, dictionary)
    return Condensed(packed.content, np.array([source.ordinal for source in chosen], np.uint64),
                     np.array(packed.places, np.int64).reshape(-1, 2), dict(Counter(packed.codecs)), abridged)


def _abridged(agent: str, name: str, group: Sequence[Source], guard: bool,
              dictionary: Dictionary | None) -> list[Abridged]:
    """What of a group is abridged: nothing where its ratio is reached without, or little is gained (rule 1)."""
    target, floors = limits.tier_ratios[name], limits.tier_fidelity_floors[name]
    if floors[0] >= 1.0 or not any(source.may_fade for source in group):
        return []
    lossless = len(_packed(agent, name, group, dictionary).content)
    if sum(source.raw_bytes for source in group) >= target * lossless:
        return []
    found: dict[int, Abridged] = {}
    for source in group:
        if not source.may_fade or source.schema is None or not may_fade(source.text):
            continue
        shorter = residual.abridge(source.text, source.schema, floors, guard=guard, keep_one=name == "cold")
        if shorter is not None and _saves(*(len(residual.encode(source.schema, text))
                                            for text in (source.text, shorter.text))):
            found[source.ordinal] = Abridged(source.ordinal, source.text, shorter.text, shorter.fidelity)
    lossy = [source._replace(text=found[source.ordinal].after, fidelity=to_steps(found[source.ordinal].fidelity))
             if source.ordinal in found else source for source in group]
    if not found or not _saves(lossless, len(_packed(agent, name, lossy, dictionary).content)):
        return []
    return list(found.values())


def _saves(before: int, after: int) -> bool:
    return after <= (1.0 - limits.lossy_gain_min) * before


def _packed(agent: str, name: str, sources: Sequence[Source], dictionary: Dictionary | None) -> EncodedPack:
    schemas: dict[str, int] = {}
    rows = []
    for source in sources:
        if source.schema is None:
            rows.append(Row(source.ordinal, source.text.encode(), fidelity=source.fidelity))
            continue
        number = schemas.setdefault(source.schema, len(schemas))
        rows.append(Row(source.ordinal, source.text.encode(), residual.encode(source.schema, source.text), number,
                        source.fidelity))
    return encode_pack(agent, rows, tier_set=name, schemas=[schema.encode() for schema in schemas],
                       dictionary=dictionary)


def _groups(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """About a dense block each: what is decided for one does not depend on the rest of the pack."""
    group: list[Source] = []
    size = 0
    for source in sources:
        group.append(source)
        size += source.raw_bytes
        if size >= limits.pack_small_bytes:
            yield group
            group, size = [], 0
    if group:
        yield group
