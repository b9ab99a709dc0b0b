"""Which tools a model call carries with their schemas: the core set, then the loaded tools.

The core set has the agent's own tools and those of the calling program while they are few: loading
three tools would only cost a turn. Tools of MCP servers are always in the catalogue.
`estimate_tokens` is S2's estimate (§5.2.6) from length and share of CJK characters.
"""

import json
import math
import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentState,
    PrivateStateAttr,
)
from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.config.limits import CATALOG_SHOWN_TOKENS_MAX
from dataagent_core.tools.definition.tool_origin import BUILT_IN, COMPOSED, EXTRA
from dataagent_core.tools.registry import ToolRegistry

LOADED_KEY = "loaded_tools"


def merge_loaded_names(known: Sequence[str] | None, added: Sequence[str] | None) -> list[str]:
    """Append what is new; parallel loads meet here."""
    return list(dict.fromkeys([*(known or ()), *(added or ())]))


class CatalogState(AgentState[Any]):
    """What the catalogue adds to the agent's state."""

    # The reducer stands last, where LangGraph looks for it.
    loaded_tools: NotRequired[Annotated[list[str], PrivateStateAttr, merge_loaded_names]]


def make_loaded_artifact(names: Sequence[str]) -> dict[str, list[str]]:
    """Note on a message what it loaded."""
    return {LOADED_KEY: list(names)}


def read_loaded_names(messages: Sequence[AnyMessage]) -> list[str]:
    """Read from earlier messages what they loaded."""
    names: list[str] = []
    for message in messages:
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        found = artifact.get(LOADED_KEY) if isinstance(artifact, dict) else None
        names = merge_loaded_names(names, found if isinstance(found, list) else None)
    return names


# Ideographs with their extensions, kana, hangul, and the punctuation and wide forms around them.
_CJK = re.compile(
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003134f]"
)
_MOSTLY_CJK_SHARE = 0.3
_MIXED_CJK_SHARE = 0.1


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return math.ceil(len(text) / _chars_per_token(text))


def _chars_per_token(text: str) -> float:
    share = len(_CJK.findall(text)) / max(len(text), 1)
    if share > _MOSTLY_CJK_SHARE:
        return 2.0
    return 3.0 if share > _MIXED_CJK_SHARE else 4.0


OfferedTool = BaseTool | dict[str, Any]


def list_catalogued_tools(tools: Sequence[OfferedTool], always: Collection[str]) -> list[BaseTool]:
    """List the tools that stand in the catalogue; a provider's own (a dict) never does."""
    return [t for t in tools if isinstance(t, BaseTool) and t.name not in always]


def select_tools(
    tools: Sequence[OfferedTool], always: Collection[str], loaded: Sequence[str]
) -> list[OfferedTool]:
    """Choose the tools of one call; a loaded tool that no longer exists is left out."""
    hidden = {tool.name: tool for tool in list_catalogued_tools(tools, always)}
    kept = [t for t in tools if not isinstance(t, BaseTool) or t.name in always]
    return [*kept, *(hidden[name] for name in loaded if name in hidden)]


def choose_core_names(registry: ToolRegistry) -> frozenset[str]:
    """Choose the core of an agent's tools."""
    own = {name for name, entry in registry.entries.items() if entry.origin == BUILT_IN}
    given = {
        name: entry.tool
        for name, entry in registry.entries.items()
        if entry.origin in {EXTRA, COMPOSED}
        # One that mostly fails is listed with its rate, and used only by choice.
        and (entry.composition is None or entry.composition.is_offered)
    }
    if sum(_schema_tokens(tool) for tool in given.values()) <= CATALOG_SHOWN_TOKENS_MAX:
        own |= given.keys()
    return frozenset(own)


def _schema_tokens(tool: BaseTool) -> int:
    return estimate_tokens(json.dumps(convert_to_openai_tool(tool), ensure_ascii=False))
