"""The vocabulary."""

from __future__ import annotations

from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import brotli
import pytest

from hippo.codec.vocabulary import BOTH, FLIP, LEAD_MIN, LITERALS, SPACE, SPELLED, SYMBOLS, UPPER, inflected, vocabulary

SOURCE = Path(__file__).parent / "sources" / "words.txt"


def test_what_is_shipped_is_what_was_written() -> None:
    by_kind: dict[str, list[str]] = {}
    for line in SOURCE.read_text("utf-8").splitlines():
        kind, *words = line.split(" ")
        by_kind.setdefault(kind, []).extend(words)
    shipped = brotli.decompress(files("hippo.codec").joinpath("words.br").read_bytes()).decode()
    assert shipped == "".join(f"{kind} {' '.join(words)}\n" for kind, words in by_kind.items())


def test_codes_on_disk_keep_their_meaning() -> None:
    listed = b"\n".join(word + b" " + code for word, code in vocabulary().codes.items())
    assert blake2b(listed, digest_size=8).hexdigest() == "3432f19cd59f62d4"


def test_no_code_can_be_taken_for_another() -> None:
    codes = list(vocabulary().codes.values())
    assert len(codes) == len(set(codes)) == len(vocabulary().words) > 4_500
    single = {code[0] for code in codes if len(code) == 1}
    assert all(code[0] >= LEAD_MIN > code[1] for code in codes if len(code) == 2)
    marks = {FLIP, SPACE, BOTH, UPPER, SPELLED, *SYMBOLS}
    assert max(single) < LEAD_MIN
    assert not single & marks and not (single | marks) & LITERALS


def test_words_open_with_a_letter_and_hold_nothing_else_but_an_apostrophe() -> None:
    assert all(word[0].isalpha() and word.isascii() and word.replace("'", "").isalpha() for word in vocabulary().words)


@pytest.mark.parametrize(("kind", "stem", "forms"), [
    ("as", "children", "children"), ("noun", "city", "city cities"), ("noun", "day", "day days"),
    ("noun", "box", "box boxes"), ("verb", "walk", "walk walks walked walking"),
    ("verb", "bake", "bake bakes baked baking"), ("verb", "agree", "agree agrees agreed agreeing"),
    ("verb", "carry", "carry carries carried carrying"), ("verb", "tie", "tie ties tied tying"),
    ("doubling", "plan", "plan plans planned planning")])
def test_words_are_inflected_by_their_kind(kind: str, stem: str, forms: str) -> None:
    assert [word for _, word in inflected(kind, stem)] == forms.split(" ")
