"""Turns: how writes wait, so that a recall waits for none of them.

1. One interpreter does all the work, a piece of each request at a time. Were all writes worked on at once, each piece
   of a recall would wait for a piece of every one of them. So at most `limits.writes_at_once` writes are worked on; the
   others wait in the order in which they came, before anything of them is read.
2. While a recall is worked on, and for a moment after it, no write begins: who asks again at once is not overtaken by
   all that has gathered. Where recalls never cease, each one that ends lets `limits.turns_between_recalls` turns be
   taken; and for one recall that does not end a write waits `limits.turn_patience_seconds` at most. So none starves.
3. A turn is given up while its write waits for something else: a thread, the disk, the client. So writes still meet in
   one fsync, and no slow client holds up another. Who comes back from there goes before who has not begun. A recall
   that waits for something else holds nobody up either.
4. The time a call may take begins when it comes. One whose time is up while it still waits goes on without a turn, and
   is refused where every call is that takes too long.
5. A turn belongs to one call, in whichever of its tasks: it is found through the context, which tasks inherit.
6. A call that writes for a long time takes none for its whole length: each of its writes is a `part`, and takes a turn
   as a client's write does, behind those that came before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Literal

import trio

from hippo import limits
from hippo.interfaces.answers import Message, Send

Kind = Literal["write", "recall"]

_mine: ContextVar[Turn | None] = ContextVar("turn", default=None)
_parting: ContextVar[Turns | None] = ContextVar("parting", default=None)  # whose turns the parts of this call take


class Turns:
    """The turns of one daemon."""

    def __init__(self) -> None:
        self._free = limits.writes_at_once
        self._recalls = 0  # that are worked on, or ended a moment ago
        self._owed = 0.0  # turns that may be taken all the same
        self._coming, self._returning = trio.lowlevel.ParkingLot(), trio.lowlevel.ParkingLot()

    @asynccontextmanager
    async def one(self, kind: Kind) -> AsyncIterator[Turn]:
        """Until this is left, or until the turn is ended, the caller's write or recall is worked on (rules 1 and 2)."""
        turn = _Write(self) if kind == "write" else _Recall(self)
        with trio.move_on_at(turn.came + limits.ask_seconds) as late:
            await turn.begin()
        if late.cancelled_caught:
            turn.end()
        with turn.held():
            yield turn
            await turn.linger()

    @contextmanager
    def in_parts(self) -> Iterator[None]:
        """Until this is left, each part of the caller's call takes a turn of its own (rule 6)."""
        token = _parting.set(self)
        try:
            yield
        finally:
            _parting.reset(token)

    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._coming) + len(self._returning)

    async def take(self, *, returning: bool) -> None:
        """Waits for a write's turn."""
        while not self._may_take():
            with trio.move_on_after(limits.turn_patience_seconds):
                await (self._returning if returning else self._coming).park()
                return  # who gave it up has handed it out
            if self._free:
                break  # it was for recalls only that it waited
        self._hand_out()

    def give_up(self) -> None:
        """A write's turn ends or pauses."""
        self._free += 1
        self._admit()

    def begin_recall(self) -> None:
        """A recall is worked on."""
        self._recalls += 1

    def let_some(self) -> None:
        """A recall was answered: some turns may be taken whatever comes next."""
        self._owed = min(self._owed + limits.turns_between_recalls, limits.turns_owed_max)
        self._admit()

    def end_recall(self) -> None:
        """A recall does not count any more."""
        self._recalls -= 1
        if not self._recalls:
            self._owed = 0.0
        self._admit()

    def _may_take(self) -> bool:
        return self._free > 0 and (not self._recalls or self._owed >= 1.0)

    def _hand_out(self) -> None:
        self._free -= 1
        self._owed = max(self._owed - 1.0, 0.0)

    def _admit(self) -> None:
        # Called whenever a turn may have become free: who finds one free has nobody before it.
        while self._may_take() and (lot := self._returning or self._coming):
            self._hand_out()
            lot.unpark()


class Turn(ABC):
    """One call's place among the others. `came` is when it came, in trio's time."""

    sends_bytes_max = 0

    def __init__(self, turns: Turns) -> None:
        self._turns, self._active, self._ended = turns, False, False
        self.came = trio.current_time()

    async def begin(self) -> None:
        """Goes on as soon as it may."""
        await self._resume(returning=False)
        self._active = True

    @contextmanager
    def held(self) -> Iterator[None]:
        """Until this is left the turn is this call's (rule 5)."""
        token = _mine.set(self)
        try:
            yield
        finally:
            _mine.reset(token)
            self.end()

    def pause(self) -> None:
        """Lets others go before, until `come_back`."""
        if self._active:
            self._active = False
            self._let_others()

    def end(self) -> None:
        """Lets others go before, for good; doing it again changes nothing."""
        self._ended = True
        self.pause()

    async def come_back(self) -> None:
        """Goes on after a pause."""
        if not self._ended:
            await self._resume(returning=True)
            self._active = True

    @abstractmethod
    async def linger(self) -> None:
        """What is left to do once the call was answered."""

    def until_sent(self, send: Send) -> Send:
        """An ASGI `send` that ends the turn where the client could hold up others: before it is sent more than surely
        fits on its way, and before anything of a write's answer (rule 3)."""
        async def sending(message: Message) -> None:
            if len(message.get("body", b"")) > self.sends_bytes_max:
                self.end()
            await send(message)

        return sending

    @abstractmethod
    def _let_others(self) -> None:
        """Gives the place up."""

    @abstractmethod
    async def _resume(self, *, returning: bool) -> None:
        """Waits for a place; `returning`: the call had one before."""


class _Write(Turn):
    async def linger(self) -> None:
        """Nothing: the next write has its place already."""

    def _let_others(self) -> None:
        self._turns.give_up()

    async def _resume(self, *, returning: bool) -> None:
        await self._turns.take(returning=returning)


class _Recall(Turn):
    sends_bytes_max = limits.send_piece_bytes

    def _let_others(self) -> None:
        self._turns.end_recall()

    async def _resume(self, *, returning: bool) -> None:
        self._turns.begin_recall()

    async def linger(self) -> None:
        if self._active:
            self._turns.let_some()
            await trio.sleep(limits.recall_lingers_seconds)


@asynccontextmanager
async def part() -> AsyncIterator[None]:
    """One write of a long call, in a turn of its own (rule 6). Outside a daemon nobody waits: there are no turns."""
    turns = _parting.get()
    if turns is None:
        yield
        return
    async with turns.one("write"):
        yield


@asynccontextmanager
async def away() -> AsyncIterator[None]:
    """Lets others go before the call that this is part of, if it has a turn, while it waits for something else."""
    turn = _mine.get()
    if turn is None:
        yield
        return
    turn.pause()
    try:
        yield
    finally:
        await turn.come_back()


def begin_anew() -> None:
    """The time that the call this is part of may take begins now (rule 4): for what is done one after the other, each
    as if it were a call of its own."""
    turn = _mine.get()
    if turn is not None:
        turn.came = trio.current_time()


def came() -> float:
    """When the call that this is part of came, in trio's time: now, for one that takes no turn (rule 4)."""
    turn = _mine.get()
    return trio.current_time() if turn is None else turn.came
