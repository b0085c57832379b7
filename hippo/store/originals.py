"""Originals: what memories said before they were abridged, in packs of their own that nothing else is read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippo.codec.block import decode_block, ordinals_of
from hippo.codec.record import Damaged
from hippo.store.disk import Disk
from hippo.store.packs import Dictionaries, pack_name, read_pack, text_of


def original(disk: Disk, packs: Sequence[int], ordinal: int) -> str | None:
    """What a memory said before it was abridged, from the newest of these packs that has it; None where none has."""
    for number in sorted(packs, reverse=True):
        for known, text in originals_in(disk, number, ordinal):
            if known == ordinal:
                return text
    return None


def originals_in(disk: Disk, number: int, wanted: int | None = None) -> Iterator[tuple[int, str]]:
    """What a pack says, of all its blocks or of those that hold one ordinal; what is damaged is passed over."""
    try:
        pack = read_pack(number, disk.read(pack_name(number)))
    except OSError:
        return
    for block in pack.blocks:
        ordinals = ordinals_of([block]).tolist()
        if wanted is not None and wanted not in ordinals:
            continue
        try:
            yield from zip(ordinals, map(text_of, decode_block(pack.content, block, Dictionaries(disk))), strict=True)
        except Damaged:
            continue
