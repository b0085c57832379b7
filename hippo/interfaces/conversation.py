"""Conversations: messages kept word for word apart from memories, and searched by their words.

1. A message is kept as it was given, and changes by nothing: it is not embedded, not associated, never abridged.
2. Logging a message again changes nothing: it is the same by its conversation, moment, role and text. One that names no
   moment was said now, and is another one each time.
3. A message that is longer than one text may be is kept in parts.
4. What the user keeps in a table of their own is searched as well (`message_table.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import zip_longest
from typing import NamedTuple

from hippo import limits
from hippo.errors import HippoError, InvalidArgument
from hippo.interfaces.desk import within_deadline
from hippo.interfaces.logbook import Logbook
from hippo.interfaces.message_table import Wanted
from hippo.interfaces.turns import away
from hippo.model.knowledge import Conversation, Logged, LoggedMessage
from hippo.model.knowledge_verb import LogMessages, Message, RecallConversation
from hippo.model.memory import Draft, log_of
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.runtime.messages import Filters
from hippo.text.surrogates import whole
from hippo.text.tokens import cue_terms

_KEY_BYTES = 10
_WORD_CHARACTERS_MAX = 200  # a part ends before a word, unless the word is longer than this
_MENDED = "Halves of surrogate pairs cannot be stored; they became U+FFFD."
_NO_MESSAGE = "No message was logged yet."
_NO_MATCH = "No message matches."
_NO_WORD = "The query holds no letter and no digit: there is nothing to look for."


class _Said(NamedTuple):
    """A message that is to be kept, by its place in the request, in as many parts as it needs."""

    number: int
    parts: list[Draft]


class Conversations(Logbook):
    """The verbs of logged messages."""

    @within_deadline
    async def log_messages(self, verb: LogMessages) -> Logged:
        """Keeps messages, all of them or none.

        Raises:
            InvalidArgument: naming the message by its number in the request, and what is wrong with it.
        """
        agent, now = self.drafting.agent(verb.agent_id), self.clock.now_ms()
        said, seen = list[_Said](), Counter[tuple[str, ...]]()
        for number, message in enumerate(verb.messages, 1):
            if not message.text.strip():
                continue
            try:
                said.append(_Said(number, self._drafts(agent, message, verb.conversation, now, seen)))
            except HippoError as error:
                raise InvalidArgument(what=f"Message {number}: {error.message} {error.advice}".strip()) from None
        drafts = [draft for one in said for draft in one.parts]
        known = await self._keep(drafts) if drafts else set[str]()
        old = sum(all(draft.key in known for draft in one.parts) for one in said)
        empty, mended = len(verb.messages) - len(said), any(whole(one.text) != one.text for one in verb.messages)
        notes = (f"{empty} without a text were left out." if empty else None, _MENDED if mended else None)
        return Logged(logged=len(said) - old, known=old, note=" ".join(filter(None, notes)) or None,
                      alert=self.budget.alert)

    def _drafts(self, agent: str, message: Message, conversation: str | None, now: int,
                seen: Counter[tuple[str, ...]]) -> list[Draft]:
        """A message as it is kept. `seen`: how often each was said in this request without a moment of its own."""
        text = whole(message.text)
        most = limits.message_characters_max
        if len(text) > most:
            raise InvalidArgument(what=f"a message has at most {most} characters, not {len(text)}.")
        role = self.drafting.named(message.role, "role", limits.kind_characters_max)
        where = self.drafting.name(message.conversation or conversation, "conversation",
                                   limits.conversation_characters_max)
        at = now if message.created_at is None else self.drafting.instant(message.created_at, now)
        same: tuple[str, ...] = (where or "", str(at), role, text)
        if message.created_at is None:
            seen[same] += 1
            same = (*same, str(seen[same])) if seen[same] > 1 else same
        key = blake2b("\x1f".join(same).encode(), digest_size=_KEY_BYTES).hexdigest()
        parts = list(_parts(text))
        return [Draft(text=part, agent_id=log_of(agent), kind=role, conversation=where, created_at=at, protected=True,
                      scope=key if len(parts) > 1 else "", key=key if len(parts) == 1 else f"{key}.{number}")
                for number, part in enumerate(parts)]

    async def _keep(self, drafts: Sequence[Draft]) -> set[str]:
        """Stores drafts; the keys of those that were known."""
        sensed = await self.sensing.words(drafts)
        async with away():
            kept = await self.writer.ask(knowing.Store([
                knowing.Intake(draft, words) for draft, words in zip(drafts, sensed, strict=True)]))
        known = set[str]()
        for draft, became in zip(drafts, kept, strict=True):
            if isinstance(became, HippoError):
                raise became
            if became.known and draft.key is not None:
                known.add(draft.key)
        return known

    @within_deadline
    async def recall_conversation(self, verb: RecallConversation) -> Conversation:
        """Searches messages by their words, the best match first; without a query lists them, the newest first.

        Raises:
            NotAnInstant: since or until is none. MessagesUnreadable: the user's table cannot be read.
        """
        agent, now = self.drafting.agent(verb.agent_id), self.clock.now_ms()
        filters = Filters(
            kind=self.drafting.name(verb.role, "role", limits.kind_characters_max),
            conversation=self.drafting.name(verb.conversation, "conversation", limits.conversation_characters_max),
            since=None if verb.since is None else self.drafting.instant(verb.since, now),
            until=None if verb.until is None else self.drafting.instant(verb.until, now, end=True))
        query = (verb.query or "").strip()
        terms = cue_terms(query)
        if query and not terms:
            return Conversation(messages=[], note=_NO_WORD, alert=self.budget.alert)
        mine = await self._logged(agent, filters, terms, verb.k, now)
        theirs = [] if self.message_table is None else await self.message_table.find(Wanted(
            agent=agent, query=query, role=filters.kind, conversation=filters.conversation, since=filters.since,
            until=filters.until, most=verb.k))
        found = _merged(mine, theirs, by_time=not terms)[:verb.k]
        has_any = bool(found) or self.message_table is not None or await self.has_logged(agent)
        return Conversation(messages=found, alert=self.budget.alert,
                            note=None if found else _NO_MATCH if has_any else _NO_MESSAGE)

    async def _logged(self, agent: str, filters: Filters, terms: list[str], most: int,
                      now: int) -> list[LoggedMessage]:
        log = log_of(agent)
        hits = await self.graph_actor.ask(knowing.Search(log, terms, filters, most)) if terms else (
            await self.graph_actor.ask(ask.Browse(
                agent=log, filters=filters, limit=most, before=None, now=now))).hits
        return [LoggedMessage(id=hit.id, role=hit.kind, text=text if isinstance(text, str) else f"[{text.message}]",
                              created_at=hit.created_at, conversation=hit.conversation)
                for hit, text in zip(hits, await self.texts(log, hits), strict=True)]


def _parts(text: str) -> Iterator[str]:
    """The parts of a text (rule 3): joined they are the text."""
    start, most = 0, limits.text_characters_max
    while len(text) - start > most:
        end = start + most
        while end > start + most - _WORD_CHARACTERS_MAX and not text[end - 1].isspace():
            end -= 1
        if not text[end - 1].isspace():
            end = start + most
        yield text[start:end]
        start = end
    yield text[start:]


def _merged(mine: list[LoggedMessage], theirs: list[LoggedMessage], *, by_time: bool) -> list[LoggedMessage]:
    """Messages of both places: by time, else rank by rank, since two searches score on scales of their own. What both
    have is shown once."""
    logged = {_same(one) for one in mine}
    theirs = [one for one in theirs if _same(one) not in logged]
    if by_time:
        return sorted([*mine, *theirs], key=lambda one: -1 if one.created_at is None else one.created_at, reverse=True)
    return [one for pair in zip_longest(mine, theirs) for one in pair if one is not None]


def _same(one: LoggedMessage) -> tuple[str | None, int | None, str, str]:
    return one.conversation, one.created_at, one.role, one.text
