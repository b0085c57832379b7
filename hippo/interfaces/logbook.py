"""The logbook: which logged messages hold a text, so that forgetting reaches them.

1. A message holds a text that stands in it word for word, and begins and ends where words do; case, width, accents and
   the length of white space do not matter.
2. What everybody says tells nothing of anybody: a short text of everyday words alone (`yes`, `thank you`) is held only
   by messages that say nothing else.
3. A message that was too long for one text is held in parts, which are looked at as the one message they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hippo import limits
from hippo.codec.vocabulary import vocabulary
from hippo.interfaces.desk import Desk
from hippo.model.memory import log_of
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.runtime.messages import Filters
from hippo.text.pieces import pieces
from hippo.text.tokens import SPACELESS, analyse, fold

_LETTER = rf"[^\W{SPACELESS}]"
_OPENS, _ENDS = re.compile(_LETTER), re.compile(rf"{_LETTER}\Z")
_WORD, _APOSTROPHE = re.compile(r"[^\W_]+"), re.compile("['\u2019\u02bc]")


class Quote(NamedTuple):
    """A text as it is looked for: `terms` stand in whatever holds it, wherever it begins and ends there."""

    terms: tuple[str, ...]
    pattern: re.Pattern[str]


def quote(text: str) -> Quote:
    """How a text is looked for (rules 1 and 2)."""
    plain = _plain(text)
    found = re.escape(plain)
    if _tells(text):
        before, after = _OPENS.match(plain), _ENDS.search(plain)
        found = f"{f'(?<!{_LETTER})' if before else ''}{found}{f'(?!{_LETTER})' if after else ''}"
    else:
        found = rf"\A\W*{found}\W*\Z"
    # Word by word: what punctuation joins to others may be joined to more there, and an apostrophe may end otherwise.
    words = [word for run in plain.split(" ") if not _APOSTROPHE.search(run) for word in _WORD.findall(run)]
    return Quote(tuple(dict.fromkeys(analyse(" ".join(words))))[:limits.quoted_terms_max], re.compile(found))


def holds(message: str, quotes: Sequence[Quote]) -> bool:
    """Whether a message holds one of some texts."""
    plain = _plain(message)
    return any(one.pattern.search(plain) for one in quotes)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _tells(text: str) -> bool:
    """Whether a text tells something, by the measure of `store/traces.py`."""
    if len(text.encode()) >= limits.trace_bytes:
        return True
    everyday, words = vocabulary().codes, [piece.encode() for piece in pieces(text)]
    return any(len(word) >= limits.trace_word_bytes and word not in everyday and word.lower() not in everyday
               for word in words)


class Logbook(Desk):
    """What the verbs need to know of logged messages."""

    async def messages_quoting(self, agent: str, texts: Sequence[str]) -> list[ask.Hit]:
        """The logged messages of an agent that hold one of some texts, in the order in which they were logged; of one
        that is held in parts, all of these."""
        log, quotes = log_of(agent), [quote(text) for text in dict.fromkeys(texts)]
        if not quotes or not await self.has_logged(agent):
            return []
        unbound = [one for one in quotes if not one.terms]  # they may stand anywhere
        bound = [one for one in quotes if one.terms]
        hits: dict[int, ask.Hit] = {}
        wanted: dict[int, list[Quote]] = {}
        for terms, some in [*(((), unbound) for _ in unbound[:1]), *((one.terms, [one]) for one in bound)]:
            for hit in await self.graph_actor.ask(knowing.MayQuote(log, list(terms))):
                hits[hit.ordinal] = hit
                wanted.setdefault(hit.ordinal, []).extend(some)
        found: list[ask.Hit] = []
        parts: dict[str, list[tuple[ask.Hit, str]]] = {}
        for some_hits in _portions([hits[ordinal] for ordinal in sorted(hits)]):
            for hit, text in zip(some_hits, await self.texts(log, some_hits), strict=True):
                if not isinstance(text, str):
                    continue  # nobody can read it
                if hit.scope:
                    parts.setdefault(hit.scope, []).append((hit, text))
                elif holds(text, wanted[hit.ordinal]):
                    found.append(hit)
        for rows in parts.values():
            if holds("".join(text for _, text in rows), quotes):
                found += [hit for hit, _ in rows]
        return sorted(found, key=lambda hit: hit.ordinal)

    async def has_logged(self, agent: str) -> bool:
        """Whether any message of an agent was logged."""
        listed = await self.graph_actor.ask(ask.Browse(
            agent=log_of(agent), filters=Filters(), limit=1, before=None, now=self.clock.now_ms()))
        return bool(listed.hits)


def _portions(hits: Sequence[ask.Hit]) -> Iterator[Sequence[ask.Hit]]:
    for start in range(0, len(hits), limits.messages_read_at_once):
        yield hits[start:start + limits.messages_read_at_once]
