"""Wordbooks: the trained dictionary of each agent, and when it is time for another.

1. An agent has none until it has so much text that one may be worth it; another is trained when it has several times as
   much as at the last training, so that training and what follows cost a share of what was stored.
2. Packs with an earlier dictionary are written anew in the pass that trains another; then no pack needs the earlier
   one, and its file goes.
3. An agent for which none was worth it is asked again when it has grown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from hippo import limits
from hippo.model.report import PackFigures


class Wordbooks:
    """Which dictionary each agent's packs use.

    Args:
        state: what the index said of them.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self._held: dict[str, tuple[int, int]] = {
            agent: (number, raw_bytes) for agent, (number, raw_bytes) in state.get("dictionaries", {}).items()}

    def state(self) -> dict[str, Any]:
        """What the index is to say of them; nothing for a store that is too small for any."""
        return {"dictionaries": {agent: list(held) for agent, held in self._held.items()}} if self._held else {}

    def number(self, agent: str) -> int:
        """The dictionary of an agent, 0 for none."""
        return self._held.get(agent, (0, 0))[0]

    def due(self, packs: dict[int, PackFigures]) -> list[tuple[str, int]]:
        """The agents for which one is to be trained, with the bytes of their texts."""
        sizes: Counter[str] = Counter()
        for pack in packs.values():
            sizes[pack.agent] += pack.raw_bytes
        return [(agent, raw_bytes) for agent, raw_bytes in sorted(sizes.items()) if raw_bytes >= max(
            limits.dictionary_corpus_bytes_min, limits.dictionary_growth * self._held.get(agent, (0, 0))[1])]

    def take(self, agent: str, number: int, raw_bytes: int) -> None:
        """An agent has another dictionary (0: none was worth it), trained when it had so many bytes of text."""
        self._held[agent] = (number, raw_bytes)

    def retire(self, agent: str) -> None:
        """An agent's dictionary holds what it must not any more; the next pass trains another."""
        self._held.pop(agent, None)

    def outdated(self, packs: dict[int, PackFigures]) -> frozenset[int]:
        """The packs that use an earlier dictionary than their agent's."""
        return frozenset(number for number, pack in packs.items()
                         if any(one != self.number(pack.agent) for one in pack.dictionaries))

    def unused(self, packs: dict[int, PackFigures], files: Iterable[int]) -> list[int]:
        """Of the dictionaries on the disk, those that no pack needs and no agent has."""
        needed = {one for pack in packs.values() for one in pack.dictionaries} | {
            number for number, _ in self._held.values()}
        return sorted(set(files) - needed)
