"""A file as an answer: its pieces are sent as they are made, so that none of any size is ever held whole.

1. What keeps a file from being made is refused like everything else, in JSON: the answer begins with its first piece.
2. A client that has gone ends the making. HEAD is answered with no more than the first piece's making.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import trio

from hippo.interfaces.answers import Receive, Scope, Send


class File(NamedTuple):
    """A file to be sent: its name, its media type, its bytes in pieces."""

    name: str
    media_type: str
    pieces: AsyncIterator[bytes]


async def answer_file(file: File, scope: Scope, receive: Receive, send: Send) -> None:
    """Sends a file that a browser saves under its name."""
    async with aclosing(cast(Any, file.pieces)):
        piece: bytes | None = await anext(file.pieces, None)
        await send({"type": "http.response.start", "status": 200, "headers": [
            (b"content-type", file.media_type.encode()), (b"cache-control", b"no-store"),
            (b"content-disposition", disposition(file.name).encode("ascii"))]})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_gone, receive, nursery.cancel_scope)
            while piece is not None and scope["method"] != "HEAD":
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                piece = await anext(file.pieces, None)
            nursery.cancel_scope.cancel()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def disposition(name: str) -> str:
    """The value of Content-Disposition (RFC 6266): the whole name in UTF-8, and what is left of it for old clients."""
    plain = "".join(sign if sign.isascii() and sign.isprintable() and sign not in '"\\/' else "_" for sign in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


async def _until_gone(receive: Receive, scope: trio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
