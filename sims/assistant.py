"""An assistant at home, a real MCP client: `python -m sims.assistant --full | --video | --chat`.

1. A daemon of its own runs as it is shipped, on a temporary store or on the one given by `--dir`, with a frozen clock
   that is skipped from day to day. Each thing the assistant does has a session of its own: what it knows, hippo keeps.
2. `--full` hears 150 memories in 30 days, `--video` 50 in 14. Every evening it stores what was heard on that day, asks
   what is asked, sleeps, and a day passes. Times are of the household (`sims/corpus.py`).
3. At the end everything that was stored is read and recalled again, and all of it is checked: a promise that does not
   hold ends it non-zero. How many questions find their answer among the first five is counted, not promised.
4. `--chat` is a conversation by hand, or with lines from a pipe. A question is recalled, a statement remembered as
   facts, of which a later one supersedes what it outdates. There is no language model: it answers with what it knows.

The same seed twice leaves the same bytes.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from hippo.cli.daemon_link import listening_at
from hippo.demo.assistant import Assistant, Refused
from hippo.model.memory import Fidelity
from hippo.model.recollection import Recollection, Why
from hippo.text.instants import format_instant
from sims.checks import Witness
from sims.corpus import START_MS, Corpus, Heard, corpus
from sims.promises import PromiseBroken, must
from sims.year import EVENING_MS, print_row

LENGTHS = {"full": (150, 30), "video": (50, 14)}  # memories, days
RECALLED = 5
_START_SECONDS, _END_SECONDS = 60.0, 60.0
_TIERS = ("hot", "warm", "cool", "cold")
_TITLES = ("day", "memories", "asked", "answered", *_TIERS, "schemas", "total", "raw/total")
_HELP = "Ask, or say what to remember. /sleep, /skip DAYS, /stats, /quit."
_OPENS_QUESTION = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have)"
    r"\b", re.IGNORECASE)


@contextmanager
def awake(folder: Path) -> Iterator[str]:
    """A daemon on a store, its clock frozen at the first evening but for skips; its address.

    Raises:
        PromiseBroken: it does not start, or does not end well.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", "hippo", "serve", "--detached", "--dir", str(folder), "--port", "0", "--tz", "UTC",
         "--epoch", str(START_MS + EVENING_MS)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("HIPPO_")},
        start_new_session=True)  # Ctrl-C is for the conversation; the daemon is ended in order below
    try:
        until = time.monotonic() + _START_SECONDS
        while (url := listening_at(folder)) is None:
            must(child.poll() is None and time.monotonic() < until, "the daemon did not start")
            time.sleep(0.02)
        must(child.poll() is None, f"another daemon owns {folder}")
        yield url
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            code = child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            code = child.wait()
    must(code == 0, f"the daemon ended with {code}")


def live(assistant: Assistant, said: Corpus, witness: Witness) -> None:
    """Every day of a corpus, and then everything again (rules 2 and 3).

    Raises:
        PromiseBroken: what it says.
    """
    ids: dict[str, str] = {}  # by text
    asked = answered = 0
    for day in range(said.days):
        heard, questions = said.of_day(day)
        for one in heard:
            given = {"text": one.text, "kind": one.kind, "entity": one.entity, "conversation": one.conversation,
                     "created_at": format_instant(one.at), "salience": one.salience}
            stored = assistant.call("remember", **{name: value for name, value in given.items() if value is not None})
            _take(witness, stored, one)
            ids[one.text] = stored["id"]
        for question in questions:
            found = _recall(assistant, witness, question.cue)
            asked, answered = asked + 1, answered + (ids[question.answer] in found)
        assistant.call("sleep")
        assistant.skip(1)
        print_row(_row(day + 1, assistant.call("memory_stats"), asked, answered), _TITLES)
    _look_again(assistant, said, witness, ids)


def _take(witness: Witness, stored: dict[str, Any], heard: Heard) -> None:
    """Something was stored: where it says what was said before, the longer of the two is kept."""
    if stored["action"] == "strengthened":
        must(stored["id"] in witness.known, f"{stored['id']} is strengthened, and was never stored")
        heard = max(witness.known.pop(stored["id"]), heard, key=lambda one: len(one.text))
    witness.stored(stored["id"], heard)


def _row(day: int, stats: dict[str, Any], asked: int, answered: int) -> Iterator[str]:
    yield from map(str, (day, stats["memories"], asked, answered, *(stats["tiers"][tier]["count"] for tier in _TIERS),
                         stats["schemas"], stats["total_bytes"]))
    yield f"{stats['raw_bytes'] / stats['total_bytes']:.2f}"


def _look_again(assistant: Assistant, said: Corpus, witness: Witness, ids: dict[str, str]) -> None:
    """Reads and recalls all that was stored, and asks every question that has an answer."""
    superseded = by_text = 0
    for one, heard in witness.known.items():
        try:
            memory = assistant.call("inspect", id=one)
        except Refused as refused:
            raise PromiseBroken(f"{one} was stored, and now: {refused}") from refused
        witness.reads(_as_recollection(memory))
        superseded += memory["superseded_by"] is not None
        by_text += one in _recall(assistant, witness, heard.text, peek=True)
    found = sum(ids[answer] in _recall(assistant, witness, cue, peek=True) for cue, answer in said.questions)
    stats = assistant.call("memory_stats", verify=True)
    must(stats["memories"] == len(witness.known), f"{len(witness.known)} were stored, {stats['memories']} are counted")
    must(stats["unrecoverable"] == 0 and not stats["damage"], f"{stats['unrecoverable']} cannot be read")
    print(f"all {len(witness.known)} memories are read as they were said, or abridged; {by_text} are recalled by what "
          f"they say; {found} of {len(said.questions)} questions find their answer among the first {RECALLED}",
          flush=True)
    must(by_text + superseded == len(witness.known),
         f"{len(witness.known) - by_text - superseded} are not recalled by what they say")


def _recall(assistant: Assistant, witness: Witness, cue: str, *, peek: bool = False) -> list[str]:
    """The ids of what comes to mind; each is read as what it was stored as."""
    found = [_as_recollection(memory) for memory in assistant.call("recall", cue=cue, k=RECALLED, peek=peek)[
        "results"]]
    for memory in found:
        witness.reads(memory)
    return [memory.id for memory in found]


def _as_recollection(memory: dict[str, Any]) -> Recollection:
    """What a witness looks at, of a memory on the wire."""
    return Recollection(
        id=memory["id"], text=memory["text"], activation=0.0, confidence=0.0, why=Why("listed"), tier=memory["tier"],
        lossless=memory["lossless"], fidelity=Fidelity(**memory["fidelity"]) if memory["fidelity"] else None,
        created_at=0, entity=None, kind=memory["kind"], tags=())


# Conversation


def chat(assistant: Assistant, lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Answers each line until `/quit` or the end (rule 4)."""
    for line in lines:
        said = line.strip()
        if said == "/quit":
            return
        try:
            for answer in _answers(assistant, said) if said else ():
                say(f"  {answer}")
        except Refused as refused:
            say(f"  {refused}")


def _answers(assistant: Assistant, said: str) -> Iterator[str]:
    if said.startswith("/"):
        yield from _commanded(assistant, *said[1:].split())
    elif is_question(said):
        yield from _remembered(assistant.call("recall", cue=said, k=RECALLED))
    else:
        yield from _noted(assistant, assistant.call("remember_facts", text=said))


def is_question(said: str) -> bool:
    """Whether a line asks: by its mark, or as questions are typed, without any."""
    return said.endswith("?") or (_OPENS_QUESTION.match(said) is not None and not said.endswith((".", "!")))


def _commanded(assistant: Assistant, command: str = "", *given: str) -> Iterator[str]:
    match command, given:
        case "sleep", ():
            yield from _slept(assistant.call("sleep"))
        case "skip", (days,) if re.fullmatch(r"\d+(\.\d+)?", days):
            yield from _slept(assistant.skip(float(days)))
        case "stats", ():
            stats = assistant.call("memory_stats")
            yield f"{stats['memories']} memories, {stats['associations']} associations, {stats['schemas']} schemas"
            yield ", ".join(f"{stats['tiers'][tier]['count']} {tier}" for tier in _TIERS)
            yield f"{stats['raw_bytes']:,} bytes of text in {stats['total_bytes']:,} bytes on the disk"
        case _:
            yield _HELP


def _slept(report: dict[str, Any]) -> Iterator[str]:
    counts = ", ".join(f"{report['tiers'][tier]['after']['count']} {tier}" for tier in _TIERS)
    yield (f"{report['memories']} memories: {counts}; {report['before']['total_bytes']:,} bytes became "
           f"{report['after']['total_bytes']:,}")


def _remembered(answer: dict[str, Any]) -> Iterator[str]:
    if answer["note"]:
        yield answer["note"]
    for memory in answer["results"]:
        outdated = " (superseded)" if memory["superseded_by"] else ""
        yield f"{memory['activation']:.2f} {memory['why']['kind']:<9} {memory['tier']:<4} {memory['text']}{outdated}"


def _noted(assistant: Assistant, facts: dict[str, Any]) -> Iterator[str]:
    if facts["note"]:
        yield facts["note"]
    for text, fact in zip(facts["texts"], facts["facts"], strict=True):
        yield f"{'known already' if fact['action'] == 'strengthened' else 'noted'}: {text}"
        for old in fact["replaced"]:
            yield f"in place of: {assistant.call('inspect', id=old)['text']}"


def _typed() -> Iterator[str]:
    """Lines of a person, with a prompt, or of a pipe."""
    if sys.stdin.isatty():
        import readline  # noqa: F401  # what was typed can be edited and comes back
        print(_HELP)
        while True:
            try:
                yield input("> ")
            except EOFError:
                return
    for line in sys.stdin:
        print(f"> {line.strip()}", flush=True)
        yield line


def main() -> int:
    """Lives what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sims.assistant", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group(required=True)
    for name in ("full", "video", "chat"):
        way.add_argument(f"--{name}", dest="way", action="store_const", const=name)
    parser.add_argument("--dir", type=Path, help="an empty folder for the store, or one of an earlier chat")
    parser.add_argument("--memories", type=int, help="instead of 150 or 50")
    parser.add_argument("--days", type=int, help="over which they are said, instead of 30 or 14")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    count, days = (known if asked is None else asked for asked, known in zip(
        (given.memories, given.days), LENGTHS.get(given.way, (0, 0)), strict=True))
    if given.way != "chat":
        print(f"seed {given.seed}: {count} memories in {days} days", flush=True)
    began = time.monotonic()
    place = nullcontext(str(given.dir)) if given.dir else tempfile.TemporaryDirectory(prefix="hippo-assistant-")
    try:
        with place as folder, awake(Path(folder)) as url:
            if given.way == "chat":
                chat(Assistant(url), _typed(), lambda line: print(line, flush=True))
                return 0
            print_row(_TITLES, _TITLES)
            live(Assistant(url), corpus(count, days, given.seed), Witness(Path(folder)))
    except PromiseBroken as broken:
        print(f"a promise is broken: {broken}")
        return 1
    print(f"every promise kept over {days} days, in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
