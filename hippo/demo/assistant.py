"""An assistant whose memory is hippo: a real MCP client, with a new session for each thing it does.

A session that ends with each turn is what most assistants have: whatever is known afterwards, hippo has kept.
"""

from __future__ import annotations

from typing import Any

import httpx2
import trio
from mcp import Client

_SECONDS_MAX = 120.0  # for a pass of sleep; everything else takes milliseconds


class Refused(Exception):
    """The memory refused what the assistant asked of it, in the memory's words."""


class Assistant:
    """Calls of one daemon, each to its end.

    Args:
        url: of the daemon, such as http://127.0.0.1:3000.
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a tool.

        Raises:
            Refused: what the tool said, where that is an error.
        """
        return trio.run(self._call, tool, arguments)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        with trio.fail_after(_SECONDS_MAX):
            async with Client(f"{self.url}/mcp") as client:
                result = await client.call_tool(tool, arguments)
        if result.is_error:
            raise Refused(" ".join(getattr(part, "text", "") for part in result.content))
        answered: dict[str, Any] = result.structured_content or {}
        return answered

    def skip(self, days: float) -> dict[str, Any]:
        """Moves the clock on, which no tool does: the report of the pass that follows.

        Raises:
            Refused: the daemon does not allow it.
        """
        reply = httpx2.post(f"{self.url}/api/timeskip", json={"days": days}, timeout=_SECONDS_MAX)
        answered: dict[str, Any] = reply.json()
        if reply.status_code >= 400:
            raise Refused(answered["error"]["message"])
        return answered
