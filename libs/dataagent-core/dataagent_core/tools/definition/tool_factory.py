"""Makes a tool of a function; its signature is read once in a process.

Reading it costs milliseconds and leaves a class behind, and a server builds the same twenty tools
for every session.

What a tool from outside says of itself for a permission: metadata that travels with the tool.

Such a tool is described by somebody else, who may change it under its name at any time. So it
carries the version an answer counts for, and how it is put to a person.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.hitl import ActionRequest

_OUTSIDE_KEY = "outside"


def make_outside_metadata(*, version: str, shown_as: str, once_only: bool) -> dict[str, Any]:
    """Give what a tool's `metadata` must hold; `shown_as` says whose tool it is, in a sentence."""
    return {_OUTSIDE_KEY: {"version": version, "shown_as": shown_as, "once_only": once_only}}


def read_version(tool: BaseTool) -> str:
    """Read the version an answer about this tool counts for; our own tools have none."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version)}:
            return version
        case _:
            return ""


def describe_outside(action: ActionRequest, tool: BaseTool) -> None:
    """Add to a question which version of whose tool it is about; ours say nothing."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"version": str(version), "shown_as": str(shown_as)}:
            action["version"] = version
            action["description"] = f"{action['description']}\n{shown_as}"
        case _:
            pass


def is_once_only(tool: BaseTool) -> bool:
    """Say whether every call of this tool is asked about anew."""
    match (tool.metadata or {}).get(_OUTSIDE_KEY):
        case {"once_only": True}:
            return True
        case _:
            return False


_PROTOTYPES: dict[tuple[str, ...], StructuredTool] = {}


def make_tool(
    function: Callable[..., Any],
    metadata: Mapping[str, Any],
    *,
    description: str | None = None,
    with_artifact: bool = False,
) -> BaseTool:
    """Wrap a function named like the tool, whose docstring is for the model.

    One that is not a coroutine blocks, and so runs in a thread. `with_artifact`: it returns what
    the model reads and what is kept beside it.
    """
    is_coroutine = inspect.iscoroutinefunction(function)
    text = description or inspect.cleandoc(function.__doc__ or "")
    way = "coroutine" if is_coroutine else "func"
    key = (function.__module__, function.__qualname__, text)
    if key not in _PROTOTYPES:
        prototype = StructuredTool.from_function(
            func=None if is_coroutine else function,
            coroutine=function if is_coroutine else None,
            description=text,
            response_format="content_and_artifact" if with_artifact else "content",
        )
        # Made here, so that every copy carries the one class and its JSON schema.
        _ = prototype.tool_call_schema
        # Without the function: it holds the files and connections of the first agent of all.
        _PROTOTYPES[key] = prototype.model_copy(update={way: None})
    return _PROTOTYPES[key].model_copy(update={way: function, "metadata": dict(metadata)})
