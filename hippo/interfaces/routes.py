"""The routes of the REST API, one row each: what is asked where, of which verb, and what it answers.

1. The router (`rest.py`), OpenAPI and the docs follow from this table.
2. Where a path names a memory or a block, that is an argument of the verb like those of the body.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from hippo import limits
from hippo.errors import HippoError, InvalidArgument
from hippo.interfaces.answers import JSON, Receive, Scope, Send, answer, answer_json, error_shape, header
from hippo.interfaces.arguments import noted, read_arguments
from hippo.interfaces.downloads import File, answer_file
from hippo.interfaces.sse import Streams, last_event_id
from hippo.interfaces.turns import Kind
from hippo.interfaces.uploads import Uploads, unless_gone
from hippo.interfaces.view import encoded
from hippo.interfaces.wire import to_wire
from hippo.model.drawing import Drawing
from hippo.model.health import AgentFigures, Health
from hippo.model.imported import ImportFormat, ImportResult
from hippo.model.inspection import Inspection
from hippo.model.knowledge import (
    Block,
    Blocks,
    Conversation,
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
    ExportFormat,
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
from hippo.model.verb import (
    Agent,
    Events,
    GraphView,
    Inspect,
    ListMemories,
    MemoryStats,
    Preview,
    Recall,
    Remember,
    Restore,
    Sleep,
    TimeSkip,
)

if TYPE_CHECKING:
    from hippo.interfaces.service import Service


class Exchange(NamedTuple):
    """One request: what was asked of which service, and the way to answer."""

    service: Service
    scope: Scope
    receive: Receive
    send: Send
    given: Mapping[str, Any] | Any
    mended: bool
    streams: Streams
    uploads: Uploads


Serve = Callable[[Exchange], Awaitable[None]]


class Route(NamedTuple):
    """One route. `verb` is what its arguments are read as, `result` what it answers in JSON; both None where it has
    none. `turn`: of which kind its requests take one (`turns.py`), or each of their parts. `media_type`: of an answer
    that is not JSON. `upload`: the body is a file, and the arguments are in the query (`uploads.py`)."""

    method: str
    path: str
    summary: str
    serve: Serve
    verb: type[msgspec.Struct] | None = None
    result: Any = None
    turn: Kind | Literal["parts"] | None = None
    media_type: str = "text/plain"
    upload: bool = False


class ExportFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of an agent's knowledge as a file, whole: what `export` shows the beginning of."""

    format: ExportFormat = "json"
    agent_id: Agent | None = None


def _said(description: str) -> msgspec.Meta:
    return msgspec.Meta(description=description)


class ImportFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Takes over what the body holds: a file, or a folder as a zip archive."""

    format: Annotated[ImportFormat | None, _said("Found by looking when left out")] = None
    dry_run: Annotated[bool, _said("Only tell what would be done")] = False
    agent_id: Agent | None = None
    name: Annotated[str | None, _said("What the file is called: a note may have no other title")] = None


def _verb(verb: type[msgspec.Struct], ask: str, name: str) -> Serve:
    async def serve(exchange: Exchange) -> None:
        asked: Any = read_arguments(verb, exchange.given, name)
        answered = await getattr(exchange.service, ask)(asked)
        if exchange.mended and isinstance(getattr(asked, "text", None), str) and hasattr(answered, "note"):
            answered = noted(answered, asked, mended=True)
        await answer_json(exchange.send, answered)

    return serve


def _answering(method: str, path: str, summary: str, ask: str, verb: type[msgspec.Struct], result: Any,
               turn: Kind | None = None) -> Route:
    """A route that answers what a verb of the service does."""
    return Route(method, path, summary, _verb(verb, ask, ask), verb, result, turn)


async def _remember(exchange: Exchange) -> None:
    given = exchange.given
    if not isinstance(given, Mapping) or "memories" not in given:
        asked = read_arguments(Remember, given, "remember")
        await answer_json(exchange.send, noted(await exchange.service.remember_one(asked), asked, exchange.mended))
        return
    rows = given["memories"]
    if len(given) > 1 or not isinstance(rows, list):
        raise InvalidArgument(what='A batch is {"memories": [{"text": …}, …]} and nothing else.')
    if len(rows) > limits.batch_memories_max:
        raise InvalidArgument(what=f"A batch has at most {limits.batch_memories_max} memories, not {len(rows)}.")
    read = [_read_row(row) for row in rows]
    asked_rows = [row for row in read if isinstance(row, Remember)]
    stored = iter(zip(asked_rows, await exchange.service.remember(asked_rows), strict=True) if asked_rows else ())
    results = []
    for row in read:
        result: Any = row
        if isinstance(row, Remember):
            asked, result = next(stored)
            result = result if isinstance(result, HippoError) else noted(result, asked, exchange.mended)
        results.append(error_shape(result) if isinstance(result, HippoError) else to_wire(result))
    await answer_json(exchange.send, {"results": results})


def _read_row(row: object) -> Remember | HippoError:
    try:
        if not isinstance(row, Mapping):
            raise InvalidArgument(what="A memory is an object with a text.")
        return read_arguments(Remember, row, "remember")
    except HippoError as refused:
        return refused


async def _agents(exchange: Exchange) -> None:
    await answer_json(exchange.send, {"agents": await exchange.service.agents()})


async def _report(exchange: Exchange) -> None:
    await answer_json(exchange.send, await exchange.service.report())


async def _graph(exchange: Exchange) -> None:
    drawing = await exchange.service.graph(read_arguments(GraphView, exchange.given, "graph"))
    await answer(exchange.send, 200, encoded(drawing), JSON, {"cache-control": "no-store"})


async def _health(exchange: Exchange) -> None:
    health = await exchange.service.health()
    await answer_json(exchange.send, health, 200 if health.status == "ok" else 503)


async def _export(exchange: Exchange) -> None:
    asked = read_arguments(ExportFile, exchange.given, "export")
    file = File(*await exchange.service.export_file(asked.format, asked.agent_id))
    await answer_file(file, exchange.scope, exchange.receive, exchange.send)


async def _import(exchange: Exchange) -> None:
    asked = read_arguments(ImportFile, exchange.given, "import")
    async with exchange.uploads.taken(exchange.receive, asked.name) as path:
        imported = None if path is None else await unless_gone(exchange.receive, partial(
            exchange.service.import_path, path, asked.format, asked.dry_run, asked.agent_id))
    if imported is not None:
        await answer_json(exchange.send, imported)


async def _events(exchange: Exchange) -> None:
    asked = read_arguments(Events, exchange.given, "events")
    after = last_event_id(header(exchange.scope, b"last-event-id"))
    if after is None and isinstance(asked.last_event_id, int):
        after = asked.last_event_id
    await exchange.streams.serve(exchange.service, asked.agent_id, after, exchange.receive, exchange.send)


ROUTES = (
    Route("POST", "/api/remember", "Store one memory, or several as {\"memories\": […]}", _remember, Remember, Stored,
          turn="write"),
    Route("POST", "/api/recall", "Bring memories to mind", _verb(Recall, "recall", "recall"), Recall, Answer,
          turn="recall"),
    Route("POST", "/api/sleep", "Run a pass of sleep", _verb(Sleep, "sleep", "sleep"), Sleep, Report),
    Route("POST", "/api/timeskip", "Move the clock on (demo and frozen clocks only)",
          _verb(TimeSkip, "timeskip", "timeskip"), TimeSkip, Report),
    Route("GET", "/api/preview", "What a pass of sleep would do", _verb(Preview, "preview", "preview"),
          Preview, Report),
    Route("GET", "/api/stats", "Figures of the whole store", _verb(MemoryStats, "stats", "stats"), MemoryStats, Stats),
    Route("GET", "/api/memories", "Memories by time, page by page", _verb(ListMemories, "memories", "memories"),
          ListMemories, Page),
    Route("GET", "/api/memories/{id}", "Everything about one memory", _verb(Inspect, "inspect", "inspect"),
          Inspect, Inspection),
    Route("POST", "/api/memories/{id}/restore", "Give an abridged memory its exact text back",
          _verb(Restore, "restore", "restore"), Restore, Restored),
    Route("GET", "/api/graph", "Nodes and edges for the brain view", _graph, GraphView, Drawing),
    Route("GET", "/api/agents", "Whose memories there are", _agents, None, list[AgentFigures]),
    Route("GET", "/api/report", "The report of the last pass, or null", _report, None, Report),
    Route("GET", "/api/events", "What happens, as server-sent events", _events, Events,
          media_type="text/event-stream"),
    Route("GET", "/health", "Whether the daemon can remember", _health, None, Health),
    _answering("PATCH", "/api/memories/{id}", "Correct a memory", "update", Update, Updated, "write"),
    _answering("DELETE", "/api/memories/{id}", "Erase a memory for good", "forget", Forget, Forgot),
    _answering("POST", "/api/forget", "Erase memories for good", "forget", Forget, Forgot),
    _answering("POST", "/api/purge", "Erase superseded memories for good", "purge", Purge, Forgot),
    _answering("POST", "/api/merge", "Let one memory stand for several", "merge", Merge, Merged, "write"),
    _answering("POST", "/api/merge-entities", "Give all memories of some entities to another", "merge_entities",
               MergeEntities, MergedEntities, "write"),
    _answering("POST", "/api/relate", "State how two entities are related", "relate", Relate, Related, "write"),
    _answering("POST", "/api/facts", "Split a text into facts and store each", "remember_facts", RememberFacts, Facts,
               "write"),
    _answering("POST", "/api/messages", "Log messages of a conversation", "log_messages", LogMessages, Logged, "write"),
    _answering("GET", "/api/conversation", "Search logged messages", "recall_conversation", RecallConversation,
               Conversation, "recall"),
    _answering("GET", "/api/context", "What is known around a topic", "context", Context, Surroundings, "recall"),
    _answering("GET", "/api/consolidate", "What could be tidied up", "consolidate", Consolidate, Proposals),
    _answering("GET", "/api/version", "Whether an entity is as it was", "check_version", CheckVersion, Version),
    _answering("GET", "/api/onboard", "How to begin with this memory", "onboard", Onboard, Onboarding),
    _answering("GET", "/api/blocks", "All named texts", "recall_block", RecallBlock, Blocks),
    _answering("GET", "/api/blocks/{key}", "A named text", "recall_block", RecallBlock, Blocks),
    _answering("POST", "/api/blocks/{key}", "Add a line to a named text", "append_block", AppendBlock, Block, "write"),
    _answering("PATCH", "/api/blocks/{key}", "Replace a text in a named text", "replace_block", ReplaceBlock, Block,
               "write"),
    _answering("DELETE", "/api/blocks/{key}", "Erase a named text", "delete_block", DeleteBlock, Block),
    Route("GET", "/api/export", "All that is remembered, as a file", _export, ExportFile, media_type="*/*"),
    Route("POST", "/api/import", "Take over memories from a file, or from a folder as a zip archive", _import,
          ImportFile, ImportResult, turn="parts", upload=True),
)
