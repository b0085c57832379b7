"""What was promised, and whether it holds.

1. What was acknowledged is there, word for word, under its id and of its agent.
2. What is there was asked for: nothing of another agent, nothing nobody sent.
3. A key that was used gives the first answer.
4. Nothing is damaged: every memory that is listed can be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hippo.errors import HippoError
from hippo.interfaces.service import Service
from hippo.model.verb import ListMemories, MemoryStats, Remember

AGENTS = ("default", "ada", "cursor")


class PromiseBroken(AssertionError):
    """A promise did not hold."""


@dataclass
class Oracle:
    """Collects what was sent and acknowledged, and checks it."""

    known: dict[str, tuple[str, str]] = field(default_factory=dict)  # id -> agent, text
    keys: dict[tuple[str, str], str] = field(default_factory=dict)  # agent, key -> id
    sent: set[tuple[str, str]] = field(default_factory=set)  # agent, text

    def sends(self, row: Remember) -> None:
        """A memory is on its way."""
        self.sent.add((row.agent_id or "default", row.text))

    def acknowledged(self, row: Remember, one: str) -> None:
        """A memory was acknowledged under an id."""
        agent = row.agent_id or "default"
        if row.key is not None:
            first = self.keys.setdefault((agent, row.key), one)
            if first != one:
                raise PromiseBroken(f"key {row.key} of {agent} gave {first}, then {one}")
            if one in self.known:
                return
        elif one in self.known:
            raise PromiseBroken(f"the id {one} was given twice")
        self.known[one] = agent, row.text

    async def check(self, service: Service) -> int:
        """Checks every promise on an open store. Returns how many memories it holds."""
        found: dict[str, tuple[str, str]] = {}
        for agent in AGENTS:
            before: str | None = None
            while True:
                page = await service.memories(ListMemories(agent_id=agent, limit=200, before=before))
                for memory in page.memories:
                    if (agent, memory.text) not in self.sent:
                        raise PromiseBroken(f"{agent} has {memory.id}, which it never sent: {memory.text!r}")
                    found[memory.id] = agent, memory.text
                before = page.next
                if before is None:
                    break
        for one, (agent, text) in self.known.items():
            if found.get(one) != (agent, text):
                raise PromiseBroken(f"{one} of {agent} was acknowledged, and is now {found.get(one)}")
        for (agent, key), one in list(self.keys.items())[:3]:
            text = self.known[one][1]
            again = await service.remember_one(Remember(text=text, agent_id=agent, key=key))
            if again.id != one:
                raise PromiseBroken(f"key {key} of {agent} gave {one}, after a restart {again.id}")
        stats = await service.stats(MemoryStats(verify=True))
        if stats.unrecoverable:
            raise PromiseBroken(f"{stats.unrecoverable} memories cannot be read: {stats.damage}")
        return len(found)


def is_expected(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether an error, or every part of a group, is of these kinds or an error that hippo expects."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_expected(part, kinds) for part in error.exceptions)
    return isinstance(error, (*kinds, HippoError))
