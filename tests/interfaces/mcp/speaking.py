"""The official Python client, speaking with a whole hippo in either protocol era."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp
import pytest
from mcp.shared.exceptions import MCPError

from hippo.interfaces.service import Service
from tests.interfaces.serving import hippo_at

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
# The SDK's client leaves generators of its HTTP library unfinished when an answer comes as events: not ours to mend.
UNFINISHED = [
    pytest.mark.filterwarnings("ignore:Async generator 'http(core|x)2:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <async_gen:pytest.PytestUnraisableExceptionWarning"),
]


@asynccontextmanager
async def spoken(folder: Path, era: str, **more: Any) -> AsyncIterator[tuple[mcp.Client, Service]]:
    """A client and the service it speaks with; `more` are settings."""
    async with hippo_at(folder, **more) as (url, service), mcp.Client(f"{url}/mcp", mode=era) as client:
        yield client, service


async def refused(asking: Any) -> str:
    """The words of the protocol error that a request ends with."""
    with pytest.raises(MCPError) as error:
        await asking
    assert error.value.error.code == -32602
    return error.value.error.message
