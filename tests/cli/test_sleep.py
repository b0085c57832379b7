"""hippo sleep, hippo preview and hippo report."""

from __future__ import annotations

import pytest

from tests.cli.commands import daemon, hippo


@pytest.fixture(scope="module")
def rested(tmp_path_factory):
    """A daemon of its own: passes change what they touch."""
    folder = tmp_path_factory.mktemp("rested")
    with daemon(folder):
        hippo("remember", "--lines", folder=folder, stdin="one thing\nanother thing\n")
        yield folder


def test_without_a_pass_there_is_no_report(rested):
    assert hippo("report", "--json", folder=rested).json is None
    assert "no pass of sleep yet" in hippo("report", folder=rested).err


def test_a_pass_is_previewed_run_and_reported(rested):
    before = hippo("preview", "--json", folder=rested).json
    assert before["dry"] is True
    assert hippo("report", "--json", folder=rested).json is None
    done = hippo("sleep", "--depth", "light", "--json", folder=rested).json
    assert (done["dry"], done["depth"], done["memories"]) == (False, "light", 2)
    assert hippo("report", "--json", folder=rested).json == done


def test_people_see_tiers_and_bytes(rested):
    for command in ("preview", "sleep", "report"):
        lines = hippo(command, folder=rested).out.splitlines()
        assert "2 memories" in lines[0]
        assert [line.split()[0] for line in lines[3:7]] == ["hot", "warm", "cool", "cold"]


def test_an_unknown_depth_is_wrong_usage(rested):
    assert hippo("sleep", "--depth", "coma", folder=rested).code == 64
