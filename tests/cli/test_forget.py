"""hippo forget and hippo purge."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import subprocess
import sys
import termios
from functools import partial
from typing import Any

import pytest

from hippo.cli.program import run
from hippo.errors import MemoryNotFound, NobodyToAsk, NotConfirmed, StoreMissing
from hippo.model.knowledge_verb import Forget, Purge
from tests.cli.commands import environment, hippo
from tests.cli.scripted import ScriptedBrain, answering, at_a_terminal


def row(number: int, text: str = "The ladder leans on the shed.") -> dict[str, Any]:
    return {"id": f"0000000{number}", "text": text, "created_at": "2026-01-02T10:00:00.000Z", "kind": "fact"}


def forgot(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"dry_run": True, "memories": list(rows), "restored": [], "quoted_in": [], "entity": None,
            "version_hash": None, "note": None, "alert": None, **more}


def erased(brain: ScriptedBrain) -> list[Any]:
    """The requests that were not dry."""
    return [request for _, request in brain.asked if request.dry_run is False]


def test_what_would_go_is_shown_and_a_yes_erases_it(monkeypatch, capsys):
    brain = answering(monkeypatch, forget=forgot(row(1), quoted_in=["block persona", "message 7 (forgotten as well)"]))
    shown = at_a_terminal(monkeypatch, "y\n")
    assert run(["forget", "00000001"]) == 0
    assert "00000001  " in shown.getvalue()
    assert ("The ladder leans on the shed.\nQuoted in block persona, which stays as it is.\n"
            "Quoted in message 7 (forgotten as well).\n") in shown.getvalue()
    assert "Forget this memory for good? [y/N] " in shown.getvalue()
    assert brain.asked == [("forget", Forget(id="00000001", dry_run=True)),
                           ("forget", Forget(id="00000001", dry_run=False))]
    assert capsys.readouterr().out == "1 memory forgotten\n"


@pytest.mark.parametrize("command", [
    ("forget", "00000001"), ("forget", "--entity", "Anna"), ("forget", "--entity", "Anna", "--text", "x"),
    ("forget", "--about", "ladders"), ("purge",), ("purge", "--before", "7d")])
def test_nothing_goes_without_a_yes(monkeypatch, capsys, command):
    brain = answering(monkeypatch, forget=forgot(row(1), row(2)), purge=forgot(row(1), row(2)))
    shown = at_a_terminal(monkeypatch, "\n")
    assert run(list(command)) == NotConfirmed.exit_code
    assert "00000002  " in shown.getvalue()
    assert capsys.readouterr().out == ""
    assert run([*command, "--json"]) == NotConfirmed.exit_code
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not_confirmed"
    assert len(brain.asked) == 2
    assert erased(brain) == []


@pytest.mark.parametrize("command", [("forget", "00000001"), ("forget", "--about", "ladders"), ("purge",)])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_where_nobody_can_be_asked_it_is_refused(monkeypatch, capsys, command, options):
    brain = answering(monkeypatch, forget=forgot(row(1)), purge=forgot(row(1)))
    assert run([*command, *options]) == NobodyToAsk.exit_code
    assert "There is no terminal to ask on" in capsys.readouterr().err
    assert erased(brain) == []


def test_yes_answers_beforehand_and_json_is_the_answer(monkeypatch, capsys):
    brain = answering(monkeypatch, forget=lambda request: forgot(row(1), dry_run=request.dry_run))
    assert run(["forget", "--entity", "Anna", "--text", "x", "--agent", "a", "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dry_run"] is False
    assert erased(brain) == [Forget(entity="Anna", text="x", agent_id="a", dry_run=False)]


def test_what_a_description_means_is_forgotten_by_the_ids_that_were_shown(monkeypatch, capsys):
    def answer(request: Forget) -> dict[str, Any]:
        if request.description is not None:
            return forgot(row(1), row(2), row(3), note="Nothing was forgotten yet: ask again with dry_run false")
        number = int(str(request.id))
        return forgot(row(number), dry_run=False, restored=["00000002", "00000009"] if number == 1 else [],
                      quoted_in=["memory 00000003", "block persona"])

    brain = answering(monkeypatch, forget=answer)
    assert run(["forget", "--about", "ladders", "--yes", "--json"]) == 0
    assert erased(brain) == [Forget(id=f"0000000{number}", dry_run=False) for number in (1, 2, 3)]
    told = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in told["memories"]] == ["00000001", "00000002", "00000003"]
    assert (told["restored"], told["quoted_in"]) == (["00000009"], ["block persona"])


def test_an_error_on_the_way_says_how_much_is_gone(monkeypatch, capsys):
    def answer(request: Forget) -> Any:
        if request.id == "00000002":
            return MemoryNotFound(id="00000002", agent_id="default")
        return forgot(row(1), row(2), row(3), dry_run=request.dry_run)

    answering(monkeypatch, forget=answer)
    assert run(["forget", "--about", "ladders", "--yes"]) == MemoryNotFound.exit_code
    assert "The first 1 of 3 were forgotten before this:\nerror: There is no memory 00000002" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["forget", "purge"])
def test_a_dry_run_shows_and_asks_nothing(monkeypatch, capsys, command):
    brain = answering(monkeypatch, forget=forgot(row(1), row(2), left_out=40), purge=forgot(row(1), row(2), left_out=40))
    words = ("--entity", "Anna") if command == "forget" else ()
    assert run([command, *words, "--dry-run"]) == 0
    said = capsys.readouterr()
    assert said.out == "42 memories would be forgotten\n"
    assert said.err.endswith("… and 40 more\n")
    assert erased(brain) == []


def test_the_question_counts_what_is_not_shown_too(monkeypatch):
    answering(monkeypatch, purge=forgot(row(1), row(2), left_out=40))
    shown = at_a_terminal(monkeypatch, "n\n")
    run(["purge"])
    assert "Purge these 42 memories for good? [y/N] " in shown.getvalue()


def test_where_there_is_nothing_to_forget_nobody_is_asked(monkeypatch, capsys):
    brain = answering(monkeypatch, purge=forgot(), forget=forgot(note="Nothing is that similar to the description."))
    assert run(["purge"]) == 0
    assert capsys.readouterr() == ("", "There is nothing to forget.\n")
    assert run(["forget", "--about", "ladders", "--yes"]) == 0
    assert capsys.readouterr() == ("", "Nothing is that similar to the description.\n")
    assert brain.asked[0] == ("purge", Purge())
    assert erased(brain) == []


def test_what_is_shown_cannot_steer_the_terminal(monkeypatch):
    answering(monkeypatch, forget=forgot(row(1, "red \x1b[31m \u202e\nsecond ☕ " + "x" * 500)))
    shown = at_a_terminal(monkeypatch, "n\n")
    run(["forget", "00000001"])
    told = shown.getvalue().replace("\x1b[2m", "").replace("\x1b[0m", "").replace("\r\x1b[K", "")
    assert "red \\x1b[31m \\u202e second ☕ xxx" in told.splitlines()[0]
    assert len(told.splitlines()[0]) < 130


# -- on a real store ----------------------------------------------------------------------------------------------------


def test_forget_takes_exactly_one_way_to_say_what(filled):
    for words in ((), ("--text", "x"), ("00000000", "--entity", "Anna"), ("--entity", "Anna", "--about", "x")):
        ran = hippo("forget", *words, "--yes", folder=filled)
        assert (ran.code, ran.out) == (64, "")
        assert "exactly one" in ran.err


def test_forgetting_makes_no_store(tmp_path):
    for command in (("forget", "00000000", "--yes"), ("purge", "--yes")):
        assert hippo(*command, folder=tmp_path / "none").code == StoreMissing.exit_code
    assert not (tmp_path / "none").exists()


def test_an_entity_goes_with_all_that_is_known_of_it(tmp_path):
    for text in ("Anna lives in Graz.", "Anna plays the cello on Tuesdays."):
        assert hippo("remember", text, "--entity", "Anna", folder=tmp_path).code == 0
    assert hippo("remember", "The ladder leans on the shed.", folder=tmp_path).code == 0
    refused = hippo("forget", "--entity", "Anna", folder=tmp_path)
    assert (refused.code, refused.out) == (NobodyToAsk.exit_code, "")
    assert refused.err.count("Anna ") == 2
    ran = hippo("forget", "--entity", "anna", "--yes", "--json", folder=tmp_path)
    assert ran.code == 0, ran.err
    assert len(ran.json["memories"]) == 2
    left = hippo("memories", "--json", folder=tmp_path).json["memories"]
    assert [one["text"] for one in left] == ["The ladder leans on the shed."]


@pytest.mark.parametrize(("typed", "code", "left"), [(b"y\n", 0, 0), (b"\n", NotConfirmed.exit_code, 1), (b"\x04", NotConfirmed.exit_code, 1),
                                                     (b"\x03", 130, 1)])
def test_on_a_real_terminal_somebody_is_asked(tmp_path, typed, code, left):
    id = hippo("remember", "The kettle ☕ is red \x1b[31m.", folder=tmp_path).out.split()[0]
    here, there = pty.openpty()
    child = subprocess.Popen([sys.executable, "-m", "hippo", "forget", id], stdin=there, stderr=there, stdout=subprocess.PIPE,
                             env=environment(HIPPO_DIR=str(tmp_path)), preexec_fn=partial(_take_terminal, there))
    os.close(there)  # so that reading ends with the child
    try:
        shown = b""
        while b"[y/N] " not in shown:
            assert select.select([here], [], [], 60)[0], shown
            shown += os.read(here, 4096)
        os.write(here, typed)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
        os.close(here)
    assert (child.returncode, out) == (code, b"1 memory forgotten\n" if code == 0 else b"")
    assert "The kettle ☕ is red \\x1b[31m." in shown.decode()
    assert len(hippo("memories", "--json", folder=tmp_path).json["memories"]) == left


def _take_terminal(descriptor: int) -> None:
    """The child's own terminal, so that Ctrl-C reaches it."""
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


def test_a_console_without_the_characters_gets_their_escapes(tmp_path):
    assert hippo("remember", "tea ☕ 日本語", "--entity", "日本", folder=tmp_path).code == 0
    ran = hippo("forget", "--entity", "日本", "--dry-run", folder=tmp_path, PYTHONIOENCODING="cp1252")
    assert ran.code == 0
    assert "tea \\u2615 \\u65e5" in ran.err


def test_a_description_forgets_what_it_means(tmp_path):
    for text in ("The spare key hangs behind the barn door.", "Anna plays the cello on Tuesdays."):
        assert hippo("remember", text, folder=tmp_path).code == 0
    words = ("forget", "--about", "The spare key hangs behind the barn door")
    assert hippo(*words, "--dry-run", folder=tmp_path).out == "1 memory would be forgotten\n"
    assert hippo(*words, "--yes", folder=tmp_path).out == "1 memory forgotten\n"
    left = hippo("memories", "--json", folder=tmp_path).json["memories"]
    assert [one["text"] for one in left] == ["Anna plays the cello on Tuesdays."]


def test_purge_takes_what_was_corrected_and_leaves_what_holds(tmp_path):
    id = hippo("remember", "Anna lives in Graz.", folder=tmp_path).out.split()[0]
    assert hippo("update", id, "Anna lives in Linz.", folder=tmp_path).code == 0
    dry = hippo("purge", "--dry-run", "--json", folder=tmp_path)
    assert [one["text"] for one in dry.json["memories"]] == ["Anna lives in Graz."]
    assert hippo("purge", "--before", "2020-01-01", "--yes", folder=tmp_path).err == "There is nothing to forget.\n"
    ran = hippo("purge", "--yes", folder=tmp_path)
    assert (ran.code, ran.out) == (0, "1 memory forgotten\n")
    assert [one["text"] for one in hippo("memories", "--include-superseded", "--json", folder=tmp_path).json["memories"]
            ] == ["Anna lives in Linz."]
