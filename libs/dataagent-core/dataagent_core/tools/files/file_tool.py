"""Makes a file tool of a function: its name, its description, its effect on the world."""

from collections.abc import Callable
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.tools.definition.tool_factory import make_tool
from dataagent_core.tools.effects import Effect, effect_metadata
from dataagent_core.tools.files.file_access import FileAnswer

FILE_PATH: Any = Field(description="In the workspace: src/a.py, /src/a.py or its full path")


def make_file_tool(function: Callable[..., FileAnswer], effect: Effect) -> BaseTool:
    """Wrap a function whose docstring is for the model. It blocks, and so runs in a thread."""
    return make_tool(function, effect_metadata(effect), with_artifact=True)
