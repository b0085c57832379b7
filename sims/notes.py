"""What was promised of what is no memory: lines of blocks, logged messages, relations of entities.

1. What was acknowledged is there; what was taken back, and acknowledged, is not; what was not acknowledged may be.
2. A message that quotes what was forgotten, in any of its wordings, is forgotten as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from hippo.interfaces.service import Service
from hippo.model.knowledge_verb import RecallBlock, RecallConversation
from sims.promises import AGENTS, must, words_of

SENT, THERE, GONE, LOST = "sent", "there", "gone", "lost"  # the last: it never came to be
_FOUND_MAX = 50
Name = tuple[str, ...]  # an agent, what else tells it from others, and last what it says
Test = Callable[[Name], bool]


@dataclass
class Notes:
    """What is known of each by its name; `changed_at`: how many changes there had been when it last changed.

    Args:
        moment: the present one.
    """

    moment: Callable[[], int]
    lines: dict[Name, str] = field(default_factory=dict)
    messages: dict[Name, str] = field(default_factory=dict)
    relations: dict[Name, str] = field(default_factory=dict)
    _changed_at: dict[Name, int] = field(default_factory=dict)
    _pending: dict[Name, int] = field(default_factory=dict)

    @contextmanager
    def adding(self, kind: dict[Name, str], *names: Name) -> Iterator[None]:
        """Some are on their way, and there where this ends without an error."""
        with self._changing(kind, names, lambda name: THERE):
            yield

    @contextmanager
    def removing(self, kind: dict[Name, str], may_go: Test, must_go: Test) -> Iterator[bool]:
        """Some are on their way out; whether one of them must have been there. Where this ends without an error, those
        that must go are gone. What is added meanwhile may go with them."""
        began = self.moment()
        mine = [name for name, state in kind.items() if state in (SENT, THERE) and may_go(name)]
        known = {name for name in mine if kind[name] == THERE}
        try:
            with self._changing(kind, mine, lambda name: GONE if name in known and must_go(name) else SENT):
                yield bool(known)
        finally:
            for name, state in kind.items():
                if state == THERE and self._changed_at[name] > began and may_go(name):
                    kind[name] = SENT

    @contextmanager
    def _changing(self, kind: dict[Name, str], names: Sequence[Name], to: Callable[[Name], str]) -> Iterator[None]:
        began = self.moment()
        for name in names:
            self._pending[name] = self._pending.get(name, 0) + 1
            kind[name] = SENT
        acknowledged = False
        try:
            yield
            acknowledged = True
        finally:
            for name in names:
                self._pending[name] -= 1
                if acknowledged and not self._pending[name] and self._changed_at.get(name, 0) < began:
                    kind[name] = to(name)
                self._changed_at[name] = self.moment()

    def bears(self) -> set[str]:
        """The words of what is or may be there."""
        return words_of(name[-1] for kind in (self.lines, self.messages) for name, state in kind.items()
                        if state in (SENT, THERE))

    def gone(self) -> set[str]:
        """The words of what must be nowhere."""
        return words_of(name[-1] for kind in (self.lines, self.messages) for name, state in kind.items()
                        if state == GONE)

    # After a start

    async def check(self, service: Service) -> None:
        """Everything that was acknowledged is there, and nothing that is gone."""
        for agent in AGENTS:
            await self._check_lines(service, agent)
            await self._check_messages(service, agent)
            await self._check_relations(service, agent)

    async def _check_lines(self, service: Service, agent: str) -> None:
        blocks = (await service.recall_block(RecallBlock(agent_id=agent))).blocks
        found: list[Name] = [(agent, block.key, line) for block in blocks for line in block.text.split("\n")]
        must(len(found) == len(set(found)), f"a block of {agent} has a line twice: {found}")
        self._settle(self.lines, agent, set(found))

    async def _check_messages(self, service: Service, agent: str) -> None:
        found = set[Name]()
        for name in [name for name in self.messages if name[0] == agent]:
            [word] = sorted(words_of([name[-1].rpartition(" ")[2]]))
            answer = await service.recall_conversation(RecallConversation(
                agent_id=agent, query=word, conversation=name[1], k=_FOUND_MAX))
            found |= {(agent, name[1], message.text) for message in answer.messages if message.text == name[-1]}
        self._settle(self.messages, agent, found)

    async def _check_relations(self, service: Service, agent: str) -> None:
        found = set[Name]()
        for entity in sorted({name[1] for name in self.relations if name[0] == agent}):
            sketch = await service.sketch(agent, entity, 1)
            if sketch is not None:
                found |= {(agent, *relation) for relation in sketch.relations if relation[0] == entity}
        self._settle(self.relations, agent, found)

    @staticmethod
    def _settle(kind: dict[Name, str], agent: str, found: set[Name]) -> None:
        """What is there was sent; and what is seen now stays so."""
        must(found <= kind.keys(), f"nobody sent {sorted(found - kind.keys())}")
        for name, state in kind.items():
            if name[0] != agent:
                continue
            must(state != THERE or name in found, f"{name} was acknowledged, and is gone")
            must(state in (SENT, THERE) or name not in found, f"{name} was not there any more, and is there")
            if state == SENT:
                kind[name] = THERE if name in found else LOST
