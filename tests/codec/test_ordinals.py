"""Ordinals of a block."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.codec.columns import encode_varints
from hippo.codec.ordinals import BITS, GAPS, RUNS, decode_ordinals, encode_ordinals
from hippo.codec.record import Damaged

ORDINALS = st.tuples(st.integers(0, 2**39), st.lists(st.integers(1, 40), max_size=80)).map(
    lambda drawn: list(accumulate(drawn[1], initial=drawn[0])))


@given(ORDINALS)
def test_ordinals_come_back(ordinals: list[int]) -> None:
    form, content = encode_ordinals(ordinals)
    assert decode_ordinals(form, content, len(ordinals)).tolist() == ordinals


@pytest.mark.parametrize(("ordinals", "form", "size"), [
    (range(1_000, 1_500), RUNS, 4), (range(0, 40_000, 100), GAPS, 400), ([at for at in range(300) if at % 3], BITS, 39),
    ([7], GAPS, 1), ([], RUNS, 0)])
def test_each_kind_has_its_form(ordinals: list[int], form: int, size: int) -> None:
    found, content = encode_ordinals(list(ordinals))
    assert len(content) == size
    assert found == form or not ordinals or len(ordinals) == 1


@pytest.mark.parametrize(("form", "numbers", "rows"), [
    (RUNS, [3, 2, 1], 2), (RUNS, [3, 2], 3), (RUNS, [3, 0], 0), (GAPS, [3, 2], 3), (GAPS, [3, 0], 2), (3, [3], 1),
    (BITS, [3], 1)])
def test_ordinals_that_do_not_give_the_rows_are_damaged(form: int, numbers: list[int], rows: int) -> None:
    with pytest.raises(Damaged):
        decode_ordinals(form, encode_varints(numbers), rows)
