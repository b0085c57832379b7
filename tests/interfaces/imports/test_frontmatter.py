"""The fields of a note, as programs write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.interfaces.imports.frontmatter import Field, listed, read_front, single

FIXTURES = Path(__file__).parent / "fixtures"


def fields(*lines: str) -> dict[str, Field]:
    return read_front("\n".join(["---", *lines, "---", "body"])).fields


@pytest.mark.parametrize(("lines", "meant"), [
    (["a: plain text"], "plain text"),
    (["a: plain # and why"], "plain"),
    (["a: C# and #tag"], "C# and"),
    (["a: 12:30"], "12:30"),
    (["a: 'it''s \"so\"' # why"], "it's \"so\""),
    (['a: "tab\\t, quote\\", \\u6771\\x41\\U0001F5FC"'], 'tab\t, quote", 東A🗼'),
    (["a: folded over", "  two lines"], "folded over two lines"),
    (["a: 'folded over", "  two lines'"], "folded over two lines"),
    (['a: "folded over\\', '  \\ two lines"'], "folded over two lines"),
    (["a: |", "  first", "  second"], "first\nsecond"),
    (["a: >-", "  first", "  second"], "first second"),
    (["a:", "- one", "- 'two, three'"], ["one", "two, three"]),
    (["a:", "  - one", "  -", "  - 2"], ["one", "2"]),
    (["a: [one, 'two, three', \"four\"]"], ["one", "two, three", "four"]),
    (["a: [one,", "  two]"], ["one", "two"]),
    (["a: 2024-02-29"], "2024-02-29"),
    (["A: capital"], "capital"),
])
def test_a_field_is_a_text_or_a_list(lines: list[str], meant: Field) -> None:
    assert fields(*lines)["a"] == meant


@pytest.mark.parametrize("lines", [
    ["a:"], ["a: ~"], ["a: null"], ["a: {b: c}"], ["a: &x 1"], ["a:", "  b: c"], ["# a: comment"], ["- a"], ["a:b"],
    ["https://example.com"]])
def test_what_says_nothing_or_is_nested_is_passed_over(lines: list[str]) -> None:
    assert "a" not in fields(*lines)


def test_the_body_follows_with_its_line() -> None:
    front = read_front("---\ntitle: x\n---\nfirst\nsecond")
    assert (front.body, front.line) == ("first\nsecond", 4)
    assert read_front("---\r\ntitle: x\r\n---\r\nfirst").body == "first"


@pytest.mark.parametrize("text", ["", "no fields", "---\nnever: ends\n", "----\na: b\n----\n", " ---\na: b\n---"])
def test_without_both_lines_all_is_body(text: str) -> None:
    assert read_front(text) == ({}, text, 1)


def test_what_basic_memory_wrote_is_read() -> None:
    titles = {str(read_front(path.read_text("utf-8")).fields["title"])
              for path in (FIXTURES / "basic-memory").rglob("*.md")}
    assert titles == {
        "Coffee Brewing Methods", "東京メモ: 会議室 🗼",
        "A title with: a colon, 'single' and \"double\" quotes, which is so long that the frontmatter writer folds it"
        " over two lines"}


def test_lists_and_texts_stand_for_each_other() -> None:
    assert listed("a, b,,c ") == ["a", "b", "c"]
    assert listed(["a", " "]) == ["a"]
    assert listed(None) == []
    assert single(["a", "b"]) == "a, b"
    assert single(" ") is None


@given(st.text(alphabet="-:a \n'\"[]#\\|>{}&!,~", max_size=120))
def test_nothing_is_an_error(text: str) -> None:
    front = read_front(f"---\n{text}\n---\nbody")
    assert front.body.endswith("body")
