"""`hippo remember`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, get_args

import click
from msgspec import structs, to_builtins

from hippo import errors, limits
from hippo.cli.options import Seat, given, labels, seated
from hippo.cli.terminal import Progress, cut, escaped, remark, say, say_json
from hippo.errors import EmptyText, HippoError, InvalidArgument
from hippo.model.verb import Remember, Retention

_batch_memories_max = 100
_batch_bytes_max = limits.body_bytes_max // 2  # leaves room for what surrounds the memories

assert _batch_memories_max <= limits.batch_memories_max


@click.command()
@click.argument("text", nargs=-1)
@click.option("--lines", is_flag=True, help="Read stdin, one memory a line; empty lines are passed over.")
@click.option("--scope", metavar="NAME", help="A project or channel; global when left out.")
@click.option("--salience", type=click.FloatRange(0, 1), metavar="0..1",
              help="Leave out unless it matters: 0.7 and more is kept exact for ever.")
@click.option("--kind", metavar="WORD", help="fact, decision, question, preference, episode, or your own word.")
@click.option("--retention", type=click.Choice(get_args(Retention)), help="How long it stays relevant.")
@click.option("--entity", metavar="NAME", help="The person, project or thing it is about.")
@click.option("--entity-type", metavar="WORD", help="What the entity is: person, project, place, …")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A label to filter by; may be repeated.")
@click.option("--source", metavar="NAME", help="Where it comes from.")
@click.option("--conversation", metavar="ID", help="Shared by what was said together.")
@click.option("--created-at", metavar="TIME", help="When it happened, if not now.")
@click.option("--key", metavar="KEY", help="Repeating a call with the same key returns the first answer.")
@click.option("--protected", is_flag=True, help="Never archive it, never keep it but exactly.")
@seated()
def remember(seat: Seat, text: tuple[str, ...], lines: bool, tags: tuple[str, ...], protected: bool,
             **fields: Any) -> int:
    """Store a memory, or one for each line.

    TEXT may be several words. Without it, or as -, the text is read from stdin, but for the line end that closes it.
    """
    plain = given(**fields, agent_id=seat.agent, tags=labels(tags), protected=protected or None)
    if lines:
        if text and text != ("-",):
            raise InvalidArgument(what="With --lines the memories come from stdin, not from the command line.")
        if "key" in plain:
            raise InvalidArgument(what="One --key cannot stand for many lines.")
        return _remember_lines(seat, plain)
    stored = _ask_one(seat, Remember(text=_whole_text(text), **plain))
    if seat.as_json:
        say_json(stored)
    else:
        say(f"{stored['id']}  {stored.get('action', 'stored')}")
        for remark_on_it in (stored.get("note"), stored.get("alert")):
            if remark_on_it:
                remark(escaped(remark_on_it))
    return 0


def _ask_one(seat: Seat, request: Remember) -> Any:
    from hippo.cli.brain import ask

    return ask(seat.brain(writes=True), "remember", request)


def _whole_text(words: tuple[str, ...]) -> str:
    if words and words != ("-",):
        return " ".join(words)
    if sys.stdin.isatty() and not words:
        raise EmptyText
    return _decoded(sys.stdin.buffer.read().removesuffix(b"\n").removesuffix(b"\r"))


def _decoded(raw: bytes) -> str:
    # As the command line does: bytes that are no UTF-8 become halves of surrogates, which the service makes known.
    return raw.decode("utf-8", "surrogateescape")


def _remember_lines(seat: Seat, plain: dict[str, Any]) -> int:
    rows = [_decoded(line) for line in (line.rstrip(b"\r\n") for line in sys.stdin.buffer) if line.strip()]
    answers: list[Any] = []
    worst: list[int] = []
    brain = seat.brain(writes=True)
    with Progress("remembering", len(rows)) as advance:
        def told(answer: Any) -> None:
            answers.extend(answer["results"])
            advance(len(answer["results"]))

        try:
            brain.each("remember", _batches(rows, plain), told)
        except HippoError:
            if answers:
                remark(f"The first {len(answers)} of {len(rows)} lines were answered before this:")
            raise
    for text, answer in zip(rows, answers, strict=True):
        if "error" in answer:
            worst.append(_exit_code(answer["error"]["code"]))
            remark(f"error: {escaped(answer['error']['message'])} ({cut(text, 40)})")
    if seat.as_json:
        say_json({"results": answers})
    else:
        say(f"{len(rows) - len(worst)} of {len(rows)} remembered")
    return worst[0] if worst else 0


def _exit_code(code: str) -> int:
    return next((kind.exit_code for kind in errors.table() if kind.code == code), HippoError.exit_code)


def _batches(rows: list[str], plain: dict[str, Any]) -> Iterator[list[Remember]]:
    """The rows in calls of which each fits into one request."""
    first = Remember(text="", **plain)
    around = len(json.dumps(to_builtins(first)))
    batch: list[Remember] = []
    room = _batch_bytes_max
    for row in rows:
        cost = around + len(json.dumps(row))
        if batch and (cost > room or len(batch) == _batch_memories_max):
            yield batch
            batch, room = [], _batch_bytes_max
        batch.append(structs.replace(first, text=row))
        room -= cost
    if batch:
        yield batch
