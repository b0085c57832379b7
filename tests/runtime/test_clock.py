"""Where time comes from."""

import pytest

from hippo.runtime import clock as clocks
from hippo.runtime.clock import Clock


def test_a_frozen_clock_moves_only_by_skips():
    clock = Clock(1_000)
    assert (clock.now_ms(), clock.now_ms()) == (1_000, 1_000)
    clock.skip(500)
    assert clock.now_ms() == 1_500
    assert clock.frozen


def test_a_system_clock_that_is_set_back_is_held(monkeypatch):
    moments = iter([5_000_000_000, 3_000_000_000, 6_000_000_000])
    monkeypatch.setattr(clocks.time, "time_ns", lambda: next(moments))
    clock = Clock()
    assert [clock.now_ms(), clock.now_ms(), clock.now_ms()] == [5_000, 5_000, 6_000]


def test_time_cannot_be_skipped_backwards():
    with pytest.raises(ValueError, match="backwards"):
        Clock(0).skip(-1)
