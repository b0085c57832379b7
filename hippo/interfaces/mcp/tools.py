"""The tools as the MCP server takes them: what clients are shown of each row of `table.py`, and what answers its calls.

Long calls report progress to clients that ask for it: one step for each event of the pass.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import mcp_types as types
import trio

from hippo.errors import HippoError
from hippo.interfaces.arguments import noted, read_arguments
from hippo.interfaces.mcp.server import MENDED, Context, Tool
from hippo.interfaces.mcp.table import SETS, MemoryTool
from hippo.interfaces.schema import shown_answer, shown_arguments
from hippo.interfaces.wire import to_wire

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

__all__ = ["INSTRUCTIONS", "SETS", "memory_tools"]

INSTRUCTIONS = (
    "hippo is your long-term memory, shared by all conversations with this person. Before you answer something that "
    "may depend on the past (preferences, people, projects, decisions, plans), call recall with the question in plain "
    "words. When you learn something that will matter later, call remember: one self-contained statement per call, "
    "with names and dates in full. Memories that are recalled grow stronger; what nobody asks for fades but is never "
    "deleted by itself."
)


def memory_tools(service: Service, chosen: str = "standard") -> list[Tool]:
    """The tools of a set, answered by a service.

    Args:
        service: what answers.
        chosen: `core`, `standard` or `all`.
    """
    return [Tool(_shown(row), _call(service, row), quiet=not row.long, turn=row.turn) for row in SETS[chosen]]


def _shown(row: MemoryTool) -> types.Tool:
    return types.Tool(
        name=row.name, title=row.title, description=row.description, input_schema=shown_arguments(row.verb),
        output_schema=shown_answer(row.result),
        annotations=types.ToolAnnotations(
            read_only_hint=row.read_only, destructive_hint=row.destructive, idempotent_hint=row.idempotent or None,
            open_world_hint=False))


def _call(service: Service, row: MemoryTool) -> Callable[[Context, Mapping[str, Any]], Awaitable[dict[str, Any]]]:
    async def call(context: Context, given: Mapping[str, Any]) -> dict[str, Any]:
        asked: Any = read_arguments(row.verb, given, row.name)
        ask = getattr(service, row.ask)
        if row.long and _wants_progress(context):
            result = await _reporting(service, context, ask, asked)
        else:
            result = await ask(asked)
        if _mended(context) and isinstance(getattr(asked, "text", None), str) and hasattr(result, "note"):
            result = noted(result, asked, mended=True)
        text, result = row.say(result, asked)
        # As it is written: the SDK's types would be built, checked and taken apart once more.
        return {"content": [{"type": "text", "text": text}, *(row.link(result) if row.link else ())],
                "structuredContent": to_wire(result), "resultType": "complete"}

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
