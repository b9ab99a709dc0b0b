"""Messages the person wrote while a run is active: in order, visible, and retractable."""

from collections import deque
from dataclasses import dataclass

from dataagent_cli.conversation.port import AttachedText
from dataagent_core.errors import ConflictError

QUEUED_MAX = 50


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message as the person typed it, and text of others below it."""

    text: str
    others: AttachedText | None = None


class MessageQueue:
    """The messages to send when the run is over."""

    def __init__(self) -> None:
        self._messages: deque[QueuedMessage] = deque()

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def texts(self) -> list[str]:
        """Return the messages, the next one first."""
        return [message.text for message in self._messages]

    def add(self, text: str, others: AttachedText | None = None) -> None:
        if len(self._messages) >= QUEUED_MAX:
            raise ConflictError(f"{QUEUED_MAX} messages wait already. Let the agent answer first.")
        self._messages.append(QueuedMessage(text, others))

    def next(self) -> QueuedMessage | None:
        """Return the message to send now."""
        return self._messages.popleft() if self._messages else None

    def take_back(self) -> str | None:
        """Remove the newest message, to change it or to drop it."""
        return self._messages.pop().text if self._messages else None

    def take_all_back(self) -> str:
        """Remove all messages, as one text."""
        text = "\n".join(self.texts)
        self._messages.clear()
        return text
