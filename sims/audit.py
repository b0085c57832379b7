"""The audit after a start, on a disk without faults: every promise of `sims/oracle.py`, one after the other.

What was not acknowledged has happened by now, or never will: what is seen here is promised from here on.
"""

from __future__ import annotations

import re

from hippo.errors import MemoryNotFound
from hippo.interfaces.service import Service
from hippo.mind.graph import REVISIONS
from hippo.model.recollection import Recollection
from hippo.model.verb import Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Sleep
from hippo.text.residual import is_abridgement
from sims.oracle import Oracle, Promise
from sims.promises import AGENTS, must

_RECALLED_AT_ONCE = 4
# What a stop in the middle of a write explains: a segment that was being made, a first index without its copy, and
# damage behind the first byte of a segment that was not synced.
_EXPLAINED = re.compile(
    r"journal-\d{8}( ends within its header\b|: one of its two headers is damaged|: both of its headers are damaged)"
    r"|index\.copy is missing\.$")
_BEHIND = re.compile(r"(journal-\d{8}): (?:bytes (\d+) to \d+ are damaged|.* before byte (\d+) (?:are|is) lost)")


async def audit(oracle: Oracle, service: Service, began_ms: int) -> None:
    """Checks every promise.

    Args:
        began_ms: where the frozen clock stands without skips.
    """
    oracle.checks += 1
    found, revisions = await _listed(oracle, service)
    await _settle(oracle, service, set(found))
    for one, memory in found.items():
        _is_promised(oracle, one, memory, found)
    await _current(oracle, service, found)
    for one, said in revisions.items():
        promise = oracle.known.get(one)
        must(promise is not None and promise.gone_at is None, f"there are earlier wordings of {one}: {said}")
        assert promise is not None
        _has_history(one, promise, said)
    await oracle.notes.check(service)
    oracle.loose.clear()
    await _inspected(oracle, service, revisions)
    await _recalled(oracle, service, found)
    await _keys_hold(oracle, service)
    await _figures(oracle, service, found)
    skipped = (await service.preview(Preview())).at - began_ms
    must(oracle.skipped_ms <= skipped <= oracle.skips_tried_ms,
         f"the clock has skipped {skipped} ms; {oracle.skipped_ms} were acknowledged, {oracle.skips_tried_ms} tried")
    oracle.skipped_ms = skipped  # seen, so it stays


async def _listed(oracle: Oracle, service: Service) -> tuple[dict[str, Recollection], dict[str, list[Recollection]]]:
    """All memories by their ids, and the earlier wordings of each."""
    found: dict[str, Recollection] = {}
    revisions: dict[str, list[Recollection]] = {}
    for agent in AGENTS:
        for memory in await _all(service, agent, include_superseded=True):
            must(memory.id not in found, f"{memory.id} is listed twice")
            if memory.conversation != REVISIONS:
                oracle.reads(memory, agent, oracle.moment())
                found[memory.id] = memory
                continue
            must(memory.superseded_by is not None, f"{memory.id} is an earlier wording of nothing: {memory.text!r}")
            revisions.setdefault(memory.superseded_by or "", []).append(memory)
            promise = oracle.known.get(memory.superseded_by or "")
            must(promise is None or promise.agent == agent, f"{memory.id} is a wording of another agent's memory")
    return found, revisions


async def _all(service: Service, agent: str, *, include_superseded: bool) -> list[Recollection]:
    memories: list[Recollection] = []
    before: str | None = None
    while True:
        page = await service.memories(ListMemories(
            agent_id=agent, limit=97, before=before, include_superseded=include_superseded))
        memories += page.memories
        before = page.next
        if before is None:
            return memories


async def _settle(oracle: Oracle, service: Service, found: set[str]) -> None:
    """What became of forgets that were not acknowledged; what happened is finished by now."""
    gone = [one for one, promise in oracle.known.items()
            if promise.gone_at is None and promise.forgets and one not in found]
    for one in gone:
        oracle.is_gone(one)
    for one, promise in oracle.known.items():
        must(promise.gone_at is not None or one in found,
             f"{one} of {promise.agent} was acknowledged, and is gone: {sorted(promise.texts)}")
        promise.forgets = 0
    if gone:
        await service.sleep(Sleep(depth="rem"))  # a pass waits for what is under way
        oracle.is_nowhere()


def _is_promised(oracle: Oracle, one: str, memory: Recollection, found: dict[str, Recollection]) -> None:
    """A memory that is there was asked for, and what supersedes it is there."""
    promise = oracle.known.get(one)
    if promise is None:
        promise = oracle.known[one] = _seen(oracle, memory)
    by = memory.superseded_by
    must(by is None or by in found, f"{one} is superseded by {by}, which is not there")
    must(by in promise.over or (by is not None and found[by].text in promise.over),
         f"{one} is superseded by {by} instead of {promise.over}")
    promise.over = {by}


def _seen(oracle: Oracle, memory: Recollection) -> Promise:
    """A memory that nobody was told of: it was sent without an answer."""
    texts = {(agent, text) for agent, text in oracle.loose if _is(text, memory)}
    must(bool(texts), f"nobody asked for {memory.id}: {memory.text!r}")
    agent, text = min(texts)
    keys = oracle.sent[agent, text]
    key = next(iter(keys)) if len(keys) == 1 else None
    if key is not None:
        first = oracle.keys.setdefault((agent, key), memory.id)
        must(first == memory.id, f"key {key} of {agent} gave {first}, but {memory.id} is there too")
    return Promise(agent, {text}, key, tags=set(memory.tags))


async def _current(oracle: Oracle, service: Service, found: dict[str, Recollection]) -> None:
    for agent in AGENTS:
        listed = {memory.id for memory in await _all(service, agent, include_superseded=False)}
        current = {one for one, memory in found.items()
                   if oracle.known[one].agent == agent and memory.superseded_by is None}
        must(listed == current, f"{agent} lists {sorted(listed)}, and {sorted(current)} are not superseded")


def _has_history(one: str, promise: Promise, said: list[Recollection]) -> None:
    """What was abridged when it was corrected stays as it was then."""
    for memory in said:
        must(any(is_abridgement(text, memory.text) for text in promise.wordings),
             f"{one} never said {memory.text!r}, but {sorted(promise.wordings)}")
    for text in promise.history:
        must(any(is_abridgement(text, memory.text) for memory in said),
             f"{one} said {text!r}, which is not in its history")


def _is(text: str, memory: Recollection) -> bool:
    return text == memory.text if memory.lossless else is_abridgement(text, memory.text)


async def _inspected(oracle: Oracle, service: Service, revisions: dict[str, list[Recollection]]) -> None:
    for number, (one, promise) in enumerate(oracle.known.items()):
        if (number + oracle.checks) % 3:
            continue  # a third each time: listing has read every text already
        for agent in (promise.agent, AGENTS[(AGENTS.index(promise.agent) + 1) % len(AGENTS)]):
            began = oracle.moment()
            try:
                memory = await service.inspect(Inspect(id=one, agent_id=agent))
            except MemoryNotFound:
                must(promise.gone_at is not None or agent != promise.agent, f"{one} of {agent} cannot be looked at")
                continue
            must(agent == promise.agent, f"{agent} can look at {one} of {promise.agent}")
            oracle.reads(memory, agent, began)
            must({earlier.id for earlier in memory.history} == {earlier.id for earlier in revisions.get(one, [])},
                 f"the history of {one} is {memory.history}")


async def _recalled(oracle: Oracle, service: Service, found: dict[str, Recollection]) -> None:
    """Some memories, each by its own words, also where they are abridged by now."""
    current = sorted(one for one, memory in found.items() if memory.superseded_by is None)
    for one in current[oracle.checks::max(1, len(current) // _RECALLED_AT_ONCE)]:
        promise, began = oracle.known[one], oracle.moment()
        cue = min(text for text in promise.texts if _is(text, found[one]))  # what it says by now, where that is open
        answer = await service.recall(Recall(cue=cue, agent_id=promise.agent, k=50, peek=True))
        for recollection in answer.results:
            must(recollection.id in current, f"{recollection.id} is recalled, and not listed")
            oracle.reads(recollection, promise.agent, began)
        must(one in [recollection.id for recollection in answer.results],
             f"{one} of {promise.agent} is not recalled by its own words: {cue!r}")


async def _keys_hold(oracle: Oracle, service: Service) -> None:
    for (agent, key), one in oracle.keys.items():
        again = await service.remember_one(Remember(text="Something else altogether.", agent_id=agent, key=key))
        must(again.id == one, f"key {key} of {agent} gave {one}, after a restart {again.id}")


async def _figures(oracle: Oracle, service: Service, found: dict[str, Recollection]) -> None:
    stats = await service.stats(MemoryStats(verify=True))
    must(stats.unrecoverable == 0, f"{stats.unrecoverable} memories cannot be read: {stats.damage}")
    must(stats.memories == len(found), f"{len(found)} memories are listed, and {stats.memories} counted")
    census = {row.agent_id: row.memories for row in await service.agents() if row.memories}
    listed = [oracle.known[one].agent for one in found]
    must(census == {agent: listed.count(agent) for agent in set(listed)}, f"the agents are said to have {census}")
    for sentence in stats.damage:
        must(oracle.shaken and _explains(oracle, sentence), f"unexplained damage: {sentence}")


def _explains(oracle: Oracle, sentence: str) -> bool:
    behind = _BEHIND.match(sentence)
    if behind is None:
        return _EXPLAINED.match(sentence) is not None
    name, start, lost_before = behind.groups()
    return name in oracle.torn and int(start or lost_before) >= oracle.torn[name]
