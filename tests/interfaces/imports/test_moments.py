"""Times of other programs: UTC milliseconds, or an error that names them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from hippo.errors import NotAnInstant
from hippo.interfaces.imports.moments import moment


@pytest.mark.parametrize(("written", "meant"), [
    (1709197200, "2024-02-29T09:00:00"),
    (1709197200.25, "2024-02-29T09:00:00.250"),
    (0, "1970-01-01"),
    (-86400, "1969-12-31"),
    ("2024-02-29", "2024-02-29"),
    ("2024-02-29T10:00:00+01:00", "2024-02-29T09:00:00"),
    ("2024-02-29 09:00:00.123456Z", "2024-02-29T09:00:00.123"),
    (" 2024-02-29T09:00 ", "2024-02-29T09:00:00"),
])
def test_a_time_is_utc_milliseconds(written: Any, meant: str) -> None:
    assert moment(written) == round(datetime.fromisoformat(meant).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize("written", [None, "", "  "])
def test_no_time_is_none(written: Any) -> None:
    assert moment(written) is None


@pytest.mark.parametrize("written", [
    "2024-02-30", "2023-02-29T00:00:00Z", "2024-01-01T25:00", "yesterday", "7d", "12h", "soon", float("nan"),
    float("inf"), 1e300, 10**400, True, [], {}, "2024-13-01", "1709197200", "x" * 10_000])
def test_what_is_no_time_is_an_error_that_names_it(written: Any) -> None:
    with pytest.raises(NotAnInstant) as refused:
        moment(written)
    assert len(refused.value.message) < 120
