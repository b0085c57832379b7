"""The broadcaster actor: tells subscribers what happens, and never waits for one of them.

1. An event has a number that grows over restarts, so that a subscriber can say after which one it wants to go on.
2. A subscriber whose queue is full loses its place: the last thing in its queue is `lagged`, and nothing comes behind
   that until it was taken. So it learns of it though nothing more should happen, and what it refetches then is at
   least as new as whatever it has missed.
3. A subscriber sees what concerns its own agent and what concerns everyone.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import trio

from hippo import limits
from hippo.runtime import messages as ask
from hippo.runtime.mailbox import Inbox, attend


class _Subscriber:
    def __init__(self, agent: str, channel: trio.MemorySendChannel[ask.Event]) -> None:
        self.agent = agent
        self.channel = channel
        self.lagged = False  # `lagged` was put last into its queue

    @property
    def waiting(self) -> int:
        """How many events wait for it."""
        return self.channel.statistics().current_buffer_used

    @property
    def is_full(self) -> bool:
        """Whether there is room only for what says so."""
        return self.waiting >= limits.subscriber_events


class BroadcasterActor:
    """What the broadcaster actor owns.

    Args:
        start_ms: the moment of the start; event numbers begin there.
    """

    def __init__(self, start_ms: int) -> None:
        self._last = start_ms * 1000
        self._recent: deque[ask.Event] = deque(maxlen=limits.replay_events)
        self._oldest = self._last
        self._subscribers: list[_Subscriber] = []
        self._hushed = False

    async def run(self, inbox: Inbox) -> None:
        """Serves until every address is closed, then ends every subscription."""
        try:
            await attend(inbox, self._answer)
        finally:
            self._end_all()

    async def _answer(self, request: Any) -> Any:
        match request:
            case ask.Announce():
                self._announce(request)
            case ask.Subscribe():
                return self._subscribe(request)
            case ask.Hush():
                self._hushed = True
                self._end_all()

    def _announce(self, request: ask.Announce) -> None:
        self._last += 1
        event = ask.Event(self._last, request.name, request.agent, request.data)
        if len(self._recent) == limits.replay_events:
            self._oldest = self._recent[0].id
        self._recent.append(event)
        for subscriber in list(self._subscribers):
            if event.agent in (None, subscriber.agent):
                self._send(subscriber, event)

    def _send(self, subscriber: _Subscriber, event: ask.Event) -> None:
        if subscriber.lagged and subscriber.waiting:
            return
        subscriber.lagged = subscriber.is_full
        # Who resumes from `lagged` is told of this event once more, if it is still known.
        told = ask.Event(event.id - 1, "lagged", None, {}) if subscriber.lagged else event
        try:
            subscriber.channel.send_nowait(told)
        except trio.BrokenResourceError:
            subscriber.channel.close()
            self._subscribers.remove(subscriber)

    def _subscribe(self, request: ask.Subscribe) -> trio.MemoryReceiveChannel[ask.Event]:
        send, receive = trio.open_memory_channel[ask.Event](limits.subscriber_events + 1)
        subscriber = _Subscriber(request.agent, send)
        if self._hushed:
            send.close()
            return receive
        self._subscribers.append(subscriber)
        if request.after is not None and request.after != self._last:
            known = self._oldest <= request.after <= self._last
            missed = [e for e in self._recent if e.id > request.after and e.agent in (None, request.agent)]
            if not known or len(missed) > limits.subscriber_events:
                subscriber.lagged = True
                send.send_nowait(ask.Event(self._last, "lagged", None, {}))
            else:
                for event in missed:
                    self._send(subscriber, event)
        return receive

    def _end_all(self) -> None:
        for subscriber in self._subscribers:
            subscriber.channel.close()
        self._subscribers.clear()
