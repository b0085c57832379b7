"""Dumps to export: small ones by hand, and any that hypothesis can think of."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as some

from hippo import limits
from hippo.model.dump import AgentDump, Dump, MemoryDump, MessageDump
from hippo.model.memory import Fidelity

NEW_YEAR = 1_767_225_600_000  # 2026-01-01
HOUR = 3_600_000
NASTY = (
    "# ", "#tag", "- ", "* ", "+ ", "1. ", "2)", "> ", "```", "~~~", "`", "``", "<b>", "</b>", "<div>", "<!--", "-->", "<?",
    "[[", "]]", "![x](http://y.example)", "[x](y)", "[x]: http://y.example", "[", "]", "%%", "$$", "|", "---", "===", ":--", "***",
    "___", "\n", "\n\n", "\r", "\r\n", "    ", "\t", "\\", "\\`", "@~/.ssh/id_ed25519", "@", "a", "word", " ", " ", "'", '"',
    "\x00", "\x07", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ufeff", "\U000e0041", "👩‍👩‍👧", "שלום", "東京", "e\u0301", "&amp;", "&lt;")

ids = some.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=8, max_size=8)
any_text = some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
nasty_text = some.lists(some.sampled_from(NASTY), min_size=1, max_size=24).map("".join)
texts = any_text | nasty_text
names = some.text(some.characters(exclude_categories=["Cs"], exclude_characters="\x1f"), min_size=1, max_size=40)
instants = some.integers(limits.instant_ms_min, limits.instant_ms_max)
shares = some.floats(0, 1)
counts = some.integers(0, 2**32 - 1)
fidelities = some.builds(Fidelity, shares, shares, shares)


def memory(number: int = 1, text: str = "Anna likes tea", **more: Any) -> MemoryDump:
    """One memory, an hour after the one before."""
    at = NEW_YEAR + number * HOUR
    return MemoryDump(**{"id": f"{number:08d}", "text": text, "created_at": at, "last_access": at, "stability": 1.9, **more})


def whole(agent: AgentDump, name: str = "default") -> Dump:
    """A dump of one agent."""
    return Dump(seed=7, next_ordinal=9, agents={name: agent})


@some.composite
def memories(draw: some.DrawFn, texts: some.SearchStrategy[str] = texts) -> MemoryDump:
    """Any memory."""
    superseded = draw(some.none() | ids)
    optional = some.none() | names
    return MemoryDump(
        id=draw(ids), text=draw(texts), scope=draw(names | some.just("")), salience=draw(shares),
        kind=draw(names | some.sampled_from(["fact", "episode", "preference"])),
        retention=draw(some.sampled_from(sorted(limits.retention_days))), entity=draw(optional), entity_type=draw(optional),
        tags=tuple(draw(some.lists(names, max_size=3))), source=draw(optional), conversation=draw(optional),
        created_at=draw(instants), key=draw(optional), protected=draw(some.booleans()), last_access=draw(instants),
        access_count=draw(counts), encounter_count=draw(counts), intensity=draw(shares),
        stability=draw(some.floats(0, limits.stability_days_max)), tier=draw(some.sampled_from(sorted(limits.tier_floors))),
        lossless=draw(some.booleans()), fidelity=draw(some.none() | fidelities), schema=draw(some.none() | ids),
        schema_hold=draw(some.booleans()), superseded_by=superseded, archived_at=draw(some.none() | instants),
        revision=superseded is not None and draw(some.booleans()))


@some.composite
def agents(draw: some.DrawFn) -> AgentDump:
    """Any agent; no two of its memories and messages have one id."""
    remembered = draw(some.lists(memories(), max_size=5, unique_by=lambda row: row.id))
    own = {row.id for row in remembered}
    return AgentDump(
        memories=remembered,
        associations=draw(some.lists(some.tuples(ids, ids, shares, instants), max_size=3)),
        blocks=draw(some.dictionaries(names, texts, max_size=3)),
        relations=draw(some.lists(some.tuples(names, names, names), max_size=3)),
        messages=draw(some.lists(some.builds(
            MessageDump, role=names, text=texts, conversation=some.none() | names, created_at=instants, id=ids),
            max_size=3, unique_by=lambda row: row.id).map(lambda rows: [row for row in rows if row.id not in own])))
