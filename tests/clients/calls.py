"""Calls of every tool, for clients that nobody here wrote.

`CALLS` is one good call of each of the core; "$id" is the id that `remember` answered. `TRIES` calls each of `all` with
good, odd and bad arguments: odd ones are what clients send though no schema says so, and have to work; bad ones have to
be refused in words that say what is wrong. In them "$name" is the id that a call of that `name` answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

CALLS: dict[str, dict[str, Any]] = {
    "remember": {"text": "Anna prefers the window seat on trains.", "tags": ["travel", "anna"], "entity": "Anna"},
    "recall": {"cue": "Where does Anna like to sit?", "k": 3},
    "inspect": {"id": "$id"},
    "compress_preview": {"depth": "all"},
    "sleep": {"depth": "light"},
    "memory_stats": {"verify": True},
}


class Try(NamedTuple):
    """One call. `kind`: good, odd or bad, or what has to be there before. `name`: of the memory that it makes."""

    kind: str
    tool: str
    arguments: dict[str, Any]
    name: str | None = None


class Outcome(NamedTuple):
    """What came of a call: whether it was refused, its first line, and its id where the answer had one."""

    refused: bool
    said: str
    id: str | None = None


_ANNA = "Anna prefers the window seat on trains."
_LATER = "Anna prefers the aisle seat on trains."


def _tries(tool: str, good: dict[str, Any], odd: dict[str, Any], bad: dict[str, Any]) -> list[Try]:
    return [Try("good", tool, good), Try("odd", tool, odd), Try("bad", tool, bad)]


def _memory(text: str, name: str, entity: str | None = None) -> Try:
    return Try("before", "remember", {"text": text, "kind": "fact", "entity": entity}, name)


TRIES: list[Try] = [
    Try("good", "remember", {"text": _ANNA, "tags": ["travel", "anna"], "kind": "preference", "entity": "Anna"}, "anna"),
    Try("odd", "remember", {"text": 42, "tags": "a, b", "createdAt": "2026-01-02", "agentId": None, "salience": "0.4"}, "answer"),
    Try("bad", "remember", {"txt": "something"}),
    _memory("The spare key hangs behind the clock.", "key"),
    _memory("The spare key is on the hook behind the kitchen clock.", "hook"),
    _memory("Ben plays the cello in the town orchestra on Fridays.", "cello", "Ben"),
    _memory("Ben has played the cello since he was nine years old.", "nine", "Ben"),
    _memory("Annie collects stamps from Portugal.", "stamps", "Annie"),
    _memory("A. Berg teaches at the school by the river.", "school", "A. Berg"),
    _memory("The parcel from Vienna arrived on Tuesday.", "parcel"),
    _memory("The garden gate squeaks in winter.", "gate"),
    *_tries("recall", {"cue": "Where does Anna like to sit?", "k": 3},
            {"cue": "Anna", "k": "3", "tags": '["travel"]', "peek": "yes", "scope": None}, {"cue": "Anna", "k": 500}),
    *_tries("inspect", {"id": "$anna"}, {"id": "$anna", "maxChars": "500"}, {"id": "00000000"}),
    *_tries("compress_preview", {"depth": "all"}, {}, {"depth": "deeper"}),
    *_tries("sleep", {"depth": "light"}, {"depth": "LIGHT "}, {"depth": 7}),
    *_tries("memory_stats", {"verify": True}, {"verify": "1"}, {"verify": "perhaps"}),
    *_tries("context", {"topic": "Anna", "depth": 1}, {"topic": "漢字 😀", "depth": "0"}, {"topic": "Anna", "depth": 9}),
    *_tries("update", {"id": "$anna", "text": _LATER},
            {"entity": "ANNA", "oldText": _LATER, "tags": "travel", "protected": "no"}, {"id": "$anna"}),
    *_tries("forget", {"id": "$parcel"}, {"description": "a gate in the garden", "dryRun": "true"},
            {"entity": "Anna", "texts": _LATER}),
    *_tries("merge", {"ids": ["$key", "$hook"], "text": "The spare key hangs on a hook behind the kitchen clock."},
            {"ids": '["$cello", "$nine"]', "text": "Ben has played the cello since he was nine, on Fridays in the orchestra."},
            {"ids": ["$anna"], "text": "alone"}),
    *_tries("consolidate", {"mode": "clusters"}, {"ageDays": "0", "mode": "Sleep"}, {"mode": "chaos"}),
    *_tries("check_version", {"entity": "Anna", "hash": "0" * 64}, {"entity": "anna", "hash": 7}, {"entity": "Anna"}),
    *_tries("export", {"format": "markdown"}, {"format": "WIRE", "maxChars": "500"}, {"format": "pdf"}),
    *_tries("onboard", {"source": "README.md"}, {}, {"sauce": "README.md"}),
    *_tries("remember_facts", {"text": "Clara moved to Graz in May 2026. She works at the library."},
            {"text": "Clara has a dog named Pip.", "tags": "a, b", "agentId": None}, {"text": " "}),
    *_tries("append_memory_block", {"key": "persona", "text": "Speaks plainly."}, {"key": "persona", "text": 42},
            {"key": "persona"}),
    *_tries("recall_memory_block", {"key": "persona"}, {"key": None}, {"key": "nothing"}),
    *_tries("replace_memory_block", {"key": "persona", "old": "plainly", "new": "kindly"},
            {"key": "persona", "old": 42, "new": ""}, {"key": "persona", "old": "loudly", "new": "softly"}),
    *_tries("restore", {"id": "$anna"}, {"id": "$anna", "agentId": None}, {"id": "nothing"}),
    *_tries("merge_entities", {"sources": ["Annie"], "target": "Anna"}, {"sources": "A. Berg", "target": "anna"},
            {"sources": ["Nobody"], "target": "Anna"}),
    *_tries("log_messages", {"messages": [{"role": "user", "text": "Book the train to Graz"}], "conversation": "c"},
            {"messages": '[{"role": "assistant", "text": "It leaves at nine."}]'}, {"messages": [{"role": "user"}]}),
    *_tries("recall_conversation", {"query": "train to Graz"}, {"query": None, "k": "2"}, {"since": "2026-02-30"}),
    *_tries("relate", {"source": "Anna", "relation": "sister_of", "target": "Ben"},
            {"source": "anna", "relation": "Sister of", "target": "BEN", "remove": "no"},
            {"source": "Anna", "relation": "knows", "target": "anna"}),
    *_tries("store_memory", {"text": "The bicycle is in the shed."}, {"text": "The pump is there too.", "tags": "tools"}, {"text": ""}),
    *_tries("recall_memories", {"cue": "Where is the bicycle?"}, {"cue": 42}, {"query": "bicycle"}),
    *_tries("forget_memory", {"id": "$gate"}, {"entity": "Ben", "dryRun": 1}, {"id": "$anna", "confirm": True}),
    *_tries("get_observation", {"id": "$anna"}, {"id": "$anna", "offset": "5"}, {}),
]


def filled(arguments: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Arguments with the ids that their names stand for."""
    text = json.dumps(arguments)
    for name, id in ids.items():
        text = text.replace(f"${name}", id)
    meant: dict[str, Any] = json.loads(text)
    return meant


def outcome(refused: bool, text: str, structured: Any) -> Outcome:
    """What came of a call, from what a client was answered."""
    found = structured.get("id") if isinstance(structured, dict) else None
    return Outcome(refused, next(iter(text.splitlines()), ""), found)


def table(outcomes: Iterable[tuple[Try, Outcome]]) -> list[dict[str, str]]:
    """A row for each tool: what came of its good, its odd and its bad call."""
    rows: dict[str, dict[str, str]] = {}
    for tried, came in outcomes:
        if tried.kind != "before":
            rows.setdefault(tried.tool, {"tool": tried.tool})[tried.kind] = (
                f"{'refused' if came.refused else 'ok'}: {came.said}")
    return list(rows.values())


def assert_all_came_out(outcomes: list[tuple[Try, Outcome]], tools: Iterable[str]) -> None:
    """Every tool was tried in the three ways; good and odd calls work, bad ones are refused in words."""
    rows = table(outcomes)
    assert sorted(row["tool"] for row in rows) == sorted(tools)
    assert all(row.keys() == {"tool", "good", "odd", "bad"} for row in rows)
    wrong = [(tried, came) for tried, came in outcomes if came.refused != (tried.kind == "bad") or len(came.said) < 10]
    assert not wrong
