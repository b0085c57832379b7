"""`hippo recall` and `hippo search`."""

from __future__ import annotations

from typing import Any, get_args

import click

from hippo import limits
from hippo.cli.brain import ask
from hippo.cli.browse import print_page
from hippo.cli.options import Seat, filtered, given, labels, seated
from hippo.cli.terminal import escaped, moment, paint, remark, say, say_json
from hippo.model.verb import Format, ListMemories, Recall


@click.command()
@click.argument("cue", nargs=-1)
@click.option("-k", "k", type=click.IntRange(1, limits.results_max), metavar="N",
              help=f"How many results, {limits.results_default} when left out.")
@filtered
@click.option("--peek", is_flag=True, help="Read without strengthening what is recalled.")
@click.option("--format", "format", type=click.Choice(get_args(Format)), help="What each result holds.")
@seated()
def recall(seat: Seat, cue: tuple[str, ...], tags: tuple[str, ...], **fields: Any) -> None:
    """Bring to mind what a cue is associated with.

    CUE may be several words. Without it, what the filters let through is listed by time.
    """
    request = Recall(**given(**fields, cue=" ".join(cue) or None, agent_id=seat.agent, tags=labels(tags)))
    answer = ask(seat.brain(), "recall", request)
    if seat.as_json:
        say_json(answer)
        return
    for told in (answer.get("note"), answer.get("alert")):
        if told:
            remark(escaped(told))
    if not answer["results"] and not answer.get("note"):
        remark("Nothing comes to mind.")
    for number, result in enumerate(answer["results"], 1):
        _print_result(number, result, seat)


def _print_result(number: int, result: dict[str, Any], seat: Seat) -> None:
    text = escaped(result.get("text") or "", lines=True).replace("\n", "\n   ")
    say(f"{number}. {text}")
    marks = [result["id"], moment(result.get("created_at"), seat.settings.zone), result.get("kind"),
             result.get("entity"), *(f"#{tag}" for tag in result.get("tags") or ()), _why(result)]
    say(paint("   " + "  ".join(escaped(str(mark)) for mark in marks if mark), dim=True))


def _why(result: dict[str, Any]) -> str:
    """Why it came to mind, in words, with how sure that is."""
    why = result.get("why") or {}
    confidence = result.get("confidence")
    sure = f", confidence {confidence:.2f}" if confidence is not None else ""
    path = " → ".join(why.get("path") or ())
    return f"{why.get('kind', '')}{' through ' + path if path else ''}{sure}".removeprefix(", ")


@click.command()
@click.argument("text", nargs=-1, required=True)
@filtered
@click.option("--limit", type=click.IntRange(1, limits.list_memories_max), metavar="N", help="How many on a page.")
@click.option("--before", metavar="ID", help="Go on after this memory: the `next` of the page before.")
@seated()
def search(seat: Seat, text: tuple[str, ...], tags: tuple[str, ...], **fields: Any) -> None:
    """Find the memories that contain exactly these characters.

    Case and width do not matter; %, _, * and \\ are characters like any other. Newest first.
    """
    request = ListMemories(**given(**fields, contains=" ".join(text), agent_id=seat.agent, tags=labels(tags)))
    page = ask(seat.brain(), "memories", request)
    print_page(seat, page, f"hippo search {' '.join(text)}")
