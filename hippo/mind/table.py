"""A table of growing numpy columns, and names kept once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Table:
    """Columns of equal length that grow by doubling.

    Args:
        kinds: column name -> dtype.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._columns: dict[str, NDArray[Any]] = {name: np.zeros(16, kind) for name, kind in kinds.items()}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A view of one column: it sees later writes, not later rows."""
        return self._columns[name][:self._length]

    def append(self, row: Mapping[str, Any]) -> int:
        """Adds one row (columns left out are 0) and returns its number."""
        number = self._length
        self._reserve(number + 1)
        for name, value in row.items():
            self._columns[name][number] = value
        self._length = number + 1
        return number

    def extend(self, columns: Mapping[str, NDArray[Any]], length: int) -> None:
        """Adds `length` rows at once (columns left out are 0)."""
        start = self._length
        self._reserve(start + length)
        for name, values in columns.items():
            self._columns[name][start:start + length] = values
        self._length = start + length

    def remove(self, rows: NDArray[Any]) -> None:
        """Takes rows out; those behind them move up. Views of the columns are of no use afterwards."""
        kept = np.ones(self._length, np.bool_)
        kept[rows] = False
        length = int(kept.sum())
        for column in self._columns.values():
            column[:length] = column[:self._length][kept]
            column[length:self._length] = 0
        self._length = length

    def _reserve(self, length: int) -> None:
        capacity = len(next(iter(self._columns.values())))
        if length <= capacity:
            return
        for name, column in self._columns.items():
            wider = np.zeros(max(length, 2 * capacity), column.dtype)
            wider[:self._length] = column[:self._length]
            self._columns[name] = wider


class Names:
    """Strings kept once, each with a number; 0 is the empty string."""

    def __init__(self, names: Iterable[str] = ("",)) -> None:
        self._names = list(names)
        self._numbers: dict[str, int] = {}
        for number, name in enumerate(self._names):
            self._numbers.setdefault(name, number)  # what was forgotten stands as an empty name

    def number(self, name: str) -> int:
        """The number of a name, given to it now if it is new."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self._names)
            self._names.append(name)
        return found

    def known(self, name: str) -> int | None:
        """The number of a name that was seen before, else None."""
        return self._numbers.get(name)

    def keep(self, numbers: Collection[int]) -> None:
        """Forgets every name but these; their numbers are not used again."""
        for name, number in list(self._numbers.items()):
            if number and number not in numbers:
                del self._numbers[name]
                self._names[number] = ""

    def __getitem__(self, number: int) -> str:
        return self._names[number]

    def __len__(self) -> int:
        return len(self._names)

    def all(self) -> list[str]:
        """Every name in the order of their numbers."""
        return list(self._names)
