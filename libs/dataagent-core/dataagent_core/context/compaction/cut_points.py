"""Where a history may be cut: between turns, and nowhere between a tool call and its result."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage


def turn_starts(messages: Sequence[BaseMessage]) -> list[int]:
    """List the positions of user messages."""
    return [n for n, message in enumerate(messages) if isinstance(message, HumanMessage)]


def question_id(messages: Sequence[BaseMessage]) -> str | None:
    """Return the id of the last user message."""
    return next((m.id for m in reversed(messages) if isinstance(m, HumanMessage)), None)


def start_of_last_turns(messages: Sequence[BaseMessage], turns: int) -> int:
    """Return the position where the last turns begin; 0 if there are fewer."""
    starts = turn_starts(messages)
    return starts[-turns] if len(starts) >= turns else 0


def safe_cuts(messages: Sequence[BaseMessage]) -> list[int]:
    """List the positions before which a history may be cut, the end among them."""
    call_positions: dict[str, int] = {}
    # A cut after a call and up to its result would separate them.
    separations = [0] * (len(messages) + 2)
    for position, message in enumerate(messages):
        if isinstance(message, AIMessage):
            call_positions.update((str(call["id"]), position) for call in message.tool_calls)
        elif isinstance(message, ToolMessage) and message.tool_call_id in call_positions:
            separations[call_positions[message.tool_call_id] + 1] += 1
            separations[position + 1] -= 1
    cuts: list[int] = []
    open_pairs = 0
    for position in range(len(messages) + 1):
        open_pairs += separations[position]
        if open_pairs == 0:
            cuts.append(position)
    return cuts
