"""The whole daemon as a child process on the real disk."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sims.bench.rig import Connection
from sims.people import episodes
from sims.storm import killed_daemon, missing, storm

_DIALOGUES = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo-dev.json"


def _remember(line: Connection, count: int, seed: int = 1) -> dict[str, str]:
    said = list(episodes(seed, count, 1_735_689_600_000))
    rows = line.rest("/api/remember", {"memories": [
        {"text": one.text, "conversation": one.conversation, "created_at": one.at} for one in said]})["results"]
    return {row["id"]: one.text for row, one in zip(rows, said, strict=True)}


def test_what_was_acknowledged_survives_kill_nine(tmp_path):
    known = storm(tmp_path, 12)
    assert len(known) == 12
    assert missing(tmp_path, known) == []


def test_sigterm_ends_it_with_code_zero_and_trims_the_journal(tmp_path):
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--dir", str(tmp_path), "--port", "0"],
                             stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    assert "awake" in child.stderr.readline()
    url = child.stderr.readline().split()[-1]
    line = Connection(url.rstrip("/"))
    line.rest("/api/remember", {"text": "The lamp is in the hall."})
    line.close()
    child.send_signal(signal.SIGTERM)
    assert child.wait(60) == 0
    assert "Traceback" not in child.stderr.read()
    child.stderr.close()
    assert all(file.stat().st_size < 4096 for file in tmp_path.glob("journal-*"))


def test_eight_clients_writing_at_once_lose_nothing(tmp_path):
    with killed_daemon(tmp_path) as line:
        ids: list[str] = []

        def write(number: int) -> None:
            own = Connection(line.url)
            for turn in range(50):
                ids.append(own.rest("/api/remember", {"text": f"Client {number} says {turn}."})["id"])
            own.close()

        writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert len(set(ids)) == 400
        assert line.rest("/api/stats")["memories"] == 400
    with killed_daemon(tmp_path) as line:
        assert line.rest("/api/stats?verify=1")["memories"] == 400


def test_answers_stay_the_same_over_sleep_kill_and_restart(tmp_path):
    said = list(episodes(5, 300, 1_735_689_600_000))
    cues = [one.question for one in said[::15]]

    def answers(line: Connection) -> list[list[str]]:
        return [[found["id"] for found in line.rest("/api/recall", {"cue": cue, "peek": True})["results"]]
                for cue in cues]

    with killed_daemon(tmp_path) as line:
        _remember(line, 300, seed=5)
        before = answers(line)
    with killed_daemon(tmp_path) as line:
        assert answers(line) == before
        line.rest("/api/sleep", {})
        asleep = answers(line)
    with killed_daemon(tmp_path) as line:
        assert answers(line) == asleep
    assert all(before)


@pytest.mark.skipif(not _DIALOGUES.exists(), reason="the dialogues to measure with are not here")
def test_real_dialogues_answer_the_same_after_a_kill(tmp_path):
    sample = json.loads(_DIALOGUES.read_text())[0]
    talk = sample["conversation"]
    with killed_daemon(tmp_path) as line:
        for name in [key for key in talk if key.startswith("session_") and key[8:].isdigit()]:
            start = datetime.strptime(talk[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            for place, turn in enumerate(talk[name]):
                line.tool("remember", text=f"{turn['speaker']}: {turn['text']}", conversation=name,
                          created_at=(start + timedelta(seconds=30 * place)).isoformat())
        cues = [asked["question"] for asked in sample["qa"]][:40]
        before = [line.tool("recall", cue=cue, peek=True).partition(b'"result"')[2] for cue in cues]
    with killed_daemon(tmp_path) as line:
        assert [line.tool("recall", cue=cue, peek=True).partition(b'"result"')[2] for cue in cues] == before


@pytest.mark.parametrize("seed", range(6))
def test_it_starts_on_a_damaged_store_names_the_damage_and_serves_the_rest(tmp_path, seed):
    chance = random.Random(seed)
    with killed_daemon(tmp_path) as line:
        known = _remember(line, 60)
        line.rest("/api/sleep", {})
        known |= _remember(line, 20, seed=2)
    files = [file for file in sorted(tmp_path.iterdir()) if file.is_file() and file.stat().st_size
             and file.name.startswith(("journal", "pack", "index"))]
    target = files[seed % len(files)]
    content = bytearray(target.read_bytes().rstrip(b"\0"))
    if seed % 2:
        content = content[:len(content) // 2]
    else:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    target.write_bytes(content)
    with killed_daemon(tmp_path) as line:
        stats = line.rest("/api/stats?verify=1")
        assert stats["damage"]
        served = wrong = 0
        for one, text in known.items():
            try:
                with urllib.request.urlopen(f"{line.url}/api/memories/{one}", timeout=300) as reply:
                    answer = json.load(reply)
                served += 1
                wrong += answer["text"] != text
            except urllib.error.HTTPError as error:
                with error:
                    assert json.load(error)["error"]["code"] in ("memory_damaged", "not_found")
        assert wrong == 0
        assert served >= 1
        assert line.rest("/api/remember", {"text": "It still remembers."})["action"] == "stored"


def test_a_second_daemon_on_one_store_ends_at_once_naming_the_first(tmp_path):
    with killed_daemon(tmp_path):
        pid = json.loads((tmp_path / "lock").read_text())["pid"]
        second = subprocess.run([sys.executable, "-m", "hippo", "serve", "--dir", str(tmp_path), "--port", "0"],
                                capture_output=True, text=True, timeout=300, check=False)
        assert second.returncode == 75
        assert str(pid) in second.stderr
        assert str(tmp_path) in second.stderr
        assert "Traceback" not in second.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path):
    tmp_path.chmod(0o500)
    ended = subprocess.run([sys.executable, "-m", "hippo", "serve", "--dir", str(tmp_path / "store"), "--port", "0"],
                           capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
