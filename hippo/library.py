"""The library: the same verbs in-process, without a server.

    async with Hippo.open("~/memory") as brain:
        await brain.remember("The spare key hangs behind the barn door.")
        answer = await brain.recall("where is the spare key?")

It runs on trio, and owns the store while it is open.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import trio

from hippo.daemon import awake
from hippo.errors import InvalidArgument, Unwritable
from hippo.interfaces.service import Service
from hippo.model.imported import ImportFormat, ImportResult
from hippo.model.inspection import Inspection
from hippo.model.knowledge import (
    Block,
    Blocks,
    Conversation,
    Exported,
    Facts,
    Forgot,
    Logged,
    Merged,
    MergedEntities,
    Onboarding,
    Proposals,
    Related,
    Surroundings,
    Updated,
    Version,
)
from hippo.model.knowledge_verb import (
    AppendBlock,
    CheckVersion,
    Consolidate,
    Context,
    DeleteBlock,
    Export,
    Forget,
    LogMessages,
    Merge,
    MergeEntities,
    Onboard,
    Purge,
    RecallBlock,
    RecallConversation,
    Relate,
    RememberFacts,
    ReplaceBlock,
    Update,
)
from hippo.model.page import Page
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Restore, Sleep, TimeSkip
from hippo.runtime.offload import Offload
from hippo.settings import Settings, load
from hippo.store.disk import FolderDisk

Verb = TypeVar("Verb", bound=msgspec.Struct)


class Hippo:
    """One open store. Every verb raises `HippoError` for what a caller can mend; its fields are those of the struct of
    `model.verb` or `model.knowledge_verb` that it is named after."""

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

    # Remembering and recalling

    async def remember(self, text: str, **fields: Any) -> Stored:
        """Stores one memory."""
        return await self.service.remember_one(_verb(Remember, {"text": text, **fields}))

    async def remember_facts(self, text: str, **fields: Any) -> Facts:
        """Splits a text into facts and stores each, replacing what it outdates."""
        return await self.service.remember_facts(_verb(RememberFacts, {"text": text, **fields}))

    async def recall(self, cue: str | None = None, **fields: Any) -> Answer:
        """Brings to mind."""
        return await self.service.recall(_verb(Recall, {"cue": cue, **fields}))

    async def context(self, topic: str, **fields: Any) -> Surroundings:
        """What is known around a topic."""
        return await self.service.context(_verb(Context, {"topic": topic, **fields}))

    async def inspect(self, id: str, **fields: Any) -> Inspection:
        """Everything about one memory."""
        return await self.service.inspect(_verb(Inspect, {"id": id, **fields}))

    async def memories(self, **fields: Any) -> Page:
        """Memories by time, newest first."""
        return await self.service.memories(_verb(ListMemories, fields))

    # Correcting and forgetting

    async def update(self, **fields: Any) -> Updated:
        """Corrects a memory, named by `id`, or by `entity` and `old_text`."""
        return await self.service.update(_verb(Update, fields))

    async def merge(self, ids: Sequence[str], text: str, **fields: Any) -> Merged:
        """Lets one memory stand for several; they stay, superseded."""
        return await self.service.merge(_verb(Merge, {"ids": list(ids), "text": text, **fields}))

    async def restore(self, id: str, **fields: Any) -> Restored:
        """Gives an abridged memory its exact text back, where that was kept."""
        return await self.service.restore(_verb(Restore, {"id": id, **fields}))

    async def forget(self, **fields: Any) -> Forgot:
        """Erases memories for good: by `id`, by `entity`, by `entity` and exact `text`, or by `description`."""
        return await self.service.forget(_verb(Forget, fields))

    async def purge(self, **fields: Any) -> Forgot:
        """Erases superseded memories for good; without `dry_run=False` only says which."""
        return await self.service.purge(_verb(Purge, fields))

    async def consolidate(self, mode: str = "clusters", **fields: Any) -> Proposals:
        """What could be tidied up; changes nothing."""
        return await self.service.consolidate(_verb(Consolidate, {"mode": mode, **fields}))

    # Entities

    async def relate(self, source: str, relation: str, target: str, **fields: Any) -> Related:
        """States how two entities are related."""
        return await self.service.relate(
            _verb(Relate, {"source": source, "relation": relation, "target": target, **fields}))

    async def merge_entities(self, sources: Sequence[str], target: str, **fields: Any) -> MergedEntities:
        """Gives all memories of some entities to another."""
        return await self.service.merge_entities(
            _verb(MergeEntities, {"sources": list(sources), "target": target, **fields}))

    async def check_version(self, entity: str, hash: str, **fields: Any) -> Version:
        """Whether what is known of an entity is still what it was."""
        return await self.service.check_version(_verb(CheckVersion, {"entity": entity, "hash": hash, **fields}))

    # Blocks and conversations

    async def recall_block(self, key: str | None = None, **fields: Any) -> Blocks:
        """A named text that always stands, or all of them."""
        return await self.service.recall_block(_verb(RecallBlock, {"key": key, **fields}))

    async def append_block(self, key: str, text: str, **fields: Any) -> Block:
        """Adds a line to a block, which is made if there is none."""
        return await self.service.append_block(_verb(AppendBlock, {"key": key, "text": text, **fields}))

    async def replace_block(self, key: str, old: str, new: str, **fields: Any) -> Block:
        """Replaces a text in a block wherever it stands."""
        return await self.service.replace_block(
            _verb(ReplaceBlock, {"key": key, "old": old, "new": new, **fields}))

    async def delete_block(self, key: str, **fields: Any) -> Block:
        """Erases a block."""
        return await self.service.delete_block(_verb(DeleteBlock, {"key": key, **fields}))

    async def log_messages(self, messages: Sequence[Mapping[str, Any]], **fields: Any) -> Logged:
        """Keeps messages (`role`, `text`, …) of a conversation word for word."""
        return await self.service.log_messages(_verb(LogMessages, {"messages": list(messages), **fields}))

    async def recall_conversation(self, query: str | None = None, **fields: Any) -> Conversation:
        """Searches logged messages by their words."""
        return await self.service.recall_conversation(_verb(RecallConversation, {"query": query, **fields}))

    # The whole

    async def onboard(self, source: str | None = None, **fields: Any) -> Onboarding:
        """How to begin with this memory."""
        return await self.service.onboard(_verb(Onboard, {"source": source, **fields}))

    async def export(self, format: str = "markdown", **fields: Any) -> Exported:
        """All of an agent's knowledge as one text, or the beginning of it."""
        return await self.service.export(_verb(Export, {"format": format, **fields}))

    async def export_to(self, path: str | os.PathLike[str], format: str = "json", *,
                        agent_id: str | None = None) -> Path:
        """Writes all of an agent's knowledge to a file, which replaces what was there once it is whole.

        Args:
            path: the file, or a folder that is there: then the file is called after its format. format: of `export`.

        Returns:
            Where the file is.

        Raises:
            Unwritable: it cannot be written; what was there before stays.
        """
        name, _, pieces = await self.service.export_file(format, agent_id)
        place = Path(path).expanduser()
        place = place / name if place.is_dir() else place
        try:
            await _write(place, pieces)
        except OSError as fault:
            raise Unwritable(path=place, why=fault.strerror or str(fault)) from fault
        return place

    async def import_path(self, path: str | os.PathLike[str], *, format: ImportFormat | None = None,
                          dry_run: bool = False, agent_id: str | None = None,
                          progress: Callable[[int], None] | None = None) -> ImportResult:
        """Takes over what a file or a folder holds: an export of hippo or what other programs keep.

        Args:
            path: of the file or folder. format: found by looking when left out. dry_run: only tell what would be done.
            progress: called with how many more rows are done.

        Raises:
            HippoError: it cannot be read, or is of no known format.
        """
        return await self.service.import_path(Path(path).expanduser(), format, dry_run, agent_id, progress)

    async def sleep(self, depth: str = "all") -> Report:
        """Runs a pass."""
        return await self.service.sleep(_verb(Sleep, {"depth": depth}))

    async def preview(self, depth: str = "all") -> Report:
        """What a pass would do now."""
        return await self.service.preview(_verb(Preview, {"depth": depth}))

    async def stats(self, *, verify: bool = False) -> Stats:
        """The figures of the store."""
        return await self.service.stats(MemoryStats(verify=verify))

    async def timeskip(self, days: float) -> Report:
        """Moves a frozen or demo clock on."""
        return await self.service.timeskip(TimeSkip(days=days))


async def _write(place: Path, pieces: AsyncIterator[bytes]) -> None:
    """Writes a file beside its place, and puts it there when it is whole and durable."""
    number, beside = tempfile.mkstemp(dir=place.parent, prefix=".hippo-")
    try:
        async with trio.wrap_file(os.fdopen(number, "wb")) as file:
            async for piece in pieces:
                await file.write(piece)
            await file.flush()
            await trio.to_thread.run_sync(os.fsync, number)
        os.replace(beside, place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _verb(verb: type[Verb], fields: Mapping[str, Any]) -> Verb:
    """The struct that the fields mean.

    Raises:
        InvalidArgument: a field is missing, unknown or of another type.
    """
    try:
        return msgspec.convert(fields, verb)
    except msgspec.ValidationError as refused:
        raise InvalidArgument(what=f"{verb.__name__}: {refused}.") from None
