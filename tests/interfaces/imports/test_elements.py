"""The elements of a JSON array while it is read: the same as json has them, whatever happens to the file."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo import limits
from hippo.interfaces.imports.elements import Broken, elements

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(['"', "\\", "]}", '\\"{[', "🗼"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4), max_leaves=12)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), max_size=5)


class Dribble:
    """A stream that gives a few bytes at a time, whatever it is asked for."""

    def __init__(self, raw: bytes, size: int) -> None:
        self._raw, self._size = io.BytesIO(raw), size

    def read(self, size: int, /) -> bytes:
        return self._raw.read(min(size, self._size))


def read(raw: bytes, size: int = 1 << 20) -> list[Any]:
    return [one if isinstance(one, Broken) else json.loads(one) for one in elements(Dribble(raw, size))]


@given(OBJECTS, st.integers(1, 50), st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=300)
def test_the_elements_are_those_that_json_finds(rows: list[Any], size: int, indent: int | None, ascii: bool) -> None:
    raw = json.dumps(rows, indent=indent, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    assert read(raw, size) == rows


@given(OBJECTS.filter(bool), st.integers(1, 50))
def test_objects_may_stand_a_line_each(rows: list[Any], size: int) -> None:
    assert read("\n".join(map(json.dumps, rows)).encode(), size) == rows


@given(OBJECTS.filter(bool), st.data())
def test_a_torn_file_gives_what_is_whole_and_says_so(rows: list[Any], data: st.DataObject) -> None:
    raw = json.dumps(rows).encode()
    found = read(raw[:data.draw(st.integers(1, len(raw) - 1))])
    assert isinstance(found[-1], Broken)
    assert found[:-1] == rows[:len(found) - 1]


@given(st.binary(max_size=200))
def test_whatever_the_bytes_it_ends_and_says_what_is_wrong(raw: bytes) -> None:
    assert all(isinstance(one, bytes | Broken) for one in elements(io.BytesIO(raw)))


def test_an_element_with_a_fault_inside_keeps_no_other_back() -> None:
    found = list(elements(io.BytesIO(b'[{"a": 1}, {"b": nonsense}, {"c": 3}]')))
    assert found == [b'{"a": 1}', b'{"b": nonsense}', b'{"c": 3}']


def test_what_is_no_object_is_named() -> None:
    assert read(b'[{"a": 1}, oops, {"b": 2}]') == [{"a": 1}, Broken("It is no object: oops"), {"b": 2}]
    assert read(b"not json at all") == [Broken("The file ends in the middle of it.")]
    assert read(b'}{"a": 1}') == [Broken("A bracket closes nothing: }"), {"a": 1}]


def test_a_byte_order_mark_and_blank_space_are_no_trouble() -> None:
    assert read(b'\xef\xbb\xbf\r\n  [ {"a": 1} ,\n {"b": 2} ]\n ') == [{"a": 1}, {"b": 2}]
    assert read(b"") == []
    assert read(b"[]") == []


def test_an_element_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_element_bytes_max", 200)
    long = {"list": [{"n": n} for n in range(100)]}
    found = read(json.dumps([{"a": 1}, long, {"b": 2}]).encode(), 16)
    assert found == [{"a": 1}, Broken("It has more than 200 bytes."), {"b": 2}]


def test_a_text_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_element_bytes_max", 1_000_000)
    found = read(b'[{"a": 1}, {"b": "' + b"x" * 5_000_000)
    assert found[0] == {"a": 1}
    assert found[1] == Broken("It cannot be read further: what comes next has more than 1000000 bytes.")


def test_no_more_is_held_than_a_few_elements() -> None:
    class Endless:
        left = 3_000

        def read(self, size: int, /) -> bytes:
            self.left -= 1
            return b'{"text": "' + b"x" * 20_000 + b'"},' if self.left > 0 else b""

    tracemalloc.start()
    count = sum(isinstance(one, bytes) for one in elements(Endless()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_999
    assert peak < 2_000_000


def test_a_stream_that_fails_ends_with_the_reason() -> None:
    class Failing:
        def __init__(self) -> None:
            self.pieces = [b'[{"a": 1}, {']

        def read(self, size: int, /) -> bytes:
            if self.pieces:
                return self.pieces.pop()
            raise OSError(5, "Input/output error")

    found = list(elements(Failing()))
    assert found[0] == b'{"a": 1}'
    assert isinstance(found[1], Broken)
    assert "Input/output error" in found[1].why
