"""Which old tool results are no longer shown (S2 §5.2.10, `pruneToolOutputs`). Pure.

From the end backwards, these stay: the last two turns, the latest results up to a limit, errors,
and results of protected tools (`PRUNE_PROTECTED_TOOLS`), among them a skill that the agent read
with `read_file`. Older results are left out if that saves enough. The walk stops at an earlier
pruning, because everything before it was checked then.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.tool import ToolCall

from dataagent_core.config.limits.context import (
    PROTECTED_TURNS,
    PRUNE_MINIMUM_SHARE,
    PRUNE_MINIMUM_TOKENS,
    PRUNE_PROTECT_SHARE,
    PRUNE_PROTECT_TOKENS,
    PRUNE_PROTECTED_TOOLS,
)
from dataagent_core.config.paths import SKILL_MOUNTS
from dataagent_core.context.compaction.references import (
    has_images,
    is_left_out,
    shorten_with_reference,
)
from dataagent_core.context.token_counter import Count, message_tokens
from dataagent_core.context.view import is_block

_READ_TOOL = "read_file"


def protected_calls(messages: Sequence[BaseMessage]) -> frozenset[str]:
    """Return the ids of the calls in a view whose results are protected."""
    return frozenset(
        str(call["id"])
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
        if call["name"] in PRUNE_PROTECTED_TOOLS or _reads_skill(call)
    )


def _reads_skill(call: ToolCall) -> bool:
    if call["name"] != _READ_TOOL:
        return False
    # Not `parts_of`, which refuses bad paths: the argument may be anything, and nothing is opened.
    names = [
        name for name in str(call["args"].get("file_path")).split("/") if name not in {"", "."}
    ]
    return f"/{'/'.join(names[:2])}/" in SKILL_MOUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """What a pruning would leave out, and the tokens it saves."""

    # The positions of the messages, oldest first.
    pruned: tuple[int, ...] = ()
    tokens_saved: int = 0

    @property
    def was_compacted(self) -> bool:
        """Whether there is anything to leave out."""
        return bool(self.pruned)


def prune_limits(window_tokens: int | None) -> tuple[int, int]:
    """Return the tokens that are protected and those that must be saved, for a window."""
    if window_tokens is None:
        return PRUNE_PROTECT_TOKENS, PRUNE_MINIMUM_TOKENS
    return (
        min(PRUNE_PROTECT_TOKENS, int(window_tokens * PRUNE_PROTECT_SHARE)),
        min(PRUNE_MINIMUM_TOKENS, int(window_tokens * PRUNE_MINIMUM_SHARE)),
    )


def prune_tool_outputs(
    messages: Sequence[BaseMessage],
    *,
    window_tokens: int | None = None,
    enabled: bool = True,
    count: Count = message_tokens,
) -> CompactionResult:
    """Choose the results to leave out of a view."""
    if not enabled:
        return CompactionResult()
    protect, minimum = prune_limits(window_tokens)
    protected = protected_calls(messages)
    turns = total = saved = 0
    pruned: list[int] = []
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if is_block(message):
            break
        turns += isinstance(message, HumanMessage)
        if turns < PROTECTED_TURNS or not isinstance(message, ToolMessage):
            continue
        if is_left_out(message):
            break
        if message.tool_call_id in protected or message.status == "error":
            continue
        tokens = count(message)
        total += tokens
        if total > protect:
            gain = tokens - message_tokens(make_pruned_message(message, tokens, None))
            if gain > 0:
                pruned.append(position)
                saved += gain
    if saved <= minimum:
        return CompactionResult()
    return CompactionResult(pruned=tuple(reversed(pruned)), tokens_saved=saved)


def make_pruned_message(message: BaseMessage, tokens: int, seq: int | None) -> BaseMessage:
    """Make the line that is shown instead of a result."""
    return shorten_with_reference(message, 0, seq, tokens)


def old_images(messages: Sequence[BaseMessage]) -> list[int]:
    """List the messages before the last two turns that hold images."""
    turns = 0
    found: list[int] = []
    for position in range(len(messages) - 1, -1, -1):
        if turns >= PROTECTED_TURNS and has_images(messages[position]):
            found.append(position)
        turns += isinstance(messages[position], HumanMessage)
    return found[::-1]
