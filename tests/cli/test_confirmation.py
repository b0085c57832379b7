"""The question before something is erased."""

from __future__ import annotations

import sys

import pytest

from hippo.cli.confirmation import confirm
from hippo.errors import NobodyToAsk, NotConfirmed
from tests.cli.scripted import Terminal, at_a_terminal


@pytest.mark.parametrize("typed", ["y\n", "Y\n", "yes\n", " YES \n"])
def test_only_a_yes_is_a_yes(monkeypatch, typed):
    shown = at_a_terminal(monkeypatch, typed)
    confirm("Forget this memory for good?", yes=False)
    assert shown.getvalue() == "Forget this memory for good? [y/N] "


@pytest.mark.parametrize("typed", ["\n", "n\n", "no\n", "yep\n", "ja\n", "", "y y\n"])
def test_anything_else_and_nothing_at_all_is_a_no(monkeypatch, typed):
    at_a_terminal(monkeypatch, typed)
    with pytest.raises(NotConfirmed):
        confirm("Forget it?", yes=False)


@pytest.mark.parametrize("name", ["stdin", "stderr"])
def test_where_either_stream_is_no_terminal_nobody_is_asked(monkeypatch, name):
    at_a_terminal(monkeypatch, "y\n")
    monkeypatch.setattr(sys, name, None)
    with pytest.raises(NobodyToAsk) as refused:
        confirm("Forget it?", yes=False)
    assert refused.value.message.startswith("Forget it?")
    assert "--yes" in refused.value.advice


def test_what_was_answered_beforehand_is_not_asked(monkeypatch):
    shown = at_a_terminal(monkeypatch, "n\n")
    confirm("Forget it?", yes=True)
    assert shown.getvalue() == ""
    assert isinstance(sys.stdin, Terminal)
    assert sys.stdin.read() == "n\n"
