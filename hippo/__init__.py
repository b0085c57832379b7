"""hippo: a self-hosted, brain-inspired long-term memory for AI agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Hippo", "__version__"]

if TYPE_CHECKING:
    from hippo.library import Hippo


def __getattr__(name: str) -> Any:
    # The library is imported on use, so that `hippo --help` need not load it.
    if name == "Hippo":
        from hippo.library import Hippo

        return Hippo
    raise AttributeError(name)
