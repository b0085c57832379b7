"""The shipped prior: what is usually said, so that a small store does not have to say it again.

1. The prior is 31 KB of sentences in `prior.txt`. A block that is coded behind it costs only what it adds; the store
   pays nothing for the prior.
2. Adaptive coders are *primed*: they read the prior, then the block, and only what the block adds is kept. Brotli's
   state depends on how the prior was written, not only on what it says; so that is shipped too (`prior.main.br`,
   `prior.spelled.br`), and where this brotli would write it otherwise, a block does without.
3. Blocks on disk need these files: they never change. Another prior would be another file with codecs of its own.

Written for this project: notes of an assistant and of developers, small talk, rare words spelled out.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import brotli  # type: ignore[import-untyped]

from hippo.codec.record import Damaged
from hippo.codec.words import Streams, split

BROTLI_LEVEL = 11


@lru_cache(maxsize=1)
def prior() -> Streams:
    """The prior as the word transform gives it; a row of a block may follow."""
    text = files("hippo.codec").joinpath("prior.txt").read_bytes()
    streams = split(text.replace(b"\n", b"\0"))
    return streams._replace(spelled=streams.spelled + b"\0")


@lru_cache(maxsize=2)
def shipped(stream: str) -> bytes:
    """A stream of the prior as brotli wrote it, once and for all; empty where that was not worth it."""
    name = f"prior.{stream}.br"
    return files("hippo.codec").joinpath(name).read_bytes() if stream in ("main", "spelled") else b""


def written(stream: str) -> bytes:
    """A stream of the prior as this brotli writes it: what is shipped, or nothing can be coded behind it."""
    return _head(brotli.Compressor(quality=BROTLI_LEVEL), stream)


def encode_behind(plain: bytes, stream: str) -> bytes | None:
    """What brotli adds for a block after the prior; None where this brotli writes the prior in another way."""
    compressor = brotli.Compressor(quality=BROTLI_LEVEL)
    if _head(compressor, stream) != shipped(stream):
        return None
    added: bytes = compressor.process(plain) + compressor.finish()
    return added


def decode_behind(added: bytes, stream: str) -> bytes:
    """The block again.

    Raises:
        Damaged: it was not coded behind the prior.
    """
    try:
        both: bytes = brotli.decompress(shipped(stream) + added)
    except brotli.error as error:
        raise Damaged(f"brotli cannot read it behind the prior ({error})") from error
    return both[len(getattr(prior(), stream)):]


def _head(compressor: brotli.Compressor, stream: str) -> bytes:
    head: bytes = compressor.process(getattr(prior(), stream)) + compressor.flush()
    return head
