"""An export of hippo and its import: the same store again, byte for byte, through real daemons."""

from __future__ import annotations

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sims.people import episodes
from sims.storm import killed_daemon
from tests.cli.commands import daemon

AGENTS = ("anna", "ben")
QUIET = {"HIPPO_SLEEP_ENABLED": "off", "HIPPO_FACT_GUARD": "off"}  # no pass by itself; what may fade, does


class Line(NamedTuple):
    """Calls to a daemon, as JSON; `agent` goes along."""

    url: str

    def bytes(self, method: str, path: str, body: Any = None) -> bytes:
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, content, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=600) as reply:
                return bytes(reply.read())
        except urllib.error.HTTPError as refused:
            with refused:
                raise AssertionError(f"{method} {path}: {refused.read()[:500]!r}") from None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.bytes(method, path, body))

    def exported(self) -> dict[str, bytes]:
        return {agent: self.bytes("GET", f"/api/export?format=json&agent_id={agent}") for agent in AGENTS}


def drives_of(agent: str, seed: int, count: int = 400) -> Iterator[dict[str, Any]]:
    """What is alike and tells little, one half said years ago, the other now: with the fact guard off much of it fades."""
    chance = random.Random(seed)
    for number in range(count):
        who, where, when = (chance.choice(names) for names in (
            ("Ada", "Bruno", "Clara"), ("Lisbon", "Bergen", "Riga", "Graz"), ("Monday", "Friday")))
        words = chance.sample(("rain", "music", "friends", "bread", "luggage", "mountains", "traffic", "coffee", "sunshine"), 6)
        yield {"text": f"{who} drove to {where} on {when}: {' '.join(words)} {chance.getrandbits(80):020x}.",
               "created_at": 1_690_000_000_000 + number * 86_400_000 if number % 2 else None, "agent_id": agent}


def live(line: Line, agent: str, seed: int) -> None:
    """An agent's life: all that a store can hold of one comes about."""
    def said(**fields: Any) -> str:
        return str(line.ask("POST", "/api/remember", {"agent_id": agent, **fields})["id"])

    history = list(episodes(seed, 160, 1_735_689_600_000))
    rows = line.ask("POST", "/api/remember", {"memories": [
        {"text": one.text, "conversation": one.conversation, "created_at": one.at, "agent_id": agent}
        for one in history]})["results"]
    drives = line.ask("POST", "/api/remember", {"memories": list(drives_of(agent, seed))})["results"]
    said(text="Tea ☕ at 東京, in the blue kettle: e\u0301 \u202e \x00.", scope="kitchen", kind="preference", tags=["a", "b"],
         retention="critical", source="chat", key=f"{agent}-1", protected=True)
    said(text="The vault opens at nine.", entity="Vault", entity_type="place", salience=0.9)
    said(text="Mira works at the Vault.", entity="Mira", entity_type="person")
    said(text="Mira lives in Graz.", entity="Mira", created_at="2026-03-01T08:00:00Z")
    said(text="Mira lives in Graz, near the river.", entity="Mira", created_at="2026-03-01T09:00:00Z")
    said(text="Mira R. keeps bees.", entity="Mira R.")
    line.ask("POST", "/api/relate", {"source": "Mira", "relation": "sister of", "target": "Olga", "agent_id": agent})
    line.ask("POST", "/api/merge-entities", {"sources": ["Mira R."], "target": "Mira", "agent_id": agent})
    line.ask("POST", "/api/facts", {"text": "Olga lives in Rome. Olga moved to Oslo.", "agent_id": agent})
    line.ask("POST", "/api/merge", {"ids": [rows[0]["id"], rows[1]["id"]], "text": "Both of it.", "agent_id": agent})
    line.ask("PATCH", f"/api/memories/{rows[2]['id']}", {"text": "It says something else by now.", "agent_id": agent})
    line.ask("PATCH", f"/api/memories/{rows[2]['id']}", {"text": "And something else again.", "agent_id": agent})
    line.ask("PATCH", f"/api/memories/{rows[3]['id']}", {"salience": 0.85, "tags": "x, y", "agent_id": agent})
    line.ask("PATCH", f"/api/memories/{drives[0]['id']}", {"retention": "reference", "agent_id": agent})
    said(text=history[5].text)  # it is known: it is strengthened
    line.ask("DELETE", f"/api/memories/{rows[9]['id']}?agent_id={agent}")
    line.ask("POST", "/api/blocks/persona", {"text": "Speaks plainly ☕.\nAnd little.", "agent_id": agent})
    line.ask("POST", "/api/blocks/goals", {"text": "None.", "agent_id": agent})
    line.ask("POST", "/api/messages", {"agent_id": agent, "conversation": "c1", "messages": [
        {"role": "user", "text": "a long story, " * 9_000}, {"role": "assistant", "text": "ok"},
        {"role": "user", "text": "and?", "created_at": "2026-01-02T03:04:05Z"}]})
    for one in history[::8]:
        line.ask("POST", "/api/recall", {"cue": one.question, "agent_id": agent})


def later(line: Line, agent: str) -> None:
    """What comes after the passes."""
    for cue in ("who drove to Lisbon on Friday?", "where does Mira live?"):
        line.ask("POST", "/api/recall", {"cue": cue, "agent_id": agent})
    line.ask("POST", "/api/remember", {"text": "The boat is red.", "agent_id": agent, "conversation": "c2"})
    line.ask("POST", "/api/remember", {"text": "It lies in Split.", "agent_id": agent, "conversation": "c2"})


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The complete exports of two agents that have lived for a while, the same before and after a restart."""
    folder = tmp_path_factory.mktemp("carrying") / "first"
    with daemon(folder, HIPPO_DEMO="on", **QUIET) as url:
        line = Line(url)
        for seed, agent in enumerate(AGENTS):
            live(line, agent, seed)
        line.ask("POST", "/api/sleep", {})
        line.ask("POST", "/api/timeskip", {"days": 5})
        line.ask("POST", "/api/sleep", {})
        line.ask("POST", "/api/timeskip", {"days": 120})  # what is planned for lower tiers now still lies as it did
        for agent in AGENTS:
            later(line, agent)
        found = line.exported()
    with daemon(folder, HIPPO_DEMO="on", **QUIET) as url:
        assert differing(found, Line(url).exported()) == []
    return found


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[tuple[str, bytes, bytes]]:
    """The first lines in which exports differ."""
    rows = [(agent, mine, theirs) for agent in one for mine, theirs in zip(
        [*one[agent].split(b"\n"), b""], [*other[agent].split(b"\n"), b""], strict=False) if mine != theirs]
    return rows[:5] or [(agent, b"", b"") for agent in one if one[agent] != other[agent]]


def memories_of(export: bytes) -> list[dict[str, Any]]:
    [agent] = json.loads(export)["agents"].values()
    return list(agent["memories"])


def assert_holds_all_there_can_be(exported: dict[str, bytes]) -> None:
    for agent in AGENTS:
        rows, whole = memories_of(exported[agent]), json.loads(exported[agent])["agents"][agent]
        assert sum(not row.get("lossless", True) for row in rows) >= 5
        assert sum("fidelity" in row for row in rows) == sum(not row.get("lossless", True) for row in rows)
        assert sum("schema" in row for row in rows) >= 20
        assert sum(row.get("revision", False) for row in rows) >= 2
        assert sum("superseded_by" in row for row in rows) >= 5
        # Some are superseded by what came later, and earlier wordings by what came before them.
        place = {row["id"]: at for at, row in enumerate(rows)}
        assert {place[row["superseded_by"]] > at for at, row in enumerate(rows) if "superseded_by" in row} == {True, False}
        assert {row.get("tier", "hot") for row in rows} >= {"hot", "cool", "cold"}
        assert len({row["stability"] for row in rows}) > 10
        assert len(whole["associations"]) > 100
        assert len(whole["blocks"]) == 2
        assert len(whole["relations"]) >= 2
        assert len(whole["messages"]) == 5
        assert len("".join(row["text"] for row in whole["messages"][:3])) == 9_000 * len("a long story, ")


def test_into_an_empty_folder_everything_comes_back_and_stays(exported, tmp_path):
    assert_holds_all_there_can_be(exported)
    folder = tmp_path / "second"
    with daemon(folder, **QUIET) as url:
        line = Line(url)
        for agent in AGENTS:
            told = line.ask("POST", "/api/import", exported[agent])
            assert (told["format"], told["stopped"], told["failures"]) == ("hippo", None, [])
            assert told["outcomes"]["stored"] == told["rows"]
            assert told["kinds"]["memories"] == len(memories_of(exported[agent]))
        assert differing(exported, line.exported()) == []
        assert line.ask("GET", "/api/stats?verify=1")["damage"] == []
    with daemon(folder, **QUIET) as url:
        line = Line(url)
        assert differing(exported, line.exported()) == []
        for agent in AGENTS:  # once more changes nothing
            told = line.ask("POST", "/api/import", exported[agent])
            assert told["outcomes"]["skipped"] == told["rows"]
        assert differing(exported, line.exported()) == []
        new = line.ask("POST", "/api/remember", {"text": "Life goes on.", "agent_id": "anna"})
        assert new["id"] not in {row["id"] for agent in AGENTS for row in memories_of(exported[agent])}
    assert_checked(folder)


def test_what_was_imported_survives_kill_nine(exported, tmp_path):
    with killed_daemon(tmp_path, "--sleep-enabled", "off", "--fact-guard", "off") as connection:
        for agent in AGENTS:
            Line(connection.url).ask("POST", "/api/import", exported[agent])
    with killed_daemon(tmp_path, "--sleep-enabled", "off", "--fact-guard", "off") as connection:
        assert differing(exported, Line(connection.url).exported()) == []


def test_a_pass_of_sleep_goes_on_from_there(exported, tmp_path):
    """What was abridged stays as it was measured, and nothing becomes unreadable."""
    with daemon(tmp_path, **QUIET) as url:
        line = Line(url)
        for agent in AGENTS:
            line.ask("POST", "/api/import", exported[agent])
        report = line.ask("POST", "/api/sleep", {})
        assert report["unrecoverable"] == 0
        after = line.exported()
    for agent in AGENTS:
        before = {row["id"]: row for row in memories_of(exported[agent])}
        for row in memories_of(after[agent]):
            old = before[row["id"]]
            if not old.get("lossless", True):
                assert (row["text"], row["fidelity"]) == (old["text"], old["fidelity"])


def assert_checked(folder: Path) -> None:
    from tests.cli.commands import hippo

    checked = hippo("check", folder=folder)
    assert checked.code == 0, checked.out + checked.err
