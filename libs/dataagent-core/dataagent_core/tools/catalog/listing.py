"""The catalogue as the model reads it: grouped by origin, the common prefix of the names once.

The listing holds every tool, loaded or not, so it is the same text in every call of a run and a
cached prompt prefix holds. It keeps to its budget by shortening the purposes, then leaving them
out, then giving only the number of tools of each origin.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_core.tools import BaseTool

from dataagent_core.config.limits import CATALOG_LINE_CHARS_MAX, CATALOG_LISTING_TOKENS_MAX
from dataagent_core.tools.catalog.estimate import estimated_tokens
from dataagent_core.tools.catalog.line import one_line
from dataagent_core.tools.origin import Origin, origin_of

_HEADER = (
    "# More tools\n"
    "Listed by name and purpose. Before you use one, call load_tools with its full name (the "
    "group's prefix and the name); find_tools searches this list."
)
# How much of each purpose is kept, tried from the longest.
_PURPOSE_CHARS = (CATALOG_LINE_CHARS_MAX, 60, 48, 40, 32, 24, 0)


@dataclass(frozen=True, slots=True)
class Group:
    """The tools of one origin and the prefix their names share."""

    origin: Origin
    prefix: str
    tools: tuple[BaseTool, ...]


def listing(tools: Sequence[BaseTool], tokens_max: int = CATALOG_LISTING_TOKENS_MAX) -> str:
    """Write the catalogue within a budget of tokens; nothing when there are no tools."""
    if not tools:
        return ""
    groups = grouped(tools)
    for chars in _PURPOSE_CHARS:
        text = "\n".join([_HEADER, *(_with_tools(group, chars) for group in groups)])
        if estimated_tokens(text) <= tokens_max:
            return text
    return "\n".join([_HEADER, *(_counted(group) for group in groups)])


def grouped(tools: Sequence[BaseTool]) -> list[Group]:
    """Gather the tools by origin, in the order in which the origins appear."""
    by_origin: dict[Origin, list[BaseTool]] = {}
    for tool in tools:
        by_origin.setdefault(origin_of(tool), []).append(tool)
    return [
        Group(origin, _prefix([t.name for t in found]), tuple(found))
        for origin, found in by_origin.items()
    ]


def _prefix(names: list[str]) -> str:
    # Cut after "_", at a whole word. What the first and the last in sorting share, all share.
    first, last = min(names), max(names)
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    common = "".join(a for a, _ in shared) if len(names) > 1 else ""
    return common[: common.rfind("_") + 1]


def _with_tools(group: Group, chars: int) -> str:
    lines = [_heading(group)]
    for tool in group.tools:
        name = tool.name.removeprefix(group.prefix)
        purpose = one_line(tool.description, chars)
        lines.append(f"{name}: {purpose}" if purpose else name)
    return "\n".join(lines)


def _heading(group: Group) -> str:
    return f"## {group.origin}" + (f", prefix {group.prefix}" if group.prefix else "")


def _counted(group: Group) -> str:
    return f"{_heading(group)}: {len(group.tools)} tools, see find_tools"
