"""Half of a surrogate pair is not a character: pairs that came apart are joined, halves become U+FFFD."""

from __future__ import annotations


def whole(text: str) -> str:
    """The text as it can be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
