"""The elements of a large JSON array, one after the other, while the file is read.

1. An element is found by its brackets and decoded by whoever asked for it: what is wrong in one keeps no other back.
2. A file that is no array gives the objects that stand in it one after the other: a single one, or one a line.
3. One element is held at a time, of `limits.import_element_bytes_max` bytes at most, and while it is looked for no more
   than three times that. A longer one is passed over.
4. A file that ends in the middle gives what is whole, and then says so.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator

from msgspec import Struct

from hippo import limits
from hippo.interfaces.imports.sources import Readable

_piece_bytes = 256 * 1024
_shown_bytes_max = 40
_BETWEEN = b" \t\r\n,"
_OPENING = b"{["
_MARK = b"\xef\xbb\xbf"  # what some editors put in front of UTF-8
# No part gives back what it has taken: the time is linear.
_PLAIN = rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+'  # up to the next bracket outside a string
_BRACKET = re.compile(_PLAIN + rb"[{}\[\]]", re.DOTALL)
_INNER_BRACKET = re.compile(_PLAIN + rb"(?:[{\[]" + _PLAIN + rb"[}\]]" + _PLAIN + rb"){0,999}+[{}\[\]]", re.DOTALL)


class Broken(Struct, frozen=True):
    """What stood where an element was expected, in words."""

    why: str


def elements(stream: Readable) -> Iterator[bytes | Broken]:
    """The elements of the array that a stream holds, in their order, undecoded.

    Args:
        stream: JSON in UTF-8.
    """
    window = _Window(stream)
    try:
        yield from _elements(window)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as refused:
        yield Broken(f"It cannot be read further: {str(refused).rstrip('.')}.")


def _elements(window: _Window) -> Iterator[bytes | Broken]:
    array, begun, depth = False, False, 0
    while (bracket := window.next_bracket(_INNER_BRACKET if depth else _BRACKET)) is not None:
        if depth:
            depth += 1 if bracket in _OPENING else -1
            if not depth:
                yield window.taken() or Broken(f"It has more than {limits.import_element_bytes_max} bytes.")
            continue
        between = window.before().strip(_BETWEEN)
        if between:
            yield Broken(f"It is no object: {between[:_shown_bytes_max].decode('utf-8', 'replace')}")
        if bracket in _OPENING and (begun or bracket != b"["):
            depth, begun = 1, True
            window.keep()
        elif bracket == b"[":
            array = begun = True
        elif array and bracket == b"]":
            return
        else:
            yield Broken(f"A bracket closes nothing: {bracket.decode()}")
    if array or depth or window.before().strip(_BETWEEN):
        yield Broken("The file ends in the middle of it.")


class _Window:
    """The part of a stream that is held: the element that is open, and what was read beyond."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._held = bytearray()
        self._looked = 0  # how far it was looked through
        self._passed = 0  # how far before that
        self._start: int | None = None  # of the element that is open
        self._passed_over = False  # it is too long
        self._first = True

    def next_bracket(self, pattern: re.Pattern[bytes]) -> bytes | None:
        """The next bracket outside a string, None where there is none any more.

        Args:
            pattern: what ends with it: any bracket, or one that is not of a pair without others in it.
        Raises:
            OSError: a text before it is longer than any element may be.
        """
        self._forget()
        while (match := pattern.match(self._held, self._looked)) is None:
            rest = len(self._held) - self._looked
            if rest > limits.import_element_bytes_max:
                raise OSError(f"what comes next has more than {limits.import_element_bytes_max} bytes")
            more = self._stream.read(max(_piece_bytes, rest))  # twice as much each time: looked through twice at most
            if not more:
                self._passed, self._looked = self._looked, len(self._held) + 1
                return None
            self._held += more.removeprefix(_MARK) if self._first else more
            self._first = False
        self._passed, self._looked = self._looked, match.end()
        return bytes((self._held[self._looked - 1],))

    def before(self) -> bytes:
        """What stands before the bracket, after the one before it."""
        return bytes(self._held[self._passed:self._looked - 1])

    def keep(self) -> None:
        """An element begins with the bracket."""
        self._start = self._looked - 1

    def taken(self) -> bytes | None:
        """The element, which ends with the bracket; None if it was too long to be held."""
        start, self._start = self._start, None
        passed_over, self._passed_over = self._passed_over, False
        return None if passed_over else bytes(memoryview(self._held)[start:self._looked])

    def _forget(self) -> None:
        if self._start is None:
            del self._held[:self._looked]
            self._looked = 0
        elif self._looked - self._start > limits.import_element_bytes_max:
            self._passed_over = True
            del self._held[:self._looked]
            self._start = self._looked = 0
