"""The library: the same verbs in-process, without a server.

    async with Hippo.open("~/memory") as brain:
        await brain.remember("The spare key hangs behind the barn door.")
        answer = await brain.recall("where is the spare key?")

It runs on trio, and owns the store while it is open.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from hippo.daemon import awake
from hippo.interfaces.service import Service
from hippo.model.inspection import Inspection
from hippo.model.page import Page
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Restore, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from hippo.store.disk import FolderDisk


class Hippo:
    """One open store. Every verb raises `HippoError` for what a caller can mend."""

    def __init__(self, service: Service) -> None:
        self.service = service

    @classmethod
    @asynccontextmanager
    async def open(cls, path: str | os.PathLike[str], **settings: Any) -> AsyncIterator[Hippo]:
        """Opens a store for as long as the block runs.

        Args:
            path: its folder, made where it does not exist. settings: by the names of `docs/settings.md`.

        Raises:
            HippoError: the store is in use, too new, or a setting is wrong.
        """
        flags: Mapping[str, object] = {"dir": str(Path(path).expanduser()), **settings}
        chosen: Settings = load(flags, {})[0]
        failed: BaseException | None = None
        try:
            async with awake(chosen, FolderDisk(chosen.dir), Offload()) as service:
                try:
                    yield cls(service)
                except BaseException as error:
                    failed = error
                    raise
        except BaseExceptionGroup:
            # What the caller's block raised is the caller's: not a group of what happened to the tasks beside it.
            if failed is None:
                raise
            raise failed from None

    async def remember(self, text: str, **fields: Any) -> Stored:
        """Stores one memory; the fields are those of `model.verb.Remember`."""
        return await self.service.remember_one(msgspec.convert({"text": text, **fields}, Remember))

    async def recall(self, cue: str | None = None, **fields: Any) -> Answer:
        """Brings to mind; the fields are those of `model.verb.Recall`."""
        return await self.service.recall(msgspec.convert({"cue": cue, **fields}, Recall))

    async def inspect(self, id: str, **fields: Any) -> Inspection:
        """Everything about one memory."""
        return await self.service.inspect(msgspec.convert({"id": id, **fields}, Inspect))

    async def restore(self, id: str, **fields: Any) -> Restored:
        """Gives an abridged memory its exact text back, where that was kept."""
        return await self.service.restore(msgspec.convert({"id": id, **fields}, Restore))

    async def memories(self, **fields: Any) -> Page:
        """Memories by time, newest first."""
        return await self.service.memories(msgspec.convert(fields, ListMemories))

    async def sleep(self, depth: str = "all") -> Report:
        """Runs a pass."""
        return await self.service.sleep(msgspec.convert({"depth": depth}, Sleep))

    async def preview(self, depth: str = "all") -> Report:
        """What a pass would do now."""
        return await self.service.preview(msgspec.convert({"depth": depth}, Preview))

    async def stats(self, *, verify: bool = False) -> Stats:
        """The figures of the store."""
        return await self.service.stats(MemoryStats(verify=verify))

    async def timeskip(self, days: float) -> Report:
        """Moves a frozen or demo clock on."""
        return await self.service.timeskip(TimeSkip(days=days))
