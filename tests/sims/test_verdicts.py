"""The pairs that say what a new memory is to an old one."""

from __future__ import annotations

from collections import Counter

import pytest

from hippo.embed.embedder import open_embedder
from sims import verdicts
from sims.verdicts import MERGED, Judged, Pair, errors, judged, read_pairs, table

PAIRS = read_pairs()


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    return judged(PAIRS, open_embedder("wordllama"))


def test_there_are_enough_pairs_of_every_kind_and_none_twice() -> None:
    assert len(PAIRS) >= 300
    assert sum(pair.correction for pair in PAIRS) >= 150
    assert min(Counter(pair.expect for pair in PAIRS).values()) >= 15
    assert len({(pair.earlier, pair.later, pair.entity) for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("name", ["wordllama", "term-frequency"])
def test_no_correction_is_lost_whatever_embeds(name: str) -> None:
    assert [sentence for sentence in errors(judged(PAIRS, open_embedder(name))) if sentence.startswith("LOST")] == []


def test_even_vectors_that_find_everything_alike_lose_nothing() -> None:
    assert [pair for pair in PAIRS if pair.expect not in MERGED and verdicts._verdict(pair, 1.0) in MERGED] == []


def test_repetitions_and_conflicts_are_found_as_often_as_was_measured(results: list[Judged]) -> None:
    found = {verdict: sum(one.verdict == verdict == one.pair.expect for one in results) for verdict in verdicts.VERDICTS}
    assert found["strengthened"] >= 50
    assert found["superseded"] >= 7
    assert found["conflict"] >= 140


def test_a_table_counts_and_a_loss_is_named() -> None:
    pair = Pair("kind", "what", "a", "b", "conflict", 0, "e", "e", False, True)
    some = [Judged(pair, 0.9, "conflict"), Judged(pair, 0.9, "strengthened"), Judged(pair._replace(expect="separate"), 0.1, "separate")]
    assert [row.split() for row in table(some)][1:] == [
        ["strengthened", "0", "1", "0", "0.00", "-"], ["superseded", "0", "0", "0", "-", "-"],
        ["conflict", "2", "1", "1", "1.00", "0.50"], ["separate", "1", "1", "1", "1.00", "1.00"],
        ["one", "of", "two", "0", "1", "0", "0.00", "-"]]
    assert [sentence[:29] for sentence in errors(some)] == ["LOST conflict -> strengthened"]


def test_a_loss_ends_non_zero(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdicts.main() == 0
    assert "0 of" in capsys.readouterr().out.splitlines()[-1]
    monkeypatch.setattr(verdicts, "_verdict", lambda pair, similarity: "strengthened")
    assert verdicts.main() == 1
