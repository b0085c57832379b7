"""The description of the API is valid, and says what the routes do."""

from __future__ import annotations

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


def test_a_batch_is_described() -> None:
    operation = openapi(ROUTES, "1")["paths"]["/api/remember"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]["anyOf"]
    assert [sorted(row["properties"])[0] for row in body][1] == "memories"
    assert operation["responses"]["default"]["content"]["application/json"]["schema"]["required"] == ["error"]


async def test_it_is_served(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        assert (await http.get("/api/openapi.json")).json() == openapi(ROUTES, __version__)
