"""ASGI answers: JSON, text and errors, written without a framework so that every one of them looks the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from hippo.errors import HippoError
from hippo.interfaces.wire import to_json
from hippo.text.surrogates import whole

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

JSON = "application/json"


async def answer(send: Send, status: int, body: bytes, kind: str, more: Mapping[str, str] | None = None) -> None:
    """Sends a whole answer: status, body and its content type, and further headers."""
    headers = [] if status in (204, 304) else [(b"content-type", kind.encode()),
                                               (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in (more or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def answer_json(send: Send, value: Any, status: int = 200, more: Mapping[str, str] | None = None) -> None:
    """Sends a struct, or whatever else `wire.py` can write, as JSON."""
    await answer(send, status, to_json(value), JSON, {"cache-control": "no-store", **(more or {})})


async def answer_error(send: Send, error: HippoError, more: Mapping[str, str] | None = None) -> None:
    """Sends an error in its wire shape, with its status."""
    await answer_json(send, error_shape(error), error.http_status, more)


def error_shape(error: HippoError) -> dict[str, dict[str, str]]:
    """The wire shape of an error; its words may quote what a client sent, so they are made whole."""
    return {"error": {name: whole(word) for name, word in error.as_dict()["error"].items()}}


def header(scope: Scope, name: bytes) -> str | None:
    """The first header of that lower-case name."""
    for known, value in scope["headers"]:
        if known == name:
            return str(value.decode("latin-1"))
    return None
