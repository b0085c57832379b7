"""`hippo update`, `hippo merge`, `hippo merge-entities` and `hippo relate`: a person corrects what is known."""

from __future__ import annotations

from typing import Any, get_args

import click

from hippo.cli.answers import line_characters, remark_on
from hippo.cli.brain import ask
from hippo.cli.options import Seat, given, labels, seated
from hippo.cli.terminal import cut, escaped, say, say_json
from hippo.cli.typed import typed
from hippo.errors import InvalidArgument
from hippo.model.knowledge_verb import Merge, MergeEntities, Relate, Update
from hippo.model.verb import Retention


@click.command()
@click.argument("id")
@click.argument("text", nargs=-1)
@click.option("--scope", metavar="NAME", help="A project or channel; empty for global.")
@click.option("--salience", type=click.FloatRange(0, 1), metavar="0..1", help="0.7 and more is kept exact for ever.")
@click.option("--kind", metavar="WORD", help="fact, decision, question, preference, episode, or your own word.")
@click.option("--retention", type=click.Choice(get_args(Retention)), help="How long it stays relevant.")
@click.option("--entity", "new_entity", metavar="NAME", help="What it is about from now on; empty for nothing.")
@click.option("--entity-type", metavar="WORD", help="What the entity is: person, project, place, …")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="In place of those it has; may be repeated.")
@click.option("--no-tags", is_flag=True, help="Take all tags away.")
@click.option("--protected/--unprotected", default=None, help="Whether it is never archived and always kept exactly.")
@seated()
def update(seat: Seat, id: str, text: tuple[str, ...], tags: tuple[str, ...], no_tags: bool, **fields: Any) -> None:
    """Correct a memory; what it said stays in its history.

    TEXT may be several words, - reads it from stdin; without it only what the options name is changed.
    """
    if tags and no_tags:
        raise InvalidArgument(what="Give --tag or --no-tags, not both.")
    plain = given(**fields, agent_id=seat.agent, tags=labels(tags))
    if text:
        plain["text"] = typed(text)
    if no_tags:
        plain["tags"] = []
    answer = ask(seat.brain(), "update", Update(id=id, **plain))
    _say(seat, answer, f"{answer['id']}  {answer['action']}  {cut(answer['text'], line_characters)}")


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID ID…")
@click.option("--text", required=True, metavar="TEXT", help="What the one says; - reads it from stdin.")
@seated()
def merge(seat: Seat, ids: tuple[str, ...], text: str) -> None:
    """Replace memories that say the same by one; they stay, superseded.

    They are of one kind and of one scope.
    """
    if len(ids) < 2:
        raise InvalidArgument(what="merge takes at least two different memories.")
    answer = ask(seat.brain(), "merge", Merge(ids=list(ids), text=typed([text]), agent_id=seat.agent))
    _say(seat, answer, f"{answer['id']}  in place of {', '.join(answer['replaced'])}")


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME…")
@click.option("--into", "target", required=True, metavar="NAME", help="The name that stays.")
@seated()
def merge_entities(seat: Seat, sources: tuple[str, ...], target: str) -> None:
    """Give all memories of some entities to another."""
    answer = ask(seat.brain(), "merge_entities",
                 MergeEntities(sources=list(sources), target=target, agent_id=seat.agent))
    _say(seat, answer, f"{answer['entity']}: {answer['moved']} moved, {answer['memories']} memories")


@click.command()
@click.argument("source")
@click.argument("relation")
@click.argument("target")
@click.option("--remove", is_flag=True, help="Take it back.")
@seated()
def relate(seat: Seat, source: str, relation: str, target: str, remove: bool) -> None:
    """State how two entities are related.

    Such as: hippo relate Anna sister_of Ben
    """
    answer = ask(seat.brain(), "relate",
                 Relate(source=source, relation=relation, target=target, remove=remove, agent_id=seat.agent))
    _say(seat, answer, f"{answer['action']}: {answer['source']} {answer['relation']} {answer['target']}")


def _say(seat: Seat, answer: dict[str, Any], line: str) -> None:
    """The answer, as JSON or as one line with what is to be said about it."""
    if seat.as_json:
        say_json(answer)
        return
    say(escaped(line))
    remark_on(answer)
