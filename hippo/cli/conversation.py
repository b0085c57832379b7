"""`hippo log` and `hippo conversation`: messages, kept word for word apart from memories."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click
import msgspec
from msgspec import to_builtins

from hippo import limits
from hippo.cli.answers import remark_on
from hippo.cli.brain import ask
from hippo.cli.options import Seat, given, seated
from hippo.cli.terminal import Progress, escaped, moment, paint, remark, say, say_json
from hippo.cli.typed import decoded, typed
from hippo.errors import HippoError, InvalidArgument
from hippo.model.knowledge_verb import LogMessages, Message, RecallConversation

_batch_bytes_max = limits.body_bytes_max // 2  # leaves room for what surrounds the messages
_batch_messages_max = 100

assert _batch_messages_max <= limits.batch_memories_max


@click.command()
@click.argument("text", nargs=-1)
@click.option("--role", metavar="WORD", help="Who said it: user (when left out), assistant, system or tool.")
@click.option("--conversation", metavar="ID", help="Shared by what was said together.")
@click.option("--created-at", metavar="TIME", help="When it was said, if not now.")
@click.option("--lines", is_flag=True,
              help='Read stdin, one message a line: {"role": …, "text": …, "conversation": …, "created_at": …}.')
@seated()
def log(seat: Seat, text: tuple[str, ...], role: str | None, conversation: str | None, created_at: str | None,
        lines: bool) -> None:
    """Keep messages of a conversation word for word, apart from memories.

    TEXT may be several words. Without it, or as -, it is read from stdin. `hippo conversation` finds it again.
    """
    if lines:
        if (text and text != ("-",)) or role is not None or created_at is not None:
            raise InvalidArgument(what="With --lines each line of stdin says who said what, and when.")
        answer = _log_lines(seat, conversation)
    else:
        message = Message(role=role or "user", text=typed(text), **given(created_at=created_at))
        answer = ask(seat.brain(writes=True), "log_messages", LogMessages(
            messages=[message], **given(conversation=conversation, agent_id=seat.agent)))
    if seat.as_json:
        say_json(answer)
        return
    known = f", {answer['known']} known" if answer.get("known") else ""
    say(f"{answer['logged']} logged{known}")
    remark_on(answer)


def _log_lines(seat: Seat, conversation: str | None) -> dict[str, Any]:
    messages = [_message(number, line.rstrip(b"\r\n")) for number, line in enumerate(sys.stdin.buffer, 1)
                if line.strip()]
    total: dict[str, Any] = {"logged": 0, "known": 0, "note": None, "alert": None}
    sent = 0
    with Progress("logging", len(messages)) as advance:
        def told(answer: dict[str, Any]) -> None:
            nonlocal sent
            for name in ("logged", "known"):
                total[name] += answer[name]
            for name in ("note", "alert"):
                total[name] = answer.get(name) or total[name]
            sent += answer["logged"] + answer["known"]
            advance(answer["logged"] + answer["known"])

        try:
            if messages:
                seat.brain(writes=True).each("log_messages", _batches(seat.agent, conversation, messages), told)
        except HippoError:
            if sent:
                remark(f"The first {sent} of {len(messages)} messages were kept before this:")
            raise
    return total


def _message(number: int, line: bytes) -> Message:
    """The message of a line.

    Raises:
        InvalidArgument: it is none; nothing was sent by then.
    """
    try:
        # By way of Python's JSON: a text may hold half of a surrogate pair, which the service makes known.
        return msgspec.convert(json.loads(decoded(line)), Message)
    except (ValueError, RecursionError) as fault:
        raise InvalidArgument(what=f"Line {number} is no message: {fault}. Nothing was logged.") from None


def _batches(agent: str | None, conversation: str | None, messages: list[Message]) -> Iterator[LogMessages]:
    """The messages in calls of which each fits into one request."""
    more = given(agent_id=agent, conversation=conversation)
    batch: list[Message] = []
    room = _batch_bytes_max
    for message in messages:
        cost = len(json.dumps(to_builtins(message))) + 2
        if batch and (cost > room or len(batch) == _batch_messages_max):
            yield LogMessages(messages=batch, **more)
            batch, room = [], _batch_bytes_max
        batch.append(message)
        room -= cost
    yield LogMessages(messages=batch, **more)


@click.command()
@click.argument("query", nargs=-1)
@click.option("--conversation", metavar="ID", help="Only this conversation.")
@click.option("--role", metavar="WORD", help="Only what was said by user, assistant, system or tool.")
@click.option("--since", metavar="TIME", help="From then on: a date, a time, 7d, 12h, yesterday, last week.")
@click.option("--until", metavar="TIME", help="Up to then.")
@click.option("-k", "k", type=click.IntRange(1, limits.results_max), metavar="N",
              help=f"How many messages, {limits.messages_default} when left out.")
@seated()
def conversation(seat: Seat, query: tuple[str, ...], **fields: Any) -> None:
    """Search the logged messages by their words.

    QUERY may be several words. Without it, the messages are listed by time.
    """
    request = RecallConversation(**given(**fields, query=" ".join(query) or None, agent_id=seat.agent))
    answer = ask(seat.brain(), "recall_conversation", request)
    if seat.as_json:
        say_json(answer)
        return
    remark_on(answer)
    if not answer["messages"] and not answer.get("note"):
        remark("There is no such message.")
    for row in answer["messages"]:
        marks = [moment(row["created_at"], seat.settings.zone), row["role"], row.get("conversation")]
        say(paint("  ".join(escaped(str(mark)) for mark in marks if mark), dim=True))
        say("   " + escaped(row["text"], lines=True).replace("\n", "\n   "))
