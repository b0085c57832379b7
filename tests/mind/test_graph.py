"""The columns of one agent, and what of them goes to the journal."""

from hippo import limits
from hippo.mind.graph import Graph, Vocabulary


def _graph(count):
    graph = Graph(Vocabulary(), 0.03)
    for ordinal in range(count):
        graph.add({"ordinal": ordinal, "stability": 1.0})
    return graph


def test_what_was_touched_is_taken_in_portions_and_replays_to_the_same_associations():
    count = 2 * limits.touched_rows_max + 100
    graph = _graph(count)
    for slot in range(1, count):
        graph.link(slot, [(slot // 2, 0.2)])
    changes = []
    while (change := graph.take_touched("default")) is not None:
        assert len(change.edge_from) <= limits.touched_rows_max
        changes.append(change)
    assert len(changes) > 2
    again = _graph(count)
    for change in changes:
        again.apply(change, "default")
    assert all((a == b).all() for a, b in zip(again.associations.all(), graph.associations.all(), strict=True))
    assert again.linked == graph.linked == count


def test_first_associations_are_not_taken_for_made_before_the_last_of_them_is_recorded():
    graph = _graph(limits.touched_rows_max + 50)
    for slot in range(1, len(graph)):
        graph.link(slot, [(slot // 2, 0.2)])
    first = graph.take_touched("default")
    again = _graph(len(graph))
    again.apply(first, "default")
    assert again.linked == 0
