"""The description of the API is valid, and says what the routes do."""

from __future__ import annotations

import re
from pathlib import Path

from hippo import __version__
from hippo.interfaces.openapi import openapi
from hippo.interfaces.rest import ROUTES
from tests.interfaces.serving import client, hippo_at


def test_every_route_is_described() -> None:
    document = openapi(ROUTES, "1")
    assert document["openapi"] == "3.1.0"
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(route.method, route.path) for route in ROUTES}
    names = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
    assert len(set(names)) == len(names)


def test_a_part_of_the_path_is_a_required_parameter() -> None:
    operation = openapi(ROUTES, "1")["paths"]["/api/memories/{id}"]["get"]
    assert {(row["name"], row["in"], row["required"]) for row in operation["parameters"]} >= {
        ("id", "path", True), ("offset", "query", False)}


def test_what_is_in_the_path_is_not_in_the_body() -> None:
    paths = openapi(ROUTES, "1")["paths"]
    for path, method, name in (("/api/memories/{id}/restore", "post", "id"), ("/api/memories/{id}", "patch", "id"),
                               ("/api/blocks/{key}", "post", "key"), ("/api/blocks/{key}", "patch", "key")):
        operation = paths[path][method]
        assert [(row["name"], row["in"], row["required"]) for row in operation["parameters"]] == [(name, "path", True)]
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        assert name not in body["properties"]
        assert name not in body["required"]
        assert operation["requestBody"]["required"] == bool(body["required"])


def test_what_is_erased_is_named_in_the_path_and_the_query() -> None:
    operation = openapi(ROUTES, "1")["paths"]["/api/memories/{id}"]["delete"]
    assert "requestBody" not in operation
    assert ("dry_run", "query", False) in {(row["name"], row["in"], row["required"]) for row in operation["parameters"]}


def test_each_part_of_a_path_is_described_once() -> None:
    for path, methods in openapi(ROUTES, "1")["paths"].items():
        for operation in methods.values():
            parts = [row["name"] for row in operation.get("parameters", []) if row["in"] == "path"]
            assert parts == re.findall(r"{(\w+)}", path)


def test_a_file_is_no_json() -> None:
    answered = openapi(ROUTES, "1")["paths"]["/api/export"]["get"]["responses"]["200"]
    assert list(answered["content"]) == ["*/*"]


def test_a_batch_is_described() -> None:
    operation = openapi(ROUTES, "1")["paths"]["/api/remember"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]["anyOf"]
    assert [sorted(row["properties"])[0] for row in body][1] == "memories"
    assert operation["responses"]["default"]["content"]["application/json"]["schema"]["required"] == ["error"]


async def test_it_is_served(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        assert (await http.get("/api/openapi.json")).json() == openapi(ROUTES, __version__)
