"""The tools of the memory, as a table: what a model reads about each, what it takes, gives, and how it is said.

1. A row is all there is to a tool: its schemas come from the verb's and the result's structs.
2. A description says in a few words what it does and **when** to use it, with one example.
3. Long calls report progress to clients that ask for it: one step for each event of the pass.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types
import msgspec
import trio

from hippo.errors import HippoError
from hippo.interfaces.arguments import noted, read_arguments
from hippo.interfaces.mcp import texts
from hippo.interfaces.mcp.server import MENDED, Context, Tool
from hippo.interfaces.schema import answer_schema, argument_schema
from hippo.interfaces.turns import Kind
from hippo.interfaces.wire import to_wire
from hippo.model.inspection import Inspection
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, MemoryStats, Preview, Recall, Remember, Sleep

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

INSTRUCTIONS = (
    "hippo is your long-term memory, shared by all conversations with this person. Before you answer something that "
    "may depend on the past (preferences, people, projects, decisions, plans), call recall with the question in plain "
    "words. When you learn something that will matter later, call remember: one self-contained statement per call, "
    "with names and dates in full. Memories that are recalled grow stronger; what nobody asks for fades but is never "
    "deleted by itself."
)


class MemoryTool(NamedTuple):
    """One row of the table (rule 1). `ask` names the service's verb; `say` gives the text and what is left of the
    result once it fits. `long` calls report progress; `turn` is of the kind its calls take."""

    name: str
    title: str
    description: str
    verb: type[msgspec.Struct]
    result: type[msgspec.Struct]
    ask: str
    say: Callable[[Any, Any], tuple[str, Any]]
    read_only: bool = False
    idempotent: bool = False
    long: bool = False
    turn: Kind | None = None


CORE = (
    MemoryTool(
        "remember", "Remember",
        "Store one thing worth knowing later: a fact, decision, preference, plan or event. Use it whenever the user "
        "tells you something lasting, or asks you to remember; one self-contained statement per call, names and dates "
        "in full. Leave salience out unless it matters: 0.7 and more is kept exact for ever. "
        'Example: {"text": "Anna prefers the window seat on trains", "kind": "preference", "entity": "Anna"}',
        Remember, Stored, "remember_one", texts.stored_text, turn="write"),
    MemoryTool(
        "recall", "Recall",
        "Bring to mind what is known about something. Use it before you answer anything that may depend on earlier "
        "conversations, and before you store what may be known already. Ask in plain words; filters narrow it. "
        "Without a cue it lists by time. What comes back is strengthened; peek: true reads without that. "
        'Example: {"cue": "Where does Anna like to sit on trains?", "k": 5}',
        Recall, Answer, "recall", texts.answer_text, turn="recall"),
    MemoryTool(
        "sleep", "Sleep",
        "Run a pass of sleep now: associations fade and are pruned, memories move between tiers, space is freed. It "
        "runs by itself every night; use this only when asked to tidy up or save space. "
        'Example: {"depth": "light"}',
        Sleep, Report, "sleep", texts.report_text, idempotent=True, long=True),
    MemoryTool(
        "compress_preview", "Preview of sleep",
        "What a pass of sleep would change now, tier by tier, without changing anything. Use it before sleep, or when "
        'asked how much space could be saved. Example: {"depth": "all"}',
        Preview, Report, "preview", texts.report_text, read_only=True, idempotent=True),
    MemoryTool(
        "memory_stats", "Memory statistics",
        "How many memories there are, in which tiers, the bytes they take, the budget, and whether all of them can be "
        "read. Use it when asked about the state or size of the memory. "
        'Example: {"verify": true} decodes every memory and checks it.',
        MemoryStats, Stats, "stats", texts.stats_text, read_only=True, idempotent=True),
    MemoryTool(
        "inspect", "Inspect a memory",
        "Everything about one memory: its whole text (a long one page by page), where it comes from, how strong it is, "
        "when it fades, what it is associated with. Use it when a recalled text was cut, or the user asks why "
        'something is known. Example: {"id": "0K7QF3M2"}',
        Inspect, Inspection, "inspect", texts.inspection_text, read_only=True, idempotent=True),
)

SETS: dict[str, tuple[MemoryTool, ...]] = {"core": CORE, "standard": CORE, "all": CORE}


def memory_tools(service: Service, chosen: str = "standard") -> list[Tool]:
    """The tools of a set, answered by a service.

    Args:
        service: what answers.
        chosen: `core`, `standard` or `all`.
    """
    return [Tool(_shown(row), _call(service, row), quiet=not row.long, turn=row.turn) for row in SETS[chosen]]


def _shown(row: MemoryTool) -> types.Tool:
    arguments = {key: value for key, value in argument_schema(row.verb).items() if key != "description"}
    return types.Tool(
        name=row.name, title=row.title, description=row.description, input_schema=arguments,
        output_schema=answer_schema(row.result),
        annotations=types.ToolAnnotations(
            title=row.title, read_only_hint=row.read_only, destructive_hint=False, idempotent_hint=row.idempotent,
            open_world_hint=False))


def _call(service: Service, row: MemoryTool) -> Callable[[Context, Mapping[str, Any]], Awaitable[dict[str, Any]]]:
    async def call(context: Context, given: Mapping[str, Any]) -> dict[str, Any]:
        asked = read_arguments(row.verb, given, row.name)
        ask = getattr(service, row.ask)
        if row.long and _wants_progress(context):
            result = await _reporting(service, context, ask, asked)
        else:
            result = await ask(asked)
        if isinstance(asked, Remember):
            result = noted(result, asked, _mended(context))
        text, result = row.say(result, asked)
        # As it is written: the SDK's types would be built, checked and taken apart once more.
        return {"content": [{"type": "text", "text": text}], "structuredContent": to_wire(result),
                "resultType": "complete"}

    return call


def _mended(context: Context) -> bool:
    return context.request is not None and MENDED in context.request.scope


def _wants_progress(context: Context) -> bool:
    return bool(context.meta and context.meta.get("progress_token") is not None)


async def _reporting(service: Service, context: Context, ask: Callable[[Any], Awaitable[Any]], asked: Any) -> Any:
    """The verb's answer, with a word about each step of it on the way (rule 3)."""
    result: Any = None
    refused: HippoError | None = None

    async def tell() -> None:
        steps = 0
        async with service.subscribe(None, None) as events:
            await context.session.report_progress(steps, None, "Falling asleep")
            async for event in events:
                if event.name.startswith("sleep"):
                    steps += 1
                    await context.session.report_progress(steps, None, event.name)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tell)
        try:
            result = await ask(asked)
        except HippoError as error:  # carried out of the nursery by hand: it would come as a group
            refused = error
        nursery.cancel_scope.cancel()
    if refused is not None:
        raise refused
    return result
