"""The program: help, unknown commands, errors and exit codes."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time

import click
import pytest

from hippo import __version__
from hippo.cli import program
from hippo.cli.program import COMMANDS, run
from hippo.errors import HippoError, MemoryNotFound, StoreMissing
from tests.cli.commands import environment, hippo

_heavy = ("numpy", "trio", "mcp", "rich", "msgspec", "hippo.settings", "hippo.library", "dateutil", "rapidfuzz")


def test_help_lists_every_command_and_imports_nothing_heavy(tmp_path):
    ran = hippo("--help", folder=tmp_path)
    assert ran.code == 0
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    code = f"import sys; from hippo.cli.program import run; run(['--help']); print([m for m in {_heavy!r} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert said.stdout.splitlines()[-1] == "[]"


def test_help_answers_at_once(tmp_path):
    def seconds() -> float:
        started = time.perf_counter()
        hippo("--help", folder=tmp_path)
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.3  # 0.09 s measured; room for a busy machine


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_s_first_line_of_help_is_that_of_the_table(name):
    with click.Context(program.program) as context:
        command = program.program.get_command(context, name)
    assert command is not None
    assert command.name == name
    assert (command.help or "").splitlines()[0] == COMMANDS[name].line


def test_the_version_is_that_of_the_package(tmp_path):
    assert hippo("--version", folder=tmp_path).out == f"hippo {__version__}\n"


def test_an_unknown_command_names_the_nearest(tmp_path):
    ran = hippo("recal", "x", folder=tmp_path)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.splitlines() == ["error: There is no command recal. Did you mean recall?",
                                    "hint: `hippo --help` says what it takes."]


def test_an_unknown_option_is_wrong_usage(tmp_path):
    ran = hippo("stats", "--verfy", folder=tmp_path)
    assert ran.code == 64
    assert "--verify" in ran.err
    assert "Traceback" not in ran.err


def test_no_command_shows_the_help_and_is_wrong_usage(tmp_path):
    ran = hippo(folder=tmp_path)
    assert (ran.code, ran.out) == (64, "")
    assert "Commands:" in ran.err


def test_an_expected_error_is_a_line_and_a_hint_and_the_code_of_its_class(tmp_path):
    ran = hippo("recall", "x", folder=tmp_path / "none")
    assert (ran.code, ran.out) == (StoreMissing.exit_code, "")
    assert ran.err.splitlines() == [f"error: There is no store at {tmp_path}/none.",
                                    "hint: `hippo serve` makes one; HIPPO_DIR names another folder."]
    assert not (tmp_path / "none").exists()


def test_with_json_the_error_is_on_stdout_too(tmp_path):
    ran = hippo("recall", "x", "--json", folder=tmp_path / "none")
    assert ran.json["error"]["code"] == "store_missing"
    assert ran.err.startswith("error: ")


def test_a_bad_setting_and_an_unknown_one_are_said(tmp_path):
    assert hippo("stats", folder=tmp_path, HIPPO_PORT="x").code == 78
    assert "Did you mean HIPPO_PORT?" in hippo("stats", folder=tmp_path, HIPPO_PROT="1").err


def _raising(monkeypatch, fault: BaseException) -> int:
    def fail(arguments: list[str]) -> int:
        raise fault

    monkeypatch.setattr(program, "_invoke", fail)
    return run(["stats"])


def test_ctrl_c_ends_with_130(monkeypatch):
    assert _raising(monkeypatch, KeyboardInterrupt()) == 130


def test_a_reader_that_went_away_is_no_error(monkeypatch, capsys):
    assert _raising(monkeypatch, BrokenPipeError()) == 141
    assert capsys.readouterr() == ("", "")


def test_an_error_inside_a_nursery_is_the_error(monkeypatch, capsys):
    fault = ExceptionGroup("outer", [ExceptionGroup("inner", [MemoryNotFound(id="X", agent_id="default")])])
    assert _raising(monkeypatch, fault) == MemoryNotFound.exit_code
    assert "There is no memory X" in capsys.readouterr().err


def test_an_error_s_words_cannot_steer_the_terminal(monkeypatch, capsys):
    assert _raising(monkeypatch, MemoryNotFound(id="\x1b[2J\n", agent_id="a")) == 66
    assert "\x1b" not in capsys.readouterr().err


def test_a_bug_is_not_hidden(monkeypatch):
    with pytest.raises(ZeroDivisionError):
        _raising(monkeypatch, ZeroDivisionError())


def test_a_pipe_that_closes_early_is_quiet(filled):
    child = subprocess.Popen([sys.executable, "-m", "hippo", "memories"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=environment(HIPPO_DIR=str(filled)))
    assert child.stdout is not None
    child.stdout.close()
    child.stdout = None
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (141, b"")


def test_ctrl_c_while_it_waits_for_an_answer_is_quiet(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        silent.settimeout(60)
        child = subprocess.Popen(
            [sys.executable, "-m", "hippo", "stats", "--url", f"http://127.0.0.1:{silent.getsockname()[1]}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(HIPPO_DIR=str(tmp_path)))
        asked, _ = silent.accept()
        with asked:
            assert asked.recv(65536)  # it waits for the answer now, and no longer for the connection
            child.send_signal(signal.SIGINT)
            assert child.communicate(timeout=60) == (b"", b"")
        assert child.returncode == 130


def test_every_error_class_has_a_sensible_exit_code():
    from hippo.errors import table

    assert all(0 < kind.exit_code < 128 for kind in [HippoError, *table()])
