"""The suites' server: their fixtures on the product's own server factory."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from hippo.interfaces.mcp.server import Context, make_server
from tests.conformance.fixtures import IMAGE, PNG, TOOLS, ask, bus, form, given, resource, text

STATIC_TEXT, STATIC_BINARY, WATCHED = "test://static-text", "test://static-binary", "test://watched-resource"
CONTENTS: dict[str, dict[str, Any]] = {
    STATIC_TEXT: {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    STATIC_BINARY: {"mimeType": "image/png", "blob": PNG},
    WATCHED: {"mimeType": "text/plain", "text": "Watched."},
}
PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (), "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",), "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def _list_resources(_: Context, __: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[
        types.Resource(uri=uri, name=uri.rpartition("/")[2], description="For the suite.", mime_type=row["mimeType"])
        for uri, row in CONTENTS.items()])


async def _list_templates(_: Context, __: Any) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=[types.ResourceTemplate(
        uri_template="test://template/{id}/data", name="template", description="For the suite.",
        mime_type="application/json")])


async def _read(_: Context, params: types.ReadResourceRequestParams) -> Any:
    row = CONTENTS.get(params.uri)
    if (match := re.fullmatch(r"test://template/(\w+)/data", params.uri)) is not None:
        data = {"id": match[1], "templateTest": True, "data": f"Data for ID: {match[1]}"}
        row = {"mimeType": "application/json", "text": json.dumps(data)}
    if row is None:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", data={"uri": params.uri})
    return {"contents": [{"uri": params.uri, **row}], "ttlMs": 0, "cacheScope": "private", "resultType": "complete"}


async def _list_prompts(_: Context, __: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[
        types.Prompt(name=name, description="For the suite.", arguments=[
            types.PromptArgument(name=argument, description="An argument", required=True) for argument in arguments])
        for name, arguments in PROMPTS.items()])


async def _get_prompt(context: Context, params: types.GetPromptRequestParams) -> Any:
    arguments = params.arguments or {}
    blocks: list[dict[str, Any]]
    match params.name:
        case "test_simple_prompt":
            blocks = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            blocks = [text(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'")]
        case "test_prompt_with_embedded_resource":
            blocks = [resource(arguments["resourceUri"], "text/plain", "Embedded resource content for testing."),
                      text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            blocks = [IMAGE, text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            if given(context, "user_context") is None:
                return ask({"user_context": form("What context should the prompt use?", "context")})
            blocks = [text("Thank you.")]
        case _:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt named {params.name}.")
    return {"messages": [{"role": "user", "content": block} for block in blocks], "resultType": "complete"}


async def _complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))


async def _nothing(_: Context, __: Any) -> types.EmptyResult:
    return types.EmptyResult()


def fixture_server() -> Server[Any]:
    """A server with everything the suites ask for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)  # the older suite asks for logging
        return make_server(
            TOOLS, version="0", on_list_resources=_list_resources, on_list_resource_templates=_list_templates,
            on_read_resource=_read, on_list_prompts=_list_prompts, on_get_prompt=_get_prompt, on_completion=_complete,
            on_subscribe_resource=_nothing, on_unsubscribe_resource=_nothing, on_set_logging_level=_nothing,
            on_subscriptions_listen=ListenHandler(bus))
