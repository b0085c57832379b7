"""hippo serve."""

from __future__ import annotations

import io
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hippo.cli import serve as module
from hippo.cli.serve import as_arguments
from hippo.cli.terminal import prepare_streams
from hippo.errors import AddressInUse, BadSetting, StoreInUse
from hippo.settings import SETTINGS, Settings, load
from tests.cli.commands import daemon, environment, hippo


def test_there_is_an_option_for_every_setting(tmp_path):
    shown = hippo("serve", "--help", folder=tmp_path).out
    for setting in SETTINGS:
        assert (f"--{setting.name.replace('_', '-')} " in shown) is not setting.internal


def test_it_greets_on_stderr_with_how_to_connect(tmp_path):
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--port", "0"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=environment(HIPPO_DIR=str(tmp_path)))
    assert child.stderr is not None
    greeting = [child.stderr.readline() for _ in range(4)]
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (0, "")
    assert str(tmp_path) in greeting[0]
    assert "claude mcp add --transport http hippo http://127.0.0.1:" in greeting[3]
    assert "Traceback" not in err


def test_the_greeting_suits_a_console_of_another_encoding(monkeypatch):
    console = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stderr", console)
    prepare_streams()
    module._greet(Settings(dir=Path("/home/jürgen/東京")), "http://127.0.0.1:3000")
    console.seek(0)
    assert "http://127.0.0.1:3000/mcp" in console.read()


def test_a_reader_that_went_away_does_not_end_the_daemon(monkeypatch):
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Gone())
    module._greet(Settings(dir=Path("/x")), "http://127.0.0.1:3000")


def test_a_second_one_on_the_same_store_stops_at_once_and_names_the_holder(served):
    folder, _ = served
    ran = hippo("serve", "--port", "0", folder=folder)
    assert (ran.code, ran.out) == (StoreInUse.exit_code, "")
    assert str(folder) in ran.err
    assert "in use by process " in ran.err
    assert hippo("stats", folder=folder).code == 0


def test_a_port_that_is_taken_is_one_line(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ran = hippo("serve", "--port", str(other.getsockname()[1]), folder=tmp_path)
    assert ran.code == AddressInUse.exit_code
    assert [line.split(":")[0] for line in ran.err.splitlines()] == ["error", "hint"]


@pytest.mark.parametrize("arguments", [("--host", "0.0.0.0"), ("--port", "x"), ("--tools", "many"),
                                       ("--allowed-hosts", "brain.example.com")])
def test_a_setting_that_cannot_be_is_one_line(tmp_path, arguments):
    ran = hippo("serve", *arguments, folder=tmp_path / "none")
    assert (ran.code, ran.out) == (BadSetting.exit_code, "")
    assert ran.err.startswith(f"error: {arguments[0]} = ")
    assert not (tmp_path / "none").exists()


def test_commands_talk_to_it(tmp_path):
    with daemon(tmp_path, "--demo") as url:
        stored = hippo("remember", "said to the daemon", "--json", folder=tmp_path).json
        asked = hippo("inspect", stored["id"], "--url", url, "--json", folder=tmp_path / "none")
        assert asked.json["text"] == "said to the daemon"
    # Once it has ended they open the store themselves, and it is all there.
    assert hippo("inspect", stored["id"], "--json", folder=tmp_path).json["text"] == "said to the daemon"


def test_one_that_was_started_for_clients_ends_once_nobody_comes(tmp_path):
    ran = hippo("serve", "--port", "0", "--detached", "--idle-exit-seconds", "0.2", folder=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_flags_can_be_typed_again():
    flags = {"tools": "all", "demo": None, "cors_origins": "https://a.example", "idle_exit_seconds": 60.0}
    typed = as_arguments(flags)
    assert typed == ["--tools", "all", "--cors-origins", "https://a.example", "--idle-exit-seconds", "60.0"]


def test_a_switch_may_be_given_bare(monkeypatch, tmp_path):
    seen: list[Settings] = []
    monkeypatch.setattr("hippo.daemon.run", lambda settings, ready: seen.append(settings) or 0)
    for arguments in (["--demo"], ["--demo", "off"], []):
        assert module.serve.main(["--dir", str(tmp_path), *arguments], standalone_mode=False) == 0
    assert [settings.demo for settings in seen] == [True, False, False]
    assert seen[0] == load({"dir": str(tmp_path), "demo": "on"}, {})[0]
