"""hippo remember."""

from __future__ import annotations

import json

import pytest

from hippo import limits
from hippo.cli.remember import _batches
from hippo.model.verb import Remember
from tests.cli.commands import hippo


def text_of(folder, id: str, *options: str) -> str:
    ran = hippo("inspect", id, "--json", "--max-chars", "60000", *options, folder=folder)
    assert ran.code == 0, ran.err
    return str(ran.json["text"])


def test_several_words_are_one_text_and_the_id_comes_back(tmp_path):
    ran = hippo("remember", "the", "blue", "door", folder=tmp_path)
    id, action = ran.out.split()
    assert (ran.code, action, len(id)) == (0, "stored", 8)
    assert text_of(tmp_path, id) == "the blue door"


def test_every_field_arrives(served):
    folder, _ = served
    ran = hippo("remember", "Anna moved to Graz", "--scope", "home", "--salience", "0.8", "--kind", "fact",
                "--retention", "reference", "--entity", "Anna", "--entity-type", "person", "--tag", "a, b", "--tag", "c",
                "--source", "letter", "--conversation", "c7", "--created-at", "2026-01-02 03:04:05+0100", "--key", "k7",
                "--protected", "--agent", "fields", "--json", folder=folder)
    found = hippo("inspect", ran.json["id"], "--agent", "fields", "--json", folder=folder).json
    expected = {"scope": "home", "salience": 0.8, "kind": "fact", "retention": "reference", "entity": "Anna",
                "entity_type": "person", "source": "letter", "conversation": "c7", "key": "k7", "protected": True,
                "created_at": "2026-01-02T02:04:05.000Z", "agent_id": "fields"}
    assert {name: found[name] for name in expected} == expected
    assert sorted(found["tags"]) == ["a", "b", "c"]


def test_the_same_key_again_gives_the_first_answer(served):
    folder, _ = served
    first = hippo("remember", "once", "--key", "only-once", "--json", folder=folder).json
    assert hippo("remember", "twice", "--key", "only-once", "--json", folder=folder).json["id"] == first["id"]


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_piped_text_is_kept_but_for_the_line_end_that_closes_it(served, arguments):
    folder, _ = served
    ran = hippo("remember", *arguments, "--json", folder=folder, stdin="  two\r\nlines \t☕\n\n")
    assert text_of(folder, ran.json["id"]) == "  two\r\nlines \t☕\n"


@pytest.mark.parametrize("text", ["e\u0301 and é", "\x00\x07\x1b[2J", "100%_\\*", "日本語", "👨‍👩‍👧", "-- --json"])
def test_what_was_given_comes_back(served, text):
    folder, _ = served
    ran = hippo("remember", "--json", folder=folder, stdin=text)
    assert text_of(folder, ran.json["id"]) == text


def test_bytes_that_are_no_text_are_replaced_and_it_says_so(served):
    folder, _ = served
    ran = hippo("remember", folder=folder, stdin=b"caf\xe9 noir")
    assert text_of(folder, ran.out.split()[0]) == "caf\ufffd noir"
    assert "U+FFFD" in ran.err


def test_each_line_is_a_memory_and_empty_ones_are_passed_over(served):
    folder, _ = served
    ran = hippo("remember", "--lines", "--agent", "lines", "--tag", "log", folder=folder, stdin="one\n\n two \r\n   \nthree")
    assert (ran.code, ran.out) == (0, "3 of 3 remembered\n")
    page = hippo("memories", "--agent", "lines", "--json", folder=folder).json
    assert [(row["text"], row["tags"]) for row in page["memories"]] == [
        ("three", ["log"]), (" two ", ["log"]), ("one", ["log"])]


def test_a_line_that_is_refused_does_not_keep_the_others_back(served):
    folder, _ = served
    lines = f"good\n{'x' * (limits.text_characters_max + 1)}\nalso good\n"
    ran = hippo("remember", "--lines", "--agent", "mixed", "--json", folder=folder, stdin=lines)
    assert ran.code == 64
    assert [("error" in row) for row in ran.json["results"]] == [False, True, False]
    assert ran.json["results"][1]["error"]["code"] == "text_too_long"
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(("arguments", "stdin", "code"), [
    (("a", "--salience", "1.5"), b"", 64),
    (("a", "--retention", "forever"), b"", 64),
    (("a", "--created-at", "2026-02-30"), b"", 64),
    (("--lines", "--key", "k"), b"a\nb\n", 64),
    (("text", "--lines"), b"a\n", 64),
    ((), b"", 64),
    ((), b"   \n", 64),
])
def test_what_cannot_be_remembered_is_an_error_in_a_line(served, arguments, stdin, code):
    ran = hippo("remember", *arguments, folder=served[0], stdin=stdin)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err


def test_a_text_at_the_limit_fits_and_one_over_it_names_the_limit(served):
    folder, _ = served
    fits = "ß" * limits.text_characters_max
    assert text_of(folder, hippo("remember", folder=folder, stdin=fits).out.split()[0]) == fits
    refused = hippo("remember", folder=folder, stdin=fits + "x")
    assert refused.code == 64
    assert str(limits.text_characters_max) in refused.err


def test_batches_hold_every_row_in_order_and_each_fits_into_a_request():
    rows = ["☕" * (limits.text_characters_max if number % 7 == 0 else 5) for number in range(500)]
    batches = list(_batches(rows, {"tags": ["t"]}))
    assert [row.text for batch in batches for row in batch] == rows
    assert all(isinstance(row, Remember) and row.tags == ["t"] for batch in batches for row in batch)
    for batch in batches:
        assert len(json.dumps({"memories": [{"text": row.text, "tags": ["t"]} for row in batch]})) < limits.body_bytes_max
    assert max(map(len, batches)) > 1
