"""Results as compact text, for models that read the text and not the structure: the core tools. Pure.

1. What a model needs to act is there: ids, and what to ask next.
2. A list is cut at an item's edge so that the text has at most `max_chars` characters; it says what was left out and
   how to get it, and the structure loses the same items. One text that is too long alone is cut with its offset.
3. A store-wide alert is the last line, whatever the tool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from hippo.interfaces.exports.wire import WIRE_COLUMNS, wire_line
from hippo.model.inspection import Inspection
from hippo.model.recollection import Answer, Recollection
from hippo.model.report import Report, Stats
from hippo.model.stored import Stored
from hippo.model.verb import Inspect, Recall

WARNING = "⚠"
_reserve_characters = 320  # for the sentence that says what was left out


def day(instant_ms: int) -> str:
    """The UTC day of an instant, such as 2026-01-02."""
    return datetime.fromtimestamp(instant_ms / 1000, UTC).date().isoformat()


def size(count: int) -> str:
    """Bytes as people read them, such as 1.4 MB."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count} B"


def memories(count: int) -> str:
    """How many memories, in words."""
    return "1 memory" if count == 1 else f"{count:,} memories"


def some(names: Sequence[str], shown: int = 8) -> str:
    """The first of some names, and whether there are more."""
    return ", ".join(names[:shown]) + (", …" if len(names) > shown else "")


def joined(*lines: str | None, alert: str | None) -> str:
    """The lines that say something, the alert last (rule 3)."""
    said = [line for line in lines if line]
    if alert:
        said.append(f"{WARNING} {alert}")
    return "\n".join(said)


def fitting(pieces: Sequence[str], frame: str, max_chars: int) -> tuple[int, int]:
    """How many of some pieces, each on lines of its own, fit beside a frame (rule 2).

    Returns:
        Their count, and how many characters are left: enough for a sentence about the rest where that is needed.
    """
    room = max_chars - len(frame) - 2
    if sum(map(len, pieces)) + len(pieces) <= room:
        return len(pieces), room
    kept, room = 0, room - _reserve_characters
    while kept < len(pieces) and len(pieces[kept]) + 1 <= room:
        room -= len(pieces[kept]) + 1
        kept += 1
    return kept, room


def begun(memory: Recollection, render: Callable[[Recollection], str], room: int) -> tuple[Recollection, str]:
    """One memory that is too long alone, cut to a room, and the sentence about the rest (rule 2)."""
    length = max(0, room - len(render(msgspec.structs.replace(memory, text=""))))
    return (msgspec.structs.replace(memory, text=memory.text[:length]),
            f'The text of {memory.id} goes on: inspect(id="{memory.id}", offset={length}) returns the rest.')


def sentences(*said: str | None) -> str | None:
    """Sentences as one note; None for none."""
    return " ".join(filter(None, said)) or None


def stored_text(stored: Stored, _: Any) -> tuple[str, Stored]:
    """`remember`: what happened, and what was nearly the same."""
    lines = [became(stored) + "."]
    if stored.near_matches:
        lines.append("Similar memories exist:")
        lines += [_near(row) for row in stored.near_matches]
    if stored.relations_created:
        lines.append("Related: " + "; ".join(" ".join(row) for row in stored.relations_created[:8]) + ".")
    return joined(*lines, stored.note, alert=stored.alert), stored


def became(stored: Stored) -> str:
    """What became of one memory, as the beginning of a sentence."""
    if stored.action == "strengthened":
        return f"Known already as {stored.id}, which is stronger now"
    if stored.superseded_by:
        return f"Stored as {stored.id}, superseded by {stored.superseded_by}, which says more"
    return f"Stored as {stored.id}" + (f", replacing {some(stored.replaced)}" if stored.replaced else "")


def _near(row: dict[str, Any]) -> str:
    id = f"{row['id']}: " if "id" in row else ""  # entries of a log have none
    return f"- {id}{row.get('text', '')}" + (" (contradicts this)" if row.get("conflicts") else "")


def answer_text(answer: Answer, asked: Recall) -> tuple[str, Answer]:
    """`recall`: the memories, best first, in the format asked for."""
    if not answer.results:
        return joined(answer.note or "Nothing was found.", alert=answer.alert), answer
    render = _formats[asked.format]
    opening = [WIRE_COLUMNS] if asked.format == "wire" else []
    if answer.weak and not answer.note:
        opening.insert(0, "Nothing close is known; these are the nearest memories.")
    frame = joined(*opening, answer.note, alert=answer.alert)
    texts = [render(place, memory) for place, memory in enumerate(answer.results, 1)]
    kept, room = fitting(texts, frame, asked.max_chars)
    if kept == len(texts):
        return joined(*opening, *texts, answer.note, alert=answer.alert), answer
    results, said = _left_out(answer.results, kept, room, render)
    texts = [render(place, memory) for place, memory in enumerate(results, 1)]
    cut = msgspec.structs.replace(answer, results=results, note=sentences(answer.note, said))
    return joined(*opening, *texts, cut.note, alert=answer.alert), cut


def _left_out(
    found: list[Recollection], kept: int, room: int, render: Callable[[int, Recollection], str]
) -> tuple[list[Recollection], str | None]:
    """What is shown of a list that is too long, and the sentences about the rest (rule 2)."""
    results, goes_on, left = found[:kept], None, None
    if kept == 0:
        first, goes_on = begun(found[0], lambda memory: render(1, memory), room)
        results = [first]
    rest = [memory.id for memory in found[len(results):]]
    if rest:
        left = (f"{len(results)} of {len(found)} results fit into max_chars; left out: {some(rest)}. "
                "Ask with a larger max_chars, or inspect them by id.")
    return results, sentences(goes_on, left)


def full(place: int, memory: Recollection) -> str:
    """A recalled memory with all that helps to judge it."""
    facts = [memory.kind, memory.entity, day(memory.created_at), memory.scope and f"scope {memory.scope}",
             memory.tags and "tags " + ", ".join(memory.tags), f"confidence {memory.confidence:.2f}", _why(memory),
             not memory.lossless and "abridged", memory.stale and "stale: newer observations exist",
             memory.superseded_by and f"superseded by {memory.superseded_by}", memory.archived_at and "archived"]
    return f"{place}. {memory.id} ({' · '.join(str(fact) for fact in facts if fact)})\n{memory.text}"


def _why(memory: Recollection) -> str:
    if memory.why.kind == "spread" and memory.why.path:
        return "reached through " + " → ".join(memory.why.path)
    return "said next to a match" if memory.why.kind == "neighbour" else ""


def compact(memory: Recollection) -> str:
    """A memory in one line."""
    return f"- {memory.text} [{memory.id}, {day(memory.created_at)}]"


def _wire(_: int, memory: Recollection) -> str:
    return wire_line(memory.id, memory.created_at, memory.confidence, memory.kind, memory.entity, memory.text)


def _index(_: int, memory: Recollection) -> str:
    facts = (memory.kind, memory.entity, day(memory.created_at), ", ".join(memory.tags),
             f"{len(memory.text):,} characters")
    return f"{memory.id} {' · '.join(fact for fact in facts if fact)}"


_formats: dict[str, Callable[[int, Recollection], str]] = {
    "full": full, "compact": lambda _, memory: compact(memory), "wire": _wire, "index": _index,
}


def report_text(report: Report, _: Any) -> tuple[str, Report]:
    """`sleep` and `compress_preview`: the tiers and the bytes, before and after."""
    after = "expected" if report.dry else "after"
    lines = [f"{'A pass would see' if report.dry else 'Slept:'} {memories(report.memories)}"
             + ("" if report.duration_ms is None else f", {report.duration_ms / 1000:.1f} s") + "."]
    for tier, row in report.tiers.items():
        then = row.expected if report.dry else row.after
        if not row.before.count and not then.count:
            continue
        lines.append(f"{tier}: {row.before.count:,} → {memories(then.count)}, {size(row.before.stored_bytes)} → "
                     f"{size(then.stored_bytes)} ({then.ratio:.1f}x)")
    lines.append(f"Total: {size(report.before.total_bytes)} → {size(report.after.total_bytes)} {after}.")
    if report.edges_decayed or report.edges_pruned:
        lines.append(f"{report.edges_decayed:,} associations faded, {report.edges_pruned:,} pruned.")
    if report.unrecoverable:
        lines.append(f"{memories(report.unrecoverable)} cannot be reconstructed: `hippo check` names them.")
    return joined(*lines, alert=report.alert), report


def stats_text(stats: Stats, _: Any) -> tuple[str, Stats]:
    """`memory_stats`: counts, tiers and bytes."""
    lines = [f"{memories(stats.memories)}, agents: {stats.agents:,}, associations: {stats.associations:,}."]
    lines += [f"{tier}: {memories(row.count)}, {size(row.raw_bytes)} as {size(row.stored_bytes)} ({row.ratio:.1f}x)"
              for tier, row in stats.tiers.items() if row.count]
    budget = "" if stats.budget_bytes is None else f" of a budget of {size(stats.budget_bytes)}"
    lines.append(f"On disk: {size(stats.total_bytes)}{budget} for {size(stats.raw_bytes)} of text "
                 f"(content {size(stats.content_bytes)}, index {size(stats.index_bytes)}, "
                 f"journal {size(stats.journal_bytes)}).")
    lines.append(f"Unrecoverable: {stats.unrecoverable}. Embedder: {stats.embedder}. Version {stats.version}.")
    lines += [f"Damage: {sentence}" for sentence in stats.damage]
    return joined(*lines, alert=stats.alert), stats


def inspection_text(memory: Inspection, asked: Inspect) -> tuple[str, Inspection]:
    """`inspect`: one memory with all that is known of it."""
    said = _inspected(memory)
    over = len(said) - asked.max_chars
    if over > 0:
        length = max(1, len(memory.text) - over - _reserve_characters)
        memory = msgspec.structs.replace(memory, text=memory.text[:length], next_offset=memory.offset + length)
        said = _inspected(memory)
    return said, memory


def _inspected(memory: Inspection) -> str:
    facts = {
        "agent": memory.agent_id, "scope": memory.scope, "kind": memory.kind, "entity": memory.entity,
        "tags": ", ".join(memory.tags), "source": memory.source, "conversation": memory.conversation,
        "salience": f"{memory.salience:.2f}", "retention": f"{memory.retention}, {memory.retention_now:.0%} now",
        "stability": f"{memory.stability:.1f} days", "recalled": f"{memory.access_count} times, last "
        f"{day(memory.last_access)}", "kept": f"{memory.tier}, {memory.encoding}, "
        f"{'exact' if memory.lossless else 'abridged'}", "superseded by": memory.superseded_by,
    }
    linked = ", ".join(f"{row.id} ({row.weight:.2f})" for row in memory.associations[:12])
    lines = [f"{memory.id}, {day(memory.created_at)}", memory.text,
             "; ".join(f"{name} {fact}" for name, fact in facts.items() if fact) + "."]
    if linked:
        lines.append(f"Associated with {linked}.")
    if memory.next_offset is not None:
        lines.append(f'Characters {memory.offset:,} to {memory.next_offset:,} of {memory.characters:,}: '
                     f'inspect(id="{memory.id}", offset={memory.next_offset}) goes on.')
    return joined(*lines, alert=memory.alert)
