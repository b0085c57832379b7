"""hippo blocks and hippo block."""

from __future__ import annotations

import pytest

from hippo.errors import NobodyToAsk
from tests.cli.commands import hippo


def test_a_block_is_made_grown_changed_and_shown(served):
    folder, _ = served
    words = ("block", "persona", "--agent", "blocks")
    made = hippo(*words, "--append", "Likes tea.", folder=folder)
    assert (made.code, made.out.split(",")[0]) == (0, "persona  made")
    assert hippo(*words, "--append", "-", folder=folder, stdin="Speaks 日本語 \x1b[2J\n").code == 0
    assert hippo(*words, folder=folder).out == "Likes tea.\nSpeaks 日本語 \\x1b[2J\n"
    changed = hippo(*words, "--replace", "tea", "coffee", "--json", folder=folder).json
    assert (changed["text"], changed["characters"]) == ("Likes coffee.\nSpeaks 日本語 \x1b[2J", 29)
    assert hippo(*words, "--replace", "Likes coffee.\n", "", folder=folder).code == 0
    assert hippo(*words, "--json", folder=folder).json["blocks"][0]["text"] == "Speaks 日本語 \x1b[2J"


def test_blocks_are_listed_with_their_size_and_limit(served):
    folder, _ = served
    for key, text in (("persona", "calm"), ("goals", "one\ntwo")):
        assert hippo("block", key, "--append", text, "--agent", "listed", folder=folder).code == 0
    head, *rows = hippo("blocks", "--agent", "listed", folder=folder).out.splitlines()
    assert head.split() == ["block", "characters", "limit", "text"]
    assert sorted((row.split()[0], row.split()[1], row.split()[3]) for row in rows) == [("goals", "7", "one"), ("persona", "4", "calm")]
    assert len(hippo("blocks", "--agent", "listed", "--json", folder=folder).json["blocks"]) == 2


def test_where_there_are_none_it_says_so(served):
    ran = hippo("blocks", "--agent", "without", folder=served[0])
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.strip()


def test_a_block_is_erased_with_a_yes_only(served):
    folder, _ = served
    words = ("block", "gone", "--agent", "erased")
    assert hippo(*words, "--append", "Something.", folder=folder).code == 0
    refused = hippo(*words, "--delete", folder=folder)
    assert (refused.code, refused.out) == (NobodyToAsk.exit_code, "")
    assert "gone: Something.\n" in refused.err
    assert hippo(*words, folder=folder).out == "Something.\n"
    assert hippo(*words, "--delete", "--yes", folder=folder).code == 0
    assert hippo(*words, folder=folder).code != 0


@pytest.mark.parametrize("words", [
    ("none",), ("none", "--replace", "a", "b"), ("none", "--delete", "--yes"), ("  ",), ("", "--append", "x"),
    ("k", "--append", ""), ("k", "--append", "a", "--delete"), ("k", "--replace", "a")])
def test_what_cannot_be_done_is_an_error_in_a_line(served, words):
    ran = hippo("block", *words, "--agent", "wrong", folder=served[0])
    assert ran.code != 0
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err


def test_a_key_may_hold_any_character(served):
    folder, _ = served
    for key in ("a/b", "größe ☕", "50%", "?x=1&y#z", ".."):
        assert hippo("block", key, "--append", f"of {key}", "--agent", "keys", folder=folder).code == 0
        assert hippo("block", key, "--agent", "keys", folder=folder).out == f"of {key}\n"
