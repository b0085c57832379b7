"""hippo consolidate."""

from __future__ import annotations

import pytest

from hippo.cli.program import run
from hippo.model.knowledge_verb import Consolidate
from tests.cli.commands import hippo
from tests.cli.scripted import answering


def proposals(*rows: object, **more: object) -> dict[str, object]:
    return {"mode": "clusters", "looked_at": 7, "proposals": list(rows), "left_out": 0, "excluded_append_only": 0,
            "information_rank": None, "redundancy_ratio": None, "note": None, "alert": None, **more}


def test_people_see_what_could_be_done_with_which_memories_and_why(monkeypatch, capsys):
    memory = {"id": "00000001", "text": "red \x1b[31m ladder", "created_at": "2026-01-02T10:00:00.000Z", "kind": "fact"}
    brain = answering(monkeypatch, consolidate=proposals(
        {"action": "merge", "memories": [memory, {**memory, "id": "00000002"}], "similarity": 0.91, "why": "they say the same"},
        {"action": "merge_entities", "entities": ["Bob", "Robert"], "why": "alike"}, left_out=3, excluded_append_only=2))
    assert run(["consolidate", "--mode", "clusters", "--limit", "2", "--age-days", "5", "--include-append-only", "--agent", "a"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "1. merge  they say the same  similarity 0.91"
    assert "   00000002  " in said.out
    assert "red \\x1b[31m ladder" in said.out
    assert said.out.splitlines()[3] == "2. merge_entities  alike  Bob  Robert"
    assert said.err == ("There are 3 more; --limit shows more at once.\n"
                        "2 memories of logs were left out; --include-append-only takes them in.\n")
    assert brain.asked == [("consolidate", Consolidate(
        mode="clusters", limit=2, age_days=5.0, include_append_only=True, agent_id="a"))]


def test_nothing_to_propose_is_said(monkeypatch, capsys):
    answering(monkeypatch, consolidate=proposals())
    assert run(["consolidate"]) == 0
    assert capsys.readouterr() == ("", "Nothing to propose: 7 memories were looked at.\n")


@pytest.mark.parametrize("mode", ["clusters", "entities", "contradictions", "sleep"])
def test_every_mode_looks_and_changes_nothing(filled, mode):
    before = hippo("memories", "--json", folder=filled).json
    ran = hippo("consolidate", "--mode", mode, "--json", folder=filled)
    assert (ran.code, ran.json["mode"]) == (0, mode), ran.err
    assert hippo("memories", "--json", folder=filled).json == before
