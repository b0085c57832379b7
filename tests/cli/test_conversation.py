"""hippo log and hippo conversation."""

from __future__ import annotations

import json

import pytest

from hippo import limits
from hippo.cli.conversation import _batches
from hippo.model.knowledge_verb import Message
from tests.cli.commands import hippo


def lines(*messages: dict[str, object]) -> str:
    return "\n".join(json.dumps(message) for message in messages)


def test_a_message_is_kept_and_found_by_its_words(served):
    folder, _ = served
    ran = hippo("log", "Where", "is the ladder?", "--conversation", "c1", "--created-at", "2026-01-02 10:00", "--agent", "log",
                folder=folder)
    assert (ran.code, ran.out) == (0, "1 logged\n")
    assert hippo("log", "--role", "assistant", "--conversation", "c1", "--created-at", "2026-01-02 10:01", "--agent", "log",
                 folder=folder, stdin="It leans\non the shed. \x1b[2J\n").code == 0
    found = hippo("conversation", "shed", "--agent", "log", "--json", folder=folder).json["messages"]
    assert [(row["role"], row["text"], row["conversation"]) for row in found] == [("assistant", "It leans\non the shed. \x1b[2J", "c1")]
    shown = hippo("conversation", "shed", "--agent", "log", folder=folder).out
    assert shown == "2026-01-02 10:01  assistant  c1\n   It leans\n   on the shed. \\x1b[2J\n"


def test_filters_hold_and_without_a_query_it_lists(served):
    folder, _ = served
    for number, role in enumerate(("user", "assistant", "user")):
        assert hippo("log", f"sentence {number}", "--role", role, "--conversation", f"c{number}", "--created-at",
                     f"2026-03-0{number + 1}", "--agent", "filters", folder=folder).code == 0

    def texts(*options: str) -> list[str]:
        ran = hippo("conversation", *options, "--agent", "filters", "--json", folder=folder)
        return sorted(row["text"] for row in ran.json["messages"])

    assert texts() == ["sentence 0", "sentence 1", "sentence 2"]
    assert texts("sentence", "--role", "assistant") == ["sentence 1"]
    assert texts("--conversation", "c2") == ["sentence 2"]
    assert texts("--since", "2026-03-02") == ["sentence 1", "sentence 2"]
    assert texts("--until", "2026-03-01") == ["sentence 0"]
    assert len(texts("-k", "2")) == 2


def test_lines_are_logged_once_however_often_they_come(served):
    folder, _ = served
    told = lines({"role": "user", "text": "Good morning \ud83d", "created_at": "2026-01-02T03:04:05Z"}, {},
                 {"role": "assistant", "text": "Hello ☕", "conversation": "own", "created_at": 1767323045000}).replace("{}", "")
    words = ("log", "--lines", "--conversation", "c9", "--agent", "lines", "--json")
    first = hippo(*words, folder=folder, stdin=told)
    assert first.code == 0, first.err
    assert (first.json["logged"], first.json["known"]) == (2, 0)
    again = hippo(*words, folder=folder, stdin=told).json
    assert (again["logged"], again["known"]) == (0, 2)
    rows = hippo("conversation", "--agent", "lines", "--json", folder=folder).json["messages"]
    assert sorted((row["text"], row["conversation"]) for row in rows) == [("Good morning \ufffd", "c9"), ("Hello ☕", "own")]


@pytest.mark.parametrize("line", ["no json", "[]", '{"role": "user"}', '{"text": "x"}', '{"role": 1, "text": "x"}',
                                  '{"role": "user", "text": "x", "when": 1}', "[" * 100_000])
def test_a_line_that_is_no_message_is_named_and_nothing_is_logged(served, line):
    folder, _ = served
    ran = hippo("log", "--lines", "--agent", "broken", folder=folder, stdin=lines({"role": "user", "text": "fine"}) + "\n\n" + line)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith("error: Line 3 is no message: ")
    assert "Traceback" not in ran.err
    assert hippo("conversation", "--agent", "broken", "--json", folder=folder).json["messages"] == []


@pytest.mark.parametrize("words", [("text", "--lines"), ("--lines", "--role", "user"), ("--lines", "--created-at", "2026-01-01")])
def test_what_each_line_says_is_not_said_beside_it(served, words):
    assert hippo("log", *words, folder=served[0], stdin=lines({"role": "user", "text": "x"})).code == 64


def test_no_lines_are_no_error(served):
    ran = hippo("log", "--lines", folder=served[0], stdin="\n\n")
    assert (ran.code, ran.out) == (0, "0 logged\n")


def test_batches_hold_every_message_in_order_and_each_fits_into_a_request():
    messages = [Message(role="user", text="☕" * (40_000 if number % 7 == 0 else 5)) for number in range(300)]
    batches = list(_batches("a", "c", messages))
    assert [message for batch in batches for message in batch.messages] == messages
    assert all((batch.agent_id, batch.conversation) == ("a", "c") for batch in batches)
    for batch in batches:
        assert len(json.dumps([message.text for message in batch.messages])) < limits.body_bytes_max
    assert max(len(batch.messages) for batch in batches) > 1
