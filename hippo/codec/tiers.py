"""What each set of packs tries.

1. A set tries every codec of its row; the smallest output wins, the earlier one where two are equal.
2. Clear losers are not run. A codec has a *reach*: the smallest share of zstd-3's output that it came down to on some
   twenty kinds of content, from babble to base64. One that could not beat what was found already by reaching it again
   is passed over; the rows put first what usually wins. In text of known words nothing but the word transform reaches
   far. What is short is tried with everything: it costs nothing.
3. What only stands in for another one, which is denser where it can be had at all, is passed over where it can: the
   word transform with brotli for that with PPMd or with a dictionary.
4. *warm* holds what has to be read in microseconds (hot lies there too), *cool* and *cold* what may take milliseconds,
   *original* the exact texts of abridged memories.
"""

from __future__ import annotations

from hippo.codec import dense
from hippo.codec.compression import Codec, codec_named, encode
from hippo.limits import probe_bytes_min

TIER_SETS = ("warm", "cool", "cold", "original")
_QUICK = ("words+zstd-19+dictionary", "words+brotli-11", "brotli-11", "zstd-19+dictionary", "deflate-9+dictionary",
          "zstd-19", "brotli-5", "zstd-3", "lz4", "raw")
_DENSE = ("words+ppmd-6+dictionary", "words+ppmd-6", "words+zstd-19+dictionary", "words+brotli-11", "ppmd-6",
          "brotli-11", "lzma-9", "zstd-19+dictionary", "deflate-9+dictionary", "zstd-19", "deflate-9", "raw")
TIER_CODECS: dict[str, tuple[str, ...]] = {
    "hot": ("lz4", "raw"), "warm": _QUICK, "cool": _DENSE, "cold": _DENSE, "original": _DENSE}
_PROBE = "zstd-3"
_REACH = {"brotli-11": 0.6, "zstd-19": 0.6, "lzma-9": 0.6, "deflate-9": 0.7, "brotli-5": 0.8, "zstd-3": 1.0, "lz4": 1.0,
          "ppmd-6": 0.4}
_REACH_IN_WORDS = 0.75
_STANDS_IN = {"words+brotli-11": {"words+ppmd-6", "words+zstd-19+dictionary"},
              "words+zstd-19+dictionary": {"words+ppmd-6+dictionary"}}


def encode_for(tier_set: str, plain: bytes, dictionary: bytes = b"") -> tuple[Codec, bytes]:
    """`plain` in the codec of a set that makes it smallest.

    Args:
        tier_set: a key of TIER_CODECS.
        dictionary: what resembles it; empty for none.
    """
    probe, floor = 0, 0.0
    if len(plain) >= probe_bytes_min:
        probe = len(encode(_PROBE, plain) or b"")
        floor = _REACH_IN_WORDS if dense.is_wordy(plain) else 0.0
    found: dict[str, bytes] = {}
    for name in TIER_CODECS[tier_set]:
        if found.keys() & _STANDS_IN.get(name, set()):
            continue
        if found and name in _REACH and probe and max(_REACH[name], floor) * probe >= min(map(len, found.values())):
            continue
        if (stored := encode(name, plain, dictionary)) is not None:
            found[name] = stored
    best = min(found, key=lambda name: len(found[name]))
    return codec_named(best), found[best]
