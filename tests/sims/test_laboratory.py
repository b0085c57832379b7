"""The laboratory in small: every direction is there; and a claim can fail."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sims.laboratory import EXPERIMENTS, document, experiment, told
from sims.scenes.finding import Finding, Plot, Series, mean, paired, unpaired
from sims.scenes.fits import exponential, exponential_with_asymptote, power, power_with_onset, straight
from sims.scenes.materials import Materials

_DOCS = Path(__file__).resolve().parents[2] / "docs"
_SMALL = {"forgetting": 16, "spacing": 20, "testing": 10, "contiguity": 3, "interference": 16, "fan": 6}
_PNG_BYTES_MAX = 60_000


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_direction_is_there_with_a_few_items(name):
    finding = experiment(name, seed=11, items=_SMALL[name])
    assert [claim for claim in finding.claims if claim.difference <= claim.margin] == []
    assert finding.observed
    assert all(len(row) == len(finding.titles) for row in finding.rows)
    assert finding.name == name


def test_the_same_seed_finds_the_same():
    assert experiment("fan", 5, 3) == experiment("fan", 5, 3)
    assert experiment("fan", 5, 3).rows != experiment("fan", 6, 3).rows


def test_a_claim_needs_more_than_its_margin_and_more_than_chance():
    assert paired("", [0.5, 0.6, 0.7], [0.1, 0.2, 0.3], 0.3).holds
    assert not paired("", [0.5, 0.6, 0.7], [0.1, 0.2, 0.3], 0.4).holds
    assert not paired("", [0.9, 0.1, 0.8], [0.1, 0.2, 0.3], 0.0).holds  # larger on average, and by chance
    assert not unpaired("", [0.5, 0.6, 0.7], [0.5, 0.6, 0.7], 0.0).holds
    assert unpaired("", [0.5, 0.51, 0.5, 0.51] * 9, [0.1, 0.11, 0.1, 0.11] * 9, 0.3).holds
    assert not paired("", [1.0], [0.0], 0.0).holds  # one case is none


def test_the_fits_tell_a_power_law_from_an_exponential():
    days = 2.0 ** np.arange(11)
    hyperbola, decay = (1 + days / 20) ** -1.0, np.exp(-days / 100) * 0.9 + 0.05
    assert power_with_onset(days, hyperbola).explained > 0.9999 > exponential_with_asymptote(days, hyperbola).explained
    assert exponential_with_asymptote(days, decay).explained > 0.9999 > power_with_onset(days, decay).explained
    assert power(days, days ** -0.5).explained > 0.9999 > exponential(days, days ** -0.5).explained
    assert exponential(days, np.exp(-days / 50)).explained > 0.9999 > power(days, np.exp(-days / 50)).explained
    assert straight(np.log(days), np.log(days ** -0.5)).explained == pytest.approx(1.0)


def test_sentences_share_no_name_and_have_the_same_length():
    sentences = Materials(3).sentences(90)
    assert len({one.who for one in sentences}) == 90
    assert {len(one.text.split()) for one in sentences} == {8}
    assert [one.text for one in Materials(3).sentences(90)] == [one.text for one in sentences]
    again = Materials(3)
    assert {again.sentence(who="baker").who for _ in range(5)} == {"baker"}


def test_the_mean_of_many_is_surer():
    assert mean([0.0, 1.0] * 50)[1] < mean([0.0, 1.0] * 5)[1]


def _finding(low: float) -> Finding:
    return Finding("made-up", "People do this", "Nobody 1900", "nothing", ("a", "b"), [("1", "22")],
                   [paired("one is more", [low + 0.1] * 3, [0.1] * 3, 0.5)], "in nothing", ["It was late."],
                   Plot("Made up", "x", "y", [Series("one", [1, 2], [0.1, 0.2], [0.01, 0.01], "both")]))


def test_a_finding_says_when_people_are_different():
    assert "- yes: one is more" in told(_finding(0.9))
    assert "- NO: one is more" in told(_finding(0.2))
    assert "**not so**" in document([_finding(0.2)], 1)
    assert "| the same | in nothing |" in document([_finding(0.9)], 1)


def test_a_plot_is_drawn_the_same_every_time(tmp_path):
    pytest.importorskip("matplotlib")
    from sims.scenes.plots import draw

    for name in ("one", "two"):
        draw(_finding(0.9).plot, tmp_path / f"{name}.png")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert 2_000 < len((tmp_path / "one.png").read_bytes()) < _PNG_BYTES_MAX


def test_the_page_shows_every_experiment_and_every_drawing_is_there():
    page = (_DOCS / "laboratory.md").read_text()
    assert re.findall(r"^## (\w+)$", page, re.M) == [name.capitalize() for name in EXPERIMENTS]
    for name in EXPERIMENTS:
        assert f"(laboratory/{name}.png)" in page
        assert f"--experiment {name}" in page
        assert (_DOCS / "laboratory" / f"{name}.png").stat().st_size < _PNG_BYTES_MAX
