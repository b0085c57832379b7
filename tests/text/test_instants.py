"""Times as people and clients write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo import limits
from hippo.errors import NotAnInstant
from hippo.text.instants import format_instant, parse_instant

VIENNA = ZoneInfo("Europe/Vienna")
NOW = int(datetime(2026, 1, 14, 22, 30, tzinfo=UTC).timestamp() * 1000)  # a Wednesday, 23:30 in Vienna


def read(value: str | int, *, end: bool = False, zone: ZoneInfo = VIENNA, now: int = NOW) -> str:
    return format_instant(parse_instant(value, now_ms=now, zone=zone, end=end))


@pytest.mark.parametrize(("written", "meant"), [
    ("2026-01-02", "2026-01-02T00:00:00.000Z"),
    ("2026-01-02T03:04", "2026-01-02T03:04:00.000Z"),
    ("2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"),
    ("2026-01-02T03:04:05.6", "2026-01-02T03:04:05.600Z"),
    ("2026-01-02T03:04:05.678999999Z", "2026-01-02T03:04:05.678Z"),
    ("2026-01-02T03:04:05+01:30", "2026-01-02T01:34:05.000Z"),
    ("2026-01-02 03:04:05 -0800", "2026-01-02T11:04:05.000Z"),
    ("  2026-01-02  ", "2026-01-02T00:00:00.000Z"),
    ("2024-02-29", "2024-02-29T00:00:00.000Z"),
    ("0001-01-01", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    (0, "1970-01-01T00:00:00.000Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
])
def test_a_written_instant_is_utc_unless_it_names_a_zone(written, meant):
    assert read(written) == meant


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo", "UTC"])
def test_where_the_person_is_does_not_change_a_written_instant(zone):
    assert read("2026-01-02", zone=ZoneInfo(zone)) == "2026-01-02T00:00:00.000Z"
    assert read("2026-01-02T03:04:05", zone=ZoneInfo(zone)) == "2026-01-02T03:04:05.000Z"


@pytest.mark.parametrize(("words", "first", "last"), [
    ("today", "2026-01-13T23:00:00.000Z", "2026-01-14T22:59:59.999Z"),
    ("Yesterday", "2026-01-12T23:00:00.000Z", "2026-01-13T22:59:59.999Z"),
    ("last  week", "2026-01-04T23:00:00.000Z", "2026-01-11T22:59:59.999Z"),
    ("last month", "2025-11-30T23:00:00.000Z", "2025-12-31T22:59:59.999Z"),
])
def test_a_word_for_days_means_the_days_of_the_person(words, first, last):
    assert read(words) == first
    assert read(words, end=True) == last


def test_yesterday_is_another_day_on_the_other_side_of_the_world():
    assert read("yesterday", zone=ZoneInfo("Asia/Tokyo")) == "2026-01-13T15:00:00.000Z"
    assert read("yesterday", zone=ZoneInfo("America/Los_Angeles")) == "2026-01-13T08:00:00.000Z"


def test_a_bare_date_closes_a_range_at_its_end_and_a_time_does_not():
    assert read("2026-01-02", end=True) == "2026-01-02T23:59:59.999Z"
    assert read("9999-12-31", end=True) == "9999-12-31T23:59:59.999Z"
    assert read("2026-01-02T00:00", end=True) == "2026-01-02T00:00:00.000Z"
    assert read("7d", end=True) == read("7d")


def test_hours_ago_are_hours_and_days_ago_are_days_of_the_clock_on_the_wall():
    summer = int(datetime(2026, 3, 30, 10, tzinfo=UTC).timestamp() * 1000)  # the day after the change, 12:00 in Vienna
    assert read("48h", now=summer) == "2026-03-28T10:00:00.000Z"
    assert read("2d", now=summer) == "2026-03-28T11:00:00.000Z"


def test_a_day_that_a_change_of_the_clock_makes_longer_ends_where_the_next_begins():
    autumn = int(datetime(2026, 10, 26, 10, tzinfo=UTC).timestamp() * 1000)
    first = parse_instant("yesterday", now_ms=autumn, zone=VIENNA)
    last = parse_instant("yesterday", now_ms=autumn, zone=VIENNA, end=True)
    assert last + 1 - first == 25 * 3_600_000


@pytest.mark.parametrize("value", [
    "", "soon", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-01-01T25:00", "2026-01-01T24:00",
    "2026-01-01T23:60", "2026-01-01T23:59:60", "2026-01-01T12", "2026-01-01T", "2026-1-1", "20260101",
    "2026-01-01T10:00+25:00", "2026-01-01T10:00+01:60", "2026-01-01T10:00 01:00", "2026-01-01Z", "0000-01-01",
    "10000-01-01", "1767312000000", "7", "7 d", "-7d", "7w", "9999999d", "٢٠٢٦-01-01", "2026-01-01\nx", "\ud800",
    "0001-01-01T00:00+00:01", "9999-12-31T23:59-00:01", True, 10**20, -(10**20), limits.instant_ms_max + 1,
])
def test_what_is_not_a_real_instant_is_an_error(value):
    with pytest.raises(NotAnInstant):
        parse_instant(value, now_ms=NOW, zone=VIENNA)


def test_the_error_shows_no_more_than_a_line_of_what_was_given():
    with pytest.raises(NotAnInstant) as refused:
        parse_instant("\x1b[2J" + "x" * 10_000, now_ms=NOW, zone=VIENNA)
    assert len(refused.value.message) < 120
    assert "\x1b" not in refused.value.message


instants = st.integers(limits.instant_ms_min, limits.instant_ms_max)


@given(instants, st.integers(-23 * 60, 23 * 60), st.sampled_from("T "), st.booleans())
def test_every_spelling_of_an_instant_means_the_same(instant, offset, between, colon):
    utc = format_instant(instant)
    spellings = [utc, utc[:-1], utc.replace("T", " "), utc.replace("Z", "+00:00"), utc.replace("Z", "-0000")]
    try:
        local = datetime.fromisoformat(utc[:-1]) + timedelta(minutes=offset)
    except OverflowError:
        pass  # beyond the years 0001 to 9999 by that clock
    else:
        hours, minutes = divmod(abs(offset), 60)
        spellings.append(f"{local.isoformat(between, 'milliseconds')}{'-' if offset < 0 else '+'}{hours:02}"
                         f"{':' if colon else ''}{minutes:02}")
    assert {parse_instant(text, now_ms=NOW, zone=VIENNA) for text in spellings} == {instant}


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)))
def test_the_text_agrees_with_the_standard_library(moment):
    text = moment.isoformat()
    expected = (moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert parse_instant(text, now_ms=NOW, zone=VIENNA) == expected


@given(st.text(max_size=30))
def test_any_text_is_an_instant_or_an_error(text):
    try:
        found = parse_instant(text, now_ms=NOW, zone=VIENNA)
    except NotAnInstant:
        return
    assert parse_instant(format_instant(found), now_ms=NOW, zone=VIENNA) == found


@given(instants, st.sampled_from(["today", "yesterday", "last week", "last month"]),
       st.sampled_from(["Europe/Vienna", "America/Sao_Paulo", "Asia/Tokyo", "Africa/Cairo", "Pacific/Apia"]))
def test_a_word_begins_before_it_ends_and_neither_lies_ahead_of_today(now, words, name):
    zone = ZoneInfo(name)
    try:
        first = parse_instant(words, now_ms=now, zone=zone)
        last = parse_instant(words, now_ms=now, zone=zone, end=True)
        tonight = parse_instant("today", now_ms=now, zone=zone, end=True)
    except NotAnInstant:
        return  # at the very ends of the calendar
    assert first < last <= tonight
    assert first <= now
