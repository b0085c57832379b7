"""The table of formats: one agent each, the same bytes each time, words where there is nothing."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given

from hippo.interfaces.exports import FORMATS
from hippo.limits import send_piece_bytes
from hippo.model.dump import AgentDump, Dump
from tests.interfaces.exports.dumps import agents, memory

READABLE = [name for name in FORMATS if name != "json"]


def written(form: str, dump: Dump, agent: str = "default") -> bytes:
    content = b"".join(FORMATS[form].write(dump, agent))
    if form != "obsidian":
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def test_the_formats_are_those_of_the_tool() -> None:
    assert list(FORMATS) == ["claude-md", "markdown", "json", "wire", "obsidian"]


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_of_one_agent(form: str) -> None:
    dump = Dump(seed=1, next_ordinal=3, agents={
        "default": AgentDump(memories=[memory(1, "mine")]), "other": AgentDump(memories=[memory(2, "theirs")], blocks={"theirs": "theirs"})})
    assert b"mine" in written(form, dump)
    assert b"theirs" not in written(form, dump)
    assert b"other" not in written(form, dump)


@pytest.mark.parametrize("form", READABLE)
def test_an_export_of_nothing_says_so_in_words(form: str) -> None:
    assert b"Nothing has been remembered here yet." in written(form, Dump(seed=1, next_ordinal=0, agents={}))


def test_a_complete_export_of_nothing_is_complete() -> None:
    assert json.loads(written("json", Dump(seed=1, next_ordinal=0, agents={})))["agents"]["default"]["memories"] == []


@pytest.mark.parametrize("form", FORMATS)
@given(agent=agents())
def test_the_same_dump_gives_the_same_bytes(form: str, agent: AgentDump) -> None:
    dump = Dump(seed=1, next_ordinal=3, agents={"default": agent})
    assert b"".join(FORMATS[form].write(dump, "default")) == b"".join(FORMATS[form].write(dump, "default"))


@pytest.mark.parametrize("form", ["markdown", "json", "wire"])
def test_a_long_export_comes_in_pieces(form: str) -> None:
    dump = Dump(seed=1, next_ordinal=3, agents={"default": AgentDump(memories=[memory(number, "x" * 1000) for number in range(300)])})
    pieces = list(FORMATS[form].write(dump, "default"))
    assert len(pieces) > 3
    assert all(len(piece) < send_piece_bytes + 2000 for piece in pieces)


@pytest.mark.parametrize("form", READABLE)
def test_only_what_holds_now_can_be_read(form: str) -> None:
    rows = [memory(1, "present"), memory(2, "past", superseded_by="00000001"), memory(3, "past", archived_at=5),
            memory(4, "past", superseded_by="00000001", revision=True)]
    content = written(form, Dump(seed=1, next_ordinal=5, agents={"default": AgentDump(memories=rows)}))
    assert b"present" in content
    assert b"past" not in content
