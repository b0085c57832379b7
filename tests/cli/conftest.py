"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import daemon, hippo


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of five memories that no daemon owns. Tests only read it."""
    folder = tmp_path_factory.mktemp("filled") / "store"
    for text, *options in (
        ("My sister Anna lives in Graz.", "--entity", "Anna", "--entity-type", "person", "--tag", "family, people"),
        ("The spare key hangs behind the barn door.", "--kind", "fact", "--tag", "house", "--scope", "home"),
        ("Discount of 50%_off ends on Friday.", "--created-at", "2026-01-02 10:00"),
        ("Il fait très beau, 東京 ☕", "--agent", "french"),
        ("Meeting notes\nfirst line\nsecond line", "--conversation", "c1"),
    ):
        assert hippo("remember", text, *options, folder=folder).code == 0
    return folder


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The folder and the address of a running daemon."""
    folder = tmp_path_factory.mktemp("served") / "store"
    with daemon(folder) as url:
        yield folder, url
