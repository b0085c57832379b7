"""No agent ever sees another agent's memory through any tool, route, resource, event, export or command."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hippo.cli.program import COMMANDS, program, run
from tests.daemon.neighbours import NOBODY, SAID_AT, SECRET, WORD, World, two_worlds

AGENTS = ["bob", " ada ", "ADA"]  # all of them others than ada
REFUSED = ["\x1fada", "ada\x1f", "\x1fbob"]  # U+001F leads to logged messages, and is in no agent's name

TEXT = f"The {WORD} greenhouse opens at 7:40."
NEARLY = f"The {WORD} greenhouse opens at 7:40 now."
HIRED = f"{WORD.capitalize()}-Works hired the gardener in 2024."
MESSAGE = f"Did the {WORD} train leave?"
MOVED = f"Nadia lives in {WORD.capitalize()}burg."
ENTITY, LOG = f"{WORD} works", f"ops:daily-log:{WORD}"
KEY, TALK, SCOPE, TAG, RELATION, BLOCK = (
    f"{WORD}{end}" for end in ("-key", "-talk", "-scope", "-tag", "_of", "-persona"))
SPOKEN = {"role": "user", "text": MESSAGE, "created_at": SAID_AT}
FILTERS: list[dict[str, Any]] = [
    {"entity": ENTITY}, {"tags": TAG}, {"scope": SCOPE}, {"kind": "fact"}, {"since": "2020-01-01"},
    {"include_superseded": True, "include_archived": True}]
FORMATS = ("claude-md", "markdown", "json", "wire", "obsidian")
MODES = ("clusters", "entities", "contradictions", "sleep")

REMEMBERED: list[dict[str, Any]] = [
    {"text": TEXT}, {"text": TEXT, "entity": ENTITY, "conversation": TALK, "key": KEY}, {"text": NEARLY, "tags": [TAG]},
    {"text": f"The {WORD} cellar floods in March.", "scope": SCOPE}, {"text": HIRED, "entity": ENTITY},
    {"text": f"Watered the {WORD} beds.", "entity": LOG}]
RECALLED: list[dict[str, Any]] = [
    {"cue": TEXT, "k": 50}, {"cue": SCOPE, "k": 50}, {"cue": "Who hums like a bee?", "peek": True}, {"cue": MESSAGE},
    *({"cue": cue, "k": 50, **one} for cue in (ENTITY, None) for one in FILTERS),
    *({"cue": ENTITY, "format": one} for one in ("compact", "wire", "index"))]
FORGOTTEN: list[dict[str, Any]] = [
    {"id": "{id}"}, {"entity": ENTITY, "text": TEXT}, {"entity": ENTITY, "dry_run": True},
    {"description": TEXT, "dry_run": False}, {"entity": ENTITY}, {"entity": LOG}]
INSPECTED: list[dict[str, Any]] = [{"id": "{id}"}, {"id": "{other}", "offset": 3}]
TOOLS: dict[str, list[dict[str, Any]]] = {
    "remember": REMEMBERED, "recall": RECALLED, "inspect": INSPECTED, "forget": FORGOTTEN,
    "store_memory": REMEMBERED, "recall_memories": RECALLED, "get_observation": INSPECTED, "forget_memory": FORGOTTEN,
    "sleep": [{}, {"depth": "deep"}], "compress_preview": [{}], "memory_stats": [{}, {"verify": True}],
    "context": [{"topic": topic, "depth": 3} for topic in (TEXT, ENTITY, "Nadia")] + [
        {"topic": WORD, "depth": 2, "scope": [SCOPE]}],
    "update": [{"id": "{id}", "text": "This is mine."}, {"id": "{id}", "kind": "fact"},
               {"entity": ENTITY, "old_text": TEXT, "text": "This is mine."}],
    "merge": [{"ids": ["{id}", "{other}"], "text": "These are mine."}],
    "consolidate": [{"mode": mode, "age_days": 0, "include_append_only": True, "limit": 200} for mode in MODES],
    "check_version": [{"entity": ENTITY, "hash": "{hash}"}, {"entity": "Nadia", "hash": "{hash}"}],
    "export": [{"format": form} for form in FORMATS],
    "onboard": [{}, {"source": WORD}],
    "remember_facts": [{"text": MOVED}, {"text": "Nadia lives in Graz.", "entity": "Nadia"}],
    "recall_memory_block": [{}, {"key": BLOCK}],
    "append_memory_block": [{"key": BLOCK, "text": "I am somebody else."}],
    "replace_memory_block": [{"key": BLOCK, "old": f"I like {WORD} tea.", "new": ""},
                             {"key": BLOCK, "old": "somebody", "new": "who"}],
    "restore": INSPECTED[:1],
    "merge_entities": [{"sources": [ENTITY], "target": "Bronzen-Works"},
                       {"sources": ["Coppery-Works"], "target": ENTITY},
                       {"sources": ["Bronzen-Works"], "target": ENTITY}],
    "recall_conversation": [{}, {"query": WORD}, {"query": MESSAGE, "k": 50}, {"conversation": TALK}],
    "log_messages": [{"conversation": TALK, "messages": [SPOKEN]}],
    "relate": [{"source": ENTITY, "relation": RELATION, "target": "Mine"},
               {"source": ENTITY, "relation": RELATION, "target": f"{WORD} trust", "remove": True}]}
ROUTES: dict[str, list[dict[str, Any]]] = {
    "POST /api/remember": REMEMBERED, "POST /api/recall": RECALLED,
    "POST /api/sleep": TOOLS["sleep"], "POST /api/timeskip": [{"days": 1}], "GET /api/preview": [{}],
    "GET /api/stats": TOOLS["memory_stats"], "GET /api/agents": [{}], "GET /api/report": [{}], "GET /health": [{}],
    "GET /api/memories": [{}, *FILTERS, {"contains": WORD}, {"before": "{id}"}],
    "GET /api/memories/{id}": INSPECTED, "PATCH /api/memories/{id}": TOOLS["update"][:2],
    "DELETE /api/memories/{id}": INSPECTED[:1], "POST /api/memories/{id}/restore": INSPECTED[:1],
    "GET /api/graph": [{}], "POST /api/forget": FORGOTTEN,
    "POST /api/purge": [{}, {"dry_run": False}, {"before": "2030-01-01", "dry_run": False}],
    "POST /api/merge": TOOLS["merge"], "POST /api/merge-entities": TOOLS["merge_entities"],
    "POST /api/relate": TOOLS["relate"], "POST /api/facts": TOOLS["remember_facts"],
    "POST /api/messages": TOOLS["log_messages"], "GET /api/conversation": TOOLS["recall_conversation"],
    "GET /api/context": TOOLS["context"], "GET /api/consolidate": TOOLS["consolidate"],
    "GET /api/version": TOOLS["check_version"], "GET /api/onboard": TOOLS["onboard"],
    "GET /api/blocks": [{}], "GET /api/blocks/{key}": [{"key": BLOCK}],
    "POST /api/blocks/{key}": TOOLS["append_memory_block"], "PATCH /api/blocks/{key}": TOOLS["replace_memory_block"],
    "DELETE /api/blocks/{key}": [{"key": BLOCK}, {"key": f"\x1f{BLOCK}"}],
    "GET /api/export": TOOLS["export"], "GET /api/events": [],
    "POST /api/import": [{"file": "{hers}"}, {"file": "{hers}", "dry_run": True}, {"file": "{both}"}]}
# What tells of the whole store, and of nobody's memories: the figures may differ, and ada sleeps as well.
SHARED = {"sleep", "compress_preview", "memory_stats", "POST /api/sleep", "POST /api/timeskip", "GET /api/preview",
          "GET /api/stats", "GET /api/agents", "GET /api/report", "GET /health"}
NAMES = (ENTITY, f"%1fada/{ENTITY}", f"ada%2f{ENTITY}", "Nadia", LOG, "%1Fada")
RESOURCES: dict[str, list[str]] = {
    "hippocampus://context": ["hippocampus://context", "hippocampus://context?agent_id=ada"],
    "hippocampus://report/latest": ["hippocampus://report/latest"],
    "hippocampus://entity/{name}": [f"hippocampus://entity/{name}" for name in NAMES],
    "hippocampus://block/{key}": [f"hippocampus://block/{key}" for key in (BLOCK, f"%1fada%1f{BLOCK}")],
    "hippocampus://export/{format}": [f"hippocampus://export/{form}" for form in (*FORMATS, "json?agent_id=ada")]}
PROMPTS: dict[str, list[dict[str, str]]] = {
    "onboard": [{}, {"source": TEXT}], "recall_first": [{"topic": ENTITY}]}
COMPLETED = {("hippocampus://entity/{name}", "name"), ("hippocampus://block/{key}", "key"),
             ("hippocampus://export/{format}", "format"), ("onboard", "source"), ("recall_first", "topic")}
CALLS: dict[str, list[list[str]]] = {
    "remember": [["remember", TEXT, "--entity", ENTITY, "--conversation", TALK], ["remember", NEARLY, "--scope", SCOPE]],
    "facts": [["facts", MOVED]],
    "recall": [["recall", TEXT, "-k", "50"], ["recall", ENTITY, "--json"], ["recall", "--entity", ENTITY]],
    "search": [["search", WORD, "--include-superseded"]],
    "inspect": [["inspect", "{id}"], ["inspect", "{other}", "--json"]],
    "memories": [["memories", "--json"], ["memories", "--entity", ENTITY], ["memories", "--before", "{id}"]],
    "update": [["update", "{id}", "This is mine."]],
    "restore": [["restore", "{id}"]],
    "merge": [["merge", "{id}", "{other}", "--text", "These are mine."]],
    "merge-entities": [["merge-entities", ENTITY, "--into", "Bronzen-Works"]],
    "relate": [["relate", ENTITY, RELATION, "Mine"], ["relate", ENTITY, RELATION, f"{WORD} trust", "--remove"]],
    "consolidate": [["consolidate", "--mode", mode, "--age-days", "0"] for mode in MODES],
    "forget": [["forget", "{id}", "--yes"], ["forget", "--entity", ENTITY, "--text", TEXT, "--yes"],
               ["forget", "--about", TEXT, "--yes"], ["forget", "--entity", ENTITY, "--yes"]],
    "purge": [["purge", "--yes"]],
    "blocks": [["blocks"]],
    "block": [["block", BLOCK], ["block", BLOCK, "--append", "I am somebody else."],
              ["block", BLOCK, "--replace", f"I like {WORD} tea.", ""], ["block", BLOCK, "--delete", "--yes"]],
    "log": [["log", MESSAGE, "--conversation", TALK, "--created-at", SAID_AT]],
    "conversation": [["conversation", WORD], ["conversation", "--conversation", TALK, "--json"]],
    "export": [["export", "--format", form, "--output", "{file}"] for form in FORMATS if form != "obsidian"],
    "import": [["import", "{hers}"], ["import", "{hers}", "--dry-run"], ["import", "{both}"]]}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    with pytest.MonkeyPatch.context() as patch, two_worlds(tmp_path_factory.mktemp("isolation")) as made:
        for name in [name for name in os.environ if name.startswith("HIPPO_")]:
            patch.delenv(name)
        yield made


def same_in_both(worlds: tuple[World, World], *asks: Callable[[World], str], shared: bool = False) -> None:
    """Whoever asks hears the same in both worlds, and ada knows what she knew."""
    for ask in asks:
        one, two = map(ask, worlds)
        assert one == two or shared
    for world in worlds:
        known = world.knows()
        if shared:
            assert _wording(known) == _wording(world.baseline)
            world.baseline = known
        assert known == world.baseline


def _wording(known: Any) -> Any:
    return {**known, "associations": None, "memories": [(one["id"], one["text"]) for one in known["memories"]]}


# Whoever is not ada


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", list(TOOLS))
def test_a_tool_answers_as_if_there_were_no_ada(worlds: tuple[World, World], name: str, agent: str) -> None:
    asked = None if name in SHARED else agent
    same_in_both(worlds, *(partial(World.tool, name=name, arguments=row, agent=asked) for row in TOOLS[name]),
                 shared=name in SHARED)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("route", [route for route in ROUTES if ROUTES[route]])
def test_a_route_answers_as_if_there_were_no_ada(worlds: tuple[World, World], route: str, agent: str) -> None:
    asked = None if route in SHARED else agent
    same_in_both(worlds, *(partial(World.rest, route=route, arguments=row, agent=asked) for row in ROUTES[route]),
                 shared=route in SHARED)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", list(CALLS))
def test_a_command_answers_as_if_there_were_no_ada(worlds: tuple[World, World], name: str, agent: str) -> None:
    same_in_both(worlds, *(partial(World.command, arguments=call, agent=agent) for call in CALLS[name]))


@pytest.mark.parametrize("kind", list(RESOURCES))
def test_a_resource_reads_as_if_there_were_no_ada(worlds: tuple[World, World], kind: str) -> None:
    same_in_both(worlds, *(partial(World.mcp, method="resources/read", uri=uri) for uri in RESOURCES[kind]),
                 shared=kind.endswith("report/latest"))


@pytest.mark.parametrize("name", list(PROMPTS))
def test_a_prompt_says_what_it_says_without_ada(worlds: tuple[World, World], name: str) -> None:
    same_in_both(worlds, *(partial(World.mcp, method="prompts/get", name=name, arguments=row) for row in PROMPTS[name]))


@pytest.mark.parametrize(("of", "argument"), sorted(COMPLETED))
def test_a_completion_offers_nothing_of_adas(worlds: tuple[World, World], of: str, argument: str) -> None:
    ref = {"type": "ref/resource", "uri": of} if "://" in of else {"type": "ref/prompt", "name": of}
    same_in_both(worlds, *(partial(
        World.mcp, method="completion/complete", ref=ref, argument={"name": argument, "value": typed})
        for typed in ("", WORD[:4], WORD)))


def test_a_batch_for_several_agents_stores_each_row_for_its_own(worlds: tuple[World, World]) -> None:
    rows = [{**row, "agent_id": agent} for row in REMEMBERED for agent in AGENTS]
    same_in_both(worlds, partial(World.rest, route="POST /api/remember", arguments={"memories": rows}))


@pytest.mark.parametrize("agent", AGENTS)
def test_what_somebody_said_too_is_not_forgotten_for_ada(worlds: tuple[World, World], agent: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("log_messages", TOOLS["log_messages"][0]), ("remember", {"text": MESSAGE}), ("remember", {"text": TEXT}),
        ("forget", {"description": MESSAGE, "dry_run": False}), ("forget", {"description": TEXT, "dry_run": False}),
        ("recall_conversation", {"query": MESSAGE})]
    same_in_both(worlds, *(partial(World.tool, name=name, arguments=row, agent=agent) for name, row in calls))


@pytest.mark.parametrize("agent", ["bob", None, "ADA"])
def test_events_tell_of_ones_own_memories_only(worlds: tuple[World, World], agent: str | None) -> None:
    told = []
    for world in worlds:
        with world.events(agent) as stream:
            for somebody in ("ada", agent):
                text = f"The lamp of {somebody} is lit."
                id = world.act(somebody, "POST /api/remember", text=text, entity=ENTITY)["id"]
                world.act(somebody, "POST /api/recall", cue=text)
                world.act(somebody, f"PATCH /api/memories/{id}", text="The lamp is out.")
                world.act(None, "POST /api/sleep")
                world.act(somebody, "POST /api/forget", id=id)
            at_once = world.heard_until(stream, "forgotten")
        first = int(at_once.partition("\nid: ")[2].partition("\n")[0])
        with world.events(agent, after=first - 1) as stream:
            assert world.heard_until(stream, "forgotten") == at_once
        with world.events(agent, after=0) as stream:
            told += [at_once, world.heard_until(stream, "lagged")]
        world.baseline = world.knows()
    assert "event: remembered" in told[0]
    assert [*map(_of_memories, told[:2])] == [*map(_of_memories, told[2:])]


def _of_memories(events: str) -> list[str]:
    """Without what tells of a pass, which is of the whole store, and without the numbers, which count all events."""
    told = [event.partition("event: ")[2] for event in events.split("\n\n")]
    return [event for event in told if not event.startswith(("sleep", "tiers"))]


# What leads elsewhere


@pytest.mark.parametrize("agent", REFUSED)
def test_no_agent_is_called_what_logged_messages_are_kept_as(worlds: tuple[World, World], agent: str) -> None:
    asks: list[Callable[[World], str]] = [
        *(partial(World.tool, name=name, arguments=row, agent=agent)
          for name, rows in TOOLS.items() if name not in SHARED for row in rows),
        *(partial(World.rest, route=route, arguments=row, agent=agent)
          for route, rows in ROUTES.items() if route not in SHARED for row in rows or [{}]),
        *(partial(World.command, arguments=call, agent=agent) for calls in CALLS.values() for call in calls)]
    assert [answer for ask in asks for world in worlds if "U+001F" not in (answer := ask(world))] == []
    same_in_both(worlds)


@pytest.mark.parametrize("others", [[], ["bob"], ["carl"], ["\x1fada"]])
def test_an_import_for_somebody_else_changes_nothing_of_adas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, others: list[str]
) -> None:
    monkeypatch.setenv("HIPPO_EMBEDDER", "term-frequency")

    def hippo(*arguments: str) -> str:
        run([*arguments, "--dir", str(tmp_path / "store")])
        return capsys.readouterr().out

    def knows(agent: str) -> Any:
        hippo("export", "--format", "json", "--agent", agent, "--force", "--output", str(tmp_path / "export"))
        return json.loads((tmp_path / "export").read_bytes())

    hippo("remember", TEXT, "--entity", ENTITY, "--agent", "ada")
    hippo("log", MESSAGE, "--agent", "ada")
    hippo("block", BLOCK, "--append", SECRET, "--agent", "ada")
    before = knows("ada")
    hers = before["agents"]["ada"]
    known = {**hers, "blocks": {BLOCK: "Not hers."}, "memories": [*hers["memories"], {
        **hers["memories"][0], "id": NOBODY.id, "text": "Not hers."}]}
    (tmp_path / "import").write_text(json.dumps({**before, "agents": {"ada": known, **{one: {} for one in others}}}))
    hippo("import", str(tmp_path / "import"), "--agent", "bob")
    assert knows("ada")["agents"] == before["agents"]
    ids = {one["id"] for part in ("memories", "messages") for one in hers[part]}
    assert not ids & {one["id"] for part in ("memories", "messages") for one in knows("bob")["agents"]["bob"][part]}


# Nothing is left out


def test_every_tool_resource_prompt_and_completion_is_tried(worlds: tuple[World, World]) -> None:
    def listed(method: str, part: str) -> list[dict[str, Any]]:
        answer = worlds[1].mcp(method)
        found: list[dict[str, Any]] = json.loads(answer[answer.index("data: ") + 6:])["result"][part]
        return found

    tools, prompts = listed("tools/list", "tools"), listed("prompts/list", "prompts")
    templates = [one["uriTemplate"] for one in listed("resources/templates/list", "resourceTemplates")]
    assert {one["name"] for one in tools} == set(TOOLS)
    assert {one["name"] for one in tools if "agent_id" not in one["inputSchema"]["properties"]} == {
        name for name in TOOLS if name in SHARED}
    assert {*(one["uri"] for one in listed("resources/list", "resources")), *templates} == set(RESOURCES)
    assert {one["name"] for one in prompts} == set(PROMPTS)
    assert {(one["name"], argument["name"]) for one in prompts for argument in one["arguments"]} | {
        (uri, uri[uri.index("{") + 1:-1]) for uri in templates} == COMPLETED


def test_every_route_is_tried(worlds: tuple[World, World]) -> None:
    answer = worlds[1].rest("GET /api/openapi.json")
    paths = json.loads(answer.partition("\n")[2])["paths"]
    routes = {f"{method.upper()} {path}": operation for path, methods in paths.items()
              for method, operation in methods.items()}
    assert set(routes) == set(ROUTES)
    assert {route for route, operation in routes.items() if '"agent_id"' not in json.dumps(operation)} == {
        route for route in ROUTES if route in SHARED - {"GET /api/agents"}}


def test_every_command_that_speaks_for_an_agent_is_tried() -> None:
    def speaks(name: str) -> bool:
        command = program.get_command(program.make_context("hippo", [name, "--help"], resilient_parsing=True), name)
        return command is not None and any("--agent" in option.opts for option in command.params)

    assert {name for name in COMMANDS if speaks(name)} == set(CALLS)
