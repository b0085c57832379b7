"""Dictionaries: the rows of a store that say most of what its other rows say again.

1. A dictionary is some whole texts of one agent, NUL-separated, the most telling last, where a coder reaches it most
   cheaply. It is at most a sixth of the raw corpus, and within limits; a store that is too small for one has none.
2. Training is a function of the samples: the same ones give the same dictionary.
3. It is worth what it saves in blocks beyond the bytes it takes itself, measured by writing some of them. What it says
   itself is saved once, however large the store.
4. The file of a dictionary is checked as a whole. A dictionary holds raw text: where that is forgotten, it goes too.

Rows are chosen greedily by what they cover: grams of the word transform that others have as well and no chosen row has
yet, for each byte of the row (the greedy rule for a weighted maximum coverage; lazily evaluated as by Minoux 1978).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from struct import Struct as Layout

from hippo.codec.columns import encode_varints, read_varints
from hippo.codec.compression import decode
from hippo.codec.record import Damaged, checksum
from hippo.codec.tiers import encode_for
from hippo.codec.words import split
from hippo.limits import (
    dictionary_bytes_max,
    dictionary_bytes_min,
    dictionary_gram_bytes,
    dictionary_rows_max,
    dictionary_share,
    warm_block_bytes,
)

_MAGIC = b"HIPD"
_CHECK = Layout("<I")
_SET = "warm"  # its file is read by whoever reads any block that names it
_ROW_COST_BYTES = 8
_BLOCKS_WEIGHED = 4


def train(samples: Sequence[bytes], raw_bytes_total: int) -> bytes:
    """The dictionary of a store.

    Args:
        samples: texts of one agent, all of them or a fair share.
        raw_bytes_total: of all its texts.

    Returns:
        The dictionary, empty where none is worth having.
    """
    room = min(dictionary_bytes_max, raw_bytes_total // dictionary_share)
    if room < dictionary_bytes_min:
        return b""
    rows = list(dict.fromkeys(samples[::-(-len(samples) // dictionary_rows_max)] if samples else ()))
    grams = [_grams(row) for row in rows]
    shared = Counter(gram for each in grams for gram in each)
    covered: set[bytes] = set()

    def worth_of(at: int) -> float:
        return sum(shared[gram] - 1 for gram in grams[at] if gram not in covered) / (len(rows[at]) + _ROW_COST_BYTES)

    waiting = [(-worth_of(at), at) for at in range(len(rows))]
    heapq.heapify(waiting)
    chosen: list[bytes] = []
    while waiting:
        promised, at = heapq.heappop(waiting)
        actual = worth_of(at)  # what others cover by now can only have made it less
        if actual < -promised:
            heapq.heappush(waiting, (-actual, at))
        elif actual > 0 and len(rows[at]) < room:
            chosen.append(rows[at])
            covered |= grams[at]
            room -= len(rows[at]) + 1
    return b"\0".join(reversed(chosen))


def worth(dictionary: bytes, samples: Sequence[bytes], raw_bytes_total: int) -> int:
    """How many bytes a dictionary saves beyond its own; negative where it costs more than it brings.

    Args:
        samples: texts of the agent in the order they lie in, enough for some blocks.
        raw_bytes_total: of all its texts.
    """
    own = set(dictionary.split(b"\0"))
    joined = b"\0".join(row for row in samples if row not in own)
    step = max(len(joined) // _BLOCKS_WEIGHED, 1)
    pieces = [piece for at in range(0, len(joined), step) if (piece := joined[at:at + min(step, warm_block_bytes)])]
    others = max(raw_bytes_total - len(dictionary), 0)
    saved = sum(_saved(piece, dictionary) for piece in pieces) * others // max(sum(map(len, pieces)), 1)
    return saved + _saved(dictionary, dictionary) - len(encode_dictionary(dictionary))


def encode_dictionary(dictionary: bytes) -> bytes:
    """The file of a dictionary."""
    codec, stored = encode_for(_SET, dictionary)
    body = bytes((codec.number,)) + encode_varints([len(dictionary)]) + stored
    return _MAGIC + _CHECK.pack(checksum(body, checksum(_MAGIC))) + body


def decode_dictionary(content: bytes) -> bytes:
    """The dictionary of a file.

    Raises:
        Damaged: it is not what was written.
    """
    at = len(_MAGIC) + _CHECK.size
    body = content[at:]
    if len(body) < 2 or content[:len(_MAGIC)] != _MAGIC or _CHECK.unpack_from(content, len(_MAGIC))[0] != checksum(
            body, checksum(_MAGIC)):
        raise Damaged("a dictionary that is damaged")
    (plain_bytes,), start = read_varints(body, 1, 1)
    return decode(body[0], body[start:], plain_bytes)


def _saved(piece: bytes, dictionary: bytes) -> int:
    return len(encode_for(_SET, piece)[1]) - len(encode_for(_SET, piece, dictionary)[1])


def _grams(row: bytes) -> set[bytes]:
    main = split(row).main
    return {main[at:at + dictionary_gram_bytes] for at in range(len(main) - dictionary_gram_bytes + 1)}
