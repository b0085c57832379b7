"""One exchange: the short way for a call of a quiet tool by a client of the era of sessions.

1. The SDK answers such a call over a session of its own, a stream, and a dozen tasks that are gone with the answer: two
   thirds of what a recall costs without what it recalls. Here its kernel answers in the caller's task. The kernel alone
   still decides what is valid, what the tool is given, and what shape its result has.
2. Only what is plainly such a call takes this way. Whatever else comes, also whatever is wrong, goes the long way and
   is refused there.
3. The answer is one JSON object, which that era allows in place of a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import anyio
import msgspec
from mcp.server.connection import Connection
from mcp.server.runner import modern_error_data, serve_one
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import DEFAULT_NEGOTIATED_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request

from hippo.interfaces.answers import JSON, Scope, header
from hippo.interfaces.mcp.server import ToolServer

STREAM = "text/event-stream"


class Asked(msgspec.Struct, frozen=True):
    """A call as it is written."""

    jsonrpc: Literal["2.0"]
    id: int | str
    method: Literal["tools/call"]
    params: dict[str, Any]


_asked = msgspec.json.Decoder(Asked)


def read_call(scope: Scope, body: bytes) -> Asked | None:
    """The call that a request is, if it may take this way (rule 2)."""
    accepts, kind = header(scope, b"accept") or "", header(scope, b"content-type") or ""
    version = header(scope, b"mcp-protocol-version")
    if JSON not in accepts or STREAM not in accepts or kind.partition(";")[0].strip() != JSON:
        return None
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    try:
        return _asked.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None


async def answered(server: ToolServer, asked: Asked, scope: Scope) -> bytes:
    """The answer to a call, as JSON."""
    connection = Connection.from_envelope(
        header(scope, b"mcp-protocol-version") or DEFAULT_NEGOTIATED_VERSION, None, None)
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": asked.id}
    try:
        answer["result"] = await serve_one(
            server, _Exchange(asked.id, scope), asked.method, asked.params, connection=connection, lifespan_state={})
    except Exception as refused:  # the SDK's own words for whatever its kernel refuses
        answer["error"] = modern_error_data(refused).model_dump(mode="json", exclude_none=True)
    return msgspec.json.encode(answer)


class _Exchange:
    """What the kernel wants to know of a request. Nothing is sent to the client but the answer."""

    can_send_request = False

    def __init__(self, id: int | str, scope: Scope) -> None:
        self.request_id = id
        self.transport = TransportContext(kind="streamable-http", can_send_request=False)
        self.message_metadata = ServerMessageMetadata(request_context=Request(scope))

    @property
    def cancel_requested(self) -> anyio.Event:
        """Never set: a client of this era that gives up closes its connection."""
        return anyio.Event()

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Refuses: the client could not answer."""
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Nothing: a quiet tool has nothing to say before its result."""

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Nothing, likewise."""
