"""The times that other programs write: seconds since 1970, or ISO text, in UTC where no zone is given."""

from __future__ import annotations

import re
from datetime import UTC

from hippo import limits
from hippo.errors import NotAnInstant
from hippo.text.instants import parse_instant

_DATED = re.compile(r"[0-9]{4}-")
_shown_characters_max = 60


def moment(value: object) -> int | None:
    """The instant a source gives, or None where it gives none.

    Args:
        value: seconds since 1970, ISO text, or None or a blank text for none.
    Returns:
        UTC milliseconds.
    Raises:
        NotAnInstant: the value means none. `yesterday` and the like mean something to a person who types them now, not
            in a file.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if (isinstance(value, int | float) and not isinstance(value, bool)
            and limits.instant_ms_min <= value * 1000 <= limits.instant_ms_max):
        return round(value * 1000)
    if isinstance(value, str) and _DATED.match(value.strip()):
        return parse_instant(value, now_ms=0, zone=UTC)
    raise NotAnInstant(value=repr(value)[:_shown_characters_max])
