"""A text within Markdown stays a text, whatever it holds."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from hippo.interfaces.exports.marks import blocks, bullet, heading, line, visible
from tests.interfaces.exports.dumps import nasty_text, texts
from tests.interfaces.exports.page import definitions, kinds, tokens

ACTIVE = {"html_block", "html_inline", "image", "blockquote_open", "ordered_list_open", "table_open", "hr", "code_block"}


@given(some.lists(nasty_text | texts, min_size=1, max_size=4))
@example(["`a\n<div>`"])
@example(["`", "a` <b> `c"])
@example(["`a\n\n<b>` c"])
@example(["\\``` a `` <b> ``"])
@example(["```a", "```"])
@example(["[x]: http://y.example"])
@example(["a\n---"])
@example(["a | b\n--- | ---"])
@example(["~~~"])
@example(["\ta", "    b", " \tc"])
@example([" ", "\n\n", " \n\n# "])
def test_a_list_of_any_texts_is_that_list_and_nothing_else(rows: list[str]) -> None:
    page = "".join(bullet(text, "(about)") + "\n" for text in rows) + "\n# End\n"
    found = kinds(page)
    assert found.count("bullet_list_open") == 1
    assert found.count("list_item_open") == len(rows)
    assert found.count("heading_open") == 1
    assert tokens(page)[-2].content == "End"
    assert not ACTIVE & set(found)
    assert not definitions(page)


@given(some.integers(1, 6), texts)
@example(1, "C #")
@example(2, "``` x")
@example(2, "a\n# b")
def test_a_heading_of_any_text_is_one_heading(level: int, text: str) -> None:
    page = heading(level, text) + "\n\nend\n"
    assert [token.type for token in tokens(page)] == [
        "heading_open", "inline", "heading_close", "paragraph_open", "inline", "paragraph_close"]
    assert not ACTIVE & set(kinds(page))


@given(texts)
def test_a_line_is_one_line_and_one_paragraph(text: str) -> None:
    assert "\n" not in line(text)
    assert not (ACTIVE | {"heading_open", "bullet_list_open", "fence"}) & set(kinds(line(text)))


@given(texts)
def test_blocks_stand_on_a_page_by_themselves(text: str) -> None:
    page = "\n\n".join(blocks(text)) + "\n\n# End\n"
    assert kinds(page).count("heading_open") == 1
    assert not (ACTIVE | {"bullet_list_open"}) & set(kinds(page))


@pytest.mark.parametrize("code", ["def f():\n    return 1", "```\n<b>\n```\nafter", "\ta\n\n\n\tb", "\n \n    a\n`````\n"])
def test_code_is_shown_as_it_is(code: str) -> None:
    shown = [token.content for token in tokens(bullet(code, "(about)")) if token.type == "fence"]
    assert shown == [code.removeprefix("\n \n").rstrip("\n") + "\n"]


@pytest.mark.parametrize(("text", "shown"), [
    ("plain words, 5 < 6 & a_b", "plain words, 5 < 6 & a_b"),
    ("use `Vec<T>` and **never** `<b>`", "use `Vec<T>` and **never** `<b>`"),
    ("see [the page](https://x.example) by a@b.example", "see [the page](https://x.example) by a@b.example"),
    ("C# and 5% and $5 and -5 and 1.5 and x[0]", "C# and 5% and $5 and -5 and 1.5 and x[0]"),
    ("<b>bold</b>", "\\<b>bold\\</b>"),
    ("![x](http://y.example)", "\\![x](http://y.example)"),
    ("![[note]]", "\\!\\[\\[note]]"),
    ("%%hidden%% $$x$$", "\\%\\%hidden\\%\\% \\$\\$x\\$\\$"),
    ("#work not C#", "\\#work not C#"),
    ("- milk\n- eggs", "\\- milk - eggs"),
    ("1. first", "1\\. first"),
    ("2024 was good", "2024 was good"),
    ("> quoted", "\\> quoted"),
    ("[ ] do it", "\\[ ] do it"),
    ("``` js", "\\``` js"),
    ("bell\x07 and \x1b[2J and \u202etfel", "bell\\x07 and \\x1b[2J and \\u202etfel"),
    ("  spaced \t\n out\r\n", "spaced out"),
])
def test_only_what_would_act_is_escaped(text: str, shown: str) -> None:
    assert line(text) == shown


def test_lines_and_paragraphs_stay_lines_and_paragraphs() -> None:
    assert blocks("Roses are red\r\nViolets are blue\n\n\n \nEnd") == ["Roses are red  \nViolets are blue", "End"]
    assert bullet("a\nb", "(about)") == "- a  \n  b\n\n  (about)"
    assert bullet("a", "(about)") == "- a (about)"


def test_what_cannot_be_seen_is_written_out_and_all_else_stays() -> None:
    assert visible("a\rb\r\nc\td") == "a\nb\nc\td"
    assert visible("\x00\x85\u2028\u2066\ufeff\U000e0041") == "\\x00\\x85\\u2028\\u2066\\ufeff\\U000e0041"
    kept = "👩‍👩‍👧 שלום\u200e 東京 e\u0301 \u200b"
    assert visible(kept) == kept


@pytest.mark.parametrize("unit", ["`", "`` ` ", "[", "[[", "<", "%", "$", "\\", "*", "_ ", "\n", "#", "- ", " \n", "a](", "\x07"])
def test_the_longest_texts_take_no_longer_than_they_should(unit: str) -> None:
    text = (unit * 50_000)[:50_000]
    started = time.process_time()
    bullet(text, "(about)")
    line(text)
    assert time.process_time() - started < 2.0
