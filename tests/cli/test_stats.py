"""hippo stats."""

from __future__ import annotations

from hippo import __version__
from tests.cli.commands import hippo


def test_figures_are_there_for_programs_and_for_people(filled):
    figures = hippo("stats", "--json", folder=filled).json
    assert (figures["memories"], figures["agents"], figures["version"]) == (5, 2, __version__)
    shown = hippo("stats", folder=filled).out
    assert shown.startswith("5 memories  2 agents")
    assert "unrecoverable 0" in shown


def test_verifying_decodes_everything_and_says_when(served):
    folder, _ = served
    hippo("remember", "something to verify", folder=folder)
    figures = hippo("stats", "--verify", "--json", folder=folder).json
    assert figures["unrecoverable"] == 0
    assert figures["verified_at"].endswith("Z")


def test_a_daemon_and_an_open_folder_answer_in_the_same_shape(filled, served):
    asked, opened = (hippo("stats", "--json", folder=folder).json for folder in (served[0], filled))
    assert asked.keys() == opened.keys()
