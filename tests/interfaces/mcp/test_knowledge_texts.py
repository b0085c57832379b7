"""Results of the other tools as text: what a model needs to go on is there, and no text is longer than a client takes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hippo import limits
from hippo.interfaces.mcp import knowledge_texts as texts
from hippo.interfaces.mcp.table import SETS
from hippo.model.knowledge import (
    Blocks,
    Conversation,
    Exported,
    Facts,
    Forgot,
    Logged,
    Onboarding,
    Proposal,
    Proposals,
    Related,
    Surroundings,
    Updated,
    Version,
)
from hippo.model.knowledge_verb import CheckVersion, Consolidate, Context, Export, RecallConversation
from hippo.model.restored import Restored
from hippo.model.stored import Stored
from tests.interfaces.playing import ANSWERS, block, entity, memory, message, preview

replace = msgspec.structs.replace


@pytest.mark.parametrize(("verb", "said"), [
    ("update", "00000001 says now: Anna likes coffee"),
    ("forget", "Forgot 1 memory:\n- 00000001: Anna likes tea (2026-01-01, fact, Anna)\nBack again: 00000003.\n"
               "Quoted in block persona."),
    ("purge", "Would forget 1 memory:\n- 00000001: Anna likes tea (2026-01-01, fact, Anna)"),
    ("merge", "00000004 stands for 00000001, 00000002 now; they stay, superseded."),
    ("merge_entities", "Moved 2 memories to Anna Berg, which has 5 memories now."),
    ("restore", "00000001 has its exact text again."),
    ("relate", "Related: Anna sister_of Ben."),
    ("context", "1. 00000001 (fact · Anna · 2026-01-01 · tags drinks · confidence 0.80)\nAnna likes tea\n"
                f"Anna (person, 1 memory, version_hash {'f' * 64})\nRelations: Anna sister_of Ben.\n"
                "- Anna likes tea [00000100, 2026-01-01]\nBlocks: persona. recall_memory_block reads them."),
    ("onboard", "Ask who you speak with.\nEntities: Anna."),
    ("remember_facts", "- Stored as 00000001: Anna likes tea"),
    ("consolidate", "Looked at 9 memories.\n1. merge · 0.94 · they say nearly the same\n"
                    "- 00000001: Anna likes tea (2026-01-01, fact, Anna)\n- 00000002: Anna likes tea (2026-01-01, fact, Anna)"),
    ("recall_block", "persona (15 of 8,000 characters):\nSpeaks plainly."),
    ("append_block", "persona (15 of 8,000 characters, appended):\nSpeaks plainly."),
    ("log_messages", "Logged 2 messages, 1 known already."),
    ("recall_conversation", "2026-01-01 user: Book the train"),
    ("export", "# Anna\n\nlikes tea\n"),
])
def test_what_a_model_needs_is_said(verb: str, said: str) -> None:
    say = texts.forgot_text if verb == "purge" else next(row.say for row in SETS["all"] if row.ask == verb)
    asked = {"context": Context(topic="Anna"), "consolidate": Consolidate(), "export": Export(),
             "recall_conversation": RecallConversation()}.get(verb)
    text, answer = say(ANSWERS[verb], asked)
    assert text == said
    assert answer == ANSWERS[verb]


@pytest.mark.parametrize(("say", "answer", "said"), [
    (texts.updated_text, Updated(id="A", action="unchanged", text="x", kind="fact"), "A says that already: x"),
    (texts.forgot_text, Forgot(dry_run=True, memories=[], note="Nothing is that similar."), "Nothing is that similar."),
    (texts.forgot_text, Forgot(dry_run=False, memories=[]), "Nothing matches: nothing was forgotten."),
    (texts.restored_text, Restored(id="A", action="unchanged"), "A has its exact text already."),
    (texts.related_text, Related(action="unchanged", source="A", relation="knows", target="B"), "Nothing changed: A knows B."),
    (texts.related_text, Related(action="removed", source="A", relation="knows", target="B"), "No longer related: A knows B."),
    (texts.blocks_text, Blocks(blocks=[]), "There is no block yet: append_memory_block makes one."),
    (texts.facts_text, Facts(facts=[], texts=[], by="rules"), "There is no fact in it."),
    (texts.logged_text, Logged(logged=3, note="2 were empty."), "Logged 3 messages.\n2 were empty."),
    (texts.onboarding_text, Onboarding(phase="delta", memories=60, entities=[], blocks=["persona"], guidance="Go on."),
     "Go on.\nBlocks: persona."),
])
def test_what_is_otherwise_is_said_too(say: Any, answer: Any, said: str) -> None:
    assert say(answer, None) == (said, answer)


def test_what_is_unchanged_and_what_is_not_is_said_with_the_way_to_read_it() -> None:
    asked = CheckVersion(entity="anna", hash="x")
    same = Version(entity="Anna", unchanged=True, version_hash="f", memories=3)
    assert texts.version_text(same, asked)[0] == "Anna is unchanged (3 memories)."
    changed = texts.version_text(replace(same, unchanged=False), asked)[0]
    assert changed == 'Anna has changed: 3 memories, version_hash f. recall(entity="anna") reads them.'


def test_a_conflict_and_what_came_of_a_repeat_are_said() -> None:
    say = next(row.say for row in SETS["all"] if row.name == "remember")
    assert say(ANSWERS["remember_one"], None)[0].splitlines() == [
        "Stored as 00000001.", "Similar memories exist:", "- 00000002: Anna likes coffee (contradicts this)",
        "Related: Anna relates_to Ben."]
    assert say(Stored(id="A", action="strengthened"), None)[0] == "Known already as A, which is stronger now."
    assert say(Stored(id="A", action="superseded", replaced=["B"]), None)[0] == "Stored as A, replacing B."
    assert say(Stored(id="A", action="superseded", superseded_by="B"), None)[0] == (
        "Stored as A, superseded by B, which says more.")
    assert say(Stored(id="A", near_matches=[{"text": "an entry of a log"}]), None)[0].splitlines()[-1] == "- an entry of a log"


def test_all_that_was_forgotten_is_counted_also_what_is_not_shown() -> None:
    forgot = Forgot(dry_run=False, memories=[preview()] * limits.forget_shown_max, left_out=7)
    assert texts.forgot_text(forgot, None)[0].startswith("Forgot 57 memories:")


# What does not fit

ROOM = some.integers(500, 5_000)
LENGTHS = some.lists(some.integers(1, 3_000), max_size=30)
NOTE = some.none() | some.just("Something else is worth knowing.")
ALERT = some.none() | some.just("over its budget")
few = settings(max_examples=100, deadline=None)


@few
@given(memories=LENGTHS, observations=some.lists(some.integers(0, 8), max_size=6), room=ROOM, note=NOTE, alert=ALERT)
def test_surroundings_are_cut_at_an_edge(
    memories: list[int], observations: list[int], room: int, note: str | None, alert: str | None
) -> None:
    found = Surroundings(
        topic="x", memories=[memory(at, "x" * length) for at, length in enumerate(memories)], note=note, alert=alert,
        entities=[entity(f"entity {at}", count) for at, count in enumerate(observations)], blocks=["persona"])
    text, cut = texts.surroundings_text(found, Context(topic="x", max_chars=room))
    assert len(text) <= room
    assert alert is None or text.endswith("\n⚠ over its budget")
    if cut is found:
        return
    assert cut.note is not None
    assert cut.note in text
    assert f"{len(cut.memories)} of {len(found.memories)} memories and {len(cut.entities)} of {len(found.entities)}" in cut.note
    if found.memories and len(cut.memories) == 1 and cut.memories[0] != found.memories[0]:
        assert f"offset={len(cut.memories[0].text)}" in cut.note
    else:
        assert cut.memories == found.memories[:len(cut.memories)]
    for shown, whole in zip(cut.entities, found.entities, strict=False):
        assert shown.observations == whole.observations[:len(shown.observations)]
        assert whole.name in text


@few
@given(counts=some.lists(some.integers(0, 20), min_size=1, max_size=20), room=ROOM, more=some.integers(0, 9), note=NOTE)
def test_proposals_are_cut_at_an_edge(counts: list[int], room: int, more: int, note: str | None) -> None:
    found = Proposals(mode="clusters", looked_at=9, left_out=more, note=note, excluded_append_only=3, information_rank=2,
                      redundancy_ratio=0.25, proposals=[
                          Proposal(action="merge", memories=[preview(at, "x" * 150) for at in range(count)], similarity=0.9)
                          for count in counts])
    text, cut = texts.proposals_text(found, Consolidate(max_chars=room))
    assert len(text) <= room
    assert text.startswith("Looked at 9 memories. Information rank 2. Redundancy 25%.")
    assert cut.left_out - found.left_out == len(found.proposals) - len(cut.proposals)
    assert cut.proposals[1:] == found.proposals[1:len(cut.proposals)]
    assert cut.proposals[0].memories == found.proposals[0].memories[:len(cut.proposals[0].memories)]
    if cut != found:
        assert f"{len(cut.proposals)} of {len(found.proposals)} proposals fit" in text


@few
@given(lengths=some.lists(some.integers(1, 3_000), min_size=1, max_size=50), room=ROOM, note=NOTE)
def test_messages_are_cut_at_an_edge(lengths: list[int], room: int, note: str | None) -> None:
    found = Conversation(messages=[message("x" * length) for length in lengths], note=note)
    text, cut = texts.conversation_text(found, RecallConversation(max_chars=room))
    assert len(text) <= room
    assert [row.text for row in cut.messages[1:]] == [row.text for row in found.messages[1:len(cut.messages)]]
    if cut != found:
        assert f"{len(cut.messages)} of {len(found.messages)} messages fit" in text


@few
@given(length=some.integers(1, 8_000), line=some.integers(1, 900), room=ROOM, linked=some.booleans(), note=NOTE)
def test_an_export_is_cut_where_a_line_ends(length: int, line: int, room: int, linked: bool, note: str | None) -> None:
    text = "\n".join("x" * line for _ in range(length // line + 1))
    exported = Exported(format="markdown", memories=1, characters=len(text), text=text, note=note,
                        uri="hippocampus://export/markdown" if linked else None, route="/api/export" if linked else None)
    said, cut = texts.exported_text(exported, Export(max_chars=room))
    assert len(said) <= room
    assert text.startswith(cut.text)
    if cut == exported:
        assert "The whole is at" not in said
    else:
        assert ("hippocampus://export/markdown or GET /api/export" in said) == linked
        assert ("larger max_chars" in said) != linked
        assert f"The first {len(cut.text):,} of {len(text):,} characters are shown." in said
        assert cut.text.endswith("\n") or line > room // 8


@few
@given(lengths=some.lists(some.integers(1, 9_000), min_size=1, max_size=8))
def test_blocks_are_cut_at_an_edge(lengths: list[int]) -> None:
    found = Blocks(blocks=[block(f"key {at}", "x" * length) for at, length in enumerate(lengths)])
    text, cut = texts.blocks_text(found, None)
    assert len(text) <= texts.ROOM
    assert cut.blocks == found.blocks[:len(cut.blocks)]
    if cut != found:
        assert f"Left out: key {len(cut.blocks)}" in text


def test_a_block_that_is_too_long_alone_says_where_the_rest_is() -> None:
    long = block(text="x" * texts.ROOM)
    for text in (texts.blocks_text(Blocks(blocks=[long]), None)[0], texts.block_text(replace(long, action="appended"), None)[0]):
        assert len(text) <= texts.ROOM
        assert "characters of persona are shown; GET /api/blocks has the rest." in text


def test_facts_and_what_is_forgotten_are_cut_at_an_edge() -> None:
    facts = Facts(facts=[Stored(id=f"{at:08d}") for at in range(200)], texts=["x" * 900] * 200, by="rules")
    text, cut = texts.facts_text(facts, None)
    assert len(text) <= texts.ROOM
    assert len(cut.facts) == len(cut.texts) < 200
    assert f"{len(cut.facts)} of 200 are shown; all are stored." in text
    forgot = Forgot(dry_run=False, memories=[preview(at, "x" * 500) for at in range(49)], note="And more.")
    said, left = texts.forgot_text(forgot, None)
    assert len(said) <= texts.ROOM
    assert f"And more. {len(left.memories)} of 49 are shown." in said


def test_where_the_whole_of_an_export_is_is_said_once_and_only_where_it_is_not_shown() -> None:
    whole = ANSWERS["export"]
    begun = replace(whole, characters=90_000, note=f"The whole is at the resource {whole.uri}.")
    zipped = replace(whole, characters=0, text="", note=None)
    assert [texts.exported_text(one, Export())[0].count("hippocampus://") for one in (whole, begun, zipped)] == [0, 1, 1]
    assert [len(texts.export_link(one)) for one in (whole, begun, zipped, replace(begun, uri=None))] == [0, 1, 1, 0]
