"""Makes a tool of a function; its signature is read once in a process.

Reading it costs milliseconds and leaves a class behind, and a server builds the same twenty tools
for every session.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

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
