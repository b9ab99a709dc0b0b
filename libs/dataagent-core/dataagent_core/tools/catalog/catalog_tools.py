"""The tools `find_tools` and `load_tools`, with which a model uses the catalogue.

Both only read, and take the tools from the running agent; they are bound to the names of the tools
that the model always sees. `resolve_names` maps the requested names
to tools, or to the nearest names.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.types import Command

from dataagent_core.config.limits import (
    CATALOG_LINE_CHARS_MAX,
    CATALOG_LOAD_TOOLS_MAX,
    CATALOG_LOADED_TOOLS_MAX,
)
from dataagent_core.tools.catalog.catalog_text import shorten_purpose
from dataagent_core.tools.catalog.core_tools import (
    LOADED_KEY,
    list_catalogued_tools,
    make_loaded_artifact,
    merge_loaded_names,
)
from dataagent_core.tools.catalog.tool_search import search_tools
from dataagent_core.tools.definition.name_suggestions import find_nearest_names
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.definition.tool_origin import BUILT_IN, make_origin_metadata


@dataclass(frozen=True, slots=True)
class ResolvedNames:
    """What was found, and for each name that was not, what may have been meant."""

    tools: tuple[BaseTool, ...]
    unknown: Mapping[str, Sequence[str]]


def resolve_names(names: Sequence[str], catalogue: Sequence[BaseTool]) -> ResolvedNames:
    """Look the names up; one without its group's prefix is understood if only one tool fits."""
    by_name = {tool.name: tool for tool in catalogue}
    found: dict[str, BaseTool] = {}
    unknown: dict[str, Sequence[str]] = {}
    for name in names:
        tool = by_name.get(name) or _only_one_ending(name, catalogue)
        if tool is None:
            unknown[name] = find_nearest_names(name, by_name)
        else:
            found[tool.name] = tool
    return ResolvedNames(tuple(found.values()), unknown)


def _only_one_ending(name: str, catalogue: Sequence[BaseTool]) -> BaseTool | None:
    ending = [tool for tool in catalogue if name and tool.name.endswith(f"_{name}")]
    return ending[0] if len(ending) == 1 else None


LOAD_TOOLS: Final = "load_tools"
FIND_TOOLS: Final = "find_tools"
Runtime = ToolRuntime[Any, Any]


@define_tool("pure", make_origin_metadata(BUILT_IN))
async def load_tools(
    always: Collection[str],
    names: Annotated[list[str], f"Full names, at most {CATALOG_LOAD_TOOLS_MAX}."],
    runtime: Runtime,
) -> Command[Any]:
    """Load tools of the list "More tools", to see their arguments and call them."""
    wanted = resolve_names(_without(names, always), list_catalogued_tools(runtime.tools, always))
    known: list[str] = runtime.state.get(LOADED_KEY) or []
    return _loaded(runtime.tool_call_id or "", names, wanted, known)


@define_tool("pure", make_origin_metadata(BUILT_IN))
async def find_tools(
    always: Collection[str],
    query: Annotated[str, "A few words for what the tool should do."],
    runtime: Runtime,
) -> str:
    """Search the list "More tools" by words; load what fits with load_tools."""
    found = search_tools(query, list_catalogued_tools(runtime.tools, always))
    if not found:
        return f"No tool matches {query!r:.200}. Try other words, in English or Chinese."
    return "\n".join(
        f"{t.name}: {shorten_purpose(t.description, CATALOG_LINE_CHARS_MAX)}" for t in found
    )


def _without(names: Sequence[str], always: Collection[str]) -> list[str]:
    return [name for name in names if name not in always][:CATALOG_LOAD_TOOLS_MAX]


def _loaded(
    call_id: str, asked: Sequence[str], wanted: ResolvedNames, known: Sequence[str]
) -> Command[Any]:
    names = [tool.name for tool in wanted.tools]
    lines: list[str] = []
    if len(merge_loaded_names(known, names)) > CATALOG_LOADED_TOOLS_MAX:
        lines.append(
            f"Nothing was loaded: {len(known)} tools are loaded and {CATALOG_LOADED_TOOLS_MAX} is "
            "the most. A tool can also be called without loading it, with the right arguments."
        )
        names = []
    elif names:
        lines.append(f"Loaded, call them from now on: {', '.join(names)}.")
    if len(asked) > CATALOG_LOAD_TOOLS_MAX:
        lines.append(f"Only the first {CATALOG_LOAD_TOOLS_MAX} names were read.")
    for name, near in wanted.unknown.items():
        hint = f"Nearest: {', '.join(near)}." if near else "Search with find_tools."
        lines.append(f"There is no tool {name!r:.100} in the list. {hint}")
    message = ToolMessage(
        content="\n".join(lines) or "These tools need no loading: you can call them.",
        name=LOAD_TOOLS,
        tool_call_id=call_id,
        artifact=make_loaded_artifact(names),
        status="error" if wanted.unknown and not names else "success",
    )
    return Command(update={LOADED_KEY: names, "messages": [message]})
