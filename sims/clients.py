"""The clients of a play: each takes one step after the other, drawn by chance, several of them at once.

They repeat what was said, correct, merge and forget it, sometimes all of it at the same time and without waiting for
the answer. What they are told goes to the oracle.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

import trio

from hippo.errors import BlockNotFound, Busy, HippoError, MemoryDamaged, MemoryNotFound, ShuttingDown, StoreUnwritable
from hippo.interfaces.service import Service
from hippo.limits import ms_per_day
from hippo.model.knowledge_verb import AppendBlock, DeleteBlock, Forget, LogMessages, Merge, Message, Relate, Update
from hippo.model.stored import Stored
from hippo.model.verb import GraphView, Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Sleep, TimeSkip
from sims.notes import Name
from sims.oracle import Change, Oracle
from sims.people import episodes
from sims.promises import AGENTS, must

_DAYS = (0.5, 1, 30, 150)
_STRANGE_IDS = ("", "short", "UUUUUUUU", "not an id at all", "ZZZZZZZZ", "00000000")
_ENTITIES = ("the Harbour", "Ada Quist", "東京タワー")
_PEOPLE = ("Grandmother", "Doctor Lindqvist")
_RELATIONS = ("works_at", "part_of")
_THINGS = ("kitchen tap", "garden shed", "blue bicycle", "old laptop", "attic window", "washing machine")
_DONE = ("repaired", "painted", "cleaned", "carried home", "found again", "taken apart")
_COURTESIES = ("That is wonderful news! ", "How lovely! ", "I am so glad to hear that. ", "What a great idea! ",
               "Good to hear from you! ", "That means so much to me! ", "So lovely to see you again! ")
_BLOCKS = ("persona", "plans")
_MORE = (" It was said again.", " It was said in the garden behind the old house.")  # with one a text says more
Step = Callable[[], Awaitable[None]]


def numbered(seed: int, start_ms: int) -> Iterator[tuple[str, str]]:
    """Endless texts, each with a word of its own, and a question about each."""
    for number, said in enumerate(episodes(seed, 1_000_000, start_ms)):
        yield f"{said.text.rstrip('.')}, note {seed}x{number}n.", said.question


class Client:
    """One client.

    Args:
        service: it asks. oracle: it tells. chance: it is driven by. texts: endless. began_ms: where the clock began.
    """

    def __init__(self, service: Service, oracle: Oracle, chance: random.Random, texts: Iterator[tuple[str, str]],
                 began_ms: int) -> None:
        self._service, self._oracle, self._chance, self._texts = service, oracle, chance, texts
        self._began_ms = began_ms
        self._agent = AGENTS[0]
        self._steps: list[Step] = [
            *4 * [self._remember_one], *2 * [self._remember_some], partial(self._impatiently, self._remember_one),
            *2 * [self._recall], self._look_at_one, self._list, *2 * [self._sleep], self._skip, self._stats,
            self._mistake, *4 * [self._repeat], *3 * [self._update], *3 * [self._forget], self._merge, self._append,
            self._delete_block, *2 * [self._log], self._relate,
            partial(self._impatiently, self._update), partial(self._impatiently, self._forget)]

    async def step(self) -> None:
        """Takes one step.

        Raises:
            HippoError: what it is told.
        """
        self._agent = self._chance.choice(AGENTS)
        await self._chance.choice(self._steps)()

    def _text(self) -> str:
        """A new text; some have a courtesy in them, and are abridged one day."""
        text = next(self._texts)[0]
        if self._chance.random() < 0.7:
            return text
        (one, other), done = self._chance.sample(_THINGS, 2), self._chance.sample(_DONE, 2)
        courtesies = self._chance.sample(_COURTESIES, self._chance.randrange(4))
        return (f"{''.join(courtesies)}The {one} was {done[0]} and the {other} was {done[1]} for the party in "
                f"{text.rpartition(' ')[2]}")

    def _one(self) -> str | None:
        """A memory of the agent."""
        mine = [one for one, promise in self._oracle.known.items()
                if promise.agent == self._agent and promise.gone_at is None]
        return self._chance.choice(mine[-12:] if self._chance.random() < 0.5 else mine) if mine else None

    # Remembering

    def _row(self, agent: str) -> Remember:
        """Something to remember. Who repeats a key mostly repeats the text, but nobody is made to."""
        chance, text, key, created_at = self._chance, self._text(), None, None
        if chance.random() < 0.2:
            number = chance.randrange(30)
            key, text = f"key {number}", f"What {agent} keeps under {number}{chance.choice(('', '', ', or so'))}."
        if chance.random() < 0.2:
            created_at = self._began_ms - chance.randrange(10**11)
        return Remember(text=text, agent_id=agent, conversation=f"talk {chance.randrange(3)}", key=key,
                        created_at=created_at, salience=chance.choice((None, None, 0.1, 0.9)),
                        entity=chance.choice(_PEOPLE) if chance.random() < 0.4 else None)

    async def _remember_one(self) -> None:
        await self._remember([self._row(self._agent)])

    async def _remember_some(self) -> None:
        rows = [self._row(self._chance.choice(AGENTS)) for _ in range(self._chance.randrange(2, 9))]
        if self._chance.random() < 0.3:
            rows.append(self._chance.choice(rows))
        await self._remember(rows)

    async def _repeat(self) -> None:
        """Somebody says what was said before, or more than that."""
        one = self._one()
        if one is not None:
            text, entity = min(self._oracle.known[one].texts), self._oracle.known[one].entity
            if self._chance.random() < 0.5 and not text.endswith(_MORE):
                text += self._chance.choice(_MORE)
            key = f"again {self._chance.randrange(9)}" if self._chance.random() < 0.3 else None
            await self._remember([Remember(
                text=text, agent_id=self._agent, conversation="again", entity=entity, key=key)])

    async def _remember(self, rows: list[Remember]) -> None:
        """Remembers, and what is answered can be looked at from then on."""
        with self._oracle.changing(*map(self._oracle.sends, rows)) as change:
            answers = await self._service.remember(rows)
            for stored in answers:
                if isinstance(stored, HippoError):
                    raise stored
        known = [(row.agent_id or "default", stored) for row, stored in zip(rows, answers, strict=True)
                 if isinstance(stored, Stored)]
        for row, (_, stored) in zip(rows, known, strict=True):
            self._oracle.remembered(row, stored, change)
        for agent, stored in known:
            if self._chance.random() < 0.2:
                await self._look(stored.id, agent)

    # Reading

    async def _recall(self) -> None:
        cue = next(self._texts)[1] if self._chance.random() < 0.9 else None
        began = self._oracle.moment()
        answer = await self._service.recall(Recall(
            cue=cue, agent_id=self._agent, k=self._chance.choice((1, 5, 50)), peek=self._chance.random() < 0.3))
        for recollection in answer.results:
            self._oracle.reads(recollection, self._agent, began)

    async def _look_at_one(self) -> None:
        one = self._one()
        if one is not None:
            await self._look(one, self._agent)

    async def _look(self, one: str, agent: str) -> None:
        began = self._oracle.moment()
        try:
            memory = await self._service.inspect(Inspect(id=one, agent_id=agent))
        except (MemoryNotFound, MemoryDamaged) as error:
            must(self._oracle.may_be_gone(one), f"somebody is told: {error}")
            return
        self._oracle.reads(memory, agent, began)

    async def _list(self) -> None:
        began = self._oracle.moment()
        contains = self._chance.choice((None, None, "the"))
        page = await self._service.memories(ListMemories(
            agent_id=self._agent, limit=self._chance.randrange(1, 30), contains=contains))
        for memory in page.memories:
            self._oracle.reads(memory, self._agent, began)

    async def _stats(self) -> None:
        stats = await self._service.stats(MemoryStats(verify=self._chance.random() < 0.5))
        must(stats.unrecoverable == 0, f"{stats.unrecoverable} memories cannot be read: {stats.damage}")

    async def _mistake(self) -> None:
        one = self._chance.choice(_STRANGE_IDS)
        try:
            await self._service.inspect(Inspect(id=one, agent_id=self._agent))
            must(one in self._oracle.known, f"there is a memory {one!r}")
        except MemoryNotFound:
            pass
        await self._service.preview(Preview(depth=self._chance.choice(("light", "all"))))
        await self._service.graph(GraphView(agent_id=self._agent, limit=20))

    # Time

    async def _sleep(self) -> None:
        await self._service.sleep(Sleep(depth=self._chance.choice(("light", "deep", "deep", "rem", "all"))))

    async def _skip(self) -> None:
        """The skip counts as soon as it is durable; the pass after it may still be refused."""
        days = self._chance.choice(_DAYS)
        ms = round(days * ms_per_day)
        self._oracle.skips_tried_ms += ms
        await self._service.timeskip(TimeSkip(days=days))
        self._oracle.skipped_ms += ms

    # Changing

    async def _update(self) -> None:
        one, text = self._one(), self._text()
        if one is None:
            return
        tags = [text.rpartition(" ")[2].rstrip(".")] if self._chance.random() < 0.3 else None
        self._oracle.known[one].tags.update(tags or ())
        try:
            with self._oracle.changing((self._agent, text), ids=[one], into=one) as change:
                await self._service.update(Update(id=one, text=text, tags=tags, agent_id=self._agent))
        except (MemoryNotFound, MemoryDamaged, Busy) as error:
            self._explains(error, [one], change)
            return
        self._oracle.updated(one, text, change)

    async def _forget(self) -> None:
        one = self._one()
        if one is None:
            return
        oracle, promise = self._oracle, self._oracle.known[one]
        promise.forgets += 1
        certain = set() if oracle.skips_tried_ms else promise.certain  # what was abridged is not quoted any more
        quoting = partial(_quotes, self._agent, promise.wordings), partial(_quotes, self._agent, certain)
        try:
            with oracle.notes.removing(oracle.notes.messages, *quoting), oracle.changing(ids=[one]) as change:
                answer = await self._service.forget(Forget(id=one, agent_id=self._agent))
        except (MemoryNotFound, Busy) as error:
            self._explains(error, [one], change, forgets=2)
            return
        oracle.forgot(one, answer, change)

    async def _merge(self) -> None:
        ids = [*dict.fromkeys(one for one in (self._one(), self._one(), self._one()) if one is not None)]
        if len(ids) < 2:
            return
        text = self._text()
        for one in ids:
            self._oracle.known[one].over.add(text)
        try:
            with self._oracle.changing((self._agent, text), ids=ids) as change:
                answer = await self._service.merge(Merge(ids=ids, text=text, agent_id=self._agent))
        except MemoryNotFound as error:
            self._explains(error, ids, change)
            return
        self._oracle.merged(ids, answer.id, self._agent, text, change)

    def _explains(self, error: HippoError, ids: list[str], change: Change, *, forgets: int = 1) -> None:
        """What is not found was forgotten; who does not get to it was not alone."""
        known = [self._oracle.known[one] for one in ids]
        must(any(promise.gone_at is not None or promise.forgets >= forgets for promise in known)
             or (isinstance(error, Busy) and not change.alone), f"a client is told: {error}")

    # What is no memory

    async def _append(self) -> None:
        notes, line = self._oracle.notes, self._text()
        key = self._chance.choice(_BLOCKS)
        with notes.adding(notes.lines, (self._agent, key, line)):
            await self._service.append_block(AppendBlock(key=key, text=line, agent_id=self._agent))

    async def _delete_block(self) -> None:
        notes, key = self._oracle.notes, self._chance.choice(_BLOCKS)
        of_block = partial(_is_of, (self._agent, key))
        with notes.removing(notes.lines, of_block, of_block) as was_there:
            try:
                await self._service.delete_block(DeleteBlock(key=key, agent_id=self._agent))
            except BlockNotFound as error:
                must(not was_there, f"a client is told: {error}")
        self._oracle.is_nowhere()

    async def _log(self) -> None:
        notes, one, messages = self._oracle.notes, self._one(), []
        talk = f"talk {self._chance.randrange(3)}"
        for _ in range(self._chance.randrange(1, 4)):
            text = self._text()
            if one is not None and self._chance.random() < 0.4:
                text = f"You said: {min(self._oracle.known[one].texts)} Is it {text.rpartition(' ')[2]}"
            messages.append(Message(role="user", text=text))
        with notes.adding(notes.messages, *((self._agent, talk, message.text) for message in messages)):
            await self._service.log_messages(LogMessages(messages=messages, conversation=talk, agent_id=self._agent))

    async def _relate(self) -> None:
        notes, chance = self._oracle.notes, self._chance
        source, target = chance.sample(_ENTITIES, 2)
        name = self._agent, source, chance.choice(_RELATIONS), target
        if chance.random() < 0.3:
            with notes.removing(notes.relations, partial(_is_of, name), partial(_is_of, name)):
                await self._service.relate(Relate(
                    source=source, relation=name[2], target=target, remove=True, agent_id=self._agent))
        else:
            with notes.adding(notes.relations, name):
                await self._service.relate(Relate(
                    source=source, relation=name[2], target=target, agent_id=self._agent))

    # Trouble

    async def _impatiently(self, step: Step) -> None:
        """Takes a step and soon does not wait for the answer any more: what was sent may happen or not."""
        refused: HippoError | None = None
        async with trio.open_nursery() as nursery:
            with trio.CancelScope() as patience:
                nursery.start_soon(_cancel_after, patience, self._chance.randrange(16))
                try:
                    await step()
                except (StoreUnwritable, ShuttingDown) as error:
                    refused = error  # outside of the nursery it would be a group
            nursery.cancel_scope.cancel()
        if refused is not None:
            raise refused


def _is_of(prefix: Name, name: Name) -> bool:
    return name[:len(prefix)] == prefix


def _quotes(agent: str, texts: set[str], name: Name) -> bool:
    return name[0] == agent and any(text in name[-1] for text in texts)


async def _cancel_after(patience: trio.CancelScope, checkpoints: int) -> None:
    for _ in range(checkpoints):
        await trio.lowlevel.checkpoint()
    patience.cancel()
