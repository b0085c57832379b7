"""`hippo inspect`, `hippo restore`, `hippo memories` and `hippo agents`."""

from __future__ import annotations

from typing import Any

import click

from hippo import limits
from hippo.cli.brain import ask
from hippo.cli.options import Seat, filtered, given, labels, seated
from hippo.cli.terminal import cut, escaped, moment, paint, remark, say, say_json, say_table, size
from hippo.model.verb import Inspect, ListMemories, Restore

_line_characters = 100
_instants = ("created_at", "last_access", "archived_at")
_shown_apart = ("text", "associations", "tier_in_days", "alert", "characters", "offset", "next_offset")


@click.command()
@click.argument("id")
@click.option("--offset", type=click.IntRange(0), metavar="N", help="The first character of a long text to show.")
@click.option("--max-chars", type=click.IntRange(limits.result_characters_min), metavar="N",
              help="How many characters of the text to show.")
@seated()
def inspect(seat: Seat, id: str, **fields: Any) -> None:
    """Show everything about one memory.

    ID has 8 characters; `hippo recall` and `hippo memories` list them.
    """
    found = ask(seat.brain(), "inspect", Inspect(id=id, agent_id=seat.agent, **given(**fields)))
    if seat.as_json:
        say_json(found)
        return
    if found.get("alert"):
        remark(escaped(found["alert"]))
    say(escaped(found["text"], lines=True))
    if found.get("next_offset") is not None:
        remark(f"Characters {found['offset']} to {found['next_offset']} of {found['characters']}; "
               f"go on with: hippo inspect {id} --offset {found['next_offset']}")
    say()
    for name, value in found.items():
        if name not in _shown_apart and value not in (None, "", [], False):
            say(f"{paint(name.replace('_', ' '), dim=True)}: {_in_words(name, value, seat)}")
    for tier, days in (found.get("tier_in_days") or {}).items():
        say(f"{paint('fades to ' + tier, dim=True)}: in {days:.1f} days")
    for association in found.get("associations") or ():
        say(f"{paint('associated', dim=True)}: {association['id']}  {association['weight']:.2f}  "
            f"{escaped(association['origin'])}")


@click.command()
@click.argument("id")
@seated()
def restore(seat: Seat, id: str) -> None:
    """Give an abridged memory its exact text back, where that was kept.

    What is abridged is kept as well while HIPPO_PRESERVE_ORIGINALS is on.
    """
    found = ask(seat.brain(), "restore", Restore(id=id, agent_id=seat.agent))
    if seat.as_json:
        say_json(found)
        return
    say("It says again what was said." if found["action"] == "restored" else "Nothing of it is missing.")


def _in_words(name: str, value: Any, seat: Seat) -> str:
    if name in _instants:
        return moment(value, seat.settings.zone)
    if name.endswith("_bytes"):
        return size(value)
    if isinstance(value, list):
        return escaped(", ".join(str(row) for row in value))
    if isinstance(value, dict):
        return escaped(", ".join(f"{key} {inner}" for key, inner in value.items()))
    return escaped("yes" if value is True else str(value))


@click.command()
@filtered
@click.option("--contains", metavar="TEXT", help="Only texts with exactly these characters, case and width folded.")
@click.option("--limit", type=click.IntRange(1, limits.list_memories_max), metavar="N", help="How many on a page.")
@click.option("--before", metavar="ID", help="Go on after this memory: the `next` of the page before.")
@seated()
def memories(seat: Seat, tags: tuple[str, ...], **fields: Any) -> None:
    """List memories by time, newest first."""
    request = ListMemories(**given(**fields, agent_id=seat.agent, tags=labels(tags)))
    print_page(seat, ask(seat.brain(), "memories", request), "hippo memories")


def print_page(seat: Seat, page: Any, command: str) -> None:
    """Show one page of memories, each on its line, and how to get the next.

    Args:
        seat: of the command.
        page: the answer of the verb `memories`.
        command: what the person typed, to go on with.
    """
    if seat.as_json:
        say_json(page)
        return
    if page.get("alert"):
        remark(escaped(page["alert"]))
    if not page["memories"]:
        remark("There is no such memory.")
    for row in page["memories"]:
        say(f"{row['id']}  {paint(moment(row['created_at'], seat.settings.zone), dim=True)}  "
            f"{cut(row['text'], _line_characters)}")
    if page.get("next"):
        remark(f"There are more; go on with: {escaped(command)} --before {page['next']}")


@click.command()
@seated(agent=False)
def agents(seat: Seat) -> None:
    """List whose memories the store holds."""
    answer = ask(seat.brain(), "agents")
    if seat.as_json:
        say_json(answer)
        return
    say_table(("agent", "memories"), [(row["agent_id"], row["memories"]) for row in answer["agents"]], right=[1])
