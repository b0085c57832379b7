"""What was promised, and whether it holds.

1. What was acknowledged is there, word for word, or said to be abridged and an abridgement, under its id and of its
   agent: listed, inspected and recalled.
2. What is there was asked for, once: nothing of another agent, nothing nobody sent, nothing twice.
3. A key that was used gives the first answer, whatever text comes with it.
4. What was seen after a start stays, whether it had been acknowledged or not; and time never goes back.
5. Everything can be decoded, the figures add up, and no damage is reported that the faults so far do not explain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hippo.errors import MemoryNotFound
from hippo.interfaces.service import Service
from hippo.model.inspection import Inspection
from hippo.model.recollection import Recollection
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember
from hippo.text.residual import is_abridgement

AGENTS = ("default", "ada", "Zoë / 東京")
_RECALLED_AT_ONCE = 4
# What a stop in the middle of a write explains: a segment that was being made, a first index without its copy, and
# damage behind the first byte of a segment that was not synced.
_EXPLAINED = re.compile(
    r"journal-\d{8}( ends within its header\b|: one of its two headers is damaged|: both of its headers are damaged)"
    r"|index\.copy is missing\.$")
_BEHIND = re.compile(r"(journal-\d{8}): (?:bytes (\d+) to \d+ are damaged|.* before byte (\d+) (?:are|is) lost)")


class PromiseBroken(AssertionError):
    """A promise did not hold."""


def must(holds: bool, sentence: str) -> None:
    """Raises PromiseBroken unless it holds."""
    if not holds:
        raise PromiseBroken(sentence)


@dataclass
class Promise:
    """One memory: its agent, the text it has (any of these until it was seen), and its key."""

    agent: str
    texts: set[str]
    key: str | None


@dataclass
class Oracle:
    """Collects what was sent and acknowledged, and checks it.

    `known` is every acknowledged or seen memory by its id, `sent` every text by agent with the key it came with, `keys`
    the ids that keys gave. `skipped_ms` and `skips_tried_ms` bound the clock; `shaken`: a fault may have left damage,
    `torn`: from which byte on in which file (FaultyDisk). `abridged` counts how often a faded memory was read.
    """

    known: dict[str, Promise] = field(default_factory=dict)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    sent: dict[tuple[str, str], str | None] = field(default_factory=dict)
    skipped_ms: int = 0
    skips_tried_ms: int = 0
    shaken: bool = False
    torn: dict[str, int] = field(default_factory=dict)
    checks: int = 0
    abridged: int = 0

    def sends(self, row: Remember) -> None:
        """A memory is on its way."""
        agent = row.agent_id or "default"
        must((agent, row.text) not in self.sent or row.key is not None, "a play sends every text once")
        self.sent[agent, row.text] = row.key

    def acknowledged(self, row: Remember, one: str) -> None:
        """A memory was acknowledged under an id."""
        agent = row.agent_id or "default"
        if row.key is None:
            must(one not in self.known, f"the id {one} was given twice")
            self.known[one] = Promise(agent, {row.text}, None)
            return
        first = self.keys.setdefault((agent, row.key), one)
        must(first == one, f"key {row.key} of {agent} gave {first}, then {one}")
        if one not in self.known:
            self.known[one] = Promise(agent, self._texts_with(agent, row.key), row.key)
        must(self.known[one].key == row.key, f"key {row.key} of {agent} gave {one}, a memory without that key")

    def _texts_with(self, agent: str, key: str) -> set[str]:
        """What may lie under a key: everything that was sent with it."""
        return {text for (owner, text), used in self.sent.items() if owner == agent and used == key}

    def reads(self, found: Recollection | Inspection, agent: str) -> None:
        """Somebody has been given a memory; what it is from now on is certain. A faded one is an abridgement of it."""
        one, text = found.id, found.text
        promise = self.known.get(one)
        if found.lossless:
            must((agent, text) in self.sent, f"{agent} is given {one}, which it never sent: {text!r}")
        else:
            may_be = promise.texts if promise else {sent for owner, sent in self.sent if owner == agent}
            texts = {sent for sent in may_be if is_abridgement(sent, text)}
            must(bool(texts), f"{agent} is given {one}, which abridges nothing it sent: {text!r}")
            text = min(texts)
            self.abridged += 1
        if promise is None:
            return
        must(promise.agent == agent, f"{agent} is given {one}, which is of {promise.agent}")
        must(text in promise.texts, f"{one} of {agent} reads {text!r} instead of {sorted(promise.texts)}")
        promise.texts = {text}

    # After a start

    async def check(self, service: Service, began_ms: int) -> int:
        """Checks every promise on an open store on a disk without faults. Returns how many memories it holds.

        Args:
            began_ms: where the frozen clock stands without skips.
        """
        self.checks += 1
        found = await self._listed(service)
        for one, promise in self.known.items():
            must(one in found, f"{one} of {promise.agent} was acknowledged, and is gone: {sorted(promise.texts)}")
        await self._inspected(service)
        await self._recalled(service, found)
        await self._keys_hold(service)
        stats = await service.stats(MemoryStats(verify=True))
        must(stats.unrecoverable == 0, f"{stats.unrecoverable} memories cannot be read: {stats.damage}")
        must(stats.memories == len(found), f"{len(found)} memories are listed, and {stats.memories} counted")
        census = {row.agent_id: row.memories for row in await service.agents() if row.memories}
        listed = [promise.agent for promise in self.known.values()]
        must(census == {agent: listed.count(agent) for agent in set(listed)}, f"the agents are said to have {census}")
        for sentence in stats.damage:
            must(self.shaken and self._explains(sentence), f"unexplained damage: {sentence}")
        skipped = (await service.preview(Preview())).at - began_ms
        must(self.skipped_ms <= skipped <= self.skips_tried_ms,
             f"the clock has skipped {skipped} ms; {self.skipped_ms} were acknowledged, {self.skips_tried_ms} tried")
        self.skipped_ms = skipped  # seen, so it stays
        return len(found)

    def _explains(self, sentence: str) -> bool:
        behind = _BEHIND.match(sentence)
        if behind is None:
            return _EXPLAINED.match(sentence) is not None
        name, start, lost_before = behind.groups()
        return name in self.torn and int(start or lost_before) >= self.torn[name]

    async def _listed(self, service: Service) -> set[str]:
        """All ids, each as it should be; the memories that nobody was told of are promised from now on."""
        found: set[str] = set()
        texts: set[tuple[str, str]] = set()
        for agent in AGENTS:
            before: str | None = None
            while True:
                page = await service.memories(ListMemories(agent_id=agent, limit=97, before=before))
                for memory in page.memories:
                    self.reads(memory, agent)
                    must(memory.id not in found, f"{memory.id} is listed twice")
                    must((agent, memory.text) not in texts, f"{agent} has {memory.text!r} twice")
                    found.add(memory.id)
                    texts.add((agent, memory.text))
                    if memory.lossless:
                        self._seen(memory.id, agent, memory.text)
                before = page.next
                if before is None:
                    break
        return found

    def _seen(self, one: str, agent: str, text: str) -> None:
        key = self.sent[agent, text]
        if key is not None:
            first = self.keys.setdefault((agent, key), one)
            must(first == one, f"key {key} of {agent} gave {first}, but {one} is there too")
        self.known.setdefault(one, Promise(agent, {text}, key))

    async def _inspected(self, service: Service) -> None:
        for number, (one, promise) in enumerate(self.known.items()):
            if (number + self.checks) % 3:
                continue  # a third each time: listing has read every text already
            self.reads(await service.inspect(Inspect(id=one, agent_id=promise.agent)), promise.agent)
            stranger = AGENTS[(AGENTS.index(promise.agent) + 1) % len(AGENTS)]
            try:
                await service.inspect(Inspect(id=one, agent_id=stranger))
            except MemoryNotFound:
                continue
            raise PromiseBroken(f"{stranger} can look at {one} of {promise.agent}")

    async def _recalled(self, service: Service, found: set[str]) -> None:
        """Some memories, each by its own words."""
        for one in sorted(self.known)[self.checks::max(1, len(self.known) // _RECALLED_AT_ONCE)]:
            promise = self.known[one]
            cue = min(promise.texts)
            answer = await service.recall(Recall(cue=cue, agent_id=promise.agent, k=50, peek=True))
            for recollection in answer.results:
                must(recollection.id in found, f"{recollection.id} is recalled, and not listed")
                self.reads(recollection, promise.agent)
            must(one in [recollection.id for recollection in answer.results],
                 f"{one} of {promise.agent} is not recalled by its own words: {cue!r}")

    async def _keys_hold(self, service: Service) -> None:
        for (agent, key), one in self.keys.items():
            again = await service.remember_one(Remember(text="Something else altogether.", agent_id=agent, key=key))
            must(again.id == one, f"key {key} of {agent} gave {one}, after a restart {again.id}")
