"""PPMd, and what is done about its traps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec import ppmd
from hippo.codec.record import Damaged
from hippo.limits import ppmd_bytes_max


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=1, max_size=2_000), st.binary(max_size=500))
def test_what_was_encoded_comes_back_also_behind_a_prior(plain: bytes, prior: bytes) -> None:
    stored = ppmd.encode(plain, prior)
    assert stored is not None
    assert ppmd.decode(stored, len(plain), prior) == plain


def test_a_prior_that_says_the_same_makes_a_block_short() -> None:
    plain = b"the dentist has moved the appointment to Thursday"
    alone, behind = ppmd.encode(plain), ppmd.encode(plain, b"somebody said: " + plain)
    assert alone is not None and behind is not None
    assert len(behind) < len(alone) / 4


def test_a_block_is_as_long_as_the_model_is_sure_to_hold() -> None:
    assert ppmd.encode(b"a" * ppmd_bytes_max) is not None
    assert ppmd.encode(b"a" * (ppmd_bytes_max + 1)) is None
    assert ppmd.encode(b"a" * 100, b"b" * ppmd_bytes_max) is None
    with pytest.raises(Damaged, match="does not make"):
        ppmd.decode(b"", ppmd_bytes_max + 1)


def test_what_does_not_read_as_it_was_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppmd, "_decoded", lambda head, stored, prior_bytes, plain_bytes: b"something else")
    assert ppmd.encode(b"plain text") is None


def test_without_the_extra_nothing_is_written_and_reading_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = ppmd.encode(b"plain text")
    assert stored is not None
    monkeypatch.setattr(ppmd, "pyppmd", None)
    assert ppmd.encode(b"plain text") is None
    with pytest.raises(ppmd.ExtraMissing, match=r"hippo-memory\[dense\]"):
        ppmd.decode(stored, 10)
