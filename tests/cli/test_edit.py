"""hippo update, hippo merge, hippo merge-entities and hippo relate."""

from __future__ import annotations

from typing import Any

import pytest

from hippo.errors import MemoryNotFound
from tests.cli.commands import hippo


def remembered(folder, text: str, *options: str) -> str:
    ran = hippo("remember", text, *options, "--json", folder=folder)
    assert ran.code == 0, ran.err
    return str(ran.json["id"])


def inspected(folder, id: str, *options: str) -> dict[str, Any]:
    return dict(hippo("inspect", id, "--json", *options, folder=folder).json)


def test_update_changes_what_is_given_and_keeps_the_id(served):
    folder, _ = served
    id = remembered(folder, "Anna lives in Graz.", "--agent", "edit", "--tag", "people", "--scope", "home", "--entity", "Anna")
    ran = hippo("update", id, "Anna", "lives in", "Linz.", "--agent", "edit", folder=folder)
    assert (ran.code, ran.out) == (0, f"{id}  updated  Anna lives in Linz.\n")
    found = inspected(folder, id, "--agent", "edit")
    assert (found["text"], found["tags"], found["scope"], found["entity"]) == ("Anna lives in Linz.", ["people"], "home", "Anna")


def test_every_field_arrives_and_the_text_stays(served):
    folder, _ = served
    id = remembered(folder, "Ben plays chess.", "--agent", "fields", "--tag", "a", "--entity", "Bn")
    assert hippo("update", id, "--agent", "fields", "--scope", "club", "--salience", "0.8", "--kind", "fact", "--retention",
                 "critical", "--entity", "Ben", "--entity-type", "person", "--tag", "b, c", "--protected", folder=folder).code == 0
    found = inspected(folder, id, "--agent", "fields")
    expected = {"text": "Ben plays chess.", "scope": "club", "salience": 0.8, "kind": "fact", "retention": "critical",
                "entity": "Ben", "entity_type": "person", "tags": ["b", "c"], "protected": True}
    assert {name: found[name] for name in expected} == expected
    assert hippo("update", id, "--agent", "fields", "--no-tags", "--unprotected", "--scope", "", folder=folder).code == 0
    found = inspected(folder, id, "--agent", "fields")
    assert (found["tags"], found["protected"], found["scope"], found["salience"]) == ([], False, "", 0.8)


def test_a_text_can_be_piped_in_and_said_twice_changes_nothing(served):
    folder, _ = served
    id = remembered(folder, "one line", "--agent", "piped")
    text = "two\nlines ☕ \x1b[2J"
    ran = hippo("update", id, "-", "--agent", "piped", folder=folder, stdin=text + "\n")
    assert ran.out == f"{id}  updated  two lines ☕ \\x1b[2J\n"
    assert inspected(folder, id, "--agent", "piped")["text"] == text
    assert hippo("update", id, "-", "--agent", "piped", "--json", folder=folder, stdin=text).json["action"] == "unchanged"


@pytest.mark.parametrize(("words", "code"), [
    ((), 64), (("",), 64), (("--tag", "a", "--no-tags"), 64), (("--salience", "2"), 64), (("--kind", "x" * 99), 64)])
def test_what_changes_nothing_or_does_not_fit_is_refused(served, words, code):
    folder, _ = served
    id = remembered(folder, "The kettle is blue.", "--agent", "refused")
    ran = hippo("update", id, *words, "--agent", "refused", folder=folder)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert inspected(folder, id, "--agent", "refused")["text"] == "The kettle is blue."


def test_what_is_not_there_cannot_be_corrected(served):
    folder, _ = served
    id = remembered(folder, "Only of one agent.", "--agent", "one")
    for words in (("00000000", "x"), (id, "x", "--agent", "other")):
        assert hippo("update", *words, folder=folder).code == MemoryNotFound.exit_code


def test_merge_puts_one_in_place_of_several(served):
    folder, _ = served
    ids = [remembered(folder, text, "--agent", "merge") for text in ("The key hangs at the door.", "Ben fed the cat at noon.")]
    ran = hippo("merge", *ids, "--text", "The key hangs at the door, and Ben fed the cat.", "--agent", "merge", folder=folder)
    assert ran.code == 0, ran.err
    made, _, rest = ran.out.partition("  in place of ")
    assert rest == f"{ids[0]}, {ids[1]}\n"
    listed = hippo("memories", "--agent", "merge", "--json", folder=folder).json["memories"]
    assert [row["id"] for row in listed] == [made]
    assert inspected(folder, ids[0], "--agent", "merge")["superseded_by"] == made


def test_one_memory_cannot_be_merged(served):
    folder, _ = served
    id = remembered(folder, "Alone.", "--agent", "alone")
    for ids in ((id,), (id, id)):
        assert hippo("merge", *ids, "--text", "x", "--agent", "alone", folder=folder).code == 64
    assert hippo("merge", "--text", "x", folder=folder).code == 64


def test_entities_become_one(served):
    folder, _ = served
    remembered(folder, "Bob likes tea.", "--entity", "Bob", "--agent", "names")
    remembered(folder, "Robert lives in Graz.", "--entity", "Robert", "--agent", "names")
    ran = hippo("merge-entities", "Bob", "--into", "Robert", "--agent", "names", folder=folder)
    assert (ran.code, ran.out) == (0, "Robert: 1 moved, 2 memories\n")
    assert hippo("merge-entities", "nobody", "--into", "Robert", "--agent", "names", folder=folder).code == 64


def test_a_relation_is_stated_once_and_taken_back(served):
    folder, _ = served
    for name in ("Ann", "Ben"):
        remembered(folder, f"{name} came by.", "--entity", name, "--agent", "related")
    words = ("relate", "Ann", "sister_of", "Ben", "--agent", "related")
    assert hippo(*words, folder=folder).out == "related: Ann sister_of Ben\n"
    assert hippo(*words, "--json", folder=folder).json["action"] == "unchanged"
    assert hippo(*words, "--remove", folder=folder).out == "removed: Ann sister_of Ben\n"
