"""Versions: a hash of what is known of an entity, so that a client can ask whether anything is new without reading it.

The hash is SHA-256 over the texts of the entity's current memories in the order of their ids, each followed by NUL. It
is kept under a fingerprint of these memories, which changes with each of their texts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256

from hippo import limits
from hippo.errors import HippoError
from hippo.runtime.knowing import Fingerprint


class Versions:
    """The hashes that were computed lately."""

    def __init__(self) -> None:
        self._hashes: OrderedDict[tuple[str, str], tuple[bytes, str]] = OrderedDict()

    def get(self, agent: str, known: Fingerprint) -> str | None:
        """The version, where it is at hand and nothing has changed since."""
        found = self._hashes.get((agent, known.name))
        return found[1] if found is not None and found[0] == known.digest else None

    def keep(self, agent: str, known: Fingerprint, texts: Sequence[str | HippoError]) -> str:
        """The version of these texts, in the order of their ids; one that cannot be read counts as its error."""
        digest = sha256()
        for text in texts:
            digest.update((text if isinstance(text, str) else text.message).encode() + b"\0")
        self._hashes[agent, known.name] = known.digest, digest.hexdigest()
        self._hashes.move_to_end((agent, known.name))
        if len(self._hashes) > limits.versions_kept:
            self._hashes.popitem(last=False)
        return digest.hexdigest()
