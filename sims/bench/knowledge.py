"""What is known of entities, in a small store and in a large one: the same calls on both, in turns.

Both daemons run at once and are asked by turns, so that a machine that changes its speed changes both: the ratio of
large to small is what the figures are for. Each store is filled once and measured in a copy: filled stores are found
again in the folder that is given with `--keep`.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sims.bench.rig import START_MS, Connection, daemon, spread, timed
from sims.people import _NAMES, episodes

_SMALL = 1_000
_SEED = 10_007
_SAYINGS = 480  # of a household: 20 about each of its 12 people, and as many about nobody
_BATCH = 500
_ROUNDS, _CALLS = 20, 10  # calls of each verb: so many rounds of so many
_SHARE_LOGGED = 10  # memories for each logged message
_SETTINGS = 'tools = "all"\nsleep_enabled = false\n'
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_PEOPLE = frozenset(_NAMES)


class Told(NamedTuple):
    """Something to remember: its text, who it is about, its conversation, UTC milliseconds, and a question to it."""

    text: str
    entity: str | None
    conversation: str
    at: int
    question: str


def told() -> Iterator[Told]:
    """What one household after the other says, without an end and without repeating a text. People have whole names,
    and half of what names one is about them."""
    seen: set[str] = set()
    for number in range(1_000_000):
        family = _surname(number)
        for turn, one in enumerate(episodes(_SEED + number, _SAYINGS, START_MS)):
            who = next((word for word in re.findall(r"[A-Z][a-z]+", one.text) if word in _PEOPLE), None)
            name = f"{who} {family}"
            text = one.text if who is None else one.text.replace(who, name)
            if text not in seen:
                seen.add(text)
                yield Told(text, name if who and turn % 2 else None, f"{family}-{one.conversation}", one.at,
                           one.question if who is None else one.question.replace(who, name))


def _surname(number: int) -> str:
    syllables = []
    for _ in range(3):
        number, consonant = divmod(number, len(_CONSONANTS))
        number, vowel = divmod(number, len(_VOWELS))
        syllables.append(_CONSONANTS[consonant] + _VOWELS[vowel])
    return "".join(syllables).capitalize()


class Filled(NamedTuple):
    """A store that is filled: where, with what, and how long that took in seconds (0: it was there)."""

    folder: Path
    known: list[Told]
    seconds: float


def _filled(folder: Path, memories: int) -> Filled:
    """A store of exactly so many memories; what the same was said in is said in other words until there are."""
    done = folder.with_suffix(".filled")
    source = told()
    if done.exists():
        return Filled(folder, list(islice(source, int(done.read_text()))), 0.0)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "hippo.toml").write_text(_SETTINGS)
    known: list[Told] = []
    began = time.perf_counter()
    with daemon(folder) as (url, _, _):
        line = Connection(url)
        stored = 0
        while stored < memories:
            some = list(islice(source, min(_BATCH, memories - stored)))
            line.rest("/api/remember", {"memories": [
                {"text": one.text, "conversation": one.conversation, "created_at": one.at,
                 **({} if one.entity is None else {"entity": one.entity})} for one in some]})
            known += some
            stored = line.rest("/api/stats")["memories"]
        took = time.perf_counter() - began
        for start in range(0, memories // _SHARE_LOGGED, _BATCH):
            line.rest("/api/messages", {"messages": [
                {"role": "user", "text": one.text, "conversation": one.conversation, "created_at": one.at}
                for one in known[start:min(start + _BATCH, memories // _SHARE_LOGGED)]]})
        line.rest("/api/recall", {"cue": "settle", "peek": True})
        line.close()
    done.write_text(str(len(known)))
    return Filled(folder, known, took)


class _Subject:
    """One store under measurement: its daemon's line, and calls that each mean something else every time."""

    def __init__(self, line: Connection, known: list[Told]) -> None:
        self._line, self._known = line, known
        self._step = max(1, len(known) // (_ROUNDS * _CALLS))
        names: dict[str, int] = {}
        for one in known:
            if one.entity is not None:
                names[one.entity] = names.get(one.entity, 0) + 1
        some = [name for name, count in names.items() if 10 <= count <= 30]
        self._still, self._growing = some[::2], some[1::2]
        self._versions: dict[str, str] = {}
        self._fresh = islice(told(), len(known) + 50_000, None)  # of households that neither store knows
        self.meant = self.asked = 0

    def _done(self, answer: bytes, wanted: bytes) -> None:
        self.asked += 1
        self.meant += wanted in answer

    def _one(self, number: int) -> Told:
        return self._known[number * self._step % len(self._known)]

    def know_versions(self) -> None:
        """Asks for the version of every entity once, as a client that has read them."""
        for name in self._still[:_ROUNDS * _CALLS]:
            answer = self._line.rest("/api/version?entity=" + name.replace(" ", "%20") + "&hash=0")
            self._versions[name] = answer["version_hash"]

    def check_version(self, number: int) -> None:
        """Of an entity of some 20 memories that has not changed."""
        name = self._still[number % len(self._still)]
        self._done(self._line.tool("check_version", entity=name, hash=self._versions[name]), b'"unchanged":true')

    def remember(self, number: int) -> None:
        """Something new about nobody."""
        self._done(self._line.tool("remember", text=next(self._fresh).text), b'"action":"stored"')

    def remember_of_entity(self, number: int) -> None:
        """Something new about somebody of whom some 20 things are known."""
        name = self._growing[number % len(self._growing)]
        text = f"{name} says: {next(self._fresh).text}"
        self._done(self._line.tool("remember", text=text, entity=name), b'"action":"stored"')

    def remember_again(self, number: int) -> None:
        """What is known word for word."""
        one = self._one(number)
        more = {} if one.entity is None else {"entity": one.entity}
        self._done(self._line.tool("remember", text=one.text, **more), b'"action":"strengthened"')

    def recall(self, number: int) -> None:
        """A question about something known."""
        self._done(self._line.tool("recall", cue=self._one(number).question), b'"results"')

    def context(self, number: int) -> None:
        """What is known around somebody."""
        self._done(self._line.tool("context", topic=self._still[number % len(self._still)]), b'"entities"')

    def recall_conversation(self, number: int) -> None:
        """A question to the log."""
        one = self._known[number * self._step % (len(self._known) // _SHARE_LOGGED)]
        self._done(self._line.tool("recall_conversation", query=one.question), b'"messages"')

    def nothing(self, number: int, *, name: str) -> None:
        """A tool that does nothing."""
        self._line.tool(name, text="nothing")

    def verbs(self) -> dict[str, Callable[[int], None]]:
        """What is measured, by name."""
        mine = (self.check_version, self.remember, self.remember_of_entity, self.remember_again, self.recall,
                self.context, self.recall_conversation)
        return {"no_op": partial(self.nothing, name="no_op"), "no_op_quiet": partial(self.nothing, name="no_op_quiet"),
                **{verb.__name__: verb for verb in mine}}


def knowledge(memories: int, folder: Path) -> dict[str, Any]:
    """The verbs of knowledge through MCP on one connection each, with 1,000 memories and with so many."""
    stores = {count: _filled(folder / f"knowledge-{count}", count) for count in (_SMALL, memories)}
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        subjects: dict[int, _Subject] = {}
        for count, store in stores.items():
            copy = shutil.copytree(store.folder, scratch / str(count))
            url, _, _ = stack.enter_context(daemon(copy))
            subjects[count] = _Subject(Connection(url), store.known)
        waits = _measured(subjects)
    figures: dict[str, Any] = {"memories": memories, "filled_per_s": {
        count: round(count / store.seconds) for count, store in stores.items() if store.seconds}}
    for verb in waits[memories]:
        small, large = (spread(waits[count][verb]) for count in (_SMALL, memories))
        figures[verb] = {_SMALL: small, memories: large, "ratio_p50": round(large["p50_ms"] / small["p50_ms"], 2),
                         "ratio_p99": round(large["p99_ms"] / small["p99_ms"], 2)}
        if not verb.startswith("no_op"):
            for name in ("no_op", "no_op_quiet"):
                nothing = spread(waits[memories][name])
                figures[verb][f"ratio_p50_{name}"] = round(large["p50_ms"] / nothing["p50_ms"], 2)
    figures["as_meant"] = {count: round(one.meant / one.asked, 4) for count, one in subjects.items()}
    return figures


def _measured(subjects: dict[int, _Subject]) -> dict[int, dict[str, list[float]]]:
    """Milliseconds of each call, by the size of the store and the verb."""
    verbs = {count: one.verbs() for count, one in subjects.items()}
    waits: dict[int, dict[str, list[float]]] = {count: {name: [] for name in some} for count, some in verbs.items()}
    for subject, some in zip(subjects.values(), verbs.values(), strict=True):
        subject.know_versions()
        for name in ("recall", "context", "recall_conversation", "no_op", "no_op_quiet"):  # a warm-up
            timed(some[name], _CALLS)
    for turn in range(_ROUNDS):
        for name in verbs[_SMALL]:
            for count, some in verbs.items():
                waits[count][name] += timed(
                    lambda n, call=some[name], turn=turn: call(turn * _CALLS + n), _CALLS)  # type: ignore[misc]
    return waits
