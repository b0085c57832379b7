"""The table of tools: the sets of the specification, said in few words, within what a model can be asked to keep in sight."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest
from tokenizers import Tokenizer

from hippo.interfaces.arguments import read_arguments
from hippo.interfaces.mcp.table import SETS, MemoryTool
from hippo.interfaces.mcp.tools import memory_tools
from hippo.interfaces.service import Service
from tests.interfaces.playing import ANSWERS

CORE = ["remember", "recall", "sleep", "compress_preview", "memory_stats", "inspect"]
STANDARD = ["context", "update", "forget", "merge", "consolidate", "check_version", "export", "onboard",
            "remember_facts", "recall_memory_block", "append_memory_block", "replace_memory_block", "restore"]
ALL = ["merge_entities", "recall_conversation", "log_messages", "relate", "store_memory", "recall_memories",
       "forget_memory", "get_observation"]
STANDARD_TOKENS_MAX = 6_000

rows = pytest.mark.parametrize("row", SETS["all"], ids=lambda row: row.name)


@pytest.mark.parametrize(("chosen", "names"), [("core", CORE), ("standard", CORE + STANDARD), ("all", CORE + STANDARD + ALL)])
def test_a_set_holds_the_tools_of_the_specification(chosen: str, names: list[str]) -> None:
    assert [row.name for row in SETS[chosen]] == names


def tokens(text: str) -> int:
    """How many tokens a text has for the tokenizer of the default embedder (Llama 2's, 32,000 pieces). Newer models
    have larger vocabularies and count less: some 10 to 20 % for JSON like this."""
    spec = find_spec("wordllama")
    assert spec is not None and spec.origin is not None
    tokenizer = Tokenizer.from_file(str(Path(spec.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def listed(chosen: str) -> str:
    """What `tools/list` says, as compact as it comes."""
    shown = [tool.shown.model_dump(mode="json", by_alias=True, exclude_none=True)
             for tool in memory_tools(cast(Service, None), chosen)]
    return json.dumps({"tools": shown}, ensure_ascii=False, separators=(",", ":"))


def test_the_standard_tools_cost_a_model_no_more_tokens_than_their_budget() -> None:
    assert tokens(listed("standard")) <= STANDARD_TOKENS_MAX
    assert tokens(listed("core")) < STANDARD_TOKENS_MAX // 2


@rows
def test_a_description_says_when_and_gives_an_example_that_the_tool_understands(row: MemoryTool) -> None:
    assert re.search(r"\b[Uu]se (it|this)\b", row.description)
    example = json.loads(row.description[row.description.index("Example: ") + 9:])
    assert isinstance(read_arguments(row.verb, example, row.name), row.verb)
    assert len(row.description) < 500


@rows
def test_a_tool_answers_what_its_verb_does(row: MemoryTool) -> None:
    assert type(ANSWERS[row.ask]) is row.result


def test_a_tool_says_what_it_does_to_the_memory() -> None:
    changed = {row.name for row in SETS["all"] if not row.read_only}
    assert changed == {
        "remember", "recall", "sleep", "context", "update", "forget", "merge", "remember_facts", "append_memory_block",
        "replace_memory_block", "restore", "merge_entities", "log_messages", "relate", "store_memory",
        "recall_memories", "forget_memory"}
    assert {row.name for row in SETS["all"] if row.destructive} == {
        "forget", "replace_memory_block", "merge_entities", "forget_memory"}
    assert all(row.idempotent for row in SETS["all"] if row.read_only)


@pytest.mark.parametrize(("name", "of"), [
    ("store_memory", "remember"), ("recall_memories", "recall"), ("forget_memory", "forget"), ("get_observation", "inspect"),
])
def test_the_names_of_other_servers_ask_the_same_verbs(name: str, of: str) -> None:
    known = {row.name: row for row in SETS["all"]}
    one, other = known[name], known[of]
    assert one._replace(name=of, title=other.title, description=other.description) == other
    assert known[name].title != known[of].title
