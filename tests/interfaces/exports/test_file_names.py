"""File names that every system takes, one for each name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from hippo import limits
from hippo.interfaces.exports.file_names import file_names
from tests.interfaces.exports.dumps import names, texts

DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$", *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³")}


@given(some.lists(names | texts, max_size=8))
@example(["a", "A", "a 2", "A ", "a.", "\uff41", "á", "a\u0301"])
@example(["", " ", ".", "..", "\x00", "/", "???"])
@example(["x" * 200, "X" * 200, "x" * 200 + "y", "漢" * 200, "漢" * 199])
@example(["ß", "ss", "ẞ", "SS", "\u017f", "s", "K", "k", "\u0131", "i", "I", "İ"])
def test_every_name_has_its_own_file_on_every_system(given_names: list[str]) -> None:
    found = file_names(given_names)
    assert list(found) == list(dict.fromkeys(given_names))
    for same in (str.casefold, str.upper, str.lower, lambda name: unicodedata.normalize("NFD", name).lower(),
                 lambda name: unicodedata.normalize("NFKC", name).casefold()):
        assert len({same(name) for name in found.values()}) == len(found)
    for name in found.values():
        assert 0 < len(name.encode()) <= limits.file_name_bytes_max
        assert unicodedata.normalize("NFC", name) == name
        assert not set(name) & set('<>:"/\\|?*#^[]`%\n\t')
        assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Cn", "Zl", "Zp") for letter in name)
        assert name == name.strip(" .")
        assert name.partition(".")[0].strip().lower() not in DEVICES


@pytest.mark.parametrize("name", ["日本語", "한국어", "中文 名字", "العربية", "שלום", "हिन्दी", "Ελλάδα", "Москва", "Anna-Maria O'Brien", "v1.2", "👩‍👩‍👧 family", "US$", "a_b"])
def test_names_of_every_script_stay_as_they_are(name: str) -> None:
    assert file_names([name]) == {name: name}


@pytest.mark.parametrize(("name", "file_name"), [
    ("ops:daily-log:2026", "ops-daily-log-2026"), ("a/b\\c", "a-b-c"), ("what?", "what-"), ("#1 [x] ^y", "-1 -x- -y"),
    ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("com1", "_com1"), ("LPT³", "_LPT³"), ("aux ", "_aux"), ("console", "console"), ("com10", "com10"),
    (".hidden", "hidden"), ("end. .", "end"), ("a\u3000b\u00a0c\nd", "a b c d"), ("e\u0301", "é"), ("a\u202eb", "a-b"),
    ("", "unnamed"), ("...", "unnamed"), ("\u0378", "-"),
])
def test_what_a_system_or_a_link_forbids_is_replaced(name: str, file_name: str) -> None:
    assert file_names([name]) == {name: file_name}


def test_the_first_keeps_its_name_and_the_later_ones_are_numbered() -> None:
    assert list(file_names(["Anna", "anna", "ANNA", "anna 2"]).values()) == ["Anna", "anna 2", "ANNA 3", "anna 2 2"]
    assert list(file_names(["?", "*", "🙂", "🙃"]).values()) == ["-", "- 2", "🙂", "🙃"]


def test_many_names_that_look_alike_are_named_quickly() -> None:
    found = file_names("?" + "\x00" * number for number in range(3000))
    assert len({name.casefold() for name in found.values()}) == 3000


def test_a_cut_never_splits_a_letter() -> None:
    assert file_names(["漢" * 200])["漢" * 200] == "漢" * ((limits.file_name_bytes_max - 1) // 3)
