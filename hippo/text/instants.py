"""Instants in time, as people and clients write them. Pure: now and the person's zone are arguments.

1. An instant is a UTC millisecond of the years 0001 to 9999. A whole number is one already.
2. `YYYY-MM-DD` is the start of that day; a time follows after `T` or a space, its seconds and their fraction may be
   missing; then a zone: `Z`, `±HH:MM` or `±HHMM`. Without a zone it is UTC, wherever the person is.
3. `12h` is so many hours ago. `7d` is so many days ago at the same time by the person's clock, so that a change to
   summer time does not shift it. `today`, `yesterday`, `last week` (from Monday) and `last month` are where that
   day, week or month begins in the person's zone.
4. As the end of a range a bare date or one of these words means its last millisecond.
5. Whatever is not a real instant (30 February, 25:00) is an error, never a guess.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from hippo import limits
from hippo.errors import NotAnInstant

_epoch = datetime(1970, 1, 1, tzinfo=UTC)
_millisecond = timedelta(milliseconds=1)
_shown_characters_max = 60

_written = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]+))?)?"
    r"(?: ?(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2}))?)?"
)
_ago = re.compile(r"(?P<count>[0-9]{1,7})(?P<unit>[dh])")


def parse_instant(value: str | int, *, now_ms: int, zone: tzinfo, end: bool = False) -> int:
    """The instant a value means.

    Args:
        value: a time as in rules 1 to 3.
        now_ms: the present, UTC milliseconds.
        zone: the person's zone, for the words of rule 3.
        end: the value closes a range (rule 4).
    Returns:
        UTC milliseconds.
    Raises:
        NotAnInstant: the value means none.
    """
    try:
        instant = _as_number(value) if isinstance(value, int) else _as_text(value.strip(), now_ms, zone, end)
    except (ValueError, OverflowError) as refused:
        raise NotAnInstant(value=_shown(value)) from refused
    if not limits.instant_ms_min <= instant <= limits.instant_ms_max:
        raise NotAnInstant(value=_shown(value))
    return instant


def format_instant(instant_ms: int) -> str:
    """An instant as ISO text in UTC with milliseconds, such as 2026-01-02T03:04:05.678Z.

    Args:
        instant_ms: UTC milliseconds of the years 0001 to 9999.
    """
    moment = _epoch + instant_ms * _millisecond
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _as_number(value: int) -> int:
    if isinstance(value, bool):
        raise ValueError
    return value


def _as_text(text: str, now_ms: int, zone: tzinfo, end: bool) -> int:
    if (match := _written.fullmatch(text)) is not None:
        return _as_written(match, end)
    local = (_epoch + now_ms * _millisecond).astimezone(zone)
    if (match := _ago.fullmatch(text.lower())) is not None:
        count = int(match["count"])
        if match["unit"] == "h":
            return now_ms - count * 3_600_000
        return _milliseconds(local - timedelta(days=count))
    first, after = _span(" ".join(text.lower().split()), local.date())
    return _start(after, zone) - 1 if end else _start(first, zone)


def _as_written(match: re.Match[str], end: bool) -> int:
    day = date.fromisoformat(match["date"])
    if match["hour"] is None:
        return _start(day, UTC) + (limits.ms_per_day - 1 if end else 0)
    fraction = int((match["fraction"] or "")[:3].ljust(3, "0")) * 1000
    clock = time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0), fraction)
    return _milliseconds(datetime.combine(day, clock, UTC)) - _offset_ms(match["zone"])


def _offset_ms(zone: str | None) -> int:
    if zone is None or zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 23 or minutes > 59:
        raise ValueError
    return (hours * 60 + minutes) * 60_000 * (-1 if zone[0] == "-" else 1)


def _span(words: str, today: date) -> tuple[date, date]:
    """The first day that the words mean, and the first day after."""
    one = timedelta(days=1)
    monday = today - today.weekday() * one
    month = today.replace(day=1)
    match words:
        case "today":
            return today, today + one
        case "yesterday":
            return today - one, today
        case "last week":
            return monday - 7 * one, monday
        case "last month":
            return (month - one).replace(day=1), month
    raise ValueError


def _start(day: date, zone: tzinfo) -> int:
    return _milliseconds(datetime.combine(day, time.min, zone))


def _milliseconds(moment: datetime) -> int:
    # First to UTC: two times of one zone would be subtracted by the clock on the wall.
    return (moment.astimezone(UTC) - _epoch) // _millisecond


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _shown_characters_max else text[:_shown_characters_max] + "…"
