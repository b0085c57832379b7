"""A vault: a note for each entity, day and block, which link to each other, wherever it is unpacked."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest
from hypothesis import given

from hippo.interfaces.exports.obsidian import as_zip, vault
from hippo.model.dump import AgentDump
from tests.interfaces.exports.dumps import agents, memory

yaml = pytest.importorskip("yaml")

HOME = AgentDump(
    memories=[
        memory(1, entity="Anna", entity_type="person", kind="preference", tags=("drinks", "hot stuff")),
        memory(2, "Went to 東京 with anna", tags=("2026", "a//b.c")),
        memory(3, "東京は大きい", entity="東京"),
        memory(4, "drinks coffee now", entity="ANNA", superseded_by="00000005"),
        memory(5, "reads, and asks about New York", entity="anna"),
        memory(20, "It rained")],
    blocks={"persona": "I am kind\nto all", "CON": "a device"},
    relations=[("Anna", "likes", "Tea"), ("東京", "in", "日本")])


def notes(dump: AgentDump) -> dict[str, str]:
    return dict(vault(dump))


def properties(note: str) -> dict[str, Any]:
    front = note.removeprefix("---\n").partition("\n---\n")[0]
    found = yaml.safe_load(front)
    assert isinstance(found, dict)
    return found


def test_there_is_a_note_for_each_entity_day_and_block() -> None:
    assert list(notes(HOME)) == [
        "Index.md", "Entities/Anna.md", "Entities/東京.md", "Entities/Tea.md", "Entities/日本.md", "Days/2026-01-01.md",
        "Blocks/_CON.md", "Blocks/persona.md"]


def test_an_entity_has_its_relations_and_what_holds_now() -> None:
    assert notes(HOME)["Entities/Anna.md"] == """\
---
entity: "Anna"
type: "person"
aliases:
  - "Anna"
kinds:
  - "episode"
  - "preference"
tags:
  - "drinks"
  - "hot-stuff"
ids:
  - "00000001"
  - "00000005"
---
# Anna

## Relations

- likes → [[Entities/Tea|Tea]]

## Memories

- Anna likes tea (preference · 2026-01-01 · tags drinks, hot stuff · [[Entities/Tea|Tea]]) ^00000001
- reads, and asks about New York (episode · 2026-01-01) ^00000005
"""


def test_a_day_has_what_has_no_entity_and_links_to_whom_it_names() -> None:
    note = notes(HOME)["Days/2026-01-01.md"]
    assert properties(note) == {"date": "2026-01-01", "kinds": ["episode"], "tags": ["_2026", "a/b-c"], "ids": ["00000002", "00000020"]}
    assert "- Went to 東京 with anna (episode · 2026-01-01 · tags 2026, a//b.c · [[Entities/東京|東京]] · [[Entities/Anna|Anna]]) ^00000002\n" in note
    assert note.endswith("- It rained (episode · 2026-01-01) ^00000020\n")


def test_a_block_is_a_note() -> None:
    assert notes(HOME)["Blocks/_CON.md"] == '---\nblock: "CON"\n---\n# CON\n\na device\n'


def test_the_index_links_to_every_other_note() -> None:
    index = notes(HOME)["Index.md"]
    assert [f"{path}.md" for path in re.findall(r"\[\[([^|]+)\|", index)] == list(notes(HOME))[1:]


def test_a_vault_of_nothing_says_so() -> None:
    assert notes(AgentDump()) == {"Index.md": "# What hippo remembers\n\nNothing has been remembered here yet.\n"}
    gone = AgentDump(memories=[memory(1, archived_at=5), memory(2, superseded_by="00000001")])
    assert "superseded or archived" in notes(gone)["Index.md"]


def test_names_that_would_be_one_file_have_their_own() -> None:
    names = ["日本", "日本語", "日本?", "日本*", "Anna", "Ánna", "a:b", "a/b", "nul", "\x00", "Anna " + "x" * 190, "Anna " + "x" * 190 + "y"]
    dump = AgentDump(memories=[memory(number, "x", entity=name) for number, name in enumerate(names)])
    entities = [path for path in notes(dump) if path.startswith("Entities/")]
    assert len({path.casefold() for path in entities}) == len(names)
    assert entities[:2] == ["Entities/日本.md", "Entities/日本語.md"]


def test_what_someone_said_makes_no_link_tag_or_comment() -> None:
    said = "[[Secret]] ![[Secret]] #tag %%gone%% $$x$$"
    dump = AgentDump(memories=[memory(1, said, kind="[[kind]]", tags=("[[t]]",), entity="[[E]]")], blocks={"[[b]]": said})
    for note in notes(dump).values():
        body = note.rpartition("\n---\n")[2]
        links = re.findall(r"(?<!\\)\[\[([^|]*)", body)
        assert all(link.startswith(("Entities/", "Blocks/")) for link in links)
        assert "%%" not in body
        assert "$$" not in body
        assert not re.search(r"(?<!\S)#\S", re.sub(r"^#+ ", "", body, flags=re.MULTILINE))


@given(agents())
def test_any_vault_has_distinct_paths_sound_properties_and_links_that_lead_somewhere(dump: AgentDump) -> None:
    found = list(vault(dump))
    assert len({path.casefold() for path, _ in found}) == len(found)
    assert list(vault(dump)) == found
    files = {path for path, _ in found}
    for path, note in found:
        note.encode()
        if path != "Index.md":
            front = properties(note)
            assert front.get("ids") is None or note.count(" ^") >= len(front["ids"])
        if path.startswith("Entities/"):
            assert front["entity"] in {memory.entity for memory in dump.memories} | {name for row in dump.relations for name in row}
    for link in re.findall(r"\[\[((?:Entities|Days|Blocks)/[^|]+)\|", dict(found)["Index.md"]):
        assert f"{link}.md" in files


@pytest.mark.parametrize("name", ["line\nend", 'quote " and \\', "\x00\x07\x7f\x85", "\u2028\u202e\ufeff", "colon: - # ? {", "👩‍👩‍👧 东京", "yes", "2026-01-01"])
def test_properties_hold_any_name(name: str) -> None:
    (_, note) = list(vault(AgentDump(memories=[memory(1, "x", entity=name, kind=name)])))[1]
    assert properties(note)["entity"] == name
    assert properties(note)["kinds"] == [name]


def test_an_archive_holds_the_notes_and_is_always_the_same() -> None:
    content = b"".join(as_zip(vault(HOME)))
    assert content == b"".join(as_zip(vault(HOME)))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert {entry.filename: archive.read(entry).decode() for entry in archive.infolist()} == notes(HOME)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_an_archive_comes_piece_by_piece() -> None:
    asked: list[int] = []

    def files() -> Any:
        for number in range(5):
            asked.append(number)
            yield f"{number}.md", "x" * 100
    pieces = as_zip(files())
    assert next(pieces)
    assert asked == [0]
    assert b"".join(pieces)
    assert asked == [0, 1, 2, 3, 4]
