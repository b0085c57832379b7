"""hippo serve: the daemon in the foreground."""

from __future__ import annotations

import os
from typing import Any

import click

from hippo.cli.terminal import paint, remark
from hippo.settings import load


@click.command()
@click.option("--dir", "dir", metavar="FOLDER", help="The store's folder (HIPPO_DIR).")
@click.option("--host", metavar="NAME", help="Where to listen; only this machine may reach it (HIPPO_HOST).")
@click.option("--port", type=int, metavar="NUMBER", help="The port; 0 takes a free one (HIPPO_PORT).")
@click.option("--tools", metavar="SET", help="Which MCP tools are shown: core, standard or all (HIPPO_TOOLS).")
@click.option("--demo", is_flag=True, default=None, help="Allow the clock to be skipped (HIPPO_DEMO).")
@click.option("--epoch", type=int, metavar="MS",
              help="Freeze the clock at this moment, UTC milliseconds (HIPPO_EPOCH).")
@click.option("--idle-exit", "idle_exit_seconds", type=float, hidden=True)
def serve(**flags: Any) -> int:
    """Run the daemon: MCP, REST and the page on one address. Ctrl-C ends it; nothing acknowledged is ever lost."""
    settings, warnings = load({name: value for name, value in flags.items() if value is not None}, os.environ)
    for warning in warnings:
        remark(f"warning: {warning}")

    def ready(url: str) -> None:
        remark(paint("hippo is awake", bold=True) + f" · memories in {settings.dir}")
        remark(f"  page   {url}/")
        remark(f"  MCP    {url}/mcp")
        remark(f"  Claude Code: claude mcp add --transport http hippo {url}/mcp")

    from hippo.daemon import run

    return run(settings, ready)
