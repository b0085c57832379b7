"""When two names are one, which known names a text says, and which names may mean the same."""

from __future__ import annotations

import sys
import time
from itertools import permutations
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo import limits
from hippo.text.entities import Mentions, fold_name, similar_names


def known(*names: str) -> Mentions:
    mentions = Mentions()
    for name in names:
        mentions.add(name)
    return mentions


def likeness(one: str, other: str) -> float:
    found = similar_names([one, other], 0.01)
    return found[0][2] if found else 0.0


@pytest.mark.parametrize("spelled", [
    ("Anna-Maria", "anna_maria", "ANNA MARIA", "  Anna\u2013Maria\n", "anna__maria", "\uff21\uff4e\uff4e\uff41\u3000\uff2d\uff41\uff52\uff49\uff41", "Anna\u2011Maria"),
    ("Zo\u00eb", "Zoe\u0308", "ZOË"),
    ("Straße", "STRASSE"),
    ("山田 太郎", "山田太郎", "山田\u3000太郎"),
    ("김 철수", "김철수", normalize("NFD", "김철수")),
    ("ｶﾞｽ", "ガス"),
    ("O’Brien", "o'brien"),
    ("J. R. R. Tolkien", "J.R.R. Tolkien"),
])
def test_ways_to_write_a_name_are_one(spelled: tuple[str, ...]) -> None:
    assert len(set(map(fold_name, spelled))) == 1


@pytest.mark.parametrize(("one", "other"), [
    ("Anna Maria", "AnnaMaria"), ("Jose", "José"), ("C", "C++"), ("C#", "C++"), ("v1 1", "v11"), ("ops:a", "ops a"),
    ("-", "_"),
])
def test_other_names_stay_apart(one: str, other: str) -> None:
    assert fold_name(one) != fold_name(other)


@given(some.text(max_size=40))
def test_folding_again_changes_nothing_and_loses_no_name(name: str) -> None:
    folded = fold_name(name)
    assert fold_name(folded) == folded
    assert bool(folded) == bool(name)


@given(some.text(max_size=40))
def test_the_normal_form_of_a_name_does_not_matter(name: str) -> None:
    if fold_name(name) != name:  # a name of nothing but separators is itself
        assert fold_name(normalize("NFD", name)) == fold_name(normalize("NFC", name)) == fold_name(name)


def test_folding_is_stable_for_every_character() -> None:
    for character in map(chr, range(sys.maxunicode + 1)):
        if category(character) not in ("Cn", "Co"):
            folded = fold_name(f"A{character}b")
            assert fold_name(folded) == folded, ascii(character)


def test_a_name_of_nothing_but_separators_is_itself() -> None:
    assert [fold_name(name) for name in ("-", "__", " ", "\u3000")] == ["-", "__", " ", "\u3000"]


def test_named_entities_come_in_the_order_of_their_first_place_each_once() -> None:
    mentions = known("Bob", "hippo-server", "Anna Maria")
    assert mentions.found_in("The Hippo Server is Anna-Maria's; ask BOB, anna_maria or bob.") == [
        "hippo server", "anna maria", "bob"]


@pytest.mark.parametrize(("name", "text"), [
    ("Ann", "Anna and Joann met Hanna"), ("Anna Maria", "Anna met Maria"), ("Anna Maria", "AnnaMaria"),
    ("port", "the airport and a report"), ("server 1", "server 12"), ("C++", "C and C#"), ("C#", "in C++"),
    ("हि", "हिन्दी"), ("Zoë", "Zoe was here"), ("Notepad", "opened in Notepad++, twice"),
])
def test_a_name_is_found_only_in_whole_words(name: str, text: str) -> None:
    assert known(name).found_in(text) == []


@pytest.mark.parametrize(("name", "text"), [
    ("C++", "I wrote it in c++."), ("Node.js", "(node.js)"), ("हिन्दी", "वह हिन्दी बोलती है"), ("Zoë", "ZOE\u0308!"),
    ("ops:daily-log:2024", "see ops:daily-log:2024"), ("東京", "昨日は東京に行きました"), ("iPhone", "我的iPhone坏了"),
    ("서울", "내일 서울에서 만나요"), ("ガス", "ｶﾞｽ代を払う"), ("New York", "in New\nYork"), ("Bob", "@bob: hi"),
    ("กรุงเทพ", "ฉันอยู่กรุงเทพมหานคร"), ("中野区", "東京都中野区に住む"), ("Müller", "MÜLLER's shop"),
])
def test_a_name_is_found_in_any_script_and_beside_any_mark(name: str, text: str) -> None:
    assert known(name).found_in(text) == [fold_name(name)]


def test_the_longest_name_wins_and_the_shorter_is_found_elsewhere() -> None:
    mentions = known("York", "New York", "New York Times")
    assert mentions.found_in("New York is not York") == ["new york", "york"]
    assert mentions.found_in("She reads the New York Times") == ["new york times"]
    assert mentions.found_in("New York Timesheets") == ["new york"]
    assert known("東京", "京都").found_in("東京都") == ["東京"]


def test_a_longer_name_that_does_not_go_on_hides_nothing() -> None:
    assert known("a b c d", "b c").found_in("a b c e") == ["b c"]


@pytest.mark.parametrize("name", ["I", "x", "7", "-", "...", "🎉", "", "あ", "가"])
def test_names_too_short_to_be_sure_of_are_not_looked_for(name: str) -> None:
    assert known(name).found_in(f"{name} I x 7 - ... 🎉 あ 가 {name}") == []


def test_one_ideograph_is_found_where_it_stands_alone() -> None:
    mentions = known("猫")
    assert mentions.found_in("猫が好き") == ["猫"]
    assert mentions.found_in("my 猫!") == ["猫"]
    assert mentions.found_in("熊猫和猫头鹰") == []
    assert mentions.found_in("熊猫, 猫") == ["猫"]


def test_a_name_that_is_a_word_of_every_text_needs_its_capitals() -> None:
    mentions = known("Will", "IT", "it")
    assert mentions.found_in("It will rain, will it?") == []
    assert mentions.found_in("Ask Will whether IT knows") == ["will", "it"]
    assert mentions.found_in("will he come? asks Will Smith of Bob") == ["will"]
    assert known("will").found_in("Will will") == []
    mentions.discard("will")
    mentions.add("will")
    assert mentions.found_in("Ask Will") == []
    assert known("Will Smith").found_in("will smith") == ["will smith"]


def test_what_is_discarded_is_no_longer_found_and_takes_nothing_with_it() -> None:
    mentions = known("New", "New York", "New York Times", "Newark")
    mentions.discard("new_york")
    mentions.discard("New York Post")
    mentions.discard("York")
    assert mentions.found_in("New York Times, New York, Newark") == ["new york times", "new", "newark"]
    mentions.discard("NEW YORK TIMES")
    assert mentions.found_in("New York Times") == ["new"]
    mentions.add("New York")
    assert mentions.found_in("New York Times") == ["new york"]


_words = some.lists(some.sampled_from(["ada", "bo", "cy", "東", "京", "-", ", ", "don"]), max_size=12)


@given(some.lists(_words.map(" ".join), max_size=8), _words.map(" ".join), some.integers(0, 7))
def test_the_tree_is_the_same_after_any_additions_and_removals(names: list[str], text: str, kept: int) -> None:
    mentions = known(*names)
    for name in names[kept:]:
        mentions.discard(name)
    left = {fold_name(name) for name in names[:kept]} - {fold_name(name) for name in names[kept:]}
    assert mentions.found_in(text) == known(*sorted(left)).found_in(text)
    assert set(mentions.found_in(text)) <= left


@given(some.text(max_size=60))
def test_any_text_can_be_searched_and_a_name_is_found_in_itself(text: str) -> None:
    known("Anna", "東京", "C++").found_in(text)
    assert known("Anna").found_in(f"{text} Anna {text}") == ["anna"]


def test_ten_thousand_names_cost_a_short_text_no_millisecond() -> None:
    mentions = known(*(f"Person{number} Family{number % 700}" for number in range(10_000)))
    text = ("Yesterday Person17 Family17 and PERSON4711 family511 went to see Person9 about the new harbour survey, "
            "and nobody else from Family12 was there. They will report on Monday.")
    best = 1.0
    for _ in range(20):
        started = time.process_time()
        found = mentions.found_in(text)
        best = min(best, time.process_time() - started)
    assert found == ["person17 family17", "person4711 family511"]
    assert best < 0.001


@pytest.mark.parametrize(("one", "other"), [
    ("Jon Smith", "John Smith"), ("hippo-server", "hippo_server"), ("Anna M.", "Anna Maria"), ("Anna M.", "Anna"),
    ("J. Smith", "John Smith"), ("Smith, John", "John Smyth"), ("Anna Maria Schmidt", "Anna Schmidt"),
    ("José Pérez", "Jose Perez"), ("Micheal", "Michael"), ("GitHub Actions", "Git Hub Actions"), ("Acme", "Acme Inc."),
    ("gpt-4", "GPT4"), ("王小明", "小明"), ("サーバー", "サーバ"), ("team 7 harbor", "Team 7 Harbour"),
])
def test_variants_of_a_name_are_alike(one: str, other: str) -> None:
    assert 0.7 <= likeness(one, other) <= 1.0


@pytest.mark.parametrize(("one", "other"), [
    ("Bob Smith", "Robert Smith"), ("Anna M.", "Anna K."), ("John Smith", "John Jones"), ("Tim", "Tom"),
    ("server 1", "server 2"), ("2024-11-12", "2024-12-11"), ("2024-01", "2024-01-05"), ("v1.1", "v11"),
    ("北京大学", "南京大学"), ("東京都中野区", "東京都中央区"), ("Alexander Jon John", "Alexander Jon Smith"), ("Iran", "Iraq"), ("Mr Smith", "Mrs Smith"), ("Anna", "Anna Schmidt"),
    ("A. B.", "Anna Bauer"), ("Visual C", "Visual C++"), ("project alpha", "project beta"), ("", "-"), ("🎉", "🎈"),
])
def test_different_names_are_not_claimed_to_be_one(one: str, other: str) -> None:
    assert likeness(one, other) < 0.7


def test_the_likeness_is_the_share_of_characters_with_a_partner() -> None:
    assert likeness("Jon Smith", "John Smith") == pytest.approx((7 * 6 / 7 + 10) / 17)
    assert likeness("Acme Inc", "Acme") == pytest.approx(8 / 11)
    assert likeness("Anna M.", "Anna Maria") == pytest.approx((8 + 0.8 * 6) / 14)
    assert likeness("Git Hub", "GitHub") == 0.95
    assert likeness("hippo-server", "hippo_server") == 1.0
    assert likeness("team 12 red", "team 12") == pytest.approx(12 / 15)


NAMES = ["Jon Smith", "John Smith", "J. Smith", "Bob Smith", "hippo-server", "Hippo Server", "Anna"]


def test_pairs_come_best_first_whatever_the_order_of_names() -> None:
    found = similar_names(NAMES)
    assert found[0] == ("Hippo Server", "hippo-server", 1.0)
    assert {pair[:2] for pair in found} == {
        ("Hippo Server", "hippo-server"), ("John Smith", "Jon Smith"), ("J. Smith", "John Smith"), ("J. Smith", "Jon Smith")}
    assert [worth for _, _, worth in found] == sorted((worth for _, _, worth in found), reverse=True)
    for order in list(permutations(NAMES))[::500]:
        assert similar_names([*order, order[0]]) == found


@pytest.mark.parametrize("words", [1, 3])
def test_the_size_of_a_step_changes_nothing(monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    found = similar_names(NAMES)
    monkeypatch.setattr(limits, "name_words_at_once", words)
    assert similar_names(NAMES) == found


_name = some.lists(some.sampled_from(
    ["jon", "john", "j", "smith", "smyth", "smiths", "7", "8", "anna", "a", "maria", "inc"]), min_size=1, max_size=4).map(" ".join)


@given(some.lists(_name, unique=True, min_size=2, max_size=12))
def test_no_pair_is_missed_by_not_comparing_all(names: list[str]) -> None:
    found = similar_names(names, 0.5)
    one_by_one = [pair for at, name in enumerate(names) for other in names[at + 1:] for pair in similar_names([name, other], 0.5)]
    assert sorted(found) == sorted(one_by_one)


def test_five_thousand_names_take_seconds_at_most() -> None:
    names = [f"{2 * chr(97 + number % 26)}{2 * chr(97 + number // 26 % 26)}{2 * chr(97 + number // 676)} {family}"
             for number in range(1250) for family in ("Smith", "Novak", "Okafor", "Lind")]
    started = time.process_time()
    similar_names(names)
    assert time.process_time() - started < 10
