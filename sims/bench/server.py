"""The daemon as it ships, with two more tools that do nothing: what every figure is compared with.

`no_op` goes the SDK's whole way, as a tool does of which nothing is known; `no_op_quiet` goes the short way of recall.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

import mcp_types as types
import trio

from hippo import limits
from hippo.daemon import awake
from hippo.interfaces.mcp.server import Context, Tool, make_server
from hippo.interfaces.mcp.tools import memory_tools
from hippo.interfaces.server import serve_http
from hippo.runtime.offload import Offload
from hippo.settings import load
from hippo.store.disk import FolderDisk


async def _nothing(_: Context, given: Mapping[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="")])


def _no_op(name: str, *, quiet: bool) -> Tool:
    shown = types.Tool(name=name, description="Does nothing.",
                       input_schema={"type": "object", "properties": {"text": {"type": "string"}}})
    return Tool(shown, _nothing, quiet=quiet)


NO_OPS = [_no_op("no_op", quiet=False), _no_op("no_op_quiet", quiet=True)]


async def _run(folder: str) -> None:
    settings, _ = load({"dir": folder, "port": "0"}, {})
    disk, stop = FolderDisk(settings.dir), trio.Event()
    async with awake(settings, disk, Offload()) as service, trio.open_nursery() as nursery:

        async def until_asked() -> None:
            with trio.open_signal_receiver(signal.SIGTERM) as signals:
                async for _ in signals:
                    stop.set()
                    return

        nursery.start_soon(until_asked)

        async def serve(*, task_status: trio.TaskStatus[str]) -> None:
            server = make_server([*memory_tools(service, settings.tools), *NO_OPS], version="bench")
            await serve_http(service, settings, stop, server=server, alone=True, task_status=task_status)

        disk.announce(await nursery.start(serve))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dir", required=True)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.setswitchinterval(limits.interpreter_switch_seconds)
    trio.run(_run, parser.parse_args().dir)
