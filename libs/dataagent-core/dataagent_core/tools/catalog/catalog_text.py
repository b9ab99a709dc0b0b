"""Renders the catalogue for the model: grouped by origin, with the common name prefix once.

It lists every tool, loaded or not, so the text is the same in every call and the cached prompt
stays valid. To fit its budget it shortens purposes, then omits them, then gives only the number of
tools per origin. Descriptions from outside are reduced to their first sentence on one line, so that
they hold no page of instructions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_core.tools import BaseTool

from dataagent_core.config.limits import CATALOG_LINE_CHARS_MAX, CATALOG_LISTING_TOKENS_MAX
from dataagent_core.tools.catalog.core_tools import estimate_tokens
from dataagent_core.tools.definition.tool_origin import ToolOrigin, read_origin

_SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")  # noqa: RUF001 (Chinese punctuation)
# More than any line holds; a description from outside can be a book.
_READ_CHARS_MAX = 500


def shorten_purpose(description: str, chars_max: int) -> str:
    """Return the first sentence, within this many characters."""
    text = description[:_READ_CHARS_MAX]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    sentence = _SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0].rstrip(".。")
    if len(sentence) <= chars_max:
        return sentence
    if chars_max <= 0:
        return ""
    at_word, _, _ = sentence[:chars_max].rpartition(" ")
    # Chinese has no spaces to cut at, and a late space is better than half a word.
    kept = at_word if len(at_word) * 2 > chars_max else sentence[: chars_max - 1]
    return kept.rstrip(" ,;:") + "…"


_HEADER = (
    "# More tools\n"
    "Listed by name and purpose. Before you use one, call load_tools with its full name (the "
    "group's prefix and the name); find_tools searches this list."
)
# How much of each purpose is kept, tried from the longest.
_PURPOSE_CHARS = (CATALOG_LINE_CHARS_MAX, 60, 48, 40, 32, 24, 0)


@dataclass(frozen=True, slots=True)
class ToolGroup:
    """The tools of one origin and the prefix their names share."""

    origin: ToolOrigin
    prefix: str
    tools: tuple[BaseTool, ...]


def render_catalog(tools: Sequence[BaseTool], tokens_max: int = CATALOG_LISTING_TOKENS_MAX) -> str:
    """Write the catalogue within a budget of tokens; nothing when there are no tools."""
    if not tools:
        return ""
    groups = group_by_origin(tools)
    for chars in _PURPOSE_CHARS:
        text = "\n".join([_HEADER, *(_render_group(group, chars) for group in groups)])
        if estimate_tokens(text) <= tokens_max:
            return text
    return "\n".join([_HEADER, *(_render_count(group) for group in groups)])


def group_by_origin(tools: Sequence[BaseTool]) -> list[ToolGroup]:
    """Gather the tools by origin, in the order in which the origins appear."""
    by_origin: dict[ToolOrigin, list[BaseTool]] = {}
    for tool in tools:
        by_origin.setdefault(read_origin(tool), []).append(tool)
    return [
        ToolGroup(origin, _common_prefix([t.name for t in found]), tuple(found))
        for origin, found in by_origin.items()
    ]


def _common_prefix(names: list[str]) -> str:
    # Cut after "_", at a whole word. What the first and the last in sorting share, all share.
    first, last = min(names), max(names)
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    common = "".join(a for a, _ in shared) if len(names) > 1 else ""
    return common[: common.rfind("_") + 1]


def _render_group(group: ToolGroup, chars: int) -> str:
    lines = [_render_heading(group)]
    for tool in group.tools:
        name = tool.name.removeprefix(group.prefix)
        purpose = shorten_purpose(tool.description, chars)
        lines.append(f"{name}: {purpose}" if purpose else name)
    return "\n".join(lines)


def _render_heading(group: ToolGroup) -> str:
    return f"## {group.origin}" + (f", prefix {group.prefix}" if group.prefix else "")


def _render_count(group: ToolGroup) -> str:
    return f"{_render_heading(group)}: {len(group.tools)} tools, see find_tools"
