"""Markdown as a reader sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

_parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(page: str) -> list[Any]:
    """The blocks of a page, as markdown-it names them."""
    return list(_parser.parse(page, {}))


def kinds(page: str) -> list[str]:
    """What a page is made of, blocks and what is within them, but for plain text and emphasis."""
    return list(_kinds(tokens(page)))


def definitions(page: str) -> dict[str, Any]:
    """The link definitions of a page, which no reader sees."""
    env: dict[str, Any] = {}
    _parser.parse(page, env)
    return dict(env.get("references", {}))


def _kinds(found: list[Any]) -> Iterator[str]:
    for token in found:
        yield token.type
        yield from _kinds(token.children or [])
