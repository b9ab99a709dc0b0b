"""Which tools are always shown with their schemas: the core set.

The agent's own, and what a program handed in while it is small: a model that has to ask for three
tools before it can use them only loses a turn. Tools of MCP servers always stand in the list.
"""

import json

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.config.limits import CATALOG_SHOWN_TOKENS_MAX
from dataagent_core.tools.catalog.estimate import estimated_tokens
from dataagent_core.tools.origin import BUILT_IN, COMPOSED, EXTRA
from dataagent_core.tools.registry import ToolRegistry


def core_names(registry: ToolRegistry) -> frozenset[str]:
    """Choose the core of an agent's tools."""
    own = {name for name, entry in registry.entries.items() if entry.origin == BUILT_IN}
    given = {
        name: entry.tool
        for name, entry in registry.entries.items()
        if entry.origin in {EXTRA, COMPOSED}
    }
    if sum(_schema_tokens(tool) for tool in given.values()) <= CATALOG_SHOWN_TOKENS_MAX:
        own |= given.keys()
    return frozenset(own)


def _schema_tokens(tool: BaseTool) -> int:
    return estimated_tokens(json.dumps(convert_to_openai_tool(tool), ensure_ascii=False))
