"""Texts that were said or read lately, at hand without asking the reader: what was just spoken of is spoken of again.

1. A text is known by its memory's ordinal and its checksum, so that one that was replaced is never given again.
2. What is kept was checked against that checksum when it was read, or is what it was computed from.
3. They are kept as long as they fit into `limits.recent_texts_bytes`; what was not asked for the longest time goes
   first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from sys import getsizeof

from hippo import limits

_ENTRY_BYTES = 256  # what Python adds to a text: its key, and its place in the dictionary


class RecentTexts:
    """The texts of some memories."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[int, int], str] = OrderedDict()
        self.bytes = 0

    def get(self, ordinal: int, tag: int) -> str | None:
        """The text of a memory, if it is at hand."""
        key = ordinal, tag
        text = self._texts.get(key)
        if text is not None:
            self._texts.move_to_end(key)
        return text

    def keep(self, ordinal: int, tag: int, text: str) -> None:
        """Keeps a text for a while."""
        if (ordinal, tag) in self._texts:
            return
        self._texts[ordinal, tag] = text
        self.bytes += getsizeof(text) + _ENTRY_BYTES
        while self.bytes > limits.recent_texts_bytes:
            self.bytes -= getsizeof(self._texts.popitem(last=False)[1]) + _ENTRY_BYTES

    def discard(self, ordinals: Iterable[int]) -> None:
        """Lets go of all texts of some memories."""
        gone = set(ordinals)
        for key in [key for key in self._texts if key[0] in gone]:
            self.bytes -= getsizeof(self._texts.pop(key)) + _ENTRY_BYTES
