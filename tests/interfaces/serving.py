"""The daemon's server in the test's own nursery, on a free port, over a real store or over whatever a test brings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import trio

from hippo.daemon import awake
from hippo.interfaces.server import serve_http
from hippo.interfaces.service import Service
from hippo.runtime.offload import Offload
from hippo.settings import Settings
from hippo.store.disk import FolderDisk

ANYWHERE = Path("/")


def settings_for(folder: Path = ANYWHERE, **more: Any) -> Settings:
    """Settings for a test: any free port, an embedder that reads no model, no pass by itself."""
    return Settings(dir=folder, **{"port": 0, "embedder": "term-frequency", "sleep_enabled": False, **more})


@asynccontextmanager
async def served(service: object, settings: Settings | None = None, server: Any = None) -> AsyncIterator[str]:
    """The address at which a service is served; the server is shut down in order afterwards."""
    shutdown = trio.Event()
    async with trio.open_nursery() as nursery:
        url = await nursery.start(partial(
            serve_http, cast(Service, service), settings or settings_for(), shutdown, server=server))
        try:
            yield url
        finally:
            shutdown.set()


@asynccontextmanager
async def hippo_at(folder: Path, **more: Any) -> AsyncIterator[tuple[str, Service]]:
    """A whole hippo over a store in a folder: its address and its service."""
    settings = settings_for(folder, **more)
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service, served(service, settings) as url:
        yield url, service


def client(url: str, **more: Any) -> httpx.AsyncClient:
    """An HTTP client for an address."""
    return httpx.AsyncClient(base_url=url, timeout=30, **more)
