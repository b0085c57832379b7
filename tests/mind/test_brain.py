"""All agents' graphs of one store, and what of them is written."""

from __future__ import annotations

from hippo.mind.brain import Brain
from hippo.model.memory import Draft, log_of


def test_an_agent_that_was_only_asked_about_is_not_written() -> None:
    brain = Brain(1, 0.0)
    brain.remember(0, Draft(text="x", agent_id="anna"), 0, 0, (0, 0, 0))
    assert len(brain.graph("ben")) == 0
    snapshot = brain.export(0, {})
    assert snapshot.strings["agent"] == ["", "anna"]
    assert len(snapshot.columns["ordinal"]) == 1


def test_of_a_logged_message_nothing_is_left_to_be_done() -> None:
    brain = Brain(1, 0.0)
    for agent in ("anna", log_of("anna")):
        for ordinal in range(3):
            brain.remember(ordinal, Draft(text="x", agent_id=agent), 0, 0, (0, 0, 0))
    assert [(graph.linked, graph.considered) for graph in brain.graphs.values()] == [(0, 0), (3, 3)]
