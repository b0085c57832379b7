"""`hippo sleep`, `hippo preview` and `hippo report`."""

from __future__ import annotations

from typing import Any, get_args

import click

from hippo.cli.brain import ask
from hippo.cli.options import Seat, seated
from hippo.cli.stats import say_tiers
from hippo.cli.terminal import Waiting, moment, remark, say, say_json, say_table, size
from hippo.model.verb import Depth, Preview, Sleep

_deep = click.option("--depth", type=click.Choice(get_args(Depth)), default="all",
                     help="light (decay, prune, re-tier), deep (compression), rem (dreams), or all.")


@click.command()
@_deep
@seated(agent=False)
def sleep(seat: Seat, depth: Depth) -> None:
    """Run a pass of sleep now."""
    brain = seat.brain()
    with Waiting("sleeping"):
        answer = ask(brain, "sleep", Sleep(depth=depth))
    _print(seat, answer)


@click.command()
@_deep
@seated(agent=False)
def preview(seat: Seat, depth: Depth) -> None:
    """Show what a pass of sleep would do now, without doing it."""
    brain = seat.brain()
    with Waiting("looking ahead"):
        answer = ask(brain, "preview", Preview(depth=depth))
    _print(seat, answer)


@click.command()
@seated(agent=False)
def report(seat: Seat) -> None:
    """Show the report of the last pass of sleep."""
    _print(seat, ask(seat.brain(), "report"))


def _print(seat: Seat, answer: dict[str, Any] | None) -> None:
    if seat.as_json:
        say_json(answer)
        return
    if answer is None:
        remark("There was no pass of sleep yet.")
        return
    after = "expected" if answer.get("dry") else "after"
    say(f"{answer['cause']}, {answer['depth']}, {moment(answer['at'], seat.settings.zone)}, "
        f"{answer['memories']} memories")
    say()
    say_tiers({name: row[after] for name, row in answer["tiers"].items()})
    say()
    before, now = answer["before"], answer["after"]
    say_table(("bytes", "before", after),
              [(name.removesuffix("_bytes"), size(before[name]), size(now[name])) for name in before], right=[1, 2])
    say()
    done = ("edges_decayed", "edges_pruned", "sealed", "verified", "unrecoverable")
    say(", ".join(f"{name.replace('_', ' ')} {answer.get(name, 0)}" for name in done))
