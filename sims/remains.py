"""What the files of a store still say: their bytes as they lie there, and everything that compression hides.

For whoever wants to prove that something is in no file: `holding` names the files in which it stands all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from hippo.codec.block import decode_block, plain_content
from hippo.codec.dictionary import decode_dictionary
from hippo.codec.record import Damaged
from hippo.store.disk import Disk
from hippo.store.index import decode_index
from hippo.store.packs import DICTIONARY_PREFIX, PREFIX, Dictionaries, read_pack, text_of
from hippo.store.recover import INDEX, INDEX_COPY


def remains(disk: Disk) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every file, and once more for every part of one that had to be decoded."""
    dictionaries = Dictionaries(disk)
    for name in disk.names():
        content = disk.read(name)
        yield name, content
        if name.startswith(PREFIX):
            yield from ((name, plain) for plain in _of_pack(content, dictionaries))
        elif name.startswith(DICTIONARY_PREFIX):
            yield name, decode_dictionary(content)
        elif name in (INDEX, INDEX_COPY):
            try:
                snapshot, _ = decode_index(content)
            except Damaged:
                continue
            yield name, msgspec.msgpack.encode([snapshot.strings, snapshot.state])


def _of_pack(content: bytes, dictionaries: Dictionaries) -> Iterator[bytes]:
    """The content of each block, chunks included, and its texts: residuals say less than they mean."""
    for block in read_pack(0, content).blocks:
        try:
            yield plain_content(content, block, dictionaries)
            if block.schemas:
                yield from (text_of(held).encode() for held in decode_block(content, block, dictionaries))
        except Damaged:
            continue


def holding(disk: Disk, words: Collection[str]) -> dict[str, list[str]]:
    """Those words that stand in some file, each with the names of these files."""
    found: dict[str, list[str]] = {}
    wanted = {word: word.encode() for word in words}
    if wanted:
        for name, content in remains(disk):
            for word, encoded in wanted.items():
                if encoded in content and name not in found.setdefault(word, []):
                    found[word].append(name)
    return {word: names for word, names in sorted(found.items()) if names}
