"""Texts as people give them."""

from __future__ import annotations

import io
import sys

import pytest

from hippo.cli.typed import decoded, typed
from hippo.errors import EmptyText
from tests.cli.scripted import Terminal


def pipe(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def test_several_words_are_one_text():
    assert typed(["the", "blue", "door"]) == "the blue door"


@pytest.mark.parametrize("words", [(), ("-",), ["-"]])
def test_what_is_piped_loses_only_the_line_end_that_closes_it(monkeypatch, words):
    pipe(monkeypatch, b" two\r\nlines \r\n")
    assert typed(words) == " two\r\nlines "


def test_bytes_that_are_no_text_become_halves_of_surrogates():
    assert decoded(b"caf\xe9") == "caf\udce9"


@pytest.mark.parametrize("words", [("",), (" ", "\n"), (), ("-",)])
def test_what_says_nothing_is_no_text(monkeypatch, words):
    pipe(monkeypatch, b" \n\n")
    with pytest.raises(EmptyText):
        typed(words)


@pytest.mark.parametrize("stream", [Terminal(""), None])
def test_where_nobody_pipes_anything_in_there_is_no_text(monkeypatch, stream):
    monkeypatch.setattr(sys, "stdin", stream)
    with pytest.raises(EmptyText):
        typed(())
