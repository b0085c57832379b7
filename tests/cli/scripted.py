"""Commands in this process, against a brain that answers as it is told to."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from hippo.cli.brain import Source
from hippo.cli.pace import Pace
from hippo.errors import HippoError
from hippo.model.knowledge_verb import Export


class ScriptedBrain:
    """Answers each verb with what is given for it: a value, an error to raise, or a function of the request."""

    where = "nowhere"

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers
        self.asked: list[tuple[str, Any]] = []

    def each(self, verb: str, requests: Iterable[Any], told: Callable[[Any], None]) -> None:
        for request in requests:
            told(self._answer(verb, request))

    def export(self, request: Export, write: Callable[[bytes], object]) -> str:
        name, *pieces = self._answer("export", request)
        for piece in pieces:
            if isinstance(piece, HippoError):
                raise piece
            write(piece)
        return str(name)

    def import_from(self, source: Source, pace: Pace) -> Any:
        return self._answer("import", source)

    def _answer(self, verb: str, request: Any) -> Any:
        self.asked.append((verb, request))
        answer = self._answers[verb]
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, HippoError):
            raise answer
        return answer


def answering(monkeypatch: pytest.MonkeyPatch, **answers: Any) -> ScriptedBrain:
    """Every command of this process talks to the brain that is returned; `import` is given as `import_`."""
    brain = ScriptedBrain({name.removesuffix("_"): answer for name, answer in answers.items()})
    monkeypatch.setattr("hippo.cli.options.open_brain", lambda settings, url, *, writes=False: brain)
    return brain


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, typed: str = "") -> Terminal:
    """Somebody sits at stdin and stderr, and types this; what they read on stderr is returned."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stderr", shown)
    return shown
