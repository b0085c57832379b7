"""Content-defined chunks."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from hippo.codec.chunks import chunks_of
from hippo.limits import chunk_bytes_max, chunk_bytes_mean, chunk_bytes_min

NOTE = " ".join(str(random.Random(1).random()) for _ in range(1)).encode() + random.Random(2).randbytes(60_000)


@settings(deadline=None)
@given(st.binary(max_size=5_000))
def test_chunks_are_the_bytes_again_and_keep_their_bounds(content: bytes) -> None:
    chunks = chunks_of(content)
    assert b"".join(chunks) == content
    assert all(chunk_bytes_min <= len(chunk) <= chunk_bytes_max for chunk in chunks[:-1])
    assert not chunks or 0 < len(chunks[-1]) <= chunk_bytes_max


def test_chunks_are_about_as_long_as_they_should_be() -> None:
    assert 0.8 * chunk_bytes_mean < len(NOTE) / len(chunks_of(NOTE)) < 1.6 * chunk_bytes_mean


def test_an_insertion_changes_few_chunks() -> None:
    before = set(chunks_of(NOTE))
    after = chunks_of(NOTE[:30_000] + b"a sentence that was added" + NOTE[30_000:])
    assert len([chunk for chunk in after if chunk not in before]) <= 3


def test_what_never_meets_a_bound_is_cut_all_the_same() -> None:
    assert {len(chunk) for chunk in chunks_of(bytes(10 * chunk_bytes_max))} == {chunk_bytes_max}
