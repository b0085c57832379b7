"""Ids."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.codec.identity import ALPHABET, ORDINALS, id_of, ids_of, ordinal_of

_seeds = st.integers(0, 2**64 - 1)


@given(st.integers(0, ORDINALS - 1), _seeds)
def test_an_id_gives_its_ordinal_back_however_it_is_typed(ordinal: int, seed: int) -> None:
    id = id_of(ordinal, seed)
    assert len(id) == 8
    assert set(id) <= set(ALPHABET)
    for typed in (id, id.lower(), id.replace("1", "I"), id.replace("1", "l"), id.replace("0", "o")):
        assert ordinal_of(typed, seed) == ordinal


@given(st.text(st.sampled_from(ALPHABET), min_size=8, max_size=8), _seeds)
def test_every_id_stands_for_one_ordinal(id: str, seed: int) -> None:
    assert id_of(ordinal_of(id, seed), seed) == id


@given(_seeds)
def test_neighbours_do_not_look_alike(seed: int) -> None:
    ids = [id_of(ordinal, seed) for ordinal in range(32)]
    assert len(set(ids)) == 32
    assert sum(left[0] == right[0] for left, right in pairwise(ids)) < 16


@given(st.lists(st.integers(0, ORDINALS - 1)), _seeds)
def test_many_ids_at_once_are_those_of_each(ordinals: list[int], seed: int) -> None:
    assert ids_of(np.array(ordinals, np.uint64), seed) == [id_of(ordinal, seed) for ordinal in ordinals]


def test_ids_stay_what_they_are_from_release_to_release() -> None:
    assert [id_of(ordinal, 7) for ordinal in range(3)] == ["C3ZS9FYW", "FDKWF388", "44TATVMH"]
    assert (id_of(ORDINALS - 1, 7), id_of(0, 0), id_of(12_345, 2**64 - 1)) == ("EB502ZMX", "B51PJCDR", "SFZ28ZXV")


@pytest.mark.parametrize("typed", ["", "C3ZS9FY", "C3ZS9FYWW", "C3ZS9FYU", "C3ZS-FYW", "C3ZS9FY\u0661", "C3ZS9FY "])
def test_what_is_no_id_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="id"):
        ordinal_of(typed, 7)
