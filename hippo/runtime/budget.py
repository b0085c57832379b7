"""The budget: how large the store may be, and what is said while it is larger.

1. The alert is derived from the bytes on the disk, never stored. The writer weighs, everyone may read.
2. Nothing is deleted because of it: the alert says what a person can do.
"""

from __future__ import annotations

from hippo.model.report import Bytes


class Budget:
    """What the store may take.

    Args:
        bytes_max: the limit; None for none.

    `weakest` are ids that a person might forget first, once a pass has looked for them.
    """

    def __init__(self, bytes_max: int | None) -> None:
        self.bytes_max = bytes_max
        self.weakest: tuple[str, ...] = ()
        self._total = 0

    def weigh(self, sizes: Bytes) -> bool:
        """Takes note of the store's size; True when the store has just become too large."""
        was_over = self.over
        self._total = sizes.total_bytes
        return self.over and not was_over

    @property
    def excess(self) -> int:
        """By how many bytes the store is too large."""
        return max(self._total - self.bytes_max, 0) if self.bytes_max is not None else 0

    @property
    def over(self) -> bool:
        """Whether the store is too large."""
        return self.excess > 0

    @property
    def alert(self) -> str | None:
        """What to tell whoever uses the store, None while it fits."""
        if not self.over:
            return None
        which = f" (the weakest are {', '.join(self.weakest)})" if self.weakest else ""
        return (f"⚠ The memory takes {self._total:,} bytes, {self.excess:,} more than its budget of "
                f"{self.bytes_max:,}. Nothing is deleted by itself: raise HIPPO_BUDGET_BYTES, forget what is no longer "
                f"needed{which}, or export it and archive the copy.")
