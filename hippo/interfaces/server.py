"""Everything that is served over HTTP, put together, and served.

1. One app: the gate in front, then `/mcp`, the pages, the figures, and the REST routes.
2. Ending: event streams first, then the HTTP server, which lets running requests finish for
   `limits.grace_seconds`; the other way round it would wait all that time for each open stream.
3. The HTTP server writes no access log, and its complaints go through `logging` like everyone's.
4. Loading the MCP library takes as long as all else of a start: the daemon begins with it in a thread (`load_mcp`)
   before it opens the store. It listens when both are done, so that a client's first request is as fast as any.
5. In a process of its own, what is loaded by then stays for good: the garbage collector never looks at it again, since
   a full collection over it would hold up every request that is being worked on.
"""

from __future__ import annotations

import errno
import gc
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio
from hypercorn.config import Config
from hypercorn.trio import serve

from hippo import __version__, limits
from hippo.errors import AddressInUse, BadSetting, MethodNotAllowed
from hippo.interfaces import hypercorn_patch
from hippo.interfaces.answers import Receive, Scope, Send, answer, answer_json
from hippo.interfaces.metrics import CONTENT_TYPE, exposition
from hippo.interfaces.middleware import Gate
from hippo.interfaces.openapi import openapi
from hippo.interfaces.pages import answer_page, read_pages
from hippo.interfaces.rest import ROUTES, Router
from hippo.interfaces.sse import Streams
from hippo.interfaces.turns import Turns
from hippo.model.verb import MemoryStats
from hippo.runtime.offload import Offload

if TYPE_CHECKING:
    from hippo.interfaces.mcp.endpoint import Endpoint
    from hippo.interfaces.mcp.server import ToolServer
    from hippo.interfaces.service import Service
    from hippo.settings import Settings

log = logging.getLogger("hippo.http")

MCP_PATHS = ("/mcp", "/mcp/")


class Application:
    """The daemon as an ASGI app. Serves inside `running`.

    Args:
        service: what answers.
        settings: which tools, which hosts, which origins.
        server: another MCP server than that of the memory, for tests.
        alone: this process does nothing else (rule 5).
    """

    def __init__(self, service: Service, settings: Settings, server: ToolServer | None = None, *,
                 alone: bool = False) -> None:
        self._service, self._settings, self._server, self._alone = service, settings, server, alone
        self.streams, self._turns = Streams(), Turns()
        self._pages = read_pages()
        self._routes = Router(service, self.streams, self._turns)
        self._openapi = openapi(ROUTES, __version__)
        self._endpoint: Endpoint | None = None
        self._gate = Gate(self._answer, settings.allowed_hosts, settings.cors_origins)

    @property
    def answered(self) -> int:
        """How many requests were answered so far."""
        return self._gate.answered.total()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Until this is left, MCP requests are answered."""
        self._endpoint = await Offload(threads=1).run(
            _open_endpoint, self._service, self._settings, self._server, self._turns)
        if self._alone:
            gc.freeze()
            gc.set_threshold(limits.garbage_objects_young)
        async with self._endpoint.running():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request; hypercorn also asks once whether the app has started."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        else:
            await self._gate(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path in MCP_PATHS:
            assert self._endpoint is not None
            await self._endpoint(scope, receive, send)
        elif path in self._pages or path in ("/metrics", "/api/openapi.json"):
            if scope["method"] not in ("GET", "HEAD"):
                raise MethodNotAllowed(path=path, method=scope["method"], allowed="GET, HEAD")
            if path in self._pages:
                await answer_page(self._pages[path], scope, send)
            elif path == "/metrics":
                await self._answer_metrics(send)
            else:
                await answer_json(send, self._openapi)
        else:
            await self._routes(scope, receive, send)

    async def _answer_metrics(self, send: Send) -> None:
        stats = await self._service.stats(MemoryStats())
        health = await self._service.health()
        text = exposition(stats, health, self._gate.answered, self._gate.seconds, len(self.streams))
        await answer(send, 200, text.encode(), CONTENT_TYPE)


def load_mcp() -> None:
    """Loads what MCP needs (rule 4)."""
    import hippo.interfaces.mcp.completion
    import hippo.interfaces.mcp.endpoint
    import hippo.interfaces.mcp.prompts
    import hippo.interfaces.mcp.resources
    import hippo.interfaces.mcp.tools  # noqa: F401


def _open_endpoint(service: Service, settings: Settings, server: ToolServer | None, turns: Turns) -> Endpoint:
    from hippo.interfaces.mcp.completion import completion
    from hippo.interfaces.mcp.endpoint import Endpoint
    from hippo.interfaces.mcp.prompts import prompts
    from hippo.interfaces.mcp.resources import resources
    from hippo.interfaces.mcp.server import make_server
    from hippo.interfaces.mcp.tools import INSTRUCTIONS, memory_tools

    return Endpoint(server or make_server(
        memory_tools(service, settings.tools), version=__version__, instructions=INSTRUCTIONS,
        **resources(service, settings.context_max_observations), **prompts(service), **completion(service)), turns)


async def serve_http(
    service: Service, settings: Settings, shutdown: trio.Event, *, server: ToolServer | None = None,
    alone: bool = False, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serves until `shutdown` is set. `task_status` is told the address, such as http://127.0.0.1:3000.

    Args:
        server, alone: as for `Application`.

    Raises:
        AddressInUse: another program listens there.
        BadSetting: this machine has no such address, or the port is not for us.
    """
    listener = _listen(settings.host, settings.port)
    hypercorn_patch.apply()
    app = Application(service, settings, server, alone=alone)
    config = Config()
    # hypercorn takes over the open socket: a port that is taken is found out above, and said in our words.
    port = listener.getsockname()[1]
    config.bind = [f"fd://{listener.detach()}"]
    config.accesslog = None
    config.errorlog = logging.getLogger("hippo.hypercorn")
    config.errorlog.setLevel(logging.WARNING)
    logging.getLogger("mcp").setLevel(logging.WARNING)
    config.backlog = limits.listen_backlog
    config.graceful_timeout = limits.grace_seconds
    config.keep_alive_timeout = limits.connection_idle_seconds
    config.keep_alive_max_requests = limits.connection_requests_max
    config.include_server_header = False

    async def until_shutdown() -> None:
        await shutdown.wait()
        app.streams.close()

    async with app.running(), trio.open_nursery() as nursery:
        if settings.idle_exit_seconds is not None:
            nursery.start_soon(_stop_when_idle, app, settings.idle_exit_seconds, shutdown)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        task_status.started(f"http://{host}:{port}")
        await serve(app, config, shutdown_trigger=until_shutdown)  # type: ignore[arg-type]


async def _stop_when_idle(app: Application, seconds: float, shutdown: trio.Event) -> None:
    """Ends a daemon that was started for stdio clients, some time after the last of them has gone."""
    before, since = -1, trio.current_time()
    while not shutdown.is_set():
        with trio.move_on_after(min(seconds / 4, 5.0)):
            await shutdown.wait()
            return
        if app.answered != before or len(app.streams):
            before, since = app.answered, trio.current_time()
        elif trio.current_time() - since >= seconds:
            log.info("nobody asked for %g s: ending", seconds)
            shutdown.set()


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # else a restart waits for old connections
        listener.bind((host, port))
        listener.listen(limits.listen_backlog)
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            raise AddressInUse(host=host, port=port) from None
        raise BadSetting(name="host and port", value=f"{host}:{port}", why=fault.strerror or str(fault)) from None
    return listener


async def _live(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})
