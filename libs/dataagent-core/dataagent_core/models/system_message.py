"""Adding to the system message, at its end: what a provider has cached of its beginning holds."""

from langchain_core.messages import SystemMessage

_PLAIN = {"type", "text"}


def append_to_system(message: SystemMessage | None, text: str) -> SystemMessage:
    """Return the message with one more part at its end."""
    if message is None:
        return SystemMessage(content=text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{text}"})
    parts = [*message.content, {"type": "text", "text": text}]
    return message.model_copy(update={"content": parts})


def as_one_text(message: SystemMessage) -> SystemMessage:
    """Join parts that are only text: every endpoint takes a text, and libraries sort parts anew."""
    if isinstance(message.content, str):
        return message
    texts: list[str] = []
    for part in message.content:
        if isinstance(part, str):
            texts.append(part)
        elif part.keys() == _PLAIN and part["type"] == "text":
            texts.append(part["text"])
        else:
            return message
    joined = ""
    for text in texts:
        apart = not joined or joined.endswith("\n") or text.startswith("\n")
        joined += text if apart else f"\n\n{text}"
    return message.model_copy(update={"content": joined})
