"""Where time comes from: real, frozen, and either of them skipped.

1. All times are UTC milliseconds.
2. A skip moves the clock on for good; the sum of all skips is kept by the store.
3. Time never runs backwards within one run: a system clock that is set back is held at the latest time seen.
"""

from __future__ import annotations

import time


class Clock:
    """The daemon's clock.

    Args:
        epoch_ms: a frozen clock stands at this moment; None: the system's clock.
        skip_ms: the sum of the skips so far.
    """

    def __init__(self, epoch_ms: int | None = None, skip_ms: int = 0) -> None:
        self._epoch_ms = epoch_ms
        self._latest_ms = 0
        self.skip_ms = skip_ms

    @property
    def frozen(self) -> bool:
        """Whether time stands still but for skips."""
        return self._epoch_ms is not None

    def now_ms(self) -> int:
        """The present moment in UTC milliseconds."""
        real_ms = self._epoch_ms if self._epoch_ms is not None else time.time_ns() // 1_000_000
        self._latest_ms = max(self._latest_ms, real_ms + self.skip_ms)
        return self._latest_ms

    def skip(self, ms: int) -> None:
        """Moves the clock on."""
        if ms < 0:
            raise ValueError("a clock cannot be skipped backwards")
        self.skip_ms += ms
