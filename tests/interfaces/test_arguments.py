"""Clients are read leniently, in one place; what is wrong names the argument."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo.errors import InvalidArgument, UnknownArgument
from hippo.interfaces.arguments import MENDED_NOTE, decode_body, mend, noted, read_arguments
from hippo.model.stored import Stored
from hippo.model.verb import Events, GraphView, Inspect, ListMemories, MemoryStats, Recall, Remember, Sleep, TimeSkip

VERBS = [Remember, Recall, Sleep, MemoryStats, Inspect, ListMemories, GraphView, TimeSkip, Events]
NAMES = ["text", "cue", "k", "tags", "scope", "since", "peek", "days", "depth", "limit", "Id", "x"]
ANYTHING = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner))


@pytest.mark.parametrize(("sent", "means"), [
    ({"cue": "x", "agentId": "a"}, {"agent_id": "a"}),
    ({"cue": "x", "tags-match": "all"}, {"tags_match": "all"}),
    ({"cue": "x", "includeArchived": True}, {"include_archived": True}),
    ({"cue": "x", "agent_id": None, "k": None}, {"agent_id": None, "k": 5}),
    ({"cue": "x", "tags": '["a","b"]'}, {"tags": ["a", "b"]}),
    ({"cue": "x", "tags": "a, b ,"}, {"tags": ["a", "b"]}),
    ({"cue": "x", "tags": "a"}, {"tags": ["a"]}),
    ({"cue": "x", "tags": ["a", 7]}, {"tags": ["a", "7"]}),
    ({"cue": "x", "scope": "one, with a comma"}, {"scope": ["one, with a comma"]}),
    ({"cue": "x", "scope": ""}, {"scope": [""]}),
    ({"cue": "x", "k": "7"}, {"k": 7}),
    ({"cue": "x", "k": 7.0}, {"k": 7}),
    ({"cue": "x", "peek": "true"}, {"peek": True}),
    ({"cue": "x", "peek": 0}, {"peek": False}),
    ({"cue": 42}, {"cue": "42"}),
    ({"cue": "x", "format": "WIRE "}, {"format": "wire"}),
    ({"cue": "x", "since": "2026-01-02"}, {"since": "2026-01-02"}),
    ({"cue": "x", "since": 1767225600000}, {"since": 1767225600000}),
    ({"cue": "x", "since": "1767225600000"}, {"since": 1767225600000}),
])
def test_what_clients_send_is_understood(sent: dict[str, Any], means: dict[str, Any]) -> None:
    read = read_arguments(Recall, sent, "recall")
    assert {name: getattr(read, name) for name in means} == means


def test_importance_is_another_name_of_salience() -> None:
    assert read_arguments(Remember, {"text": "x", "importance": "0.5"}, "remember").importance == 0.5


def test_no_arguments_at_all_are_fine_where_none_is_needed() -> None:
    assert read_arguments(Sleep, None, "sleep") == Sleep()
    assert read_arguments(MemoryStats, {}, "memory_stats") == MemoryStats()


@pytest.mark.parametrize(("verb", "sent", "said"), [
    (Remember, {}, "remember needs text."),
    (Remember, {"text": None}, "remember needs text."),
    (Recall, {"cue": "x", "k": 51}, "recall: k is at most 50."),
    (Recall, {"cue": "x", "k": 0}, "recall: k is at least 1."),
    (Recall, {"cue": "x", "k": "many"}, "recall: k takes a number, not many."),
    (Recall, {"cue": "x", "k": 2.5}, "recall: k takes a whole number, not 2.5."),
    (Recall, {"cue": "x", "k": True}, "recall: k takes a number, not True."),
    (Recall, {"cue": "x", "tags": {"a": 1}}, "recall: tags takes a list of texts, not {'a': 1}."),
    (Recall, {"cue": "x", "tags": [["a"]]}, "recall: tags takes a list of texts, not [['a']]."),
    (Recall, {"cue": ["x"]}, "recall: cue takes text, not ['x']."),
    (Recall, {"cue": "x", "peek": "perhaps"}, "recall: peek takes true or false, not perhaps."),
    (Recall, {"cue": "x", "since": False}, "recall: since takes a time, not False."),
    (Recall, {"cue": "x", "agent_id": "a", "agentId": "b"}, "recall: agent_id is given twice."),
    (Sleep, {"depth": "deeper"}, "sleep: depth takes light, deep, rem or all, not deeper."),
    (TimeSkip, {"days": "nan"}, "timeskip: days takes a number, not nan."),
    (TimeSkip, {"days": 0}, "timeskip: days is above 0."),
    (Recall, [1], "The arguments of recall are an object, not [1]."),
])
def test_what_is_wrong_is_named(verb: Any, sent: Any, said: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_arguments(verb, sent, verb.__name__.lower())
    assert refused.value.message == said


@pytest.mark.parametrize(("name", "nearest"), [
    ("cuee", "cue"), ("tagMatch", "tags_match"), ("agent", "agent_id"), ("maxCharacters", "max_chars"),
])
def test_an_unknown_argument_suggests_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownArgument) as refused:
        read_arguments(Recall, {name: 1}, "recall")
    assert refused.value.message == f"recall has no argument named {name}."
    assert refused.value.advice.startswith(f"Did you mean {nearest}? It takes: cue, k,")


def test_an_unknown_argument_like_no_other_lists_what_there_is() -> None:
    with pytest.raises(UnknownArgument) as refused:
        read_arguments(Sleep, {"zzzzzz": 1}, "sleep")
    assert refused.value.advice == "It takes: depth."


@settings(max_examples=150, deadline=None)
@given(verb=some.sampled_from(VERBS), sent=some.dictionaries(some.sampled_from(NAMES), ANYTHING))
def test_whatever_comes_is_read_or_refused(verb: Any, sent: dict[str, Any]) -> None:
    with suppress(InvalidArgument):
        assert isinstance(read_arguments(verb, sent, "verb"), verb)


@settings(max_examples=150, deadline=None)
@given(some.text(alphabet=some.characters(codec=None) | some.sampled_from(["\\", '"', "\ud83d", "\ude00", "u", "d"])))
def test_mended_json_holds_whole_characters_and_loses_nothing_else(text: str) -> None:
    pairs_joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    raw = json.dumps(text).encode("utf-8", "surrogatepass"), json.dumps(text, ensure_ascii=False).encode(
        "utf-8", "surrogatepass")
    for body in raw:
        mended, halves = mend(body)
        assert decode_body(mended) == pairs_joined
        assert halves == (pairs_joined.count("\ufffd") > text.count("\ufffd"))


def test_a_memory_whose_text_was_mended_says_so() -> None:
    stored = Stored(id="X")
    assert noted(stored, Remember(text="a \ufffd"), True).note == MENDED_NOTE
    assert noted(stored, Remember(text="whole"), True) is stored
    assert noted(stored, Remember(text="\ufffd was always there"), False) is stored


@pytest.mark.parametrize("body", [
    b"{", b"nonsense", b'{"a": NaN}', b"\xff\xfe", b"[" * 100_000, b"1" * 5000, b'"\\ud83"', b'{"a":1}x',
])
def test_a_body_that_is_not_json_is_refused_in_words(body: bytes) -> None:
    with pytest.raises(InvalidArgument, match="The body is not JSON"):
        decode_body(mend(body)[0])


def test_an_empty_body_means_no_arguments_and_a_byte_order_mark_is_skipped() -> None:
    assert decode_body(b" \n") is None
    assert decode_body(b"\xef\xbb\xbf{}") == {}
