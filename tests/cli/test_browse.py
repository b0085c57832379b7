"""hippo inspect, hippo memories and hippo agents."""

from __future__ import annotations

from hippo.errors import MemoryNotFound
from tests.cli.commands import hippo


def listed(folder, *options: str) -> list[dict[str, object]]:
    return list(hippo("memories", "--json", *options, folder=folder).json["memories"])


def test_inspect_shows_the_text_as_it_is_and_its_facts(filled):
    id = next(row["id"] for row in listed(filled) if str(row["text"]).startswith("Meeting"))
    shown = hippo("inspect", str(id), folder=filled).out
    assert shown.startswith("Meeting notes\nfirst line\nsecond line\n\n")
    assert "\nconversation: c1\n" in shown
    assert "\nstability: " in shown


def test_an_id_may_be_typed_in_lower_case(filled):
    id = str(listed(filled)[0]["id"])
    assert hippo("inspect", id.lower(), "--json", folder=filled).json["id"] == id


def test_a_long_text_is_shown_page_by_page(served):
    folder, _ = served
    text = "".join(f"{number:05} " for number in range(300))
    id = hippo("remember", folder=folder, stdin=text).out.split()[0]
    first = hippo("inspect", id, "--max-chars", "1000", folder=folder)
    assert first.out.startswith(text[:1000] + "\n")
    assert f"hippo inspect {id} --offset 1000" in first.err
    rest = hippo("inspect", id, "--offset", "1000", "--json", folder=folder).json
    assert rest["text"] == text[1000:]


def test_another_agent_s_memory_is_not_there(filled):
    id = str(listed(filled, "--agent", "french")[0]["id"])
    ran = hippo("inspect", id, folder=filled)
    assert (ran.code, ran.out) == (MemoryNotFound.exit_code, "")
    assert hippo("inspect", "nonsense", folder=filled).code in (MemoryNotFound.exit_code, 64)


def test_memories_come_newest_first_page_by_page(filled):
    everything = [row["id"] for row in listed(filled)]
    first = hippo("memories", "--limit", "3", "--json", folder=filled).json
    second = hippo("memories", "--limit", "3", "--before", first["next"], "--json", folder=filled).json
    assert [row["id"] for row in first["memories"] + second["memories"]] == everything
    assert (len(everything), second["next"]) == (4, None)


def test_people_see_one_line_for_each_memory_and_how_to_go_on(filled):
    ran = hippo("memories", "--limit", "3", folder=filled)
    assert len(ran.out.splitlines()) == 3
    assert "Meeting notes first line second line" in ran.out
    assert "hippo memories --before " in ran.err


def test_a_text_cannot_steer_the_terminal(served):
    folder, _ = served
    id = hippo("remember", "--agent", "steering", folder=folder, stdin="red \x1b[31m\x07 \u202e end").out.split()[0]
    for command in (("memories",), ("recall", "red"), ("inspect", id), ("search", "end")):
        ran = hippo(*command, "--agent", "steering", folder=folder)
        assert "red \\x1b[31m\\x07 \\u202e end" in ran.out
        assert not set(ran.out) & set("\x1b\x07\u202e")


def test_agents_are_listed_with_how_much_they_know(filled):
    assert hippo("agents", "--json", folder=filled).json == {"agents": [
        {"agent_id": "default", "memories": 4}, {"agent_id": "french", "memories": 1}]}
    assert hippo("agents", folder=filled).out.splitlines() == ["agent    memories", "default         4",
                                                               "french          1"]
