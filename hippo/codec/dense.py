"""Texts as words, each of their streams in a coder that suits it: the densest of what is tried.

1. A block is, for each of the four streams of `words`, a varint of its length times eight plus the number of its
   coder, for PPMd a varint of how many bytes come out, and then what the coders wrote, one after the other.
2. `main` and `spelled` are language: coded behind what is known already, the shipped prior or a dictionary of the
   store. `which` and `digits` are close to noise: brotli, or all digits as one number, whichever is shorter.
3. Every way decodes by itself and is told by its numbers alone: which of them was chosen, and why, is nobody's concern
   when reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import brotli  # type: ignore[import-untyped]
import zstandard

from hippo.codec import ppmd
from hippo.codec.columns import encode_varints, read_varints
from hippo.codec.compression import Codec, register_codec
from hippo.codec.prior import BROTLI_LEVEL, decode_behind, encode_behind, prior
from hippo.codec.record import Damaged
from hippo.codec.words import Streams, join, split
from hippo.limits import decimal_digits_max, ppmd_bytes_max

RAW, BROTLI, BROTLI_PRIOR, PPMD, PPMD_PRIOR, ZSTD_DICTIONARY, PPMD_DICTIONARY, DECIMAL = range(8)
_NOISE = {"which": (RAW, BROTLI), "digits": (RAW, BROTLI, DECIMAL)}
_MAGICLESS = zstandard.FORMAT_ZSTD1_MAGICLESS
_ZSTD_LEVEL = 19
_words = lru_cache(maxsize=2)(split)  # several codecs are tried on one text


def is_wordy(plain: bytes) -> bool:
    """Whether most of a text is words with a code: then nothing makes it as short as what is here."""
    return 2 * sum(map(len, _words(plain))) < len(plain)


def _encoder(*coders: int) -> Callable[[bytes, bytes], bytes | None]:
    """How a text is written with the best of these coders for its language."""
    def encode(plain: bytes, dictionary: bytes) -> bytes | None:
        heads, bodies = [], []
        for name, stream in _words(plain)._asdict().items():
            way = _shortest(stream, name, _NOISE.get(name, coders), dictionary)
            if way is None:
                return None
            heads.append(way[0])
            bodies.append(way[1])
        return b"".join(heads + bodies)

    return encode


def decode(stored: bytes, plain_bytes: int, dictionary: bytes) -> bytes:
    """The text again; raises Damaged where it is none."""
    heads = []
    at = 0
    for _ in Streams._fields:
        (number,), at = read_varints(stored, at, 1)
        coder, size = number & 7, 0
        if coder in (PPMD, PPMD_PRIOR, PPMD_DICTIONARY):
            (size,), at = read_varints(stored, at, 1)
        heads.append((coder, number >> 3, size))
    streams = []
    for name, (coder, length, size) in zip(Streams._fields, heads, strict=True):
        streams.append(_decoded(stored[at:at + length], coder, name, size, plain_bytes, dictionary))
        at += length
    return join(Streams(*streams))


def _shortest(stream: bytes, name: str, coders: tuple[int, ...], dictionary: bytes) -> tuple[bytes, bytes] | None:
    """The shortest of what the coders write for a stream, its head and its body; None where none of them can."""
    if not stream:
        return b"\0", b""
    ways = []
    for coder in coders:
        body = _encoded(stream, coder, name, dictionary)
        if body is None and coder == BROTLI_PRIOR:
            coder, body = BROTLI, _encoded(stream, BROTLI, name, dictionary)
        if body is not None:
            size = [len(stream)] if coder in (PPMD, PPMD_PRIOR, PPMD_DICTIONARY) else []
            ways.append((encode_varints([len(body) << 3 | coder, *size]), body))
    return min(ways, key=lambda way: len(way[0]) + len(way[1]), default=None)


def _encoded(stream: bytes, coder: int, name: str, dictionary: bytes) -> bytes | None:
    if coder == BROTLI:
        written: bytes = brotli.compress(stream, quality=BROTLI_LEVEL)
        return written
    if coder == BROTLI_PRIOR:
        return encode_behind(stream, name)
    if coder in (PPMD, PPMD_PRIOR, PPMD_DICTIONARY):
        return ppmd.encode(stream, _known(coder, name, dictionary, len(stream)))
    if coder == ZSTD_DICTIONARY:
        known = _zstd_dictionary(dictionary, name)
        parameters = zstandard.ZstdCompressionParameters.from_level(
            _ZSTD_LEVEL, source_size=len(stream), dict_size=len(known), format=_MAGICLESS, write_content_size=False,
            write_dict_id=False)
        return zstandard.ZstdCompressor(compression_params=parameters, dict_data=known).compress(stream)
    if coder == DECIMAL:
        return _packed(stream) if len(stream) <= decimal_digits_max else None
    return stream


def _decoded(body: bytes, coder: int, name: str, size: int, plain_bytes: int, dictionary: bytes) -> bytes:
    if coder == BROTLI:
        written: bytes = brotli.decompress(body)
        return written
    if coder == BROTLI_PRIOR:
        return decode_behind(body, name)
    if coder in (PPMD, PPMD_PRIOR, PPMD_DICTIONARY):
        return ppmd.decode(body, size, _known(coder, name, dictionary, size))
    if coder == ZSTD_DICTIONARY:
        decompressor = zstandard.ZstdDecompressor(dict_data=_zstd_dictionary(dictionary, name), format=_MAGICLESS)
        return decompressor.decompress(body, max_output_size=2 * plain_bytes + 64)  # a mark and an index for each byte
    return _unpacked(body) if coder == DECIMAL else body


def _known(coder: int, name: str, dictionary: bytes, size: int) -> bytes:
    """What PPMd reads before a stream of some size: as much of its end as the model has room for."""
    if coder == PPMD:
        return b""
    known: bytes = getattr(prior() if coder == PPMD_PRIOR else _dictionary_streams(dictionary), name)
    return known[-max(ppmd_bytes_max - size, 1):]


@lru_cache(maxsize=4)
def _dictionary_streams(dictionary: bytes) -> Streams:
    streams = split(dictionary)
    return streams._replace(main=streams.main + b"\0", spelled=streams.spelled + b"\0")


@lru_cache(maxsize=8)
def _zstd_dictionary(dictionary: bytes, name: str) -> zstandard.ZstdCompressionDict:
    known = getattr(prior(), name) + getattr(_dictionary_streams(dictionary), name)
    return zstandard.ZstdCompressionDict(known, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _packed(digits: bytes) -> bytes:
    """Digits as one number behind a 1, so that leading zeros count."""
    number = int(b"1" + digits)
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def _unpacked(packed: bytes) -> bytes:
    number = int.from_bytes(packed, "little")
    if number.bit_length() > 4 * decimal_digits_max:
        raise Damaged("a number with too many digits")
    return str(number)[1:].encode()


register_codec(Codec("words+brotli-11", 11, _encoder(BROTLI_PRIOR), decode))
register_codec(Codec("words+ppmd-6", 12, _encoder(PPMD_PRIOR, PPMD), decode))
register_codec(Codec("words+zstd-19+dictionary", 13, _encoder(ZSTD_DICTIONARY), decode, takes_dictionary=True))
register_codec(Codec("words+ppmd-6+dictionary", 14, _encoder(PPMD_DICTIONARY), decode, takes_dictionary=True))
