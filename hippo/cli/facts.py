"""`hippo facts`."""

from __future__ import annotations

from typing import Any

import click

from hippo.cli.answers import line_characters, remark_on
from hippo.cli.brain import ask
from hippo.cli.options import Seat, given, labels, seated
from hippo.cli.terminal import Waiting, cut, remark, say, say_json
from hippo.cli.typed import typed
from hippo.model.knowledge_verb import RememberFacts


@click.command()
@click.argument("text", nargs=-1)
@click.option("--scope", metavar="NAME", help="A project or channel; global when left out.")
@click.option("--entity", metavar="NAME", help="The person, project or thing they are about.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A label to filter by; may be repeated.")
@click.option("--source", metavar="NAME", help="Where it comes from.")
@click.option("--conversation", metavar="ID", help="Shared by what was said together.")
@click.option("--created-at", metavar="TIME", help="When it was said, if not now.")
@seated()
def facts(seat: Seat, text: tuple[str, ...], tags: tuple[str, ...], **fields: Any) -> None:
    """Split a text into facts and store each, replacing what it outdates.

    TEXT is whole sentences. Without it, or as -, it is read from stdin.
    """
    request = RememberFacts(text=typed(text), **given(**fields, agent_id=seat.agent, tags=labels(tags)))
    brain = seat.brain(writes=True)
    with Waiting("splitting"):
        answer = ask(brain, "remember_facts", request)
    if seat.as_json:
        say_json(answer)
        return
    for fact, words in zip(answer["facts"], answer["texts"], strict=False):
        say(f"{fact['id']}  {fact['action']}  {cut(words, line_characters)}")
        if fact.get("replaced"):
            remark(f"{fact['id']} is in place of {', '.join(fact['replaced'])}.")
    if not answer["facts"] and not answer.get("note"):
        remark("No fact was found in it.")
    remark_on(answer)
