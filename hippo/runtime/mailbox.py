"""The actor: requests, addresses and mailboxes over bounded memory channels.

1. A full mailbox makes the asker wait: back-pressure, never loss.
2. An expected error (`HippoError`, and `Relocated` between actors) travels back to the asker. Anything else is a bug:
   it leaves `attend`, cancels the nursery and ends the daemon.
3. Cancelling an asker abandons the answer, never an accepted request.
4. Whoever receives an envelope answers, refuses or drops it: nothing else ends its asker's wait.
5. An actor serves until every address to it is closed, drains what is left, then closes its own outgoing addresses:
   shutdown runs down the graph of who asks whom by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import trio
from msgspec import Struct

from hippo import limits
from hippo.errors import HippoError, Relocated, ShuttingDown

R = TypeVar("R")


class Request(Struct, Generic[R], frozen=True):
    """What an actor can be asked; `R` is the type of the answer."""


_NOTHING = object()


class Envelope:
    """One accepted request and the way back to its asker."""

    __slots__ = ("_ended", "_reply", "request")

    def __init__(self, request: Request[Any]) -> None:
        self.request = request
        self._reply: Any = _NOTHING
        self._ended = trio.Event()

    def answer(self, reply: Any) -> None:
        """Sends the reply back; an asker that has gone is no error (rule 3)."""
        self._reply = reply
        self._ended.set()

    def drop(self) -> None:
        """Gives up on a request whose actor is ending: its asker is told so, instead of waiting for ever. After an
        answer it changes nothing."""
        self._ended.set()

    def refuse(self, error: HippoError | Relocated) -> None:
        """Sends an expected error back (rule 2)."""
        self.answer(_Refusal(error))

    async def reply(self) -> Any:
        """Waits for the answer.

        Raises:
            HippoError, Relocated: what the actor refused the request with.
            ShuttingDown: it was dropped.
        """
        await self._ended.wait()
        if isinstance(self._reply, _Refusal):
            raise self._reply.error
        if self._reply is _NOTHING:
            raise ShuttingDown
        return self._reply


class _Refusal:
    __slots__ = ("error",)

    def __init__(self, error: HippoError | Relocated) -> None:
        self.error = error


class Address:
    """Where an actor can be asked. Each holder has a clone of its own and closes it when it is done."""

    def __init__(self, channel: trio.MemorySendChannel[Envelope]) -> None:
        self._channel = channel

    async def ask(self, request: Request[R]) -> R:
        """Puts the request into the mailbox and waits for the answer.

        Raises:
            HippoError: what the actor refused the request with.
            ShuttingDown: the actor no longer accepts requests.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        envelope = Envelope(request)
        try:
            try:
                self._channel.send_nowait(envelope)
            except trio.WouldBlock:
                await self._channel.send(envelope)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ShuttingDown from None
        return await envelope.reply()  # type: ignore[no-any-return]

    def tell_nowait(self, request: Request[Any]) -> bool:
        """Leaves a request whose answer nobody waits for. Returns whether there was room for it."""
        try:
            self._channel.send_nowait(Envelope(request))
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            return False
        return True

    def clone(self) -> Address:
        """Another address of the same actor, for another holder."""
        return Address(self._channel.clone())

    def close(self) -> None:
        """Says that this holder asks no more."""
        self._channel.close()


class Inbox:
    """The receiving side of a mailbox: it belongs to one actor."""

    def __init__(self, channel: trio.MemoryReceiveChannel[Envelope]) -> None:
        self._channel = channel

    async def receive(self) -> Envelope:
        """The next envelope; raises `trio.EndOfChannel` when every address is closed and nothing is left."""
        return await self._channel.receive()

    def more(self, count_max: int) -> list[Envelope]:
        """What already waits, up to a count, without waiting."""
        found: list[Envelope] = []
        while len(found) < count_max:
            try:
                found.append(self._channel.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                break
        return found

    def waiting(self) -> int:
        """How many envelopes wait."""
        return self._channel.statistics().current_buffer_used

    def close(self) -> None:
        """Accepts no more; what still waits is dropped."""
        while waiting := self.more(limits.mailbox_requests):
            for envelope in waiting:
                envelope.drop()
        self._channel.close()


def open_mailbox(capacity: int = limits.mailbox_requests) -> tuple[Address, Inbox]:
    """A mailbox for at most `capacity` waiting requests."""
    send, receive = trio.open_memory_channel[Envelope](capacity)
    return Address(send), Inbox(receive)


Handle = Callable[[Any], Awaitable[Any]]


async def attend(inbox: Inbox, handle: Handle, *outgoing: Address, between: Handle | None = None) -> None:
    """Serves requests one at a time until every address is closed; then closes the outgoing ones.

    Args:
        inbox: the actor's mailbox.
        handle: answers one request; raises `HippoError` to refuse it.
        outgoing: the addresses this actor holds.
        between: called with the number of waiting requests after each answer, for work that fits into pauses; it is
            called again after a checkpoint as long as it returns True and nothing waits.
    """
    try:
        while True:
            try:
                envelope = await inbox.receive()
            except trio.EndOfChannel:
                return
            await serve(envelope, handle)
            while between is not None and await between(inbox.waiting()):
                await trio.lowlevel.checkpoint()
    finally:
        inbox.close()
        for address in outgoing:
            address.close()


async def serve(envelope: Envelope, handle: Handle) -> None:
    """Answers one envelope by what handles its request, refuses it (rule 2), or drops it when a bug ends the actor."""
    try:
        envelope.answer(await handle(envelope.request))
    except (HippoError, Relocated) as error:
        envelope.refuse(error)
    except BaseException:
        envelope.drop()
        raise
