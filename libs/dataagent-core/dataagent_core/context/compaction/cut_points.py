"""Where a history may be cut: between turns, and nowhere between a tool call and its result."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage


def turn_starts(messages: Sequence[BaseMessage]) -> list[int]:
    """List the positions of what people said."""
    return [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]


def question_id(messages: Sequence[BaseMessage]) -> str | None:
    """Name the last thing a person said."""
    return next((m.id for m in reversed(messages) if isinstance(m, HumanMessage)), None)


def start_of_last_turns(messages: Sequence[BaseMessage], turns: int) -> int:
    """Find where the last turns begin; 0 if there are not more."""
    starts = turn_starts(messages)
    return starts[-turns] if len(starts) >= turns else 0


def safe_cuts(messages: Sequence[BaseMessage]) -> list[int]:
    """List the positions before which a history may be cut, the end among them."""
    asked: dict[str, int] = {}
    # A cut after `asked` and up to the result would part them.
    parted = [0] * (len(messages) + 2)
    for position, message in enumerate(messages):
        if isinstance(message, AIMessage):
            asked.update((str(call["id"]), position) for call in message.tool_calls)
        elif isinstance(message, ToolMessage) and message.tool_call_id in asked:
            parted[asked[message.tool_call_id] + 1] += 1
            parted[position + 1] -= 1
    cuts: list[int] = []
    open_pairs = 0
    for position in range(len(messages) + 1):
        open_pairs += parted[position]
        if open_pairs == 0:
            cuts.append(position)
    return cuts
