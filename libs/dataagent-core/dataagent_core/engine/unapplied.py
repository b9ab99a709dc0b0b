"""Results of calls that finished in a step that never did.

The calls of one turn are one step of the graph, and its results become part of the history when
all of them are there. Where a run ends in between (a person rejected one call, or stopped the run),
those that finished are kept beside the last checkpoint: the next run must know that they happened.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, PendingWrite

_MESSAGES_CHANNEL = "messages"


async def with_unapplied(
    checkpoints: BaseCheckpointSaver[Any], thread: RunnableConfig, messages: Sequence[BaseMessage]
) -> list[BaseMessage]:
    """Give a thread's messages, and after them the results that only its last step knows."""
    if not _open_calls(messages):
        return list(messages)
    saved = await checkpoints.aget_tuple(thread)
    return joined(messages, (saved.pending_writes if saved else None) or [])


def joined(messages: Sequence[BaseMessage], writes: Sequence[PendingWrite]) -> list[BaseMessage]:
    """Append the results among what was written, in the order of the calls they answer."""
    found = {
        message.tool_call_id: message
        for _, channel, value in writes
        if channel == _MESSAGES_CHANNEL
        for message in (value if isinstance(value, list) else [value])  # pyright: ignore[reportUnknownVariableType]
        if isinstance(message, ToolMessage)
    }
    calls = _open_calls(messages)
    return [*messages, *(found[call_id] for call_id in calls if call_id in found)]


def _open_calls(messages: Sequence[BaseMessage]) -> list[str]:
    """Name the calls of the last turn that have no result."""
    answered = {m.tool_call_id for m in messages if isinstance(m, ToolMessage)}
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    calls = last.tool_calls if last else []
    return [call["id"] for call in calls if call["id"] and call["id"] not in answered]
