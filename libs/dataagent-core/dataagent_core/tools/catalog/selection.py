"""Which tools a model call carries: the core in its order, then the loaded ones in theirs."""

from collections.abc import Collection, Sequence
from typing import Any

from langchain_core.tools import BaseTool

Offered = BaseTool | dict[str, Any]


def beyond(tools: Sequence[Offered], always: Collection[str]) -> list[BaseTool]:
    """List the tools that stand in the catalogue; a provider's own (a dict) never does."""
    return [t for t in tools if isinstance(t, BaseTool) and t.name not in always]


def selected(
    tools: Sequence[Offered], always: Collection[str], loaded: Sequence[str]
) -> list[Offered]:
    """Choose the tools of one call; a loaded tool that no longer exists is left out."""
    hidden = {tool.name: tool for tool in beyond(tools, always)}
    kept = [t for t in tools if not isinstance(t, BaseTool) or t.name in always]
    return [*kept, *(hidden[name] for name in loaded if name in hidden)]
