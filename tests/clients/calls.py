"""One call of every tool, for clients that nobody here wrote. "$id" is the id that `remember` answered."""

from __future__ import annotations

from typing import Any

CALLS: dict[str, dict[str, Any]] = {
    "remember": {"text": "Anna prefers the window seat on trains.", "tags": ["travel", "anna"], "entity": "Anna"},
    "recall": {"cue": "Where does Anna like to sit?", "k": 3},
    "inspect": {"id": "$id"},
    "compress_preview": {"depth": "all"},
    "sleep": {"depth": "light"},
    "memory_stats": {"verify": True},
}
