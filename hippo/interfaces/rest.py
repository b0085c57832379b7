"""The REST API: finds the route of a request (`routes.py`), reads its arguments, and serves it.

1. A body and a query string are read by the same lenient rules as a tool's arguments (`arguments.py`), and together:
   nothing that a client says is passed over, since that could widen what is erased.
2. HEAD is answered as GET without a body, OPTIONS with what a path allows.
3. A path nothing is at is 404, a known path with another method is 405; both in JSON.
4. A route that writes waits for its turn before its body is read. One that writes for long takes a turn for each part.
5. A body that is a file is left to its route: the arguments are those of the query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from hippo.errors import InvalidArgument, MethodNotAllowed, RouteNotFound
from hippo.interfaces.answers import Message, Receive, Scope, Send, answer
from hippo.interfaces.arguments import decode_body, mend
from hippo.interfaces.routes import ROUTES, Exchange, Route
from hippo.interfaces.sse import Streams
from hippo.interfaces.turns import Turns
from hippo.interfaces.uploads import Uploads
from hippo.text.surrogates import whole

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

__all__ = ["ROUTES", "Route", "Router"]


class Router:
    """Finds the route of a request and serves it.

    Args:
        service: what answers.
        streams: the event streams, to be closed at shutdown.
        turns: of the daemon.
        routes: the table; a path may hold one `{name}`, last or before the last part, which becomes an argument.
    """

    def __init__(self, service: Service, streams: Streams, turns: Turns,
                 routes: tuple[Route, ...] = ROUTES) -> None:
        self._service, self._streams, self._turns, self._uploads = service, streams, turns, Uploads()
        self._exact: dict[str, dict[str, Route]] = {}
        self._around: dict[tuple[str, str], tuple[str, dict[str, Route]]] = {}
        for route in routes:
            start, brace, more = route.path.partition("{")
            name, _, rest = more.partition("}")
            if brace:
                self._around.setdefault((start, rest), (name, {}))[1][route.method] = route
            else:
                self._exact.setdefault(route.path, {})[route.method] = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request.

        Raises:
            RouteNotFound: nothing is at its path.
            MethodNotAllowed: its path does not answer its method.
            HippoError: whatever the verb refuses it with.
        """
        path, method = scope["path"], scope["method"]
        methods, more = self._find(scope)
        if not methods:
            raise RouteNotFound(path=whole(path))
        allowed = ", ".join([*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"])
        if method == "OPTIONS":
            await answer(send, 204, b"", "text/plain", {"allow": allowed})
            return
        route = methods.get("GET" if method == "HEAD" else method)
        if route is None:
            raise MethodNotAllowed(path=path, method=method, allowed=allowed)
        if route.turn is None:
            await self._serve(route, more, scope, receive, send)
            return
        if route.turn == "parts":
            with self._turns.in_parts():
                await self._serve(route, more, scope, receive, send)
            return
        async with self._turns.one(route.turn) as turn:
            await self._serve(route, more, scope, receive, turn.until_sent(send))

    async def _serve(self, route: Route, more: dict[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        body, mended = b"", False
        if route.method != "GET" and not route.upload:
            body, mended = mend((await receive()).get("body", b""))
        given = _together(_together(decode_body(body), _query(scope)), more)
        if scope["method"] == "HEAD":
            send = _bodiless(send)
        await route.serve(Exchange(self._service, scope, receive, send, given, mended, self._streams,
                                   self._uploads))

    def _find(self, scope: Scope) -> tuple[dict[str, Route], dict[str, str]]:
        if scope["path"] in self._exact:
            return self._exact[scope["path"]], {}
        # As it was written: what stands in for a name may hold a slash of its own.
        written = scope.get("raw_path") or scope["path"].encode()
        parts = [unquote(part) for part in written.decode("ascii", "replace").split("/")]
        for at, rest in ((len(parts) - 1, ""), (len(parts) - 2, "/" + parts[-1])):
            around = "/".join(parts[:at]) + "/", rest
            if around in self._around and parts[at]:
                name, methods = self._around[around]
                return methods, {name: parts[at]}
        return {}, {}


def _together(given: Any, more: dict[str, Any]) -> Any:
    """Arguments from two places (rule 1)."""
    if not more or given is None:
        return more or given
    if not isinstance(given, Mapping):
        raise InvalidArgument(what="The body is an object of arguments, or empty.")
    if twice := [name for name in more if name in given]:
        raise InvalidArgument(what=f"{twice[0]} is given twice.")
    return {**given, **more}


def _query(scope: Scope) -> dict[str, Any]:
    """The query string as arguments; a name that is given several times becomes a list."""
    given: dict[str, Any] = {}
    text = scope.get("query_string", b"").decode("ascii", "replace")
    for name, value in parse_qsl(text, keep_blank_values=True, encoding="utf-8", errors="replace"):
        if name not in given:
            given[name] = value
        elif isinstance(given[name], list):
            given[name].append(value)
        else:
            given[name] = [given[name], value]
    return given


def _bodiless(send: Send) -> Send:
    async def sending(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sending
