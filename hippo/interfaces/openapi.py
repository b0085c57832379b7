"""OpenAPI 3.1 from the table of routes and the structs, as /api/openapi.json serves it."""

from __future__ import annotations

import re
from typing import Any

from hippo.interfaces.routes import Route
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
        routes: the table of `routes.py`.
        version: of this release.
    """
    paths: dict[str, Any] = {}
    for route in routes:
        methods = paths.setdefault(route.path, {})
        methods[route.method.lower()] = _operation(route, first=not methods)
    return {
        "openapi": "3.1.0",
        "info": {"title": "hippo", "version": version, "license": {"name": "MIT", "identifier": "MIT"},
                 "description": "A brain-inspired long-term memory for AI agents."},
        "paths": paths,
    }


def _operation(route: Route, *, first: bool) -> dict[str, Any]:
    name = re.sub(r"\W+", "_", route.path.removeprefix("/api")).strip("_")
    failed = {"description": "What went wrong, and what to do", "content": _json(ERROR)}
    operation: dict[str, Any] = {
        "operationId": name if first else f"{route.method.lower()}_{name}", "summary": route.summary,
        "responses": {"200": _answered(route), "default": failed}}
    if route.verb is None:
        return operation
    arguments = argument_schema(route.verb)
    in_path = [argument for argument in arguments["properties"] if f"{{{argument}}}" in route.path]
    has_json = route.method in ("POST", "PATCH") and not route.upload
    shown = in_path if has_json else list(arguments["properties"])
    if shown:
        operation["parameters"] = [_parameter(argument, arguments, in_path) for argument in shown]
    if route.upload:
        file: Schema = {"type": "string", "format": "binary"}
        operation["requestBody"] = {"required": True, "content": {"application/octet-stream": {"schema": file}}}
    if has_json:
        body = _without(arguments, in_path)
        schema = {"anyOf": [body, _batch(body, "memories")]} if route.verb is Remember else body
        operation["requestBody"] = {"required": bool(body.get("required")), "content": _json(schema)}
    return operation


def _parameter(name: str, arguments: Schema, in_path: list[str]) -> dict[str, Any]:
    schema = arguments["properties"][name]
    shown = {key: value for key, value in schema.items() if key != "description"}
    return {"name": name, "in": "path" if name in in_path else "query",
            "required": name in in_path or name in arguments.get("required", []),
            "schema": shown, **({"description": schema["description"]} if "description" in schema else {})}


def _without(arguments: Schema, names: list[str]) -> Schema:
    """The arguments that are not in the path."""
    if not names:
        return arguments
    body = {**arguments, "properties": {name: schema for name, schema in arguments["properties"].items()
                                        if name not in names}}
    body["required"] = [name for name in arguments.get("required", []) if name not in names]
    return body


def _answered(route: Route) -> dict[str, Any]:
    if route.result is None:
        return {"description": route.summary, "content": {route.media_type: {"schema": {"type": "string"}}}}
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
