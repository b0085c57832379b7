"""The table of codecs: lossless, bytes in, bytes out.

1. A codec is registered once, under a name people see and a number the disk keeps; neither is ever reused.
2. Decoding what was encoded gives it back exactly; decoding anything else raises `Damaged`, or returns bytes that the
   caller's checksum refuses: checksums are checked *before* a decoder sees a byte.
3. `TIER_CODECS` says what a tier tries; the smallest output wins, the earlier one where two are equal.

The compressors release the interpreter lock. zstd frames are written without their magic: the table says what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import lz4.block  # type: ignore[import-untyped]
import zstandard

from hippo.codec.record import Damaged


class Codec(NamedTuple):
    """One way to write bytes more shortly. `decode` also takes the length of what comes out."""

    name: str
    number: int
    encode: Callable[[bytes], bytes]
    decode: Callable[[bytes, int], bytes]


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


def encode_smallest(plain: bytes, names: Sequence[str]) -> tuple[Codec, bytes]:
    """`plain` in the codec of `names` that makes it smallest; the earliest of equals."""
    tried = [(codec, codec.encode(plain)) for codec in (_by_name[name] for name in names)]
    return min(tried, key=lambda one: len(one[1]))


def decode(number: int, stored: bytes, plain_bytes: int) -> bytes:
    """What was encoded.

    Args:
        plain_bytes: how many bytes come out.

    Raises:
        Damaged: it cannot be decoded to that many bytes.
    """
    codec = codec_numbered(number)
    try:
        plain = codec.decode(stored, plain_bytes)
    except (brotli.error, lz4.block.LZ4BlockError, zstandard.ZstdError, ValueError, MemoryError) as error:
        raise Damaged(f"{codec.name} cannot read it ({error})") from error
    if len(plain) != plain_bytes:
        raise Damaged(f"{codec.name} gives {len(plain)} bytes instead of {plain_bytes}")
    return plain


def zstd(level: int) -> Callable[[bytes], bytes]:
    """A compressor of one level. Its context lives for one call: contexts must not be shared between threads."""
    magicless = zstandard.FORMAT_ZSTD1_MAGICLESS

    def encode(plain: bytes) -> bytes:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level, source_size=len(plain), format=magicless, write_content_size=False)
        return zstandard.ZstdCompressor(compression_params=parameters).compress(plain)

    return encode


def unzstd(stored: bytes, plain_bytes: int) -> bytes:
    """The inverse of every `zstd(level)`."""
    decompressor = zstandard.ZstdDecompressor(format=zstandard.FORMAT_ZSTD1_MAGICLESS)
    return decompressor.decompress(stored, max_output_size=plain_bytes) if plain_bytes else b""


register_codec(Codec("raw", 0, bytes, lambda stored, _: bytes(stored)))
register_codec(Codec("lz4", 1, lambda plain: lz4.block.compress(plain, store_size=True),
                     lambda stored, _: lz4.block.decompress(stored)))
register_codec(Codec("zstd-3", 2, zstd(3), unzstd))
register_codec(Codec("zstd-19", 3, zstd(19), unzstd))
register_codec(Codec("brotli-11", 4, lambda plain: brotli.compress(plain, mode=brotli.MODE_TEXT, quality=11),
                     lambda stored, _: brotli.decompress(stored)))

TIER_CODECS: dict[str, tuple[str, ...]] = {"hot": ("raw", "lz4"), "warm": ("zstd-19", "brotli-11")}
SEAL_CODECS = ("zstd-19", "brotli-11")
