"""Completion: the names that an argument of a resource or a prompt may have, while a person types.

What begins like what was typed comes first, then what holds it; case, width and accents do not matter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, get_args

import mcp_types as types
from mcp.shared.exceptions import MCPError

from hippo.interfaces.mcp.prompts import ONBOARD, RECALL_FIRST
from hippo.interfaces.mcp.resources import BLOCK, ENTITY, EXPORT
from hippo.interfaces.mcp.server import Context, Handler, answering
from hippo.model.knowledge_verb import ExportFormat, RecallBlock
from hippo.text.tokens import fold

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

_VALUES_MAX = 100  # by the protocol


def completion(service: Service) -> dict[str, Handler]:
    """The handler of completion, by the SDK's name."""

    async def entities() -> list[str]:
        return await service.entities(None)

    async def blocks() -> list[str]:
        return [block.key for block in (await service.recall_block(RecallBlock())).blocks]

    async def formats() -> list[str]:
        return list(get_args(ExportFormat))

    known: dict[str, dict[str, Callable[[], Awaitable[list[str]]]]] = {
        ENTITY: {"name": entities}, BLOCK: {"key": blocks}, EXPORT: {"format": formats},
        RECALL_FIRST: {"topic": entities}, ONBOARD: {}}

    async def complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        of = params.ref.uri if isinstance(params.ref, types.ResourceTemplateReference) else params.ref.name
        if of not in known:
            raise MCPError(types.INVALID_PARAMS, f"There is nothing to complete for {of}. "
                                                 f"There is for {', '.join(known)}.")
        names = known[of].get(params.argument.name)
        values = [] if names is None else _fitting(await names(), params.argument.value)
        return types.CompleteResult(completion=types.Completion(
            values=values[:_VALUES_MAX], total=len(values), has_more=len(values) > _VALUES_MAX))

    return {"on_completion": answering(complete)}


def _fitting(names: list[str], typed: str) -> list[str]:
    wanted = fold(typed.strip())
    begins = [name for name in names if fold(name).startswith(wanted)]
    return begins + [name for name in names if wanted in fold(name) and not fold(name).startswith(wanted)]
