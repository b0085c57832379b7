"""The table of codecs: lossless, bytes in, bytes out.

1. A codec is registered once, under a name people see and a number the disk keeps; neither is ever reused.
2. Decoding what was encoded gives it back exactly; decoding anything else raises `Damaged`, or returns bytes that the
   caller's checksum refuses: checksums are checked *before* a decoder sees a byte.
3. A codec that needs an extra that is not there, or a dictionary that was not given, is passed over.
4. The smallest output wins, the earlier one where two are equal. What a set of packs tries is in `tiers`.

The compressors release the interpreter lock. zstd frames are written without their magic: the table says what they are.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import lz4.block  # type: ignore[import-untyped]
import zstandard

from hippo.codec import ppmd
from hippo.codec.record import Damaged

_MAGICLESS = zstandard.FORMAT_ZSTD1_MAGICLESS
_LZMA = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0, "dict_size": 1 << 20}]
_DEFLATE_LEVEL, _DEFLATE_RAW, _DEFLATE_MEMORY = 9, -15, 9


class Codec(NamedTuple):
    """One way to write bytes more shortly.

    `encode` takes what it writes and a dictionary, and gives None where it cannot; `decode` also takes the length of
    what comes out. `takes_dictionary`: it needs one that is not empty.
    """

    name: str
    number: int
    encode: Callable[[bytes, bytes], bytes | None]
    decode: Callable[[bytes, int, bytes], bytes]
    takes_dictionary: bool = False


_by_name: dict[str, Codec] = {}
_by_number: dict[int, Codec] = {}


def register_codec(codec: Codec) -> None:
    """Add a codec to the table.

    Raises:
        ValueError: its name or its number is taken, or the number does not fit a byte.
    """
    if codec.name in _by_name or codec.number in _by_number or not 0 <= codec.number <= 255:
        raise ValueError(f"there cannot be a codec {codec.name} with number {codec.number}")
    _by_name[codec.name] = _by_number[codec.number] = codec


def codec_named(name: str) -> Codec:
    """The codec with a name; KeyError where there is none."""
    return _by_name[name]


def codec_numbered(number: int) -> Codec:
    """The codec with a number.

    Raises:
        Damaged: there is none; a later release may know it.
    """
    if number not in _by_number:
        raise Damaged(f"codec {number} is not known to this release")
    return _by_number[number]


def encode_smallest(plain: bytes, names: Sequence[str], dictionary: bytes = b"") -> tuple[Codec, bytes]:
    """`plain` in the codec of `names` that makes it smallest; the earliest of equals. One of them must be possible."""
    tried = [(_by_name[name], stored) for name in names if (stored := encode(name, plain, dictionary)) is not None]
    return min(tried, key=lambda one: len(one[1]))


def encode(name: str, plain: bytes, dictionary: bytes = b"") -> bytes | None:
    """`plain` in the codec with a name; None where that needs a dictionary, or something else, that is not there."""
    codec = _by_name[name]
    if not codec.takes_dictionary:
        return codec.encode(plain, b"")
    return codec.encode(plain, dictionary) if dictionary else None


def decode(number: int, stored: bytes, plain_bytes: int, dictionary: bytes = b"") -> bytes:
    """What was encoded.

    Args:
        plain_bytes: how many bytes come out.
        dictionary: what it was encoded with.

    Raises:
        Damaged: it cannot be decoded to that many bytes.
    """
    codec = codec_numbered(number)
    try:
        plain = codec.decode(stored, plain_bytes, dictionary if codec.takes_dictionary else b"")
    except (brotli.error, lz4.block.LZ4BlockError, lzma.LZMAError, zlib.error, zstandard.ZstdError, ValueError,
            MemoryError) as error:
        raise Damaged(f"{codec.name} cannot read it ({error})") from error
    if len(plain) != plain_bytes:
        raise Damaged(f"{codec.name} gives {len(plain)} bytes instead of {plain_bytes}")
    return plain


def zstd(level: int) -> Callable[[bytes, bytes], bytes]:
    """A compressor of one level. Its context lives for one call: contexts must not be shared between threads."""
    def encode(plain: bytes, dictionary: bytes) -> bytes:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level, source_size=len(plain), dict_size=len(dictionary), format=_MAGICLESS, write_content_size=False,
            write_dict_id=False)
        known = _zstd_dictionary(dictionary) if dictionary else None
        return zstandard.ZstdCompressor(compression_params=parameters, dict_data=known).compress(plain)

    return encode


def _unzstd(stored: bytes, plain_bytes: int, dictionary: bytes) -> bytes:
    known = _zstd_dictionary(dictionary) if dictionary else None
    decompressor = zstandard.ZstdDecompressor(dict_data=known, format=_MAGICLESS)
    return decompressor.decompress(stored, max_output_size=plain_bytes) if plain_bytes else b""


@lru_cache(maxsize=4)
def _zstd_dictionary(dictionary: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _brotli(quality: int) -> Callable[[bytes, bytes], bytes]:
    def encode(plain: bytes, dictionary: bytes) -> bytes:
        written: bytes = brotli.compress(plain, mode=brotli.MODE_TEXT, quality=quality)
        return written

    return encode


def _unbrotli(stored: bytes, plain_bytes: int, dictionary: bytes) -> bytes:
    written: bytes = brotli.decompress(stored)
    return written


def _deflate(plain: bytes, dictionary: bytes) -> bytes:
    compressor = zlib.compressobj(_DEFLATE_LEVEL, zlib.DEFLATED, _DEFLATE_RAW, _DEFLATE_MEMORY,
                                  zlib.Z_DEFAULT_STRATEGY, zdict=dictionary)
    return compressor.compress(plain) + compressor.flush()


def _inflate(stored: bytes, plain_bytes: int, dictionary: bytes) -> bytes:
    return zlib.decompressobj(_DEFLATE_RAW, dictionary).decompress(stored, plain_bytes + 1)


def _lzma(plain: bytes, dictionary: bytes) -> bytes:
    return lzma.compress(plain, format=lzma.FORMAT_RAW, filters=_LZMA)


def _unlzma(stored: bytes, plain_bytes: int, dictionary: bytes) -> bytes:
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_LZMA).decompress(stored, plain_bytes + 1)


register_codec(Codec("raw", 0, lambda plain, _: bytes(plain), lambda stored, _, __: bytes(stored)))
register_codec(Codec("lz4", 1, lambda plain, _: lz4.block.compress(plain, store_size=True),
                     lambda stored, _, __: lz4.block.decompress(stored)))
register_codec(Codec("zstd-3", 2, zstd(3), _unzstd))
register_codec(Codec("zstd-19", 3, zstd(19), _unzstd))
register_codec(Codec("brotli-11", 4, _brotli(11), _unbrotli))
register_codec(Codec("brotli-5", 5, _brotli(5), _unbrotli))
register_codec(Codec("lzma-9", 6, _lzma, _unlzma))
register_codec(Codec("deflate-9", 7, _deflate, _inflate))
register_codec(Codec("ppmd-6", 8, lambda plain, _: ppmd.encode(plain),
                     lambda stored, size, _: ppmd.decode(stored, size)))
register_codec(Codec("zstd-19+dictionary", 9, zstd(19), _unzstd, takes_dictionary=True))
register_codec(Codec("deflate-9+dictionary", 10, _deflate, _inflate, takes_dictionary=True))
