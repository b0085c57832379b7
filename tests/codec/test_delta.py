"""Likeness among long rows."""

from __future__ import annotations

import random

from hippo.codec.delta import likeness
from hippo.limits import delta_row_bytes_min, shared_bytes_max

_chance = random.Random(3)
NOTE, OTHER, LETTERHEAD = (_chance.randbytes(size) for size in (20_000, 20_000, 1_500))


def edited(note: bytes, at: int) -> bytes:
    return note[:at] + b" and something new" + note[at + 40:]


def test_an_edited_version_leans_on_the_one_it_was_made_from() -> None:
    rows = [NOTE, b"short", OTHER, edited(NOTE, 5_000), b"short", edited(edited(NOTE, 5_000), 12_000)]
    assert likeness(rows).bases == {3: 0, 5: 0}


def test_what_is_leaned_on_leans_on_nothing() -> None:
    versions = [NOTE]
    for at in range(0, 19_000, 500):
        versions.append(edited(versions[-1], at))
    bases = likeness(versions).bases
    assert bases
    assert not set(bases.values()) & set(bases)


def test_a_letterhead_is_shared_without_making_letters_alike() -> None:
    letters = [LETTERHEAD + _chance.randbytes(8_000) for _ in range(5)]
    found = likeness(letters)
    assert found.bases == {}
    assert found.sharing == frozenset(range(5))
    assert 500 < len(found.shared) <= len(LETTERHEAD)


def test_short_rows_are_not_looked_at() -> None:
    row = NOTE[:delta_row_bytes_min - 1]
    assert likeness([row, row, row]) == ({}, b"", frozenset())


def test_what_is_shared_has_a_bound() -> None:
    parts = [_chance.randbytes(3_000) for _ in range(60)]
    rows = [parts[at] + _chance.randbytes(9_000) for at in range(60)] + [parts[at] + _chance.randbytes(9_000) for at in range(60)]
    assert 0 < len(likeness(rows).shared) <= shared_bytes_max
