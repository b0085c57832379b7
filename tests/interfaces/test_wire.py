"""What leaves is the same everywhere: instants as text, fractions short."""

from __future__ import annotations

import json

from hippo.interfaces.wire import to_json, to_wire
from hippo.model.memory import Draft
from hippo.model.report import Bytes, Report


def test_an_instant_leaves_as_utc_text_with_milliseconds() -> None:
    assert to_wire(Draft(text="x", created_at=1_767_225_600_001))["created_at"] == "2026-01-01T00:00:00.001Z"


def test_instants_deep_inside_are_written_out_too() -> None:
    value = {"rows": [{"created_at": 0, "more": {"last_access": None, "at": 1}}]}
    shown = {"created_at": "1970-01-01T00:00:00.000Z", "more": {"last_access": None, "at": "1970-01-01T00:00:00.001Z"}}
    assert to_wire(value) == {"rows": [shown]}


def test_fractions_have_four_decimals() -> None:
    assert to_wire({"a": 1 / 3, "b": [2 / 3, {"c": 1e-9}]}) == {"a": 0.3333, "b": [0.6667, {"c": 0.0}]}


def test_what_was_given_is_not_changed() -> None:
    given = {"created_at": 5, "rows": [0.123456]}
    to_wire(given)
    assert given == {"created_at": 5, "rows": [0.123456]}


def test_a_report_becomes_json() -> None:
    report = Report(cause="sleep", depth="all", at=0, memories=0, tiers={}, before=Bytes(), after=Bytes())
    assert json.loads(to_json(report))["at"] == "1970-01-01T00:00:00.000Z"
