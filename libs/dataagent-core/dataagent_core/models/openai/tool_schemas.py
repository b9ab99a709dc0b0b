"""A tool as OpenAI's wire describes it, worked out once in a process.

LangChain works it out for every tool before every model call, which measured as a fifteenth of a
turn. Only tools whose description cannot change under the same key are remembered.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.config.limits import TOOL_SCHEMAS_KEPT_MAX

_Key = tuple[type, str, str, int]
# The arguments' schema is kept beside the result: while it lives, its id names nothing else.
_known: OrderedDict[_Key, tuple[Any, dict[str, Any]]] = OrderedDict()


def schema_of(tool: Any) -> Any:
    """Return the tool's description, or the tool itself where only the library knows it."""
    if not isinstance(tool, StructuredTool) or tool.extras:
        return tool
    arguments = cast("Any", tool.args_schema)
    key = (type(tool), tool.name, tool.description, id(arguments))
    if key in _known:
        _known.move_to_end(key)
    else:
        _known[key] = (arguments, convert_to_openai_tool(tool))
        if len(_known) > TOOL_SCHEMAS_KEPT_MAX:
            _known.popitem(last=False)
    return _known[key][1]


class ToolSchemaCache:
    """Goes before a chat model of OpenAI's family among the bases of a class."""

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """Bind tools by their descriptions, unless these depend on how they are bound."""
        plain = not options.get("strict") and not options.get("response_format")
        chosen = [schema_of(tool) for tool in tools] if plain else tools
        return cast("Any", super()).bind_tools(chosen, **options)
