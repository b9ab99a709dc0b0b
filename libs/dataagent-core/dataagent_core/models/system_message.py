"""Adding to the system message, at its end: what a provider has cached of its beginning holds."""

from langchain_core.messages import SystemMessage


def appended(message: SystemMessage | None, text: str) -> SystemMessage:
    """Return the message with one more part at its end."""
    if message is None:
        return SystemMessage(content=text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{text}"})
    parts = [*message.content, {"type": "text", "text": text}]
    return message.model_copy(update={"content": parts})
