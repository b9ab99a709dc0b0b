"""Counts tokens as LangChain estimates them, but each message and each set of tools only once.

The library walks the whole history and every tool's schema before each model call; measured, that
was a quarter of a step.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately

_REMEMBERED_MAX = 50_000
_TOOL_SETS_REMEMBERED_MAX = 1_000
# Of all agents: a server builds the same tools for every session.
_TOOL_SETS: dict[tuple[tuple[str, str], ...], int] = {}


class TokenCounter:
    """A counter that remembers; share it between the runs of one agent."""

    def __init__(self) -> None:
        self._messages: dict[tuple[object, ...], int] = {}

    def __call__(
        self, messages: Sequence[BaseMessage], *, tools: Sequence[Any] | None = None
    ) -> int:
        return sum(map(self._count, messages)) + (_count_tools(tools) if tools else 0)

    def _count(self, message: BaseMessage) -> int:
        key = _key(message)
        if key is None:
            return count_tokens_approximately([message])
        if key not in self._messages:
            if len(self._messages) >= _REMEMBERED_MAX:
                self._messages.clear()
            self._messages[key] = count_tokens_approximately([message])
        return self._messages[key]


def _count_tools(tools: Sequence[Any]) -> int:
    key = tuple(map(_name_and_text, tools))
    if key not in _TOOL_SETS:
        if len(_TOOL_SETS) >= _TOOL_SETS_REMEMBERED_MAX:
            _TOOL_SETS.clear()
        _TOOL_SETS[key] = count_tokens_approximately([], tools=list(tools))
    return _TOOL_SETS[key]


def _name_and_text(tool: Any) -> tuple[str, str]:
    return ("", str(tool)) if isinstance(tool, dict) else (tool.name, tool.description)


def _key(message: BaseMessage) -> tuple[object, ...] | None:
    """Name a message by its id and sizes: a shortened copy keeps the id but not the sizes."""
    if message.id is None or not isinstance(message.content, str):
        return None
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    sizes = (len(str(value)) for call in calls for value in call["args"].values())
    return (message.id, len(message.content), *sizes)
