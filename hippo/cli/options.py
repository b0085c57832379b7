"""Options that commands share, and what a command needs to know of where it stands."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from hippo.cli.brain import Brain, open_brain
from hippo.cli.terminal import remark
from hippo.settings import Settings, load

Function = Callable[..., Any]


class Seat(NamedTuple):
    """Where a command runs: its settings, the daemon it was told to ask, the agent it speaks for, how it answers."""

    settings: Settings
    url: str | None
    agent: str | None
    as_json: bool

    def brain(self, *, writes: bool = False) -> Brain:
        """The brain of this seat; `writes` allows to make a new store.

        Raises:
            StoreMissing: there is no store to read.
        """
        return open_brain(self.settings, self.url, writes=writes)


def seated(*, agent: bool = True, url: bool = True) -> Callable[[Function], Function]:
    """Give a command the options of a seat, and the seat as its first argument.

    Args:
        agent: it speaks for one agent.
        url: it can ask a daemon elsewhere.
    """

    def dress(function: Function) -> Function:
        @functools.wraps(function)
        def command(*, folder: str | None, as_json: bool, for_agent: str | None = None, at: str | None = None,
                    **options: Any) -> Any:
            settings, warnings = load({"dir": folder}, os.environ)
            for warning in warnings:
                remark(f"warning: {warning}")
            return function(Seat(settings, at, for_agent, as_json), **options)

        dressed: Function = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)
        dressed = click.option("--dir", "folder", metavar="FOLDER", help="The store's folder (HIPPO_DIR).")(dressed)
        if url:
            dressed = click.option("--url", "at", metavar="URL", help="Ask the daemon at this address.")(dressed)
        if agent:
            dressed = click.option("--agent", "for_agent", metavar="NAME",
                                   help="Whose memory; the default one when left out.")(dressed)
        return dressed

    return dress


def filtered(function: Function) -> Function:
    """Give a command the filters of recall and of lists; they arrive under the names of the verb's fields."""
    options = (
        click.option("--scope", multiple=True, metavar="NAME", help="Only this scope; may be repeated."),
        click.option("--kind", metavar="WORD", help="Only this kind."),
        click.option("--entity", metavar="NAME", help="Only memories about this entity."),
        click.option("--type", "type", metavar="WORD", help="Only memories about entities of this type."),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; may be repeated."),
        click.option("--all-tags", "tags_match", flag_value="all", default="any",
                     help="Only with all of the tags, not with any of them."),
        click.option("--since", metavar="TIME", help="From then on: a date, a time, 7d, 12h, yesterday, last week."),
        click.option("--until", metavar="TIME", help="Up to then."),
        click.option("--include-archived", is_flag=True, help="Also what is archived."),
        click.option("--include-superseded", is_flag=True, help="Also what was superseded."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def given(**fields: Any) -> dict[str, Any]:
    """The fields that were given, for a verb's struct: options that may be repeated are lists, or left out."""
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
    return {name: value for name, value in lists.items() if value is not None and value != []}


def labels(tags: tuple[str, ...]) -> list[str]:
    """Tags as people type them: each its own option, or several with commas."""
    return [tag for given in tags for tag in (part.strip() for part in given.split(",")) if tag]
