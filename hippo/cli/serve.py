"""`hippo serve`: the daemon in the foreground."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import click

from hippo.cli.terminal import paint, remark
from hippo.readings import SWITCH
from hippo.settings import SETTINGS, Setting, Settings, load


def flagged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command one option for each setting; they arrive under the settings' names, None where not given."""
    for setting in reversed(SETTINGS):
        function = _option(setting)(function)
    return function


def _option(setting: Setting) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    # `--demo` is `--demo on`
    bare: dict[str, Any] = {"is_flag": False, "flag_value": "on"} if setting.reading is SWITCH else {}
    return click.option("--" + setting.name.replace("_", "-"), setting.name, hidden=setting.internal,
                        metavar="on|off" if bare else "VALUE", help=f"{setting.meaning} [{setting.variable}]", **bare)


@click.command()
@flagged
@click.option("--detached", is_flag=True, hidden=True, help="Nobody reads stderr any more once it listens.")
def serve(detached: bool, **flags: Any) -> int:
    """Run the daemon: MCP, REST and the page on one address.

    Ctrl-C ends it; nothing that was acknowledged is ever lost. docs/settings.md says what each setting takes.
    """
    settings, warnings = load(flags, os.environ)
    for warning in warnings:
        remark(f"warning: {warning}")
    if settings.transport == "stdio":
        from hippo.cli.stdio import speak

        return speak(settings, None, flags)

    from hippo.daemon import run

    return run(settings, _silence if detached else lambda url: _greet(settings, url))


def _greet(settings: Settings, url: str) -> None:
    with suppress(OSError):  # whoever started it may have stopped reading: no reason to end
        remark(paint("hippo is awake", bold=True) + f" · memories in {settings.dir}")
        remark(f"  page   {url}/")
        remark(f"  MCP    {url}/mcp")
        remark(f"  Claude Code: claude mcp add --transport http hippo {url}/mcp")


def _silence(url: str) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def as_arguments(flags: Mapping[str, object]) -> list[str]:
    """The flags that were given, as they are typed."""
    return [part for name, value in flags.items() if value is not None
            for part in ("--" + name.replace("_", "-"), str(value))]
