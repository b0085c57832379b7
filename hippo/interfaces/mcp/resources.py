"""The resources of the memory: what a client may show or add to a conversation by itself, without a tool being called.

1. The list is the same for everyone; entities and blocks are found through templates and their completion.
2. Reading strengthens nothing.
3. What is long is cut at a memory's edge, the least important left out, and says so.
4. A name in a URI may be percent-encoded or not. A URI that means nothing is a protocol error that says what there is.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from hippo import limits
from hippo.interfaces.mcp.server import Context, Handler, answering, refuse_further_pages
from hippo.interfaces.mcp.texts import begun, compact, fitting, memories, report_text, sentences, some
from hippo.model.knowledge import EntitySketch
from hippo.model.knowledge_verb import ExportFormat, RecallBlock
from hippo.model.recollection import Recollection

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

SCHEME = "hippocampus://"
CONTEXT, REPORT = f"{SCHEME}context", f"{SCHEME}report/latest"
ENTITY, BLOCK, EXPORT = f"{SCHEME}entity/{{name}}", f"{SCHEME}block/{{key}}", f"{SCHEME}export/{{format}}"

_MARKDOWN, _PLAIN = "text/markdown", "text/plain"
_RESOURCES = [
    types.Resource(
        uri=CONTEXT, name="context", title="What is known", mime_type=_MARKDOWN,
        description="The memories that matter most, by entity. Add it at the beginning of a conversation."),
    types.Resource(
        uri=REPORT, name="report", title="The last night", mime_type=_PLAIN,
        description="What the last pass of sleep did: tiers, bytes, what faded."),
]
_TEMPLATES = [
    types.ResourceTemplate(
        uri_template=ENTITY, name="entity", title="An entity", mime_type=_MARKDOWN,
        description="What is known of a person, project or thing: its memories, the newest first, and relations."),
    types.ResourceTemplate(
        uri_template=BLOCK, name="block", title="A block", mime_type=_PLAIN,
        description="A text that always stands, such as persona or objectives."),
    types.ResourceTemplate(
        uri_template=EXPORT, name="export", title="All that is known",
        description=f"Everything in one file, as {', '.join(get_args(ExportFormat))}."),
]
_FEW = (
    "Hardly anything is known here yet ({known}). Whenever the user tells something that lasts (who they are, what "
    "they prefer, their people, projects, decisions and plans), call remember: one self-contained statement per call, "
    "names and dates in full. The prompt onboard says how to begin.")
_ELSEWHERE = "Without an entity"


def resources(service: Service, observations_max: int) -> dict[str, Handler]:
    """The handlers of resources, by the SDK's names.

    Args:
        service: what answers. observations_max: memories in the resource of the whole context.
    """

    async def list_resources(_: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        refuse_further_pages(params)
        return types.ListResourcesResult(resources=_RESOURCES)

    async def list_templates(_: Context,
                             params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        refuse_further_pages(params)
        return types.ListResourceTemplatesResult(resource_templates=_TEMPLATES)

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        kind, name = _parsed(params.uri)
        if kind == "export" and name:
            return types.ReadResourceResult(contents=[await _export(service, params.uri, name)])
        match kind, name:
            case "context", "":
                text, media = await _context(service, observations_max), _MARKDOWN
            case "report", "latest":
                report = await service.report()
                text = "No pass of sleep has run yet." if report is None else report_text(report, None)[0]
                media = _PLAIN
            case "entity", str(name) if name:
                text, media = await _entity(service, params.uri, name, observations_max), _MARKDOWN
            case "block", str(name) if name:
                text, media = (await service.recall_block(RecallBlock(key=name))).blocks[0].text, _PLAIN
            case _:
                known = ", ".join((CONTEXT, REPORT, ENTITY, BLOCK, EXPORT))
                raise _nothing(params.uri, f"There is no resource {params.uri}. There are {known}.")
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=media, text=text)])

    return {"on_list_resources": list_resources, "on_list_resource_templates": list_templates,
            "on_read_resource": answering(read_resource)}


def _parsed(uri: str) -> tuple[str, str]:
    """What kind of resource a URI names, and which one; two empty texts for another's (rule 4)."""
    if not uri.lower().startswith(SCHEME):
        return "", ""
    kind, _, name = uri[len(SCHEME):].partition("/")
    return kind.lower(), unquote(name)


def _nothing(uri: str, said: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, said, data={"uri": uri})


async def _context(service: Service, most: int) -> str:
    found, count = await service.foremost(None, most), await service.count(None)
    blocks = [block.key for block in (await service.recall_block(RecallBlock())).blocks]
    head = "# What is known\n"
    if count < limits.few_memories:
        head += f"\n{_FEW.format(known=memories(count))}\n"
    if blocks:
        head += f"\nBlocks, at {SCHEME}block/…: {', '.join(blocks)}.\n"
    shown, said = _fitting(found, head)
    if len(found) == most < count:
        said = sentences(said, f"Of {memories(count)}, the {most:,} that matter most are here: recall finds others.")
    groups: dict[str, list[Recollection]] = {}
    for memory in shown:
        groups.setdefault(memory.entity or _ELSEWHERE, []).append(memory)
    if _ELSEWHERE in groups:
        groups[_ELSEWHERE] = groups.pop(_ELSEWHERE)  # last
    parts = [head] + ["\n".join((f"\n## {name}", *map(compact, rows))) + "\n" for name, rows in groups.items()]
    return "".join(parts) + (f"\n{said}\n" if said else "")


async def _entity(service: Service, uri: str, name: str, most: int) -> str:
    sketch = await service.sketch(None, name, most)
    if sketch is None:
        known = await service.entities(None)
        raise _nothing(uri, f"There is no entity {name}. " + (f"Known are {some(known)}." if known else
                                                               "Nothing is known of any yet."))
    head = _headed(sketch)
    shown, said = _fitting(sketch.observations, head)
    if len(sketch.observations) < sketch.memories:
        said = sentences(said, f"The newest of {memories(sketch.memories)} are here: recall with entity finds others.")
    return "\n".join((head, *map(compact, shown))) + (f"\n\n{said}" if said else "") + "\n"


async def _export(service: Service, uri: str,
                  format: str) -> types.TextResourceContents | types.BlobResourceContents:
    _, media, pieces = await service.export_file(format, None)
    whole = b"".join([piece async for piece in pieces])
    if format == "obsidian":
        return types.BlobResourceContents(uri=uri, mime_type=media, blob=b64encode(whole).decode())
    return types.TextResourceContents(uri=uri, mime_type=media, text=whole.decode())


def _headed(sketch: EntitySketch) -> str:
    facts = ", ".join(filter(None, (sketch.type, memories(sketch.memories), f"version_hash {sketch.version_hash}")))
    relations = "; ".join(" ".join(row) for row in sketch.relations)
    return f"# {sketch.name}\n\n{facts}\n" + (f"\nRelations: {relations}.\n" if relations else "")


def _fitting(found: Sequence[Recollection], head: str) -> tuple[Sequence[Recollection], str | None]:
    """As many memories as fit, and a sentence about the rest (rule 3)."""
    pieces: list[Any] = [f"\n## {memory.entity or _ELSEWHERE}\n{compact(memory)}\n" for memory in found]
    kept, room = fitting(pieces, head, limits.result_characters_default)
    if kept == len(found):
        return found, None
    if not kept:
        first, said = begun(found[0], compact, room)
        return [first], said
    return found[:kept], f"{len(found) - kept} more are left out here: recall finds them."
