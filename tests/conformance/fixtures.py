"""What the conformance suites call by fixed names: tools, resources and prompts that exist for them alone.

What would push a request to the client (sampling, elicitation in the older era) is left out: a stateless server has no
way to do so.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
import warnings
import zlib
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
import trio
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged

from hippo.errors import NotAllowedHere
from hippo.interfaces.mcp.server import Context, Tool

Result = dict[str, Any]
Body = Callable[[Context, Mapping[str, Any]], Awaitable[Any]]

NO_ARGUMENTS: Result = {"type": "object", "properties": {}}
SECRET = b"only for this suite"
bus = InMemorySubscriptionBus()


def _png() -> str:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\0\0")
    return b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")).decode()


def _wav() -> str:
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", 1) + b"\x80"
    return b64encode(b"RIFF" + struct.pack("<I", len(head)) + head).decode()


PNG, WAV = _png(), _wav()
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def text(said: str) -> Result:
    return {"type": "text", "text": said}


def resource(uri: str, kind: str, said: str) -> Result:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": said}}


def content(*blocks: Result) -> Result:
    return {"content": list(blocks), "resultType": "complete"}


def _answers(*blocks: Result) -> Body:
    async def call(_: Context, __: Mapping[str, Any]) -> Result:
        return content(*blocks)

    return call


# -- tools that do something ----------------------------------------------------------------------------------------


async def _fail(_: Context, __: Mapping[str, Any]) -> Result:
    raise NotAllowedHere(what="This tool intentionally returns an error for testing")


async def _progress(context: Context, _: Mapping[str, Any]) -> Result:
    for step in (0, 50, 100):
        await context.session.report_progress(step, 100)
        await trio.sleep(0.05)
    return content(text("Done."))


async def _log(context: Context, _: Mapping[str, Any]) -> Result:
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            await context.session.send_log_message("info", said, related_request_id=str(context.request_id))
        await trio.sleep(0.05)
    return content(text("Logged."))


async def _needs_sampling(context: Context, _: Mapping[str, Any]) -> Result:
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.",
                       data={"requiredCapabilities": {"sampling": {}}})
    return content(text("The client samples."))


async def _change_tools(_: Context, __: Mapping[str, Any]) -> Result:
    await bus.publish(ToolsListChanged())
    return content(text("Changed."))


async def _change_prompts(_: Context, __: Mapping[str, Any]) -> Result:
    await bus.publish(PromptsListChanged())
    return content(text("Changed."))


# -- tools that ask back, by the 2026-07-28 rules -------------------------------------------------------------------


def form(message: str, name: str, kind: str = "string") -> Result:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sample(said: str, tokens: int) -> Result:
    return {"method": "sampling/createMessage",
            "params": {"messages": [{"role": "user", "content": text(said)}], "maxTokens": tokens}}


ROOTS: Result = {"method": "roots/list", "params": {}}


def sealed(state: str) -> str:
    return f"{state}.{hmac.new(SECRET, state.encode(), hashlib.sha256).hexdigest()}"


def opened(sealed_state: str | None) -> str:
    state, _, seal = (sealed_state or "").rpartition(".")
    if not hmac.compare_digest(sealed(state), f"{state}.{seal}"):
        raise MCPError(types.INVALID_PARAMS, "The request state was tampered with.")
    return state


def ask(requests: Result, state: str | None = None) -> Result:
    asked = {"resultType": "input_required", "inputRequests": requests}
    return asked if state is None else {**asked, "requestState": sealed(state)}


def given(context: Context, *names: str) -> list[Any] | None:
    """The client's answers by these names, None while one is missing."""
    answers = (context.params or {}).get("inputResponses") or {}
    return [answers[name] for name in names] if all(name in answers for name in names) else None


def _asks_once(requests: Result, said: Callable[[list[Any]], str], state: str | None = None) -> Body:
    async def call(context: Context, _: Mapping[str, Any]) -> Result:
        answers = given(context, *requests)
        if answers is None:
            return ask(requests, state)
        if state is not None:
            opened((context.params or {}).get("requestState"))
        return content(text(said(answers)))

    return call


async def _asks_twice(context: Context, _: Mapping[str, Any]) -> Result:
    if given(context, "step2") is not None:
        name = opened((context.params or {}).get("requestState"))
        return content(text(f"Thank you, {name}."))
    if (first := given(context, "step1")) is not None:
        opened((context.params or {}).get("requestState"))
        name = (first[0].get("content") or {}).get("name", "")
        return ask({"step2": form("Step 2: What is your favorite color?", "color")}, f"name {name}")
    return ask({"step1": form("Step 1: What is your name?", "name")}, "start")


async def _asks_what_the_client_can(context: Context, _: Mapping[str, Any]) -> Result:
    able = context.session.client_capabilities or types.ClientCapabilities()
    requests: Result = {}
    if able.sampling is not None:
        requests["greeting"] = sample("Generate a greeting", 50)
    if able.elicitation is not None:
        requests["user_name"] = form("What is your name?", "name")
    return ask(requests) if requests else content(text("Nothing to ask with."))


NAME_FORM = {"user_name": form("What is your name?", "name")}
JSON_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                   "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                   "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": False,
}
IN_HEADER = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
             "required": ["region"]}

BODIES: dict[str, Body] = {
    "test_simple_text": _answers(text("This is a simple text response for testing.")),
    "test_image_content": _answers(IMAGE),
    "test_audio_content": _answers({"type": "audio", "data": WAV, "mimeType": "audio/wav"}),
    "test_embedded_resource": _answers(
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
    "test_multiple_content_types": _answers(
        text("Multiple content types test:"), IMAGE,
        resource("test://mixed-content-resource", "application/json", json.dumps({"test": "data", "value": 123}))),
    "test_error_handling": _fail,
    "test_tool_with_progress": _progress,
    "test_tool_with_logging": _log,
    "test_logging_tool": _log,
    "test_streaming_elicitation": _progress,
    "test_missing_capability": _needs_sampling,
    "test_trigger_tool_change": _change_tools,
    "test_trigger_prompt_change": _change_prompts,
    "json_schema_2020_12_tool": _answers(text("Seen.")),
    "test_headers": _answers(text("Seen.")),
    "test_input_required_result_elicitation": _asks_once(
        NAME_FORM, lambda got: f"Hello, {(got[0].get('content') or {}).get('name')}!"),
    "test_input_required_result_sampling": _asks_once(
        {"capital_question": sample("What is the capital of France?", 100)}, lambda got: json.dumps(got[0])),
    "test_input_required_result_list_roots": _asks_once({"client_roots": ROOTS}, lambda got: json.dumps(got[0])),
    "test_input_required_result_request_state": _asks_once(
        {"confirm": form("Please confirm", "ok", "boolean")}, lambda got: "state-ok", "asked"),
    "test_input_required_result_multiple_inputs": _asks_once(
        {**NAME_FORM, "greeting": sample("Generate a greeting", 50), "client_roots": ROOTS},
        lambda got: json.dumps(got), "asked"),
    "test_input_required_result_multi_round": _asks_twice,
    "test_input_required_result_tampered_state": _asks_once(
        {"confirm": form("Please confirm", "ok", "boolean")}, lambda got: "state-ok", "asked"),
    "test_input_required_result_capabilities": _asks_what_the_client_can,
}
SCHEMAS = {"json_schema_2020_12_tool": JSON_SCHEMA, "test_headers": IN_HEADER}

TOOLS = [Tool(types.Tool(name=name, description=f"For the suite: {name.replace('_', ' ')}.",
                         input_schema=SCHEMAS.get(name, NO_ARGUMENTS)), body)
         for name, body in BODIES.items()]
