"""Packs as files: reading one after any damage, with the dictionaries that lie beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hippo.codec.block import Block, Folded, Held, block_at, fidelity_of, next_block, ordinals_of
from hippo.codec.dictionary import decode_dictionary
from hippo.codec.pack import Preamble, preamble_at, tail_preamble
from hippo.codec.record import Damaged
from hippo.codec.tiers import TIER_SETS
from hippo.limits import dictionaries_kept_max
from hippo.store.disk import Disk
from hippo.text import residual

PREFIX, DICTIONARY_PREFIX = "pack-", "dict-"
ORIGINAL = "original"  # the set of packs that keep what was abridged: none of them is read for what a memory says
FIDELITY = ("rouge_l", "char_similarity", "semantic")


class PackFacts(NamedTuple):
    """A pack in figures. `agent` is `lost+found` where both preambles are lost.

    `codecs` has the rows of each codec, `dictionaries` the numbers of those it needs.
    """

    number: int
    agent: str
    rows: int
    raw_bytes: int
    stored_bytes: int
    tier_set: str
    codecs: dict[str, int]
    dictionaries: tuple[int, ...]


@dataclass
class Pack:
    """A pack as it was read: its intact blocks, the ordinals of all their rows, and what is wrong, in sentences.

    `preambles`: which of the two are intact.
    """

    number: int
    content: bytes
    preamble: Preamble | None
    preambles: tuple[bool, bool]
    blocks: list[Block] = field(default_factory=list)
    ordinals: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, "u8"))
    preamble_damage: list[str] = field(default_factory=list)
    block_damage: list[str] = field(default_factory=list)

    @property
    def facts(self) -> PackFacts:
        """Its figures."""
        # An agent that nobody can name any more must not be taken for one that somebody asks for.
        known = self.preamble
        codecs: Counter[str] = Counter()
        for block in self.blocks:
            codecs[block.codec_name] += block.rows
        return PackFacts(
            self.number, known.agent if known else "lost+found", sum(block.rows for block in self.blocks),
            sum(block.raw_bytes for block in self.blocks), len(self.content), known.tier_set if known else TIER_SETS[0],
            dict(+codecs), tuple(sorted({block.dictionary for block in self.blocks} - {0})))

    def places(self) -> dict[str, NDArray[Any]]:
        """Columns ordinal u8, file u4, offset u4, row u2 and u1 for each of FIDELITY of its rows."""
        rows = np.array([block.rows for block in self.blocks], "i8")
        starts = np.cumsum(rows) - rows
        return {
            "ordinal": self.ordinals, "file": np.full(len(self.ordinals), self.number, "u4"),
            "offset": np.repeat(np.array([block.offset for block in self.blocks], "u4"), rows),
            "row": (np.arange(len(self.ordinals)) - np.repeat(starts, rows)).astype("u2"),
            **dict(zip(FIDELITY, fidelity_of(self.blocks).T, strict=True))}


class Dictionaries(Mapping[int, bytes]):
    """The dictionaries of a folder by number, each read when it is first asked for.

    A missing one is a KeyError, a damaged one raises Damaged.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._kept: dict[int, bytes] = {}

    def __getitem__(self, number: int) -> bytes:
        if number not in self._kept:
            try:
                content = self._disk.read(dictionary_name(number))
            except FileNotFoundError:
                raise KeyError(number) from None
            if len(self._kept) >= dictionaries_kept_max:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = decode_dictionary(content)
        return self._kept[number]

    def __iter__(self) -> Iterator[int]:
        return iter(int(name[len(DICTIONARY_PREFIX):]) for name in self._disk.names()
                    if name.startswith(DICTIONARY_PREFIX) and name[len(DICTIONARY_PREFIX):].isdecimal())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def text_of(held: Held) -> str:
    """The text of a row, however it lies.

    Raises:
        Damaged: it is no text.
    """
    try:
        return residual.decode(held.schema.decode(), held.residual) if isinstance(held, Folded) else held.decode()
    except ValueError as error:
        raise Damaged(f"a row that is no text ({error})") from error


def dictionary_name(number: int) -> str:
    """The file of a dictionary."""
    return f"{DICTIONARY_PREFIX}{number:08d}"


def pack_name(number: int) -> str:
    """The file of a pack."""
    return f"{PREFIX}{number:08d}"


def read_pack(number: int, content: bytes) -> Pack:
    """All intact blocks of a pack."""
    name = pack_name(number)
    head, tail = preamble_at(content, 0), tail_preamble(content)
    known = head or tail
    pack = Pack(number, content, known, (head is not None, tail is not None))
    if known is None:
        pack.preamble_damage.append(f"{name}: both preambles are damaged; its agent is not known.")
    elif known.file_bytes != len(content):
        pack.preamble_damage.append(f"{name}: it has {len(content)} bytes instead of {known.file_bytes}.")
    elif head != tail:
        pack.preamble_damage.append(f"{name}: the preamble at its {'tail' if head else 'head'} is damaged.")
    at = known.own_bytes if known else 0
    end = len(content) - (tail.own_bytes if tail else 0)
    while at < end:
        block = block_at(content, at)
        if block is None:
            block = next_block(content, at + 1)
            stop = min(block.offset if block else end, end)
            # A preamble that is damaged was named above: what is left of it is not a block.
            if block or tail or known is None or len(pack.blocks) < known.blocks:
                pack.block_damage.append(f"{name}: bytes {at} to {stop} are damaged; the texts in them are lost.")
            if block is None:
                break
        pack.blocks.append(block)
        at = block.end
    lost = (known.blocks if known else 0) - len(pack.blocks)
    if lost > 0:
        pack.block_damage.append(f"{name}: {lost} of its {known.blocks if known else 0} blocks are lost.")
    try:
        pack.ordinals = ordinals_of(pack.blocks)
    except Damaged as error:
        pack.block_damage.append(f"{name}: {error}; none of its texts can be placed.")
        pack.blocks = []
    return pack
