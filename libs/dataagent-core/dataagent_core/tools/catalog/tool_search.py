"""Searches tools by words; a word in the name counts more than one in the description.

How text is split into words is in `language/word_split.py`.
"""

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from dataagent_core.config.limits import CATALOG_FOUND_TOOLS_MAX
from dataagent_core.language.word_split import split_words

_NAME_WEIGHT = 3
_DESCRIPTION_WEIGHT = 1
_WHOLE_WORD = 2
_BEGINNING = 1
# "issue" finds "issues"; shorter beginnings find everything.
_BEGINNING_CHARS_MIN = 3
_READ_CHARS_MAX = 1_000


def search_tools(
    query: str, tools: Sequence[BaseTool], found_max: int = CATALOG_FOUND_TOOLS_MAX
) -> list[BaseTool]:
    """List the tools that match best; equal ones stay in the order of the catalogue."""
    wanted = split_words(query)
    scored = [(score_tool(wanted, tool), tool) for tool in tools]
    matching = [pair for pair in scored if pair[0] > 0]
    matching.sort(key=lambda pair: -pair[0])
    return [tool for _, tool in matching[:found_max]]


def score_tool(wanted: Sequence[str], tool: BaseTool) -> int:
    """Say how well a tool matches the words."""
    name, description = split_words(tool.name), split_words(tool.description[:_READ_CHARS_MAX])
    return sum(
        _NAME_WEIGHT * _match(word, name) + _DESCRIPTION_WEIGHT * _match(word, description)
        for word in wanted
    )


def _match(word: str, known: Sequence[str]) -> int:
    if word in known:
        return _WHOLE_WORD
    return _BEGINNING if any(_begins(word, other) for other in known) else 0


def _begins(one: str, other: str) -> bool:
    if len(one) > len(other):
        one, other = other, one
    return len(one) >= _BEGINNING_CHARS_MIN and other.startswith(one)
