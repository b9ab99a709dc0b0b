"""A note for the model behind the message of a run, which itself stays as it is stored."""

from typing import Any

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage


def find_message(messages: list[AnyMessage], message_id: str | None) -> int | None:
    """Find the position of a person's message."""
    for position in range(len(messages) - 1, -1, -1):
        if isinstance(messages[position], HumanMessage) and messages[position].id == message_id:
            return position
    return None


def add_note(messages: list[AnyMessage], message_id: str | None, note: str) -> list[AnyMessage]:
    """Put the note behind the person's message."""
    asked = find_message(messages, message_id)
    if asked is None:
        return messages
    message: BaseMessage = messages[asked]
    content: Any = message.content
    added = (
        f"{content}\n\n{note}"
        if isinstance(content, str)
        else [*content, {"type": "text", "text": note}]
    )
    changed: Any = message.model_copy(update={"content": added})
    return [*messages[:asked], changed, *messages[asked + 1 :]]
