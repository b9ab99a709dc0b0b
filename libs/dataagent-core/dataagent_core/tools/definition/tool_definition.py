"""`@define_tool`: a tool is a function of what it works with and of the model's arguments.

    @define_tool("pure")
    async def fetch_url(client: WebClient, url: Annotated[str, Field(description="...")]) -> str:
        \"\"\"Read a web page as Markdown.\"\"\"

The function is named like the tool, and its docstring is for the model. One that is not a coroutine
blocks, and so runs in a thread. Its first parameter is no part of the schema: `bind` gives it, for
each agent. The text of a tool shows what it is bound to, so a dataclass there has `repr=False`.

The signature is read once in a process: it costs milliseconds and leaves a class behind, and a
server binds the same tools for every session.
"""

import inspect
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, Concatenate, Generic, TypeVar

from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.tools.effects import Effect, effect_metadata

Services = TypeVar("Services")
ToolFunction = Callable[Concatenate[Services, ...], Any]


class ToolDefinition(Generic[Services]):
    """A tool before an agent has it."""

    def __init__(
        self, function: ToolFunction[Services], metadata: Mapping[str, Any], *, with_artifact: bool
    ) -> None:
        self.function = function
        self._metadata = metadata
        self._blocks = not inspect.iscoroutinefunction(function)
        self._with_artifact = with_artifact
        # By description.
        self._prototypes: dict[str, StructuredTool] = {}

    def bind(self, services: Services, description: str | None = None) -> BaseTool:
        """Make the tool of one agent; `description` replaces the docstring."""
        text = description or inspect.cleandoc(self.function.__doc__ or "")
        method = MethodType(self.function, services)
        field = "func" if self._blocks else "coroutine"
        prototype = self._prototypes.get(text)
        if prototype is None:
            prototype = StructuredTool.from_function(
                func=method if self._blocks else None,
                coroutine=None if self._blocks else method,
                description=text,
                response_format="content_and_artifact" if self._with_artifact else "content",
            )
            # Made here, so that every copy carries the one class and its JSON schema.
            _ = prototype.tool_call_schema
            # Without the method: it holds the files and connections of the first agent of all.
            prototype = prototype.model_copy(update={field: None})
            self._prototypes[text] = prototype
        return prototype.model_copy(update={field: method, "metadata": dict(self._metadata)})


def define_tool(
    effect: Effect, metadata: Mapping[str, Any] | None = None, *, with_artifact: bool = False
) -> Callable[[ToolFunction[Services]], ToolDefinition[Services]]:
    """Define a tool by its effect, and by metadata that a permission depends on.

    `with_artifact`: the function returns what the model reads and what is kept beside it.
    """
    joined = {**effect_metadata(effect), **(metadata or {})}

    def define(function: ToolFunction[Services]) -> ToolDefinition[Services]:
        return ToolDefinition(function, joined, with_artifact=with_artifact)

    return define
