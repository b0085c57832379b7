"""A digest for a model's project file: the most important first, never longer than asked."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.interfaces.exports.claude_md import digest
from hippo.limits import result_characters_min
from hippo.model.dump import AgentDump
from tests.interfaces.exports.dumps import agents, memory
from tests.interfaces.exports.page import kinds, tokens


def body(dump: AgentDump, max_chars: int = 10_000) -> str:
    """What follows the opening."""
    return digest(dump, max_chars).partition("read back.\n")[2]


def test_it_is_grouped_by_kind_then_by_entity() -> None:
    dump = AgentDump(blocks={"persona": "Kind\nto all"}, memories=[
        memory(1, "It rained"), memory(2, "likes tea", entity="Anna", kind="preference"),
        memory(3, "We use trio", kind="decision", salience=0.9), memory(4, "Too slow", kind="retro"),
        memory(5, "likes jazz", entity="Bob", kind="preference", salience=0.5),
        memory(6, "likes walks", entity="ANNA", kind="preference"), memory(7, "Born in May", entity="Anna", kind="fact")])
    assert body(dump) == """
## Blocks

- **persona**: Kind to all

## Preferences

- **Bob**: likes jazz (2026-01-01)
- **Anna**: likes walks (2026-01-01)
- **Anna**: likes tea (2026-01-01)

## Decisions

- We use trio (2026-01-01)

## Facts

- **Anna**: Born in May (2026-01-01)

## retro

- Too slow (2026-01-01)

## Episodes

- It rained (2026-01-01)
"""


def test_the_header_says_what_it_is_and_how_much_is_here() -> None:
    few = AgentDump(memories=[memory(number) for number in range(3)])
    assert digest(few).startswith("# What hippo remembers\n\n> Notes from hippo, a long-term memory for AI agents: 3 of 3 memories,")
    many = AgentDump(memories=[memory(number, "x" * 300) for number in range(2000)])
    assert re.search(r": \d+ of 2,000 memories,", digest(many))


def test_the_most_salient_are_kept_and_of_equals_the_most_recent() -> None:
    dump = AgentDump(memories=[memory(number, f"number {number} " + "x" * 60, salience=0.9 if number == 7 else 0.3) for number in range(50)])
    kept = [int(number) for number in re.findall(r"number (\d+)", digest(dump, 1000))]
    assert kept[:2] == [7, 49]
    assert kept[1:] == list(range(49, 49 - len(kept) + 1, -1))


def test_what_does_not_hold_now_is_left_out() -> None:
    dump = AgentDump(memories=[memory(1), memory(2, "old", superseded_by="00000001"), memory(3, "put away", archived_at=5),
                               memory(4, "said before", superseded_by="00000001", revision=True)])
    assert body(dump) == "\n## Episodes\n\n- Anna likes tea (2026-01-01)\n"


def test_a_long_text_is_cut_and_tells_its_id() -> None:
    assert body(AgentDump(memories=[memory(1, "word " * 10_000)])).endswith("word … [00000001] (2026-01-01)\n")


def test_nothing_is_said_in_words() -> None:
    assert digest(AgentDump()) == "# What hippo remembers\n\nNothing has been remembered here yet.\n"
    assert "superseded or archived" in digest(AgentDump(memories=[memory(1, archived_at=5)]))


@pytest.mark.parametrize("text", [
    "@~/.ssh/id_ed25519", "see @secrets.md", "\\@secrets.md", "\\\\@secrets.md", "**@secrets.md**", "`` ` @secrets.md ` ``", "a _@secrets.md_", "x\n@secrets.md",
    "(@secrets.md)", "`a`@secrets.md"])
def test_no_text_makes_its_reader_load_a_file(text: str) -> None:
    dump = AgentDump(memories=[memory(1, text, entity=text, kind=text)], blocks={text: text})
    assert "@" in digest(dump)
    assert not re.search(r"(?<![A-Za-z0-9\\])(?:\\\\)*@", digest(dump))


def test_an_address_stays_an_address() -> None:
    assert "write to anna@example.org" in digest(AgentDump(memories=[memory(1, "write to anna@example.org")]))


@given(agents(), some.integers(result_characters_min, 3000))
def test_it_is_never_longer_than_asked_and_always_one_page(dump: AgentDump, max_chars: int) -> None:
    page = digest(dump, max_chars)
    assert len(page) <= max_chars
    assert page == digest(dump, max_chars)
    assert page.startswith("# What hippo remembers\n")
    found = kinds(page)
    assert found.count("bullet_list_open") == found.count("heading_open") - 1
    assert not {"html_block", "html_inline", "image", "fence", "code_block", "hr"} & set(found)
    assert all(token.level <= 1 for token in tokens(page) if token.type == "list_item_open")
