"""S2 §5.2.10 `pruneToolOutputs`: which old results of tools need not be shown any more.

From the end backwards: the last two turns stay, as do the latest results up to a limit, errors,
and what is protected (`protected.py`). What is older is left out, if that is worth it. Where an
earlier pruning is met, everything before it has been looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from dataagent_core.config.context_limits import (
    PROTECTED_TURNS,
    PRUNE_MINIMUM_SHARE,
    PRUNE_MINIMUM_TOKENS,
    PRUNE_PROTECT_SHARE,
    PRUNE_PROTECT_TOKENS,
)
from dataagent_core.context.counting import Count, message_tokens
from dataagent_core.context.protected import protected_calls
from dataagent_core.context.references import has_images, is_left_out, shortened
from dataagent_core.context.view import is_block


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """What a pruning would leave out, and what that wins."""

    # The positions of the messages, oldest first.
    pruned: tuple[int, ...] = ()
    tokens_saved: int = 0

    @property
    def was_compacted(self) -> bool:
        """Say whether there is anything to leave out."""
        return bool(self.pruned)


def prune_limits(window_tokens: int | None) -> tuple[int, int]:
    """Give the tokens that are protected and those that must be won, for a window."""
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
            gain = tokens - message_tokens(pruned_message(message, tokens, None))
            if gain > 0:
                pruned.append(position)
                saved += gain
    if saved <= minimum:
        return CompactionResult()
    return CompactionResult(pruned=tuple(reversed(pruned)), tokens_saved=saved)


def pruned_message(message: BaseMessage, tokens: int, seq: int | None) -> BaseMessage:
    """Make the line that is shown instead of a result."""
    return shortened(message, 0, seq, tokens)


def old_images(messages: Sequence[BaseMessage]) -> list[int]:
    """List the messages before the last two turns that hold images."""
    turns = 0
    found: list[int] = []
    for position in range(len(messages) - 1, -1, -1):
        if turns >= PROTECTED_TURNS and has_images(messages[position]):
            found.append(position)
        turns += isinstance(messages[position], HumanMessage)
    return found[::-1]
