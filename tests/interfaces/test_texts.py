"""Results as text: short, in the format asked for, and never longer than a client takes."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo.interfaces.mcp import texts
from hippo.model.recollection import Answer, Why
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, Recall, Remember
from tests.interfaces.playing import ANSWERS, memory


def test_full_says_all_that_helps_to_judge() -> None:
    row = memory(why=Why("spread", path=("A", "B")), stale=True, lossless=False)
    text, _ = texts.answer_text(Answer(results=[row]), Recall(cue="x"))
    assert text.splitlines()[0] == (
        "1. 00000001 (fact · Anna · 2026-01-01 · tags drinks · confidence 0.80 · reached through A → B · abridged · "
        "stale: newer observations exist)")
    assert text.splitlines()[1] == "Anna likes tea"


@pytest.mark.parametrize(("form", "shown"), [
    ("compact", "- Anna likes tea [00000001, 2026-01-01]"),
    ("wire", "id|created|confidence|kind|entity|text\n00000001|2026-01-01|0.80|fact|Anna|Anna likes tea"),
    ("index", "00000001 fact · Anna · 2026-01-01 · drinks · 14 characters"),
])
def test_the_other_formats_are_one_line_for_each_memory(form: str, shown: str) -> None:
    text, answer = texts.answer_text(Answer(results=[memory()]), Recall(cue="x", format=form))  # type: ignore[arg-type]
    assert text == shown
    assert answer.results[0].text == "Anna likes tea"


def test_wire_keeps_one_memory_on_one_line() -> None:
    text, _ = texts.answer_text(Answer(results=[memory(text="a\nb\\c|d")]), Recall(cue="x", format="wire"))
    assert text.splitlines()[1].endswith("|a\\nb\\\\c|d")


def test_an_empty_answer_says_so_in_words() -> None:
    assert texts.answer_text(Answer(results=[], note="Nothing yet."), Recall(cue="x"))[0] == "Nothing yet."
    assert texts.answer_text(Answer(results=[]), Recall(cue="x"))[0]


def test_an_alert_is_the_last_line() -> None:
    text, _ = texts.answer_text(Answer(results=[memory()], alert="over budget"), Recall(cue="x"))
    assert text.splitlines()[-1] == "⚠ over budget"
    assert texts.stored_text(Stored(id="A", alert="full"), Remember(text="x"))[0] == "Stored as A.\n⚠ full"


@settings(max_examples=200, deadline=None)
@given(lengths=some.lists(some.integers(1, 3_000), min_size=1, max_size=50), room=some.integers(500, 5_000),
       form=some.sampled_from(["full", "compact", "wire", "index"]),
       note=some.none() | some.just("Nothing close to this is known; these are the nearest."))
def test_text_fits_and_what_is_left_out_can_be_had(lengths: list[int], room: int, form: str, note: str | None) -> None:
    rows = [memory(number, "x" * length) for number, length in enumerate(lengths, 1)]
    whole = Answer(results=rows, note=note)
    text, cut = texts.answer_text(whole, Recall(cue="x", format=form, max_chars=room))  # type: ignore[arg-type]
    assert len(text) <= room
    if cut is whole:
        return
    shown = [row.id for row in cut.results]
    assert shown == [row.id for row in rows[:len(shown)]]
    assert cut.note is not None
    if len(shown) < len(rows):
        assert f"{len(shown)} of {len(rows)} results fit" in cut.note
        assert rows[len(shown)].id in cut.note
    for row, given_row in zip(cut.results, rows, strict=False):
        if row.text != given_row.text:
            offset = re.search(r"offset=(\d+)", cut.note)
            assert offset is not None
            assert row.text == given_row.text[:int(offset[1])]


def test_bytes_are_said_as_people_read_them() -> None:
    assert [texts.size(count) for count in (0, 999, 1_000, 1_500_000, 2_000_000_000)] == [
        "0 B", "999 B", "1.0 kB", "1.5 MB", "2.0 GB"]


@settings(max_examples=100, deadline=None)
@given(length=some.integers(1, 8_000), offset=some.integers(0, 9_000), room=some.integers(1_000, 5_000), ends=some.booleans())
def test_a_long_memory_is_inspected_page_by_page(length: int, offset: int, room: int, ends: bool) -> None:
    page = msgspec.structs.replace(
        ANSWERS["inspect"], text="x" * length, offset=offset, characters=offset + length + (not ends),
        next_offset=None if ends else offset + length, alert="over budget")
    text, shown = texts.inspection_text(page, Inspect(id="00000001", max_chars=room))
    assert len(text) <= room
    assert text.endswith("\n⚠ over budget")
    assert page.text.startswith(shown.text) and shown.text
    if shown is page:
        return
    assert shown.next_offset == offset + len(shown.text)
    assert f'inspect(id="00000001", offset={shown.next_offset}) goes on.' in text
