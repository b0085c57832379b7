"""Results as compact text: the tools that correct, gather and tidy up what is known. Pure.

The rules of `texts.py` hold; a tool without `max_chars` has the default one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from hippo import limits
from hippo.interfaces.mcp.texts import became, begun, compact, day, fitting, full, joined, memories, sentences, some
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
from hippo.model.knowledge_verb import CheckVersion, Consolidate, Context, Export, RecallConversation
from hippo.model.recollection import Recollection
from hippo.model.restored import Restored

ROOM = limits.result_characters_default
_NAMES = 30  # that are shown of a list of names


# Corrections


def updated_text(updated: Updated, _: Any) -> tuple[str, Updated]:
    """`update`: what the memory says now."""
    said = "says that already" if updated.action == "unchanged" else "says now"
    return joined(f"{updated.id} {said}: {updated.text}", updated.note, alert=updated.alert), updated


def forgot_text(forgot: Forgot, _: Any) -> tuple[str, Forgot]:
    """`forget`: what is gone, or would be, and what came back for it."""
    shown = len(forgot.memories)
    count = memories(shown + forgot.left_out)
    head = f"Would forget {count}:" if forgot.dry_run else f"Forgot {count}:"
    back = f"Back again: {some(forgot.restored)}." if forgot.restored else None
    quoted = f"Quoted in {some(forgot.quoted_in)}." if forgot.quoted_in else None
    if not forgot.memories:
        return joined(forgot.note or "Nothing matches: nothing was forgotten.", alert=forgot.alert), forgot
    pieces = [_preview(row) for row in forgot.memories]
    kept, _room = fitting(pieces, joined(head, back, quoted, forgot.note, alert=forgot.alert), ROOM)
    left_out = forgot.left_out + shown - kept
    if left_out:
        said = f"{kept} of {kept + left_out} are shown."
        forgot = replace(forgot, memories=forgot.memories[:kept], left_out=left_out, note=sentences(forgot.note, said))
    return joined(head, *pieces[:kept], back, quoted, forgot.note, alert=forgot.alert), forgot


def merged_text(merged: Merged, _: Any) -> tuple[str, Merged]:
    """`merge`: which memory stands for which."""
    return joined(f"{merged.id} stands for {some(merged.replaced, _NAMES)} now; they stay, superseded.",
                  alert=merged.alert), merged


def merged_entities_text(merged: MergedEntities, _: Any) -> tuple[str, MergedEntities]:
    """`merge_entities`: how many memories changed hands."""
    return joined(f"Moved {memories(merged.moved)} to {merged.entity}, which has {memories(merged.memories)} now.",
                  alert=merged.alert), merged


def restored_text(restored: Restored, _: Any) -> tuple[str, Restored]:
    """`restore`: whether anything was missing."""
    said = "has its exact text already" if restored.action == "unchanged" else "has its exact text again"
    return joined(f"{restored.id} {said}.", alert=restored.alert), restored


def related_text(related: Related, _: Any) -> tuple[str, Related]:
    """`relate`: the relation, and whether it is new."""
    said = {"related": "Related", "removed": "No longer related"}.get(related.action, "Nothing changed")
    return joined(f"{said}: {related.source} {related.relation} {related.target}.", alert=related.alert), related


def version_text(version: Version, asked: CheckVersion) -> tuple[str, Version]:
    """`check_version`: whether an entity is as it was."""
    said = (f"{version.entity} is unchanged ({memories(version.memories)})." if version.unchanged else
            f"{version.entity} has changed: {memories(version.memories)}, version_hash {version.version_hash}. "
            f'recall(entity="{asked.entity}") reads them.')
    return joined(said, alert=version.alert), version


# Gathering


def surroundings_text(found: Surroundings, asked: Context) -> tuple[str, Surroundings]:
    """`context`: memories, then each entity with what is known of it."""
    blocks = f"Blocks: {some(found.blocks)}. recall_memory_block reads them." if found.blocks else None
    head = "Nothing close is known; these are the nearest memories." if found.weak and not found.note else None
    if not found.memories and not found.entities:
        return joined(found.note or f"Nothing is known of {found.topic}.", blocks, alert=found.alert), found
    pieces = _pieces(found)
    kept, room = fitting(pieces, joined(head, blocks, found.note, alert=found.alert), asked.max_chars)
    if kept < len(pieces):
        goes_on = None
        if kept == 0 and found.memories:
            first, goes_on = begun(found.memories[0], _first, room)
            cut = replace(found, memories=[first], entities=[])
        else:
            cut = _cut(found, kept)
        names = [entity.name for entity in found.entities[len(cut.entities):]]
        said = sentences(
            goes_on, f"{len(cut.memories)} of {len(found.memories)} memories and {len(cut.entities)} of "
            f"{len(found.entities)} entities fit into max_chars.", f"Left out: {some(names)}." if names else None,
            "Ask with a larger max_chars or less depth.")
        found, pieces = replace(cut, note=sentences(found.note, said)), _pieces(cut)
    return joined(head, *pieces, blocks, found.note, alert=found.alert), found


def _pieces(found: Surroundings) -> list[str]:
    pieces = [full(place, memory) for place, memory in enumerate(found.memories, 1)]
    for entity in found.entities:
        pieces += [_entity(entity), *map(compact, entity.observations)]
    return pieces


def _first(memory: Recollection) -> str:
    return full(1, memory)


def _entity(entity: EntitySketch) -> str:
    facts = ", ".join(filter(None, (entity.type, memories(entity.memories), f"version_hash {entity.version_hash}")))
    relations = some([" ".join(row) for row in entity.relations], _NAMES)
    return f"{entity.name} ({facts})" + (f"\nRelations: {relations}." if relations else "")


def _cut(found: Surroundings, kept: int) -> Surroundings:
    """Only the first pieces of what was found."""
    shown, left, entities = found.memories[:kept], kept - len(found.memories), []
    for entity in found.entities:
        if left <= 0:
            break
        observations = entity.observations[:left - 1]
        entities.append(replace(entity, observations=observations))
        left -= 1 + len(entity.observations)
    return replace(found, memories=shown, entities=entities)


def onboarding_text(onboarding: Onboarding, _: Any) -> tuple[str, Onboarding]:
    """`onboard`: what to do now, and what is known already."""
    entities = f"Entities: {some(onboarding.entities, _NAMES)}." if onboarding.entities else None
    blocks = f"Blocks: {some(onboarding.blocks, _NAMES)}." if onboarding.blocks else None
    return joined(onboarding.guidance, entities, blocks, alert=onboarding.alert), onboarding


def facts_text(facts: Facts, _: Any) -> tuple[str, Facts]:
    """`remember_facts`: what became of each fact."""
    if not facts.facts:
        return joined(facts.note or "There is no fact in it.", alert=facts.alert), facts
    pieces = [f"- {became(stored)}: {text[:limits.preview_characters]}"
              for stored, text in zip(facts.facts, facts.texts, strict=True)]
    kept, _room = fitting(pieces, joined(facts.note, alert=facts.alert), ROOM)
    if kept < len(pieces):
        said = f"{kept} of {len(pieces)} are shown; all are stored."
        facts = replace(facts, facts=facts.facts[:kept], texts=facts.texts[:kept], note=sentences(facts.note, said))
    return joined(*pieces[:kept], facts.note, alert=facts.alert), facts


# Tidying up


def proposals_text(found: Proposals, asked: Consolidate) -> tuple[str, Proposals]:
    """`consolidate`: what could be done, and with which memories."""
    rank = None if found.information_rank is None else f"Information rank {found.information_rank}."
    redundancy = None if found.redundancy_ratio is None else f"Redundancy {found.redundancy_ratio:.0%}."
    aside = (f"{memories(found.excluded_append_only)} of append-only entities were passed over."
             if found.excluded_append_only else None)
    head = sentences(f"Looked at {memories(found.looked_at)}.", rank, redundancy, aside)
    if not found.proposals:
        return joined(head, found.note or "There is nothing to tidy up.", alert=found.alert), found
    pieces = [_proposal(place, row) for place, row in enumerate(found.proposals, 1)]
    more = f"{found.left_out} more were found: ask with a larger limit." if found.left_out else None
    kept, room = fitting(pieces, joined(head, more, found.note, alert=found.alert), asked.max_chars)
    if kept < len(pieces):
        shown = found.proposals[:kept] or [_shortened(found.proposals[0], room)]
        said = (f"{len(shown)} of {len(pieces)} proposals fit into max_chars: ask with a larger one, or again once "
                f"these are done.{'' if kept else ' Some memories of this one are left out.'}")
        found = replace(found, proposals=shown, left_out=found.left_out + len(pieces) - len(shown),
                        note=sentences(found.note, said))
        pieces = [_proposal(place, row) for place, row in enumerate(shown, 1)]
    return joined(head, *pieces, more, found.note, alert=found.alert), found


def _shortened(proposal: Proposal, room: int) -> Proposal:
    """A proposal that is too long alone, with as many of its memories as fit."""
    bare = replace(proposal, memories=[])
    kept, left = 0, room - len(_proposal(1, bare))
    while kept < len(proposal.memories) and (left := left - len(_preview(proposal.memories[kept])) - 1) >= 0:
        kept += 1
    return replace(bare, memories=proposal.memories[:kept])


def _proposal(place: int, proposal: Proposal) -> str:
    alike = None if proposal.similarity is None else f"{proposal.similarity:.2f}"
    what = " · ".join(filter(None, (proposal.action, ", ".join(proposal.entities), alike, proposal.why)))
    return "\n".join([f"{place}. {what}", *map(_preview, proposal.memories)])


def _preview(row: Preview) -> str:
    facts = ", ".join(filter(None, (day(row.created_at), row.kind, row.entity)))
    return f"- {row.id}: {row.text} ({facts})"


# Blocks, conversations, exports


def block_text(block: Block, _: Any) -> tuple[str, Block]:
    """`append_memory_block`, `replace_memory_block`: the block as it is now."""
    kept, room = fitting([_block(block)], joined(alert=block.alert), ROOM)
    shown, goes_on = (block, None) if kept else _beginning(block, room)
    return joined(_block(shown), goes_on, alert=block.alert), shown


def blocks_text(blocks: Blocks, _: Any) -> tuple[str, Blocks]:
    """`recall_memory_block`: one block, or all of them."""
    if not blocks.blocks:
        nothing = blocks.note or "There is no block yet: append_memory_block makes one."
        return joined(nothing, alert=blocks.alert), blocks
    pieces = [_block(block) for block in blocks.blocks]
    kept, room = fitting(pieces, joined(blocks.note, alert=blocks.alert), ROOM)
    if kept < len(pieces):
        first, goes_on = _beginning(blocks.blocks[0], room) if kept == 0 else (blocks.blocks[0], None)
        shown = [first, *blocks.blocks[1:kept]]
        rest = [block.key for block in blocks.blocks[len(shown):]]
        left = f"Left out: {some(rest)}. recall_memory_block with a key reads one." if rest else None
        blocks = replace(blocks, blocks=shown, note=sentences(blocks.note, goes_on, left))
        pieces = [_block(block) for block in shown]
    return joined(*pieces, blocks.note, alert=blocks.alert), blocks


def _beginning(block: Block, room: int) -> tuple[Block, str]:
    """As much of a block as fits into a room, and a sentence about the rest."""
    length = max(0, room - len(_block(replace(block, text=""))))
    return (replace(block, text=block.text[:length]),
            f"The first {length:,} characters of {block.key} are shown; GET /api/blocks has the rest.")


def _block(block: Block) -> str:
    action = f", {block.action}" if block.action else ""
    return f"{block.key} ({block.characters:,} of {block.limit:,} characters{action}):\n{block.text}"


def logged_text(logged: Logged, _: Any) -> tuple[str, Logged]:
    """`log_messages`: how many were kept."""
    known = f", {logged.known:,} known already" if logged.known else ""
    messages = "1 message" if logged.logged == 1 else f"{logged.logged:,} messages"
    return joined(f"Logged {messages}{known}.", logged.note, alert=logged.alert), logged


def conversation_text(found: Conversation, asked: RecallConversation) -> tuple[str, Conversation]:
    """`recall_conversation`: who said what, and when."""
    if not found.messages:
        return joined(found.note or "No message matches.", alert=found.alert), found
    pieces = [_message(message) for message in found.messages]
    kept, room = fitting(pieces, joined(found.note, alert=found.alert), asked.max_chars)
    if kept < len(pieces):
        shown = found.messages[:kept]
        said = f"{max(kept, 1)} of {len(pieces)} messages fit into max_chars: ask with a larger one, or for fewer."
        if kept == 0:
            first = found.messages[0]
            shown = [replace(first, text=first.text[:max(0, room - len(_message(replace(first, text=""))))])]
            said = f"The message is cut. {said}"
        found, pieces = replace(found, messages=shown, note=sentences(found.note, said)), [*map(_message, shown)]
    return joined(*pieces, found.note, alert=found.alert), found


def _message(message: LoggedMessage) -> str:
    said_on = "" if message.created_at is None else f"{day(message.created_at)} "
    return f"{said_on}{message.role}: {message.text}"


def exported_text(exported: Exported, asked: Export) -> tuple[str, Exported]:
    """`export`: the text, or its beginning and where the whole is."""
    kept, room = fitting([exported.text], joined(exported.note, alert=exported.alert), asked.max_chars)
    if kept == 0:
        length = exported.text.rfind("\n", 0, max(room, 0)) + 1 or max(room, 0)
        said = f"The first {length:,} of {exported.characters:,} characters are shown."
        exported = replace(exported, text=exported.text[:length], note=sentences(exported.note, said))
    where = None
    if not _is_whole(exported):
        places = " or ".join(filter(None, (exported.uri, exported.route and f"GET {exported.route}")))
        where = f"The whole is at {places}." if places else "Ask with a larger max_chars."
        if exported.uri and exported.uri in (exported.note or ""):
            where = None  # the note says it
    return joined(exported.text, where, exported.note, alert=exported.alert), exported


def _is_whole(exported: Exported) -> bool:
    return bool(exported.text) and len(exported.text) == exported.characters


_kinds = {"json": "application/json", "obsidian": "application/zip", "wire": "text/plain"}


def export_link(exported: Exported) -> Sequence[dict[str, Any]]:
    """A link to the whole of an export that is longer than its text, as a block of content."""
    if exported.uri is None or _is_whole(exported):
        return ()
    return ({"type": "resource_link", "uri": exported.uri, "name": f"export.{exported.format}",
             "mimeType": _kinds.get(exported.format, "text/markdown"),
             "description": f"All {memories(exported.memories)}"},)
