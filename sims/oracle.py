"""What was promised, and whether it holds.

1. What was acknowledged is there under its id and of its agent, word for word, or said to be abridged and an
   abridgement. A corrected memory says the new text, and has the old one in its history.
2. What is there was asked for, once: nothing of another agent, nothing nobody sent. A repeated text may be the memory
   that says it: ids are followed, not texts.
3. A key that was used gives the first answer, whatever text comes with it.
4. What was forgotten is in no answer that was asked for after that; what it had superseded is back. No word that only
   it had is in any file. A forget that was not acknowledged happened or did not, for good.
5. Of several changes to one memory at once any may have been the last. What was not acknowledged may have happened;
   what was seen after a start stays.

`sims/audit.py` checks after a start, `sims/remains.py` looks into the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hippo.model.inspection import Inspection
from hippo.model.knowledge import Forgot
from hippo.model.recollection import Recollection
from hippo.model.stored import Stored
from hippo.model.verb import Remember
from hippo.store.disk import Disk
from hippo.text.residual import is_abridgement
from sims.notes import Notes
from sims.promises import AGENTS, must, words_of
from sims.remains import holding


@dataclass
class Promise:
    """One memory.

    `texts`: what it may say: one text, once it is certain. `wordings`: all it says, said, or may have; `tags` likewise.
    `history`: what it certainly said before. `over`: what may supersede it, by id, or by its text where nobody was told
    the id; None: nothing does. `pending`: how many changes of it are under way, `changed_at` when the last one ended.
    `forgets`: how often somebody has tried to forget it, `gone_at`: since when it is forgotten. `told`: not only those
    who repeated it know of it.
    """

    agent: str
    texts: set[str]
    key: str | None = None
    entity: str | None = None
    wordings: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    history: list[str] = field(default_factory=list)
    over: set[str | None] = field(default_factory=lambda: {None})
    pending: int = 0
    changed_at: int = 0
    forgets: int = 0
    told: bool = True
    gone_at: int | None = None

    def __post_init__(self) -> None:
        self.wordings |= self.texts

    @property
    def certain(self) -> set[str]:
        """What it certainly says or said."""
        return {*self.history, *(self.texts if len(self.texts) == 1 else ())}

    @property
    def is_certain(self) -> bool:
        """Whether it must be there."""
        return self.gone_at is None and not self.forgets


@dataclass
class Change:
    """Something that is asked for: what it sends, by agent, and the memories it names.

    `alone`: those of them that nothing else has changed meanwhile, once it has ended.
    """

    began: int
    texts: list[tuple[str, str]]
    ids: list[str]
    alone: set[str] = field(default_factory=set)


class Oracle:
    """Collects what was sent and acknowledged, and checks what is read.

    `known`: every acknowledged or seen memory by its id. `sent`: every text by agent, with the keys it came with.
    `keys`: the ids that keys gave. `loose`: texts whose change was not acknowledged, until the next start tells.
    `skipped_ms` and `skips_tried_ms` bound the clock. `shaken`: a fault may have left damage, `torn`: from which byte
    on in which file (FaultyDisk). `abridged`: how often a faded memory was read, `forgotten`: how many are.

    Args:
        disk: whose files are searched for what was forgotten.
    """

    def __init__(self, disk: Disk, torn: dict[str, int] | None = None) -> None:
        self.disk, self.torn = disk, {} if torn is None else torn
        self.known: dict[str, Promise] = {}
        self.keys: dict[tuple[str, str], str] = {}
        self.sent: dict[tuple[str, str], set[str | None]] = {}
        self.loose: set[tuple[str, str]] = set()
        self.skipped_ms = self.skips_tried_ms = 0
        self.shaken = False
        self.checks = self.abridged = self.forgotten = 0
        self._flying: Counter[tuple[str, str]] = Counter()
        self._now = 0
        self.notes = Notes(self.moment)

    # Changes

    def moment(self) -> int:
        """The present moment: later than any before."""
        self._now += 1
        return self._now

    @contextmanager
    def changing(self, *texts: tuple[str, str], ids: Iterable[str] = (), into: str | None = None) -> Iterator[Change]:
        """Something is asked for, and acknowledged where this ends without an error.

        Args:
            texts: that are sent, each with its agent. ids: of memories that it changes. into: the one that is to say
                the texts.
        """
        change = Change(self.moment(), list(texts), list(ids))
        self._flying.update(change.texts)
        for pair in texts:
            self.sent.setdefault(pair, set()).add(None)
        if into is not None:
            self.known[into].wordings |= {text for _, text in texts}
        for one in change.ids:
            self.known[one].pending += 1
        try:
            yield change
        except BaseException:
            self.loose.update(change.texts)
            raise
        finally:
            self._flying.subtract(change.texts)
            for one in change.ids:
                promise = self.known[one]
                promise.pending -= 1
                if self._is_alone(promise, change):
                    change.alone.add(one)
            for one in change.ids:
                self.known[one].changed_at = self.moment()

    @staticmethod
    def _is_alone(promise: Promise, change: Change) -> bool:
        return promise.pending == 0 and promise.changed_at < change.began

    def sends(self, row: Remember) -> tuple[str, str]:
        """What a memory on its way sends."""
        pair = row.agent_id or "default", row.text
        self.sent.setdefault(pair, set()).add(row.key)
        return pair

    def remembered(self, row: Remember, stored: Stored, change: Change) -> None:
        """A memory was acknowledged: another one, or one that was known."""
        agent, one = row.agent_id or "default", stored.id
        promise = self.known.get(one)
        if row.key is not None:
            first = self.keys.setdefault((agent, row.key), one)
            if not self.may_be_gone(first):
                must(first == one, f"key {row.key} of {agent} gave {first}, then {one}")
            self.keys[agent, row.key] = one
        if promise is None:
            self.known[one] = Promise(agent, self._may_say(row, stored), row.key, stored.entity,
                                      told=stored.action != "strengthened")
        elif stored.action == "strengthened":
            self._strengthened(one, promise, row, change)
        else:
            is_known = row.key is not None and stored.action == "stored"
            must(is_known or not promise.told, f"the id {one} was given twice")
            promise.told = True
        for other in stored.replaced:
            self._superseded(other, one, change)
        if stored.superseded_by is not None:
            self.known[one].over = {stored.superseded_by}

    def _may_say(self, row: Remember, stored: Stored) -> set[str]:
        """What a memory of which nobody was told before may say."""
        agent = row.agent_id or "default"
        if stored.action == "strengthened":  # the one that an unanswered call has left
            return {row.text} | self._unsettled(agent)
        return {row.text} if row.key is None else self._texts_with(agent, row.key)

    def _texts_with(self, agent: str, key: str) -> set[str]:
        """What may lie under a key: everything that was sent with it."""
        return {text for (owner, text), used in self.sent.items() if owner == agent and key in used}

    def _unsettled(self, agent: str) -> set[str]:
        """What an agent has sent without an answer so far."""
        return {text for owner, text in (*self.loose, *(+self._flying)) if owner == agent}

    def _strengthened(self, one: str, promise: Promise, row: Remember, change: Change) -> None:
        must(promise.agent == (row.agent_id or "default"), f"{one} is of {promise.agent}, and strengthened by another")
        must(promise.gone_at is None or promise.gone_at > change.began, f"{one} was forgotten, and is strengthened")
        before = set(promise.texts)
        promise.wordings.add(row.text)
        if not self._is_alone(promise, change) or len(before) > 1:
            promise.texts.add(row.text)
        elif len(row.text) > len(min(before)):
            promise.texts = {row.text}
            promise.history += before
        promise.changed_at = self.moment()

    def _superseded(self, one: str, by: str, change: Change) -> None:
        promise = self.known.get(one)
        if promise is not None:
            promise.over = {by} if self._is_alone(promise, change) else promise.over | {by}
            promise.changed_at = self.moment()

    def updated(self, one: str, text: str, change: Change) -> None:
        """A correction was acknowledged."""
        promise = self.known[one]
        before = promise.texts - {text}
        promise.texts = {text} if one in change.alone else promise.texts | {text}
        if one in change.alone and len(before) == 1:
            promise.history += before

    def merged(self, ids: Iterable[str], by: str, agent: str, text: str, change: Change) -> None:
        """A merge was acknowledged."""
        must(by not in self.known, f"the id {by} was given twice")
        self.known[by] = Promise(agent, {text}, tags={tag for one in ids for tag in self.known[one].tags})
        for one in ids:
            promise = self.known[one]
            promise.over = {by} if one in change.alone else promise.over - {text} | {by}

    def forgot(self, one: str, answer: Forgot, change: Change) -> None:
        """A forget was acknowledged."""
        back = {other for other, known in self.known.items() if known.over == {one} and known.is_certain
                and not known.pending and known.changed_at < change.began}
        must(one not in change.alone or back <= set(answer.restored),
             f"{one} had superseded {sorted(back)}, back are {answer.restored}")
        must(bool(answer.memories), f"{one} was forgotten, and the answer names nothing")
        self.is_gone(one)
        self.is_nowhere()

    def is_gone(self, one: str) -> None:
        """A memory is forgotten from here on."""
        self.known[one].gone_at = self.moment()
        self.forgotten += 1
        for known in self.known.values():
            if one in known.over:
                known.over = {None} if known.over == {one} else (known.over - {one}) | {None}
        self.keys = {key: owner for key, owner in self.keys.items() if owner != one}

    # What is read

    def may_be_gone(self, one: str) -> bool:
        """Whether a memory need not be found."""
        promise = self.known.get(one)
        return promise is None or not promise.is_certain

    def reads(self, found: Recollection | Inspection, agent: str, began: int) -> None:
        """Somebody who asked at a moment is given a memory. A faded one is an abridgement of what it says."""
        one, text = found.id, found.text
        promise = self.known.get(one)
        if promise is None:
            pairs = [(agent, text)] if found.lossless else [pair for pair in self.sent if pair[0] == agent]
            must(any(pair in self.sent and _says(pair[1], text, found.lossless) for pair in pairs),
                 f"{agent} is given {one}, which it never sent: {text!r}")
            return
        must(promise.agent == agent, f"{agent} is given {one}, which is of {promise.agent}")
        is_there = promise.gone_at is None or promise.gone_at > began
        must(is_there, f"{agent} is given {one}, which was forgotten: {text!r}")
        changes = promise.pending > 0 or promise.changed_at > began  # it may be read as it was
        unsettled = self._unsettled(agent)
        may_be = promise.texts | unsettled | (promise.wordings if changes else set())
        says = {sent for sent in may_be if _says(sent, text, found.lossless)}
        must(bool(says), f"{one} of {agent} reads {text!r} instead of {sorted(promise.texts)}")
        self.abridged += not found.lossless
        if says & promise.texts:
            promise.texts = promise.texts if changes else {min(says & promise.texts)}
        else:
            promise.texts, promise.wordings = promise.texts | (says & unsettled), promise.wordings | says

    # What is forgotten

    def is_nowhere(self) -> None:
        """No word that only forgotten memories had stands in any file."""
        found = holding(self.disk, self.erased())
        must(not found, f"forgotten, and still on the disk: {found}")

    def erased(self) -> set[str]:
        """The words of what was forgotten that nothing else has."""
        gone, living = (words_of(said for known in self.known.values() if (known.gone_at is None) == lives
                                 for said in known.wordings | known.tags) for lives in (False, True))
        unsettled = words_of(text for agent in AGENTS for text in self._unsettled(agent))
        return (gone | self.notes.gone()) - living - unsettled - self.notes.bears()


def _says(sent: str, text: str, lossless: bool) -> bool:
    return sent == text if lossless else is_abridgement(sent, text)
