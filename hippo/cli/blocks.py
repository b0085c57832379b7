"""`hippo blocks` and `hippo block`: named texts that always stand."""

from __future__ import annotations

from typing import Any

import click

from hippo.cli.answers import remark_on
from hippo.cli.brain import Brain, ask
from hippo.cli.confirmation import confirm
from hippo.cli.options import Seat, seated
from hippo.cli.terminal import cut, escaped, remark, say, say_json, say_table
from hippo.cli.typed import typed
from hippo.errors import InvalidArgument
from hippo.model.knowledge_verb import AppendBlock, DeleteBlock, RecallBlock, ReplaceBlock

_line_characters = 60


@click.command()
@seated()
def blocks(seat: Seat) -> None:
    """List the named texts that always stand."""
    answer = ask(seat.brain(), "recall_block", RecallBlock(agent_id=seat.agent))
    if seat.as_json:
        say_json(answer)
        return
    remark_on(answer)
    if answer["blocks"]:
        say_table(("block", "characters", "limit", "text"),
                  [(row["key"], row["characters"], row["limit"], cut(row["text"], _line_characters))
                   for row in answer["blocks"]], right=[1, 2])


@click.command()
@click.argument("key")
@click.option("--append", metavar="TEXT", help="Add a line; the block is made if there is none. - reads it from stdin.")
@click.option("--replace", nargs=2, metavar="OLD NEW", help="Replace a text wherever it stands; NEW may be empty.")
@click.option("--delete", is_flag=True, help="Erase the block; it asks.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@seated()
def block(seat: Seat, key: str, append: str | None, replace: tuple[str, str] | None, delete: bool, yes: bool) -> None:
    """Show a named text, add to it, change it or erase it.

    KEY is its name, such as persona or objectives; `hippo blocks` lists all of them.
    """
    if sum((append is not None, replace is not None, delete)) > 1:
        raise InvalidArgument(what="Give one of --append, --replace and --delete, or none of them to see the block.")
    if not key.strip():
        raise InvalidArgument(what="A block has a name.")
    brain = seat.brain(writes=append is not None)
    if append is not None:
        text = typed([append])
        answer = ask(brain, "append_block", AppendBlock(key=key, text=text, agent_id=seat.agent))
    elif replace is not None:
        old, new = replace
        answer = ask(brain, "replace_block", ReplaceBlock(key=key, old=old, new=new, agent_id=seat.agent))
    elif delete:
        answer = _delete(seat, brain, key, yes)
    else:
        answer = ask(brain, "recall_block", RecallBlock(key=key, agent_id=seat.agent))
    if seat.as_json:
        say_json(answer)
        return
    remark_on(answer)
    for row in answer.get("blocks", [answer]):
        if row.get("action"):
            say(f"{escaped(row['key'])}  {row['action']}, {row['characters']} of {row['limit']} characters")
        else:
            say(escaped(row["text"], lines=True))


def _delete(seat: Seat, brain: Brain, key: str, yes: bool) -> Any:
    [row] = ask(brain, "recall_block", RecallBlock(key=key, agent_id=seat.agent))["blocks"]
    remark(f"{escaped(row['key'])}: {cut(row['text'], _line_characters)}")
    confirm(f"Erase this block of {row['characters']} characters for good?", yes=yes)
    return ask(brain, "delete_block", DeleteBlock(key=key, agent_id=seat.agent))
