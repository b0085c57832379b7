"""File names that every system takes: Windows, macOS, Linux, and the links between the notes of a vault. Pure.

1. Letters of every script stay, in NFC. What a system or a link forbids, and what cannot be seen, becomes a hyphen; any
   run of white space one space; no dot or space opens or ends a name.
2. A name is never empty, never one that Windows keeps for devices (`con`, `COM1`, `nul.txt`), and has at most
   `limits.file_name_bytes_max` bytes of UTF-8.
3. No two names are one file where case, width or the composition of letters does not count: the later one is numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category, normalize

from hippo import limits

_FORBIDDEN = re.compile(r"""[<>:"/\\|?*#^\[\]%`]+""")
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_JOINERS = "\u200c\u200d"  # between letters of Persian or Hindi and between emoji: they change what is seen
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)", re.IGNORECASE)
_UNNAMED = "unnamed"


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name for each name, without a suffix (rules 1 to 3).

    Args:
        names: Any names; of one that comes twice, the first place counts.

    Returns:
        The file names by the names they were made from, in the same order. They depend on the names before, not on
        those after.
    """
    found: dict[str, str] = {}
    taken = set[str]()
    counts: dict[str, int] = {}
    for name in dict.fromkeys(names):
        plain = chosen = _safe(name)
        key = _key(plain)
        while _key(chosen) in taken:
            counts[key] = counts.get(key, 1) + 1
            mark = f" {counts[key]}"
            chosen = _shortened(plain, limits.file_name_bytes_max - len(mark)) + mark
        taken.add(_key(chosen))
        found[name] = chosen
    return found


def _safe(name: str) -> str:
    seen = "".join(" " if letter.isspace() else letter if letter in _JOINERS or category(letter) not in _UNSEEN else "-"
                   for letter in normalize("NFC", name))
    spaced = " ".join(_FORBIDDEN.sub("-", seen).split())
    short = _shortened(spaced.strip(". "), limits.file_name_bytes_max - 1)
    return (f"_{short}" if _DEVICE.match(short) else short) or _UNNAMED


def _shortened(name: str, bytes_max: int) -> str:
    return name.encode()[:bytes_max].decode(errors="ignore").rstrip(". ")


def _key(name: str) -> str:
    """Equal for names that some system takes for one file: more are than any single system would say."""
    folded = normalize("NFKC", name).upper().casefold()
    return normalize("NFKC", "".join(letter for letter in folded if letter not in _JOINERS))
