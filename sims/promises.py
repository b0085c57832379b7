"""What every simulation holds hippo to: a promise that does not hold ends it."""

from __future__ import annotations

import re
from collections.abc import Iterable

AGENTS = ("default", "ada", "Zoë / 東京")
_WORD = re.compile(r"\d+x\d+n")  # what stands in one text of a play and in no other


class PromiseBroken(AssertionError):
    """A promise did not hold."""


def must(holds: bool, sentence: str) -> None:
    """Raises PromiseBroken unless it holds."""
    if not holds:
        raise PromiseBroken(sentence)


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of texts by which their traces are found."""
    return {word for text in texts for word in _WORD.findall(text)}
