"""The prompts of the memory: what a person chooses in their client to have a model begin in the right way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from hippo import limits
from hippo.interfaces.mcp.knowledge_texts import onboarding_text
from hippo.interfaces.mcp.server import Context, Handler, answering, refuse_further_pages
from hippo.model.knowledge_verb import Onboard

if TYPE_CHECKING:
    from hippo.interfaces.service import Service

ONBOARD, RECALL_FIRST = "onboard", "recall_first"

_PROMPTS = [
    types.Prompt(
        name=ONBOARD, title="Fill the memory",
        description="Has the model look for what lasts about you and remember it; later, for what is new.",
        arguments=[types.PromptArgument(
            name="source", title="Source", required=False,
            description="Where facts about you can be found, such as a file or a profile")]),
    types.Prompt(
        name=RECALL_FIRST, title="Recall first",
        description="Has the model look into the memory before it answers.",
        arguments=[types.PromptArgument(
            name="topic", title="Topic", required=True, description="What it is about: a name or a question")]),
]
_RECALL_FIRST = (
    "This is about: {topic}\n\n"
    "Before you answer, call recall with it as a question in plain words, and once more for each person, project or "
    "place that the answer depends on. Build on what comes back, and say since when it is known where that matters. "
    "Where the result says that nothing close is known, say so and ask, instead of guessing. When you learn something "
    "that lasts, call remember.")


def prompts(service: Service) -> dict[str, Handler]:
    """The handlers of prompts, by the SDK's names."""

    async def list_prompts(_: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        refuse_further_pages(params)
        return types.ListPromptsResult(prompts=_PROMPTS)

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        arguments = params.arguments or {}
        match params.name:
            case "onboard":
                _refuse_unknown(params.name, arguments, "source")
                onboarding = await service.onboard(Onboard(source=arguments.get("source")))
                text = onboarding_text(onboarding, None)[0]
            case "recall_first":
                _refuse_unknown(params.name, arguments, "topic")
                text = _RECALL_FIRST.format(topic=_topic(arguments.get("topic", "")))
            case _:
                names = ", ".join(prompt.name for prompt in _PROMPTS)
                raise MCPError(types.INVALID_PARAMS, f"There is no prompt named {params.name}. There are {names}.")
        described = next(prompt.description for prompt in _PROMPTS if prompt.name == params.name)
        return types.GetPromptResult(description=described, messages=[
            types.PromptMessage(role="user", content=types.TextContent(text=text))])

    return {"on_list_prompts": list_prompts, "on_get_prompt": answering(get_prompt)}


def _refuse_unknown(name: str, arguments: dict[str, str], known: str) -> None:
    for argument in arguments:
        if argument != known:
            raise MCPError(types.INVALID_PARAMS, f"{name} has no argument named {argument}. It takes: {known}.")


def _topic(given: str) -> str:
    topic = " ".join(given.split())
    if not topic:
        raise MCPError(types.INVALID_PARAMS, "recall_first takes a topic: a name or a question.")
    if len(topic) > limits.topic_characters_max:
        raise MCPError(types.INVALID_PARAMS, f"topic has at most {limits.topic_characters_max} characters, "
                                             f"not {len(topic)}.")
    return topic
