"""The complete export gives back what was written, and says what is wrong with anything else."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.errors import ExportDamaged, ExportTooNew, NotAnExport
from hippo.interfaces.exports.complete import decode, encode
from hippo.limits import block_characters_max, send_piece_bytes, text_characters_max
from hippo.model.dump import AgentDump, Dump, MessageDump
from hippo.model.memory import Fidelity
from tests.interfaces.exports.dumps import NASTY, agents, memory, whole

FULL = AgentDump(
    memories=[memory(1, entity="Anna"), memory(2, "tea\nand milk", superseded_by="00000001", revision=True)],
    associations=[("00000001", "00000002", 0.1, 5)], blocks={"persona": "kind"}, relations=[("Anna", "likes", "tea")],
    messages=[MessageDump(role="user", text="hello", created_at=5, id="0000000M")])


def written(dump: Dump) -> bytes:
    return b"".join(encode(dump))


@given(agents(), agents())
def test_what_was_written_is_read_back_and_written_again_byte_for_byte(one: AgentDump, other: AgentDump) -> None:
    own = {row.id for row in one.memories} | {row.id for row in one.messages}
    other = msgspec.structs.replace(other, memories=[row for row in other.memories if row.id not in own],
                                    messages=[row for row in other.messages if row.id not in own])
    dump = Dump(seed=2**63 - 1, next_ordinal=2**40, agents={"b": one, "a": other})
    assert decode(written(dump)) == dump
    assert written(decode(written(dump))) == written(dump)


@given(agents())
def test_it_is_valid_json_with_one_memory_a_line(agent: AgentDump) -> None:
    content = written(whole(agent))
    assert list(json.loads(content)) == ["format", "version", "seed", "next_ordinal", "agents"]
    lines = content.split(b"\n")
    rows = [line.rstrip(b",]}") for line in lines if line.startswith(b'{"id":')]
    assert len(rows) == len(agent.memories)


def test_it_looks_like_this() -> None:
    assert written(whole(FULL)).decode() == """\
{"format":"hippo","version":1,"seed":7,"next_ordinal":9,"agents":{
"default":{"memories":[
{"id":"00000001","text":"Anna likes tea","entity":"Anna","created_at":1767229200000,"last_access":1767229200000,"stability":1.9},
{"id":"00000002","text":"tea\\nand milk","created_at":1767232800000,"last_access":1767232800000,"stability":1.9,"superseded_by":"00000001","revision":true}],
"associations":[
["00000001","00000002",0.1,5]],
"blocks":{
"persona":"kind"},
"relations":[
["Anna","likes","tea"]],
"messages":[
{"role":"user","text":"hello","created_at":5,"id":"0000000M"}]}}}
"""


def test_equal_dumps_give_equal_bytes_however_they_were_made() -> None:
    apart = [memory(1, salience=float("0.3"), kind="".join(["epi", "sode"]), intensity=float("0.30")), memory(1)]
    one, other = (Dump(seed=1, next_ordinal=1, agents=dict(rows)) for rows in (
        [("a", AgentDump(memories=apart[:1], blocks={"x": "1", "y": "2"})), ("b", AgentDump())],
        [("b", AgentDump()), ("a", AgentDump(memories=apart[1:], blocks={"y": "2", "x": "1"}))]))
    assert one == other
    assert written(one) == written(other)


def test_a_whole_number_where_a_float_belongs_is_written_as_a_float() -> None:
    agent = AgentDump(memories=[memory(1, salience=1, stability=2)], associations=[("00000001", "00000001", 1, 5)])
    content = written(whole(agent))
    assert b'"salience":1.0' in content
    assert b'"stability":2.0' in content
    assert written(decode(content)) == content


@pytest.mark.parametrize("text", [*NASTY, "x" * text_characters_max, "".join(NASTY), "\n" * 1000])
def test_texts_come_back_byte_for_byte(text: str) -> None:
    agent = AgentDump(memories=[memory(1, text)], blocks={text[:10].replace("\x1f", ""): text[:block_characters_max]})
    assert decode(written(whole(agent))).agents["default"] == agent


def test_a_file_is_read_as_well() -> None:
    assert decode(io.BytesIO(written(whole(FULL)))) == whole(FULL)


def test_it_may_be_written_differently_as_long_as_it_says_the_same() -> None:
    assert decode(json.dumps(json.loads(written(whole(FULL))), indent=2).encode()) == whole(FULL)


def test_writing_needs_no_second_copy() -> None:
    dump = whole(AgentDump(memories=[memory(number, "x" * 1000) for number in range(2000)]))
    tracemalloc.start()
    try:
        pieces = [len(piece) for piece in encode(dump)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(pieces) > 2_000_000
    assert max(pieces) < send_piece_bytes + 2000
    assert peak < 8 * send_piece_bytes


@pytest.mark.parametrize("content", [
    b"", b"{", b"nope", b"[]", b'"hippo"', b"{}", b'{"format":"other","version":1}', b"\xff\xfe{\x00",
    b'{"format":"hippo","version":1,"agents":' + b"[" * 100_000, written(whole(FULL))[:-9], written(whole(FULL)) + b"x",
    written(whole(FULL)).replace(b"Anna likes", b"Anna \xff likes"),
    written(whole(FULL)).replace(b"Anna likes", b"Anna \\ud800 likes")])
def test_what_is_no_export_is_refused(content: bytes) -> None:
    with pytest.raises(NotAnExport):
        decode(content)


def test_a_later_version_is_refused_by_name_whatever_it_holds() -> None:
    with pytest.raises(ExportTooNew, match="version 2; this release reads up to 1"):
        decode(b'{"format":"hippo","version":2,"brains":[]}')


@pytest.mark.parametrize("version", [b"0", b"-1", b"true", b'"1"', b"1.0", b"null", b"[]"])
def test_a_version_is_a_whole_number(version: bytes) -> None:
    with pytest.raises(ExportDamaged, match="`version`"):
        decode(written(whole(FULL)).replace(b'"version":1', b'"version":' + version))


@pytest.mark.parametrize(("section", "position", "change", "said"), [
    ("memories", 1, lambda row: {**row, "salience": "high"}, "memory 2 (id 00000002) of agent default: Expected `float`, got `str` - at `$.salience`"),
    ("memories", 1, lambda row: {**row, "salience": 1.5}, "memory 2 (id 00000002) of agent default: Expected `float` <= 1.0 - at `$.salience`"),
    ("memories", 0, lambda row: {**row, "access_count": 1.0}, "memory 1 (id 00000001) of agent default: Expected `int`, got `float` - at `$.access_count`"),
    ("memories", 0, lambda row: {**row, "protected": 1}, "memory 1 (id 00000001) of agent default: Expected `bool`, got `int` - at `$.protected`"),
    ("memories", 0, lambda row: {**row, "mood": "good"}, "memory 1 (id 00000001) of agent default: Object contains unknown field `mood`"),
    ("memories", 0, lambda row: {**row, "agent_id": "other"}, "unknown field `agent_id`"),
    ("memories", 0, lambda row: {**row, "text": ""}, "memory 1 (id 00000001) of agent default: Expected `str` of length >= 1 - at `$.text`"),
    ("memories", 0, lambda row: {**row, "text": "x" * 50_001}, "length <= 50000"),
    ("memories", 0, lambda row: {**row, "tags": ["a\x1fb"]}, "`$.tags[0]`"),
    ("memories", 0, lambda row: {**row, "tier": "tepid"}, "`$.tier`"),
    ("memories", 0, lambda row: {**row, "superseded_by": "00000001x"}, "`$.superseded_by`"),
    ("memories", 0, lambda row: {**row, "created_at": 10**18}, "`$.created_at`"),
    ("memories", 0, lambda row: {**row, "revision": True}, "`superseded_by`"),
    ("memories", 0, lambda row: {**row, "fidelity": {"rouge_l": 2, "char_similarity": 1, "semantic": 1}}, "each measure of `fidelity`"),
    ("memories", 1, lambda row: {key: value for key, value in row.items() if key != "id"}, "memory 2 of agent default: Object missing required field `id`"),
    ("memories", 0, lambda row: None, "memory 1 of agent default: Expected `object`, got `null`"),
    ("memories", 0, lambda row: {**row, "id": "00000002"}, "memory 2 of agent default: the id 00000002 comes twice"),
    ("associations", 0, lambda row: [*row[:2], 1.5, 5], "association 1 of agent default: Expected `float` <= 1.0 - at `$[2]`"),
    ("associations", 0, lambda row: row[:3], "association 1 of agent default: Expected `array` of length 4"),
    ("relations", 0, lambda row: ["Anna", 1, "tea"], "relation 1 of agent default: Expected `str`, got `int` - at `$[1]`"),
    ("blocks", "persona", lambda row: 5, "block persona of agent default: Expected `str`, got `int`"),
    ("relations", 0, lambda row: ["Anna", "likes\x1fmore", "tea"], "relation 1 of agent default: Expected `str` matching"),
    ("blocks", "persona", lambda row: "x" * 8_001, "block persona of agent default: Expected `str` of length <= 8000"),
    ("messages", 0, lambda row: {**row, "id": "x"}, "message 1 (id x) of agent default: Expected `str` matching"),
    ("messages", 0, lambda row: {**row, "text": "x" * 50_001}, "message 1 (id 0000000M) of agent default: Expected `str` of length <= 50000"),
    ("messages", 0, lambda row: {**row, "role": ""}, "message 1 (id 0000000M) of agent default: Expected `str` of length >= 1"),
    ("messages", 0, lambda row: {**row, "id": "00000002"}, "message 1 of agent default: the id 00000002 comes twice"),
    ("messages", 0, lambda row: {**row, "role": None}, "message 1 (id 0000000M) of agent default: Expected `str`, got `null` - at `$.role`"),
])
def test_a_row_that_is_wrong_is_named(section: str, position: int | str, change: Callable[[object], object], said: str) -> None:
    content = json.loads(written(whole(FULL)))
    rows = content["agents"]["default"][section]
    rows[position] = change(rows[position])
    with pytest.raises(ExportDamaged) as refused:
        decode(json.dumps(content).encode())
    assert said in refused.value.message


@pytest.mark.parametrize(("old", "new", "said"), [
    (b'"seed":7,', b"", "`seed`"), (b'"seed":7', b'"seed":-7', "`$.seed`"), (b'"seed":7', b'"sead":7', "`sead`"),
    (b'"relations":[', b'"relation":[', "`relation`"), (b'"default":', b'"":', "agents"),
    (b'"stability":1.9', b'"stability":1e999', "memory 1 (id 00000001) of agent default: Number out of range"),
])
def test_what_is_wrong_around_the_rows_is_named(old: bytes, new: bytes, said: str) -> None:
    with pytest.raises(ExportDamaged) as refused:
        decode(written(whole(FULL)).replace(old, new, 1))
    assert said in refused.value.message


def test_one_id_of_two_agents_is_refused() -> None:
    dump = Dump(seed=1, next_ordinal=2, agents={"a": AgentDump(memories=[memory(1)]), "b": AgentDump(memories=[memory(1)])})
    with pytest.raises(ExportDamaged, match="memory 1 of agent b: the id 00000001 comes twice"):
        decode(written(dump))


@given(some.data())
def test_any_damage_gives_a_dump_or_an_error_of_ours(draw: some.DataObject) -> None:
    content = bytearray(written(whole(FULL)))
    for _ in range(draw.draw(some.integers(1, 3))):
        content[draw.draw(some.integers(0, len(content) - 1))] = draw.draw(some.integers(0, 255))
    with suppress(NotAnExport, ExportTooNew, ExportDamaged):
        assert isinstance(decode(bytes(content)), Dump)


def test_a_fidelity_is_kept_exactly() -> None:
    agent = AgentDump(memories=[memory(1, lossless=False, tier="cool", fidelity=Fidelity(0.9, 1 / 3, 0.995))])
    assert decode(written(whole(agent))).agents["default"] == agent
