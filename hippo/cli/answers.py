"""What the answers of many verbs have in common: remarks on them, and memories of one line each."""

from __future__ import annotations

from typing import Any

from hippo.cli.options import Seat
from hippo.cli.terminal import cut, escaped, moment, paint, remark

line_characters = 80


def remark_on(answer: dict[str, Any]) -> None:
    """Say what is worth knowing about an answer: its note, and the store's alert."""
    for told in (answer.get("note"), answer.get("alert")):
        if told:
            remark(escaped(told))


def in_line(row: dict[str, Any], seat: Seat) -> str:
    """A memory in short: its id, when it was made, and the beginning of its text."""
    return (f"{row['id']}  {paint(moment(row['created_at'], seat.settings.zone), dim=True)}  "
            f"{cut(row['text'], line_characters)}")
