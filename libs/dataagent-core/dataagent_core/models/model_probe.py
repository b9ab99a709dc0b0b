"""Tries a model once with a tiny request: does it answer, and does it call a tool when asked to."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from dataagent_core.config import Settings
    from dataagent_core.models.resolve import ResolvedModel

# A local model may have to be loaded first.
TRY_S_MAX = 60.0
PROBLEM_CHARS_MAX = 300

_TOOL = {
    "type": "function",
    "function": {
        "name": "note_color",
        "description": "Notes a color.",
        "parameters": {
            "type": "object",
            "properties": {"color": {"type": "string"}},
            "required": ["color"],
        },
    },
}
_ASKED = "Call the tool note_color once with the color blue."
_PLAIN = "Answer with the word ok."


@dataclass(frozen=True, slots=True)
class ModelProbe:
    """What came of it; `problem` says why, where it failed."""

    outcome: Literal["tools", "no_tools", "failed", "late"]
    problem: str = ""

    @property
    def works(self) -> bool:
        """Whether it answers, with tools or without."""
        return self.outcome in {"tools", "no_tools"}


async def probe_model(
    name: str,
    settings: "Settings",
    seconds_max: float = TRY_S_MAX,
    resolve: "Callable[[str, Settings], ResolvedModel] | None" = None,
) -> ModelProbe:
    """Ask the model of these settings; at most two small calls, within the limit together."""
    from dataagent_core.errors import DataAgentError
    from dataagent_core.models.resolve import resolve_model

    try:
        # Building loads a provider's SDK, which takes a moment.
        resolved = await asyncio.to_thread(resolve or resolve_model, name, settings)
    except DataAgentError as error:
        return ModelProbe("failed", str(error))
    try:
        async with asyncio.timeout(seconds_max):
            return await _tried(name, resolved.model)
    except TimeoutError:
        return ModelProbe("late")
    finally:
        await resolved.aclose()


async def _tried(name: str, model: "BaseChatModel") -> ModelProbe:
    try:
        answer = await model.bind_tools([_TOOL]).ainvoke(_ASKED)
    except NotImplementedError:
        return ModelProbe("no_tools")
    except Exception as error:  # noqa: BLE001 (every SDK raises its own; told apart right below)
        return await _after_failure(name, model, error)
    called = any(call["name"] == "note_color" for call in answer.tool_calls)
    return ModelProbe("tools" if called else "no_tools")


async def _after_failure(name: str, model: "BaseChatModel", error: Exception) -> ModelProbe:
    """Find out whether it was the tool: many servers refuse the request for a model without."""
    refused = _status(error) in {400, 404, 422, 500, 501}
    if refused:
        try:
            await model.ainvoke(_PLAIN)
        except Exception as second:  # noqa: BLE001 (as above)
            return ModelProbe("failed", _problem(name, second))
        return ModelProbe("no_tools")
    return ModelProbe("failed", _problem(name, error))


def _status(error: Exception) -> int | None:
    from dataagent_core.models.retry.classify import read_facts

    return read_facts(error).status


def _problem(name: str, error: Exception) -> str:
    from dataagent_core.models.retry.classify import classify

    told: Any = classify(error, name)
    return str(told.error)[:PROBLEM_CHARS_MAX]
