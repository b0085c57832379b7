"""`hippo consolidate`."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import click

from hippo import limits
from hippo.cli.answers import in_line, remark_on
from hippo.cli.brain import ask
from hippo.cli.options import Seat, given, seated
from hippo.cli.terminal import Waiting, escaped, paint, remark, say, say_json
from hippo.model.knowledge_verb import Consolidate

_modes = get_args(get_type_hints(Consolidate)["mode"])


@click.command()
@click.option("--mode", type=click.Choice(_modes),
              help="clusters (when left out): near duplicates; entities: names that may mean one; contradictions; "
                   "sleep: what to prune, compress or refresh.")
@click.option("--age-days", type=click.FloatRange(0), metavar="N", help="With sleep: only memories older than this.")
@click.option("--include-append-only", is_flag=True, help="Also logs, of which every entry stands for itself.")
@click.option("--limit", type=click.IntRange(1, limits.proposals_max), metavar="N", help="How many proposals.")
@seated()
def consolidate(seat: Seat, **fields: Any) -> None:
    """Find what could be tidied up, without changing anything.

    `hippo merge`, `hippo merge-entities`, `hippo update` and `hippo forget` do what is proposed.
    """
    brain = seat.brain()
    with Waiting("looking"):
        answer = ask(brain, "consolidate", Consolidate(**given(**fields, agent_id=seat.agent)))
    if seat.as_json:
        say_json(answer)
        return
    remark_on(answer)
    if not answer["proposals"] and not answer.get("note"):
        remark(f"Nothing to propose: {answer['looked_at']} memories were looked at.")
    for number, proposal in enumerate(answer["proposals"], 1):
        _print(number, proposal, seat)
    if answer["left_out"]:
        remark(f"There are {answer['left_out']} more; --limit shows more at once.")
    if answer["excluded_append_only"]:
        remark(f"{answer['excluded_append_only']} memories of logs were left out; --include-append-only takes them in.")


def _print(number: int, proposal: dict[str, Any], seat: Seat) -> None:
    likeness = proposal.get("similarity")
    marks = [proposal.get("why"), *(proposal.get("entities") or ()),
             None if likeness is None else f"similarity {likeness:.2f}"]
    say(f"{number}. {paint(escaped(proposal['action']), bold=True)}  "
        f"{'  '.join(escaped(str(mark)) for mark in marks if mark)}".rstrip())
    for row in proposal.get("memories") or ():
        say(f"   {in_line(row, seat)}")
