"""Makes a tool of a function: its name, its description, its effect on the world."""

from collections.abc import Callable
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.tools.base import create_schema_from_function

from dataagent_core.tools.effects import Effect, effect_metadata
from dataagent_core.tools.files.desk import Answer

# Reading a signature costs milliseconds, and every agent has the same eight tools.
_SCHEMAS: dict[str, Any] = {}


def file_tool(function: Callable[..., Answer], effect: Effect) -> BaseTool:
    """Wrap a function whose docstring is for the model. It blocks, and so runs in a thread."""
    name = function.__name__
    if name not in _SCHEMAS:
        _SCHEMAS[name] = create_schema_from_function(name, function)
    return StructuredTool(
        func=function,
        name=name,
        args_schema=_SCHEMAS[name],
        description=(function.__doc__ or "").strip(),
        response_format="content_and_artifact",
        metadata=effect_metadata(effect),
    )
