"""The desk: what every verb needs at hand, and the texts of memories, wherever they lie.

1. Texts are embedded in the caller's task, so that a slow embedder delays nobody else.
2. Every verb that answers at once has a deadline, counted from when its call came; over it the answer is `Busy`.
3. A text that was said or read lately is at hand (`recent.py`). One that moved is looked for where it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import trio

from hippo import limits
from hippo.codec.identity import id_of
from hippo.errors import Busy, HippoError, Relocated
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.message_table import MessageTable
from hippo.interfaces.recent import RecentTexts
from hippo.interfaces.sensing import Sensing
from hippo.interfaces.turns import came
from hippo.interfaces.versions import Versions
from hippo.model.knowledge import Preview
from hippo.model.recollection import Recollection, Why
from hippo.runtime import knowing
from hippo.runtime import messages as ask
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import Address
from hippo.runtime.viewing import Spot

if TYPE_CHECKING:
    from hippo.providers.llm import LLM

P = ParamSpec("P")
R = TypeVar("R")


def within_deadline(verb: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Rule 4, for the verbs that answer at once."""
    @wraps(verb)
    async def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with trio.fail_at(came() + limits.ask_seconds):
                return await verb(*args, **kwargs)
        except trio.TooSlowError:
            raise Busy(seconds=limits.ask_seconds) from None
    return bounded


class Desk:
    """What the verbs of one daemon share.

    Args:
        seed: of the store, to name memories. clock: the daemon's. drafting: checks what comes in.
        sensing: embeds and analyses texts. budget: what the store may take.
        may_skip: whether `timeskip` is allowed. append_only: how names of entities begin that only grow.
        message_table: messages that the user keeps elsewhere, if any. llm: splits and judges facts, if there is one.
        Then the addresses of the actors they ask.
    """

    def __init__(self, *, seed: int, clock: Clock, drafting: Drafting, sensing: Sensing, budget: Budget,
                 may_skip: bool, append_only: tuple[str, ...], writer: Address, graph: Address, reader: Address,
                 sleeper: Address, broadcaster: Address, message_table: MessageTable | None = None,
                 llm: LLM | None = None) -> None:
        self.seed, self.clock, self.may_skip = seed, clock, may_skip
        self.drafting, self.sensing, self.budget = drafting, sensing, budget
        self.writer, self.graph_actor, self.reader = writer, graph, reader
        self.sleeper, self.broadcaster = sleeper, broadcaster
        self.recent, self.versions = RecentTexts(), Versions()
        self.append_only = append_only
        self.message_table, self.llm = message_table, llm
        self.changing_blocks = trio.Lock()
        self.started = trio.current_time()

    def close(self) -> None:
        """Asks no more: the actors end one after the other."""
        for address in (self.sleeper, self.writer, self.graph_actor, self.reader, self.broadcaster):
            address.close()

    def id(self, ordinal: int) -> str:
        """The id of a memory."""
        return id_of(ordinal, self.seed)

    def only_grows(self, entity: str | None) -> bool:
        """Whether an entity is append-only: a log, of which every entry stands for itself."""
        return entity is not None and entity.startswith(self.append_only)

    async def texts(self, agent: str, hits: Sequence[ask.Hit | Spot]) -> list[str | HippoError]:
        """The texts of some memories, from what is at hand or else from where they lie."""
        texts: list[str | HippoError | None] = [self.recent.get(hit.ordinal, hit.tag) for hit in hits]
        missing = [hit for hit, text in zip(hits, texts, strict=True) if text is None]
        if not missing:
            return texts  # type: ignore[return-value]
        read = iter(await self._read(agent, missing))
        return [next(read) if text is None else text for text in texts]

    async def _read(self, agent: str, hits: Sequence[ask.Hit | Spot]) -> list[str | HippoError]:
        """The texts of some memories; one that moved meanwhile is looked for where it is now."""
        wanted = [(hit.place, hit.ordinal, hit.tag) for hit in hits]
        for _ in range(3):
            try:
                return await self.reader.ask(ask.Read(wanted))
            except Relocated:
                places = await self.graph_actor.ask(ask.Locate(agent, [hit.ordinal for hit in hits]))
                wanted = [(place, hit.ordinal, tag) for (place, tag), hit in zip(places, hits, strict=True)]
        return await self.reader.ask(ask.Read(wanted))

    async def recollections(self, agent: str, hits: Sequence[ask.Hit], *, keep: bool = True) -> list[Recollection]:
        texts = await self.texts(agent, hits)
        for hit, text in zip(hits, texts, strict=True):
            if keep and isinstance(text, str):
                self.recent.keep(hit.ordinal, hit.tag, text)
        known = await self.versioned(agent, {hit.entity for hit in hits if hit.entity is not None})
        old = self.clock.now_ms() - limits.stale_days * limits.ms_per_day
        found = []
        for hit, text in zip(hits, texts, strict=True):
            about = known.get(hit.entity or "")
            said = text if isinstance(text, str) else f"[{text.message}]"
            found.append(_recollection(
                hit, said, about[1] if about else None, is_stale=about is not None and hit.created_at < min(
                    old, about[0].newest) and not self.only_grows(hit.entity)))
        return found

    async def text_of(self, agent: str, found: ask.Portrait) -> str:
        """The whole text of one memory.

        Raises:
            MemoryDamaged: it cannot be read.
        """
        memory = found.memory
        hit = ask.Hit(
            ordinal=found.ordinal, id=memory.id, place=found.place, tag=found.tag, activation=0, confidence=1,
            why=Why("listed"), tier=memory.tier, fidelity=memory.fidelity, created_at=memory.created_at,
            entity=memory.entity, kind=memory.kind, tags=memory.tags, scope=memory.scope,
            conversation=memory.conversation, archived_at=None, superseded_by=None)
        text = (await self.texts(agent, [hit]))[0]
        if isinstance(text, HippoError):
            raise text
        return text

    async def previews(self, agent: str, hits: Sequence[ask.Hit]) -> list[Preview]:
        """Some memories in short."""
        shown = hits[:limits.forget_shown_max]
        return [Preview(id=hit.id, text=(text if isinstance(text, str) else text.message)[:limits.preview_characters],
                        created_at=hit.created_at, kind=hit.kind, entity=hit.entity)
                for hit, text in zip(shown, await self.texts(agent, shown), strict=True)]

    # Entities

    async def observations(self, agent: str, entity: str) -> knowing.Observations:
        """What is known of an entity."""
        return (await self.graph_actor.ask(knowing.Observe(agent, [entity])))[0]

    async def version_hash(self, agent: str, entity: str | None) -> str | None:
        """The version of what is known of an entity; None for none."""
        return None if entity is None else (await self.versioned(agent, {entity}))[entity][1]

    async def versioned(self, agent: str, entities: Collection[str]) -> dict[str, tuple[knowing.Fingerprint, str]]:
        """What some entities' memories say in short, and their versions; by the names asked for."""
        names = sorted(entities)
        if not names:
            return {}
        found = await self.graph_actor.ask(knowing.Fingerprints(agent, names))
        versions: dict[str, tuple[knowing.Fingerprint, str]] = {}
        for name, known in zip(names, found, strict=True):
            version = self.versions.get(agent, known)
            if version is None:
                hits = (await self.observations(agent, name)).hits
                version = self.versions.keep(agent, known, await self.texts(agent, hits))
            versions[name] = known, version
        return versions


def _recollection(hit: ask.Hit, text: str, version_hash: str | None, *, is_stale: bool) -> Recollection:
    return Recollection(
        id=hit.id, text=text, activation=hit.activation, confidence=hit.confidence, why=hit.why, tier=hit.tier,
        lossless=hit.fidelity is None, fidelity=hit.fidelity, created_at=hit.created_at, entity=hit.entity,
        kind=hit.kind, tags=hit.tags, scope=hit.scope, conversation=hit.conversation, archived_at=hit.archived_at,
        superseded_by=hit.superseded_by, stale=is_stale,
        version_hash=version_hash)
