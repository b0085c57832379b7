"""A whole hippo over a store in a folder, without a server: its service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from hippo.daemon import awake
from hippo.interfaces.service import Service
from hippo.runtime.offload import Offload
from hippo.store.disk import FolderDisk
from tests.interfaces.serving import settings_for


@asynccontextmanager
async def awakened(folder: Path, **more: Any) -> AsyncIterator[Service]:
    """The service while the store is open; `more` are settings."""
    settings = settings_for(folder, **more)
    async with awake(settings, FolderDisk(settings.dir), Offload()) as service:
        yield service


def holds(folder: Path, text: str) -> list[str]:
    """The files in a folder that hold a text as it is."""
    return [file.name for file in sorted(folder.rglob("*")) if file.is_file() and text.encode() in file.read_bytes()]
