from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippo.limits import tier_fidelity_floors
from hippo.text.fidelity import clears, measure
from hippo.text.pieces import pieces
from hippo.text.residual import abridge, decode, encode, is_abridgement
from tests.text.tempting import TEMPTING, Tempting
from tests.text.test_fading import AROUND, CLAIMS, kept

ANY_TEXT = st.text(st.characters())
WORDY = st.lists(st.sampled_from(["Anna", "Bob", "really", "so", "good", "not", "5", "7:30", "\n", ",", ".", "milk", "I'm",
                                  "glad", "of", "you", "the", "日本", "Wow,"]), max_size=30).map(" ".join)
COOL, COLD = tier_fidelity_floors["cool"], tier_fidelity_floors["cold"]
NO_FLOORS = (0.0, 0.0, 0.0)


@given(ANY_TEXT, ANY_TEXT)
def test_a_residual_gives_back_any_text_from_any_schema(schema: str, text: str) -> None:
    assert decode(schema, encode(schema, text)) == text


@given(WORDY, WORDY)
def test_a_residual_gives_back_a_text_that_shares_words_with_its_schema(schema: str, text: str) -> None:
    assert decode(schema, encode(schema, text)) == text


@given(WORDY)
def test_a_text_that_is_its_schema_costs_one_byte(text: str) -> None:
    assert encode(text, text) == b"\0"


@given(ANY_TEXT)
def test_without_a_schema_a_text_costs_three_bytes_more_than_itself(text: str) -> None:
    assert len(encode("", text)) <= len(text.encode("utf-8", "surrogatepass")) + 3


def test_what_a_schema_has_is_not_repeated() -> None:
    schema = "The alarm in the kitchen is set for 7:00 on Monday."
    assert encode(schema, schema.replace("7:00", "7:30")) == b"\x01\x10\x017:30"


@given(WORDY, st.binary(max_size=40))
def test_damage_gives_some_text_or_a_value_error(schema: str, residual: bytes) -> None:
    try:
        decode(schema, residual)
    except ValueError:
        return


@given(WORDY, WORDY, st.data())
def test_a_residual_that_is_cut_off_never_gives_the_text(schema: str, text: str, data: st.DataObject) -> None:
    residual = encode(schema, text)
    cut = residual[:data.draw(st.integers(0, len(residual) - 1))]
    try:
        assert decode(schema, cut) != text
    except ValueError:
        return


@pytest.mark.parametrize("residual", [b"", b"\x80", b"\x01", b"\x01\x09\x00", b"\x00more", b"\x02\x00\x01\x05\x00\x00",
                                      b"\xff" * 12, b"\x01\x00\x00\xff"])
def test_impossible_residuals_are_refused(residual: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode("a b", residual)


@pytest.mark.parametrize("tempting", TEMPTING, ids=lambda tempting: tempting.text)
@pytest.mark.parametrize("floors", [NO_FLOORS, COLD, COOL])
def test_no_schema_tempts_the_guard(tempting: Tempting, floors: tuple[float, float, float]) -> None:
    for schema in (tempting.schema, ""):
        found = abridge(tempting.text, schema, floors)
        told = tempting.text if found is None else found.text
        assert tempting.must in told
        assert is_abridgement(tempting.text, told)


@pytest.mark.parametrize("tempting", TEMPTING, ids=lambda tempting: tempting.text)
def test_the_schema_itself_is_no_abridgement_of_what_it_tempts(tempting: Tempting) -> None:
    assert not is_abridgement(tempting.text, tempting.schema)


@pytest.mark.parametrize(("text", "expected"), CLAIMS + AROUND)
def test_what_may_go_goes_where_nothing_holds_it(text: str, expected: str) -> None:
    found = abridge(text, "", NO_FLOORS)
    assert (text if found is None else found.text) == expected


TEXTS = st.lists(st.sampled_from([text for text, _ in CLAIMS + AROUND] + [one.text for one in TEMPTING]), min_size=1,
                 max_size=4).map(" ".join)


@given(TEXTS, TEXTS, st.sampled_from([COOL, COLD]), st.booleans(), st.booleans())
def test_an_abridgement_clears_its_floors_and_is_smaller(text: str, schema: str, floors: tuple[float, float, float],
                                                         guard: bool, keep_one: bool) -> None:
    found = abridge(text, schema, floors, guard, keep_one)
    if found is None:
        return
    assert found.fidelity == measure(text, found.text)
    assert clears(found.fidelity, floors)
    assert len(encode(schema, found.text)) < len(encode(schema, text))
    assert not guard or is_abridgement(text, found.text)
    assert not keep_one or found.text != schema


@given(WORDY, WORDY, st.sampled_from([NO_FLOORS, COLD]))
def test_the_guard_holds_for_any_row_of_words(text: str, schema: str, floors: tuple[float, float, float]) -> None:
    found = abridge(text, schema, floors)
    assert found is None or is_abridgement(text, found.text)


def test_a_small_word_that_the_schema_has_stays() -> None:
    text, schema = "I'm really glad you came to Rome.", "I'm really glad you left Paris."
    assert abridge(text, schema, NO_FLOORS) is None
    assert abridge(text, "", NO_FLOORS) is not None


def test_without_the_guard_the_schemas_words_fill_what_fades() -> None:
    schema = "The weekly report about the garden was sent to the whole team."
    text = "The weekly report about the balcony was sent to the whole team."
    found = abridge(text, schema, COLD, guard=False)
    assert found is not None
    assert found.text == schema
    assert abridge(text, schema, COLD, guard=True) is None


def test_a_cold_memory_keeps_one_hunk() -> None:
    schema = "The weekly report about the garden was sent to the whole team."
    text = "The weekly notes about the balcony was sent to the whole team."
    found = abridge(text, schema, COLD, guard=False, keep_one=True)
    assert found is not None
    assert found.text not in (schema, text)


def test_digits_outlast_names_and_names_outlast_other_words() -> None:
    schema = "The box of ten held Maria and the apples on the table near the door of the hall downstairs."
    text = "The box of 12 held Clara and the quince on the table near the door of the hall downstairs."
    told = [found.text for floor in (0.93, 0.87, 0.81)
            if (found := abridge(text, schema, (floor, 0.0, 0.0), guard=False))]
    assert ["12" in one for one in told] == [True, True, False]
    assert ["Clara" in one for one in told] == [True, False, False]
    assert ["quince" in one for one in told] == [False, False, False]


def test_floors_that_nothing_clears_leave_a_text_whole() -> None:
    assert abridge("Wow, I'm so glad!", "", (1.0, 1.0, 1.0)) is None
    assert abridge("Wow, I'm so glad!", "", COOL) is None
    assert abridge("Wow, I'm so glad!", "", NO_FLOORS) is not None


def test_where_floors_bind_the_longest_of_the_small_words_goes_first() -> None:
    text = "Wow, I'm so glad to see you. The house was really good to me."
    found = abridge(text, "", (0.96, 0.0, 0.0))
    assert found is not None
    assert found.text == "Wow, I'm so glad to see you. The house was good to me."


def test_the_same_texts_are_abridged_the_same_way() -> None:
    shuffled = random.Random(7)
    for _ in range(20):
        text, schema = (" ".join(one.text for one in shuffled.sample(TEMPTING, 3)) for _ in range(2))
        assert abridge(text, schema, COLD, guard=False) == abridge(text, schema, COLD, guard=False)


@pytest.mark.parametrize(("original", "reconstruction"), [
    ("Anna is not ill.", "Anna is ill."),
    ("Anna hit Bob.", "Bob hit Anna."),
    ("Anna has 5 cats.", "Anna has cats."),
    ("Anna left Rome.", "Anna left."),
    ("I hate the dogs.", "I hate dogs."),
    ("It was so sad that he left.", "It was so sad he left."),
    ("The dog that bit Bob left.", "The dog bit Bob left."),
    ("It's not really good.", "It's not good."),
    ("Anna left.", "Anna left. Anna left."),
    ("Anna left.", "Anna left again."),
    ("Anna left.", ""),
    ("Eggs, milk, figs for Anna.", "Eggs milk, figs for Anna."),
    ("Thanks a lot! Anna left.", "Thanks! Anna left."),
    ("Thanks a lot! Anna left.", " Anna left."),
    ("Anna left. Thanks a lot!", "Anna left. "),
    ("Anna left. Thanks a lot!", "Thanks a lot!"),
    ("Thanks! Anna left. Thanks!", "Thanks! Thanks!"),
    ("Did Anna leave? Thanks!", "Did Anna leave?"),
    ("Thanks! That's a joke, Anna.", "That's a joke, Anna."),
    ("Thanks, Anna! Bob left early.", "Bob left early."),
    ("Thanks! Bye!", "Bye!"),
])
def test_what_leaves_out_more_or_adds_is_no_abridgement(original: str, reconstruction: str) -> None:
    assert not is_abridgement(original, reconstruction)


@given(ANY_TEXT)
def test_every_text_is_an_abridgement_of_itself(text: str) -> None:
    assert is_abridgement(text, text)


@given(TEXTS, st.data())
def test_a_text_that_lost_any_kept_piece_is_no_abridgement(text: str, data: st.DataObject) -> None:
    parts = pieces(text)
    told = [place for place, (piece, stays) in enumerate(zip(parts, kept(parts), strict=True))
            if stays and piece.isalpha() and parts.count(piece) == 1]
    assume(told)
    place = data.draw(st.sampled_from(told))
    assert not is_abridgement(text, "".join(parts[:place] + parts[place + 1:]))


@pytest.mark.parametrize(("original", "reconstruction"), [
    ("Anna is not ill.", "Anna is ill."),
    ("Anna left Rome. Bob left early.", "Anna left Rome."),
    ("Thanks for the cake! Bob left early.", "Bob left early."),
    ("Thanks a lot! Bob left early.", "Thanks! Bob left early."),
    ("Thanks, Anna! Bob left early.", "Bob left early."),
    ("Good luck with it, Anna! Bob left early.", "with it, Anna! Bob left early."),
])
def test_what_is_missing_is_judged_for_itself_whatever_was_let_go(
        original: str, reconstruction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = pieces(original)
    first = next(place for place in range(len(parts)) if not reconstruction.startswith("".join(parts[:place + 1])))
    gone = next(end for end in range(first, len(parts) + 1) if "".join(parts[:first] + parts[end:]) == reconstruction)
    monkeypatch.setattr("hippo.text.residual.fading_runs", lambda _: [(first, gone)])
    assert not is_abridgement(original, reconstruction)
