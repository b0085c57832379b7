"""hippo facts."""

from __future__ import annotations

from typing import Any

from hippo.cli.program import run
from hippo.model.knowledge_verb import RememberFacts
from tests.cli.commands import hippo
from tests.cli.scripted import answering


def facts(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"facts": [{"action": "stored", **row} for row in rows], "texts": [row["id"] + " says" for row in rows],
            "by": "rules", "note": None, "alert": None, **more}


def test_every_field_arrives(monkeypatch, capsys):
    brain = answering(monkeypatch, remember_facts=facts({"id": "1"}))
    assert run(["facts", "Anna", "moved.", "--scope", "s", "--entity", "Anna", "--tag", "a, b", "--source", "letter",
                "--conversation", "c", "--created-at", "2026-01-02", "--agent", "me"]) == 0
    assert brain.asked == [("remember_facts", RememberFacts(
        text="Anna moved.", scope="s", entity="Anna", tags=["a", "b"], source="letter", conversation="c",
        created_at="2026-01-02", agent_id="me"))]
    assert capsys.readouterr().out == "1  stored  1 says\n"


def test_what_a_fact_outdates_and_what_is_to_be_said_go_to_stderr(monkeypatch, capsys):
    answering(monkeypatch, remember_facts=facts({"id": "2", "action": "superseded", "replaced": ["1"]}, note="by rules"))
    assert run(["facts", "Anna lives in Linz."]) == 0
    assert capsys.readouterr() == ("2  superseded  2 says\n", "2 is in place of 1.\nby rules\n")
    answering(monkeypatch, remember_facts=facts())
    assert run(["facts", "Hm."]) == 0
    assert capsys.readouterr() == ("", "No fact was found in it.\n")


def test_each_sentence_is_remembered(tmp_path):
    ran = hippo("facts", "-", "--json", folder=tmp_path, stdin="Anna lives in Graz. Ben plays the cello.\n")
    assert ran.code == 0, ran.err
    assert len(ran.json["facts"]) == len(ran.json["texts"]) == 2
    assert len(hippo("memories", "--json", folder=tmp_path).json["memories"]) == 2


def test_no_text_is_an_error_and_makes_no_store(tmp_path):
    for words in (("facts",), ("facts", "")):
        ran = hippo(*words, folder=tmp_path / "none")
        assert (ran.code, ran.out) == (64, "")
    assert hippo("facts", folder=tmp_path / "none", stdin="").code == 64
    assert not (tmp_path / "none").exists()
