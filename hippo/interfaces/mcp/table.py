"""The tools of the memory, as a table: what a model reads about each, what it takes, gives, and how it is said.

1. A row is all there is to a tool: its schemas come from the verb's and the result's structs.
2. A description says in a few words what it does and **when** to use it, with one example. All of a set lies in every
   model's sight, in every conversation: `tests/interfaces/mcp/test_table.py` holds its tokens to a budget.
3. A tool is read-only where it changes nothing, destructive where what it takes away is gone for good, idempotent where
   doing it again changes nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from hippo.interfaces.mcp import knowledge_texts as known
from hippo.interfaces.mcp import texts
from hippo.interfaces.turns import Kind
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
    Export,
    Forget,
    LogMessages,
    Merge,
    MergeEntities,
    Onboard,
    RecallBlock,
    RecallConversation,
    Relate,
    RememberFacts,
    ReplaceBlock,
    Update,
)
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, MemoryStats, Preview, Recall, Remember, Restore, Sleep


class MemoryTool(NamedTuple):
    """One row of the table (rule 1). `ask` names the service's verb; `say` gives the text and what is left of the
    result once it fits. `long` calls report progress; `turn` is of the kind its calls take. `link`: further blocks of
    content, such as where the whole of a long result is."""

    name: str
    title: str
    description: str
    verb: type[msgspec.Struct]
    result: type[msgspec.Struct]
    ask: str
    say: Callable[[Any, Any], tuple[str, Any]]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    long: bool = False
    turn: Kind | None = None
    link: Callable[[Any], Sequence[dict[str, Any]]] | None = None


CORE = (
    MemoryTool(
        "remember", "Remember",
        "Store one thing worth knowing later: a fact, decision, preference, plan or event. Use it whenever the user "
        "tells you something lasting or asks you to remember; one self-contained statement per call, names and dates "
        'in full. Example: {"text": "Anna prefers the window seat on trains", "kind": "preference", "entity": "Anna"}',
        Remember, Stored, "remember_one", texts.stored_text, turn="write"),
    MemoryTool(
        "recall", "Recall",
        "Bring to mind what is known. Use it before you answer anything that may depend on earlier conversations, and "
        "before you store what may be known already. Ask in plain words; filters narrow it. What comes back is "
        'strengthened. Example: {"cue": "Where does Anna like to sit on trains?"}',
        Recall, Answer, "recall", texts.answer_text, turn="recall"),
    MemoryTool(
        "sleep", "Sleep",
        "Run a pass of sleep now: associations fade, memories are compressed, space is freed. It runs by itself every "
        'night; use this only when asked to tidy up or save space. Example: {"depth": "light"}',
        Sleep, Report, "sleep", texts.report_text, idempotent=True, long=True),
    MemoryTool(
        "compress_preview", "Preview of sleep",
        "What a pass of sleep would change now; changes nothing. Use it when asked how much space could be saved. "
        'Example: {"depth": "all"}',
        Preview, Report, "preview", texts.report_text, read_only=True, idempotent=True),
    MemoryTool(
        "memory_stats", "Memory statistics",
        "How many memories there are, the bytes they take, the budget, whether all can be read. Use it when asked "
        'about the state or size of the memory. Example: {"verify": true}',
        MemoryStats, Stats, "stats", texts.stats_text, read_only=True, idempotent=True),
    MemoryTool(
        "inspect", "Inspect a memory",
        "Everything about one memory: its whole text, where it comes from, how strong it is, what it is associated "
        "with. Use it when a recalled text was cut, or the user asks why something is known. "
        'Example: {"id": "0K7QF3M2"}',
        Inspect, Inspection, "inspect", texts.inspection_text, read_only=True, idempotent=True),
)

STANDARD = (
    MemoryTool(
        "context", "Context",
        "What is known around a topic at once: memories, the entities in them, and what those are related to. Use it "
        'when a longer task begins; for one question recall is enough. Example: {"topic": "the move to Graz"}',
        Context, Surroundings, "context", known.surroundings_text, turn="recall"),
    MemoryTool(
        "update", "Update a memory",
        "Correct a memory; its id and its history stay. Use it when something known has changed or was wrong, instead "
        "of storing it a second time. Name the memory by id, or by entity and old_text. "
        'Example: {"id": "0K7QF3M2", "text": "Anna prefers the aisle seat"}',
        Update, Updated, "update", known.updated_text, idempotent=True, turn="write"),
    MemoryTool(
        "forget", "Forget",
        "Erase memories for good. Use it only when the user asks to forget, with one of: id; entity (all of it); "
        "entity and its exact text; description, which first only shows what it means. "
        'Example: {"id": "0K7QF3M2"}',
        Forget, Forgot, "forget", known.forgot_text, destructive=True),
    MemoryTool(
        "merge", "Merge memories",
        "Let one memory stand for several that say the same; they stay, superseded. Use it on duplicates that recall "
        'or consolidate showed. Example: {"ids": ["0K7QF3M2", "0K7QF3M5"], "text": "Anna likes window seats"}',
        Merge, Merged, "merge", known.merged_text, turn="write"),
    MemoryTool(
        "consolidate", "Find what to tidy up",
        "Propose what could be tidied up; changes nothing. Use it when asked to clean up, then act with merge, update "
        'or forget. Example: {"mode": "contradictions"}',
        Consolidate, Proposals, "consolidate", known.proposals_text, read_only=True, idempotent=True),
    MemoryTool(
        "check_version", "Check an entity's version",
        "Whether what is known of an entity is still what you read. Use it before you rely on what you read a while "
        'ago. Example: {"entity": "Anna", "hash": "9f2c…"}',
        CheckVersion, Version, "check_version", known.version_text, read_only=True, idempotent=True),
    MemoryTool(
        "export", "Export",
        "All that is remembered as one text. Use it when the user wants to see or keep everything; json is complete, "
        'claude-md a digest. Example: {"format": "markdown"}',
        Export, Exported, "export", known.exported_text, read_only=True, idempotent=True, link=known.export_link),
    MemoryTool(
        "onboard", "Onboard",
        "How to begin with this memory. Use it in a first conversation, or when the user asks to fill the memory. "
        'Example: {"source": "README.md"}',
        Onboard, Onboarding, "onboard", known.onboarding_text, read_only=True, idempotent=True),
    MemoryTool(
        "remember_facts", "Remember facts",
        "Split a passage into facts and store each, replacing what it outdates. Use it for a text that tells several "
        'things; for one, remember. Example: {"text": "Anna moved to Graz in May 2026. She has a dog named Pip."}',
        RememberFacts, Facts, "remember_facts", known.facts_text, turn="write"),
    MemoryTool(
        "recall_memory_block", "Read blocks",
        "Read a block, a named text that always stands, or all of them. Use it when a conversation begins. "
        'Example: {"key": "persona"}',
        RecallBlock, Blocks, "recall_block", known.blocks_text, read_only=True, idempotent=True),
    MemoryTool(
        "append_memory_block", "Append to a block",
        "Add a line to a block. Use it for what every conversation must know, such as a goal. "
        'Example: {"key": "objectives", "text": "Finish the thesis by June 2026"}',
        AppendBlock, Block, "append_block", known.block_text, turn="write"),
    MemoryTool(
        "replace_memory_block", "Replace in a block",
        "Replace a text in a block. Use it when what a block says is outdated. "
        'Example: {"key": "objectives", "old": "June", "new": "July"}',
        ReplaceBlock, Block, "replace_block", known.block_text, destructive=True, turn="write"),
    MemoryTool(
        "restore", "Restore a memory",
        "Give an abridged memory its exact text back, where that was kept. Use it when the exact words matter. "
        'Example: {"id": "0K7QF3M2"}',
        Restore, Restored, "restore", known.restored_text, idempotent=True),
)

_rows = {row.name: row for row in CORE + STANDARD}


def _renamed(name: str, of: str) -> MemoryTool:
    """A tool under the name that other memory servers have for it."""
    row = _rows[of]
    return row._replace(name=name, title=f"{row.title} ({name})",
                        description=f"The same as {of}, under another name. {row.description}")


ALL = (
    MemoryTool(
        "merge_entities", "Merge entities",
        "Give all memories of some entities to another. Use it when names turn out to mean the same; it cannot be "
        'undone. Example: {"sources": ["Ann", "A. Berg"], "target": "Anna Berg"}',
        MergeEntities, MergedEntities, "merge_entities", known.merged_entities_text, destructive=True, turn="write"),
    MemoryTool(
        "recall_conversation", "Search conversations",
        "Search logged messages by their words. Use it when it matters who said what in an earlier conversation; for "
        'what was learned, recall. Example: {"query": "train to Graz"}',
        RecallConversation, Conversation, "recall_conversation", known.conversation_text, read_only=True,
        idempotent=True, turn="recall"),
    MemoryTool(
        "log_messages", "Log messages",
        "Keep messages of a conversation word for word, apart from memories. Use it when the user wants conversations "
        'to be searchable. Example: {"messages": [{"role": "user", "text": "Book the train to Graz"}]}',
        LogMessages, Logged, "log_messages", known.logged_text, turn="write"),
    MemoryTool(
        "relate", "Relate entities",
        "State how two entities are related; recall follows relations. Use it when the user says how people, projects "
        'or things belong together. Example: {"source": "Anna", "relation": "sister_of", "target": "Ben"}',
        Relate, Related, "relate", known.related_text, idempotent=True, turn="write"),
    _renamed("store_memory", "remember"),
    _renamed("recall_memories", "recall"),
    _renamed("forget_memory", "forget"),
    _renamed("get_observation", "inspect"),
)

SETS: dict[str, tuple[MemoryTool, ...]] = {
    "core": CORE, "standard": CORE + STANDARD, "all": CORE + STANDARD + ALL}
