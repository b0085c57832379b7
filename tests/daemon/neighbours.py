"""Two worlds for one question: whether anything that ada knows reaches whoever asks as somebody else.

1. In each world a real daemon serves ada, bob, carl and the default agent. Bob and the default agent know the same in
   both; ada knows other words, and in the second world a little more, which carl knows in the first. The clocks stand
   still, so that nothing else differs, ids included.
2. In the first world ada knows what `WORD` is about. Whoever asks there may aim at it: with names and texts that hold
   `WORD`, and with ids of hers ("{id}", "{other}") and a version of hers ("{hash}"). In the second world the same
   questions hit nothing: there nobody has such things, and these ids name no memory. Exports of another store hold what
   an ada knew there ("{hers}"), and what a bob did ("{both}").
3. So an answer that is the same in both worlds owes nothing to ada. And what was not given by whoever asks must not be
   in it: in the first world all that holds `SECRET` and her other ids, in the second everything of hers.
"""

from __future__ import annotations

import base64
import http.client
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from hippo.cli.program import run
from tests.cli.commands import daemon

WORD, SECRET = "quixotl", "xyrrhic"  # of ada in the first world; in the second hers are as long
_OTHER_WORD, _OTHER_SECRET = "zephyrk", "vombast"
SAID_AT = "2024-12-24T18:30:00Z"
_EPOCH = "1735689600000"
_WAYS = "application/json, text/event-stream"


class Aim(NamedTuple):
    """What names memories of ada's, or nobody's."""

    id: str
    other: str
    hash: str


NOBODY = Aim("ZZZZZZZZ", "ZZZZZZZY", "0" * 64)


def aimed(value: Any, names: Mapping[str, str]) -> Any:
    """Arguments with what they are aimed at filled in."""
    if isinstance(value, dict):
        return {name: aimed(one, names) for name, one in value.items()}
    if isinstance(value, list):
        return [aimed(one, names) for one in value]
    if not isinstance(value, str):
        return value
    for name, one in names.items():
        value = value.replace(f"{{{name}}}", one)
    return value


class World:
    """One daemon, and what ada knows there."""

    def __init__(self, url: str, folder: Path, word: str, secret: str, files: Mapping[str, str]) -> None:
        self.url, self.folder, self._files = url, folder, files
        self._line = http.client.HTTPConnection(url.removeprefix("http://"), timeout=300)
        self.aim, self._forbidden = NOBODY, list[str]()
        self._teach("bob", "bronzen", "ochrish")
        self._teach(None, "coppery", "umberly")
        first = self._teach("ada", word, secret)
        self._keep_bees("carl" if word == WORD else "ada")
        self.mcp("tools/call", name="sleep", arguments={})
        self.baseline = self.knows()
        ids = [one["id"] for part in ("memories", "messages") for one in self.baseline[part]]
        self.aim = first if word == WORD else NOBODY
        self._forbidden = [secret, *(one for one in ids if one not in self.aim)]
        if word != WORD:
            self._forbidden.append(word)

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    # Asking

    def rest(self, route: str, arguments: dict[str, Any] | None = None, agent: str | None = None) -> str:
        """The status and the answer of a route, such as `GET /api/blocks/{key}`; a `file` is sent as it is."""
        method, path = route.split(" ")
        given = {**self._aimed(arguments or {}), **({} if agent is None else {"agent_id": agent})}
        file = given.pop("file", None)
        for name in re.findall(r"{(\w+)}", path):
            path = path.replace(f"{{{name}}}", quote(str(given.pop(name)), safe=""))
        body = None if file is None else Path(file).read_bytes()
        if method in ("POST", "PATCH") and body is None:
            body = json.dumps(given).encode()
        elif given:
            path += "?" + urlencode(given, doseq=True)
        return self._heard(*self._send(method, path, body))

    def mcp(self, method: str, **params: Any) -> str:
        """The answer to a message, with all that was said before it."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": self._aimed(params)}
        return self._heard(*self._send("POST", "/mcp", json.dumps(message).encode()))

    def tool(self, name: str, arguments: dict[str, Any], agent: str | None = None) -> str:
        """The answer of a tool."""
        return self.mcp("tools/call", name=name, arguments={
            **arguments, **({} if agent is None else {"agent_id": agent})}, _meta={"progressToken": "p"})

    def command(self, arguments: list[str], agent: str) -> str:
        """How a command ended, what it wrote, and what is in the file that it wrote."""
        file = self.folder.parent / f"{self.folder.name}-written"
        out, err = io.StringIO(), io.StringIO()
        given = [str(file) if one == "{file}" else self._aimed(one) for one in arguments]
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*given, "--agent", agent, "--dir", str(self.folder)])
        written = b""
        if file.exists():
            written = file.read_bytes()
            file.unlink()
        return self._heard(code, f"{out.getvalue()}\n{err.getvalue()}\n".encode(), written)

    @contextmanager
    def events(self, agent: str | None, after: int | None = None) -> Iterator[http.client.HTTPResponse]:
        """The events of an agent, as they come."""
        with closing(http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=300)) as line:
            headers = {} if after is None else {"last-event-id": str(after)}
            line.request("GET", "/api/events" + ("" if agent is None else f"?agent_id={quote(agent)}"), headers=headers)
            with line.getresponse() as stream:
                yield stream

    def heard_until(self, stream: http.client.HTTPResponse, name: str) -> str:
        """All events up to the first of a name; that nothing happens is said now and then, and is left out."""
        lines = list[bytes]()
        while not lines or not lines[-1].startswith(b"data:") or lines[-2] != f"event: {name}\n".encode():
            line = stream.readline()
            assert line, b"".join(lines)
            if line.startswith(b":"):
                stream.readline()
            else:
                lines.append(line)
        return self._heard(200, b"".join(lines))

    def _aimed(self, value: Any) -> Any:
        return aimed(value, {**self.aim._asdict(), **self._files})

    def _send(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        self._line.request(method, path, body, {"content-type": "application/json", "accept": _WAYS})
        with self._line.getresponse() as reply:
            return reply.status, reply.read()

    def _heard(self, status: int, *answers: bytes) -> str:
        """An answer in words, in which nothing of ada's may be but what the question held; her ids are those of
        nobody, since they have to be as good."""
        words = "\n".join((str(status), *map(_in_words, answers)))
        for mark in self._forbidden:
            assert mark.lower() not in words.lower(), f"{mark} is ada's, and is told in: {words}"
        for own, nobodys in zip(self.aim, NOBODY, strict=True):
            words = words.replace(own, nobodys)
        return words.replace(str(self.folder), "<folder>").replace(self.url, "<url>")

    # Ada

    def knows(self) -> Any:
        """Everything that ada knows."""
        status, content = self._send("GET", "/api/export?format=json&agent_id=ada", None)
        assert status == 200
        return json.loads(content)["agents"]["ada"]

    def act(self, agent: str | None, route: str, **arguments: Any) -> Any:
        """Does something as an agent, whatever comes of it; ids that ada is given by it are hers alone."""
        method, path = route.split(" ")
        given = {**arguments, **({} if agent is None else {"agent_id": agent})}
        status, content = self._send(method, path, json.dumps(given).encode())
        assert status == 200, content
        answer = json.loads(content)
        if agent == "ada" and "id" in answer:
            self._forbidden.append(answer["id"])
        return answer

    def _teach(self, agent: str | None, word: str, secret: str) -> Aim:
        """An agent learns something of every kind. What it is aimed at by: of two memories in plain words."""
        name, more = f"{word.capitalize()}-Works", {} if agent is None else {"agent_id": agent}
        rows: list[dict[str, Any]] = [
            {"text": f"The {word} greenhouse opens at 7:40.", "entity": name, "entity_type": secret, "kind": "fact",
             "tags": [f"{word}-tag", secret], "source": secret, "conversation": f"{word}-talk", "key": f"{word}-key"},
            {"text": f"The {word} cellar floods in March.", "scope": f"{word}-scope", "kind": "fact"},
            {"text": f"{name} hired the {secret} gardener in 2024.", "entity": name, "salience": 0.8},
            {"text": f"Watered the {secret} beds.", "entity": f"ops:daily-log:{word}"},
            {"text": f"The {word} boiler hums like a {secret} bee."},
            {"text": f"The {word} boiler makes a {secret} noise."}]
        answered = [self.act(agent, "POST /api/remember", **row) for row in rows]
        ids = [one["id"] for one in answered]
        self.act(agent, f"PATCH /api/memories/{ids[2]}", text=f"{name} hired two {secret} gardeners in 2024.")
        self.act(agent, "POST /api/merge", ids=ids[4:], text=f"The {word} boiler is as loud as a {secret} bee.")
        for town in (secret, word):
            self.act(agent, "POST /api/facts", text=f"Nadia lives in {town.capitalize()}burg.", entity="Nadia")
        self.act(agent, "POST /api/relate", source=name, relation=f"{word}_of", target=f"{secret.capitalize()} Trust")
        self.act(agent, f"POST /api/blocks/{word}-persona", text=f"I like {word} tea.")
        self.act(agent, f"POST /api/blocks/{word}-persona", text=f"I fear {secret} coffee.")
        self.act(agent, "POST /api/messages", conversation=f"{word}-talk", messages=[
            {"role": "user", "text": f"Did the {word} train leave?", "created_at": SAID_AT},
            {"role": "assistant", "text": f"It left from the {secret} platform.", "created_at": SAID_AT}])
        self.act(agent, "POST /api/recall", cue=f"When does the {word} greenhouse open?")
        status, content = self._send("GET", "/api/memories?" + urlencode({"entity": name, **more}), None)
        assert status == 200
        return Aim(ids[0], ids[1], json.loads(content)["memories"][0]["version_hash"])


    def _keep_bees(self, agent: str) -> None:
        """An agent learns a little more of every kind."""
        for number in range(3):
            self.act(agent, "POST /api/remember", text=f"Hive {number} has a new queen.", entity=f"Hive {number}")
            self.act(agent, f"POST /api/blocks/hive-{number}", text="It hums.")
        self.act(agent, "POST /api/relate", source="Hive 1", relation="stands_by", target="Hive 2")
        self.act(agent, "POST /api/messages", messages=[{"role": "user", "text": "Do they swarm?", "created_at": SAID_AT}])


def _in_words(answer: bytes) -> str:
    """An answer so that all it holds can be read: archives unpacked, also those within JSON."""
    if answer[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(answer)) as archive:
            return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())
    words = answer.decode()
    for blob in re.findall(r'"blob":"([^"]+)"', words):
        words = words.replace(blob, _in_words(base64.b64decode(blob)))
    return words


def _carried(folder: Path) -> dict[str, str]:
    """Files that another store has exported."""
    name, at = f"{WORD.capitalize()}-Works", int(_EPOCH)
    hers = {
        "memories": [{"id": "0000000A", "text": f"The {WORD} greenhouse opens at 7:40.", "entity": name, "stability": 1.0,
                      "key": f"{WORD}-key", "created_at": at, "last_access": at}],
        "blocks": {f"{WORD}-persona": "I am somebody else."}, "relations": [[name, f"{WORD}_of", "Mine"]],
        "messages": [{"id": "0000000B", "role": "user", "text": f"Did the {WORD} train leave?", "created_at": at}]}
    for file, agents in (("hers", {"ada": hers}), ("both", {"ada": hers, "bob": {"blocks": {"mine": "I am bob."}}})):
        (folder / file).write_text(json.dumps(
            {"format": "hippo", "version": 1, "seed": 5, "next_ordinal": 9, "agents": agents}), "utf-8")
    return {file: str(folder / file) for file in ("hers", "both")}


def _table(folder: Path, word: str, secret: str) -> Path:
    """Messages that the user keeps in a table, of which some are ada's."""
    file = folder / f"{word}.db"
    with closing(sqlite3.connect(file)) as table, table:
        table.execute("CREATE VIRTUAL TABLE messages USING fts5(content, role, conversation, created_at, agent_id)")
        table.executemany("INSERT INTO messages VALUES (?, 'user', ?, ?, ?)", [
            (f"The {one} tram stops at the {other} gate.", f"{one}-talk", SAID_AT, agent)
            for agent, one, other in (("ada", word, secret), ("bob", "bronzen", "ochrish"))])
    return file


@contextmanager
def two_worlds(folder: Path) -> Iterator[tuple[World, World]]:
    """Both worlds, each with a daemon of its own."""
    with ExitStack() as stack:
        made, files = [], _carried(folder)
        for number, words in enumerate(((WORD, SECRET), (_OTHER_WORD, _OTHER_SECRET)), 1):
            place = folder / f"world-{number}"
            url = stack.enter_context(daemon(
                place, HIPPO_TOOLS="all", HIPPO_EPOCH=_EPOCH, HIPPO_MESSAGES_DB=str(_table(folder, *words))))
            world = World(url, place, *words, files)
            stack.callback(world.close)
            made.append(world)
        yield made[0], made[1]
