"""What a note says, passage by passage."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.interfaces.imports.passages import passages


def said(text: str, *, nested: bool = False) -> list[str]:
    return [passage.text for passage in passages(text, nested=nested)]


def test_a_paragraph_is_a_passage_and_an_item_is_one() -> None:
    text = "First\nparagraph.\n\nSecond.\n- one\n* two\n1. three\n\nLast."
    assert said(text) == ["First\nparagraph.", "Second.", "one", "two", "1. three", "Last."]


def test_an_item_holds_what_is_indented_below_it() -> None:
    text = "- Use tabs\n  - in Go\n  - not in Python\n\n  Because.\n- Next\nstill next\n\nNo item."
    assert said(text) == ["Use tabs\n- in Go\n- not in Python\n\nBecause.", "Next\nstill next", "No item."]


def test_nested_items_can_stand_by_themselves() -> None:
    assert said("- a\n  - b\n    - c\n- d", nested=True) == ["a", "b", "c", "d"]


def test_headings_are_what_passages_are_about() -> None:
    text = "# One #\na\n## Two\nb\n### C#\nc\n## Three\nd\n**Bold:**\n\ne\n\nFour\n====\nf\n\nFive\n---\ng"
    assert [(passage.headings, passage.text) for passage in passages(text)] == [
        (("One",), "a"), (("One", "Two"), "b"), (("One", "Two", "C#"), "c"), (("One", "Three"), "d\n**Bold:**"),
        (("One", "Three"), "e"), (("Four",), "f"), (("Four", "Five"), "g")]
    bold = "# One\n\n**Work**\n\na\n\n**Home**:\n\nb"
    assert [(passage.headings, passage.text) for passage in passages(bold)] == [
        (("One", "Work"), "a"), (("One", "Home"), "b")]


def test_code_is_kept_whole_and_belongs_to_what_it_follows() -> None:
    code = "```py\n# no heading\n\n- no item\n```"
    assert said(f"Run:\n\n{code}\n\nDone.") == [f"Run:\n\n{code}", "Done."]
    assert said(f"Said.\n\n{code}") == ["Said.", code]
    assert said(f"Said.\n{code}") == [f"Said.\n{code}"]
    assert said("~~~\n```\n~~~\nafter") == ["~~~\n```\n~~~\nafter"]
    assert said("- item\n\n  ```\n  x\n  ```\n- next") == ["item\n\n```\nx\n```", "next"]
    assert said("```\nnever closed\n\n# still code") == ["```\nnever closed\n\n# still code"]


def test_tables_and_quotations_are_passages() -> None:
    assert said("| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n> so") == ["| a | b |\n|---|---|\n| 1 | 2 |", "> said\n> so"]


def test_what_says_nothing_is_left_out() -> None:
    text = "***\n\n<!-- hidden\nstill hidden -->\n![pic](a.png)\n\n![[b.png]]\n\n- \n\n---\n\n…"
    assert said(text) == []


def test_scripts_without_spaces_and_emoji_are_passages() -> None:
    assert said("東京は大きい。\n\n- 🗼 が見える") == ["東京は大きい。", "🗼 が見える"]


def test_lines_are_counted_and_ends_of_lines_are_of_every_kind() -> None:
    found = list(passages("a\r\n\r\n- b\r\n- c", line=10))
    assert [(passage.line, passage.text, passage.is_item) for passage in found] == [
        (10, "a", False), (12, "b", True), (13, "c", True)]


def test_a_paragraph_is_kept_to_the_letter() -> None:
    assert said("two  spaces \t and\ttabs  \n  indented") == ["two  spaces \t and\ttabs  \n  indented"]


@given(st.text(alphabet="a#-*`>~<!|=. \n\t1[]", max_size=120), st.booleans())
def test_whatever_the_text_every_passage_is_part_of_it(text: str, nested: bool) -> None:
    for passage in passages(text, nested=nested):
        assert passage.text.strip()
        for line in passage.text.split("\n"):
            assert line.strip() in text


@pytest.mark.parametrize("unit", ["![", "[[", "# ", "* ", "- ", "> ", "`", "#a ", "[a](", "\t", "<!--", "a\n"])
def test_a_hostile_note_takes_no_more_time_than_its_length(unit: str) -> None:
    started = time.process_time()
    list(passages(unit * (200_000 // len(unit)) + "x"))
    assert time.process_time() - started < 10  # quadratic time would be hours
