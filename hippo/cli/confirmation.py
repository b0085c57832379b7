"""The question before something is erased for good.

1. The answer is no unless it is yes in words; `--yes` gives it beforehand, and `--json` does not.
2. It is put on stderr and answered on stdin. Where either is no terminal nobody can be asked: that is an error.
"""

from __future__ import annotations

import sys
from typing import TextIO

from hippo.errors import NobodyToAsk, NotConfirmed


def confirm(question: str, *, yes: bool) -> None:
    """Ask, and go on only where the answer is yes.

    Args:
        question: in one line.
        yes: it was answered beforehand.
    Raises:
        NotConfirmed, NobodyToAsk: nothing may be changed.
    """
    if yes:
        return
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        raise NobodyToAsk(question=question)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:  # the terminal's end of input leaves the cursor behind the question
        sys.stderr.write("\n")
    if answer.strip().casefold() not in ("y", "yes"):
        raise NotConfirmed


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
