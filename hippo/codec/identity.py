"""Ids: a memory's ordinal in the dress people see.

1. An id is 8 characters of Crockford's base32, 40 bits, and a bijection of the ordinal: nothing is stored for it.
2. The bijection is a Feistel network of six rounds keyed with the store's seed, so that ids do not tell how many
   memories there are, and two stores name theirs differently. It hides; it does not protect.
3. People mistype: lower case reads as upper, I and L as 1, O as 0.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hippo.limits import id_characters

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ORDINALS = 1 << 5 * id_characters
_HALF_BITS = 5 * id_characters // 2
_HALF = (1 << _HALF_BITS) - 1
_ROUNDS = 6
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9
_LETTERS = np.frombuffer(ALPHABET.encode("ascii"), "S1")
_VALUES = {character: value for value, character in enumerate(ALPHABET)}
_VALUES |= {character.lower(): value for character, value in _VALUES.items()}
_VALUES |= {"I": 1, "i": 1, "L": 1, "l": 1, "O": 0, "o": 0}


def id_of(ordinal: int, seed: int) -> str:
    """The id of an ordinal in the store with this seed.

    Args:
        ordinal: 0 … 2^40 - 1.
        seed: 64 bits.
    """
    assert 0 <= ordinal < ORDINALS
    left, right = ordinal >> _HALF_BITS, ordinal & _HALF
    for key in _keys(seed):
        left, right = right, left ^ _mix(right, key)
    value = left << _HALF_BITS | right
    return "".join(ALPHABET[value >> shift & 31] for shift in range(5 * id_characters - 5, -1, -5))


def ids_of(ordinals: NDArray[Any], seed: int) -> list[str]:
    """The ids of many ordinals at once, u8[n]."""
    left, right = ordinals.astype(np.uint64) >> np.uint64(_HALF_BITS), ordinals.astype(np.uint64) & np.uint64(_HALF)
    for key in _keys(seed):
        product = (right + np.uint64(key)) * np.uint64(_FIRST)  # modulo 2^64, as in `_mix`
        mixed = ((product ^ product >> np.uint64(29)) * np.uint64(_SECOND) >> np.uint64(23)) & np.uint64(_HALF)
        left, right = right, left ^ mixed
    value = left << np.uint64(_HALF_BITS) | right
    shifts = np.arange(5 * id_characters - 5, -1, -5, dtype=np.uint64)
    letters = _LETTERS[(value[:, None] >> shifts) & np.uint64(31)]
    return [name.decode("ascii") for name in letters.view(f"S{id_characters}").ravel().tolist()]


def ordinal_of(id: str, seed: int) -> int:
    """The ordinal an id stands for; whether a memory has it, the store knows.

    Raises:
        ValueError: it is no id at all.
    """
    if len(id) != id_characters:
        raise ValueError(f"an id has {id_characters} characters")
    value = 0
    for character in id:
        if character not in _VALUES:
            raise ValueError(f"{character!r} is in no id")
        value = value << 5 | _VALUES[character]
    left, right = value >> _HALF_BITS, value & _HALF
    for key in reversed(_keys(seed)):
        left, right = right ^ _mix(left, key), left
    return left << _HALF_BITS | right


@lru_cache(maxsize=16)
def _keys(seed: int) -> tuple[int, ...]:
    digest = blake2b(seed.to_bytes(8, "little"), digest_size=8 * _ROUNDS, person=b"hippo ids").digest()
    return tuple(int.from_bytes(digest[at:at + 8], "little") for at in range(0, len(digest), 8))


def _mix(half: int, key: int) -> int:
    """A multiplication spreads a change upwards, the shift brings it down again."""
    product = (half + key) * _FIRST & 0xFFFFFFFFFFFFFFFF
    return (product ^ product >> 29) * _SECOND >> 23 & _HALF
