"""`hippo forget` and `hippo purge`: what a person erases.

1. What would go is shown before it is asked for: on stderr, so that stdout has the answer and nothing else.
2. What goes is what was shown: memories that a description means are forgotten one by one, by their ids.
"""

from __future__ import annotations

from typing import Any

import click
from msgspec import structs

from hippo.cli.answers import in_line, remark_on
from hippo.cli.brain import Brain, ask
from hippo.cli.confirmation import confirm
from hippo.cli.options import Seat, given, seated
from hippo.cli.terminal import Progress, Waiting, escaped, remark, say, say_json
from hippo.errors import HippoError
from hippo.model.knowledge_verb import Forget, Purge

_only_look = click.option("--dry-run", is_flag=True, help="Only show what would be forgotten.")
_yes = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command()
@click.argument("id", required=False)
@click.option("--entity", metavar="NAME", help="All that is known of this entity.")
@click.option("--text", metavar="TEXT", help="With --entity: only what says exactly this.")
@click.option("--about", metavar="DESCRIPTION", help="What resembles this description.")
@_only_look
@_yes
@seated()
def forget(seat: Seat, id: str | None, entity: str | None, text: str | None, about: str | None, dry_run: bool,
           yes: bool) -> None:
    """Erase memories for good.

    Give an ID, --entity or --about. It shows what would go, and asks. What is forgotten is gone from the disk; what it
    had superseded comes back.
    """
    request = Forget(**given(id=id, entity=entity, text=text, description=about, agent_id=seat.agent))
    brain = seat.brain()
    plan = _planned(brain, "forget", structs.replace(request, dry_run=True))
    if _is_all(seat, plan, dry_run):
        return
    _ask_for(plan, "Forget", yes)
    if about is None:
        with Waiting("forgetting"):
            answer = ask(brain, "forget", structs.replace(request, dry_run=False))
    else:
        answer = _forget_each(brain, plan, seat.agent)
    _say_forgotten(seat, answer)


@click.command()
@click.option("--before", metavar="TIME", help="Only what was made before: a date, a time, 7d, 12h, yesterday.")
@_only_look
@_yes
@seated()
def purge(seat: Seat, before: str | None, dry_run: bool, yes: bool) -> None:
    """Erase superseded memories for good.

    They are earlier versions of what is known: what a newer memory superseded, was merged, or was corrected. It shows
    what would go, and asks.
    """
    request = Purge(**given(before=before, agent_id=seat.agent))
    brain = seat.brain()
    plan = _planned(brain, "purge", request)
    if _is_all(seat, plan, dry_run):
        return
    _ask_for(plan, "Purge", yes)
    with Waiting("forgetting"):
        answer = ask(brain, "purge", structs.replace(request, dry_run=False))
    _say_forgotten(seat, answer)


def _planned(brain: Brain, verb: str, request: Any) -> dict[str, Any]:
    with Waiting("looking"):
        plan: dict[str, Any] = ask(brain, verb, request)
    return plan


def _is_all(seat: Seat, plan: dict[str, Any], dry_run: bool) -> bool:
    """Whether the plan is the answer: nothing more was wanted, or there is nothing to forget."""
    if plan["memories"] and not dry_run:
        _show(seat, plan)
        return False
    if seat.as_json:
        say_json(plan)
    elif plan["memories"]:
        _show(seat, plan)
        say(f"{_memories(plan)} would be forgotten")
    else:
        remark(escaped(plan.get("note") or "There is nothing to forget."))
    return True


def _show(seat: Seat, plan: dict[str, Any]) -> None:
    """What would go (rule 1)."""
    for row in plan["memories"]:
        remark(in_line(row, seat))
    if plan.get("left_out"):
        remark(f"… and {plan['left_out']} more")
    for place in plan.get("quoted_in") or ():
        stays = "" if place.endswith(")") else ", which stays as it is"  # else it says itself what becomes of it
        remark(f"Quoted in {escaped(place)}{stays}.")


def _ask_for(plan: dict[str, Any], verb: str, yes: bool) -> None:
    confirm(f"{verb} {'this memory' if _count(plan) == 1 else f'these {_memories(plan)}'} for good?", yes=yes)


def _forget_each(brain: Brain, plan: dict[str, Any], agent: str | None) -> dict[str, Any]:
    """Forget what was shown, one by one; the answer is as if it were one."""
    answers: list[dict[str, Any]] = []
    ids = [row["id"] for row in plan["memories"]]
    with Progress("forgetting", len(ids)) as advance:
        def told(answer: dict[str, Any]) -> None:
            answers.append(answer)
            advance(1)

        try:
            brain.each("forget", (Forget(id=id, dry_run=False, agent_id=agent) for id in ids), told)
        except HippoError:
            if answers:
                remark(f"The first {len(answers)} of {len(ids)} were forgotten before this:")
            raise
    places = dict.fromkeys(place for answer in answers for place in answer["quoted_in"])
    return {**answers[-1], "memories": [row for answer in answers for row in answer["memories"]],
            "restored": [id for answer in answers for id in answer["restored"] if id not in ids],
            "quoted_in": [place for place in places if place.removeprefix("memory ") not in ids]}


def _say_forgotten(seat: Seat, answer: dict[str, Any]) -> None:
    if seat.as_json:
        say_json(answer)
        return
    say(f"{_memories(answer)} forgotten")
    for id in answer["restored"]:
        remark(f"{id} is back, which was superseded.")
    remark_on(answer)


def _memories(plan: dict[str, Any]) -> str:
    count = _count(plan)
    return f"{count} {'memory' if count == 1 else 'memories'}"


def _count(plan: dict[str, Any]) -> int:
    return len(plan["memories"]) + int(plan.get("left_out") or 0)
