"""Counts the tokens of messages and tools by S2's estimate, each message once.

The estimate for a text is in `tools/catalog/core_tools.py`. Here it is applied to messages, cached
and summed. The provider's own count of the last request corrects the estimate: only what came after
that request is estimated. A count that cannot be right (none, or nonsense) is limited to a range
around the estimate.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.config.limits.context import (
    HISTORIES_COUNTED_MAX,
    IMAGE_TOKENS,
    MESSAGE_OVERHEAD_TOKENS,
    MESSAGES_COUNTED_MAX,
    TOOLS_COUNTED_MAX,
)
from dataagent_core.tools.catalog.core_tools import estimate_tokens
from dataagent_core.tools.media.media_reference import MediaReference

Count = Callable[[BaseMessage], int]
_TEXT_KEYS = ("text", "reasoning", "thinking")
# Shared by all agents: a server builds the same tools for every session.
_TOOLS: dict[tuple[str, str, int], tuple[Any, int]] = {}


def message_tokens(message: BaseMessage) -> int:
    """Estimate what a message costs: its text, its images, its calls."""
    total = MESSAGE_OVERHEAD_TOKENS + content_tokens(message.content)
    if isinstance(message, AIMessage):
        for call in [*message.tool_calls, *message.invalid_tool_calls]:
            total += MESSAGE_OVERHEAD_TOKENS + estimate_tokens(call_text(call))
    if isinstance(message, ToolMessage):
        total += estimate_tokens(message.tool_call_id)
    return total


def content_tokens(content: str | list[Any]) -> int:
    """Estimate what the content of a message costs."""
    if isinstance(content, str):
        return estimate_tokens(content)
    return sum(map(_block_tokens, content))


def call_text(call: Mapping[str, Any]) -> str:
    """Write a tool call as it is sent: its id, its name and its arguments."""
    args = call["args"]
    text = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False, default=str)
    return f"{call['id']}{call['name']}{text}"


def is_image(block: Any) -> bool:
    """Return whether a block of content is not text: an image, audio, a document."""
    return isinstance(block, dict) and str(block.get("type", "")) in {
        "image",
        "image_url",
        "input_image",
        "audio",
        "input_audio",
        "video",
        "file",
        "document",
        "media",
    }


def _block_tokens(block: Any) -> int:
    if isinstance(block, str):
        return estimate_tokens(block)
    if is_image(block):
        reference = MediaReference.read(block)
        return IMAGE_TOKENS if reference is None else reference.tokens or IMAGE_TOKENS
    texts = [block[key] for key in _TEXT_KEYS if isinstance(block.get(key), str)]
    if block.get("type") in {"tool_use", "tool_call", "function_call"}:
        return 0  # It is in the message's calls as well.
    text = "".join(texts) if texts else json.dumps(block, ensure_ascii=False, default=str)
    return estimate_tokens(text)


def tools_tokens(tools: Sequence[Any]) -> int:
    """Estimate what the schemas of a request's tools cost."""
    return sum(map(_tool_tokens, tools))


def _tool_tokens(tool: Any) -> int:
    if not isinstance(tool, BaseTool):
        return estimate_tokens(json.dumps(tool, ensure_ascii=False, default=str))
    schema: Any = tool.args_schema
    key = (tool.name, tool.description, id(schema))
    if key not in _TOOLS:
        if len(_TOOLS) >= TOOLS_COUNTED_MAX:
            _TOOLS.clear()
        text = json.dumps(convert_to_openai_tool(tool), ensure_ascii=False, default=str)
        # The schema is kept, so that its address is not reused.
        _TOOLS[key] = (schema, estimate_tokens(text))
    return _TOOLS[key][1]


@dataclass(slots=True, eq=False)
class TokenCounter:
    """Counts messages and remembers each; share it between the runs of one agent."""

    _known: dict[str, tuple[object, object, int]] = field(
        default_factory=dict[str, tuple[object, object, int]], init=False
    )

    def __call__(self, message: BaseMessage) -> int:
        if message.id is None:
            return message_tokens(message)
        # A shortened copy has the same id but other content or calls.
        calls = message.tool_calls if isinstance(message, AIMessage) else None
        known = self._known.get(message.id)
        if known is not None and known[0] is message.content and known[1] is calls:
            return known[2]
        if len(self._known) >= MESSAGES_COUNTED_MAX:
            self._known.clear()
        tokens = message_tokens(message)
        self._known[message.id] = (message.content, calls, tokens)
        return tokens

    def total(self, messages: Sequence[BaseMessage]) -> int:
        """Add up what messages cost."""
        return sum(map(self, messages))


@dataclass(frozen=True, slots=True)
class TokenTotals:
    """What messages cost: results of tools, and everything else."""

    history: int = 0
    results: int = 0

    @property
    def tokens(self) -> int:
        """The sum of both."""
        return self.history + self.results


@dataclass(frozen=True, slots=True)
class _CountedHistory:
    upto: int
    last_id: str | None
    totals: TokenTotals


@dataclass(slots=True, eq=False)
class RunningTotals:
    """Totals of histories by first message and view; parallel sub-agents have their own."""

    count: TokenCounter
    _known: OrderedDict[tuple[str | None, int], _CountedHistory] = field(
        default_factory=OrderedDict[tuple[str | None, int], _CountedHistory], init=False
    )

    def of(self, shown: Sequence[BaseMessage], version: int) -> TokenTotals:
        """Count what is shown; `version` names how the history is shown."""
        if not shown:
            return TokenTotals()
        key = (shown[0].id, version)
        known = self._known.get(key)
        # If the last counted message is at the same position, only new ones have to be counted.
        if (
            known is None
            or known.upto > len(shown)
            or shown[known.upto - 1].id != known.last_id
            or known.last_id is None
        ):
            known = _CountedHistory(0, None, TokenTotals())
        history, results = known.totals.history, known.totals.results
        for position in range(known.upto, len(shown)):
            tokens = self.count(shown[position])
            if isinstance(shown[position], ToolMessage):
                results += tokens
            else:
                history += tokens
        totals = TokenTotals(history, results)
        self._known[key] = _CountedHistory(len(shown), shown[-1].id, totals)
        self._known.move_to_end(key)
        if len(self._known) > HISTORIES_COUNTED_MAX:
            self._known.popitem(last=False)
        return totals
