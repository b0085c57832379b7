"""Reading an export line by line: the same as reading it whole, or nothing."""

from __future__ import annotations

import io
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.interfaces.exports.complete import encode
from hippo.interfaces.exports.lines import read_lines
from hippo.model.dump import AgentDump, Dump, MessageDump
from tests.interfaces.exports.dumps import agents, memory, names, whole

FULL = AgentDump(
    memories=[memory(1, "},\n],"), memory(2, ']]},\n"')], associations=[("00000001", "00000002", 0.1, 5)] * 2,
    blocks={'a:{"memories":[': '"},', "b": "],"}, relations=[("a", "]],", '"]'), ("c", "}", "{")],
    messages=[MessageDump(role="user", text="]}}}\n", created_at=5, id="0000000M")])


def written(dump: Dump) -> bytes:
    return b"".join(encode(dump))


def read(content: bytes) -> Dump | None:
    return read_lines(io.BytesIO(content))


@given(agents(), agents(), names, names)
def test_what_was_written_is_read(one: AgentDump, other: AgentDump, first: str, second: str) -> None:
    dump = Dump(seed=2**63 - 1, next_ordinal=2**40, agents={first: one, second: other})
    assert read(written(dump)) == dump


@pytest.mark.parametrize("name", ['a:{"memories":[b', ":{", "a\":{\"", "東京 ☕", "{}"])
def test_what_looks_like_the_layout_is_no_harm(name: str) -> None:
    dump = Dump(seed=1, next_ordinal=2, agents={name: FULL, "z": AgentDump(), "zz": FULL})
    assert read(written(dump)) == dump


@given(some.data())
def test_after_any_damage_it_gives_what_reading_it_whole_gives_or_nothing(draw: some.DataObject) -> None:
    content = bytearray(written(whole(FULL)))
    for _ in range(draw.draw(some.integers(1, 3))):
        at = draw.draw(some.integers(0, len(content) - 1))
        match draw.draw(some.sampled_from(["change", "remove", "repeat"])):
            case "change":
                content[at] = draw.draw(some.integers(0, 255))
            case "remove":
                del content[at:at + draw.draw(some.integers(1, 40))]
            case _:
                content[at:at] = content[at:at + draw.draw(some.integers(1, 40))]
    found = read(bytes(content))
    if found is not None:
        assert found == msgspec.json.decode(bytes(content), type=Dump)


def test_another_layout_is_left_to_others() -> None:
    content = written(whole(FULL))
    assert read(content) is not None
    assert read(json.dumps(json.loads(content)).encode()) is None
    assert read(content.replace(b"\n", b"\r\n")) is None
    assert read(content + b" ") is None
    assert read(content.replace(b'"version":1', b'"version":2')) is None
    assert read(written(Dump(seed=1, next_ordinal=1, agents={}))) is None
    assert read(b"") is None
