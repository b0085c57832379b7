"""Traces: where on the disk a text, or a part of it, can still be found.

1. A pack holds a trace where one of its blocks has a row of the memory, living or dead, or a copy of its text as a
   schema; one that is damaged may. Where nobody knows any more what the memory said, any pack may.
2. A dictionary, or a piece of damaged bytes, holds one where it contains a word of the text that is no everyday word,
   or a longer part of it: what everybody says tells nothing of anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hippo.codec.block import Block, Folded, decode_block
from hippo.codec.dictionary import decode_dictionary
from hippo.codec.record import Damaged
from hippo.codec.vocabulary import vocabulary
from hippo.limits import trace_bytes, trace_word_bytes
from hippo.store.disk import Disk
from hippo.store.packs import Dictionaries, dictionary_name, pack_name, read_pack
from hippo.text.pieces import pieces


def traced_packs(disk: Disk, packs: Sequence[int], ordinals: Collection[int],
                 texts: Sequence[bytes] | None) -> list[int]:
    """Which of some packs hold a trace of memories.

    Args:
        texts: what they say and said; None where that is not known.
    """
    if texts is None:
        return list(packs)
    wanted, found = set(ordinals), []
    for number in packs:
        try:
            pack = read_pack(number, disk.read(pack_name(number)))
        except FileNotFoundError:
            continue
        if pack.preamble_damage or pack.block_damage or not wanted.isdisjoint(pack.ordinals.tolist()) or any(
                block.schemas and _copies(pack.content, block, disk, texts) for block in pack.blocks):
            found.append(number)
    return found


def _copies(content: bytes, block: Block, disk: Disk, texts: Sequence[bytes]) -> bool:
    try:
        held = decode_block(content, block, Dictionaries(disk))
    except Damaged:
        return True
    return any(isinstance(row, Folded) and row.schema in texts for row in held)


def traced_dictionaries(disk: Disk, numbers: Sequence[int], texts: Sequence[bytes] | None) -> list[int]:
    """Which of some dictionaries hold a trace of texts; all of them where the texts are not known."""
    if texts is None:
        return list(numbers)
    found = []
    for number in numbers:
        try:
            content = decode_dictionary(disk.read(dictionary_name(number)))
        except (Damaged, FileNotFoundError):
            found.append(number)
            continue
        if any(is_traced(text, content) for text in texts):
            found.append(number)
    return found


def is_traced(text: bytes, content: bytes) -> bool:
    """Whether some bytes hold a part of a text that tells something of it."""
    everyday = vocabulary().codes
    words = {piece.encode() for piece in pieces(text.decode(errors="replace"))}
    if any(word in content for word in words
           if len(word) >= trace_word_bytes and word not in everyday and word.lower() not in everyday):
        return True
    return any(text[start:start + trace_bytes] in content for start in range(0, len(text) - trace_bytes + 1))
