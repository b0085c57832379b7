"""The REST API: one row per route; the router, the errors of wrong paths and methods, and OpenAPI follow from it.

1. A body or a query string is read by the same lenient rules as a tool's arguments (`arguments.py`).
2. HEAD is answered as GET without a body, OPTIONS with what a path allows.
3. A path nothing is at is 404, a known path with another method is 405; both in JSON.
4. A route that writes waits for its turn before its body is read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from hippo import limits
from hippo.errors import HippoError, InvalidArgument, MethodNotAllowed, RouteNotFound
from hippo.interfaces.answers import Message, Receive, Scope, Send, answer, answer_json, error_shape, header
from hippo.interfaces.arguments import decode_body, mend, noted, read_arguments
from hippo.interfaces.sse import Streams, last_event_id
from hippo.interfaces.turns import Kind, Turns
from hippo.interfaces.wire import to_wire
from hippo.model.health import AgentFigures, Health
from hippo.model.inspection import Inspection
from hippo.model.page import Page
from hippo.model.recollection import Answer
from hippo.model.report import Report, Stats
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from hippo.model.verb import (
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
from hippo.text.surrogates import whole

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


Serve = Callable[[Exchange], Awaitable[None]]


class Route(NamedTuple):
    """One route. `verb` is what its arguments are read as, `result` what it answers; both None where it has none.
    `turn`: of which kind its requests take one (`turns.py`)."""

    method: str
    path: str
    summary: str
    serve: Serve
    verb: type[msgspec.Struct] | None = None
    result: Any = None
    turn: Kind | None = None


def _verb(verb: type[msgspec.Struct], ask: str, name: str) -> Serve:
    async def serve(exchange: Exchange) -> None:
        asked = read_arguments(verb, exchange.given, name)
        await answer_json(exchange.send, await getattr(exchange.service, ask)(asked))

    return serve


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


async def _health(exchange: Exchange) -> None:
    health = await exchange.service.health()
    await answer_json(exchange.send, health, 200 if health.status == "ok" else 503)


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
    Route("GET", "/api/graph", "Nodes and edges for the brain view", _verb(GraphView, "graph", "graph"), GraphView,
          dict[str, Any]),
    Route("GET", "/api/agents", "Whose memories there are", _agents, None, list[AgentFigures]),
    Route("GET", "/api/report", "The report of the last pass, or null", _report, None, Report),
    Route("GET", "/api/events", "What happens, as server-sent events", _events, Events),
    Route("GET", "/health", "Whether the daemon can remember", _health, None, Health),
)


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
        self._service, self._streams, self._turns = service, streams, turns
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
        methods, more = self._find(path)
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
        async with self._turns.one(route.turn) as turn:
            await self._serve(route, more, scope, receive, turn.until_sent(send))

    async def _serve(self, route: Route, more: dict[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        if route.method == "GET":
            given: Any = _query(scope)
            mended = False
        else:
            body, mended = mend((await receive()).get("body", b""))
            given = decode_body(body)
        if more:
            given = {**given, **more}
        if scope["method"] == "HEAD":
            send = _bodiless(send)
        await route.serve(Exchange(self._service, scope, receive, send, given, mended, self._streams))

    def _find(self, path: str) -> tuple[dict[str, Route], dict[str, str]]:
        if path in self._exact:
            return self._exact[path], {}
        start, _, last = path.rpartition("/")
        before, _, value = start.rpartition("/")
        for around, given in (((start + "/", ""), last), ((before + "/", "/" + last), value)):
            if around in self._around and given:
                name, methods = self._around[around]
                return methods, {name: given}
        return {}, {}


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
