"""hippo recall and hippo search."""

from __future__ import annotations

import pytest

from tests.cli.commands import hippo


def test_what_a_cue_brings_to_mind_comes_first(filled):
    ran = hippo("recall", "where", "does", "Anna", "live?", "--peek", "--json", folder=filled)
    assert ran.json["results"][0]["text"] == "My sister Anna lives in Graz."
    assert ran.json["results"][0]["why"]["kind"] == "seed"
    assert ran.json["results"][0]["created_at"].endswith("Z")


def test_people_see_the_text_the_id_and_why(filled):
    lines = hippo("recall", "spare key", "--peek", "-k", "1", folder=filled).out.splitlines()
    assert lines[0] == "1. The spare key hangs behind the barn door."
    assert "#house" in lines[1]
    assert "seed" in lines[1]


@pytest.mark.parametrize(("options", "texts"), [
    (("--entity", "Anna"), {"My sister Anna lives in Graz."}),
    (("--type", "person"), {"My sister Anna lives in Graz."}),
    (("--kind", "fact"), {"The spare key hangs behind the barn door."}),
    (("--scope", "home"), {"The spare key hangs behind the barn door."}),
    (("--scope", "home", "--scope", "none"), {"The spare key hangs behind the barn door."}),
    (("--tag", "family", "--tag", "people", "--all-tags"), {"My sister Anna lives in Graz."}),
    (("--tag", "family", "--tag", "house", "--all-tags"), set()),
    (("--tag", "family,house"), {"My sister Anna lives in Graz.", "The spare key hangs behind the barn door."}),
    (("--until", "2026-01-02"), {"Discount of 50%_off ends on Friday."}),
    (("--since", "2026-01-02T10:00Z", "--until", "2026-01-02 11:00+0100"), {"Discount of 50%_off ends on Friday."}),
    (("--agent", "french"), {"Il fait très beau, 東京 ☕"}),
    (("--agent", "nobody"), set()),
])
def test_without_a_cue_it_lists_what_the_filters_let_through(filled, options, texts):
    ran = hippo("recall", "--json", "--peek", *options, folder=filled)
    assert {row["text"] for row in ran.json["results"]} == texts


def test_a_time_that_is_none_is_an_error_and_not_an_empty_list(filled):
    ran = hippo("recall", "--since", "2026-02-30", folder=filled)
    assert (ran.code, ran.out) == (64, "")
    assert "is not an instant" in ran.err


def test_nothing_close_is_said_in_words(filled):
    ran = hippo("recall", "quantum", "chromodynamics", "--peek", folder=filled)
    assert ran.code == 0
    assert ran.err.strip()


@pytest.mark.parametrize(("text", "found"), [
    ("50%_off", 1), ("%", 1), ("_", 1), ("*", 0), ("BARN DOOR", 1), ("door barn", 0), ("\\", 0)])
def test_search_takes_every_character_as_itself(filled, text, found):
    assert len(hippo("search", text, "--json", folder=filled).json["memories"]) == found


def test_search_finds_one_character_of_any_script(filled):
    assert len(hippo("search", "京", "--agent", "french", "--json", folder=filled).json["memories"]) == 1
    assert hippo("search", "京", folder=filled).err == "There is no such memory.\n"


def test_recall_strengthens_and_peek_does_not(served):
    folder, _ = served
    id = hippo("remember", "The ladder leans on the shed.", "--agent", "dynamics", folder=folder).out.split()[0]

    def count() -> int:
        return int(hippo("inspect", id, "--agent", "dynamics", "--json", folder=folder).json["access_count"])

    before = count()
    hippo("recall", "ladder", "--agent", "dynamics", "--peek", folder=folder)
    assert count() == before
    hippo("recall", "ladder", "--agent", "dynamics", folder=folder)
    assert count() == before + 1


@pytest.mark.parametrize("format", ["full", "compact", "wire", "index"])
def test_every_format_can_be_shown(filled, format):
    ran = hippo("recall", "Anna", "--peek", "--format", format, folder=filled)
    assert ran.code == 0, ran.err
