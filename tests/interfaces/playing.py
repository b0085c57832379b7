"""A service that a test plays: every verb is noted down and answered with one answer of its kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from hippo.model.inspection import Inspection
from hippo.model.knowledge import (
    Block,
    Blocks,
    Conversation,
    EntitySketch,
    Exported,
    Facts,
    Forgot,
    Logged,
    LoggedMessage,
    Merged,
    MergedEntities,
    Onboarding,
    Preview,
    Proposal,
    Proposals,
    Related,
    Surroundings,
    Updated,
    Version,
)
from hippo.model.memory import Fidelity
from hippo.model.recollection import Answer, Recollection, Why
from hippo.model.report import Bytes, Report, Stats, TierFigures, TierReport
from hippo.model.restored import Restored
from hippo.model.stored import Stored

NEW_YEAR = 1_767_225_600_000  # 2026-01-01


def memory(number: int = 1, text: str = "Anna likes tea", **more: object) -> Recollection:
    row = Recollection(
        id=f"{number:08d}", text=text, activation=1.0, confidence=0.8, why=Why("seed", 0.9), tier="hot", lossless=True,
        fidelity=None, created_at=NEW_YEAR, entity="Anna", kind="fact", tags=("drinks",))
    return msgspec.structs.replace(row, **more)


def preview(number: int = 1, text: str = "Anna likes tea") -> Preview:
    return Preview(id=f"{number:08d}", text=text, created_at=NEW_YEAR, kind="fact", entity="Anna")


def entity(name: str = "Anna", observations: int = 1) -> EntitySketch:
    return EntitySketch(name=name, type="person", memories=observations, version_hash="f" * 64,
                        observations=[memory(100 + at) for at in range(observations)],
                        relations=[[name, "sister_of", "Ben"]])


def message(text: str = "Book the train") -> LoggedMessage:
    return LoggedMessage(id="00000001", role="user", text=text, created_at=NEW_YEAR, conversation="c")


def block(key: str = "persona", text: str = "Speaks plainly.") -> Block:
    return Block(key=key, text=text, characters=len(text), limit=8_000)


_tier = TierReport(target_ratio=1, floors=(1, 1, 1), before=TierFigures(count=1), expected=TierFigures(count=1),
                   after=TierFigures(count=1))
_report = Report(cause="sleep", depth="all", at=NEW_YEAR, memories=1, tiers={"hot": _tier}, before=Bytes(), after=Bytes())

ANSWERS: dict[str, Any] = {
    "remember_one": Stored(id="00000001", near_matches=[{"id": "00000002", "text": "Anna likes coffee", "conflicts": True}],
                           entity="Anna", version_hash="f" * 64, relations_created=[["Anna", "relates_to", "Ben"]]),
    "recall": Answer(results=[memory(), memory(2, fidelity=Fidelity(0.9, 0.9, 0.9), lossless=False)]),
    "sleep": _report,
    "preview": msgspec.structs.replace(_report, dry=True),
    "stats": Stats(
        memories=1, agents=1, associations=0, schemas=0, tiers={"hot": TierFigures(count=1)}, content_bytes=1,
        dictionary_bytes=0, index_bytes=0, journal_bytes=0, total_bytes=1, parity_bytes=0, cache_bytes=0, log_bytes=0,
        raw_bytes=1, budget_bytes=None, over_budget=False, alert=None, unrecoverable=0, verified_at=None,
        embedder="wordllama", last_report=None, version="1", damage=[]),
    "inspect": Inspection(
        id="00000001", agent_id="default", text="Anna likes tea", scope="", salience=0.3, kind="fact",
        retention="standard", entity="Anna", entity_type="person", tags=(), source=None, conversation=None,
        created_at=NEW_YEAR, key=None, protected=False, last_access=NEW_YEAR, access_count=1, encounter_count=1,
        intensity=0.3, stability=1.9, tier="hot", encoding="as is", lossless=True, retention_now=1.0, raw_bytes=14,
        associations=[], tier_in_days={"warm": 3.0}, characters=14),
    "context": Surroundings(topic="Anna", memories=[memory()], entities=[entity()], blocks=["persona"]),
    "update": Updated(id="00000001", action="updated", text="Anna likes coffee", kind="fact", entity="Anna",
                      version_hash="f" * 64),
    "forget": Forgot(dry_run=False, memories=[preview()], restored=["00000003"], quoted_in=["block persona"]),
    "purge": Forgot(dry_run=True, memories=[preview()]),
    "merge": Merged(id="00000004", replaced=["00000001", "00000002"], entity="Anna", version_hash="f" * 64),
    "consolidate": Proposals(mode="clusters", looked_at=9, proposals=[
        Proposal(action="merge", memories=[preview(1), preview(2)], similarity=0.94, why="they say nearly the same")]),
    "check_version": Version(entity="Anna", unchanged=False, version_hash="f" * 64, memories=3),
    "export": Exported(format="markdown", memories=1, characters=18, text="# Anna\n\nlikes tea\n",
                       uri="hippocampus://export/markdown", route="/api/export?format=markdown"),
    "onboard": Onboarding(phase="bootstrap", memories=1, entities=["Anna"], blocks=[], guidance="Ask who you speak with."),
    "remember_facts": Facts(facts=[Stored(id="00000001")], texts=["Anna likes tea"], by="rules"),
    "recall_block": Blocks(blocks=[block()]),
    "append_block": msgspec.structs.replace(block(), action="appended"),
    "replace_block": msgspec.structs.replace(block(), action="replaced"),
    "delete_block": msgspec.structs.replace(block(), action="deleted"),
    "restore": Restored(id="00000001", action="restored"),
    "merge_entities": MergedEntities(entity="Anna Berg", moved=2, memories=5),
    "recall_conversation": Conversation(messages=[message()]),
    "log_messages": Logged(logged=2, known=1),
    "relate": Related(action="related", source="Anna", relation="sister_of", target="Ben"),
}


class Playing:
    """Answers every verb of `ANSWERS`.

    Args:
        alert: what every answer carries.
    """

    def __init__(self, alert: str | None = None) -> None:
        self.alert, self.asked = alert, list[tuple[str, Any]]()

    def __getattr__(self, name: str) -> Any:
        if name not in ANSWERS:
            raise AttributeError(name)

        async def answering(verb: Any) -> Any:
            self.asked.append((name, verb))
            return msgspec.structs.replace(ANSWERS[name], alert=self.alert)

        return answering

    async def export_file(self, format: str, agent_id: str | None) -> tuple[str, str, AsyncIterator[bytes]]:
        self.asked.append(("export_file", (format, agent_id)))
        return "Zoë's memory.json", "application/json", self._pieces()

    async def _pieces(self) -> AsyncIterator[bytes]:
        for piece in (b'{"format": ', b'"hippo"', b"}"):
            yield piece
