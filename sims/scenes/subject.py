"""A subject of the laboratory: a fresh brain of the real daemon, whose time stands still between what it is made to do.

1. It learns by `remember` and is tested by `recall`, as any client; nothing reaches into the daemon.
2. A test leaves no trace (`peek`) unless it is part of the treatment.
3. Time passes by `timeskip`, which lets associations decay as a night does.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from hippo import limits
from hippo.library import Hippo
from hippo.model.inspection import Inspection
from hippo.model.recollection import Recollection

START_MS = 1_767_225_600_000
MINUTE_DAYS = 1 / 1440


class Subject:
    """One brain."""

    def __init__(self, brain: Hippo) -> None:
        self._brain = brain
        self._alone = 0
        self.now_ms = START_MS

    @classmethod
    @asynccontextmanager
    async def invited(cls, **settings: object) -> AsyncIterator[Subject]:
        """A fresh subject, for as long as the block runs.

        Args:
            settings: of the daemon, its own defaults otherwise.
        """
        with tempfile.TemporaryDirectory() as folder:
            async with Hippo.open(folder, epoch=str(START_MS), tz="UTC", **settings) as brain:
                yield cls(brain)

    async def learns(self, text: str, *, conversation: str | None = None, ago_ms: int = 0,
                     salience: float | None = None) -> str:
        """Learns one sentence, in an episode of its own unless a conversation is named; its id."""
        self._alone += 1
        stored = await self._brain.remember(
            text, conversation=conversation or f"alone {self._alone}", created_at=self.now_ms - ago_ms,
            salience=salience)
        return stored.id

    async def recalls(self, cue: str, k: int = limits.results_default) -> list[Recollection]:
        """Recalls and learns from it."""
        return (await self._brain.recall(cue, k=k)).results

    async def is_asked(self, cue: str, k: int = limits.results_default) -> list[Recollection]:
        """Recalls without a trace."""
        return (await self._brain.recall(cue, k=k, peek=True)).results

    async def shows(self, one: str) -> Inspection:
        """Everything about one memory."""
        return await self._brain.inspect(one)

    async def waits(self, days: float) -> None:
        """Time passes."""
        if days > 0:
            await self._brain.timeskip(days)
            self.now_ms += round(days * limits.ms_per_day)


def rank(one: str, found: Sequence[Recollection]) -> int | None:
    """The place of a memory in an answer, from 1; None where it did not come to mind."""
    return next((place for place, memory in enumerate(found, 1) if memory.id == one), None)


def activation(one: str, found: Sequence[Recollection]) -> float:
    """With how much activation a memory came to mind; 0 where it did not."""
    return next((memory.activation for memory in found if memory.id == one), 0.0)
