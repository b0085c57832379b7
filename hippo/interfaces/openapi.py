"""OpenAPI 3.1 from the table of routes and the structs, as /api/openapi.json serves it."""

from __future__ import annotations

from typing import Any

from hippo.interfaces.rest import Route
from hippo.interfaces.schema import Schema, answer_schema, argument_schema
from hippo.model.verb import Remember

ERROR: Schema = {
    "type": "object",
    "properties": {"error": {
        "type": "object",
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}, "hint": {"type": "string"}},
        "required": ["code", "message", "hint"],
    }},
    "required": ["error"],
}


def openapi(routes: tuple[Route, ...], version: str) -> dict[str, Any]:
    """The whole document.

    Args:
        routes: the table of `rest.py`.
        version: of this release.
    """
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "hippo", "version": version, "license": {"name": "MIT", "identifier": "MIT"},
                 "description": "A brain-inspired long-term memory for AI agents."},
        "paths": paths,
    }


def _operation(route: Route) -> dict[str, Any]:
    name = route.path.removeprefix("/api/").replace("/", "_").translate({ord(brace): "" for brace in "{}"}).strip("_")
    failed = {"description": "What went wrong, and what to do", "content": _json(ERROR)}
    operation: dict[str, Any] = {
        "operationId": name, "summary": route.summary, "responses": {"200": _answered(route), "default": failed}}
    if route.verb is None:
        return operation
    arguments = argument_schema(route.verb)
    if route.method == "POST":
        schema = {"anyOf": [arguments, _batch(arguments, "memories")]} if route.verb is Remember else arguments
        operation["requestBody"] = {"required": bool(arguments.get("required")), "content": _json(schema)}
    else:
        operation["parameters"] = [_parameter(route, argument, schema, arguments.get("required", []))
                                   for argument, schema in arguments["properties"].items()]
    return operation


def _parameter(route: Route, name: str, schema: Schema, required: list[str]) -> dict[str, Any]:
    in_path = f"{{{name}}}" in route.path
    shown = {key: value for key, value in schema.items() if key != "description"}
    return {"name": name, "in": "path" if in_path else "query", "required": in_path or name in required,
            "schema": shown, **({"description": schema["description"]} if "description" in schema else {})}


def _answered(route: Route) -> dict[str, Any]:
    if route.result is None:
        kind = "text/event-stream" if route.path.endswith("/events") else "text/plain"
        return {"description": route.summary, "content": {kind: {"schema": {"type": "string"}}}}
    schema = answer_schema(route.result)
    if route.path == "/api/agents":
        schema = {"type": "object", "properties": {"agents": schema}, "required": ["agents"]}
    elif route.verb is Remember:
        schema = {"anyOf": [schema, _batch({"anyOf": [schema, ERROR]}, "results")]}
    return {"description": route.summary, "content": _json(schema)}


def _batch(row: Schema, name: str) -> Schema:
    return {"type": "object", "properties": {name: {"type": "array", "items": row}}, "required": [name]}


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
